"""Makes replays of records, one after the other, each in a process that ends with it.

Law: the server never reads a stranger's record itself, and no process lives longer than its time.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import sys
from asyncio.subprocess import PIPE
from contextlib import suppress

from . import replay_process
from .core.refusal import Refusal

_PASSED_ON = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "HOME")
"""What such a process needs to begin. It is told no setting of this server."""
_MORE_SECONDS = 1
"""Beyond its time, until the process is ended by the system."""


class Replays:
    def __init__(self, seconds: float, most_waiting: int) -> None:
        self._seconds = seconds
        """How long one may take, also to begin."""
        self._most_waiting = most_waiting
        self._waiting = 0
        self._one_at_a_time = asyncio.Lock()

    async def make(self, record: bytes, so_far: bytes = b"") -> bytes:
        """The replay as JSON, compressed by gzip. A Refusal, if there is none of this record, or not now.

        `so_far` is the line that goes before the record of a game that still hides something.
        """
        if self._waiting >= self._most_waiting:
            raise Refusal("manyReplays", retry_after_ms=5_000)
        self._waiting += 1
        try:
            async with self._one_at_a_time:
                return await self._make(record, so_far)
        finally:
            self._waiting -= 1

    async def _make(self, record: bytes, so_far: bytes) -> bytes:
        command = [sys.executable, "-P", "-m", replay_process.__name__]
        process = await asyncio.create_subprocess_exec(
            *command,
            str(math.ceil(self._seconds) + _MORE_SECONDS),
            *([replay_process.SO_FAR] if so_far else []),
            stdin=PIPE,
            stdout=PIPE,
            env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
        )
        try:
            async with asyncio.timeout(self._seconds):
                out, _ = await process.communicate(so_far + record)
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
