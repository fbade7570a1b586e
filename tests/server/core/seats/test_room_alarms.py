"""What a room is looked at for, and when."""

from __future__ import annotations

from tablero_server.core.alarms import Alarms
from tablero_server.core.limits.limits import Limits
from tablero_server.core.room.room import Room
from tablero_server.core.seats.room_alarms import RoomAlarms
from tests.harness.desk import Desk

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
