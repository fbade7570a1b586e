"""Lines about what is beyond the table."""

from __future__ import annotations

import pytest

from tablero.playing import lobby_lines
from tablero_protocol.messages import LobbyList, OwnRooms
from tests.harness.rig import ANA, BEN, Json, message


def test_an_empty_lobby_says_so() -> None:
    empty = LobbyList.model_validate({"type": "lobby", "re": "x", "rooms": [], "players": []})
    assert lobby_lines.lobby(empty) == ["No public table is open.", "Here: nobody."]


def own(*rooms: Json) -> OwnRooms:
    about: Json = {"room": "r1", "game": "tic-tac-toe", "state": "playing", "seats": [0], "rivals": [BEN]}
    answer = message(
        type="ownRooms", re="x", now=0, rooms=[{**about, "toMove": [], **room} for room in rooms]
    )
    assert isinstance(answer, OwnRooms)
    return answer


@pytest.mark.parametrize(
    ("room", "line"),
    [
        ({"toMove": [0]}, "r1  Tic-tac-toe with Ben: your turn"),
        ({"toMove": [1], "clocks": [9_000, 61_000]}, "r1  Tic-tac-toe with Ben: their turn, 1:01 left"),
        ({"toMove": [0], "clocks": [9_000, 61_000]}, "r1  Tic-tac-toe with Ben: your turn, 0:09 left"),
        ({"toMove": [1], "seats": []}, "r1  Tic-tac-toe with Ben: you watch"),
        ({"state": "waiting", "rivals": []}, "r1  Tic-tac-toe with nobody yet: waiting"),
        ({"state": "finished"}, "r1  Tic-tac-toe with Ben: finished"),
    ],
)
def test_a_game_says_whose_turn_it_is_and_for_how_long(room: Json, line: str) -> None:
    assert lobby_lines.own_rooms(own(room)) == [line]


def test_who_is_in_no_game_reads_how_to_begin() -> None:
    assert lobby_lines.own_rooms(own()) == ["You are in no game. To begin: create GAME"]


def test_who_seeks_is_listed_with_what() -> None:
    seeks: list[Json] = [
        {"seek": "k1", "player": BEN, "bots": True},
        {
            "seek": "k2",
            "player": BEN,
            "bots": False,
            "game": "quoridor",
            "options": {"size": 7},
            "clock": {"days": 3},
        },
    ]
    seen = LobbyList.model_validate({"type": "lobby", "re": "x", "rooms": [], "players": [], "seeks": seeks})
    assert lobby_lines.lobby(seen)[1:3] == [
        "Ben seeks somebody for any game.",
        "Ben seeks somebody for quoridor size=7 clock=3days.",
    ]


def test_ratings_stand_beside_names_with_a_mark_while_they_are_provisional() -> None:
    table = {
        "room": "r1", "game": "connect-four", "options": {}, "state": "playing", "seats": [BEN, ANA],
        "ratings": [{"value": 1662, "provisional": True}, None],
    }  # fmt: skip
    seek = {"seek": "k", "player": BEN, "bots": False, "game": "quoridor", "rating": {"value": 1700}}
    seen = LobbyList.model_validate(
        {"type": "lobby", "re": "x", "rooms": [table], "players": [], "seeks": [seek]}
    )
    assert lobby_lines.lobby(seen)[:2] == [
        "1. r1  connect-four  playing  [Ben 1662?, Ana], nobody may watch",
        "Ben 1700 seeks somebody for quoridor.",
    ]
