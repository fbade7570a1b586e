"""A server that cleans nothing: the terminal still hears only what the screen itself has to say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablero.client import connection
from tablero_protocol.codec import server_message
from tests.harness.client import real_server
from tests.harness.screens import a_screen, a_table

EVIL = "\x1b]52;c;AAAA\x07\x9b31m\r\n\u202egnp.exe\u200b[red]"


def poisoned(told: Any) -> Any:
    """The same with evil in the place of each "Ben"."""
    if isinstance(told, dict):
        return {key: poisoned(value) for key, value in told.items()}
    if isinstance(told, list):
        return [poisoned(each) for each in told]
    return told.replace("Ben", EVIL) if isinstance(told, str) else told


@pytest.fixture
def _hostile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "server_message", lambda raw: server_message(poisoned(raw)))


def harmful(text: str) -> set[str]:
    return {letter for letter in EVIL if not letter.isprintable()} & set(text.replace("\n", ""))


@pytest.mark.usefixtures("_hostile")
async def test_no_text_of_others_reaches_the_terminal_as_it_is(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "tic-tac-toe") as (ana, ben):
        await ana.press("5")
        await ana.until(lambda: ana.ply > 1)
        await ben.room.say("Ben was here")
        await ana.shows("was here")
        seen = [ana.text]
        await ben.room.resign()
        await ana.shows("gnp.exe")
        seen.append(ana.text)
        async with a_screen(url, tmp_path / "other", name="Eve") as eve:
            await eve.shows("gnp.exe")
            seen.append(eve.text)
    assert [harmful(text) for text in seen] == [set()] * 3
