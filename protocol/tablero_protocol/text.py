"""Cleans text from strangers, so that it is safe to store and to print; used by the server and the
terminal.
"""

from __future__ import annotations

import re
import unicodedata

# Controls (C0, DEL, C1), bidirectional marks, line separators, tags, surrogates and noncharacters could move
# a cursor, hide a word or reverse a line. Invisible characters (Unicode's default ignorable ones, and the
# blanks U+2800 and U+1D159) could make a line look empty, or two words look the same.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    "\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_COMBINING_IN_A_ROW = 3
# U+FE0F turns the character before it into an emoji: in a drawing, empty cells and the numbers 0 to 8.
_UNSAFE_IN_A_DRAWING = re.compile(f"(?!(?<=[⬜0-8])\ufe0f){_UNSAFE.pattern}")


def clean(text: str) -> str:
    """`text` in one line, without anything that a terminal or page might interpret."""
    text = unicodedata.normalize("NFC", _UNSAFE.sub(" ", text))
    kept: list[str] = []
    combining = _COMBINING_IN_A_ROW
    for character in text:
        if unicodedata.combining(character):
            combining += 1
        else:  # without a letter before it, a mark is dropped
            combining = _COMBINING_IN_A_ROW if character.isspace() else 0
        if combining <= _COMBINING_IN_A_ROW:
            kept.append(character)
    return " ".join("".join(kept).split())


def without_controls(text: str) -> str:
    """`text` with its lines and spaces, but without anything else that a terminal might interpret."""
    if text.isascii() and text.isprintable():
        return text
    return "\n".join(_UNSAFE_IN_A_DRAWING.sub(" ", line) for line in text.split("\n"))


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,19}")
_TITLES = {
    *("admin", "admins", "administrator", "superadmin", "mod", "mods", "moderator", "referee"),
    *("root", "staff", "support", "official", "owner", "host", "hosts", "house"),
    *("bot", "system", "server", "tablero"),
}
_SEPARATOR = re.compile("[-_]+")
_DIGITS = "0123456789"
_LOOKALIKES = str.maketrans(
    {
        "0": "o",
        "1": "l",
        "i": "l",
        "2": "z",
        "3": "e",
        "4": "a",
        "5": "s",
        "7": "t",
        "8": "b",
        "9": "g",
        "v": "u",
    }
)
_PAIRS = (("rn", "m"), ("uu", "w"), ("cl", "d"))
"""Pairs of letters that look like one letter."""


def is_good_name(name: str, *, of_host: bool = False) -> bool:
    """Whether a player may have this name. Titles, even within a name, are reserved for the host's
    own bots.
    """
    parts = _SEPARATOR.split(name)
    told = {skeleton(each) for part in (name, *parts) for each in (part, part.strip(_DIGITS))}
    has_title = not told.isdisjoint(map(skeleton, _TITLES))
    return _NAME.fullmatch(name) is not None and (of_host or not has_title)


def skeleton(name: str) -> str:
    """A key made from a name: names that look alike have the same key."""
    name = _SEPARATOR.sub("", name).casefold().translate(_LOOKALIKES)
    for pair, letter in _PAIRS:
        name = name.replace(pair, letter)
    return name.replace("c", "e")  # after "cl"
