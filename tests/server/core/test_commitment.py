"""The promise about what a game hides: made at its start, opened at its end, and nowhere else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tablero_games import GAMES
from tablero_games.record.commitment import opening, opens
from tests.harness.desk import Desk, Message

RACE: Message = {"mode": "race", "width": 5, "height": 5, "mines": 4}


def promises(messages: list[Message]) -> list[Message]:
    return [{key: each[key] for key in ("commitment", "opening") if key in each} for each in messages]


@pytest.mark.parametrize("no_guess", [False, True])
def test_the_opening_at_the_end_opens_the_commitment_of_the_start(no_guess: bool) -> None:
    desk = Desk()
    options = RACE | {"noGuess": no_guess}
    ann, bob, room = desk.pair("minesweeper", options=options, seats=2)
    commitment = bob.turns[-1]["commitment"]
    assert promises(ann.turns) == [{"commitment": commitment}]
    end = ann.ask("resign", room=room, seat=0)
    assert promises([end]) == [{}], "the race goes on"
    end = bob.ask("resign", room=room, seat=1)
    assert promises([end, *ann.turns]) == [{"opening": end["opening"]}] * 2
    rules = GAMES["minesweeper"]
    assert opens(commitment, **end["opening"], options=rules.read_options(options))


def test_seed_and_salt_are_the_rooms_own() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create("minesweeper")
    assert ann.ask("resign", room=room, seat=0)["opening"] == opening(desk.room(room).seed)


def test_a_game_that_hides_nothing_promises_nothing() -> None:
    desk = Desk()
    ann, _, room = desk.pair("connect-four")
    assert promises([*ann.turns, ann.ask("resign", room=room, seat=0)]) == [{}, {}]


def test_a_game_over_at_its_start_promises_and_opens_at_once() -> None:
    ann = Desk().peer("ann")
    ann.create("minesweeper", options={"width": 4, "height": 4, "mines": 0, "noGuess": True})
    assert promises(ann.turns)[-1].keys() == {"commitment", "opening"}


def test_later_turns_do_not_repeat_the_promise() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create("minesweeper")
    assert promises([ann.play(room, "dig e5")]) == [{}]


def test_what_was_missed_has_the_same_promises() -> None:
    desk = Desk()
    ann, bob, room = desk.pair("minesweeper", options=RACE, seats=2)
    first = promises(ann.turns)
    for seat, peer in enumerate((ann, bob)):
        last = peer.ask("resign", room=room, seat=seat)
    ann.ask("resume", room=room, epoch=desk.room(room).epoch, seq=1)
    assert promises(ann.turns) == [*first, {}, *promises([last])]


def test_no_view_has_seed_or_salt() -> None:
    def check(told: list[Message], secrets: dict[str, str]) -> None:
        views: list[Any] = [each["view"] for each in told]
        assert not any(secret in json.dumps(views) for secret in secrets.values())

    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create("minesweeper")
    end = ann.ask("resign", room=room, seat=0)
    check([*ann.turns, end], end["opening"])
