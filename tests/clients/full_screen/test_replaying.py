"""A game that is over, step by step."""

from __future__ import annotations

from pathlib import Path

from tablero.full_screen.replaying import ReplayScreen
from tests.harness.client import real_server
from tests.harness.screens import a_screen, a_table


async def test_the_game_just_played_is_stepped_through(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "connect-four") as (ana, ben):
        ben.plays = False
        await ana.press("4")
        await ana.shows("Ben to move.")
        await ben.room.play("3")
        await ben.room.resign()
        await ana.shows("You win (resign).")
        room = ben.room.id
        await ana.press("q")
        await ana.until(lambda: len(ana.app.screen_stack) == 2)
        await ana.press("e", *room, "enter")
        await ana.until(lambda: isinstance(ana.app.screen, ReplayScreen))
        await ana.shows("At the start")
        await ana.press("right")
        await ana.shows("1. Ana plays 4.")
        await ana.press("end")
        await ana.shows("3. Ben resigns. Ana wins (resign).")
        await ana.press("home", "plus", "plus", "plus", "plus", "plus", "space")
        await ana.shows("Move 3 of 3")
        await ana.press("h")
        await ana.shows("2. Ben plays 3.")
        await ana.pilot.resize_terminal(1, 1)
        await ana.pilot.pause()
        await ana.press("escape")
        await ana.until(lambda: not isinstance(ana.app.screen, ReplayScreen))


async def test_what_cannot_be_shown_is_told(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("nonsense\n")
    async with real_server() as url, a_screen(url, tmp_path, size=(120, 30)) as ana:
        await ana.press("e", *"nowhere", "enter")
        await ana.shows("No: ")
        ana.app.clear_notifications()
        from tablero.full_screen.replaying import _text

        assert _text(ana.app, str(bad)) == "nonsense\n"
