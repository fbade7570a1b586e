"""The turns of a room's game so far, as one viewer may know them, page by page.

Law: a page is bounded in bytes and in turns, so that telling one holds nobody up, however long the game was;
and nobody hears more of a running game than `Play.told` tells.
"""

from __future__ import annotations

from collections.abc import Collection

from msgpack import Packer

from tablero_games import Play, Seat

from ..entry import Entry, Kind
from ..refusal import Message
from ..room.replay import ply_after
from ..room.room import PLIES, Room

TURNS: frozenset[Kind] = frozenset({"turn", "withdrew", "tookBack", "drawn", "aborted"})
"""What a history or a record has a line for."""
_MOST_TURNS = 500
"""Of one page: about a millisecond."""
_ENVELOPE_BYTES = 256
_PACK = Packer().pack


def history(room: Room, seats: Collection[Seat], after: int, most_bytes: int) -> Message:
    """A page of what whoever holds `seats` may know, from the entry after `after` on."""
    told: Message = {"type": "history", "room": room.id, "turns": []}
    turns, size, newest = told["turns"], _ENVELOPE_BYTES, after
    if room.play is None:
        return told
    ply = ply_after(room, min(after, room.head))
    for seq in range(after + 1, room.head + 1):
        entry = room.log[seq]
        if entry.kind not in TURNS:
            continue
        ply += entry.kind in PLIES
        turn = _turn(room.play, entry, ply, seats)
        size += len(_PACK(turn))
        if size > most_bytes or len(turns) == _MOST_TURNS:
            return {**told, "more": newest}
        turns.append(turn)
        newest = entry.seq
    return told


def heard(play: Play, turn: Entry, seats: Collection[Seat]) -> str | None:
    """What whoever holds `seats` may hear of a move."""
    assert turn.seat is not None
    return play.heard(turn.seat, turn.body["move"], seats)


def _turn(play: Play, entry: Entry, ply: int, seats: Collection[Seat]) -> Message:
    turn: Message = {"seq": entry.seq, "ply": ply, "at": entry.at}
    if entry.clocks is not None:
        turn["clocks"] = list(entry.clocks)
    match entry.kind:
        case "turn" if (move := heard(play, entry, seats)) is not None:
            turn["move"] = move
        case "withdrew":
            turn["withdrew"] = entry.body["reason"]
        case "tookBack":
            turn["tookBack"] = entry.body["plies"]
        case "drawn":
            turn["drawn"] = entry.body.get("reason", "agreed")
        case "aborted":
            turn["aborted"] = entry.body["reason"]
    of_nobody = entry.kind in ("drawn", "aborted") or entry.seat is None
    return turn if of_nobody else {**turn, "seat": entry.seat}
