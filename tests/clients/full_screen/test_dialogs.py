"""Questions in the middle of the screen."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.screen import ModalScreen

from tablero.full_screen.dialogs import AskLine, Choice, Choose, Confirm, Page


async def answer(screen: ModalScreen[Any], *keys: str, size: tuple[int, int] = (80, 24)) -> Any:
    """What comes of it after these keys; "nothing" if it is still there."""
    got: list[Any] = []
    app: App[None] = App()
    async with app.run_test(size=size) as pilot:
        app.push_screen(screen, got.append)
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()
    return got[0] if got else "nothing"


async def test_yes_or_no() -> None:
    def ask() -> Confirm:
        return Confirm("Sure?", "Yes", "No")

    assert await answer(ask(), "y") is True
    assert await answer(ask(), "n") is False
    assert await answer(ask(), "x") is False, "the key that declines an offer"
    assert await answer(ask(), "escape") is False
    assert await answer(ask(), "enter") is True
    assert await answer(ask(), "down", "enter") is False
    assert await answer(ask(), "z") == "nothing"


async def test_a_line_of_text() -> None:
    assert await answer(AskLine("Where?"), *"here", "enter") == "here"
    assert await answer(AskLine("Where?"), "enter") is None
    assert await answer(AskLine("Where?", "there"), "escape") is None


async def test_one_of_several() -> None:
    choices = [Choice("a", "One", "the first"), Choice("b", "Two")]
    assert await answer(Choose("Which?", choices), "down", "enter") == "b"
    assert await answer(Choose("Which?", choices, first="b"), "enter") == "b"
    assert await answer(Choose("Which?", choices), "escape") is None
    assert await answer(Choose("Which?", []), "enter") == "nothing"


async def test_a_page_is_read_and_closed() -> None:
    lines = [f"line {number}" for number in range(50)]
    assert await answer(Page("All", lines), "j", "k", "q") is None
    assert await answer(Page("All", lines), "j") == "nothing"


async def test_others_text_is_no_markup() -> None:
    assert await answer(Confirm("[red]x[/]", "[b", "]"), "n") is False
    assert await answer(Choose("[/]", [Choice("a", "[/nonsense]", "[")]), "enter", size=(10, 4)) == "a"
