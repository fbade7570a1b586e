"""What a room tells to those who do not see it."""

from __future__ import annotations

from msgpack import packb, unpackb

from tablero_server.core.room.outline import Outline
from tests.harness.desk import Desk


def test_a_line_tells_game_seats_clock_and_who_may_watch() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock={"base": 60, "increment": 0})
    seats = [{"id": peer.player, "name": peer.name, "bot": False} for peer in (ann, bob)]
    line = {"room": room, "game": "tic-tac-toe", "options": {}, "state": "playing", "seats": seats}
    assert Outline.of(desk.room(room)).told() == {
        **line,
        "watchers": 0,
        "clock": {"base": 60, "increment": 0},
    }
    _, _, closed = desk.pair(watchers=False)
    assert Outline.of(desk.room(closed)).told().keys() == line.keys()


def test_a_private_room_has_no_line() -> None:
    desk = Desk()
    room = desk.peer().create(private=True)
    assert Outline.of(desk.room(room)).private
    assert desk.peer("bob").ask("watchLobby")["rooms"] == []


def test_whose_turn_it_is_is_told_while_the_game_is_on() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    assert Outline.of(desk.room(room)).to_move == [0]
    ann.ask("resign", room=room, seat=0)
    assert Outline.of(desk.room(room)).to_move == []
    assert Outline.of(desk.room(desk.peer("cat").create())).to_move == []


def test_it_comes_back_from_bytes_as_it_was() -> None:
    desk = Desk()
    _, _, room = desk.pair("connect-four", options={"columns": 5}, clock={"days": 2})
    outline = Outline.of(desk.room(room))
    assert Outline(*unpackb(packb(outline))) == outline
