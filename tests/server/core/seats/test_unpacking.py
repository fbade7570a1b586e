"""A packed room is unpacked for who joins it, while everybody else goes on."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_games import Play
from tablero_protocol.messages import CLIENT_MESSAGE
from tablero_server.core import hub
from tablero_server.core.effects import Effects
from tablero_server.core.entry import Entry
from tablero_server.core.limits.token_buckets import Rate
from tablero_server.core.room.room import Room
from tests.harness.desk import Desk, Message, Peer
from tests.harness.desk_games import DAYS, all_go, is_packed, table


def asks_to_join(peer: Peer, room: str, id: str = "j", **fields: Any) -> Effects:
    """What comes of it at once."""
    message = {"type": "join", "id": id, "room": room, **fields}
    command = CLIENT_MESSAGE.validate_python(message, by_alias=True, by_name=False)
    return peer.desk.hub.receive(peer.number, command, peer.desk.now)


def unpacked(desk: Desk) -> list[tuple[int, str]]:
    """Who is answered, and for which room, when all that is wanted is unpacked."""
    told: list[tuple[int, str]] = []
    while desk.hub.rooms.unpacking.wanted:
        for effects in desk.hub.unpack(desk.now):
            told += [(to, each["room"]) for to, each in effects.messages if "re" in each]
    return told


def test_a_room_is_unpacked_a_few_entries_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    _, _, room = table(desk, "quoridor", 40)
    all_go(desk)
    cat = desk.peer("cat")
    assert asks_to_join(cat, room).messages == []
    applied, apply = list[int](), Room.apply

    def counted(self: Room, entry: Entry, after: Play | None = None) -> None:
        applied.append(entry.seq)
        apply(self, entry, after)

    monkeypatch.setattr(Room, "apply", counted)
    steps = []
    while desk.hub.rooms.unpacking.wanted:
        assert is_packed(desk, room)
        told = list(desk.hub.unpack(desk.now))
        steps.append(len(applied))
        applied.clear()
    assert (max(steps) <= 17, len(steps)) == (True, 3), "the last one writes that somebody joined"
    assert [message["type"] for effects in told for _, message in effects.messages] == ["joined"]


def test_a_room_that_its_player_wants_is_unpacked_before_those_of_watchers() -> None:
    desk = Desk()
    rooms = [table(desk)[2] for _ in range(2)]
    ann, _, own = table(desk)
    all_go(desk)
    cat, ann = desk.peer("cat"), desk.back(ann)
    for number, room in enumerate((*rooms, own)):
        asks_to_join(cat, room, f"j{number}", watch=True)
    asks_to_join(ann, own)
    asked = [(cat.number, own), (ann.number, own), *((cat.number, room) for room in rooms)]
    assert unpacked(desk) == asked


def test_whoever_hung_up_meanwhile_is_not_answered() -> None:
    desk = Desk()
    ann, _, room = table(desk)
    all_go(desk)
    ann = desk.back(ann)
    asks_to_join(ann, room)
    desk.drop(ann)
    assert unpacked(desk) == []


def test_what_the_host_has_unpacked_meanwhile_is_there() -> None:
    desk = Desk()
    _, _, room = table(desk, "quoridor", 40)
    all_go(desk)
    cat = desk.peer("cat")
    asks_to_join(cat, room)
    list(desk.hub.unpack(desk.now))
    assert is_packed(desk, room)
    desk.hub.rooms.unpacked(room)
    assert unpacked(desk) == [(cat.number, room)]


def test_whoever_wants_a_damaged_room_is_told_so() -> None:
    desk = Desk()
    _, _, room = table(desk)
    all_go(desk)
    table(desk)
    desk.damage(room, desk.journal[room][-1].seq, move="z9", toMove=[0])
    desk.restart()
    assert is_packed(desk, room)
    cat = desk.peer("cat")
    assert room in [line["room"] for line in cat.ask("watchLobby")["rooms"]]
    assert cat.refused("join", room=room) == "damagedRoom"
    assert list(desk.hub.rooms.damaged) == [room]
    desk.tick(1)
    assert cat.of("lobbyChanged")[0]["gone"] == [room]


STRANGERS: dict[str, tuple[Message, Message, Message, str]] = {
    "a seat that is taken": ({}, {}, {"seat": 1}, "seatTaken"),
    "a seat that is not there": ({}, {}, {"seat": 2}, "noSuchSeat"),
    "a table for its players alone": ({}, {"watchers": False}, {"watch": True}, "forbidden"),
    "who is in too many rooms": ({"correspondence": 1}, {}, {"watch": True}, "tooManyRooms"),
    "who has done too much": ({"entries_per_player": 2}, {}, {"watch": True}, "roomFull"),
}


@pytest.mark.parametrize(("limits", "made", "asked", "code"), STRANGERS.values(), ids=STRANGERS)
def test_for_a_stranger_who_may_not_come_in_nothing_is_unpacked(
    limits: Message, made: Message, asked: Message, code: str
) -> None:
    desk = Desk(**limits)
    _, _, room = table(desk, **made)
    all_go(desk)
    cat = desk.peer("cat")
    cat.ask("say", room=cat.create(**DAYS), text="hm")
    assert cat.refused("join", room=room, **asked) == code
    assert is_packed(desk, room)


@pytest.mark.parametrize(("entries", "left"), [(1_000, 9), (2, 6)])
def test_to_unpack_a_long_game_counts_like_more_messages(
    entries: int, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "_ENTRIES_LIKE_A_MESSAGE", entries)
    desk = Desk(messages=Rate(1_000, 10))
    _, _, room = table(desk)
    all_go(desk)
    cat = desk.peer("cat")
    cat.join(room, watch=True)
    assert sum(cat.ask("ping")["type"] == "pong" for _ in range(10)) == left
