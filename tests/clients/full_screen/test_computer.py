"""Against the computer."""

from __future__ import annotations

import pytest
from textual.app import App

from tablero.brains import bundled
from tablero.full_screen.computer import Computer, Wish, remark, wishes
from tablero_games import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_can_be_played_and_is_told_of(game: str) -> None:
    for wish in wishes(game):
        assert remark(wish)
        assert wish.is_alone or wish.level in bundled()[game]


@pytest.mark.parametrize(
    ("wish", "line"),
    [
        (Wish("quoridor", "hard"), "create quoridor bot=hard"),
        (Wish("minesweeper", "easy"), "create minesweeper mode=race bot=easy"),
        (Wish("minesweeper", "expert", is_alone=True), "create minesweeper level=expert"),
    ],
)
def test_a_wish_is_a_line(wish: Wish, line: str) -> None:
    assert wish.line == line


async def test_keys_choose_game_and_level() -> None:
    got: list[Wish | None] = []
    app: App[None] = App()
    async with app.run_test() as pilot:
        app.push_screen(Computer(), got.append)
        await pilot.press("down", "right", "right", "left", "enter")
        app.push_screen(Computer(), got.append)
        await pilot.press("j", "j", "k", "l", "h", "h", "enter")
        app.push_screen(Computer(), got.append)
        await pilot.press("escape")
    assert got == [Wish("connect-four", "normal"), Wish("connect-four", "easy"), None]
