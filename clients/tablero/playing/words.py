"""The meaning of single typed words: a table, a seat, a clock, a value, a phrase."""

from __future__ import annotations

import re
from difflib import get_close_matches

from tablero.catalogue.speech import sentence, translate
from tablero_protocol.phrases import PHRASES, Phrase

NO_GAME = sentence("There is no game {word}")
_CLOCK = re.compile(
    r"(?P<base>\d+)(\+(?P<increment>\d+))?|(?P<per_move>\d+)/move|(?P<days>\d+) ?d(ays?)?", re.ASCII
)
_CODE = re.compile(r"[0-9A-Za-z]{4}-?[0-9A-Za-z]{4}")
_ROOM = re.compile(r"[0-9a-z]{12}")
_PUNCTUATION = re.compile(r"[^\w ]")


class UsageError(ValueError):
    """The order makes no sense. The text says how to correct it."""


def where(word: str) -> dict[str, str]:
    """A table by its code or its id."""
    return {"code": word} if _CODE.fullmatch(word) else {"room": word}


def names_one_table(word: str) -> bool:
    """Whether this is a code or a complete id, which needs no search."""
    return _CODE.fullmatch(word) is not None or _ROOM.fullmatch(word) is not None


def is_same_table(word: str, room: str, code: str | None) -> bool:
    """Whether `word` names the table with this id and code."""
    return word == room or (code is not None and _bare(word) == _bare(code))


def _bare(code: str) -> str:
    return code.replace("-", "").upper()


def choose(word: str, known: list[str], there_is_none: str, **fields: str) -> str:
    """The word of `known` that `word` means: an exact match or a unique beginning. Errors suggest a word."""
    if word in known:
        return word
    begun = [name for name in known if name.startswith(word.lower())]
    if len(begun) == 1:
        return begun[0]
    close = get_close_matches(word.lower(), known, 1)
    if close:
        hint = translate("did you mean {word}?", word=close[0])
    else:
        hint = translate("there are {words}.", words=", ".join(known))
    none = translate(there_is_none, word=f"{word!r:.40}", **fields)
    raise UsageError(f"{none}; {hint}")


def find_phrase(text: str) -> Phrase | None:
    """The phrase that a person typed, by its name ("goodLuck") or its words ("good luck!"), or None."""

    def plain(words: str) -> str:
        return _PUNCTUATION.sub("", words.lower())

    for name, words in PHRASES.items():
        if plain(text) in (plain(name), plain(words), plain(translate(words))):
            return name
    return None


def read_seat(word: str) -> int:
    if not word.isdigit():
        raise UsageError(translate("A seat is a number, not {word}.", word=f"{word!r:.40}"))
    return int(word)


def read_clock(text: str) -> dict[str, int]:
    """Read a clock: "300+5" is five minutes plus five seconds a move; "30/move" and "3days" are times for
    each move.
    """
    if (found := _CLOCK.fullmatch(text.lower())) is None:
        raise UsageError(
            translate("Write a clock in seconds, clock=300+5 or clock=30/move; in days, clock=3days.")
        )
    return {kind: int(value) for kind, value in found.groupdict().items() if value is not None}


def read_value(text: str) -> int | bool | str:
    if text.lower() in ("true", "false", "yes", "no"):
        return text.lower() in ("true", "yes")
    try:
        return int(text)
    except ValueError:
        return text
