"""Records of games as bytes: made one after the other, a little in each turn of the event loop, and kept.

Law: nobody's move waits for more than a slice of a record, however long its game was. A thread would hold
the interpreter for longer than a slice, and a process would first have to be told the whole log.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from typing import TypeVar

from ..core.entry import Entry
from ..core.refusal import Refusal
from ..core.room.replay import folding
from ..core.room.room import Room

_SLICE_SECONDS = 0.0005
_PAUSE_SECONDS = 0.002
"""Between two slices the others have the loop."""
_MOST_WAITING = 32
_KEPT_BYTES = 8_000_000
_KEPT_ENTRIES = 20_000
"""Of closed and packed rooms that somebody asked for; about 800 bytes each."""

Step = TypeVar("Step")
Key = tuple[object, ...]


class Records:
    def __init__(self) -> None:
        self._texts: OrderedDict[Key, bytes] = OrderedDict()
        self._rooms: OrderedDict[Key, Room] = OrderedDict()
        """Closed ones by id, packed ones by id and size."""
        self._one_at_a_time = asyncio.Lock()
        self._waiting = 0

    def kept(self, key: Key) -> bytes | None:
        """The record, if it was made before."""
        if key in self._texts:
            self._texts.move_to_end(key)
        return self._texts.get(key)

    async def make(self, key: Key, text: Iterable[str]) -> bytes:
        """The record whose lines `text` makes, one by one."""
        async with self._turn():
            if (kept := self.kept(key)) is not None:
                return kept
            whole = self._texts[key] = "".join(await in_slices(text)).encode()
            while sum(map(len, self._texts.values())) > _KEPT_BYTES:
                self._texts.popitem(last=False)
            return whole

    async def closed_room(self, id: str, load: Callable[[str], Awaitable[list[Entry]]]) -> Room | None:
        """As it was when it closed, out of the log that is loaded; None if there is none. Raises Damaged."""
        if (kept := self.kept_room((id,))) is not None:
            return kept
        async with self._turn():  # so that one log is in memory at a time, and the disk is asked for one
            log = await load(id)
            return await self._keep((id,), folding(log)) if log else None

    async def packed_room(self, key: Key, folded: Iterable[Room]) -> Room:
        """A packed room, of which `folded` are the steps, without loading it. Raises Damaged."""
        async with self._turn():
            return self.kept_room(key) or await self._keep(key, folded)

    def kept_room(self, key: Key) -> Room | None:
        """The room, if it was folded before."""
        if key in self._rooms:
            self._rooms.move_to_end(key)
        return self._rooms.get(key)

    async def _keep(self, key: Key, folded: Iterable[Room]) -> Room:
        *_, room = await in_slices(folded)
        self._rooms[key] = room
        while sum(len(each.log) for each in self._rooms.values()) > _KEPT_ENTRIES:
            self._rooms.popitem(last=False)
        return room

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """After whoever asked before."""
        if self._waiting >= _MOST_WAITING:
            raise Refusal("manyRecords", retry_after_ms=5_000)
        self._waiting += 1
        try:
            async with self._one_at_a_time:
                yield
        finally:
            self._waiting -= 1


async def in_slices(steps: Iterable[Step]) -> list[Step]:
    """All of them, each made in its turn."""
    taken: list[Step] = []
    until = time.perf_counter() + _SLICE_SECONDS
    for step in steps:
        taken.append(step)
        if time.perf_counter() >= until:
            await asyncio.sleep(_PAUSE_SECONDS)
            until = time.perf_counter() + _SLICE_SECONDS
    return taken
