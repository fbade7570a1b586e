"""One client process: the real client, with its loop and session, over a simulated line instead of a socket.

A witness sees everything that the session receives and sends.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

from websockets.exceptions import ConnectionClosedError

from tablero.client.connection import Connection
from tablero.client.greeting import Greeting
from tablero.client.room_progress import RoomProgress
from tablero.client.session import Session
from tablero.client.session_events import SessionEnded, SessionEvent, Settled
from tablero.errors import Disconnected, Refused
from tablero_protocol.codec import CODECS, Codec, Frame
from tablero_protocol.messages import EventName, ServerMessage
from trials.simulation.ledger import Ledger
from trials.simulation.line import Dial, Line
from trials.simulation.witness import Witness
from trials.simulation.world import World, check

HEARTBEAT = 0.5
"""The seconds between two looks at the clock; a real client looks twice as often."""
Wire = dict[str, Any]
EVENT: dict[EventName, str] = {
    "nextPlayer": "next_player",
    "chat": "chat",
    "members": "members",
    "offers": "offers",
}
"""The name of each event of the library's rooms."""


class Person:
    def __init__(self, world: World, ledger: Ledger, dial: Dial, name: str, token: str | None = None) -> None:
        self.world = world
        self.ledger = ledger
        self.name = name
        self.random = world.random(f"person {name}")
        self.codec = CODECS[self.random.choice(sorted(CODECS))]
        self.session = WatchedSession(self, None if token else name, token)
        self.witness = Witness(world, ledger, self.session)
        self.given: dict[str, Wire] = {}
        """The commands of this process, by id."""
        self.settled: dict[str, Any] = {}
        self.captured: list[Frame] = []
        """Frames that an observer of the network could have recorded."""
        self.alive = True
        self.hears: Callable[[SessionEvent], None] = lambda event: None
        self.line: Line | None = None
        self._dial = dial
        self._connection = Connection(
            "simulated",
            self.session,
            self.codec,
            patient=True,
            open_socket=self._open,
            clock=world.loop.time,
            heartbeat=HEARTBEAT,
        )
        self.client = self._connection.client

    # The application

    def command(self, type: str, **fields: Any) -> None:
        self.client.start(self._ask(type, fields))

    async def _ask(self, type: str, fields: Wire) -> None:
        with suppress(Refused, Disconnected):
            await self.client.ask(type, **fields)

    @property
    def rooms(self) -> dict[str, RoomProgress]:
        return self.session.rooms

    @property
    def player(self) -> str | None:
        return self.session.welcome.player.id if self.session.welcome is not None else None

    def subscribe(self, room: str, event: EventName) -> None:
        if room in self.client.rooms:
            getattr(self.client.rooms[room], EVENT[event]).subscribe(self._listen)

    def unsubscribe(self, room: str, event: EventName) -> None:
        if room in self.client.rooms:
            getattr(self.client.rooms[room], EVENT[event]).unsubscribe(self._listen)

    def _listen(self, event: object) -> None:
        """Checks all messages of the session."""

    # The process

    def start(self) -> None:
        self._process = self.world.loop.create_task(self._live())

    async def _live(self) -> None:
        with suppress(Refused, Disconnected):  # the client has ended, and its session has reported that
            async with self._connection as client:
                await client.wait_ended()

    def crash(self) -> str | None:
        """Kills the process. Returns the token, which is all that is left."""
        self.world.note(self.name, "killed")
        self.alive = False
        if self.line is not None:
            self.line.cut(None, self.random.choice([0.0, 0.5, None]))
            self.line = None
        self.client.finish()
        return self.session.token

    async def _open(self, url: str, codec: Codec) -> SimulatedSocket:
        socket = SimulatedSocket(self)
        self.line = socket.line = self._dial(socket, codec)
        if self.line is None:
            raise ConnectionRefusedError("The server is down.")
        return socket

    def dispatch(self, events: list[SessionEvent]) -> None:
        for event in events:
            if isinstance(event, Settled):
                check(event.id in self.given, "an answer has a command", event)
                check(event.id not in self.settled, "a command has one answer", event)
                self.settled[event.id] = event.answer
                self.world.note(self.name, f"is answered {event.answer.type}")
                self.witness.settled(self.given[event.id], event.answer)
            elif isinstance(event, SessionEnded):
                self.settled.update(dict.fromkeys(event.abandoned))
            self.hears(event)


class WatchedSession(Session):
    """The real session with checks: any mistake in its messages ends the evening."""

    def __init__(self, person: Person, name: str | None, token: str | None) -> None:
        super().__init__(person.random, Greeting(client="simulation", name=name), token)
        self._person = person

    def command(self, type: str, fields: Wire, now: float) -> str:
        id = super().command(type, fields, now)
        self._person.given[id] = {"type": type, "id": id, **fields}
        self._person.world.note(self._person.name, f"gives {type} {fields}")
        return id

    def unsubscribe(self, room: str, event: EventName, now: float) -> None:
        self._person.witness.unsubscribed(room, event)
        super().unsubscribe(room, event, now)

    def outgoing(self, now: float) -> list[Wire] | None:
        wires = super().outgoing(now)
        for wire in wires or ():
            self._person.witness.sends(wire)
            if self._person.player is not None:
                self._person.ledger.asked[self._person.player, wire["id"]] = wire
        return wires

    def receive(self, message: ServerMessage, now: float) -> list[SessionEvent]:
        person, receive = self._person, super().receive
        try:
            events = person.witness.hear(message, lambda: receive(message, now))
            person.dispatch(events)
        except Exception as error:  # the client's loop would log the error and continue
            person.world.fail(error)
            raise
        return events

    def disconnected(self, close_code: int | None, now: float) -> tuple[float | None, list[SessionEvent]]:
        self._person.world.note(self._person.name, f"lost the line ({close_code})")
        wait, events = super().disconnected(close_code, now)
        if self._person.alive:
            self._person.dispatch(events)
        return wait, events


class SimulatedSocket:
    """The client's end of a line, with the interface of `connection.Socket`."""

    def __init__(self, person: Person) -> None:
        self.line: Line | None = None
        self.close_code: int | None = None
        self._person = person
        self._frames: deque[Frame] = deque()
        self._over = False
        self._news = asyncio.Event()

    async def send(self, frame: Frame) -> None:
        if self._over or self.line is None:
            raise ConnectionClosedError(None, None)
        self._person.captured.append(frame)
        self.line.send_up(frame)

    def __aiter__(self) -> AsyncIterator[Frame]:
        return self

    async def __anext__(self) -> Frame:
        while not self._frames:
            if self._over:
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        return self._frames.popleft()

    async def close(self) -> None:
        self._hang_up()

    def abort(self) -> None:
        if not self._over and self.line is not None and not self.line.broken:
            self._person.world.sometimes("a client gave a living line up")
        self._hang_up()

    def _hang_up(self) -> None:
        if self.line is not None and not self._over:
            self.line.hang_up(self)
            self.lost(self.line, None)

    # Called by the line

    def take(self, line: Line, frame: Frame) -> None:
        self._person.world.note(self._person.name, "hears", frame)
        self._frames.append(frame)
        self._news.set()

    def lost(self, line: Line, close_code: int | None) -> None:
        self.close_code, self._over = close_code, True
        if self._person.line is line:
            self._person.line = None
        self._news.set()
