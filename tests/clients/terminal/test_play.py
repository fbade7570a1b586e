"""`tablero play` as a process in a pipe, at a real server."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from pathlib import Path

from tablero import connect
from tablero.bots.host import BotHost, card
from tablero.brains import find_brain
from tablero.dice import dice
from tablero.terminal.play import Prompt
from tests.harness.client import PATIENCE, real_server
from tests.harness.rig import ANA, BEN, joined, message
from tests.harness.terminal import Desk
from tests.harness.warm import command

BRAINS = [find_brain("tic-tac-toe:hard")]


async def play(home: Path, url: str, typed: str, *arguments: str) -> tuple[int | None, str, str]:
    """Types all of `typed` at once; gives the exit code and what was printed."""
    path = os.pathsep.join(path for path in sys.path if path)
    process = await asyncio.create_subprocess_exec(
        *[*command(), "play", url, "--name", "Ana", *arguments],
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": path, "TABLERO_HOME": str(home), "PYTHONUTF8": "1"},
    )
    async with asyncio.timeout(PATIENCE):
        out, err = await process.communicate(typed.encode())
    return process.returncode, out.decode(), err.decode()


async def test_a_whole_game_can_be_piped_in(tmp_path: Path) -> None:
    moves = "\n".join(column + row for row in "123" for column in "abc")
    async with real_server() as url, connect(url, name="brains", bot=card(BRAINS, 5)) as house:
        BotHost(house, BRAINS, 5, dice(1), pace={"": 0})
        code, out, err = await play(tmp_path, url, f"create tic-tac-toe bot=hard\n{moves}\n", "--board")
    assert (code, err) == (0, "")
    assert "The game begins. Your turn." in out
    assert "1. You play a1. brains (bot, hard) to move." in out
    assert "1  ✕ |" in out
    assert "brains (bot, hard) wins (line)." in out or "The game is a draw (full)." in out
    assert "\r" not in out


async def test_the_emoji_board_of_minesweeper_can_be_seen(tmp_path: Path) -> None:
    async with real_server() as url:
        typed = "create minesweeper\nflag a9\ndig e5\n"
        code, out, err = await play(tmp_path, url, typed, "--board", "--style", "emoji")
    assert (code, err) == (0, "")
    assert "9 ⎢ 🚩⬜️⬜️⬜️⬜️⬜️⬜️⬜️⬜️ ⎥" in out
    assert "🌿" in out
    assert re.search("[1-8]\ufe0f\u20e3", out)


async def test_what_is_noted_beside_json_goes_elsewhere(tmp_path: Path) -> None:
    async with real_server() as url:
        code, out, err = await play(tmp_path, url, "bell\nhelp\n", "--json")
    assert code == 0
    assert all(isinstance(json.loads(line), dict) for line in out.splitlines())
    assert "The bell rings on your turn." in err


async def test_json_prints_each_message_as_received_but_no_token(tmp_path: Path) -> None:
    async with real_server() as url:
        code, out, err = await play(
            tmp_path, url, "create tic-tac-toe\nsay hello\nfly\nwatch nowhere12345\n", "--json"
        )
    assert code == 0
    messages = [json.loads(line) for line in out.splitlines()]
    assert (messages[0]["type"], messages[0]["player"]["name"]) == ("welcome", "Ana")
    assert {"joined", "said", "left"} <= {message["type"] for message in messages}
    assert not any("token" in message for message in messages)
    assert "Unknown: 'fly'." in err
    assert "You're at a table. Leave it first." in err


async def test_a_wrong_code_on_the_command_line_is_a_negative_end(tmp_path: Path) -> None:
    async with real_server() as url:
        address = url.removeprefix("ws://").removesuffix("/ws")
        code, out, _ = await play(tmp_path, "ABCD-EFGH", "", "--server", address)
    assert code == 1
    assert "No: No room has this code" in out


async def test_no_server_is_said_with_what_to_do(tmp_path: Path) -> None:
    async with real_server() as url:
        pass
    code, out, err = await play(tmp_path, url, "")
    assert (code, out) == (1, "")
    assert "Start a server with: tablero serve" in err


def test_the_prompt_says_who_is_away_and_when_nobody_is_any_more() -> None:
    desk, shown = Desk(seated=True), list[str]()
    Prompt(desk.client, desk.table, shown.append)
    away = message(type="away", room="r1", player=BEN, seats=[1], until=43_000)
    desk.tell(away, away, message(type="back", room="r1", player=BEN), away)
    desk.tell(message(type="left", room="r1", seq=4, player=ANA, reason="left"))
    assert shown == ["Ben is away", "", "Ben is away", ""]


def test_the_prompt_says_that_our_own_line_is_broken() -> None:
    desk, shown = Desk(), list[str]()
    Prompt(desk.client, desk.table, shown.append)
    desk.tell(joined(ANA, BEN))
    desk.drop()
    desk.return_()
    assert shown == ["no connection", ""]
