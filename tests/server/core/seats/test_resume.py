"""What a viewer has missed: all of it one by one, or a snapshot, and never a part.

test_replay looks at what that costs, and that a long past is told as a whole fold would tell it.
"""

from __future__ import annotations

import pytest
from msgpack import packb

from tests.harness.desk import Desk, Message, Peer


def resumed(peer: Peer, room: str, seq: int, epoch: str) -> list[Message]:
    """What came, the answer last."""
    answer = peer.ask("resume", room=room, epoch=epoch, seq=seq)
    return [*peer.seen, answer]


def played(*moves: str, **limits: int) -> tuple[Desk, Peer, str, str]:
    """Two who have played, four turns unless others are named; the second of them, and its room."""
    desk = Desk(**limits)
    ann, bob, room = desk.pair(subscribe=["nextPlayer", "chat"])
    for number, move in enumerate(moves or ("b2", "a1", "c3", "a3")):
        (ann, bob)[number % 2].play(room, move)
    return desk, bob, room, desk.room(room).epoch


def test_whoever_missed_nothing_is_told_so() -> None:
    desk, bob, room, epoch = played()
    head = desk.room(room).head
    assert [(each["type"], each["seq"]) for each in resumed(bob, room, head, epoch)] == [("ok", head)]


def test_what_was_missed_comes_one_by_one_as_it_came_to_those_who_were_there() -> None:
    desk, bob, room, epoch = played()
    *turns, ok = resumed(bob, room, desk.room(room).head - 2, epoch)
    assert [each["last"]["move"] for each in turns] == ["c3", "a3"]
    assert [each["seq"] for each in turns] == [ok["seq"] - 1, ok["seq"]]


@pytest.mark.parametrize(("most", "answer"), [(4, "ok"), (3, "snapshot")])
def test_more_events_than_are_told_one_by_one_come_as_a_snapshot(most: int, answer: str) -> None:
    desk, bob, room, epoch = played(replay_events=most)
    told = resumed(bob, room, desk.room(room).head - 4, epoch)
    assert told[-1]["type"] == answer
    assert len(told) == (5 if answer == "ok" else 1)


def test_more_bytes_than_are_told_one_by_one_come_as_a_snapshot() -> None:
    desk, bob, room, epoch = played()
    start = desk.room(room).head - 4
    *turns, _ = resumed(bob, room, start, epoch)
    size = len(packb(turns))
    for most, answer in ((size, "ok"), (size - 1, "snapshot")):
        desk, bob, room, epoch = played(replay_bytes=most)
        told = resumed(bob, room, start, epoch)
        assert told[-1]["type"] == answer
        assert len(told) == (5 if answer == "ok" else 1)


def test_turns_of_the_past_count_as_much_as_the_last_one_before_they_are_replayed() -> None:
    won = ("a1", "b1", "a2", "b2", "a3")
    desk, bob, room, epoch = played(*won)
    start = desk.room(room).head - 3
    *turns, _ = resumed(bob, room, start, epoch)
    most = 2 * len(packb(turns[-1:]))
    assert len(packb(turns)) < most, "the outcome makes the last one larger than those before"
    for bytes_, answer in ((most, "ok"), (most - 1, "snapshot")):
        desk, bob, room, epoch = played(*won, replay_bytes=bytes_)
        assert resumed(bob, room, start, epoch)[-1]["type"] == answer


@pytest.mark.parametrize("seq", [-1, 1])
def test_whoever_knows_another_room_of_that_name_gets_it_as_it_is(seq: int) -> None:
    """Of another epoch, or from a future that a restored copy does not know."""
    desk, bob, room, epoch = played()
    head = desk.room(room).head
    asked = resumed(bob, room, head, "other") if seq < 0 else resumed(bob, room, head + seq, epoch)
    [snapshot] = asked
    assert (snapshot["type"], snapshot["seq"], snapshot["epoch"]) == ("snapshot", head, epoch)
    assert snapshot["turns"][0]["ply"] == 4


def test_only_what_somebody_subscribed_to_is_told_and_the_rest_is_counted() -> None:
    desk, bob, room, epoch = played()
    bob.ask("unsubscribe", room=room, event="nextPlayer")
    told = resumed(bob, room, desk.room(room).head - 4, epoch)
    assert [each["type"] for each in told] == ["seq", "seq", "seq", "seq", "ok"]


def test_the_newest_is_enough_for_who_watches_and_for_nobody_who_has_a_seat() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    cat, dan = desk.peer("cat"), desk.peer("dan")
    cat.join(room)
    second = desk.back(ann, same_session=False)
    second.join(room, watch=True)
    who = (cat, dan, ann, second)
    is_enough = [desk.hub.newest.is_enough(desk.hub.peers.get(each.number), room) for each in who]
    assert is_enough == [True, False, False, False]
    assert not desk.hub.newest.is_enough(desk.hub.peers[cat.number], "r-none")
    assert not desk.hub.newest.is_enough(None, room)


def test_it_is_shown_of_rooms_that_one_still_sees_and_of_the_lobby_that_one_still_watches() -> None:
    desk = Desk()
    _, bob, room = desk.pair()
    cat = desk.peer("cat")
    cat.join(room)
    session = desk.hub.peers[cat.number]
    shown = desk.hub.newest.show(session, {room, "r-gone"}, {bob.player}).messages
    assert [(to, message["type"], message["room"]) for to, message in shown] == [
        (cat.number, "snapshot", room)
    ]
    cat.ask("watchLobby")
    shown = desk.hub.newest.show(session, (), {bob.player}).messages
    assert [line["name"] for _, changed in shown for line in changed["players"]] == ["bob"]
    assert desk.hub.newest.show(None, {room}, {bob.player}).messages == []
