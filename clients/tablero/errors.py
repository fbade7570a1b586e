"""Errors for users of this library, by their source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablero_protocol import messages


class Refused(Exception):
    """The server refused a command, and nothing changed. `sentence` is for people, the rest is for programs.

    `reason` is more exact than `code`. `reason` and its `fields` say everything that the sentence says.
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
    """There is no connection, and this client won't try again. The text says why."""


class InsecureServer(ConnectionError):
    """The address would send the token unencrypted over a public network."""
