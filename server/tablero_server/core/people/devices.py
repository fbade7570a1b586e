"""The devices of one player: one more comes in by a code, and any of them is signed out.

Law: a player sees and ends its own devices, and nobody else's.
"""

from __future__ import annotations

from tablero_protocol.codes import WHY_CLOSED, Close
from tablero_protocol.messages import EndToken, HandOver, ListTokens

from ..command import Command
from ..limits.limits import Limits
from ..refusal import Refusal
from .accounts import Accounts
from .entrance import Entrance
from .session import Session
from .tokens import Token


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
        """Nor does a code open anything that was got meanwhile: perhaps by whoever has the device."""
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
