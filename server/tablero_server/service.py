"""The hub with its journal and its searches, behind two callbacks, without sockets.

Law: a message is sent to the outlet only when everything before it is saved, and in the hub's order.
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
        """The milliseconds lost to pauses of the process so far."""
        self._asked = steady()
        self._until = self._asked + late_ms

    def now(self, *, serves: bool = False) -> int:
        """The time. With `serves`, the server has just proved that it is working."""
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
"""The pause between two steps of unpacking, for other work of the event loop."""


class Outlet(Protocol):
    """The connections of the peers: sockets, or simulated connections."""

    def deliver(self, messages: Sequence[tuple[PeerId, Message]]) -> None:
        """Sends messages in this order. A message for several peers is one shared object."""

    def close(self, peer: PeerId, why: Close) -> None: ...


class Searcher(Protocol):
    async def find(self, asked: Search) -> Json | None:
        """The result of `Game.prepare`; None if the search failed."""

    def others_wait(self, waiting: bool) -> None:
        """Tells whether a room waits for a running search to end; then searches get less time."""

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
        """Running tasks: searches, answers from the journal, and the unpacking of rooms."""
        self._unpacks = False
        self.results = Results(hub, journal, self.settled)
        self.drained = asyncio.Event()
        """Set when the host wants the server to stop and the last game is over."""
        self._damaged_logged = 0

    # Start and end

    def start(self, saved: Saved) -> None:
        """Loads all saved data, before the first peer is served."""
        restored = restore(self.hub, saved, self.now())
        self._log_damaged()
        self.committing = asyncio.create_task(self._committer.run(restored))
        self.watching = asyncio.create_task(self._committer.watch())
        self._search_for(restored)

    @property
    def can_save(self) -> bool:
        """Whether a command sent now can probably be saved."""
        return not self._committer.outage.lasts

    async def settled(self) -> None:
        """Returns when everything done so far is saved and delivered."""
        await self._committer.settled()

    async def broken(self, *others: asyncio.Task[None]) -> None:
        """Raises an error if a loop of the service, or one of `others`, ends."""
        loops = [self.committing, self.watching, *others]
        ended, _ = await asyncio.wait(loops, return_when=asyncio.FIRST_COMPLETED)
        for task in ended:
            task.result()

    async def say_goodbye(self) -> None:
        """Asks all players to reconnect, after the last commit."""
        self.submit(self.hub.stop())
        settled = asyncio.create_task(self._committer.settled())
        # A committer that has ended delivers nothing more.
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

    # Events

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
        """Saves the effects of a host's command and sends their messages. Raises Refusal if that fails."""
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
        """Logs newly damaged rooms. Damaged rooms are never removed from their list, and new ones come at its
        end.
        """
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
        """Unpacks rooms, a little in each turn of the event loop, until none is wanted."""
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
