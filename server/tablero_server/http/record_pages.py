"""Records of games as pages: of one room, and of all games of a player.

Law: a record of any length delays a move by at most one slice of work. A record is made in slices, in turns
of the event loop. A thread would hold the interpreter for longer than a slice, and a process would first need
the whole log.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable
from contextlib import asynccontextmanager
from typing import NamedTuple, TypeVar

import structlog
from aiohttp import web

from tablero_games import Seat
from tablero_games.record.commitment import opening
from tablero_games.record.file import Played, RecordedTurn, lines

from ..core.entry import Damaged, Entry, Kind
from ..core.people.session import Account
from ..core.refusal import Message, Refusal
from ..core.room.outline import Outline
from ..core.room.replay import folding
from ..core.room.room import Room
from ..core.room.state import CLOSED, FINISHED
from ..core.seats.resume import TURNS, heard
from ..journal.journal import Journal, NotRead
from ..journal.questions import NEWEST, Cursor, games_of
from ..journal.rows import placings_from
from ..service import Service
from .askers import Asker, Askers
from .openapi import OWN_GAMES, RECORD, RECORDS
from .pages import long_answer

log = structlog.get_logger("tablero.games")

_RECORDED: frozenset[Kind] = TURNS | {"paused", "continued", "addedTime"}


def export(room: Room, seats: Collection[Seat]) -> Played:
    """The record of `room` as the player of `seats` may see it. Raises Refusal before the start.

    The record ends at the entry that is now the newest, even if its turns are read and made later.
    """
    play = room.play
    if play is None:
        raise Refusal("noRecordYet")
    start = next(entry for entry in room.log if entry.kind == "started")
    turns = (
        _turn(entry, start.at, None if entry.kind != "turn" else heard(play, entry, seats))
        for entry in room.log[:]
        if entry.kind in _RECORDED
    )
    return Played(
        game=room.game,
        options=room.options,
        names=[_name(player) for player in room.seated],
        seed=room.seed,
        turns=turns,
        outcome=play.position.outcome,
        prepared=room.prepared,
        clock=room.clock_terms,
        room=room.id,
        epoch=room.epoch,
        started=start.at,
    )


def _turn(entry: Entry, start: int, move: str | None) -> RecordedTurn:
    kind, reason = entry.kind, entry.body.get("reason")
    return RecordedTurn(
        seat=None if kind in ("drawn", "aborted") else entry.seat,
        move=move,
        lag=entry.body.get("lag"),
        withdrew=reason if kind == "withdrew" else None,
        took_back=entry.body["plies"] if kind == "tookBack" else None,
        drawn=(reason or True) if kind == "drawn" else None,
        aborted=reason if kind == "aborted" else None,
        paused=entry.body["until"] - entry.at if kind == "paused" else None,
        continued=True if kind == "continued" else None,
        added_time=entry.body["ms"] if kind == "addedTime" else None,
        at=max(0, entry.at - start),
        clocks=None if entry.clocks is None else list(entry.clocks),
    )


def _name(player: Message | None) -> str | None:
    """The player's name; for a bot, with the level that it was asked to play."""
    if player is None:
        return None
    return f"{player['name']} ({player['level']})" if "level" in player else str(player["name"])


_TURNS_LIKE_A_QUESTION = 200
"""The number of turns in a record that cost about as much as another request."""
_ENTRIES_LIKE_A_QUESTION = 25
"""The number of entries in a packed room that cost about as much as another request."""
_OVER = (FINISHED.value, CLOSED.value)
_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")


_SLICE_SECONDS = 0.0005
_PAUSE_SECONDS = 0.002
"""The pause between two slices, for other work of the event loop."""
_MOST_WAITING = 32
_KEPT_BYTES = 8_000_000
_KEPT_ENTRIES = 20_000
"""The most entries of closed and packed rooms that are kept for readers; about 800 bytes each."""

Step = TypeVar("Step")
Key = tuple[object, ...]


class Records:
    def __init__(self) -> None:
        self._texts: OrderedDict[Key, bytes] = OrderedDict()
        self._rooms: OrderedDict[Key, Room] = OrderedDict()
        """Closed rooms by id, packed ones by id and size."""
        self._one_at_a_time = asyncio.Lock()
        self._waiting = 0

    def kept(self, key: Key) -> bytes | None:
        """The record, if it was made before."""
        if key in self._texts:
            self._texts.move_to_end(key)
        return self._texts.get(key)

    async def make(self, key: Key, text: Iterable[str]) -> bytes:
        """The record; `text` yields its lines."""
        async with self._turn():
            if (kept := self.kept(key)) is not None:
                return kept
            whole = self._texts[key] = "".join(await in_slices(text)).encode()
            while sum(map(len, self._texts.values())) > _KEPT_BYTES:
                self._texts.popitem(last=False)
            return whole

    async def closed_room(self, id: str, load: Callable[[str], Awaitable[list[Entry]]]) -> Room | None:
        """The room as it was when it closed, or None; `load` reads its log. Raises Damaged."""
        if (kept := self.kept_room((id,))) is not None:
            return kept
        async with self._turn():  # only one log is loaded at a time
            log = await load(id)
            return await self._keep((id,), folding(log)) if log else None

    async def packed_room(self, key: Key, folded: Iterable[Room]) -> Room:
        """A copy of a packed room; `folded` yields the room after each entry. Raises Damaged."""
        async with self._turn():
            return self.kept_room(key) or await self._keep(key, folded)

    def kept_room(self, key: Key) -> Room | None:
        """The room, if it was built before."""
        if key in self._rooms:
            self._rooms.move_to_end(key)
        return self._rooms.get(key)

    async def _keep(self, key: Key, folded: Iterable[Room]) -> Room:
        *_, room = await in_slices(folded)
        self._rooms[key] = room
        while sum(len(each.log) for each in self._rooms.values()) > _KEPT_ENTRIES:
            self._rooms.popitem(last=False)
        return room

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Waits for earlier requests. Raises Refusal if too many requests wait."""
        if self._waiting >= _MOST_WAITING:
            raise Refusal("manyRecords", retry_after_ms=5_000)
        self._waiting += 1
        try:
            async with self._one_at_a_time:
                yield
        finally:
            self._waiting -= 1


async def in_slices(steps: Iterable[Step]) -> list[Step]:
    """Takes all steps, with a pause for other work after each slice of time."""
    taken: list[Step] = []
    until = time.perf_counter() + _SLICE_SECONDS
    for step in steps:
        taken.append(step)
        if time.perf_counter() >= until:
            await asyncio.sleep(_PAUSE_SECONDS)
            until = time.perf_counter() + _SLICE_SECONDS
    return taken


class RecordParts(NamedTuple):
    """The data that a record is made from."""

    key: Key
    ply: int
    played: Played
    so_far: bytes = b""
    """The line before the record in the input of the replay process, if the game hides something."""


class RecordPages:
    def __init__(self, service: Service, journal: Journal, askers: Askers) -> None:
        self._service = service
        self._hub = service.hub
        self._journal = journal
        self._askers = askers
        self._records = Records()

    def routes(self) -> list[web.RouteDef]:
        return [self._askers.page(RECORD, self._record)]

    async def _record(self, request: web.Request, asker: Asker) -> web.Response:
        """The room's game so far."""
        answer = long_answer(await self.record(request.match_info["room"], asker), RECORDS)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    async def record(self, id: str, asker: Asker) -> bytes:
        """The record as `asker` may see it. Raises Refusal if there is none."""
        return await self._text(await self._source(id, asker, for_record), asker)

    async def to_replay(self, id: str, asker: Asker) -> tuple[bytes, bytes]:
        """The input of the replay process for `asker`: `SoFar` or nothing, and a record."""
        source = await self._source(id, asker, for_replay)
        return source.so_far, await self._text(source, asker)

    async def _source(
        self, id: str, asker: Asker, made: Callable[[Room, list[Seat]], RecordParts]
    ) -> RecordParts:
        """The parts of a record that `made` returns, once all of the room's entries are saved."""
        while True:
            room = await self._room(id, asker)
            source = made(room, _seats(room, asker.account))
            await self._service.settled()
            views = self._hub.rooms.open.get(id)
            if views is None or views.room is room:
                return source  # otherwise the room was rolled back meanwhile

    async def _text(self, source: RecordParts, asker: Asker) -> bytes:
        if (kept := self._records.kept(source.key)) is not None:
            return kept
        self._askers.charge(asker, source.ply // _TURNS_LIKE_A_QUESTION)
        return await self._records.make(source.key, lines(source.played))

    async def _room(self, id: str, asker: Asker) -> Room:
        """The room: open, packed, or as it was when it closed."""
        rooms = self._hub.rooms
        if (views := rooms.open.get(id)) is not None:
            return views.room
        try:
            if id in rooms.packed:
                return await self._packed_room(id, asker)
            room = await self._records.closed_room(id, self._journal.log) if _ID.fullmatch(id) else None
        except Damaged:
            raise Refusal("damagedLog") from None
        if room is None:
            raise Refusal("neverARoom")
        return room

    async def _packed_room(self, id: str, asker: Asker) -> Room:
        """A copy of a packed room. An asker who may not read it is refused before the work."""
        packed = self._hub.rooms.packed
        _check_may_read(packed.outline(id), known=asker.account is not None and id in asker.account.rooms)
        key = (id, packed.size(id))
        if (kept := self._records.kept_room(key)) is not None:
            return kept
        self._askers.charge(asker, packed.size(id) // _ENTRIES_LIKE_A_QUESTION)
        return await self._records.packed_room(key, packed.folding(id))


def _check_may_read(room: Outline, *, known: bool) -> None:
    """Refuses the record of a private or hidden game, unless the asker is `known` as one of its members."""
    if known:
        return
    if room.private:
        raise Refusal("neverARoom")
    if room.watchers is None and room.state not in _OVER:
        raise Refusal("noWatchers")


def _seats(room: Room, account: Account | None) -> list[Seat]:
    """The seats of the asker. Raises Refusal if the asker may not read the record."""
    known = account is not None and (account.id in room.members or account.id in room.seats)
    _check_may_read(Outline.of(room), known=known)
    return room.seats_of(account.id) if account and known else []


def for_record(room: Room, seats: list[Seat]) -> RecordParts:
    """The parts of the record that the player of `seats` may see."""
    key = (room.id, room.epoch, room.head, tuple(seats) if room.game.hidden else ())
    return RecordParts(key, room.ply, export(room, seats))


def for_replay(room: Room, seats: list[Seat]) -> RecordParts:
    """The parts for a replay, with hidden information; the replay process shows only what those seats saw."""
    source = for_record(room, seats)
    if not room.game.hidden or source.played.outcome is not None:
        return source
    opened = {**opening(room.seed), "prepared": room.prepared}
    so_far = json.dumps({"seats": seats, "opened": opened}).encode() + b"\n"
    return RecordParts(
        (room.id, room.epoch, room.head), room.ply, export(room, range(len(room.seats))), so_far
    )


_A_PAGE = 50
_MOST_PAGES = 40
"""The most pages of games in one file; the newest games come first."""
_WAIT_SECONDS = 0.5


class OwnGames:
    def __init__(self, service: Service, journal: Journal, records: RecordPages, askers: Askers) -> None:
        self._service = service
        self._journal = journal
        self._records = records
        self._askers = askers

    def routes(self) -> list[web.RouteDef]:
        return [self._askers.page(OWN_GAMES, self._file)]

    async def _file(self, request: web.Request, asker: Asker) -> web.StreamResponse:
        account = asker.account
        if account is None or self._service.hub.accounts.called(request.match_info["player"]) is not account:
            raise Refusal("notYourGames")
        headers = {"Content-Type": RECORDS, "Cache-Control": "no-store"}
        file = web.StreamResponse(headers=headers)
        rooms, after = await self._rooms(account.id, NEWEST)
        await file.prepare(request)
        for _ in range(_MOST_PAGES):
            self._askers.charge(asker, 1)
            for room in rooms:
                await file.write(await self._record(room, asker))
            if len(rooms) < _A_PAGE:
                break
            rooms, after = await self._rooms(account.id, after)
        await file.write_eof()
        return file

    async def _rooms(self, player: str, after: Cursor) -> tuple[list[str], Cursor]:
        """The rooms of the next older games, and the cursor for the page after them."""
        try:
            rows = await self._journal.read(games_of(player, player, after, _A_PAGE))
        except NotRead:
            raise Refusal("notRead", retry_after_ms=1_000) from None
        places = list(dict.fromkeys(Cursor(placing.at, placing.room) for placing in placings_from(rows)))
        return [place.room for place in places], places[-1] if places else after

    async def _record(self, room: str, asker: Asker) -> bytes:
        while True:
            try:
                return await self._records.record(room, asker)
            except Refusal as refusal:
                if refusal.retry_after_ms is None:  # the stored log of this game is damaged
                    log.warning("a record is left out", room=room, why=refusal.reason)
                    return b""
                await asyncio.sleep(_WAIT_SECONDS)
