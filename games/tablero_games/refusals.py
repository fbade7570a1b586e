"""Refusals of moves and options: a reason, its fields, and the sentence made from both.

Law: every reason is listed here or in the `refusals` of a game, and its sentence is written only there. A
reason never changes its meaning; its sentence may be improved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import PydanticCustomError

ANY_GAME: dict[str, str] = {
    "gameOver": "The game is over.",
    "notYourTurn": "It is not your turn; seat {seat} is to move.",
    "outOfGame": "You are out of this game.",
    "noSuchSeat": "Nobody sits on seat {seat}; the seats are 0 to {last}.",
    "noSuchCell": "There is no cell '{cell}'; the cells are a1 (bottom left) to {last}.",
    "occupied": "Cell {cell} is occupied.",
    "nothingToTakeBack": "There is no move of yours to take back.",
}
"""Reasons for which any game may refuse a move."""

ANY_OPTION: dict[str, str] = {
    "unknownOption": "{game} has no option '{option}'; its options: {options}.",
    "wrongSeats": "{game} is played with {allowed:or} seats, not {seats}.",
    "tooSmall": "Option {option} must be at least {least}.",
    "tooLarge": "Option {option} must be at most {most}.",
    "notWhole": "Option {option} must be a whole number.",
    "notTrueOrFalse": "Option {option} must be true or false.",
    "notAmong": "Option {option} must be {values:or}.",
    "notAllowed": "Option {option} cannot have this value.",
}
"""Reasons for which any game may refuse an option."""

SENTENCES: dict[str, str] = {**ANY_GAME, **ANY_OPTION}
"""Every reason with its sentence. Each game adds its reasons when its class is created."""

_CODES = {"gameOver": "gameOver", "notYourTurn": "notYourTurn", "outOfGame": "notYourTurn"}
_LONGEST = 40


class Listed:
    """A list within a sentence: "a, b", or "a or b" where the sentence says `{list:or}`."""

    def __init__(self, values: list[Any], nothing: str = "none") -> None:
        self._words = list(map(str, values)) or [nothing]

    def __format__(self, before_the_last: str) -> str:
        *most, last = self._words
        if before_the_last and most:
            return f"{', '.join(most)} {before_the_last} {last}"
        return ", ".join(self._words)


def sentence_of(reason: str, fields: Mapping[str, Any]) -> str:
    return filled(SENTENCES[reason], fields)


def filled(sentence: str, fields: Mapping[str, Any]) -> str:
    return sentence.format_map(
        {name: Listed(value) if isinstance(value, list) else value for name, value in fields.items()}
    )


def add_reasons(refusals: Mapping[str, str]) -> None:
    """Adds a game's own reasons. Raises ValueError if a reason already has another sentence."""
    for reason, sentence in refusals.items():
        if SENTENCES.setdefault(reason, sentence) != sentence:
            raise ValueError(f"Reason {reason} has another sentence already: {SENTENCES[reason]}")


class IllegalMove(ValueError):
    """A move that the rules refuse. The position stays the same."""

    def __init__(self, reason: str, **fields: Any) -> None:
        self.reason = reason
        self.fields = _shown(fields)
        self.sentence = sentence_of(reason, self.fields)
        super().__init__(self.sentence)

    @property
    def code(self) -> str:
        """The code in the protocol: "gameOver", "notYourTurn", or "illegalMove"."""
        return _CODES.get(self.reason, "illegalMove")


class BadOptions(ValueError):
    """Impossible options for a game; `option` is the name of the wrong option."""

    code = "badOptions"

    def __init__(self, reason: str, option: str, **fields: Any) -> None:
        self.reason = reason
        self.option = option
        self.fields = _shown({"option": option, **fields})
        self.sentence = sentence_of(reason, self.fields)
        super().__init__(self.sentence)


def bad_value(reason: str, **fields: Any) -> PydanticCustomError:
    """The error that a validator of `Options` raises; `Game.read_options` adds the option's name."""
    return PydanticCustomError("bad_value", "{reason}", {"reason": reason, "fields": fields})


def _shown(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields, with typed text shortened so that any screen can show it."""
    return {name: as_shown(value) if isinstance(value, str) else value for name, value in fields.items()}


def as_shown(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text[:_LONGEST])
