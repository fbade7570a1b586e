"""What a room is going to be made of: as entry 0 of its log has it, and makes the same room again."""

from __future__ import annotations

import json

import pytest

from tablero_games import GAMES
from tablero_server.core.room.room import Room
from tablero_server.core.room.setup import Plan, options_json
from tests.harness.room import unheard


def plan(game: str, seats: int, **options: object) -> Plan:
    rules = GAMES[game]
    read = rules.read_options(dict(options))
    return Plan(
        rules, read, seats, private=True, watchers=False, clock={"base": 60, "increment": 2}, seed=0xABC
    )


@pytest.mark.parametrize(("game", "seats"), [("tic-tac-toe", 2), ("minesweeper", 1), ("dots-and-boxes", 2)])
def test_it_can_be_written_as_json_and_read_back_as_it_was(game: str, seats: int) -> None:
    made = plan(game, seats)
    written = made.to_json()
    assert json.loads(json.dumps(written)) == written
    assert (written["game"], written["version"], written["seats"]) == (game, made.game.version, seats)
    assert (written["private"], written["watchers"], written["seed"]) == (True, False, "abc")
    assert made.game.read_options(written["options"]) == made.options


def test_options_are_written_as_on_the_wire_and_without_those_that_are_absent() -> None:
    options = GAMES["minesweeper"].read_options({"mode": "race", "firstDig": "cell"})
    written = options_json(options)
    assert written["firstDig"] == "cell"
    assert None not in written.values()


def test_a_room_of_it_comes_back_from_its_log() -> None:
    room = Room.create("r", plan("dots-and-boxes", 2), epoch="e", code="c", now=5, tell=unheard)
    *_, again = Room.fold(room.log)
    assert (again.game, again.options, again.clock_terms) == (room.game, room.options, room.clock_terms)
    assert again.seats == [None, None]
    assert again.code == "c"
