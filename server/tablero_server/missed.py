"""What a viewer has missed of a room.

Law: all of it, one by one, or a snapshot; never a part.
"""

from __future__ import annotations

from msgpack import Packer

from tablero_protocol.messages import Resume

from .audience import Audience, Viewer
from .limits import Limits
from .refusal import Message

_PACK = Packer(autoreset=True).pack


def resume(audience: Audience, viewer: Viewer, message: Resume, limits: Limits) -> list[Message]:
    """Everything from where a client stands, the answer last."""
    room = audience.room
    missed = _since(audience, viewer, message.seq, limits) if message.epoch == room.epoch else None
    if missed is None:
        return [audience.snapshot(viewer, message.id)]
    return [*missed, {"type": "ok", "re": message.id, "room": room.id, "seq": room.head}]


def turns_after(audience: Audience, viewer: Viewer, ply: int, limits: Limits) -> list[Message]:
    """What somebody has to know who meant to play at `ply`, which is over."""
    since = _since(audience, viewer, audience.room.seq_after_ply(ply), limits)
    if since is None or "nextPlayer" not in viewer.events:
        return [audience.snapshot(viewer, None)]
    return [message for message in since if message["type"] == "nextPlayer"]


def _since(audience: Audience, viewer: Viewer, seq: int, limits: Limits) -> list[Message] | None:
    """Every event after `seq`, unless they are too many or too large."""
    missed = audience.since(seq, viewer, limits.replay_events)
    return None if missed is None or len(_PACK(missed)) > limits.replay_bytes else missed
