"""Event: subscribe, unsubscribe, emit."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import pytest

from tablero import Event


class Ear:
    """Remembers what it heard; its bound method is a new object at every look, yet equal."""

    def __init__(self) -> None:
        self.heard: list[int] = []

    def hear(self, value: int) -> None:
        self.heard.append(value)


def test_every_subscriber_hears_every_value_in_order() -> None:
    event, heard = Event[int](), list[tuple[str, int]]()
    event.subscribe(lambda value: heard.append(("first", value)))
    event.subscribe(lambda value: heard.append(("second", value)))
    event.emit(1)
    event.emit(2)
    assert heard == [("first", 1), ("second", 1), ("first", 2), ("second", 2)]


def test_subscribing_twice_is_once_also_for_bound_methods() -> None:
    event, ear = Event[int](), Ear()
    event.subscribe(ear.hear)
    event.subscribe(ear.hear)
    event.emit(1)
    assert ear.heard == [1]


def test_unsubscribing_twice_or_a_stranger_is_allowed() -> None:
    event, ear = Event[int](), Ear()
    event.unsubscribe(ear.hear)
    event.subscribe(ear.hear)
    event.unsubscribe(ear.hear)
    event.unsubscribe(ear.hear)
    event.emit(1)
    assert ear.heard == []


def test_two_objects_of_one_class_are_two_subscribers() -> None:
    event, one, other = Event[int](), Ear(), Ear()
    event.subscribe(one.hear)
    event.subscribe(other.hear)
    event.unsubscribe(one.hear)
    event.emit(1)
    assert (one.heard, other.heard) == ([], [1])


def test_a_subscriber_that_unsubscribes_itself_during_the_emit_is_not_called_again() -> None:
    event, heard = Event[int](), list[int]()

    def once(value: int) -> None:
        heard.append(value)
        event.unsubscribe(once)
        event.emit(value + 1)

    event.subscribe(once)
    event.emit(1)
    assert heard == [1]


def test_a_subscriber_that_another_unsubscribes_during_the_emit_is_not_called() -> None:
    event, ear = Event[int](), Ear()
    event.subscribe(lambda _: event.unsubscribe(ear.hear))
    event.subscribe(ear.hear)
    event.emit(1)
    assert ear.heard == []


def test_one_failing_subscriber_does_not_silence_the_others(caplog: pytest.LogCaptureFixture) -> None:
    event, ear = Event[int](), Ear()

    def fail(value: int) -> None:
        raise RuntimeError("broken")

    event.subscribe(fail)
    event.subscribe(ear.hear)
    with caplog.at_level(logging.ERROR):
        event.emit(1)
        event.emit(2)
    assert ear.heard == [1, 2]
    assert caplog.text.count("RuntimeError: broken") == 2


def test_the_first_and_the_last_subscriber_are_reported() -> None:
    seen = list[str]()
    event = Event[int](first=lambda: seen.append("first"), last=lambda: seen.append("last"))
    one, other = Ear(), Ear()
    steps: list[Callable[[], None]] = [
        lambda: event.subscribe(one.hear),
        lambda: event.subscribe(other.hear),
        lambda: event.unsubscribe(one.hear),
        lambda: event.unsubscribe(other.hear),
        lambda: event.unsubscribe(other.hear),
        lambda: event.subscribe(other.hear),
        event.unsubscribe_all,
        event.unsubscribe_all,
    ]
    for step in steps:
        step()
    assert seen == ["first", "last", "first", "last"]


def test_every_subscriber_hears_at_once_how_things_are() -> None:
    seen = list[str]()
    event = Event[int](first=lambda: seen.append("first"), current=lambda: [7, 8][: len(seen) * 2])
    one, other = Ear(), Ear()
    event.subscribe(one.hear)
    event.subscribe(other.hear)
    assert (one.heard, other.heard) == ([7, 8], [7, 8])


def test_wanted_says_whether_anybody_listens() -> None:
    event, ear = Event[int](), Ear()
    assert not event.wanted
    event.subscribe(ear.hear)
    assert event.wanted
    event.unsubscribe_all()
    assert not event.wanted


async def test_an_async_subscriber_is_started() -> None:
    tasks, heard = list[asyncio.Task[None]](), list[int]()
    event = Event[int](start=lambda coroutine: tasks.append(asyncio.create_task(coroutine)))

    async def hear(value: int) -> None:
        heard.append(value)

    event.subscribe(hear)
    event.emit(1)
    await asyncio.gather(*tasks)
    assert heard == [1]


def test_an_async_subscriber_where_nothing_can_run_it_is_an_error(caplog: pytest.LogCaptureFixture) -> None:
    event = Event[int]()

    async def hear(value: int) -> None:
        raise AssertionError("never runs")

    event.subscribe(hear)
    event.emit(1)
    assert "cannot run an async subscriber" in caplog.text
