"""What a client says of itself and its player in `hello`."""

from __future__ import annotations

from dataclasses import dataclass

from tablero_protocol.messages import PROTOCOL

from .commands import Wire


@dataclass(frozen=True, kw_only=True)
class Greeting:
    client: str
    name: str | None = None
    rename: bool = True
    """Whether a player who is known is called `name` from now on; else it is for a newcomer alone."""
    bot: Wire | None = None
    host_key: str | None = None
    device: str | None = None
    """What to call this device; the player alone is told."""
    hand_over: str | None = None
    """The code from another device of the player; it is good until there is a token."""

    passphrase: str | None = None
    """Of the server, for newcomers."""

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
