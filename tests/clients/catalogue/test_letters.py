"""What an output without some letters shows in their place."""

from __future__ import annotations

import io

import pytest

from tablero.catalogue.letters import PLAIN
from tablero.catalogue.speech import catalogue


@pytest.mark.parametrize(
    ("text", "encoding", "shown"),
    [
        ("À toi, bientôt : déjà « là ».", "ascii", 'A toi, bientot : deja " la ".'),
        ("¿Querías decir «año»?", "ascii", 'Querias decir "ano"?'),
        ("✕ à ½", "ascii", "? a 1?2"),
        ("À toi ✕", "latin-1", "À toi ?"),
        ("À toi ✕", "utf-8", "À toi ✕"),
    ],
)
def test_a_letter_that_is_missing_loses_its_accent(text: str, encoding: str, shown: str) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors=PLAIN)
    out.write(text)
    out.seek(0)
    assert out.read() == shown


@pytest.mark.parametrize("language", ["fr", "es"])
def test_all_that_is_translated_can_be_read_in_any_terminal(language: str) -> None:
    for forms in catalogue(language).messages.values():
        for form in forms:
            assert form.encode("ascii", PLAIN).count(b"?") <= form.count("?"), form
