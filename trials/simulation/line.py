"""One connection between a client and the server: a stream of frames in each direction, delayed, and
sometimes cut.

Law: a stream behaves like TCP on a bad network. Frames arrive in order, each once, until the stream breaks;
later frames are lost. For a client, frames can only be lost, repeated or overtaken by a cut line, a new
connection, and repeated commands.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from tablero_protocol.codec import Codec, Frame
from tablero_protocol.codes import Close
from trials.simulation.world import World


class End(Protocol):
    """An object at one end of a line."""

    def take(self, line: Line, frame: Frame) -> None: ...

    def lost(self, line: Line, close_code: int | None) -> None:
        """Called once, when the line has ended."""


@dataclass(eq=False)
class Stream:
    """One direction of a line."""

    end: End
    on_its_way: deque[Frame | Close] = field(default_factory=deque)
    arrives: float = 0.0
    """The arrival time of the last frame on its way."""
    told: bool = False
    """Whether the receiver was told that the line has ended."""


class Line:
    def __init__(
        self, world: World, random: Random, codec: Codec, client: End, server: End, slowness: float
    ) -> None:
        self.codec = codec
        self.broken = False
        """Whether the line is broken, even if neither end has noticed."""
        self._world = world
        self._random = random
        self._slowness = slowness
        self._stalled_until = 0.0
        self._up = Stream(server)
        self._down = Stream(client)

    # Called by the two ends

    def send_up(self, frame: Frame) -> None:
        self._send(self._up, frame)

    def send_down(self, frame: Frame | Close) -> None:
        """Sends a frame to the client. A `Close` ends the stream when it arrives."""
        self._send(self._down, frame)

    @property
    def waiting_down(self) -> int:
        """The number of frames that wait in the server because the client does not read."""
        return len(self._down.on_its_way) if self._world.now < self._stalled_until else 0

    def hang_up(self, end: End) -> None:
        """Ends the line at one end. The other end is told, unless the line is broken."""
        mine, other = (self._down, self._up) if end is self._down.end else (self._up, self._down)
        mine.told = True
        if not self.broken:
            self.broken = True
            self._tell_after(other, self._latency())

    # Called by the network

    def cut(self, client_hears_after: float | None, server_hears_after: float | None) -> None:
        """Breaks the line; frames on their way are lost. An end whose argument is None is not told, and must
        notice the break later.
        """
        if not self.broken:
            self.broken = True
            for stream, after in ((self._down, client_hears_after), (self._up, server_hears_after)):
                if after is not None:
                    self._tell_after(stream, after)

    def stall(self, seconds: float) -> None:
        """Stops the client's reading for a while."""
        self._stalled_until = self._world.now + seconds
        self._down.arrives = max(self._down.arrives, self._stalled_until)

    # Delivery

    def _send(self, stream: Stream, frame: Frame | Close) -> None:
        if self.broken:
            return
        stream.arrives = max(stream.arrives, self._world.now + self._latency())
        stream.on_its_way.append(frame)
        self._world.loop.call_at(stream.arrives, self._arrive, stream)

    def _arrive(self, stream: Stream) -> None:
        if self.broken or stream.told:
            return
        frame = stream.on_its_way.popleft()  # whichever timer rings, the oldest frame arrives
        if isinstance(frame, Close):
            self.broken = stream.told = True
            stream.end.lost(self, frame.value)
            self._tell_after(self._up, self._latency())
        else:
            stream.end.take(self, frame)

    def _tell_after(self, stream: Stream, seconds: float) -> None:
        self._world.later(seconds, self._tell, stream)

    def _tell(self, stream: Stream) -> None:
        if not stream.told:
            stream.told = True
            stream.end.lost(self, None)

    def _latency(self) -> float:
        return self._random.expovariate(1 / self._slowness)


Dial = Callable[[End, Codec], Line | None]
"""A function that connects to the server, if it is running."""
