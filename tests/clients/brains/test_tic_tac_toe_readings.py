"""What each reading of the document's "CI = N" loses and misses, over every line of play.

Losses can be counted in four ways, so each count says what it counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import pytest

from tablero.brains import tic_tac_toe as ai
from tablero_games import Seat
from tablero_games.tic_tac_toe import LINES, LINES_THROUGH, TicTacToePosition
from tests.harness.games.tic_tac_toe import reachable, winning

Assign = Callable[[int, ai.Cell, ai.Index, ai.Board], None]
START = TicTacToePosition()


def overwrites(value: int, cell: ai.Cell, index: ai.Index, board: ai.Board) -> None:
    if board[cell] is None:
        index[cell] = value


def adds(value: int, cell: ai.Cell, index: ai.Index, board: ai.Board) -> None:
    if board[cell] is None:
        index[cell] += value


raises: Assign = ai._raise_to
"""The reading that is played: "CI = N" never lowers."""


@pytest.fixture(params=[raises, overwrites, adds], ids=["raises", "overwrites", "adds"])
def reading(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Assign:
    assign: Assign = request.param
    monkeypatch.setattr(ai, "_raise_to", assign)
    return assign


@dataclass
class Losses:
    """Every way in which the rival wins, with every tie broken in every way."""

    games: int = 0
    """Sequences of moves, of both players."""
    lines: set[tuple[str, ...]] = field(default_factory=set)
    """Sequences of the rival's moves alone."""
    positions: set[str] = field(default_factory=set)
    """In which the rival, about to move, wins at once: each counts once, however it came about."""
    ends: set[str] = field(default_factory=set)
    """Final positions."""

    @property
    def counts(self) -> tuple[int, int, int, int]:
        return self.games, len(self.lines), len(self.positions), len(self.ends)


def losses_of(seat: Seat) -> Losses:
    """What the ideal cells of `seat` lose against everything that a rival can play."""

    @cache
    def ideal(cells: str) -> list[ai.Cell]:
        return ai.ideal_cells(ai.board_of(cells), seat)

    found = Losses()

    def follow(position: TicTacToePosition, rivals: tuple[str, ...]) -> None:
        own = position.next_seat == seat
        for move in ideal(position.cells) if own else position.legal_moves(1 - seat):
            after = position.play(position.next_seat, move)
            line = rivals if own else (*rivals, move)
            if after.outcome is None:
                follow(after, line)
            elif 1 - seat in after.outcome.winners:
                found.games += 1
                found.lines.add(line)
                found.positions.add(position.cells)
                found.ends.add(after.cells)

    follow(START, ())
    return found


FIRST: dict[Assign, tuple[int, ...]] = {raises: (0, 0, 0, 0), overwrites: (48, 24, 12, 8), adds: (0, 0, 0, 0)}
SECOND = (272, 192, 112, 84)


def test_only_overwriting_loses_as_first_player(reading: Assign) -> None:
    # 12 positions, in 24 lines of the rival, or 48 games.
    assert losses_of(0).counts == FIRST[reading]


def test_every_reading_loses_the_same_number_of_ways_as_second_player(reading: Assign) -> None:
    # 112 positions, in 192 lines of the rival, or 272 games.
    assert losses_of(1).counts == SECOND


def test_with_step_5_read_straight_the_losses_would_be_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def step_5_straight(index: ai.Index, board: ai.Board, player: Seat) -> None:
        groups = ai.get_groups()
        if any(board[cell] == 1 - player for cell in groups.edges):
            ai._raise_to(3, groups.center, index, board)

    steps = tuple(step_5_straight if step is ai.step_5_center_near_rival else step for step in ai.STEPS)
    monkeypatch.setattr(ai, "STEPS", steps)
    assert losses_of(1).counts == (224, 160, 116, 84)


MISSED: dict[Assign, tuple[int, int]] = {raises: (0, 0), overwrites: (238, 68), adds: (216, 0)}


def test_only_raising_misses_no_win_and_no_block(reading: Assign) -> None:
    wins = blocks = 0
    for position in reachable(START, lambda here: list(here.legal_moves(here.next_seat))):
        if position.outcome is not None:
            continue
        seat = position.next_seat
        chosen = set(ai.ideal_cells(ai.board_of(position.cells), seat))
        if own := winning(position, seat):
            wins += not chosen <= own
        elif rival := winning(position, 1 - seat):
            blocks += not chosen <= rival
    assert (wins, blocks) == MISSED[reading]


# The document's observation


def test_every_line_goes_through_the_center_or_two_corners() -> None:
    center, corners = {4}, {0, 2, 6, 8}
    for line in LINES:
        assert center & {*line} or len(corners & {*line}) == 2
    through = [len(lines) for lines in LINES_THROUGH]
    assert max(through) == through[4] == 4
    assert min(through[corner] for corner in corners) > max(through[edge] for edge in (1, 3, 5, 7))
