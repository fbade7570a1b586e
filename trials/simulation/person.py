"""One client process: the real session, connecting again whenever its line is gone.

It does what connection.py does with a socket. Whatever it hears goes past its witness first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tablero.client.room_progress import RoomProgress
from tablero.client.session import LineState, Session
from tablero.client.session_events import SessionEnded, SessionEvent, Settled
from tablero_protocol.codec import CODECS, Frame
from trials.simulation.ledger import Ledger
from trials.simulation.line import Dial, Line
from trials.simulation.witness import Witness
from trials.simulation.world import World, check

HEARTBEAT = 0.5
"""Seconds between two looks at the clock; connection.py looks twice as often."""
Wire = dict[str, Any]


class Person:
    def __init__(self, world: World, ledger: Ledger, dial: Dial, name: str, token: str | None = None) -> None:
        self.world = world
        self.name = name
        self.random = world.random(f"person {name}")
        self.codec = CODECS[self.random.choice(sorted(CODECS))]
        said = None if token else name
        self.session = Session(self.random, client="simulation", name=said, token=token)
        self.witness = Witness(world, ledger, self.session)
        self.given: dict[str, Wire] = {}
        """The commands of this process, by id."""
        self.settled: dict[str, Any] = {}
        self.captured: list[Frame] = []
        """What somebody on the network could have recorded."""
        self.alive = True
        self.hears: Callable[[SessionEvent], None] = lambda event: None
        self.line: Line | None = None
        self._ledger = ledger
        self._dial = dial

    # What the application does

    def command(self, type: str, **fields: Any) -> str:
        id = self.session.command(type, fields, self.world.now)
        self.given[id] = {"type": type, "id": id, **fields}
        self.world.note(self.name, f"gives {type} {fields}")
        self.world.loop.call_soon(self.pump)
        return id

    @property
    def rooms(self) -> dict[str, RoomProgress]:
        return self.session.rooms

    @property
    def player(self) -> str | None:
        return self.session.welcome.player.id if self.session.welcome is not None else None

    def subscribe(self, room: str, event: Any) -> None:
        self.session.subscribe(room, event, self.world.now)
        self.world.loop.call_soon(self.pump)

    def unsubscribe(self, room: str, event: Any) -> None:
        self.session.unsubscribe(room, event, self.world.now)
        self.witness.unsubscribed(room, event)
        self.world.loop.call_soon(self.pump)

    # Its process

    def start(self) -> None:
        self.connect()
        self._beat()

    def crash(self) -> str | None:
        """The process is killed; all that is left is the token."""
        self.world.note(self.name, "killed")
        self.alive = False
        if self.line is not None:
            self.line.cut(None, self.random.choice([0.0, 0.5, None]))
            self.line = None
        return self.session.token

    def connect(self) -> None:
        if not self.alive:
            return
        self.line = self._dial(self, self.codec)
        if self.line is None:
            self._come_again(None)
        else:
            self.session.connected(self.world.now)
            self.pump()

    def take(self, line: Line, frame: Frame) -> None:
        if line is not self.line:
            return
        self.world.note(self.name, "hears", frame)
        message = self.codec.decode_server(frame)
        events = self.witness.hear(message)
        self._dispatch(events)
        self.pump()

    def lost(self, line: Line, close_code: int | None) -> None:
        if line is self.line:
            self.line = None
            self._come_again(close_code)

    def pump(self) -> None:
        """Sends what is to be sent, or finds that the line is dead."""
        line = self.line
        if line is None or not self.alive:
            return
        if self.session.tick(self.world.now):
            for wire in self.session.outgoing(self.world.now):
                self.witness.sends(wire)
                if self.player is not None:
                    self._ledger.asked[self.player, wire["id"]] = wire
                frame = self.codec.encode(wire)
                self.captured.append(frame)
                line.send_up(frame)
        else:
            if not line.broken:
                self.world.sometimes("a client gave a living line up")
            line.hang_up(self)
            self.lost(line, None)

    def _beat(self) -> None:
        if self.alive and self.session.state is not LineState.ENDED:
            self.pump()
            self.world.later(HEARTBEAT, self._beat)

    def _come_again(self, close_code: int | None) -> None:
        self.world.note(self.name, f"lost the line ({close_code})")
        wait, events = self.session.disconnected(close_code, self.world.now)
        self._dispatch(events)
        if wait is not None:
            self.world.later(wait, self.connect)

    def _dispatch(self, events: list[SessionEvent]) -> None:
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
