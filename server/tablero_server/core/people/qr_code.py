"""QR codes of the links by which others come to a table, or a player to another device.

Law: only of links to where the asker is already, so that nobody can use it for anything else.
"""

from __future__ import annotations

import re

import segno

from tablero_protocol.messages import ShowQrCode

from ..command import Command
from ..refusal import Message, Refusal
from ..seats.rooms import Rooms
from .hand_over import HandOvers

_LINK = re.compile(r"https?://[^#?]+?/(?:watch/(?P<room>[^#?/]+)|(?P<code>[^#?/]+)|#go=(?P<hand_over>.+))")


def qr_code(rooms: Rooms, hand_overs: HandOvers, command: Command[ShowQrCode]) -> Message:
    """The answer. A Refusal where the link leads elsewhere."""
    session, message = command.session, command.message
    link = _LINK.fullmatch(message.link)
    if link is None:
        raise Refusal("notOwnLink")
    player, handed_over = session.account.id, link["hand_over"]
    if handed_over:
        is_own = _is_handed_over(hand_overs, player, handed_over, command.now)
    else:
        is_own = (link["room"] or rooms.with_code(link["code"])) in session.account.rooms
    if not is_own:
        raise Refusal("notOwnLink")
    drawn = segno.make(message.link, error="m", boost_error=False, micro=False).matrix
    return {
        "type": "qrCode",
        "re": message.id,
        "modules": ["".join(map(str, row)) for row in drawn],
    }


def _is_handed_over(hand_overs: HandOvers, player: str, code: str, now: int) -> bool:
    opened = hand_overs.find(code, now)
    return opened is not None and opened.player == player
