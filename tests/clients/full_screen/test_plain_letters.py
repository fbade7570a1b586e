"""ASCII alone, and as wide as before."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from tablero.full_screen.plain_letters import PlainLetters, WithoutColours, in_ascii


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("jörg", "jorg"),
        ("a…", "a."),
        ("│─┼", "|--"),
        ("▁x", " x"),
        ("数", "??"),
        ("✕", "?"),
        ("plain", "plain"),
    ],
)
def test_a_letter_becomes_one_that_there_is(text: str, plain: str) -> None:
    assert in_ascii(text) == plain
    assert cell_len(text) == cell_len(plain)


def test_a_whole_line_is_changed() -> None:
    [segment] = PlainLetters().apply([Segment("é")], Color(0, 0, 0))
    assert segment.text == "e"


def test_colours_go_and_everything_else_stays() -> None:
    segments = [Segment("a", Style.parse("bold reverse #ff0000 on blue")), Segment("b")]
    one, other = WithoutColours().apply(segments, Color.parse("red"))
    assert one == Segment("a", Style(bold=True, reverse=True))
    assert other == Segment("b")
