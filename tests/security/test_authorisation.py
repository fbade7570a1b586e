"""S5, S7 and S18: every command is for whoever may give it, once, and nobody else's log moves."""

from __future__ import annotations

import asyncio
from itertools import permutations
from typing import Any

import pytest

from tests.harness.desk import Desk, Message, Peer
from tests.harness.wire import Wire, a_server, a_table, a_wire

# S5: who may do what

AT_THE_TABLE: dict[str, Message] = {
    "playTurn": {"seat": 0, "ply": 0, "move": "b2"},
    "resign": {"seat": 0},
    "offer": {"seat": 0, "what": "draw"},
    "showHistory": {},
    "answer": {"seat": 0, "offer": "any", "yes": True},
    "takeSeat": {"seat": 0},
    "say": {"text": "hello"},
    "leave": {},
    "invite": {"seat": 1, "bot": "tic-tac-toe:easy"},
    "subscribe": {"event": "nextPlayer"},
    "unsubscribe": {"event": "nextPlayer"},
    "resume": {"epoch": "any", "seq": 0},
    "setOptions": {"options": {}},
    "freeSeat": {"seat": 0},
    "swapSeats": {"seats": [0, 1]},
    "begin": {},
}
FOR_A_SEAT = ["playTurn", "resign", "offer", "answer", "takeSeat"]
"""The rest is for every member."""


class Table:
    """Ann on seat 0 and Bob on seat 1, a watcher, and a player of another table."""

    def __init__(self, **room: Any) -> None:
        self.desk = Desk()
        self.ann, self.bob, self.room = self.desk.pair(**room)
        self.watcher, self.stranger = self.desk.peer("cat"), self.desk.peer("dan")
        if not room.get("private"):
            self.watcher.join(self.room)
        self.elsewhere = self.stranger.create()

    def entries(self) -> list[str]:
        return self.desk.entries(self.room)


@pytest.mark.parametrize("command", FOR_A_SEAT)
def test_s05_a_watcher_cannot_act_for_a_seat(command: str) -> None:
    table = Table()
    before = table.entries()
    assert table.watcher.refused(command, room=table.room, **AT_THE_TABLE[command]) == "forbidden"
    assert table.entries() == before


@pytest.mark.parametrize("command", FOR_A_SEAT)
def test_s05_a_player_cannot_act_for_the_others_seat(command: str) -> None:
    table = Table()
    before = table.entries()
    assert table.bob.refused(command, room=table.room, **AT_THE_TABLE[command]) == "forbidden"
    assert table.entries() == before


@pytest.mark.parametrize("command", AT_THE_TABLE)
def test_s05_a_player_of_another_room_can_do_nothing_in_this_one(command: str) -> None:
    table = Table()
    before = table.entries()
    assert table.stranger.refused(command, room=table.room, **AT_THE_TABLE[command]) == "forbidden"
    assert table.entries() == before


@pytest.mark.parametrize("command", [*AT_THE_TABLE, "join"])
def test_s05_a_private_room_answers_strangers_as_if_it_were_not_there(command: str) -> None:
    table = Table(private=True)
    fields = AT_THE_TABLE.get(command, {})
    real = table.stranger.ask(command, room=table.room, **fields)
    none = table.stranger.ask(command, room="r" * len(table.room), **fields)
    assert (real["code"], real["message"]) == (none["code"], none["message"])
    assert real["code"] == "unknownRoom"


@pytest.mark.parametrize("command", ["playTurn", "resign", "offer"])
def test_s05_a_finished_game_cannot_be_played_on(command: str) -> None:
    table = Table()
    table.bob.ask("resign", room=table.room, seat=1)
    before = table.entries()
    assert table.ann.refused(command, room=table.room, **AT_THE_TABLE[command]) == "gameOver"
    assert table.entries() == before


@pytest.mark.parametrize("command", AT_THE_TABLE)
def test_s05_who_has_left_can_do_nothing_any_more(command: str) -> None:
    table = Table()
    table.ann.ask("leave", room=table.room)
    before = table.entries()
    assert table.ann.refused(command, room=table.room, **AT_THE_TABLE[command]) == "forbidden"
    assert table.entries() == before


def test_s05_nobody_answers_an_offer_of_its_own() -> None:
    table = Table(subscribe=["offers"])
    table.ann.ask("offer", room=table.room, seat=0, what="draw")
    [offer] = table.desk.room(table.room).offers
    before = table.entries()
    answer = table.ann.ask("answer", room=table.room, seat=0, offer=offer, yes=True)
    assert answer["type"] == "refused"
    assert table.entries() == before


def test_s05_an_invitation_is_for_whoever_was_invited() -> None:
    desk = Desk()
    ann, bob, eve = desk.peer("ann"), desk.peer("bob"), desk.peer("eve")
    room = ann.create(private=True)
    ann.ask("invite", room=room, seat=1, player=bob.player)
    [invited] = bob.of("invited")
    before = desk.entries(room)
    assert eve.refused("join", room=room, invite=invited["invite"]) == "unknownInvite"
    assert eve.refused("decline", invite=invited["invite"]) == "unknownInvite"
    assert desk.entries(room) == before


def test_s05_another_session_of_the_same_player_plays_no_seat_it_does_not_hold() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    second = desk.back(ann, same_session=False)
    second.ask("join", room=room)
    assert second.refused("playTurn", room=room, seat=0, ply=0, move="b2") == "forbidden"


# S7: check and act are one


@pytest.mark.parametrize("order", list(permutations(["bob", "cat", "dan"])))
def test_s07_of_several_who_want_the_last_seat_exactly_one_gets_it(order: tuple[str, ...]) -> None:
    desk = Desk()
    room = desk.peer("ann").create()
    comers = {name: desk.peer(name) for name in sorted(order)}
    answers = {name: comers[name].ask("join", room=room, seat=1) for name in order}
    got = [name for name, answer in answers.items() if answer["type"] == "joined"]
    assert got == [order[0]]
    assert {answers[name]["code"] for name in order[1:]} == {"seatTaken"}
    assert [entry.seat for entry in desk.journal[room] if entry.kind == "joined"] == [0, 1]


async def test_s07_also_on_sockets_where_they_all_ask_at_once() -> None:
    async with a_server() as server, a_wire(server) as ana, a_wire(server) as ben, a_wire(server) as cat:
        for wire, name in ((ana, "ana"), (ben, "ben"), (cat, "cat")):
            await wire.hello(name)
        for _ in range(10):
            room = (await ana.ask("createRoom", game="tic-tac-toe"))["room"]
            answers = await asyncio.gather(*(wire.ask("join", room=room, seat=1) for wire in (ben, cat)))
            assert sorted(answer["type"] for answer in answers) == ["joined", "refused"]
            for wire in (ana, ben, cat):
                await wire.ask("leave", room=room)


async def test_s07_of_two_moves_for_one_turn_exactly_one_is_played() -> None:
    async with a_server() as server, a_table(server) as (ana, _, room):
        turn = {"room": room, "seat": 0, "ply": 0}
        first = asyncio.create_task(ana.tell("playTurn", move="a1", **turn))
        await first
        await ana.tell("playTurn", move="b2", **turn)
        answers = [await ana.hear(), await ana.hear()]
        assert [answer.get("code", answer["type"]) for answer in answers] == ["nextPlayer", "stale"]


# S18: a captured frame


def everything(desk: Desk) -> object:
    return {room: [tuple(entry) for entry in log] for room, log in desk.journal.items()}


def some_commands(desk: Desk) -> list[tuple[Peer, Message]]:
    """What ann and bob sent in a game, each with its id."""
    ann, bob, room = desk.pair(subscribe=["nextPlayer", "chat"])
    said: list[tuple[Peer, Message]] = []

    def say(peer: Peer, type: str, **fields: Any) -> None:
        message = {"type": type, "id": desk.new_id(), "room": room, **fields}
        assert desk.receive(peer, message)["type"] != "refused"
        said.append((peer, message))

    say(ann, "playTurn", seat=0, ply=0, move="b2")
    say(bob, "say", text="nice")
    say(bob, "playTurn", seat=1, ply=1, move="a1")
    say(ann, "offer", seat=0, what="draw")
    say(ann, "playTurn", seat=0, ply=2, move="c3")
    say(bob, "resign", seat=1)
    return said


def test_s18_a_frame_sent_once_more_changes_nothing_and_gets_its_first_answer() -> None:
    desk = Desk()
    said = some_commands(desk)
    before = everything(desk)
    for peer, message in said:
        assert desk.receive(peer, message)["type"] != "refused"
    assert everything(desk) == before


def test_s18_nor_does_it_from_a_new_socket_of_the_same_player() -> None:
    desk = Desk()
    said = some_commands(desk)
    before = everything(desk)
    new = {peer: desk.back(peer) for peer, _ in said}
    for peer, message in said:
        desk.receive(new[peer], message)
        assert everything(desk) == before


def test_s18_from_somebody_else_it_is_refused() -> None:
    desk = Desk()
    said = some_commands(desk)
    eve = desk.peer("eve")
    before = everything(desk)
    for _, message in said:
        assert desk.receive(eve, message)["type"] == "refused"
    assert everything(desk) == before


async def test_s18_a_captured_hello_opens_no_second_presence() -> None:
    async def hello(wire: Wire, frame: Message) -> Message:
        await wire.send(wire._codec.encode(frame))
        return await wire.hear()

    async with a_server() as server, a_wire(server) as ana, a_wire(server) as thief:
        frame = {"type": "hello", "id": "h1", "protocol": 1, "client": "test", "name": "ana"}
        first, second = await hello(ana, frame), await hello(thief, frame)
        assert first["player"]["id"] != second["player"]["id"], "without a token it is somebody new"
