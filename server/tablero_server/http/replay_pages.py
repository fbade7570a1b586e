"""Replays for pages that know no rules: of a room, and of a record that somebody sends.

Law: a replay is made of the record that its asker gets, so it tells nobody more. While a game hides
something, it is made of all, and tells what the asker was shown (`SoFar`). What is sent is not kept.
"""

from __future__ import annotations

import asyncio
import gzip
from collections import OrderedDict
from hashlib import sha256

from aiohttp import web

from ..core.limits.token_buckets import Rate, TokenBuckets
from ..core.refusal import Refusal
from ..service import Service
from ..wire.http import BODY_PATH
from .api import Api
from .askers import Asker, Askers
from .pages import long_answer, takes_gzip, visitor_of
from .replays import Replays

_ROOM_SECONDS = 30.0
_FILE_SECONDS = 5.0
_ROOMS_WAITING = 32
_FILES_WAITING = 16
_FILES = Rate(5_000, 6)
"""By address."""
_LINES_LIKE_A_QUESTION = 100
"""Of a record: to replay so many costs about as much as any other question. Bytes would tell of moves."""
_KEPT_BYTES = 8_000_000


class ReplayPages:
    def __init__(self, service: Service, api: Api, askers: Askers, origins: frozenset[str]) -> None:
        self._service = service
        self._api = api
        self._askers = askers
        self._origins = origins
        """Of other sites whose pages may ask for replays of files."""
        self._of_rooms = Replays(_ROOM_SECONDS, _ROOMS_WAITING)
        self._of_files = Replays(_FILE_SECONDS, _FILES_WAITING)
        self._files: TokenBuckets[str] = TokenBuckets(_FILES)
        self._sending: set[str] = set()
        """Addresses whose record is being replayed."""
        self._making: dict[bytes, asyncio.Task[bytes]] = {}
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        """Of rooms, by the hash of the record."""

    def routes(self) -> list[web.RouteDef]:
        return [
            self._askers.page("/api/rooms/{room}/replay", self._room),
            self._askers.page(BODY_PATH, self._file, "POST"),
        ]

    async def stop(self) -> None:
        await self._of_rooms.stop()
        await self._of_files.stop()

    async def _room(self, request: web.Request, asker: Asker) -> web.Response:
        so_far, record = await self._api.to_replay(request.match_info["room"], asker)
        key = sha256(so_far + record).digest()
        made = self._kept.get(key)
        if made is None:
            self._askers.charge(asker, record.count(b"\n") // _LINES_LIKE_A_QUESTION)
            made = await asyncio.shield(self._make(key, asker, record, so_far))  # others may wait for it, too
        else:
            self._kept.move_to_end(key)
        return await _answer(request, made)

    def _make(self, key: bytes, asker: Asker, record: bytes, so_far: bytes) -> asyncio.Task[bytes]:
        """Once for all who ask meanwhile."""
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
    # A large one takes tens of milliseconds, in which a thread lets the games go on.
    told = packed if zipped else await asyncio.to_thread(gzip.decompress, packed)
    answer = long_answer(told, "application/json")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Vary"] = "Accept-Encoding"
    if zipped:
        answer.headers["Content-Encoding"] = "gzip"
    return answer
