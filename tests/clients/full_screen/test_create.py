"""The form for a table."""

from __future__ import annotations

from textual.app import App

from tablero.full_screen.create import Create
from tablero.playing.orders import NewTable


async def test_keys_fill_the_form_in() -> None:
    got: list[NewTable | None] = []
    app: App[None] = App()
    async with app.run_test() as pilot:
        app.push_screen(Create(), got.append)
        await pilot.press("right", "right", "right", "down", "left", "down", "down", "right", "enter")
        app.push_screen(Create(), got.append)
        await pilot.press("up", "l", "enter")
        app.push_screen(Create(), got.append)
        await pilot.press("q")
    assert got == [
        NewTable(game="quoridor", options={"size": 8}, clock={"base": 60, "increment": 1}),
        NewTable(game="tic-tac-toe", clock={"base": 300, "increment": 5}, rated=True),
        None,
    ]


async def test_the_mouse_fills_it_in() -> None:
    got: list[NewTable | None] = []
    app: App[None] = App()
    async with app.run_test() as pilot:
        app.push_screen(Create(), got.append)
        await pilot.pause()
        await pilot.click("#rows", offset=(3, 1))
        await pilot.click("#rows", offset=(3, 1))
        await pilot.press("enter")
    assert got == [NewTable(game="tic-tac-toe", clock={"base": 60, "increment": 1})]


async def test_what_is_chosen_is_seen_where_the_form_does_not_fit() -> None:
    app: App[None] = App()
    async with app.run_test(size=(60, 9)) as pilot:
        app.push_screen(Create())
        await pilot.press("left", "down", "down", "right", "up")  # a race has the most to choose
        for _ in range(12):
            await pilot.press("down")
            await pilot.pause()
            strips = app.screen._compositor.render_strips(app.size)
            assert any(strip.text.strip().startswith("> ") for strip in strips)
