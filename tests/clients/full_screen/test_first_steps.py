"""How many keys somebody presses who has never been here, with the real program in a real terminal.

As after `make play` on a machine where nothing runs yet. The port is a free one, where that takes 8470.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no such terminals", allow_module_level=True)

from tests.harness.client import real_server
from tests.harness.processes import environment, free_port
from tests.harness.pty_screen import PtyScreen, in_a_terminal
from tests.harness.warm import command


class Newcomer:
    """Presses keys, and knows how many."""

    def __init__(self, screen: PtyScreen) -> None:
        self.screen = screen
        self.pressed = 0

    async def sees(self, text: str) -> None:
        await self.screen.shows(text)

    def press(self, key: str) -> None:
        self.pressed += 1
        self.screen.type(key)


def play(port: str, name: str) -> tuple[str, ...]:
    return (*command(), "play", f"127.0.0.1:{port}", "--name", name)


def own_environment(home: Path) -> dict[str, str]:
    return environment(home) | {"TERM": "xterm-256color", "LANG": "C.UTF-8"}


async def ends(somebody: Newcomer) -> None:
    """So that the server that the screen has started ends with it."""
    os.kill(somebody.screen.process.pid, signal.SIGTERM)
    await somebody.screen.process.wait()


async def test_from_nothing_past_the_lessons_to_a_move_against_the_computer_in_five_keys(
    tmp_path: Path,
) -> None:
    own = own_environment(tmp_path)
    async with in_a_terminal(*play(free_port(), "Ana"), environment=own) as screen:
        ana = Newcomer(screen)
        await ana.sees("Start a server here, with bots, and play")
        ana.press("\r")
        await ana.sees("Play the computer")
        ana.press("\r")
        await ana.sees("Enter: play.")
        ana.press("\r")
        await ana.sees("How to play Tic-tac-toe - Lesson 1")
        ana.press("q")
        await ana.sees("Your turn.")
        ana.press("\r")
        await ana.sees("You play b2.")
        assert ana.pressed <= 5
        await ends(ana)


async def test_two_people_play_in_eight_keys_each(tmp_path: Path) -> None:
    homes = [own_environment(tmp_path / name) for name in ("ana", "ben")]
    async with AsyncExitStack() as stack:
        port = urlsplit(await stack.enter_async_context(real_server())).netloc.partition(":")[2]
        ana = Newcomer(
            await stack.enter_async_context(in_a_terminal(*play(port, "Ana"), environment=homes[0]))
        )
        ana.pressed = 1  # as above: the key that starts a server
        await ana.sees("Play the computer")
        ana.press("n")
        await ana.sees("create the table.")
        ana.press("\r")
        await ana.sees("you are on seat")
        ben = Newcomer(
            await stack.enter_async_context(in_a_terminal(*play(port, "Ben"), environment=homes[1]))
        )
        await ben.sees("Ana - free")
        ben.press("\t")
        ben.press("\r")
        await ana.sees("Your turn.")
        ana.press("\r")
        await ben.sees("Ana plays b2.")
        ben.press("1")
        await ana.sees("Ben plays a1.")
        print(f"keys: {ana.pressed} and {ben.pressed}")
        assert max(ana.pressed, ben.pressed) <= 8
