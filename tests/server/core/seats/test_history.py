"""The game so far, told page by page to whoever is in the room, and to nobody more than they may know."""

from __future__ import annotations

import time
from typing import Any

from msgpack import packb

from tablero_server.core.entry import Cause
from tablero_server.core.limits.token_buckets import Rate
from tablero_server.core.seats.history import history
from tests.harness.desk import Desk, Message, Peer

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
