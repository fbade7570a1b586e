"""Plays a little on the full screen and writes the screens into docs/terminal.md: `make recording`.

Random parts, such as the code of a table, are replaced by fixed ones.
"""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from tablero import connect
from tests.harness.client import real_server
from tests.harness.screens import Shown, a_screen

PAGE = Path(__file__).parents[2] / "docs" / "terminal.md"
_AS_IF = {
    r"table [0-9A-Z]{4}-[0-9A-Z]{4}": "table ABCD-EFGH",
    r"\b(?=[a-z0-9]*\d)[a-z0-9]{12}\b": "km9ej1fnew49",
    r"127\.0\.0\.1:\d+": "127.0.0.1:8470",
}


def capture(shown: Shown) -> str:
    text = shown.text
    for drawn, instead in _AS_IF.items():
        text = re.sub(drawn, instead, text)
    return text.rstrip()


async def captures(home: Path) -> dict[str, str]:
    """The captured screens by name."""
    taken: dict[str, str] = {}
    async with real_server() as url, connect(url, name="Ben") as ben, connect(url, name="Cleo") as cleo:
        await cleo.create_room("connect-four")
        room = await ben.create_room("quoridor", seat=1)
        for event in (room.next_player, room.chat):
            event.subscribe(lambda _: None)
        async with a_screen(url, home, glyphs="safe") as ana:
            await ana.shows("free - Ben")
            await ana.shows("f Filter")
            taken["lobby"] = capture(ana)
            await ana.press("c", "down", "right")
            await ana.shows("sees wins and threats one move ahead")
            taken["computer"] = capture(ana)
            await ana.press("escape")
            assert ana.app.queue is not None
            ana.app.queue.type(f"join {room.id}")
            await ana.until(lambda: ana.ply == 0)
            await ana.press("enter")
            await ana.goes_beyond(0)
            await room.play("e8")
            await ana.goes_beyond(1)
            await ana.types("e3h")
            await ana.goes_beyond(2)
            await room.play("e7")
            await ana.goes_beyond(3)
            await room.say("Have fun!")
            await ana.shows("Have fun!")
            await ana.press("w", "up", "up")
            await ana.pilot.pause()
            taken["table"] = capture(ana)
    return taken


def block(name: str, text: str) -> str:
    return f"<!-- capture: {name} -->\n```text\n{text}\n```"


def written(page: str, taken: dict[str, str]) -> str:
    """The page with these captures in place of its old ones."""
    for name, text in taken.items():
        found = re.search(rf"<!-- capture: {name} -->\n```text\n.*?\n```", page, re.DOTALL)
        assert found is not None, name
        page = page.replace(found[0], block(name, text))
    return page


def main() -> None:
    with TemporaryDirectory() as home:
        os.environ["TABLERO_HOME"] = home
        taken = asyncio.run(captures(Path(home)))
    PAGE.write_text(written(PAGE.read_text("utf-8"), taken), "utf-8")
    print(f"{PAGE.name}: {len(taken)} captures")


if __name__ == "__main__":
    main()
