"""Errors for users of this library, split by their source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablero_protocol import messages


class Refused(Exception):
    """The server said no, and nothing changed. `sentence` is for people, the rest for programs.

    `reason` says more exactly than `code` why, and with its `fields` all that the sentence says.
    """

    def __init__(
        self, code: str, sentence: str, reason: str = "", fields: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.reason = reason
        self.fields = dict(fields or {})

    @classmethod
    def by(cls, message: messages.Refused) -> Refused:
        return cls(message.code, message.message, message.reason, message.fields)


class Disconnected(ConnectionError):
    """There is no connection, and this client will not try again. The text says why."""


class InsecureServer(ConnectionError):
    """This address would carry the token in the clear over a public network."""
