"""A game that stands still by agreement, and time that is given to rivals."""

from __future__ import annotations

import pytest

from tablero_server.core.room.room import ADDED_MS, MOST_TIMES_ADDED, PAUSE_MS
from tests.harness.desk import Desk, Message, Peer

MINUTE = {"base": 60, "increment": 2}


def paused_table(desk: Desk) -> tuple[Peer, Peer, str]:
    """Ann, with 50 s left, is to move."""
    ann, bob, room = desk.pair(clock=MINUTE, subscribe=["nextPlayer", "offers"])
    desk.now += 10_000
    agree(desk, ann, bob, room, "pause")
    return ann, bob, room


def agree(desk: Desk, ann: Peer, bob: Peer, room: str, what: str) -> None:
    offered = ann.ask("offer", room=room, seat=0, what=what)
    assert offered["type"] == "offered", offered
    answer = bob.ask("answer", room=room, seat=1, offer=offered["offer"], yes=True)
    assert answer["type"] == "answered", answer


def test_a_pause_that_all_agree_to_stops_the_clocks() -> None:
    desk = Desk()
    ann, bob, room = paused_table(desk)
    turn = bob.turns[-1]
    assert (turn["clocks"], turn["paused"], turn["seats"]) == ([50_000, 60_000], desk.now + PAUSE_MS, [0])
    desk.tick(PAUSE_MS - 1)
    assert ann.refused("playTurn", room=room, seat=0, ply=0, move="b2") == "paused"
    agree(desk, ann, bob, room, "continue")
    assert "paused" not in bob.turns[-1]
    desk.now += 5_000
    assert ann.play(room, "b2")["clocks"] == [47_000, 60_000]
    assert desk.entries(room)[-3:] == ["answered", "continued", "turn"]


def test_a_pause_ends_by_itself() -> None:
    desk = Desk()
    ann, _, room = paused_table(desk)
    desk.tick(PAUSE_MS)
    assert "paused" not in ann.turns[-1]
    desk.tick(49_999)
    assert desk.room(room).state.value == "playing"
    desk.tick(1)
    assert ann.turns[-1]["last"] == {"seat": 0, "withdrew": "time"}


def test_a_pause_outlives_a_restart_and_ends_then_too() -> None:
    desk = Desk()
    ann, _, room = paused_table(desk)
    desk.tick(1_000)
    desk.restart()
    ann = desk.back(ann, same_session=False)
    ann.join(room)
    assert ann.refused("playTurn", room=room, seat=0, ply=0, move="b2") == "paused"
    desk.tick(PAUSE_MS)
    assert ann.play(room, "b2")["clocks"] == [52_000, 60_000]


def test_while_a_first_move_is_waited_for_a_pause_stops_that_time() -> None:
    desk = Desk(first_move_ms=30_000)
    ann, bob, room = paused_table(desk)
    desk.tick(60_000)
    assert desk.room(room).state.value == "playing"
    agree(desk, ann, bob, room, "continue")
    assert bob.turns[-1]["firstMove"] == 20_000


def test_a_paused_game_can_be_given_up_or_drawn() -> None:
    desk = Desk()
    ann, bob, room = paused_table(desk)
    agree(desk, ann, bob, room, "draw")
    assert bob.turns[-1]["outcome"]["kind"] == "draw"
    assert "paused" not in bob.turns[-1]
    desk.tick(PAUSE_MS)
    assert desk.entries(room)[-1] == "drawn"


@pytest.mark.parametrize("what", ["pause", "continue"])
def test_there_is_no_pause_where_there_is_none_to_make_or_end(what: str) -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    reasons = {"pause": "noClock", "continue": "notPaused"}
    assert ann.ask("offer", room=room, seat=0, what=what)["reason"] == reasons[what]
    ann, _, room = paused_table(desk)
    assert ann.refused("offer", room=room, seat=0, what="pause") == "paused"


# Adding time


def test_whoever_likes_gives_the_rival_time() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock=MINUTE)
    desk.now += 10_000
    answer = bob.ask("addTime", room=room, seat=1)
    assert (answer["type"], answer["clocks"]) == ("nextPlayer", [50_000 + ADDED_MS, 60_000])
    desk.now += 5_000
    assert ann.play(room, "b2")["clocks"] == [62_000, 60_000]


def test_time_is_added_so_often_and_no_more() -> None:
    desk = Desk()
    _, bob, room = desk.pair(clock=MINUTE)
    for _ in range(MOST_TIMES_ADDED):
        assert bob.ask("addTime", room=room, seat=1)["type"] == "nextPlayer"
    assert bob.ask("addTime", room=room, seat=1)["reason"] == "addedOften"


@pytest.mark.parametrize("clock", [None, {"days": 1}])
def test_no_time_is_added_where_no_clock_of_seconds_runs(clock: Message | None) -> None:
    desk = Desk()
    _, bob, room = desk.pair(clock=clock)
    assert bob.ask("addTime", room=room, seat=1)["reason"] == "noTimeToAdd"
