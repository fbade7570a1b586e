"""What a viewer has missed: all of it one by one, or a snapshot, and never a part.

test_replay looks at what that costs, and that a long past is told as a whole fold would tell it.
"""

from __future__ import annotations

import time
from typing import Any

import pytest
from msgpack import packb

from tablero_server.core.entry import Cause
from tablero_server.core.limits.limits import Rate
from tablero_server.core.seats.resume import history
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


RACE = {"mode": "race", "width": 6, "height": 5, "mines": 5}


def turns(peer: Peer, room: str, **fields: Any) -> list[Message]:
    answer = peer.ask("showHistory", room=room, **fields)
    assert answer["type"] == "history", answer
    assert "more" not in answer
    return list(answer["turns"])


def lines(told: list[Message], *keys: str) -> list[tuple[Any, ...]]:
    return [tuple(turn.get(key) for key in keys) for turn in told]


def test_who_comes_late_is_told_the_whole_game() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock={"base": 60, "increment": 0})
    ann.play(room, "b2")
    desk.tick(1_000)
    bob.play(room, "a1")
    ann.ask("say", room=room, text="hm")
    bob.ask("offer", room=room, seat=1, what="takeback")
    [offer] = desk.room(room).offers
    ann.ask("answer", room=room, seat=0, offer=offer, yes=True)
    bob.play(room, "c3")
    cat = desk.peer("cat")
    cat.join(room)
    told = turns(cat, room)
    assert lines(told, "ply", "seat", "move", "tookBack") == [
        (1, 0, "b2", None),
        (2, 1, "a1", None),
        (3, 1, None, 1),
        (4, 1, "c3", None),
    ]
    assert [turn["seq"] for turn in told] == sorted(
        entry.seq for entry in desk.journal[room] if entry.kind in ("turn", "tookBack")
    )
    assert told[1]["clocks"] == [60_000, 59_000]
    assert told[1]["at"] == desk.now
    assert told == turns(ann, room) == turns(bob, room)


def test_how_a_game_ended_is_told_too() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    ann.play(room, "b2")
    bob.ask("resign", room=room, seat=1)
    assert lines(turns(ann, room), "ply", "seat", "withdrew") == [(1, 0, None), (1, 1, "resign")]
    ann, bob, room = (desk := Desk()).pair()
    ann.ask("offer", room=room, seat=0, what="draw")
    bob.ask("offer", room=room, seat=1, what="draw")
    assert lines(turns(ann, room), "ply", "seat", "drawn") == [(0, None, "agreed")]
    ann, bob, room = (desk := Desk()).pair()
    bob.ask("leave", room=room)
    assert lines(turns(ann, room), "ply", "seat", "aborted") == [(0, None, "left")]


def test_only_what_came_after_an_event_is_told() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    seqs = [peer.play(room, move)["seq"] for peer, move in ((ann, "b2"), (bob, "a1"), (ann, "c3"))]
    assert lines(turns(bob, room, after=seqs[1]), "ply", "move") == [(3, "c3")]
    assert turns(bob, room, after=seqs[2]) == []
    assert turns(bob, room, after=2**53) == []


def test_before_the_start_there_is_nothing_to_tell() -> None:
    ann = Desk().peer()
    assert turns(ann, ann.create()) == []


def test_of_a_running_race_one_hears_ones_own_moves_and_at_its_end_all() -> None:
    desk = Desk()
    ann, bob, room = desk.pair("minesweeper", seats=2, options=RACE)
    for peer, seat in ((ann, 0), (bob, 1)):
        position = desk.room(room).position
        assert position is not None
        flag = next(move for move in position.legal_moves(seat) if move.startswith("flag"))
        peer.play(room, flag, seat)
    cat = desk.peer("cat")
    cat.join(room)
    for peer, known in ((ann, {0}), (bob, {1}), (cat, set())):
        told = turns(peer, room)
        assert [turn["seat"] for turn in told] == [0, 1]
        assert {turn["seat"] for turn in told if "move" in turn} == known
    ann.ask("resign", room=room, seat=0)
    bob.ask("resign", room=room, seat=1)
    assert [("move" in turn, "withdrew" in turn) for turn in turns(cat, room)] == [
        (True, False),
        (True, False),
        (False, True),
        (False, True),
    ]


# However long it was


def a_long_game(desk: Desk, count: int) -> tuple[Peer, str]:
    """Solo, with so many turns played past the desk, which would fold the log after each."""
    ann = desk.peer()
    room = ann.create("minesweeper")
    found = desk.room(room)
    for number in range(count):
        move = ("flag a1", "unflag a1")[number % 2]
        cause = Cause(ann.player, f"c{number}", 0)
        desk.journal[room].append(found.play_turn(cause, 0, found.ply, move, number))
    desk.hub.rooms.entries += count
    ann.behind.add(room)
    return ann, room


def test_a_long_game_is_told_in_pages_that_join() -> None:
    desk = Desk()
    ann, room = a_long_game(desk, 1_300)
    told: list[Message] = []
    after: int | None = 0
    while after is not None:
        page = ann.ask("showHistory", room=room, after=after)
        assert len(packb(page)) <= desk.hub.limits.replay_bytes
        told, after = told + page["turns"], page.get("more")
    assert [turn["ply"] for turn in told] == list(range(1, 1_301))
    assert len({turn["seq"] for turn in told}) == 1_300


def test_a_page_has_no_more_bytes_than_a_replay() -> None:
    desk = Desk(replay_bytes=2_000)
    ann, room = a_long_game(desk, 200)
    page = ann.ask("showHistory", room=room)
    assert 1_500 < len(packb(page)) <= 2_000
    assert page["more"] == page["turns"][-1]["seq"]


def test_no_page_of_ten_thousand_turns_takes_longer_than_the_first() -> None:
    desk = Desk()
    _, room = a_long_game(desk, 10_000)
    found, times = desk.room(room), []
    for after in (0, 9_000):
        tries = []
        for _ in range(20):
            began = time.thread_time()
            assert len(history(found, [0], after, 65_536)["turns"]) == 500
            tries.append(time.thread_time() - began)
        times.append(min(tries))
    assert times[1] < 4 * times[0]


def test_whoever_asks_for_more_than_the_server_can_tell_has_to_wait() -> None:
    desk = Desk(messages=Rate(100, 40))
    ann, room = a_long_game(desk, 1_000)
    answers = [ann.ask("showHistory", room=room) for _ in range(12)]
    assert [answer.get("code", answer["type"]) for answer in answers[::11]] == ["history", "rateLimited"]
