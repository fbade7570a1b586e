"""The README's bot, a bot in another language and a bundled one meet on a live server, beside people."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.harness.wire import Wire, a_server, a_table

ROOT = Path(__file__).parents[1]


def readme_bot(folder: Path) -> str:
    """The README's bot, saved as a reader would save it."""
    text = (ROOT / "README.md").read_text("utf-8")
    source = re.search(r"```python\n(from tablero import Bot, run\n.*?)```", text, re.DOTALL)
    assert source is not None
    file = folder / "greedy.py"
    file.write_text(source[1], "utf-8")
    return f"{file}:Greedy"


async def contest(url: str, *specs: str) -> tuple[int | None, str]:
    """Runs `tablero arena` at this server. Returns the exit code and the output."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tablero", "arena", *specs, "--server", url, "--games", "2", "--json",
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    printed, _ = await process.communicate()
    return process.returncode, printed.decode()


async def a_game_of_people(ana: Wire, ben: Wire, room: str) -> None:
    """Plays a game of tic-tac-toe without haste, which Ana wins."""
    for ply, move in enumerate(("a1", "a2", "b1", "b2", "c1")):
        mover, other = (ana, ben) if ply % 2 == 0 else (ben, ana)
        answer = await mover.ask("playTurn", room=room, seat=ply % 2, ply=ply, move=move)
        assert answer["type"] == "nextPlayer"
        assert (await other.hear())["ply"] == ply + 1
        await asyncio.sleep(0)
    assert answer["outcome"]["winners"] == [0]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed: no bot in JavaScript")
async def test_a_round_robin_of_three_kinds_of_bots_beside_a_persons_game(tmp_path: Path) -> None:
    engine = f"connect-four:cmd:node {ROOT / 'examples/greedy.mjs'}"
    async with a_server(sockets_per_player=100) as server, a_table(server) as (ana, ben, room):
        url = f"ws://127.0.0.1:{server.port}/ws"
        playing = asyncio.create_task(contest(url, readme_bot(tmp_path), engine, "connect-four:child"))
        await a_game_of_people(ana, ben, room)
        code, printed = await playing
    told = json.loads(printed)
    assert code == 0, told
    assert len(told["pairs"]) == 3
    for pair in told["pairs"]:
        assert pair["games"] == 2
        assert (pair["crashes"], pair["illegal"], pair["timeouts"]) == (0, 0, 0)
