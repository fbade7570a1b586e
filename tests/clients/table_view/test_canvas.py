"""Cells of text with what they stand for."""

from __future__ import annotations

import unicodedata

import pytest

from tablero.table_view.canvas import BRACKETS, GLYPH_SETS, GLYPHS, Canvas, GlyphSet, Stretch


def test_neighbours_that_look_alike_are_one_run() -> None:
    canvas = Canvas(6, 1)
    canvas.put(0, 0, "ab", "seat0")
    canvas.mark(1, 0, 2, 1, "cursor")
    assert list(canvas.runs(0)) == [
        Stretch("a", "seat0", ""),
        Stretch("b", "seat0", "cursor"),
        Stretch(" ", "plain", "cursor"),
        Stretch("   ", "plain", ""),
    ]
    assert [run.text for run in canvas.runs(0, left=1, width=2)] == ["b", " "]


def test_what_is_outside_is_not_drawn() -> None:
    canvas = Canvas(3, 1)
    canvas.put(-1, 0, "abcde")
    canvas.put(0, 1, "x")
    canvas.mark(-5, -5, 2, 2, "last")
    canvas.put_wide(2, 0, "🚩", "flag")
    assert canvas.text() == "bcd"


def test_a_wide_character_takes_two_columns() -> None:
    canvas = Canvas(4, 1)
    canvas.put_wide(1, 0, "🚩", "flag")
    assert canvas.text() == " 🚩"
    assert [run.text for run in canvas.runs(0, left=3)] == [" "]


def test_a_mark_has_a_shape_of_its_own() -> None:
    assert len(set(BRACKETS.values())) == len(BRACKETS)
    canvas = Canvas(3, 1)
    canvas.put(1, 0, "X", "seat0")
    canvas.enclose(1, 0, "last")
    assert canvas.text() == "(X)"


@pytest.mark.parametrize("name", GLYPH_SETS)
def test_no_two_seats_look_alike(name: GlyphSet) -> None:
    assert len(set(GLYPHS[name].seats)) == 8


def test_glyphs_keep_to_their_columns() -> None:
    for name in ("ascii", "safe"):
        for glyph in vars(GLYPHS[name]).values():
            if isinstance(glyph, str):
                widths = {unicodedata.east_asian_width(letter) for letter in glyph}
                assert widths <= {"N", "Na"}, (name, glyph)
    assert all(glyph.isascii() for glyph in vars(GLYPHS["ascii"]).values() if isinstance(glyph, str))
    assert unicodedata.east_asian_width(GLYPHS["emoji"].flag) == "W"
