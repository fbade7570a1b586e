"""Notices about actions of the host: every reason, with a sentence and its fields.

Law: a reason never changes its meaning, and the fields contain everything that its sentence says. {why} and
{text} are the host's own words.
"""

from __future__ import annotations

from typing import Any

NOTICES: dict[str, str] = {
    "hostSays": "The host says: {text}",
    "muted": "The host has muted you: {why}. You can keep playing.",
    "mutedFor": "The host has muted you for {time}: {why}. You can keep playing.",
    "heard": "The host has unmuted you.",
    "roomClosed": "The host has closed table {room}: {why}.",
    "willStop": "The server is about to stop. Current games continue; no new games start.",
    "opened": "New games can start again on this server.",
    "sameAddress": "You and your opponent have the same address, so this game is not rated.",
    "kicked": "The host has removed you: {why}. You can come back in {time}.",
    "banned": "The host has banned you: {why}.",
    "bannedFor": "The host has banned you for {time}: {why}.",
}


def notice(reason: str, **fields: Any) -> dict[str, Any]:
    """The fields that give a message this notice."""
    return {"reason": reason, "fields": fields, "message": NOTICES[reason].format_map(fields)}
