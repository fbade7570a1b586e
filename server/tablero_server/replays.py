"""Makes replays of records, one after the other, each in a process that ends with it.

Law: the server never reads a stranger's record itself, and no process lives longer than its time. Nobody who
asks for many keeps others from theirs.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import sys
from asyncio.subprocess import PIPE
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

from . import replay_process
from .core.refusal import Refusal

_PASSED_ON = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "HOME")
"""What such a process needs to begin. It is told no setting of this server."""
_MORE_SECONDS = 1
"""Beyond its time, until the process is ended by the system."""
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
        """How long one may take, also to begin."""
        self._most_waiting = most_waiting
        self._waiting: list[WantedReplay] = []
        self._turns = count(1)
        self._last_turn: OrderedDict[str, int] = OrderedDict()
        """Of each asker; whoever had none, or had it long ago, goes first."""
        self._making: asyncio.Task[None] | None = None

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
        command = [sys.executable, "-P", "-m", replay_process.__name__]
        process = await asyncio.create_subprocess_exec(
            *command,
            str(math.ceil(self._seconds) + _MORE_SECONDS),
            *([replay_process.SO_FAR] if asked.so_far else []),
            stdin=PIPE,
            stdout=PIPE,
            env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
        )
        try:
            async with asyncio.timeout(self._seconds):
                out, _ = await process.communicate(asked.so_far + asked.record)
        except TimeoutError:
            raise Refusal("replayTooLong", seconds=round(self._seconds)) from None
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if process.returncode == replay_process.REFUSED:
            told = json.loads(out)
            reason, fields = told["reason"], told["fields"]
            raise Refusal(reason, **fields)
        if process.returncode != 0:
            raise RuntimeError(f"the process that makes a replay ended with {process.returncode}")
        return out
