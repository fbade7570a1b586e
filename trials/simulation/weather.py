"""The faults of an evening: of lines, the server, its disk and clock, and clients, and repeated frames.

Each evening has only some of them, so that one kind of fault does not always hide another.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from tablero_protocol.codec import Codec, Frame
from tablero_protocol.messages import PROTOCOL
from trials.simulation.disk import Disk
from trials.simulation.host import Host
from trials.simulation.ledger import Ledger
from trials.simulation.line import Line
from trials.simulation.person import Person
from trials.simulation.world import World

HOUR = 3_600.0
EVERY = {
    "cut": 12.0, "half_open": 25.0, "stall": 30.0, "crash": 30.0, "restart": 50.0, "disk_full": 30.0,
    "slow_disk": 25.0, "flaky_disk": 30.0, "clock_jump": 20.0, "freeze": 30.0, "client_crash": 40.0,
    "second_session": 40.0, "send_twice": 8.0, "replay": 15.0, "replay_closed": 10.0, "client_away": 10.0,
}  # fmt: skip
"""The average seconds between two faults of one kind."""


@dataclass(eq=False)
class Weather:
    world: World
    host: Host
    disk: Disk
    ledger: Ledger
    people: list[Person]
    another: Callable[[str, str], None]
    """Starts one more client process, with a name and a player's token."""

    def __post_init__(self) -> None:
        self._random = self.world.random("weather")
        self._strangers = 0

    def start(self) -> None:
        for kind in EVERY:
            if self._random.random() < 0.6:
                self._wait_for(kind)

    def _wait_for(self, kind: str) -> None:
        self.world.later(self._random.expovariate(1 / EVERY[kind]), self._strike, kind)

    def _strike(self, kind: str) -> None:
        if not self.world.calm:
            self.world.note("weather", kind)
            getattr(self, kind)()
            self._wait_for(kind)

    # Lines

    def _line(self) -> Line | None:
        lines = self.host.lines
        return self._random.choice(lines) if lines else None

    def cut(self) -> None:
        if line := self._line():
            line.cut(self._random.uniform(0, 0.5), self._random.uniform(0, 0.5))

    def half_open(self) -> None:
        """Breaks a line so that one side, or both, must find out without being told."""
        if line := self._line():
            line.cut(*self._random.choice([(0.0, None), (None, 0.0), (None, None)]))
            self.world.sometimes("a line was half open")

    def stall(self) -> None:
        if line := self._line():
            line.stall(self._random.uniform(1, 8))

    # The server

    def crash(self) -> None:
        if self.host.up:
            if self.host.busy:
                self.world.sometimes("a crash with a commit under way")
            self.host.crash()
            self.world.later(self._random.choice([0.1, 1.0, 5.0, 25.0]), self.host.boot_again)

    def restart(self) -> None:
        if self.host.up:
            self.world.loop.create_task(self._restart())

    async def _restart(self) -> None:
        if await self.host.stop():
            self.world.sometimes("the server restarted in order")
            await asyncio.sleep(self._random.uniform(0, 2))
            self.host.boot_again()

    def freeze(self) -> None:
        """Stops everything for a while, like a stopped process or a sleeping machine."""
        self.world.sometimes("everything stood still")
        self.world.loop.jump(self._random.uniform(0.3, 10))

    def disk_full(self) -> None:
        self.disk.full_until = self.world.now + self._random.expovariate(1 / 3)

    def slow_disk(self) -> None:
        self.disk.hangs = self._random.uniform(0.5, 7)

    def flaky_disk(self) -> None:
        self.disk.flaky = self._random.choice([0.0, 0.1, 0.5])

    def clock_jump(self) -> None:
        """Sets the wall clock, which at most the next life of the server notices."""
        self.host.wall += self._random.choice([-24 * HOUR, -HOUR, HOUR, 24 * HOUR])

    # Clients

    def _somebody(self) -> Person | None:
        known = [person for person in self.people if person.alive and person.session.token is not None]
        return self._random.choice(known) if known else None

    def client_crash(self) -> None:
        if (person := self._somebody()) and (token := person.crash()) is not None:
            self.world.sometimes("a client crashed")
            self._another(person, token)

    def client_away(self) -> None:
        """Stops a client as by an empty battery: it returns later, or never."""
        if (person := self._somebody()) and (token := person.crash()) is not None:
            self.world.sometimes("a player stayed away")
            if (back := self._random.choice([5.0, 20.0, 35.0, None])) is not None:
                self.world.later(back, self._another, person, token)

    def second_session(self) -> None:
        if (person := self._somebody()) and person.session.token is not None and len(self.people) < 7:
            self.world.sometimes("a player came twice")
            self._another(person, person.session.token)

    def _another(self, person: Person, token: str) -> None:
        self.another(f"{person.name[:3]}{len(self.people)}", token)

    # Repeated frames

    def _captured(self, person: Person, *, closed: bool = False) -> list[Frame]:
        """Frames of commands that were carried out; with `closed`, those in rooms that have closed since."""
        frames = []
        for frame in person.captured:  # other commands would be checked again, which is right
            command = person.codec.decode_client(frame)
            entry = self.ledger.caused.get((person.player or "", command.id))
            if entry is not None and (not closed or self.ledger.books[entry.room].closed):
                frames.append(frame)
        return frames

    def send_twice(self) -> None:
        """Repeats frames on the same socket."""
        if (person := self._somebody()) and person.line is not None and person.captured:
            frames = self._captured(person)
            if frames:
                self.world.sometimes("a captured frame came again on its socket")
                person.line.send_up(self._random.choice(frames))

    def replay(self) -> None:
        """Repeats a frame on a new socket that says hello with the player's token."""
        if (person := self._somebody()) is not None:
            self._send_elsewhere(person, self._captured(person))

    def replay_closed(self) -> None:
        """Repeats frames of a closed game."""
        if (person := self._somebody()) is not None:
            self._send_elsewhere(person, self._captured(person, closed=True)[-8:])

    def _send_elsewhere(self, person: Person, frames: list[Frame]) -> None:
        if person.session.token is not None and frames:
            line = self.host.connect(Stranger(), person.codec)
            if line is not None:
                self._strangers += 1
                self.world.sometimes("captured frames came again on another socket")
                line.send_up(_hello(person.codec, person.session.token, self._strangers))
                for frame in self._random.choices(frames, k=4):
                    line.send_up(frame)
                self.world.later(self._random.uniform(1, 10), line.cut, 0.0, 0.0)


class Stranger:
    """An end of a line that ignores everything."""

    def take(self, line: Line, frame: Frame) -> None:
        pass

    def lost(self, line: Line, close_code: int | None) -> None:
        pass


def _hello(codec: Codec, token: str, count: int) -> Frame:
    id = f"stranger-{count}"
    return codec.encode({"type": "hello", "id": id, "protocol": PROTOCOL, "client": "s", "token": token})
