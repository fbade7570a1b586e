"""The server process: the real service over simulated lines instead of sockets.

The process can be killed at any moment; `boot` starts it again from the disk. A search for a field, in a real
server a separate process, is a delay here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random

from tablero_games import GAMES
from tablero_games.position import Json, NoFieldFound
from tablero_protocol.codec import Codec, Frame, ProtocolError
from tablero_protocol.codes import Close
from tablero_protocol.messages import ClientMessage
from tablero_server.core.effects import Effects, Search
from tablero_server.core.hub import Hub
from tablero_server.core.limits.limits import Limits
from tablero_server.core.people.session import Session
from tablero_server.core.refusal import Message
from tablero_server.journal.committer import NotBegun
from tablero_server.service import Service
from tests.harness.journals import at_once
from trials.simulation.disk import LATE_MS, Disk, SlowJournal
from trials.simulation.line import End, Line
from trials.simulation.world import Broken, World, check

TICK = 0.5
"""The seconds between two ticks: five times as many as in network.py, because most ticks do nothing."""
SILENCE = 20.0
CLOSING = 2.0
AGAIN = 1.0
"""The seconds until a server that ended by an error is started again."""

Hears = Callable[[Session, ClientMessage, Effects], None]
"""A function that is called with each command, and with its effects."""
Says = Callable[[Message], None]
"""A function that is called with each message before it leaves the server."""


class SlowSearches:
    def __init__(self, random: Random) -> None:
        self._random = random

    async def find(self, asked: Search) -> Json | None:
        await asyncio.sleep(self._random.expovariate(2))
        if self._random.random() < 0.2:
            return None
        game = GAMES[asked.game]
        try:
            return game.prepare(asked.seed, game.read_options(asked.options))
        except NoFieldFound:
            return None

    def others_wait(self, waiting: bool) -> None: ...

    async def stop(self) -> None: ...


@dataclass(eq=False)
class Connected:
    peer: int
    line: Line
    heard: float
    closing: Close | None = None


class Host:
    def __init__(
        self, world: World, disk: Disk, limits: Limits, hears: Hears, says: Says, began: Callable[[int], None]
    ) -> None:
        self.world = world
        self.disk = disk
        self.limits = limits
        self.wall = 1_700_000_000.0
        """The seconds by which the wall clock is ahead of simulated time; it jumps sometimes."""
        self.outbox = 64
        self.up = False
        self.lives: list[tuple[float, float | None]] = []
        """The start and end of each life of the server."""
        self._hears = hears
        self._says = says
        self._began = began
        """A function that is called at each start."""
        self._random = world.random("network")
        self._slowness = self._random.choice([0.005, 0.05, 0.3])
        self._peers = count(1)
        self._lines: dict[Line, Connected] = {}

    # Start and end

    def boot(self) -> None:
        life = len(self.lives) + 1
        self.world.note("host", f"life {life} begins")
        self.lives.append((self.world.now, None))
        self.up = True
        self._ahead = self.wall
        hub = Hub(self.world.random(f"ids {life}").randbytes, self.limits)
        random = self.world.random(f"journal {life}")
        slowness = random.choice([0.001, 0.02, 0.2])
        journal = SlowJournal(self.world, random, self.disk, slowness, lambda: self.service.now())
        self.service = Service(hub, journal, SlowSearches(self._random), self.clock, self, LATE_MS)
        self._connected: dict[int, Connected] = {}
        self._here: dict[str, dict[str, int]] = {}
        """The peers of each player, by session."""
        self._booted = self.service.now()
        self._spells: dict[str, list[tuple[int, int | None]]] = {}
        """The times, by server time, in which each player of this life was disconnected."""
        self._began(self._booted)
        self.service.start(at_once(self.disk.journal.load(self.limits.session_memory_ms)))
        self.service.committing.add_done_callback(self._ended)
        self._ticking = self.world.later(TICK, self._tick)
        self._ticked = self.service.now()

    def boot_again(self) -> None:
        if not self.up:
            self.boot()

    def crash(self) -> None:
        """Kills the server like kill -9: unfinished work is lost, and every line is cut."""
        self.world.note("host", "killed")
        self.lives[-1] = (self.lives[-1][0], self.world.now)
        self.up = False
        self._ticking.cancel()
        self.service.kill()
        for line in list(self._lines):
            line.cut(self._random.choice([0.0, 0.01, None]), None)
        self._lines.clear()

    async def stop(self) -> bool:
        """Stops in order: all players are told, and everything is saved. Returns False if the server was
        killed meanwhile.
        """
        life = len(self.lives)
        await self.service.say_goodbye()
        if not self.up or len(self.lives) != life:
            return False
        await asyncio.sleep(CLOSING)
        if not self.up or len(self.lives) != life:
            return False
        self.crash()
        return True

    @property
    def hub(self) -> Hub:
        return self.service.hub

    @property
    def busy(self) -> bool:
        """Whether effects wait to be saved."""
        heads = {id: len(log) - 1 for id, log in self.disk.logs.items()}
        rooms = [
            *(views.room for views in self.hub.rooms.open.values()),
            *self.hub.rooms.closed._rooms.values(),
        ]
        return any(room.head > heads.get(room.id, -1) for room in rooms)

    def clock(self) -> int:
        """The time, as in `app.steady_milliseconds`: the wall clock at the start, steady from then on."""
        return int((self.world.now + self._ahead) * 1000)

    def gone_for(self, player: str, at: int) -> int:
        """The time for which a player had been disconnected at that server time; -1 while connected."""
        spells = self._spells.get(player, [(self._booted, None)])
        return max((at - since for since, until in spells if at <= (until or at)), default=-1)

    def gone_since(self, player: str, begun: int, at: int) -> int:
        """The part of the time between the two for which a player was disconnected."""
        spells = self._spells.get(player, [(self._booted, None)])
        return sum(max(0, min(until or at, at) - max(since, begun)) for since, until in spells)

    def was_gone(self, player: str, at: int) -> bool:
        """Whether a player was certainly disconnected then: in the millisecond of a return, the player counts
        as connected.
        """
        spells = self._spells.get(player, [(self._booted, None)])
        return any(since < at and (until is None or at < until) for since, until in spells)

    def virtual(self, at: int) -> float:
        """The simulated second of a server time of this life, without pauses of server time."""
        return at / 1000 - self._ahead

    # Lines

    def connect(self, client: End, codec: Codec) -> Line | None:
        if not self.up:
            return None
        line = Line(self.world, self._random, codec, client, self, self._slowness)
        connected = Connected(next(self._peers), line, self.world.now)
        self._lines[line] = self._connected[connected.peer] = connected
        self.service.arrive(connected.peer, None)
        return line

    @property
    def lines(self) -> list[Line]:
        return list(self._lines)

    def take(self, line: Line, frame: Frame) -> None:
        connected = self._lines.get(line)
        if connected is None or connected.closing is not None:
            return
        connected.heard = self.world.now
        try:
            message: ClientMessage = line.codec.decode_client(frame)
        except ProtocolError as error:
            raise Broken(f"a client sent what is no message: {error.sentence}") from error
        effects = self.service.receive(connected.peer, message)
        if (session := self.hub.peers.get(connected.peer)) is not None:
            self._note_here(session.account.id, session.id, connected.peer)
            self._hears(session, message, effects)

    def lost(self, line: Line, close_code: int | None) -> None:
        if (connected := self._lines.pop(line, None)) is not None:
            del self._connected[connected.peer]
            self._note_gone(connected.peer)
            self.service.dropped(connected.peer)

    def _note_here(self, player: str, session: str, peer: int) -> None:
        sessions = self._here.setdefault(player, {})
        if not sessions:
            *before, (since, _) = self._spells.get(player, [(self._booted, None)])
            self._spells[player] = [*before, (since, self.service.now())]
        sessions[session] = peer

    def _note_gone(self, peer: int) -> None:
        for player, sessions in self._here.items():
            for session in [session for session, on in sessions.items() if on == peer]:
                del sessions[session]
                if not sessions:
                    self._spells[player].append((self.service.now(), None))

    # Calls of the service

    def deliver(self, messages: Sequence[tuple[int, Message]]) -> None:
        for peer, message in messages:
            self._deliver(peer, message)

    def _deliver(self, peer: int, message: Message) -> None:
        self._says(message)
        if (connected := self._connected.get(peer)) is not None and connected.closing is None:
            if connected.line.waiting_down >= self.outbox:
                self.world.sometimes("a client read too slowly")
                self._close(connected, Close.TOO_SLOW)
            else:
                connected.line.send_down(connected.line.codec.encode(message))

    def close(self, peer: int, why: Close) -> None:
        if (connected := self._connected.get(peer)) is not None:
            self._close(connected, why)

    def _close(self, connected: Connected, why: Close) -> None:
        if connected.closing is None:
            connected.closing = why
            connected.line.send_down(why)
            self.world.later(CLOSING, self._abort, connected.line)

    def _abort(self, line: Line) -> None:
        if line in self._lines:
            line.hang_up(self)
            self.lost(line, None)

    def _tick(self) -> None:
        self._ticking = self.world.later(TICK, self._tick)
        self.service.tick()
        now = self.service.now()
        check(now - self._ticked <= 2 * LATE_MS, "a late tick is given back", now, self._ticked)
        self._ticked = now
        for peer in list(self.service.hub.peers):
            if self._random.random() < 0.05:
                self.service.hub.measured(peer, self._random.choice([0, 40, 250, 5_000]))
        for connected in list(self._lines.values()):
            if connected.heard < self.world.now - SILENCE and connected.closing is None:
                self.world.sometimes("the server gave a silent client up")
                self._close(connected, Close.SILENT)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if task.cancelled():
            return
        error = task.exception()
        if isinstance(error, NotBegun):
            self.world.sometimes("a start could not be written down")
            self.crash()
            self.world.later(AGAIN, self.boot_again)
        else:
            self.world.fail(error or Broken("the committer ended by itself"))
