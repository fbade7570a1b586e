"""No colours where nobody wants them."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from tablero.full_screen.without_colours import WithoutColours


def test_colours_go_and_everything_else_stays() -> None:
    segments = [Segment("a", Style.parse("bold reverse #ff0000 on blue")), Segment("b")]
    one, other = WithoutColours().apply(segments, Color.parse("red"))
    assert one == Segment("a", Style(bold=True, reverse=True))
    assert other == Segment("b")
