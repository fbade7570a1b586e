"""The lobby: whole once, then what changed, at most one message a tick."""

from __future__ import annotations

import pytest

from tablero_server.core import lobby as lobby_module
from tablero_server.core.lobby import Lobby
from tests.harness.desk import Desk, Message, Peer


def names(lines: list[Message]) -> list[str]:
    return [line["name"] for line in lines]


def watching(desk: Desk, name: str = "eve") -> Peer:
    peer = desk.peer(name)
    assert peer.ask("watchLobby")["type"] == "lobby"
    desk.tick()
    peer.seen.clear()
    return peer


def test_the_snapshot_has_rooms_and_players_as_they_are() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create("connect-four", clock={"base": 60, "increment": 0})
    lobby = desk.peer("eve").ask("watchLobby")
    assert names(lobby["players"]) == ["ann", "eve"]
    [line] = lobby["rooms"]
    assert (line["room"], line["game"], line["state"], line["watchers"]) == (
        room,
        "connect-four",
        "waiting",
        0,
    )
    assert line["options"] == {"columns": 7, "rows": 6, "connect": 4}
    assert line["clock"] == {"base": 60, "increment": 0}
    assert [seat and seat["name"] for seat in line["seats"]] == ["ann", None]


def test_changes_come_once_a_tick() -> None:
    desk = Desk()
    eve = watching(desk)
    _, _, room = desk.pair()
    assert eve.seen == []
    desk.tick()
    [change] = eve.seen
    assert change["type"] == "lobbyChanged"
    assert [(line["room"], line["state"]) for line in change["rooms"]] == [(room, "playing")]
    assert sorted(names(change["players"])) == ["ann", "bob"]
    assert [line["games"] for line in change["players"]] == [1, 1]
    eve.seen.clear()
    desk.tick()
    assert eve.seen == [], "nothing changed since"


def test_a_turn_is_no_news_for_the_lobby() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    eve = watching(desk)
    ann.play(room, "b2")
    desk.tick()
    assert eve.seen == []


def test_the_end_of_a_game_is() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    eve = watching(desk)
    ann.ask("resign", room=room, seat=0)
    desk.tick()
    [change] = eve.seen
    assert change["rooms"][0]["state"] == "finished"
    assert [line["games"] for line in change["players"]] == [0, 0]


def test_who_leaves_a_room_plays_one_game_less() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create()
    desk.peer("bob").join(room, watch=True)
    eve = watching(desk)
    ann.ask("leave", room=room)
    desk.tick()
    assert [(line["name"], line["games"]) for line in eve.seen[0]["players"]] == [("ann", 0)]


def test_a_closed_room_is_gone() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create()
    eve = watching(desk)
    ann.ask("leave", room=room)
    desk.tick()
    assert eve.seen[0]["gone"] == [room]


def test_what_came_and_went_between_two_ticks_is_not_mentioned() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    eve = watching(desk)
    ann.ask("leave", room=ann.create())
    desk.tick()
    assert eve.seen == []


def test_private_rooms_are_never_shown() -> None:
    desk = Desk()
    eve = watching(desk)
    ann = desk.peer("ann")
    room = ann.create(private=True)
    desk.tick()
    ann.ask("leave", room=room)
    desk.tick()
    assert all(room not in str(message) for message in eve.seen)
    assert desk.peer("zoe").ask("watchLobby")["rooms"] == []


def test_a_player_who_drops_is_gone_and_one_who_returns_is_back() -> None:
    desk = Desk()
    eve = watching(desk)
    ann = desk.peer("ann")
    desk.tick()
    desk.drop(ann)
    desk.tick()
    assert eve.seen[-1]["gone"] == [ann.player]
    desk.back(ann)
    desk.tick()
    assert names(eve.seen[-1]["players"]) == ["ann"]


def test_a_bot_shows_what_it_can_be_invited_to() -> None:
    desk = Desk()
    desk.bot("rob", "tic-tac-toe:hard", capacity=3)
    [line, _] = desk.peer("eve").ask("watchLobby")["players"]
    assert line["bot"] is True
    assert line["card"] == {"brains": [{"game": "tic-tac-toe", "levels": ["hard"]}], "capacity": 3}


def test_who_watches_no_more_hears_no_more() -> None:
    desk = Desk()
    eve = watching(desk)
    for _ in range(2):
        assert eve.ask("unwatchLobby")["type"] == "ok"
    desk.peer("ann")
    desk.tick()
    assert eve.seen == []


def test_watching_twice_is_watching_once() -> None:
    desk = Desk()
    eve = watching(desk)
    eve.ask("watchLobby")
    desk.peer("ann")
    desk.tick()
    assert len(eve.seen) == 1


def test_a_broken_connection_watches_no_more() -> None:
    desk = Desk()
    eve = watching(desk)
    desk.drop(eve)
    back = desk.back(eve)
    desk.peer("ann")
    desk.tick()
    assert back.seen == []


def test_watchers_of_a_room_are_counted() -> None:
    desk = Desk()
    _, _, room = desk.pair()
    eve = watching(desk)
    desk.peer("cat").join(room)
    desk.tick()
    assert eve.seen[-1]["rooms"][0]["watchers"] == 1


# By itself


def test_only_lines_that_differ_are_told() -> None:
    rooms: dict[str, Message | None] = {"a": {"n": 1}, "b": {"n": 1}}
    lobby = Lobby(rooms.get, lambda _: None)
    lobby.room_changed("a")
    lobby.room_changed("b")
    assert lobby.changes() == {
        "type": "lobbyChanged",
        "rooms": [{"n": 1}, {"n": 1}],
        "players": [],
        "gone": [],
    }
    rooms["b"] = {"n": 2}
    lobby.room_changed("a")
    lobby.room_changed("b")
    assert lobby.changes() == {"type": "lobbyChanged", "rooms": [{"n": 2}], "players": [], "gone": []}
    rooms["a"] = None
    lobby.room_changed("a")
    assert lobby.changes() == {"type": "lobbyChanged", "rooms": [], "players": [], "gone": ["a"]}
    lobby.room_changed("a")
    assert lobby.changes() is None
    assert lobby.snapshot("re")["rooms"] == [{"n": 2}]


def test_what_did_not_change_is_not_looked_at_again() -> None:
    asked: list[str] = []
    lobby = Lobby(lambda _: None, lambda player: asked.append(player))
    lobby.player_changed("ann")
    for _ in range(3):
        lobby.changes()
    assert asked == ["ann"]


def test_while_nobody_watches_changes_wait_but_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_module, "_MOST_UNTOLD", 2)
    lobby = Lobby(lambda _: None, lambda _: None)
    lobby.room_changed("a")
    lobby.player_changed("b")
    assert not lobby.is_due()
    lobby.player_changed("c")
    assert lobby.is_due(), "three are too many"
    lobby.changes()
    assert not lobby.is_due()
    lobby.watchers.add("session")
    assert lobby.is_due()
