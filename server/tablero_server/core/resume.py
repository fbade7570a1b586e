"""What a viewer has missed of a room.

Law: all of it, one by one, or a snapshot; never a part.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgpack import Packer

from tablero_protocol.messages import Resume

from .limits import Limits
from .refusal import Message
from .room import Room
from .views import Viewer, Views

_PACK = Packer(autoreset=True).pack


def resume(views: Views, viewer: Viewer, message: Resume, limits: Limits) -> list[Message]:
    """Everything from where a client stands, the answer last."""
    room = views.room
    missed = _since(views, viewer, message.seq, limits) if message.epoch == room.epoch else None
    if missed is None:
        return [views.snapshot(viewer, message.id)]
    return [*missed, {"type": "ok", "re": message.id, "room": room.id, "seq": room.head}]


def turns_after(views: Views, viewer: Viewer, seat: int, ply: int, limits: Limits) -> list[Message]:
    """What somebody has to know who meant to play at `ply`, which is over or was never here."""
    room, since = views.room, None
    ahead = ply > (room.plies[seat] if room.pace == "race" else room.ply)
    if not ahead and "nextPlayer" in viewer.events and room.ply - ply <= limits.replay_events:
        since = _since(views, viewer, seq_after_ply(room, ply), limits)
    if since is None:
        return [views.snapshot(viewer, None)]
    return [message for message in since if message["type"] == "nextPlayer"]


def seq_after_ply(room: Room, ply: int) -> int:
    """The entry after which the game stood at `ply`, looked for from the newest one back."""
    turns: Iterator[int] = (entry.seq for entry in reversed(room.log) if entry.kind in ("turn", "started"))
    return next(islice(turns, room.ply - ply, None))


def _since(views: Views, viewer: Viewer, seq: int, limits: Limits) -> list[Message] | None:
    """Every event after `seq`, unless they are too many or too large."""
    missed = views.since(seq, viewer, limits.replay_events)
    return None if missed is None or len(_PACK(missed)) > limits.replay_bytes else missed
