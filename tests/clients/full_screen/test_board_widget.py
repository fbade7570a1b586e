"""The board on the screen."""

from __future__ import annotations

from pathlib import Path

from tablero.full_screen.board_widget import BoardWidget
from tests.harness.client import real_server
from tests.harness.screens import a_screen, a_table


async def test_the_mouse_shows_a_wall_before_it_is_placed(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "quoridor") as (ana, _):
        widget = ana.table.query_one("#board", BoardWidget)
        await ana.until(lambda: widget.board is not None)
        assert widget.board is not None
        left, top, width, _ = widget.board.area("c3h")
        await ana.pilot.hover(widget, offset=(widget._left + left, widget._top + top))
        assert ana.table.table is not None
        assert ana.table.table.cursor == "c3h"
        assert ":" * width in ana.text
        await ana.click_on("c3h")
        await ana.shows("c3h")


async def test_a_board_that_does_not_fit_follows_the_cursor(tmp_path: Path) -> None:
    async with real_server() as url, a_screen(url, tmp_path, size=(60, 16)) as ana:
        assert ana.app.queue is not None
        ana.app.queue.type("create minesweeper width=50 height=50 mines=300")
        await ana.until(lambda: len(ana.app.screen_stack) > 2)
        await ana.until(lambda: ana.ply >= 0)
        widget = ana.table.query_one("#board", BoardWidget)
        await ana.until(lambda: widget.missing is not None)
        await ana.shows("[#]")
        for _ in range(30):
            await ana.press("left", "down")
        await ana.shows("[#]")
        assert "1 [#]" in ana.text


async def test_a_disc_falls_and_lies(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "connect-four") as (ana, ben):
        ben.plays = False
        widget = ana.table.query_one("#board", BoardWidget)
        await ana.press("4")
        await ana.until(lambda: ana.table.table is not None and ana.table.table.last_move == "4")
        await ana.until(lambda: widget._drop == 0 and "( X )" in ana.text)


async def test_the_right_button_sets_a_flag(tmp_path: Path) -> None:
    async with real_server() as url, a_screen(url, tmp_path) as ana:
        assert ana.app.queue is not None
        ana.app.queue.type("create minesweeper")
        await ana.until(lambda: len(ana.app.screen_stack) > 2)
        await ana.until(lambda: ana.ply >= 0)
        await ana.click_on("c3", button=3)
        await ana.shows("flag c3")
        await ana.shows("mines left: 9")
