"""Convert between core effects and database rows. No database access.

Law: an entry that is read equals the entry that was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgpack

from ..core.effects import Effects
from ..core.entry import (
    Cause,
    Damaged,
    EndedToken,
    Entry,
    Forgotten,
    Lifted,
    Placing,
    Rerated,
    Sanction,
    SavedMute,
    SavedPlayer,
    SavedToken,
)
from .journal import Rejected
from .questions import Row
from .schema import PLAYED

_PACK = msgpack.Packer(autoreset=True).pack
_FLAGS = {"bot", "private", "flagged"}
_NOTHING = bytearray()
"""The value for no clocks: SQLite's module binds a bytearray faster than bytes or None."""
_OPEN = 0
"""The closing time of an open room: a number, because SQLite's module binds None more slowly."""


class Rows(NamedTuple):
    """One transaction. Each field has the rows for the statement of the same name; the fields are in the
    order of execution.
    """

    forget: list[Row]
    keep: list[Row]
    end_tokens: list[Row]
    keep_tokens: list[Row]
    open: list[Row]
    advance: list[Row]
    write: list[Row]
    unrate: list[Row]
    rerate: list[Row]
    place: list[Row]
    decide: list[Row]
    lift: list[Row]
    forget_mutes: list[Row]
    unmute: list[Row]
    mute: list[Row]

    @property
    def only_add_entries(self) -> bool:
        """Whether all rows are entries of rooms that are already open, which is the usual case."""
        return bool(self.write) and not any(
            rows for name, rows in zip(self._fields, self, strict=True) if name not in ("advance", "write")
        )


def rows_of(batch: Sequence[Effects], epochs: Mapping[str, int], owner: str) -> Rows:
    """The rows for `batch`. Raises Rejected if a room's entries do not follow one another.

    `epochs` has the owner epochs of the rooms that were taken over; new rooms have 1.
    """
    heads: dict[str, int] = {}
    before: dict[str, int] = {}
    begun: dict[str, Entry] = {}
    closed: dict[str, int] = {}
    write: list[Row] = []
    for effects in batch:
        for entry in effects.entries:
            room, seq, kind, at, cause, seat, body, clocks = entry
            head = heads.get(room)
            if head is None:
                before[room] = seq - 1
            elif head != seq - 1:
                raise Rejected(f"room {room} jumps to entry {seq}")
            heads[room] = seq
            if seq == 0:
                begun[room] = entry
            elif kind == "closed":
                closed[room] = at
            player, id, content = cause or (None, None, None)
            packed = _NOTHING if clocks is None else bytearray(_PACK(clocks))
            write.append((room, seq, kind, at, player, id, content, seat, bytearray(_PACK(body)), packed))
    players: dict[str, SavedPlayer | None] = {}
    tokens: dict[bytes, SavedToken | None] = {}
    mutes: dict[tuple[str, str], SavedMute] = {}
    rerated: list[Row] = []
    placed: list[Row] = []
    decided: list[Row] = []
    lifted: list[Row] = []
    for kept in (each for effects in batch for each in effects.kept):
        match kept:
            case SavedPlayer():
                players[kept.id] = kept
            case Forgotten():
                players[kept.player] = None
            case SavedToken():
                tokens[kept.hash] = kept
            case EndedToken():
                tokens[kept.hash] = None
            case SavedMute():
                mutes[kept.player, kept.muted] = kept
            case Placing():
                placed.append(placing_row(kept))
            case Rerated():
                rerated.append(rerated_row(kept.placing))
            case Sanction():
                decided.append(tuple(kept))
            case Lifted():
                lifted.append((kept.sanction.id,))
    return Rows(
        forget=[(id,) for id, player in players.items() if player is None],
        keep=[(*player[:2], int(player.bot), *player[3:]) for player in players.values() if player],
        end_tokens=[(hash,) for hash, token in tokens.items() if token is None],
        keep_tokens=[tuple(token) for token in tokens.values() if token],
        open=[
            (room, 1, owner, heads[room], first.at, closed.get(room), first.body["game"])
            for room, first in begun.items()
        ],
        advance=[
            (room, epochs.get(room, 1), before[room], head, closed.get(room, _OPEN))
            for room, head in heads.items()
            if room not in begun
        ],
        write=write,
        unrate=[row[:2] for row in rerated],
        rerate=rerated,
        place=placed,
        decide=decided,
        lift=lifted,
        forget_mutes=[(id,) for id, player in players.items() if player is None],
        unmute=list(mutes),
        mute=[tuple(mute) for mute in mutes.values() if mute.what != "none"],
    )


def players_from(rows: Iterable[Iterable[Any]]) -> list[SavedPlayer]:
    return [SavedPlayer(id, name, bool(bot), created, seen) for id, name, bot, created, seen in rows]


def tokens_from(rows: Iterable[Iterable[Any]]) -> list[SavedToken]:
    return [
        SavedToken(bytes(hash), player, device, created, used) for hash, player, device, created, used in rows
    ]


def mutes_from(rows: Iterable[Iterable[Any]]) -> tuple[SavedMute, ...]:
    return tuple(SavedMute(*row) for row in rows)


def sanctions_from(rows: Iterable[Iterable[Any]]) -> tuple[Sanction, ...]:
    return tuple(Sanction(*row) for row in rows)


def placing_row(placing: Placing) -> Row:
    return tuple(int(value) if isinstance(value, bool) else value for value in placing)


def rerated_row(placing: Placing) -> Row:
    """The row of a result with a rating that was computed again."""
    rating = placing.value, placing.deviation, placing.volatility, placing.games
    return (placing.room, placing.seat, placing.course, int(placing.flagged), *rating)


def placings_from(rows: Iterable[Iterable[Any]]) -> tuple[Placing, ...]:
    return tuple(
        Placing._make(
            bool(value) if name in _FLAGS else value for name, value in zip(PLAYED, row, strict=True)
        )
        for row in rows
    )


def rivals_from(rows: Iterable[Iterable[str]]) -> tuple[tuple[str, str, str, str, str], ...]:
    return tuple((player, game, speed, level, rival) for player, game, speed, level, rival in rows)


def logs_from(rows: Iterable[Iterable[Any]], damaged: dict[str, str]) -> list[list[Entry]]:
    """The logs in rows ordered by room and seq. The errors of damaged logs go into `damaged`."""
    logs: dict[str, list[Entry]] = {}
    names: dict[str, Any] = {}
    bodies: dict[bytes, dict[str, Any]] = {}
    heads: dict[str, int] = {}
    current = ""
    unpack = msgpack.unpackb
    for room, head, seq, kind, at, player, id, content, seat, body, clocks in rows:
        if room != current:
            current = room
            log = logs[room] = []
            heads[room] = head
        if seq != len(log):
            continue  # the check of the head below reports the missing entry
        try:
            # Equal names and moves share one object, however many rows repeat them.
            cause = None if player is None else Cause(names.setdefault(player, player), id, content)
            left = tuple(unpack(clocks)) if clocks else None
            if kind != "turn":
                what = unpack(body)
            elif (what := bodies.get(body)) is None:
                what = bodies[body] = unpack(body)
            log.append(Entry(current, seq, names.setdefault(kind, kind), at, cause, seat, what, left))
        except Exception as error:  # damage can raise any error
            damaged.setdefault(room, f"entry {seq} cannot be read: {type(error).__name__}: {error}")
    for room, log in logs.items():
        if len(log) <= heads[room]:
            damaged.setdefault(room, f"entry {len(log)} of {heads[room]} is missing")
        elif len(log) > heads[room] + 1:
            damaged.setdefault(room, f"its entries go on after the last one, {heads[room]}")
    return [log for room, log in logs.items() if room not in damaged]


def log_from(rows: Iterable[Iterable[Any]]) -> list[Entry]:
    """The log in the rows of one room; empty if there is no such room. Raises Damaged."""
    damaged: dict[str, str] = {}
    logs = logs_from(rows, damaged)
    for what in damaged.values():
        raise Damaged(what)
    return next(iter(logs), [])
