"""The backlog: so much of a turn for all, one after the other."""

from __future__ import annotations

import asyncio

import pytest

from tablero_server.wire import backlog as backlog_module
from tablero_server.wire.backlog import SECONDS_A_TURN, Backlog


class Work:
    """Takes turns that each cost so much of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, cost: float) -> None:
        self.done: list[str] = []
        self._now = 0.0
        self._cost = cost * SECONDS_A_TURN
        self.backlog = Backlog()
        monkeypatch.setattr(backlog_module, "perf_counter", lambda: self._now)

    def add(self, name: str, times: int = 1) -> None:
        def go_on() -> None:
            self.done.append(name)
            self._now += self._cost
            if times > 1:
                self.add(name, times - 1)

        self.backlog.add(go_on)

    async def by_turns(self, count: int) -> list[str]:
        """What is done in each of the next turns."""
        turns = []
        for _ in range(count):
            before = len(self.done)
            await asyncio.sleep(0)
            turns.append("".join(self.done[before:]))
        return turns


async def test_a_turn_takes_what_it_has_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work(monkeypatch, cost=0.4)
    for name in "abcdefg":
        work.add(name)
    assert work.done == [], "never at once"
    assert await work.by_turns(5) == ["abc", "def", "g", "", ""]


async def test_a_turn_takes_one_however_long_that_is(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work(monkeypatch, cost=9)
    for name in "ab":
        work.add(name)
    assert await work.by_turns(4) == ["a", "b", "", ""]


async def test_whoever_has_more_comes_again_after_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work(monkeypatch, cost=0.6)
    work.add("a", times=3)
    work.add("b")
    work.add("c", times=2)
    assert await work.by_turns(6) == ["ab", "ca", "ca", "", "", ""]
    work.add("d")
    assert await work.by_turns(2) == ["d", ""]


async def test_nobody_comes_twice_in_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work(monkeypatch, cost=0)
    work.add("a", times=3)
    work.add("b")
    assert await work.by_turns(5) == ["ab", "a", "a", "", ""]


async def test_one_that_breaks_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    work, broken = Work(monkeypatch, cost=0), []
    asyncio.get_running_loop().set_exception_handler(lambda _, what: broken.append(what["exception"]))
    work.backlog.add(lambda: 1 // 0)  # type: ignore[arg-type]
    work.add("a")
    assert await work.by_turns(2) == ["", "a"]
    assert [type(error) for error in broken] == [ZeroDivisionError]
