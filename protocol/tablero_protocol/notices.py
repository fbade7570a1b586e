"""What a server says of its host's doing: every reason, and the sentence that is made of its fields.

Law: a reason never changes its meaning, and all that its sentence says is in the fields. {why} and {text} are
the host's own words.
"""

from __future__ import annotations

from typing import Any

NOTICES: dict[str, str] = {
    "hostSays": "The host says: {text}",
    "muted": "The host has muted you: {why}. You may play on.",
    "mutedFor": "The host has muted you for {time}: {why}. You may play on.",
    "heard": "The host lets you speak again.",
    "roomClosed": "The host closes table {room}: {why}.",
    "willStop": "The server is about to stop: games that are on go on, and no new one begins.",
    "opened": "New games begin again on this server.",
    "sameAddress": "You and your opponent come from the same address, so this game is not rated.",
    "kicked": "The host has sent you away: {why}. You may come back in {time}.",
    "banned": "The host has sent you away for good: {why}.",
    "bannedFor": "The host has sent you away for {time}: {why}.",
}


def notice(reason: str, **fields: Any) -> dict[str, Any]:
    """As it stands in a message."""
    return {"reason": reason, "fields": fields, "message": NOTICES[reason].format_map(fields)}
