"""Lets messages leave only once what they tell of is durable: one commit for all gathered meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import structlog

from ..core.effects import Effects
from ..core.entry import Entry
from .journal import Journal, NotWritten
from .outage import Outage
from .recovery import split

log = structlog.get_logger("tablero.journal")

_MANY, _PAUSE_SECONDS = 32, 0.002
"""After a commit of many, the next waits a moment for more: a commit costs as much as many moves in it."""

_CHECK_SECONDS = 2.0

Logs = dict[str, list[Entry]]


class Committer:
    """Submit effects in the order in which the hub made them; `deliver` gets them in that order.

    `roll_back` takes back what could not be made durable, and says what to tell those who asked for it.
    """

    def __init__(
        self,
        journal: Journal,
        deliver: Callable[[list[Effects]], None],
        roll_back: Callable[[Sequence[Effects], Logs], Effects],
    ) -> None:
        self._journal = journal
        self._deliver = deliver
        self._roll_back = roll_back
        self.outage = Outage()
        self._waiting: list[Effects] = []
        self._wake = asyncio.Event()
        self._delivered = asyncio.Event()
        """Set when what is waiting now has been delivered."""

    def submit(self, effects: Effects) -> None:
        if not self._waiting:
            self._wake.set()
        self._waiting.append(effects)

    async def run(self) -> None:
        """Until cancelled. A journal that is broken ends the process: nothing was acknowledged."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            batch, self._waiting = self._waiting, []
            delivered, self._delivered = self._delivered, asyncio.Event()
            lasting = [effects for effects in batch if effects.must_last]
            if lasting:
                try:
                    await self._journal.append(lasting)
                    self.outage.ended()
                except NotWritten as error:
                    if error.refused:
                        log.debug("refused by the database", why=str(error), commands=len(error.failed))
                    else:
                        self.outage.failed(str(error), len(error.failed))
                    batch = await self._without_lost(
                        batch, [lasting[index] for index in sorted(error.failed)]
                    )
            self._deliver(batch)
            delivered.set()
            if len(lasting) >= _MANY:
                await asyncio.sleep(_PAUSE_SECONDS)

    async def watch(self) -> None:
        """Until cancelled: notices an outage, and its end, also while nobody has anything to save."""
        while True:
            await asyncio.sleep(_CHECK_SECONDS)
            await self.check()

    async def check(self) -> None:
        try:
            await self._journal.check()
            self.outage.ended()
        except NotWritten as error:
            self.outage.failed(str(error), 0)

    async def settled(self) -> None:
        """Returns when everything submitted so far has been delivered."""
        delivered = self._delivered
        self.submit(Effects())  # comes after all of it, and is not kept back by what follows
        await delivered.wait()

    async def _without_lost(self, batch: list[Effects], failed: list[Effects]) -> list[Effects]:
        """What of `batch` may be delivered; what came meanwhile and builds on what failed goes with it."""
        closed: Logs = {}
        while True:
            kept, lost = split([*batch, *self._waiting], failed)
            entries = (entry for effects in lost for entry in effects.entries)
            closing = {entry.room for entry in entries if entry.kind == "closed"} - closed.keys()
            if not closing:
                break
            for room in sorted(closing):
                closed[room] = await self._read(room)
        # From here on nothing waits: whatever the hub does next, it does without what was lost.
        told = self._roll_back(lost, closed)
        going = set(map(id, kept))
        self._waiting = [effects for effects in self._waiting if id(effects) in going]
        return [*(effects for effects in batch if id(effects) in going), told]

    async def _read(self, room: str) -> list[Entry]:
        """A durable log; nothing where it cannot be read, so that the room stays closed until a restart."""
        try:
            return await self._journal.log(room)
        except Exception as error:  # whatever a database that is away raises
            log.error("could not read what is durable", room=room, why=str(error))
            return []
