"""What is beyond the table: who is here, who is invited to a seat, and the lines about it."""

from __future__ import annotations

import pytest

from tablero.playing.lobby import lobby_lines, own_rooms
from tablero_protocol.messages import LobbyList, OwnRooms
from tests.harness.rig import ANA, BEN, HARD, Json, joined, message
from tests.harness.terminal import Desk


def test_an_invitation_goes_to_the_first_free_seat() -> None:
    desk = Desk()
    desk.tell(joined(BEN, None, state="waiting", seq=2))
    desk.forget()
    desk.type("invite tic-tac-toe:hard")
    assert desk.one("invite")["seat"] == 1


def test_a_player_is_invited_by_name() -> None:
    desk = Desk()
    desk.tell(joined(ANA, None, state="waiting"))
    desk.forget()
    desk.type("invite ben")
    desk.show_lobby([{**BEN, "games": 0}])
    assert desk.one("invite")["player"] == "ben"


def test_a_player_who_is_not_here_cannot_be_invited() -> None:
    desk = Desk()
    desk.tell(joined(ANA, None, state="waiting"))
    desk.forget()
    desk.type("invite Cleo")
    desk.show_lobby([{**BEN, "games": 0}])
    assert desk.noted == ["No player Cleo here. Players here: Ben. No bot here plays this game."]


def test_the_lobby_is_listed() -> None:
    desk = Desk()
    desk.type("list")
    line = {"room": "r2", "game": "connect-four", "options": {"columns": 8}, "state": "waiting"}
    house = {"id": "house", "name": "house", "bot": True, "games": 0}
    house["card"] = {"brains": [{"game": "tic-tac-toe", "levels": ["easy", "hard"]}]}
    desk.show_lobby([house, {**BEN, "games": 1}], [{**line, "seats": [BEN, None], "watchers": 2}])
    assert desk.printed == [
        "1. r2  connect-four  waiting  [Ben, free], 2 watching  columns=8",
        "Here: house (bot), Ben.",
        "house (bot) plays tic-tac-toe: easy, hard.",
    ]


TABLES: list[Json] = [
    {"room": "full00000000", "game": "quoridor", "options": {}, "state": "playing", "seats": [HARD, BEN]},
    {"room": "free00000000", "game": "quoridor", "options": {}, "state": "waiting", "seats": [BEN, None]},
]
for each in TABLES:
    each["watchers"] = 0


@pytest.mark.parametrize(
    ("typed", "room"),
    [
        ("1", "free00000000"),
        ("2", "full00000000"),
        ("ben", "free00000000"),
        ("House", "full00000000"),
        ("fu", "full00000000"),
        ("FREE", "free00000000"),
    ],
)
def test_a_table_is_found_by_its_number_by_who_sits_there_or_by_how_it_begins(typed: str, room: str) -> None:
    desk = Desk()
    desk.type("list")
    desk.show_lobby([], TABLES)
    assert [line[:5] for line in desk.printed[:2]] == ["1. fr", "2. fu"]
    desk.forget()
    desk.type(f"watch {typed}")
    if not typed.isdigit():
        desk.show_lobby([], TABLES)
    assert desk.one("join")["room"] == room


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("3", "There is no table 3. Type list."),
        ("0", "There is no table 0. Type list."),
        ("f", "Several tables match. Type list."),
        ("cleo", "No table or player cleo found."),
    ],
)
def test_a_table_that_is_not_found_is_not_asked_for(typed: str, told: str) -> None:
    desk = Desk()
    desk.type("list")
    desk.show_lobby([], TABLES)
    desk.forget()
    desk.type(f"join {typed}")
    if not typed.isdigit():
        desk.show_lobby([], TABLES)
    assert (desk.noted, desk.sent()) == ([told], [])


@pytest.mark.parametrize(
    ("line", "what", "sentence"),
    [
        ("mute ben", "chat", "You no longer see messages from Ben. To undo: mute Ben none"),
        ("mute Ben all", "all", "You no longer get messages or invitations from Ben."),
        ("mute Ben none", "none", "You see messages from Ben again."),
    ],
)
def test_somebody_at_the_table_is_muted_by_name(line: str, what: str, sentence: str) -> None:
    desk = Desk(seated=True)
    desk.type(line)
    [mute] = desk.sent()
    assert (mute["type"], mute["player"], mute["what"]) == ("mute", "ben", what)
    desk.tell(message(type="ok", re=mute["id"]))
    assert desk.printed == [sentence]


def test_somebody_elsewhere_is_muted_by_name_too() -> None:
    desk = Desk()
    desk.type("mute ben")
    desk.show_lobby([{**BEN, "games": 0}])
    assert desk.one("mute")["player"] == "ben"


@pytest.mark.parametrize(
    ("line", "noted"), [("mute", "Choose a player"), ("mute Ben loudly", "Choose a player")]
)
def test_a_mute_that_makes_no_sense_is_explained(line: str, noted: str) -> None:
    desk = Desk(seated=True)
    desk.type(line)
    assert desk.noted[0].startswith(noted)


def test_nobody_is_muted_who_is_not_here() -> None:
    desk = Desk()
    desk.type("mute Cleo")
    desk.show_lobby([{**BEN, "games": 0}])
    assert desk.noted == ["No player Cleo here."]


def test_ones_own_games_are_listed() -> None:
    desk = Desk()
    desk.type("games")
    desk.answer("ownRooms", now=0, rooms=[])
    assert desk.printed == ["You have no games. To begin: create GAME"]


def seeking() -> Desk:
    desk = Desk()
    desk.type("play")
    desk.answer("ok", seek="k1")
    desk.forget()
    return desk


@pytest.mark.parametrize(("rated", "told"), [("rated", True), ("rated clock=60", False), ("", False)])
def test_who_seeks_a_rated_game_without_a_clock_is_told_which_one_is_proposed(rated: str, told: bool) -> None:
    desk = Desk()
    desk.type(f"seek tic-tac-toe {rated}")
    desk.answer("ok", seek="k1")
    assert desk.noted[-1].endswith(" Rated, with clock 300+5.") is told


def test_a_seek_is_cancelled() -> None:
    desk = seeking()
    desk.type("cancel")
    assert desk.sent()[-1]["seek"] == "k1"


def test_nobody_cancels_what_was_not_sought() -> None:
    desk = Desk()
    desk.type("cancel")
    assert desk.noted == ["You're not looking for an opponent."]


def test_who_is_paired_comes_to_the_table_and_seeks_no_more() -> None:
    desk = seeking()
    desk.tell(joined(ANA, BEN, seek="k1"))
    assert "you are on seat 0" in desk.printed[0]
    desk.type("cancel")
    assert desk.noted[-1] == "You're not looking for an opponent."


def test_who_is_paired_at_once_is_not_told_to_wait() -> None:
    desk = Desk()
    desk.type("play")
    seek = desk.sent()[-1]
    desk.tell(message(type="ok", re=seek["id"], seek="k1"), joined(ANA, BEN, seek="k1"))
    assert not any("Looking for" in line for line in desk.noted)
    desk.type("cancel")
    assert desk.noted[-1] == "You're not looking for an opponent."


def test_a_seek_ends_with_the_connection_and_it_is_told() -> None:
    desk = seeking()
    desk.drop()
    assert any("Connection lost, so your search ended" in line for line in desk.noted)


def test_nobody_seeks_from_within_a_game() -> None:
    desk = Desk(seated=True)
    desk.type("play")
    assert desk.noted == ["You're at a table. Leave it first."]


def test_a_seek_has_nothing_of_a_table() -> None:
    desk = Desk()
    desk.type("seek tic-tac-toe private")
    assert desk.noted[0].startswith("seek takes a clock")


# In lines


def test_an_empty_lobby_says_so() -> None:
    empty = LobbyList.model_validate({"type": "lobby", "re": "x", "rooms": [], "players": []})
    assert lobby_lines(empty) == ["No open tables. Create one and it will appear here.", "Here: no one."]


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
        ({"state": "waiting", "rivals": []}, "r1  Tic-tac-toe with no one yet: waiting"),
        ({"state": "finished"}, "r1  Tic-tac-toe with Ben: finished"),
    ],
)
def test_a_game_says_whose_turn_it_is_and_for_how_long(room: Json, line: str) -> None:
    assert own_rooms(own(room)) == [line]


def test_who_is_in_no_game_reads_how_to_begin() -> None:
    assert own_rooms(own()) == ["You have no games. To begin: create GAME"]


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
    assert lobby_lines(seen)[1:3] == [
        "Ben wants to play any game.",
        "Ben wants to play quoridor size=7 clock=3days.",
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
    assert lobby_lines(seen)[:2] == [
        "1. r1  connect-four  playing  [Ben 1662?, Ana], no spectators",
        "Ben 1700 wants to play quoridor.",
    ]
