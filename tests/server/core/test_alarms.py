"""What must happen later."""

from __future__ import annotations

import random

from tablero_server.core.alarms import Alarms, RoomAlarms
from tablero_server.core.limits.limits import Limits
from tablero_server.core.room.room import Room
from tests.harness.desk import Desk


def test_alarms_ring_in_order_and_once() -> None:
    alarms = Alarms()
    for when, name in ((30, "c"), (10, "a"), (20, "b")):
        alarms.set((name,), when)
    assert list(alarms.ring(9)) == []
    assert list(alarms.ring(20)) == [("a",), ("b",)]
    assert list(alarms.ring(99)) == [("c",)]
    assert list(alarms.ring(99)) == []


def test_a_later_setting_replaces_the_earlier() -> None:
    alarms = Alarms()
    alarms.set(("a",), 10)
    alarms.set(("a",), 30)
    assert list(alarms.ring(20)) == []
    assert list(alarms.ring(30)) == [("a",)]


def test_an_earlier_one_too() -> None:
    alarms = Alarms()
    alarms.set(("a",), 30)
    alarms.set(("a",), 10)
    assert list(alarms.ring(10)) == [("a",)]
    assert list(alarms.ring(30)) == []


def test_a_cancelled_alarm_stays_silent() -> None:
    alarms = Alarms()
    alarms.set(("a",), 10)
    alarms.cancel(("a",))
    alarms.cancel(("a",))
    assert list(alarms.ring(10)) == []


def test_one_alarm_may_cancel_or_set_another_while_they_ring() -> None:
    alarms = Alarms()
    for when, name in ((10, "a"), (11, "b")):
        alarms.set((name,), when)
    rung = []
    for key in alarms.ring(20):
        rung.append(key)
        if key == ("a",):
            alarms.cancel(("b",))
            alarms.set(("c",), 15)
    assert rung == [("a",)]
    assert list(alarms.ring(20)) == [("c",)]


def test_moving_an_alarm_for_ever_costs_no_memory() -> None:
    alarms = Alarms()
    for when in range(10_000):
        alarms.set(("a",), when)
    assert len(alarms._heap) < 100


def test_whatever_is_set_and_cancelled_rings_when_it_should() -> None:
    dice, alarms = random.Random(3), Alarms()
    due: dict[tuple[str, ...], int] = {}
    for now in range(500):
        for _ in range(3):
            key: tuple[str, ...] = (str(dice.randrange(20)),)
            if dice.random() < 0.3:
                alarms.cancel(key)
                due.pop(key, None)
            else:
                due[key] = now + dice.randrange(1, 40)
                alarms.set(key, due[key])
        expected = {key for key, when in due.items() if when <= now}
        assert set(alarms.ring(now)) == expected
        for key in expected:
            del due[key]


def test_an_alarm_that_is_set_for_now_while_it_rings_rings_the_next_time() -> None:
    alarms = Alarms()
    alarms.set(("flag", "r1"), 5)
    rung = []
    for key in alarms.ring(10):
        rung.append(key)
        alarms.set(key, 10)
        assert len(rung) == 1
    assert list(alarms.ring(10)) == [("flag", "r1")]


# Of a room

LATER = 10**15


def rung(room: Room, *, cancelled: bool = False, now: int = 0) -> dict[str, int]:
    """Which alarms a room sets, and for when."""
    inner = Alarms()
    alarms = RoomAlarms(inner, Limits())
    alarms.set_clock(room)
    alarms.set_idle(room)
    alarms.set_pack(room, now)
    if cancelled:
        alarms.cancel(room.id)
    due = dict(inner._due)
    assert {kind for kind, _ in inner.ring(LATER)} == {kind for kind, _ in due}
    return {kind: when for (kind, id), when in due.items() if id == room.id}


def test_a_running_clock_rings_when_its_flag_falls() -> None:
    ann, bob, room = (desk := Desk()).pair(clock={"base": 60, "increment": 0})
    assert rung(desk.room(room)) == {"flag": desk.now + 60_000}
    for peer, seat in ((ann, 0), (bob, 1)):
        peer.ask("offer", room=room, seat=seat, what="pause")
    assert rung(desk.room(room)) == {"pause": desk.room(room).paused_until}


def test_a_room_without_a_clock_rings_when_its_game_is_over() -> None:
    ann, _, room = (desk := Desk()).pair()
    assert rung(desk.room(room)) == {}
    ann.ask("resign", room=room, seat=0)
    assert rung(desk.room(room)) == {"idle": desk.now + Limits().idle_ms}


def test_a_game_by_correspondence_is_looked_at_while_it_runs() -> None:
    ann, _, room = (desk := Desk()).pair(clock={"days": 1})
    assert rung(desk.room(room), now=5).get("pack") == 5 + Limits().session_memory_ms
    assert rung(desk.room(room), cancelled=True) == {}
    ann.ask("resign", room=room, seat=0)
    assert rung(desk.room(room)).keys() == {"idle"}
