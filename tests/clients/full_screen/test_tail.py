"""The last lines, folded."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult

from tablero.full_screen.tail import Tail, fold


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("one two three", 20, ["one two three"]),
        ("one two three four", 13, ["one two three", "  four"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("数数数", 4, ["数数", "数"]),
        ("a b", 1, ["a", "b"]),
        ("", 5, [""]),
    ],
)
def test_lines_are_folded_by_columns(text: str, width: int, lines: list[str]) -> None:
    assert fold(text, width) == lines
    assert all(cell_len(line) <= max(width, 2) for line in lines)


class Page(App[None]):
    def compose(self) -> ComposeResult:
        yield Tail()


async def test_the_last_lines_are_seen_and_earlier_ones_can_be() -> None:
    async with Page().run_test(size=(20, 3)) as pilot:
        tail = pilot.app.query_one(Tail)
        for number in range(9):
            tail.add(f"line {number}")
        assert tail.render().plain == "line 6\nline 7\nline 8"
        tail.scroll_by(2)
        assert tail.render().plain == "line 4\nline 5\nline 6"
        tail.scroll_by(100)
        assert tail.render().plain.startswith("line 0")
        tail.add("line 9")
        assert tail.render().plain.endswith("line 9")
