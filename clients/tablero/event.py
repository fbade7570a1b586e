"""An event that happens repeatedly, and the functions that subscribe to it.

Law: a function can subscribe only once, and can always unsubscribe. A failing subscriber doesn't affect the
others.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Generic, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")
Subscriber = Callable[[T], Any]
"""A function, a bound method, or an `async def`."""


def _nothing() -> None:
    pass


def _no_values() -> Iterable[Any]:
    return ()


class Event(Generic[T]):
    """An event that functions subscribe to.

    `first` is called after the first subscriber came, `last` after the last one went. So an event can be
    fetched from elsewhere only while it has subscribers. `current` returns the values for a new subscriber.
    `start` starts the coroutine of an `async def` subscriber.
    """

    def __init__(
        self,
        *,
        first: Callable[[], None] = _nothing,
        last: Callable[[], None] = _nothing,
        current: Callable[[], Iterable[T]] = _no_values,
        start: Callable[[Coroutine[Any, Any, Any]], object] | None = None,
    ) -> None:
        # A list, because two objects for one bound method are equal but not identical: `in` finds them, `is`
        # would not.
        self._subscribers: list[Subscriber[T]] = []
        self._first = first
        self._last = last
        self._current = current
        self._start = start

    def subscribe(self, subscriber: Subscriber[T]) -> None:
        if subscriber in self._subscribers:
            return
        self._subscribers.append(subscriber)
        if len(self._subscribers) == 1:
            self._first()
        for value in self._current():
            self.emit(value, [subscriber])

    def unsubscribe(self, subscriber: Subscriber[T]) -> None:
        if subscriber in self._subscribers:
            self._subscribers.remove(subscriber)
            if not self._subscribers:
                self._last()

    def unsubscribe_all(self) -> None:
        if self._subscribers:
            self._subscribers.clear()
            self._last()

    @property
    def wanted(self) -> bool:
        """Whether the event has subscribers."""
        return bool(self._subscribers)

    def emit(self, value: T, to: Iterable[Subscriber[T]] | None = None) -> None:
        """Call every subscriber, in the order of subscribing, except those that unsubscribe meanwhile."""
        for subscriber in tuple(self._subscribers if to is None else to):
            if subscriber not in self._subscribers:
                continue
            try:
                result = subscriber(value)
            except Exception:
                log.exception("A subscriber failed: %r", subscriber)
                continue
            if not inspect.iscoroutine(result):
                continue
            if self._start is None:
                result.close()
                log.error("This event cannot run an async subscriber: %r", subscriber)
            else:
                self._start(result)
