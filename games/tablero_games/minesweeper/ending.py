"""The end of a Minesweeper game: the board is cleared, a mine was dug, or in a race all seats are out.

Law: on a common board, a mine ends the game for all. A race continues until one seat clears its board or all
seats are out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from ..position import Outcome, Reason, Seat
from ..two_seats import NOBODY
from .board import lose, win
from .options import MinesweeperOptions


@dataclass(frozen=True, slots=True)
class Digger:
    """The progress of one seat."""

    opened: int = 0
    """The number of safe cells that the seat opened; in a race the cells open at the start are counted."""
    last: int = 0
    """The ply at which the seat last opened a safe cell."""
    out: Literal["mine"] | Reason | None = None
    """The reason why the seat is out, or None."""


def ending(
    options: MinesweeperOptions, boards: Sequence[bytes], players: Sequence[Digger], reason: str = "out"
) -> Outcome | None:
    """The outcome, or None if the game continues; `reason` is the reason why the last seat left."""
    if options.mode == "race":
        return _race_ending(options, boards, players)
    scores = scores_of(players)
    playing = frozenset(seat for seat, player in enumerate(players) if player.out is None)
    if lose(boards[0]):
        return Outcome("loss", NOBODY, "mine", scores)
    if win(boards[0], options.mines):
        return Outcome("win", playing, "cleared", scores)
    return None if playing else Outcome("loss", NOBODY, reason, scores)


def _race_ending(
    options: MinesweeperOptions, boards: Sequence[bytes], players: Sequence[Digger]
) -> Outcome | None:
    cleared = any(win(board, options.mines) for board in boards)
    if not cleared and any(player.out is None for player in players):
        return None
    ranking = _ranking(players)
    winners = frozenset(ranking[0]) if len(ranking[0]) == 1 else NOBODY
    reason = "cleared" if cleared else "out"
    return Outcome("win" if winners else "draw", winners, reason, scores_of(players), ranking)


def _ranking(players: Sequence[Digger]) -> tuple[tuple[Seat, ...], ...]:
    """The seats by place: most open cells first. Of seats with equally many, first the one that opened its
    last cell earlier.
    """

    def place(seat: Seat) -> tuple[int, int]:
        return -players[seat].opened, players[seat].last

    order = sorted(range(len(players)), key=place)
    return tuple(tuple(seats) for _, seats in groupby(order, key=place))


def scores_of(players: Sequence[Digger]) -> tuple[int, ...]:
    return tuple(player.opened for player in players)
