"""Rooms that closed a moment ago: known by id and by code, for a while, and not too many."""

from __future__ import annotations

from typing import Any

from tablero_server.core.alarms import Alarms
from tablero_server.core.entry import Cause, Entry
from tablero_server.core.ids import Ids
from tablero_server.core.limits.limits import Limits
from tablero_server.core.people.accounts import Accounts
from tablero_server.core.people.session import Account
from tablero_server.core.seats.recently_closed import RecentlyClosed


class Closed:
    """As much of a room as is asked for here."""

    def __init__(self, id: str, code: str | None = None) -> None:
        self.id = id
        self.code = code
        self.log = [Entry(id, 1, "left", 0, Cause("ann", f"leave-{id}", 0), None, {})]


class Evening:
    def __init__(self, **limits: Any) -> None:
        self.accounts = Accounts(Ids(lambda size: bytes(size)), Limits())
        self.ann = self.accounts.by_id["ann"] = Account("ann", "ann", False, 0)
        self.alarms = Alarms()
        self.closed = RecentlyClosed(self.accounts, self.alarms, Limits(**limits))

    def close(self, id: str, now: int = 0, code: str | None = None) -> None:
        room: Any = Closed(id, code)
        self.accounts.know_commands(room.log)
        self.closed.add(room, now)

    @property
    def known(self) -> set[str]:
        """The commands whose answers would be repeated."""
        return set(self.ann.logged)


def test_a_room_is_found_by_its_id_and_by_the_code_that_led_to_it() -> None:
    evening = Evening()
    evening.close("r1", code="abc")
    evening.close("r2")
    assert evening.closed.room("r1").id == evening.closed.with_code("abc") == "r1"
    assert evening.closed.with_code("other") is None


def test_it_is_forgotten_with_its_commands_when_no_session_can_repeat_them() -> None:
    evening = Evening(session_memory_ms=100)
    evening.close("r1", now=50)
    assert list(evening.alarms.ring(149)) == []
    assert list(evening.alarms.ring(150)) == [("closed", "r1")]
    assert evening.known == {"leave-r1"}
    evening.closed.forget("r1")
    assert evening.known == set()
    evening.closed.forget("r1")


def test_one_too_many_is_forgotten_the_oldest_first_and_its_alarm_with_it() -> None:
    evening = Evening(closed_rooms=2)
    for id in ("r1", "r2", "r3"):
        evening.close(id)
    assert evening.known == {"leave-r2", "leave-r3"}
    assert set(evening.alarms.ring(10**9)) == {("closed", "r2"), ("closed", "r3")}
