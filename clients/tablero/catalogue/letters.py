"""Letters that an output does not have: `errors=PLAIN` writes them without their accents, or else as "?"."""

from __future__ import annotations

import codecs
import unicodedata
from typing import Final

PLAIN: Final = "tablero.plain"
_LIKE = {"«": '"', "»": '"', "¡": "", "¿": "", "’": "'", "…": "..."}


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(map(_without_accents, lost)), error.end


def _without_accents(letter: str) -> str:
    if letter in _LIKE:
        return _LIKE[letter]
    letters = (each for each in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(each))
    return "".join(each if each.isascii() else "?" for each in letters)


codecs.register_error(PLAIN, _plain)
