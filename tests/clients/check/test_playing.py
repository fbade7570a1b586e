"""Bots with one thing wrong, played on many tables: the check finds it, under its own id."""

from __future__ import annotations

import time
from threading import Event as Gate
from typing import Any

import pytest

from tablero import Bot, Turn
from tablero.bot import Resign
from tablero.brains import find_brain
from tablero.check.findings import Report, Severity
from tablero.check.playing import PlayCheck
from tablero.check.tables import tables
from tablero_games import GAMES


def played(brain: type[Bot], entries: int = 2) -> dict[str, tuple[Severity, str]]:
    report = Report("bot")
    playing = PlayCheck(report, time.monotonic() + 60)
    playing.play(brain, list(tables(brain.game)), entries)
    playing.sum_up()
    return {each.id: (each.verdict, each.sentence) for each in report.findings}


def wrong(brain: type[Bot]) -> dict[str, Severity]:
    return {id: verdict for id, (verdict, _) in played(brain).items() if verdict is not Severity.OK}


class First(Bot):
    game = "connect-four"

    def choose(self, turn: Turn) -> str | None:
        return turn.legal_moves[0]


@pytest.mark.parametrize("game", GAMES)
def test_random_movers_have_nothing_wrong(game: str) -> None:
    assert wrong(find_brain(f"{game}:random")) == {}


class Narrow(First):
    def choose(self, turn: Turn) -> str | None:
        return "7"  # there are tables of four columns


class Crashing(First):
    def choose(self, turn: Turn) -> str | None:
        raise RuntimeError("no idea")


class Stillborn(First):
    def __init__(self) -> None:
        raise RuntimeError("no file")


class Waiting(First):
    def choose(self, turn: Turn) -> str | None:
        return None


class Rolling(First):
    rolls = iter(range(10**9))

    def choose(self, turn: Turn) -> str | None:
        return turn.legal_moves[next(self.rolls) // 3 % len(turn.legal_moves)]


class Astonished(First):
    def play_turn(self, event: Any) -> None:
        assert event.outcome is None
        super().play_turn(event)


class Rude(First):
    def disconnect(self) -> None:
        raise RuntimeError("I stay")


class Shouting(First):
    def choose(self, turn: Turn) -> str | None:
        return f" {turn.legal_moves[0]}\n"


class Proud(First):
    def choose(self, turn: Turn) -> str | None:
        raise Resign


@pytest.mark.parametrize(
    ("brain", "found"),
    [
        (First, {}),
        (Proud, {}),
        (Narrow, {"legal": Severity.FAIL}),
        (Crashing, {"crash": Severity.FAIL}),
        (Stillborn, {"crash": Severity.FAIL}),
        (Waiting, {"waits": Severity.FAIL}),
        (Rolling, {"repeat": Severity.WARN}),
        (Shouting, {"notation": Severity.WARN}),
        (Astonished, {"end": Severity.FAIL}),
        (Rude, {"end": Severity.FAIL}),
    ],
)
def test_what_is_wrong_with_a_bot_is_found(brain: type[Bot], found: dict[str, Severity]) -> None:
    assert wrong(brain) == found


def test_a_thought_beyond_the_limit_ends_the_check() -> None:
    gate, thoughts = Gate(), []

    class Endless(First):
        limit_seconds = 0.05

        def choose(self, turn: Turn) -> str | None:
            thoughts.append(turn)
            gate.wait(60)
            return None

    verdict, sentence = played(Endless)["time"]
    gate.set()
    assert (verdict, len(thoughts)) == (Severity.FAIL, 1)
    assert "took longer than 0.05 s (its limit_seconds)" in sentence


def test_an_illegal_move_is_told_with_all_that_it_takes_to_see_it_again() -> None:
    _, sentence = played(Narrow)["legal"]
    table, _, rest = sentence.partition(": '7' is illegal after ")
    moves, _, why = rest.partition(": ")
    assert table == "connect-four, seat 0"
    position = GAMES["connect-four"].start()
    for move in moves.split(", "):
        position = position.play(min(position.to_move), move)
    assert "7" not in position.legal_moves(0)
    assert why == "Column 7 is full. Return one of turn.legal_moves."


def test_a_move_that_is_written_otherwise_is_told_with_the_way_to_write_it() -> None:
    verdict, sentence = played(Shouting, entries=0)["notation"]
    assert verdict is Severity.WARN
    assert sentence == (
        "connect-four, seat 0: It wrote ' 1\\n'; the move is '1', as turn.legal_moves lists it. "
        "The server writes it so for everybody else."
    )


def test_a_bot_that_waits_in_a_race_is_fine() -> None:
    class Lazy(Bot):
        game = "minesweeper"

        def choose(self, turn: Turn) -> str | None:
            waits = turn.options["mode"] != "solo" and len(turn.legal_moves) % 2
            others = any(
                player["out"] is None for seat, player in enumerate(turn.view["players"]) if seat != turn.seat
            )
            return None if waits and others else turn.legal_moves[0]

    assert wrong(Lazy) == {}


def test_no_time_at_all_is_told() -> None:
    report = Report("bot")
    playing = PlayCheck(report, time.monotonic())
    playing.play(First, list(tables("connect-four")), 2)
    playing.sum_up()
    assert "0 positions, 0 tables; there was no time for 6 more" in str(report)
