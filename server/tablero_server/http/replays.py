"""Makes replays of records, one after the other, each in a process that ends with it.

Law: the server never reads a stranger's record itself, and no process lives longer than its time. Nobody who
asks for many keeps others from theirs.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from subprocess import Popen

from ..core.refusal import Refusal
from ..processes import replay_process

_PASSED_ON = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "HOME")
"""What such a process needs to begin. It is told no setting of this server."""
_MORE_SECONDS = 5
"""Beyond its time, until the helper that should have ended a process is ended itself."""
_MOST_ASKERS = 1_000
"""That are remembered."""


@dataclass(eq=False, slots=True)
class WantedReplay:
    asker: str
    record: bytes
    so_far: bytes
    made: asyncio.Future[bytes]


class Replays:
    def __init__(self, seconds: float, most_waiting: int) -> None:
        self._seconds = seconds
        """How long one may take."""
        self._most_waiting = most_waiting
        self._waiting: list[WantedReplay] = []
        self._turns = count(1)
        self._last_turn: OrderedDict[str, int] = OrderedDict()
        """Of each asker; whoever had none, or had it long ago, goes first."""
        self._making: asyncio.Task[None] | None = None
        self._helper: _Helper | None = None

    async def make(self, asker: str, record: bytes, so_far: bytes = b"") -> bytes:
        """The replay as JSON, compressed by gzip. A Refusal, if there is none of this record, or not now.

        `so_far` is the line that goes before the record of a game that still hides something.
        """
        self._make_place(asker)
        asked = WantedReplay(asker, record, so_far, asyncio.get_running_loop().create_future())
        self._waiting.append(asked)
        if self._making is None or self._making.done():
            self._making = asyncio.create_task(self._make_all())
        try:
            return await asked.made
        finally:
            if asked in self._waiting:
                self._waiting.remove(asked)

    async def stop(self) -> None:
        if self._making is not None:
            self._making.cancel()
            await asyncio.gather(self._making, return_exceptions=True)
        await self._end_helper()

    def _make_place(self, asker: str) -> None:
        """Where too many wait, the asker with the most waiting, or served last, loses the newest one."""
        if len(self._waiting) < self._most_waiting:
            return
        last = max(reversed(self._waiting), key=lambda asked: self._claims(asked.asker))
        waiting, turn = self._claims(asker)
        refusal = Refusal("manyReplays", retry_after_ms=5_000)
        if self._claims(last.asker) <= (waiting + 1, turn):
            raise refusal
        self._waiting.remove(last)
        last.made.set_exception(refusal)

    def _claims(self, asker: str) -> tuple[int, int]:
        return sum(asked.asker == asker for asked in self._waiting), self._last_turn.get(asker, 0)

    async def _make_all(self) -> None:
        while self._waiting:
            asked = min(self._waiting, key=lambda asked: self._last_turn.get(asked.asker, 0))
            self._waiting.remove(asked)
            self._last_turn[asked.asker] = next(self._turns)
            self._last_turn.move_to_end(asked.asker)
            if len(self._last_turn) > _MOST_ASKERS:
                self._last_turn.popitem(last=False)
            try:
                made = await self._make(asked)
            except Exception as error:
                if not asked.made.done():
                    asked.made.set_exception(error)
            else:
                if not asked.made.done():
                    asked.made.set_result(made)

    async def _make(self, asked: WantedReplay) -> bytes:
        too_long = Refusal("replayTooLong", seconds=round(self._seconds))
        try:
            async with asyncio.timeout(self._seconds + _MORE_SECONDS):
                helper = self._helper = self._helper or await _Helper.started()
                code, out = await helper.make(self._seconds, asked.so_far, asked.record)
        except TimeoutError:
            await self._end_helper()
            raise too_long from None
        except (EOFError, ValueError, OSError) as error:
            await self._end_helper()
            raise RuntimeError("the process that makes replays has ended") from error
        if code == -signal.SIGALRM:
            raise too_long
        if code == replay_process.REFUSED:
            told = json.loads(out)
            reason, fields = told["reason"], told["fields"]
            raise Refusal(reason, **fields)
        if code != 0:
            await self._end_helper()  # it may have left a part of the record on the line
            raise RuntimeError(f"the process that makes a replay ended with {code}")
        return out

    async def _end_helper(self) -> None:
        helper, self._helper = self._helper, None
        if helper is not None:
            await helper.end()


class _Helper:
    """A process that forks one for each replay, and stays.

    uvloop would fork the server itself for each, which stops every game while its page tables are copied.
    """

    def __init__(
        self, process: Popen[bytes], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._process = process
        self._reader = reader
        self._writer = writer

    @classmethod
    async def started(cls) -> _Helper:
        ours, theirs = socket.socketpair()
        with theirs:
            process = _started(theirs)
        return cls(process, *await asyncio.open_connection(sock=ours))

    async def make(self, seconds: float, so_far: bytes, record: bytes) -> tuple[int, bytes]:
        numbers = round(seconds * 1_000), len(so_far), len(record)
        self._writer.write(b"+%d %d %d\n" % numbers + so_far + record)
        await self._writer.drain()
        code, length = map(int, (await self._reader.readline()).split())
        return code, await self._reader.readexactly(length)

    async def end(self) -> None:
        """With what it has forked."""
        self._writer.close()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await asyncio.to_thread(self._process.wait)


def _started(line: socket.socket) -> Popen[bytes]:
    """In a session of its own: Ctrl-C is for the server, which ends this, too."""
    command = [sys.executable, "-P", "-m", replay_process.__name__]
    known = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    # Popen uses vfork, which copies nothing.
    return Popen(  # noqa: S603 - a fixed command
        command, stdin=line.fileno(), stdout=line.fileno(), env=known, start_new_session=True
    )
