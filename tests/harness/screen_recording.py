"""Plays a little on the full screen and writes the animated picture for the docs: `make recording`."""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from tablero import connect
from tests.harness.client import real_server
from tests.harness.screens import Shown, a_screen

PLACE = Path(__file__).parents[2] / "docs" / "pictures" / "terminal.svg"
_SECONDS = 1.6
"""The seconds for which each picture is shown."""
_LEFT_OUT = re.compile(r"@font-face\s*\{.*?\}|<!--.*?-->", re.DOTALL)
"""External fonts and comments, which are removed."""


async def pictures() -> list[str]:
    """The pictures as SVG, in order."""
    taken: list[str] = []

    async def take(shown: Shown) -> None:
        await shown.pilot.pause()
        taken.append(shown.app.export_screenshot())

    with TemporaryDirectory() as home:
        os.environ["TABLERO_HOME"] = home
        async with real_server() as url, connect(url, name="Ben") as ben, connect(url, name="Cleo") as cleo:
            await cleo.create_room("connect-four")
            room = await ben.create_room("quoridor", seat=1, clock={"base": 300, "increment": 5})
            room.next_player.subscribe(lambda _: None)
            async with a_screen(url, Path(home), glyphs="safe") as ana:
                await ana.shows("free - Ben")
                await take(ana)
                assert ana.app.queue is not None
                ana.app.queue.type(f"join {room.id}")
                await ana.until(lambda: ana.ply == 0)
                await take(ana)
                await ana.press("enter")
                await ana.goes_beyond(0)
                await room.play("e8")
                await ana.goes_beyond(1)
                await room.say("Have fun!")
                await ana.shows("Have fun!")
                await take(ana)
                await ana.press("w", *["up"] * 4, "left")
                await take(ana)
                await ana.press("enter")
                await ana.goes_beyond(2)
                await room.play("d3h")
                await ana.goes_beyond(3)
                await take(ana)
                await ana.press("colon", *"f2")
                await take(ana)
                await ana.press("enter")
                await ana.goes_beyond(4)
                await room.play("d8")
                await ana.goes_beyond(5)
                await ana.press("up", "enter")
                await take(ana)
                await ana.press("question_mark")
                await take(ana)
    return taken


def moving(frames: list[str]) -> str:
    """One SVG that shows the frames in turn, without an external font."""
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', frames[0])
    assert size is not None
    count, whole = len(frames), len(frames) * _SECONDS
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[1]} {size[2]}">']
    for at, frame in enumerate(frames):
        times = f"0;{at / count:.4f};{(at + 1) / count:.4f}"
        values = "visible;visible;hidden" if at == 0 else "hidden;visible;hidden"
        parts.append(f'<g visibility="{"visible" if at == 0 else "hidden"}">')
        parts.append(_LEFT_OUT.sub("", frame).replace("Fira Code", "monospace"))
        parts.append(
            f'<animate attributeName="visibility" calcMode="discrete" dur="{whole}s" '
            f'repeatCount="indefinite" keyTimes="{times}" values="{values}"/></g>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> None:
    PLACE.write_text(moving(asyncio.run(pictures())), "utf-8")
    print(f"{PLACE.name}: {PLACE.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
