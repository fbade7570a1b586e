"""Refusal: the only exception with which the core refuses a command."""

from __future__ import annotations

from typing import Any

from tablero_games import BadOptions, IllegalMove
from tablero_protocol.codes import Code
from tablero_protocol.reasons import REASONS, sentence_of

Message = dict[str, Any]


class Refusal(Exception):
    """A refused command, which has changed nothing. The reason's code and sentence are in
    `tablero_protocol.reasons`.
    """

    def __init__(
        self,
        reason: str,
        *,
        retry_after_ms: int | None = None,
        missed: list[Message] | None = None,
        about: str | None = None,
        **fields: Any,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.fields = fields
        self.retry_after_ms = retry_after_ms
        self.missed = missed
        self.about = about
        """The room of the refused command, if the command does not name it."""

    @property
    def code(self) -> Code:
        return REASONS[self.reason].code

    @property
    def sentence(self) -> str:
        return sentence_of(self.reason, self.fields)

    def __str__(self) -> str:
        return f"{self.code}: {self.sentence}"

    def told(self) -> Message:
        """The fields of a refusal, the same on every channel."""
        return {
            "code": self.code.value,
            "reason": self.reason,
            "fields": self.fields,
            "message": self.sentence,
        }

    def message(self, re: str | None) -> Message:
        message: Message = {"type": "refused", **self.told()}
        if re is not None:
            message["re"] = re
        if self.retry_after_ms is not None:
            message["retryAfterMs"] = self.retry_after_ms
        if self.missed is not None:
            message["missed"] = self.missed
        return message


class ByTheRules(Refusal):
    """A refusal by the rules of a game, with the game's reason and sentence."""

    def __init__(self, said: IllegalMove | BadOptions) -> None:
        super().__init__(said.reason)
        self.fields = said.fields
        self._said = said

    @property
    def code(self) -> Code:
        return Code(self._said.code)

    @property
    def sentence(self) -> str:
        return self._said.sentence
