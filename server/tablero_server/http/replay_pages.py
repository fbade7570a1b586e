"""Replays for pages that don't know the rules: of a room, or of a record that the request contains.

Law: a replay is made from the record that its asker may get, so it shows nothing more. While a game hides
something, the replay is made from the whole game and shows what the asker saw (`SoFar`). Sent records are not
stored.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import signal
import socket
import sys
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from subprocess import Popen

from aiohttp import web

from ..core.limits.limits import Rate
from ..core.limits.rate_limits import TokenBuckets
from ..core.refusal import Refusal
from ..processes import replay_process
from ..service import Service
from .askers import Asker, Askers
from .openapi import REPLAY, REPLAY_OF_A_FILE
from .pages import long_answer, takes_gzip, visitor_of
from .record_pages import RecordPages

_PASSED_ON = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "HOME")
"""The environment variables that the helper needs. It gets no settings of this server."""
_MORE_SECONDS = 5
"""The seconds after a replay's time limit before its helper is killed, too."""
_MOST_ASKERS = 1_000
"""The number of askers whose last turn is remembered."""


@dataclass(eq=False, slots=True)
class WantedReplay:
    asker: str
    record: bytes
    so_far: bytes
    made: asyncio.Future[bytes]


class Replays:
    def __init__(self, seconds: float, most_waiting: int) -> None:
        self._seconds = seconds
        """The time limit of one replay."""
        self._most_waiting = most_waiting
        self._waiting: list[WantedReplay] = []
        self._turns = count(1)
        self._last_turn: OrderedDict[str, int] = OrderedDict()
        """The last turn of each asker. Next comes the asker without a turn, or with the oldest turn."""
        self._making: asyncio.Task[None] | None = None
        self._helper: _Helper | None = None

    async def make(self, asker: str, record: bytes, so_far: bytes = b"") -> bytes:
        """The replay as JSON, compressed by gzip. Raises Refusal if the record is invalid, or if too many
        requests wait.

        `so_far` is the line before the record of a game that still hides something.
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
        """Drops a request if too many requests wait: the newest one of the asker who has the most. If several
        askers have the most, the one who was served most recently loses a request.
        """
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
            await self._end_helper()  # a part of the record may be unread on the line
            raise RuntimeError(f"the process that makes a replay ended with {code}")
        return out

    async def _end_helper(self) -> None:
        helper, self._helper = self._helper, None
        if helper is not None:
            await helper.end()


class _Helper:
    """A process that forks a child for each replay.

    uvloop would fork the server itself, and every game would pause while its page tables are copied.
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
        """Kills the helper and its children."""
        self._writer.close()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await asyncio.to_thread(self._process.wait)


def _started(line: socket.socket) -> Popen[bytes]:
    """Starts the helper in a separate session: Ctrl-C reaches only the server, which then ends the helper."""
    command = [sys.executable, "-P", "-m", replay_process.MODULE]
    known = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    # Popen uses vfork, which does not copy page tables.
    return Popen(  # noqa: S603 - a fixed command
        command, stdin=line.fileno(), stdout=line.fileno(), env=known, start_new_session=True
    )


_ROOM_SECONDS = 30.0
_FILE_SECONDS = 5.0
_ROOMS_WAITING = 32
_FILES_WAITING = 16
_FILES = Rate(5_000, 6)
"""The rate of uploaded records, by address."""
_LINES_LIKE_A_QUESTION = 100
"""The number of lines in a record whose replay costs as much as another request. A count of bytes would
reveal moves.
"""
_KEPT_BYTES = 8_000_000


class ReplayPages:
    def __init__(
        self, service: Service, records: RecordPages, askers: Askers, origins: frozenset[str]
    ) -> None:
        self._service = service
        self._records = records
        self._askers = askers
        self._origins = origins
        """The other sites whose pages may ask for replays of files."""
        self._of_rooms = Replays(_ROOM_SECONDS, _ROOMS_WAITING)
        self._of_files = Replays(_FILE_SECONDS, _FILES_WAITING)
        self._files: TokenBuckets[str] = TokenBuckets(_FILES)
        self._sending: set[str] = set()
        """Addresses whose uploaded record is being replayed."""
        self._making: dict[bytes, asyncio.Task[bytes]] = {}
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        """The replays of rooms, by the hash of the record."""

    def routes(self) -> list[web.RouteDef]:
        return [
            self._askers.page(REPLAY, self._room),
            self._askers.page(REPLAY_OF_A_FILE, self._file),
        ]

    async def stop(self) -> None:
        await self._of_rooms.stop()
        await self._of_files.stop()

    async def _room(self, request: web.Request, asker: Asker) -> web.Response:
        so_far, record = await self._records.to_replay(request.match_info["room"], asker)
        key = sha256(so_far + record).digest()
        made = self._kept.get(key)
        if made is None:
            self._askers.charge(asker, record.count(b"\n") // _LINES_LIKE_A_QUESTION)
            # other askers may wait for the same replay
            made = await asyncio.shield(self._make(key, asker, record, so_far))
        else:
            self._kept.move_to_end(key)
        return await _answer(request, made)

    def _make(self, key: bytes, asker: Asker, record: bytes, so_far: bytes) -> asyncio.Task[bytes]:
        """Starts a replay, or returns the running one for the same record."""
        if key not in self._making:
            made = self._of_rooms.make(asker.address, record, so_far)
            task = self._making[key] = asyncio.create_task(made)
            task.add_done_callback(lambda _: self._keep(key, task))
        return self._making[key]

    def _keep(self, key: bytes, task: asyncio.Task[bytes]) -> None:
        del self._making[key]
        if task.cancelled() or task.exception() is not None:
            return
        self._kept[key] = task.result()
        while sum(map(len, self._kept.values())) > _KEPT_BYTES:
            self._kept.popitem(last=False)

    async def _file(self, request: web.Request, asker: Asker) -> web.Response:
        if not visitor_of(request).has_our_origin(self._origins):
            raise Refusal("foreignPage")
        wait = self._files.take(asker.address, self._service.now())
        if wait or asker.address in self._sending:
            raise Refusal("asksTooOften", retry_after_ms=wait or 1_000)
        self._sending.add(asker.address)
        try:
            return await _answer(request, await self._of_files.make(asker.address, await request.read()))
        finally:
            self._sending.discard(asker.address)


async def _answer(request: web.Request, packed: bytes) -> web.Response:
    zipped = takes_gzip(request)
    # Compressing a large replay takes tens of milliseconds; in a thread it does not delay games.
    told = packed if zipped else await asyncio.to_thread(gzip.decompress, packed)
    answer = long_answer(told, "application/json")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Vary"] = "Accept-Encoding"
    if zipped:
        answer.headers["Content-Encoding"] = "gzip"
    return answer
