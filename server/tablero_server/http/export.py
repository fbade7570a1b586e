"""A room's game as a portable record, for one who asks.

Law: of a running game with hidden information nobody gets more than `Play` tells them: in a race, nobody
else's moves; and never what the game hides.
"""

from __future__ import annotations

from collections.abc import Collection

from tablero_games import Seat
from tablero_games.record.file import Played, RecordedTurn

from ..core.entry import Entry, Kind
from ..core.refusal import Message, Refusal
from ..core.room.room import Room
from ..core.seats.history import TURNS, heard

_RECORDED: frozenset[Kind] = TURNS | {"paused", "continued", "addedTime"}


def export(room: Room, seats: Collection[Seat]) -> Played:
    """What the record of `room` tells whoever holds `seats` there. A Refusal before the start.

    It is that of now, although its turns are made when they are asked for.
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
    """The name; of a bot with the level that it was asked to play."""
    if player is None:
        return None
    return f"{player['name']} ({player['level']})" if "level" in player else str(player["name"])
