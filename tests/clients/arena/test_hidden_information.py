"""Two local games that differ only in what a bot may not know look the same to that bot, as on a server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tablero.arena.local import play_match
from tablero.bot import Bot, Resign, Turn
from tablero_games import Game, Play, Seat
from tablero_games.minesweeper.rules import Minesweeper, MinesweeperPosition
from tablero_protocol.messages import NextPlayer
from tests.harness.twins.pairs import Json, Twins, twins

PAIRS = 40


class Script:
    """The same commands for everybody at the table, one after the other."""

    def __init__(self, pair: Twins, which: int) -> None:
        steps = [(step.who, step.messages[which]) for step in pair.steps]
        self.rest: list[tuple[Any, Json]] = [
            (who, message)
            for who, message in steps
            if message["type"] == "resign" or (message["type"] == "playTurn" and message["ply"] != 99)
        ]

    def next_of(self, seat: Seat) -> str | None:
        """The move of `seat`, if it is the one that comes next."""
        if not self.rest or self.rest[0][0] != seat:
            return None
        _, message = self.rest.pop(0)
        if message["type"] == "resign":
            raise Resign
        return str(message["move"])


def told_locally(pair: Twins, which: int, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """By seat, all that each bot hears until the script ends."""

    def prepared(self: Game, *_: object) -> Sequence[str]:
        return pair.fields[which]

    monkeypatch.setattr(Minesweeper, "prepare", prepared)
    script, told = Script(pair, which), [list[str]() for _ in range(pair.seats)]

    class Scripted(Bot):
        game = "minesweeper"

        def play_turn(self, event: NextPlayer) -> None:
            if event.seat == self.player and script.rest:
                told[self.player].append(event.model_dump_json())
            super().play_turn(event)

        def choose(self, turn: Turn) -> str | None:
            return script.next_of(turn.seat)

    play_match("minesweeper", [Scripted] * pair.seats, pair.numbers[which], **pair.options)
    assert script.rest == []
    return told


def told_apart(pair: Twins, monkeypatch: pytest.MonkeyPatch) -> list[Seat]:
    """Who was told something else, or in another order, and must not be."""
    one, other = (told_locally(pair, which, monkeypatch) for which in (0, 1))
    return [seat for seat in pair.may_not_tell if seat != "watcher" and one[seat] != other[seat]]


def test_no_bot_can_tell_two_local_games_apart_that_differ_only_in_what_is_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moves = 0
    for seed in range(PAIRS):
        pair = twins(seed)
        assert told_apart(pair, monkeypatch) == [], f"seed {seed}"
        moves += pair.hidden
    assert moves > PAIRS, "rivals move differently"


def test_a_bot_that_hears_where_its_rival_digs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Play, "_told", lambda self, last, to: last)
    assert any(told_apart(twins(seed), monkeypatch) for seed in range(10))


def test_so_is_one_that_sees_its_rivals_board(monkeypatch: pytest.MonkeyPatch) -> None:
    view = MinesweeperPosition.view
    monkeypatch.setattr(MinesweeperPosition, "view", lambda self, seat=None: view(self, 0))
    assert any(told_apart(twins(seed), monkeypatch) for seed in range(10))
