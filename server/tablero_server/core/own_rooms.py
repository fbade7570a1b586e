"""The rooms of one player, those first that wait for it."""

from __future__ import annotations

from collections.abc import Iterable

from .refusal import Message
from .room import Room
from .room_state import PLAYING, RoomState

_ORDER = {PLAYING: -1} | {state: number for number, state in enumerate(RoomState) if state is not PLAYING}


def own_rooms(rooms: Iterable[Room], player: str, now: int) -> list[Message]:
    """Theirs to move first, of these whoever has the least time left; then other games, then tables."""
    lines = [(_urgency(room, player, now), _line(room, player, now)) for room in rooms]
    return [line for _, line in sorted(lines, key=lambda each: each[0])]


def _line(room: Room, player: str, now: int) -> Message:
    rivals = {shown["id"]: shown for shown in room.seated if shown is not None and shown["id"] != player}
    line: Message = {
        "room": room.id,
        "seats": room.seats_of(player),
        "game": room.game.name,
        "state": room.state.value,
        "rivals": list(rivals.values()),
        "toMove": _to_move(room),
    }
    return line if room.clock is None else {**line, "clocks": list(room.clock.left(now))}


def _urgency(room: Room, player: str, now: int) -> tuple[bool, float, int, str]:
    mine = [seat for seat in _to_move(room) if room.seats[seat] == player]
    left = float("inf")
    if mine and room.clock is not None:
        clocks = room.clock.left(now)
        left = min(clocks[seat] for seat in mine)
    return not mine, left, _ORDER[room.state], room.id


def _to_move(room: Room) -> list[int]:
    return [] if room.position is None or room.state is not PLAYING else sorted(room.position.to_move)
