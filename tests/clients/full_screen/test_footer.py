"""The footer shows the keys of its screen; they can be clicked."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from tablero.full_screen.footer import Footer
from tablero.full_screen.keys import Key, bindings, show_in_footer

KEYS = (
    Key("colon,c", "type", "Type", "", shown=True),
    Key("w", "wall", "Wall", "", True, "switch"),
    Key("q", "leave", "Leave", "", shown=True),
    Key("x", "hidden", "", ""),
)


class Shop(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(KEYS), Binding("z", "leave", "Nowhere", show=False)]

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []

    def compose(self) -> ComposeResult:
        yield Footer()

    def action_type(self) -> None:
        self.done.append("type")

    def action_leave(self) -> None:
        self.done.append("leave")


class Town(App[None]):
    def on_mount(self) -> None:
        self.set_keymap({"leave": "o"})
        self.push_screen(Shop())


def line(app: App[Any]) -> str:
    return app.screen.query_one(Footer).render().plain


async def test_it_shows_the_keys_of_the_game_as_the_options_have_them() -> None:
    async with Town().run_test() as pilot:
        show_in_footer(pilot.app.screen, KEYS, "tic-tac-toe")
        await pilot.pause()
        assert line(pilot.app) == " : Type  o Leave "
        show_in_footer(pilot.app.screen, KEYS, "quoridor")
        await pilot.pause()
        assert line(pilot.app) == " : Type  w Wall  o Leave "


async def test_a_click_presses_the_key_that_it_hits_and_none_behind_the_last() -> None:
    async with Town().run_test() as pilot:
        shop = pilot.app.screen
        assert isinstance(shop, Shop)
        show_in_footer(shop, KEYS, "tic-tac-toe")
        await pilot.pause()
        for column in (0, 7, 8, 16, 17):
            await pilot.click(Footer, offset=(column, 0))
        await pilot.pause()
        assert shop.done == ["type", "type", "leave", "leave"]
