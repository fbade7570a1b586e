"""What can be said without typing."""

from __future__ import annotations

from typing import get_args

from tablero_protocol.phrases import PHRASES, Phrase
from tablero_protocol.text import clean


def test_every_phrase_has_its_english() -> None:
    assert list(PHRASES) == list(get_args(Phrase))
    assert all(clean(text) == text for text in PHRASES.values())
