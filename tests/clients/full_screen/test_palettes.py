"""Colours and attributes."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from tablero.full_screen.palettes import (
    THEMES,
    PlainLetters,
    WithoutColours,
    board_style,
    in_ascii,
    screen_themes,
)
from tablero.playing.options import THEME_NAMES
from tablero.table_view.canvas import BRACKETS


def luminance(colour: tuple[int, int, int]) -> float:
    def linear(value: int) -> float:
        part = value / 255
        return part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = map(linear, colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    brighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def test_every_theme_has_a_name() -> None:
    assert [theme.name for theme in screen_themes()] == list(THEMES) == list(THEME_NAMES)


@pytest.mark.parametrize("theme", [theme for theme in THEMES if theme != "mono"])
@pytest.mark.parametrize("role", ["seat0", "seat1", "disc0", "disc1", "wall", "flag", "number1", "number3"])
def test_what_matters_is_read_easily(theme: str, role: str) -> None:
    page = next(each for each in screen_themes() if each.name == theme)
    style = board_style(theme, role, "")
    assert style.color is not None
    background = style.bgcolor.get_truecolor() if style.bgcolor else rgb(page.background or "")
    assert contrast(style.color.get_truecolor(), background) >= 3.9


@pytest.mark.parametrize("theme", THEMES)
def test_the_text_of_the_screen_is_read_easily(theme: str) -> None:
    page = next(each for each in screen_themes() if each.name == theme)
    for background in (page.background, page.panel):
        assert contrast(rgb(page.foreground or ""), rgb(background or "")) >= 7
        assert contrast(rgb(page.accent or ""), rgb(background or "")) >= 4.5


def test_mono_has_no_colour_at_all() -> None:
    roles = ["label", "seat0", "disc1", "covered", "number1", "wall"]
    styles = [board_style("mono", role, mark) for role in roles for mark in ("", *BRACKETS)]
    assert all(style.color is None and style.bgcolor is None for style in styles)


@pytest.mark.parametrize("theme", THEMES)
def test_the_two_sides_are_told_apart(theme: str) -> None:
    if theme != "mono":  # there the marks alone do it
        assert board_style(theme, "seat0", "").color != board_style(theme, "seat1", "").color
    assert board_style(theme, "empty", "cursor") != board_style(theme, "empty", "")
    assert board_style("nobody's", "seat0", "") == board_style("dark", "seat0", "")


@pytest.mark.parametrize("theme", THEMES)
def test_the_cursor_looks_like_nothing_that_lies_on_a_board(theme: str) -> None:
    here = board_style(theme, "empty", "cursor").bgcolor
    for role in ("disc0", "disc1", "seat0", "seat1", "flag", "mine", "exploded"):
        assert here is None or board_style(theme, role, "").bgcolor != here, role


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
