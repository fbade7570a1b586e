"""Saying no: the one exception by which the core answers a command that it does not carry out."""

from __future__ import annotations

from typing import Any

from tablero_protocol.codes import Code

Message = dict[str, Any]


class Refusal(Exception):
    """Nothing has changed. `sentence` says what to do."""

    def __init__(
        self,
        code: Code,
        sentence: str,
        *,
        retry_after_ms: int | None = None,
        missed: list[Message] | None = None,
        about: str | None = None,
    ) -> None:
        super().__init__(f"{code}: {sentence}")
        self.code = code
        self.sentence = sentence
        self.retry_after_ms = retry_after_ms
        self.missed = missed
        self.about = about
        """The room of which it speaks, where the command does not name it."""

    def message(self, re: str | None) -> Message:
        message: Message = {"type": "refused", "code": self.code.value, "message": self.sentence}
        if re is not None:
            message["re"] = re
        if self.retry_after_ms is not None:
            message["retryAfterMs"] = self.retry_after_ms
        if self.missed is not None:
            message["missed"] = self.missed
        return message
