"""One message of a session on its way through the core, with its effects."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from tablero_games.position import Json
from tablero_protocol.messages import ClientMessage

from .effects import Effects
from .entry import Cause
from .people.session import Session
from .refusal import Message

M = TypeVar("M", bound=ClientMessage, covariant=True)


class Command(NamedTuple, Generic[M]):
    session: Session
    message: M
    cause: Cause
    now: int
    effects: Effects

    def answer(self, message: Message) -> None:
        self.effects.send(self.session.peer, message)

    def ok(self, **fields: Json) -> None:
        self.answer({"type": "ok", "re": self.message.id, **fields})
