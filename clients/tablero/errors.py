"""What can go wrong for a user of this library, split by whose decision it was."""

from __future__ import annotations

from tablero_protocol import messages


class Refused(Exception):
    """The server said no, and nothing changed. `code` is for programs, `sentence` for people."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence

    @classmethod
    def by(cls, message: messages.Refused) -> Refused:
        return cls(message.code, message.message)


class Disconnected(ConnectionError):
    """There is no connection, and this client will not try again. The text says why."""


class InsecureServer(ConnectionError):
    """This address would carry the token in the clear over a public network."""
