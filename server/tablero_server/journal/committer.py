"""Sends messages only once their entries are saved, with one commit for all waiting effects."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

import structlog

from ..core.effects import Effects
from .journal import Journal, NotWritten
from .roll_back import dependents_of, hide_what_is_lost

log = structlog.get_logger("tablero.journal")

_MANY, _PAUSE_SECONDS = 32, 0.002
"""After a commit of this many effects, the next commit waits a moment for more effects: a commit costs as
much as many moves.
"""

_CHECK_SECONDS = 2.0

_SECONDS_BETWEEN_LINES = 60.0


class Outage:
    """Logs the start and end of an outage, and a count once a minute."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self.lasts = False
        self._seconds = seconds
        self._commands = 0
        """The commands lost since the last log line."""
        self._quiet_until = float("-inf")
        self._was_told = False

    def failed(self, why: str, commands: int) -> None:
        self.lasts = True
        self._commands += commands
        now = self._seconds()
        if now >= self._quiet_until:
            log.error("could not save", why=why, commands=self._commands)
            self._commands, self._quiet_until, self._was_told = 0, now + _SECONDS_BETWEEN_LINES, True

    def ended(self) -> None:
        if not self.lasts:
            return
        self.lasts = False
        if self._was_told:  # an outage that comes and goes is also logged only once a minute
            log.warning("can save again", commands=self._commands)
            self._commands, self._was_told = 0, False


class NotBegun(Exception):
    """Raised if the entries of a start could not be saved; the server must not run without them."""


class Committer:
    """Takes effects in the order in which the hub made them, and passes them to `deliver` in the same order.

    `roll_back` undoes effects that could not be saved, and returns the messages to their authors. `observe`
    gets the delivered effects, the seconds of their commit or None, and the number of commands that were lost
    in an outage.
    """

    def __init__(
        self,
        journal: Journal,
        deliver: Callable[[list[Effects]], None],
        roll_back: Callable[[Sequence[Effects]], Effects],
        observe: Callable[[list[Effects], float | None, int], None],
    ) -> None:
        self._journal = journal
        self._deliver = deliver
        self._roll_back = roll_back
        self._observe = observe
        self.outage = Outage()
        self.saving = False
        """Whether a commit is running."""
        self._waiting: list[Effects] = []
        self._wake = asyncio.Event()
        self._delivered = asyncio.Event()
        """Set when the effects that now wait have been delivered."""

    def submit(self, effects: Effects) -> None:
        if not self._waiting:
            self._wake.set()
        self._waiting.append(effects)

    async def begin(self, effects: Effects) -> None:
        """Saves the entries of a start. If that fails, the next start writes them again.

        Without these entries, downtime would count against a clock.
        """
        if effects.must_last:
            self.saving = True
            try:
                await self._journal.append([effects])
            except NotWritten as error:
                sentence = (
                    "The database did not store the entries of this start. Free some space and start again."
                )
                raise NotBegun(sentence) from error
        self.saving = False
        self._deliver([effects])
        self._observe([effects], None, 0)

    async def run(self, first: Effects | None = None) -> None:
        """Commits until cancelled. If the journal breaks, the process ends, because nothing was
        acknowledged.
        """
        if first is not None:
            await self.begin(first)
        while True:
            await self._wake.wait()
            self._wake.clear()
            batch, self._waiting = self._waiting, []
            delivered, self._delivered = self._delivered, asyncio.Event()
            lasting = [effects for effects in batch if effects.entries or effects.kept]
            took, not_saved = None, 0
            if lasting:
                self.saving, began = True, time.perf_counter()
                try:
                    await self._journal.append(lasting)
                    if self.outage.lasts:
                        self.outage.ended()
                except NotWritten as error:
                    if error.refused:
                        log.debug("refused by the database", why=str(error), commands=len(error.failed))
                    else:
                        self.outage.failed(str(error), len(error.failed))
                        not_saved = len(error.failed)
                    batch = self._without_lost(batch, {lasting[index] for index in error.failed})
                took = time.perf_counter() - began
            self.saving = False
            self._deliver(batch)
            delivered.set()
            self._observe(batch, took, not_saved)
            if len(lasting) >= _MANY:
                await asyncio.sleep(_PAUSE_SECONDS)

    async def watch(self) -> None:
        """Detects the start and end of an outage, even if nothing needs to be saved; runs until cancelled."""
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
        self.submit(Effects())  # queued behind all effects so far, and not delayed by later ones
        await delivered.wait()

    def _without_lost(self, batch: list[Effects], failed: set[Effects]) -> list[Effects]:
        """The part of `batch` to deliver. Later effects that depend on failed ones are rolled back, too."""
        lost = dependents_of(failed, [*batch, *self._waiting])
        gone = set(lost)
        self._waiting = [effects for effects in self._waiting if effects not in gone]
        kept = [effects for effects in batch if effects not in gone]
        hide_what_is_lost(lost, [*kept, *self._waiting])
        return [*kept, self._roll_back(lost)]
