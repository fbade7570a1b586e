"""Correspondence games that no one has open, each stored as the bytes of its log and a few facts.

Law: a packed room has no viewer and is durable. Unpacking restores exactly the room that was packed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple
from zlib import compress, decompress

from msgpack import packb, unpackb

from tablero_protocol.messages import ClientMessage

from ..alarms import RoomAlarms
from ..effects import PeerId
from ..entry import Cause, Damaged, Entry, Kind, turn_body
from ..limits.limits import Limits
from ..people.accounts import Accounts
from ..people.session import Session
from ..room.clock import Clock
from ..room.outline import Outline
from ..room.replay import folding
from ..room.room import Room
from ..room.state import PLAYING

_ENTRIES_AT_ONCE = 16
"""The number of entries unpacked in one step, which takes about half a millisecond."""


class AtRest(Exception):
    """Raised when a room must be unpacked before a command can be carried out. Nothing has changed yet."""

    def __init__(self, room: str) -> None:
        self.room = room


class Waiting(NamedTuple):
    """A command that is carried out once its room is loaded."""

    peer: PeerId
    session: Session
    message: ClientMessage


class Unpacking:
    def __init__(
        self,
        packed: PackedRooms,
        load: Callable[[Room], object],
        damaged: dict[str, str],
    ) -> None:
        self._packed = packed
        self._load = load
        self._damaged = damaged
        """Rooms that cannot be read, with the error."""
        self.wanted: dict[str, list[Waiting]] = {}
        """The waiting commands by room, in order of arrival."""
        self._by_players: dict[str, None] = {}
        self._begun = ""
        """The room that is being unpacked; empty if there is none."""
        self._steps: Iterator[Room] = iter(())

    def want(self, room: str, waiting: Waiting | None = None) -> None:
        """Requests that a room is unpacked: for the command `waiting`, or else for the room's clock."""
        asked = self.wanted.setdefault(room, [])
        if waiting is not None:
            asked.append(waiting)
            if room in waiting.session.account.rooms:
                self._by_players[room] = None

    def go_on(self) -> tuple[str, list[Waiting]] | None:
        """Unpacks a few entries of the next room. Once a room is loaded, returns its id and the commands that
        waited.
        """
        id = self._begun or next(iter(self._by_players or self.wanted))
        if id in self._packed:  # otherwise a command of the host has loaded it meanwhile
            if not self._begun:
                self._begun, self._steps = id, self._packed.folding(id)
            if not self._take(id, islice(self._steps, _ENTRIES_AT_ONCE)):
                return None
        self._begun = ""
        self._by_players.pop(id, None)
        return id, self.wanted.pop(id)

    def at_once(self, id: str) -> None:
        """Unpacks a whole room."""
        self._take(id, self._packed.folding(id))

    def _take(self, id: str, steps: Iterator[Room]) -> bool:
        """Takes the steps. Returns whether the room is now loaded, or set aside as damaged."""
        try:
            *_, room = steps
        except Damaged as damage:
            self._packed.remove(id)
            self._damaged[id] = str(damage)
            return True
        if len(room.log) < self._packed.size(id):
            return False
        self._packed.remove(id)
        self._load(room)
        return True


_PLIES: frozenset[Kind] = frozenset({"turn", "tookBack"})
_ENDINGS: frozenset[Kind] = frozenset({"withdrew", "drawn", "aborted"})


class PackedRoom(NamedTuple):
    log: bytes
    outline: bytes
    code: str | None
    entries: int
    entries_of: tuple[tuple[str, int], ...]
    """The members, each with the number of entries that their commands caused."""
    clock: Clock


class PackedRooms:
    def __init__(
        self, accounts: Accounts, alarms: RoomAlarms, by_code: dict[str, str], limits: Limits
    ) -> None:
        self._accounts = accounts
        self._alarms = alarms
        self._by_code = by_code
        self._limits = limits
        self._rooms: dict[str, PackedRoom] = {}
        self.entries = 0
        """The number of entries of all packed rooms."""

    def __contains__(self, id: object) -> bool:
        return id in self._rooms

    def __len__(self) -> int:
        return len(self._rooms)

    def __iter__(self) -> Iterator[str]:
        return iter(self._rooms)

    def log(self, id: str) -> list[Entry]:
        return list(_unpacking(id, self._rooms[id].log))

    def folding(self, id: str) -> Iterator[Room]:
        """The room after each entry of its log; the last one is the room that was packed. Raises Damaged."""
        packed = self._rooms[id]
        for room in folding(_unpacking(id, packed.log)):
            if len(room.log) == packed.entries:
                room.clock = packed.clock
            yield room

    def outline(self, id: str) -> Outline:
        return Outline(*unpackb(self._rooms[id].outline))

    def size(self, id: str) -> int:
        """The number of entries in the room's log."""
        return self._rooms[id].entries

    def code(self, id: str) -> str | None:
        return self._rooms[id].code

    def clock(self, id: str) -> Clock:
        return self._rooms[id].clock

    def takes(self, room: Room, now: int) -> bool:
        """Whether a room without viewers may be packed."""
        clock = room.clock
        return clock is not None and not (clock.first or clock.waiting) and self._is_idle(room, now)

    def pack(self, room: Room) -> None:
        assert room.clock is not None
        self._add(room, Outline.of(room), room.clock)

    def pack_log(self, log: list[Entry], seen: int, now: int) -> bool:
        """Packs a room when the server starts, at `now`, without replaying its game. Returns whether that was
        possible.

        It is impossible for an older log that does not store whose turn it is. `seen` is the newest time in
        any log.
        """
        room, to_move = _without_plies(log), _to_move(log)
        if room is None or to_move is None or room.clock is None:
            return False
        if not self._is_idle(room, seen) or room.members.keys() - self._accounts.by_id.keys():
            return False
        last, clock = log[-1], replace(room.clock, first={})
        room.clock = clock.turned(last.clocks or clock.remaining, frozenset(to_move), None, last.seq, last.at)
        room.clock = room.clock_since(now, self._limits.grace_ms)
        assert room.clock is not None
        self._add(room, Outline.of(room)._replace(to_move=to_move), room.clock)
        return True

    def remove(self, id: str) -> None:
        """Removes a room that was loaded or set aside."""
        packed = self._rooms.pop(id)
        self._alarms.cancel(id)
        self._by_code.pop(packed.code or "", None)
        self.entries -= packed.entries
        for player, count in packed.entries_of:
            if (account := self._accounts.by_id.get(player)) is not None:
                account.packed_entries -= count
                account.rooms.discard(id)

    def _is_idle(self, room: Room, now: int) -> bool:
        """Whether the room is only needed when its clock runs out, and there is space to pack it."""
        quiet = now - room.log[-1].at >= self._limits.session_memory_ms
        place = self.entries + len(room.log) <= self._limits.packed_entries
        short = len(room.log) <= self._limits.packed_log
        plays = room.state is PLAYING and room.is_correspondence and room.paused_until is None
        return quiet and place and short and plays and room.members.keys() == room.playing()

    def _add(self, room: Room, outline: Outline, clock: Clock) -> None:
        log = room.log
        counts = Counter(entry.cause.player for entry in log if entry.cause is not None)
        packed = self._rooms[room.id] = PackedRoom(
            log=_pack_log(log),
            outline=packb(outline),
            code=room.code,
            entries=len(log),
            entries_of=tuple((player, counts[player]) for player in room.members),
            clock=clock,
        )
        self._alarms.set_at("flag", room.id, clock.flag_at())
        if room.code is not None:
            self._by_code[room.code] = room.id
        self.entries += len(log)
        for player, count in packed.entries_of:
            account = self._accounts.by_id[player]
            account.packed_entries += count
            account.rooms.add(room.id)


def _without_plies(log: list[Entry]) -> Room | None:
    """The room without its moves. None unless it is a running game in which every seat has moved."""
    kinds = {entry.kind for entry in log}
    if "started" not in kinds or not kinds.isdisjoint(_ENDINGS):
        return None
    room = Room(log[0].room)
    try:
        for entry in log:
            if entry.kind not in _PLIES:
                room.apply(entry)
    except Exception:  # a later replay reports the damage
        return None
    moved = {entry.seat for entry in log if entry.kind == "turn"}
    room.log = log
    return room if moved == set(range(len(room.seats))) else None


def _to_move(log: list[Entry]) -> list[int] | None:
    """The seats to move in a running game, or None if the log does not have them."""
    last = next((entry for entry in reversed(log) if entry.kind in _PLIES), None)
    if last is not None and last.kind == "tookBack" and last.seat is not None:
        return [last.seat]
    return None if last is None else last.body.get("toMove")


def _pack_log(log: list[Entry]) -> bytes:
    rows = [(each.kind, each.at, each.cause, each.seat, each.body, each.clocks) for each in log]
    return compress(packb(rows), 1)


def _unpacking(id: str, packed: bytes) -> Iterator[Entry]:
    names: dict[str, Any] = {}
    for seq, (kind, at, cause, seat, body, clocks) in enumerate(unpackb(decompress(packed))):
        what = body
        if kind == "turn":
            what = turn_body(body["move"], body.get("lag", 0), tuple(body.get("toMove", ())))
        by = None if cause is None else Cause(names.setdefault(cause[0], cause[0]), *cause[1:])
        left = None if clocks is None else tuple(clocks)
        yield Entry(id, seq, names.setdefault(kind, kind), at, by, seat, what, left)
