"""The hub with its journal and its searches, behind two callbacks. It knows no socket.

Law: whatever leaves by the outlet is durable, and leaves in the order in which the hub said it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

import structlog

from tablero_games.position import Json
from tablero_protocol.codes import Close
from tablero_protocol.messages import ClientMessage

from .core.effects import Effects, PeerId, Search
from .core.entry import Saved
from .core.hub import Hub
from .core.refusal import Message, Refusal
from .core.server_time import LATE_MS, ServerTime
from .core.session import Account
from .journal.committer import Committer
from .journal.journal import Journal
from .journal.recovery import restore
from .journal.roll_back import roll_back

log = structlog.get_logger("tablero.service")

_LOGGED_KINDS = {"created", "started", "closed"}


class Outlet(Protocol):
    """Those who have the peers' lines: sockets, or simulated ones."""

    def deliver(self, peer: PeerId, message: Message) -> None:
        """A message for several peers comes as the same object, one peer right after the other."""

    def close(self, peer: PeerId, why: Close) -> None: ...


class Searcher(Protocol):
    async def find(self, asked: Search) -> Json | None:
        """What `Game.prepare` finds; None if there is nothing."""

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
        self._time = ServerTime(steady, late_ms)
        self.now = self._time.now
        self.searcher = searcher
        self._outlet = outlet
        self._committer = Committer(journal, self._deliver, self._take_back)
        self._searches: set[asyncio.Task[None]] = set()

    # Its life

    def start(self, saved: Saved) -> None:
        """Everything that is durable is back before the first peer is served."""
        restored = restore(self.hub, saved, self.now())
        for room, what in self.hub.rooms.damaged.items():
            log.error("a room is damaged and set aside: its rows stay as they are", room=room, what=what)
        self.committing = asyncio.create_task(self._commit(restored))
        self.watching = asyncio.create_task(self._committer.watch())
        self._search_for(restored)

    @property
    def can_save(self) -> bool:
        """Whether what is asked now is likely to be carried out."""
        return not self._committer.outage.lasts

    async def settled(self) -> None:
        """Returns when all that has happened so far is durable and delivered."""
        await self._committer.settled()

    async def say_goodbye(self) -> None:
        """Tells everybody to come back, after the last commit."""
        self.submit(self.hub.stop())
        settled = asyncio.create_task(self._committer.settled())
        # A committer that has ended will settle nothing any more.
        await asyncio.wait([settled, self.committing], return_when=asyncio.FIRST_COMPLETED)
        settled.cancel()

    async def stop(self) -> None:
        self.kill()
        await asyncio.gather(self.committing, self.watching, *self._searches, return_exceptions=True)
        await self.searcher.stop()

    def kill(self) -> None:
        """What is under way is not done."""
        for task in (self.committing, self.watching, *self._searches):
            task.cancel()

    # What happens to it

    def arrive(self, peer: PeerId, caller: str | None) -> None:
        self.hub.arrive(peer, caller)

    def receive(self, peer: PeerId, message: ClientMessage) -> Effects:
        effects = self.hub.receive(peer, message, self.now())
        self.submit(effects)
        return effects

    def dropped(self, peer: PeerId) -> None:
        self.submit(self.hub.dropped(peer, self.now()))

    async def revoke(self, player: str) -> Account:
        """The host signs out `player`, by id or name; it is durable when this returns. Raises Refusal."""
        account = self.hub.accounts.called(player)
        if account is None:
            raise Refusal("nobodyCalledThat", player=player[:80])
        self.submit(self.hub.revoke(account.id, self.now()))
        await self.settled()
        return account

    def tick(self) -> None:
        if self.can_save and not self._committer.saving:
            self._time.goes_on()
        self.submit(self.hub.tick(self.now()))

    def submit(self, effects: Effects) -> None:
        """Does what the hub, or whoever speaks for it, wants done."""
        self._committer.submit(effects)
        if effects.searches:
            self._search_for(effects)

    async def _commit(self, restored: Effects) -> None:
        await self._committer.begin(restored)
        await self._committer.run()

    def _search_for(self, effects: Effects) -> None:
        for asked in effects.searches:
            search = asyncio.create_task(self._search(asked))
            self._searches.add(search)
            search.add_done_callback(self._searches.discard)

    async def _search(self, asked: Search) -> None:
        found = await self.searcher.find(asked)
        self.submit(self.hub.found(asked.ticket, found, self.now()))

    def _take_back(self, lost: Sequence[Effects]) -> Effects:
        return roll_back(self.hub, lost, self.now())

    def _deliver(self, batch: list[Effects]) -> None:
        now = self._time.goes_on() if self.can_save else self.now()
        for effects in batch:
            for peer, message in effects.messages:
                self._outlet.deliver(peer, message)
            for peer, why in effects.closes:
                self._outlet.close(peer, why)
            for entry in effects.entries:
                if entry.clocks is not None:
                    self.hub.rooms.saved(entry, now)
                if entry.kind in _LOGGED_KINDS:
                    log.debug(f"room {entry.kind}", room=entry.room, seq=entry.seq)
