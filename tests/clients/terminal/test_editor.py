"""The line being typed: which keys make which lines, and what of them is shown."""

from __future__ import annotations

import pytest

from tablero.terminal.editor import END, LineEditor

UP, DOWN, RIGHT, LEFT, HOME, DELETE = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[3~"


def lines(*keys: str) -> list[str | None]:
    editor = LineEditor()
    return [line for each in keys for line in editor.feed(each)]


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("b2\n", "b2"),
        ("b2\r", "b2"),
        ("\n", ""),
        ("b3\x7f2\n", "b2"),
        ("\x7f\x08b2\n", "b2"),
        ("2\x01b\n", "b2"),
        ("2\x1bOHb\x05!\n", "b2!"),
        (f"2{LEFT}b{RIGHT}!\n", "b2!"),
        (f"{LEFT}2{LEFT}{LEFT}b{RIGHT}{RIGHT}!\n", "b2!"),
        (f"xb2{HOME}{DELETE}\n", "b2"),
        ("xb2\x01\x04\n", "b2"),
        ("say one two \x17three\n", "say one three"),
        ("one\x17b2\n", "b2"),
        ("nonsense\x15b2\n", "b2"),
        ("b2nonsense\x01\x1b[C\x1b[C\x0b\n", "b2"),
        ("ñandú ✕\n", "ñandú ✕"),
        ("say\ta\x00\x07\u200b\n", "say a"),
        ("\x1bb2\n", "b2"),
        ("\x1b[é\x1b[?25hb2\x1b[1;5D\n", "b2"),
        ("x" * 5_000 + "\n", "x" * 1_000),
    ],
)
def test_keys_make_a_line_whole_or_one_by_one(keys: str, line: str) -> None:
    assert lines(keys) == [line]
    assert lines(*keys) == [line]


def test_several_lines_may_come_at_once() -> None:
    assert lines("a1\nb2\nc") == ["a1", "b2"]


def test_the_lines_before_can_be_had_again() -> None:
    assert lines("a1\nb2\nb2\n \n", f"{UP}{UP}{UP}\n") == ["a1", "b2", "b2", " ", "a1"]
    assert lines("a1\n", f"dra{UP}{UP}{DOWN}{DOWN}w\n") == ["a1", "draw"]


def test_ctrl_d_ends_only_where_nothing_is_typed() -> None:
    assert lines("\x04") == [END]
    assert lines("x\x04\n") == ["x"]


@pytest.mark.parametrize(
    ("keys", "width", "shown"),
    [
        ("say hello", 80, ("say hello", 0)),
        (f"say hello{LEFT}{LEFT}", 80, ("say hello", 2)),
        ("say hello", 6, ("hello", 0)),
        ("say hello\x01", 6, ("say h", 5)),
        (f"say hello{LEFT}", 6, (" hell", 0)),
        ("将棋", 80, ("将棋", 0)),
        (f"将棋{LEFT}", 80, ("将棋", 2)),
        ("将棋", 4, ("棋", 0)),
        ("e\u0301a", 3, ("e\u0301a", 0)),
        ("say", 0, ("", 0)),
    ],
)
def test_what_is_shown_fits_and_has_the_cursor_in_it(keys: str, width: int, shown: tuple[str, int]) -> None:
    editor = LineEditor()
    assert list(editor.feed(keys)) == []
    assert editor.shown(width) == shown
