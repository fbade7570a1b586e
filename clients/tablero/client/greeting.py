"""The `hello` of a client: data of the client and its player."""

from __future__ import annotations

from dataclasses import dataclass

from tablero_protocol.messages import PROTOCOL

from .commands import Wire


@dataclass(frozen=True, kw_only=True)
class Greeting:
    client: str
    name: str | None = None
    rename: bool = True
    """Whether a known player is renamed to `name`. If not, `name` is only for a newcomer."""
    bot: Wire | None = None
    host_key: str | None = None
    device: str | None = None
    """The name of this device, shown only to the player."""
    hand_over: str | None = None
    """The code from another device of the player, used until there is a token."""

    passphrase: str | None = None
    """The server's passphrase, for newcomers."""

    def hello(self, token: str | None, session: str | None) -> Wire:
        known = token is not None or self.hand_over is not None
        fields = {
            "client": self.client,
            "name": self.name if (token and self.rename) or not known else None,
            "bot": self.bot,
            "hostKey": self.host_key,
            "device": self.device,
            "token": token,
            "handOver": self.hand_over if token is None else None,
            "passphrase": None if known else self.passphrase,
            "session": session,
        }
        said = {name: value for name, value in fields.items() if value is not None}
        return {"protocol": PROTOCOL, **said}
