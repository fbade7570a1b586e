"""The rooms of one player, those first that wait for it."""

from __future__ import annotations

from collections.abc import Iterable

from ..refusal import Message
from .clock import Clock
from .outline import Outline
from .state import PLAYING, RoomState

_ORDER = {PLAYING: -1} | {state: number for number, state in enumerate(RoomState) if state is not PLAYING}


def own_rooms(rooms: Iterable[tuple[Outline, Clock | None]], player: str, now: int) -> list[Message]:
    """Theirs to move first, of these whoever has the least time left; then other games, then tables."""
    lines = [(_urgency(*room, player, now), _line(*room, player, now)) for room in rooms]
    return [line for _, line in sorted(lines, key=lambda each: each[0])]


def _line(room: Outline, clock: Clock | None, player: str, now: int) -> Message:
    rivals = {shown["id"]: shown for shown in room.seated if shown is not None and shown["id"] != player}
    line: Message = {
        "room": room.room,
        "seats": _seats(room, player),
        "game": room.game,
        "state": room.state,
        "rivals": list(rivals.values()),
        "toMove": room.to_move,
    }
    return line if clock is None else {**line, "clocks": list(clock.left(now))}


def _urgency(room: Outline, clock: Clock | None, player: str, now: int) -> tuple[bool, float, int, str]:
    mine = [seat for seat in room.to_move if seat in _seats(room, player)]
    left = float("inf")
    if mine and clock is not None:
        clocks = clock.left(now)
        left = min(clocks[seat] for seat in mine)
    return not mine, left, _ORDER[RoomState(room.state)], room.room


def _seats(room: Outline, player: str) -> list[int]:
    return [seat for seat, shown in enumerate(room.seated) if shown is not None and shown["id"] == player]
