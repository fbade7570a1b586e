"""The line at a table into which one types."""

from __future__ import annotations

from textual.app import App, ComposeResult

from tablero.full_screen.typed_line import TypedLine


async def test_it_takes_the_very_next_key_and_goes_again() -> None:
    class Typing(App[None]):
        def compose(self) -> ComposeResult:
            yield TypedLine()

    app = Typing()
    async with app.run_test() as pilot:
        line = app.query_one(TypedLine)
        assert not line.display
        line.open("say ")
        assert app.focused is line
        await pilot.press(*"hi")
        assert line.value == "say hi"
        line.close()
        assert (line.value, line.display) == ("", False)
