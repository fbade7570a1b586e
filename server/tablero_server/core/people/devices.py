"""The devices of one player: a code adds a device, and any device can be signed out.

Law: players see and sign out only their own devices.
"""

from __future__ import annotations

import re

import segno

from tablero_protocol.codes import WHY_CLOSED, Close
from tablero_protocol.messages import EndToken, HandOver, ListTokens, ShowQrCode

from ..command import Command
from ..limits.limits import Limits
from ..refusal import Message, Refusal
from ..seats.rooms import Rooms
from .accounts import Accounts
from .entrance import Entrance
from .session import Session
from .tokens import HandOvers, Token

_LINK = re.compile(r"https?://[^#?]+?/(?:watch/(?P<room>[^#?/]+)|(?P<code>[^#?/]+)|#go=(?P<hand_over>.+))")


def qr_code(rooms: Rooms, hand_overs: HandOvers, command: Command[ShowQrCode]) -> Message:
    """The answer with a QR code. Raises Refusal if the link leads to another server."""
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


class Devices:
    def __init__(self, accounts: Accounts, entrance: Entrance, limits: Limits) -> None:
        self._accounts = accounts
        self._entrance = entrance
        self._limits = limits

    def hand_over(self, command: Command[HandOver]) -> None:
        session = command.session
        account, most = session.account, self._limits.devices
        if len(self._good(session, command.now)) >= most:
            raise Refusal("tooManyDevices", devices=most)
        opened = self._accounts.hand_overs.open(account.id, command.now)
        told = {"type": "handedOver", "re": command.message.id, "code": opened.code, "until": opened.until}
        command.answer(told)

    def list_tokens(self, command: Command[ListTokens]) -> None:
        session = command.session
        lines = [
            {
                "id": token.id,
                "device": token.device,
                "created": token.created,
                "used": token.used,
                "here": token is session.token,
            }
            for token in self._good(session, command.now)
        ]
        command.answer({"type": "tokens", "re": command.message.id, "tokens": lines})

    def end_token(self, command: Command[EndToken]) -> None:
        """Signs out a device. All open codes end too, because that device may have asked for them."""
        session = command.session
        message = command.message
        account = session.account
        token = next((each for each in self._good(session, command.now) if each.id == message.token), None)
        if token is None:
            raise Refusal("unknownDevice")
        self._accounts.tokens.end([token], command.effects)
        self._accounts.hand_overs.cancel(account.id)
        command.ok()
        told = {"message": WHY_CLOSED[Close.SIGNED_OUT]}
        for other in self._accounts.open_sessions(account):
            if other.token is token:
                self._entrance.send_away(other, told, Close.SIGNED_OUT, command.now, command.effects)

    def _good(self, session: Session, now: int) -> list[Token]:
        tokens = self._accounts.tokens
        return [token for token in tokens.of(session.account.id) if not tokens.is_old(token, now)]
