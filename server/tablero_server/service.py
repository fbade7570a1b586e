"""The hub with its journal and its searches, behind two callbacks. It knows no socket.

Law: whatever leaves by the outlet is durable, and leaves in the order in which the hub said it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, Protocol

import structlog

from tablero_games.position import Json
from tablero_protocol.codec import ProtocolError
from tablero_protocol.codes import Close
from tablero_protocol.messages import ClientMessage

from .core.effects import Asked, Effects, PeerId, Search
from .core.entry import Saved
from .core.hub import Hub
from .core.refusal import Message, Refusal
from .journal.committer import Committer
from .journal.journal import Journal, NotRead
from .journal.recovery import restore
from .journal.roll_back import roll_back
from .observer import Observer
from .results import Results

LATE_MS = 250


class ServerTime:
    def __init__(self, steady: Callable[[], int], late_ms: int = LATE_MS) -> None:
        self._steady = steady
        self._late_ms = late_ms
        self._lost = 0
        """The time lost to pauses of the process so far."""
        self._asked = steady()
        self._until = self._asked + late_ms

    def now(self, *, serves: bool = False) -> int:
        """The time; `serves` if the server has just shown that it does."""
        steady = self._steady()
        if steady > self._until:
            self._lost += steady - self._asked
            self._until = steady
        self._asked = steady
        if serves:
            self._until = steady + self._late_ms
        return steady - self._lost


log = structlog.get_logger("tablero.service")

_PAUSE_SECONDS = 0.002
"""The pause between two turns that unpack rooms, in which other work has the loop."""


class Outlet(Protocol):
    """The peers' connections: sockets, or simulated ones."""

    def deliver(self, messages: Sequence[tuple[PeerId, Message]]) -> None:
        """Sends messages in this order. A message for several peers comes as the same object."""

    def close(self, peer: PeerId, why: Close) -> None: ...


class Searcher(Protocol):
    async def find(self, asked: Search) -> Json | None:
        """The result of `Game.prepare`; None if there is none."""

    def others_wait(self, waiting: bool) -> None:
        """Whether someone waits for a search that runs to end: it may take less long then."""

    async def stop(self) -> None: ...


class Service:
    def __init__(
        self,
        hub: Hub,
        journal: Journal,
        searcher: Searcher,
        steady: Callable[[], int],
        outlet: Outlet,
        late_ms: int = LATE_MS,
    ) -> None:
        self.hub = hub
        self.now = ServerTime(steady, late_ms).now
        self.searcher = searcher
        self._outlet = outlet
        self.observed = Observer(hub)
        self._committer = Committer(journal, self._deliver, self._roll_back, self.observed)
        self._under_way: set[asyncio.Task[None]] = set()
        """Searches, answers that are looked up, and the unpacking of rooms."""
        self._unpacks = False
        self.results = Results(hub, journal, self.settled)
        self.drained = asyncio.Event()
        """The host wants the server to end after the last game, and that is over."""
        self._damaged_logged = 0

    # Its life

    def start(self, saved: Saved) -> None:
        """Loads everything durable before the first peer is served."""
        restored = restore(self.hub, saved, self.now())
        self._log_damaged()
        self.committing = asyncio.create_task(self._committer.run(restored))
        self.watching = asyncio.create_task(self._committer.watch())
        self._search_for(restored)

    @property
    def can_save(self) -> bool:
        """Whether what is asked now is likely to be carried out."""
        return not self._committer.outage.lasts

    async def settled(self) -> None:
        """Returns when all that has happened so far is durable and delivered."""
        await self._committer.settled()

    async def broken(self, *others: asyncio.Task[None]) -> None:
        """Raises when a loop of ours, or one of `others`, ends that must not."""
        loops = [self.committing, self.watching, *others]
        ended, _ = await asyncio.wait(loops, return_when=asyncio.FIRST_COMPLETED)
        for task in ended:
            task.result()

    async def say_goodbye(self) -> None:
        """Asks all players to reconnect, after the last commit."""
        self.submit(self.hub.stop())
        settled = asyncio.create_task(self._committer.settled())
        # A committer that has ended will settle nothing any more.
        await asyncio.wait([settled, self.committing], return_when=asyncio.FIRST_COMPLETED)
        settled.cancel()

    async def stop(self) -> None:
        self.kill()
        await asyncio.gather(self.committing, self.watching, *self._under_way, return_exceptions=True)
        await self.searcher.stop()

    def kill(self) -> None:
        """Stops at once; unfinished work is lost."""
        for task in (self.committing, self.watching, *self._under_way):
            task.cancel()

    # What happens to it

    def arrive(self, peer: PeerId, caller: str | None, address: str | None = None) -> None:
        self.hub.arrive(peer, caller, address)

    def receive(self, peer: PeerId, message: ClientMessage) -> Effects:
        effects = self.hub.receive(peer, message, self.now())
        self.submit(effects)
        if self.hub.rooms.unpacking.wanted:
            self._go_on_unpacking()
        return effects

    def misread(self, peer: PeerId, error: ProtocolError, why: Close | None) -> None:
        self.submit(self.hub.misread(peer, error, why))

    def dropped(self, peer: PeerId) -> None:
        self.submit(self.hub.dropped(peer, self.now()))

    def measured(self, peer: PeerId, ms: int) -> None:
        self.hub.measured(peer, ms)

    def fell_silent(self, peer: PeerId) -> None:
        self.submit(self.hub.fell_silent(peer, self.now()))

    def heard_again(self, peer: PeerId) -> None:
        self.submit(self.hub.heard_again(peer, self.now()))

    def plays_by_seconds(self, peer: PeerId) -> bool:
        return self.hub.plays_by_seconds(peer)

    def only_watches(self, peer: PeerId, room: str) -> bool:
        return self.hub.newest.is_enough(self.hub.peers.get(peer), room)

    def show_newest(self, peer: PeerId, rooms: Iterable[str], lines: Iterable[str]) -> None:
        self.submit(self.hub.newest.show(self.hub.peers.get(peer), rooms, lines))

    async def carry_out(self, effects: Effects) -> None:
        """Makes effects of a host's command durable and sends their messages. Raises Refusal if not saved."""
        self.submit(effects)
        await self.settled()
        if effects.lost:
            raise Refusal("notSaved")

    def tick(self) -> None:
        now = self.now(serves=self.can_save and not self._committer.saving)
        self.submit(self.hub.tick(now))
        self.searcher.others_wait(self.hub.rooms.searches.someone_waits)
        if self.hub.rooms.unpacking.wanted:
            self._go_on_unpacking()
        if self.hub.authority.is_done:
            self.drained.set()
        self._log_damaged()

    def _log_damaged(self) -> None:
        """Logs newly damaged rooms: they are added at the end, and none is removed."""
        for room, what in list(self.hub.rooms.damaged.items())[self._damaged_logged :]:
            log.error("a damaged room was set aside; its rows are unchanged", room=room, what=what)
        self._damaged_logged = len(self.hub.rooms.damaged)

    def submit(self, effects: Effects) -> None:
        """Carries out the effects of the hub."""
        self._committer.submit(effects)
        if effects.searches:
            self._search_for(effects)
        for asked in effects.asked:
            self._do(self._answer(asked))

    def _search_for(self, effects: Effects) -> None:
        for asked in effects.searches:
            self._do(self._search(asked))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    def _go_on_unpacking(self) -> None:
        if not self._unpacks:
            self._unpacks = True
            self._do(self._unpack())

    async def _unpack(self) -> None:
        """A little in each turn of the event loop, until no packed room is wanted."""
        try:
            while self.hub.rooms.unpacking.wanted:
                for effects in self.hub.unpack(self.now()):
                    self.submit(effects)
                await asyncio.sleep(_PAUSE_SECONDS)
        finally:
            self._unpacks = False

    async def _answer(self, asked: Asked) -> None:
        message, effects = asked.message, Effects()
        try:
            answer = await self.results.answer(message, self.hub.accounts.by_id.get(asked.player), self.now())
            effects.send(asked.peer, {**answer, "re": message.id})
        except Refusal as refusal:
            self.hub.refusals[refusal.code.value, refusal.reason] += 1
            effects.refuse(asked.peer, refusal.message(message.id), None)
        except NotRead as why:
            log.warning("could not read", why=str(why))
            effects.refuse(asked.peer, Refusal("notRead", retry_after_ms=1_000).message(message.id), None)
        self.submit(effects)

    async def _search(self, asked: Search) -> None:
        found = await self.searcher.find(asked)
        self.submit(self.hub.found(asked.ticket, found, self.now()))

    def _roll_back(self, lost: Sequence[Effects]) -> Effects:
        return roll_back(self.hub, lost, self.now())

    def _deliver(self, batch: list[Effects]) -> None:
        now = self.now(serves=not self._committer.outage.lasts)
        for effects in batch:
            if effects.messages:
                self._outlet.deliver(effects.messages)
            for peer, why in effects.closes:
                self._outlet.close(peer, why)
            for entry in effects.entries:
                if entry.clocks is not None:
                    self.hub.rooms.saved(entry, now)
