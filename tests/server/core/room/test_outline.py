"""What a room tells to those who do not see it."""

from __future__ import annotations

import pytest
from msgpack import packb, unpackb

from tablero_server.core.room.outline import Outline
from tests.harness.desk import Desk, Message, Peer
from tests.harness.wire import a_server, a_table, a_wire


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


def own(peer: Peer) -> list[Message]:
    answer = peer.ask("listRooms")
    assert (answer["type"], answer["now"]) == ("ownRooms", peer.desk.now)
    rooms: list[Message] = answer["rooms"]
    return rooms


def test_a_room_tells_the_game_the_rivals_who_is_to_move_and_the_time_left() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock={"base": 60, "increment": 0})
    ann.play(room, "b2")
    desk.now += 5_000
    line = {
        "room": room,
        "game": "tic-tac-toe",
        "state": "playing",
        "toMove": [1],
        "clocks": [60_000, 55_000],
    }
    shown = {peer: {"id": peer.player, "name": peer.name, "bot": False} for peer in (ann, bob)}
    assert own(ann) == [{**line, "seats": [0], "rivals": [shown[bob]]}]
    assert own(bob) == [{**line, "seats": [1], "rivals": [shown[ann]]}]
    desk.drop(bob)
    assert desk.back(bob).welcome["rooms"] == [{**line, "seats": [1], "rivals": [shown[ann]]}]


def test_those_come_first_where_one_is_to_move_by_the_time_that_is_left() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    over, slow, fast, theirs = (
        ann.create(clock={"base": base, "increment": 0}) for base in (50, 600, 60, 10)
    )
    waiting, free = ann.create(), ann.create()
    for room in (over, slow, fast, theirs, free):
        bob.join(room)
    ann.play(theirs, "b2")
    bob.ask("resign", room=over, seat=1)
    assert [line["room"] for line in own(ann)] == [fast, slow, free, theirs, waiting, over]
    assert [line["state"] for line in own(ann)][3:] == ["playing", "waiting", "finished"]


def test_one_who_watches_or_plays_alone_has_no_seat_or_no_rival() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    cat = desk.peer("cat")
    cat.join(room)
    [line] = own(cat)
    assert (line["seats"], [rival["name"] for rival in line["rivals"]]) == ([], ["ann", "bob"])
    ann.ask("leave", room=room)
    alone = ann.create("minesweeper")
    assert [(line["room"], line["rivals"], line["toMove"]) for line in own(ann)] == [(alone, [], [0])]


@pytest.mark.parametrize("codec", ["tablero.v1.msgpack", "tablero.v1.json"])
async def test_over_a_socket_who_comes_back_elsewhere_sees_the_game_that_waits(codec: str) -> None:
    async with a_server() as server, a_table(server) as (ana, _, room), a_wire(server, codec) as phone:
        welcome = next(message for message in ana.heard if message["type"] == "welcome")
        again = await phone.hello("ana", token=welcome["token"])
        assert [(line["room"], line["toMove"], line["seats"]) for line in again["rooms"]] == [
            (room, [0], [0])
        ]
        assert (await phone.ask("listRooms", id="again"))["rooms"] == again["rooms"]
