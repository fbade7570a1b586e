"""`tablero play` at a terminal: what is typed stays whole, whatever happens meanwhile."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no such terminals", allow_module_level=True)

import pty
import termios

from tablero import connect
from tablero.errors import Disconnected
from tests.harness.client import real_server
from tests.harness.processes import free_port, tablero
from tests.harness.terminal import PATIENCE
from tests.harness.warm import command

TIC_TAC_TOE = [
    "3    |   |", "  ---+---+---", "2    |   |", "  ---+---+---", "1    |   |", "   a   b   c",
    "✕ Ben, ◉ you",
]  # fmt: skip


class Tty:
    """A terminal with `tablero play` in it: keys go in, and what appears comes out."""

    def __init__(self, process: asyncio.subprocess.Process, keyboard: int, own_end: int) -> None:
        self.process = process
        self._keyboard = keyboard
        self._own_end = own_end
        self._seen = ""
        self._news = asyncio.Event()
        asyncio.get_running_loop().add_reader(keyboard, self._read)

    def _read(self) -> None:
        try:
            self._seen += os.read(self._keyboard, 65_536).decode()
        except OSError:
            asyncio.get_running_loop().remove_reader(self._keyboard)
        self._news.set()

    def types(self, keys: str) -> None:
        os.write(self._keyboard, keys.encode())

    async def shows(self, text: str, patience: float = PATIENCE) -> str:
        """Waits for `text`; gives all that appeared up to its end, and goes on behind it."""
        async with asyncio.timeout(patience):
            while text not in self._seen:
                self._news.clear()
                await self._news.wait()
        before, found, self._seen = self._seen.partition(text)
        return before + found

    async def ends(self) -> int | None:
        async with asyncio.timeout(PATIENCE):
            return await self.process.wait()

    @property
    def echoes(self) -> bool:
        return bool(termios.tcgetattr(self._own_end)[3] & termios.ECHO)


@asynccontextmanager
async def a_tty(
    home: Path, url: str, *, name: str = "Ana", term: str = "xterm", **more: str
) -> AsyncIterator[Tty]:
    keyboard, end = pty.openpty()
    termios.tcsetwinsize(end, (30, 100))
    path = os.pathsep.join(path for path in sys.path if path)
    own = {"PYTHONPATH": path, "TABLERO_HOME": str(home), "PYTHONUTF8": "1", "TERM": term, **more}
    process = await asyncio.create_subprocess_exec(
        *[*command(), "play", url, "--plain", "--name", name],
        stdin=end,
        stdout=end,
        stderr=end,
        env=os.environ | own,
        start_new_session=True,
    )
    try:
        yield Tty(process, keyboard, end)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        asyncio.get_running_loop().remove_reader(keyboard)
        os.close(keyboard)
        os.close(end)


async def test_a_half_typed_line_survives_what_is_printed_meanwhile(tmp_path: Path) -> None:
    async with real_server() as url, connect(url, name="Ben") as ben, a_tty(tmp_path, url) as ana:
        room = await ben.create_room("tic-tac-toe")
        await ana.shows("> ")
        ana.types(f"join {room.id}\n")
        await ana.shows("The game begins. Ben to move.")
        ana.types("say see you ther")
        await ana.shows("> say see you ther")
        await room.say("hello")
        height = len(TIC_TAC_TOE)
        seen = await ana.shows("> say see you ther")
        assert seen.startswith(f"\r\x1b[{height}A\x1b[JBen: hello\r\n")
        assert re.sub(r"\x1b\[[\d;]*m", "", seen).endswith("\r\n".join([*TIC_TAC_TOE, "> say see you ther"]))
        ana.types("e\n")
        await ana.shows("> say see you there\r\n")
        await ana.shows("Ana: see you there\r\n")
        ana.types("\x1b[A")
        await ana.shows("> say see you there")


@pytest.mark.parametrize(("more", "are_coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
async def test_on_our_turn_a_bell_rings_and_the_sides_have_colours_unless_nobody_wants_them(
    more: dict[str, str], are_coloured: bool, tmp_path: Path
) -> None:
    async with real_server() as url, connect(url, name="Ben") as ben, a_tty(tmp_path, url, **more) as ana:
        room = await ben.create_room("tic-tac-toe")
        await ana.shows("> ")
        ana.types(f"join {room.id}\n")
        seen = await ana.shows("◉ you")
        assert ("\x1b[1;36m◉ you" in seen) is are_coloured
        await room.play("b2", 0, 0)
        await ana.shows("\x07")
        ana.types("bell off\n")
        await ana.shows("The bell is off.")


@pytest.mark.parametrize("how", ["quit", "ctrl-c", "ctrl-d", "sigterm"])
async def test_the_terminal_is_given_back_as_it_was(how: str, tmp_path: Path) -> None:
    async with real_server() as url, connect(url, name="Ben") as ben, a_tty(tmp_path, url) as ana:
        room = await ben.create_room("tic-tac-toe")
        left: asyncio.Queue[object] = asyncio.Queue()
        room.members.subscribe(lambda event: left.put_nowait(event) if event.type == "left" else None)
        assert ana.echoes
        await ana.shows("> ")
        ana.types(f"join {room.id}\n")
        await ana.shows("Ben to move.")
        assert not ana.echoes
        if how == "sigterm":
            ana.process.send_signal(signal.SIGTERM)
        elif how == "ctrl-c":
            ana.process.send_signal(signal.SIGINT)
        else:
            ana.types({"quit": "quit\nyes\n", "ctrl-d": "\x04"}[how])
        if how != "quit":
            await ana.shows("is kept for a few minutes. Return as Ana.")
        assert await ana.ends() == 0
        assert ana.echoes
        if how == "quit":
            async with asyncio.timeout(PATIENCE):
                await left.get()
        else:
            await room.say("She is still at this table.")
            assert left.empty()


async def test_a_terminal_that_cannot_move_its_cursor_echoes_by_itself(tmp_path: Path) -> None:
    async with real_server() as url, a_tty(tmp_path, url, term="dumb") as ana:
        await ana.shows("> ")
        assert ana.echoes
        ana.types("create tic-tac-toe\n")
        assert "\x1b" not in await ana.shows("others can join")
        ana.types("\x04")
        assert await ana.ends() == 0


async def test_a_newcomer_is_asked_for_the_passphrase_once(tmp_path: Path) -> None:
    async with real_server(entry="passphrase", passphrase="open sesame") as url:
        async with a_tty(tmp_path, url) as ana:
            await ana.shows("Passphrase: ")
            ana.types("open sesame\n")
            assert "sesame" not in await ana.shows("You're ")
            ana.types("quit\n")
            assert await ana.ends() == 0
        async with a_tty(tmp_path / "elsewhere", url) as ben:
            await ben.shows("Passphrase: ")
            ben.types("friend\n")
            await ben.shows("ask the host.\r\n")
            assert await ben.ends() == 1


async def test_where_no_server_runs_one_is_offered_and_ends_with_us_unless_others_stay(
    tmp_path: Path,
) -> None:
    url = f"ws://127.0.0.1:{free_port()}/ws"
    async with a_tty(tmp_path, url) as ana:
        await ana.shows(
            "No server is running on this computer.\r\nStart a server here, with bots, and play? "
        )
        ana.types("no\n")
        assert await ana.ends() == 1
    async with a_tty(tmp_path, url, TABLERO_BOTS="false", TABLERO_DATABASE="memory") as ana:
        await ana.shows("Type yes to continue: ")
        ana.types("yes\n")
        await ana.shows("You're Ana.", 3 * PATIENCE)
        async with connect(url, name="Ben"):
            ana.types("quit\n")
            await ana.shows(
                "Still on your server: Ben. If you quit, the server stops. Type yes to stop the server."
            )
            ana.types("yes\n")
            assert await ana.ends() == 0
        with pytest.raises(Disconnected):
            async with connect(url, name="Ben"):
                pass


@asynccontextmanager
async def a_killed_server(home: Path, port: str) -> AsyncIterator[str]:
    """A server in a process of its own, which ends by kill -9; gives its address."""
    database = f"sqlite:///{home / 'games.sqlite'}"
    options = ("--port", port, "--no-bots", "--database", database)
    async with tablero(home, "serve", *options, errors=PIPE) as process:
        assert process.stdout is not None
        words = (await process.stdout.readline()).decode().split()
        yield words[-1]
        process.kill()
        await process.wait()


async def test_a_move_typed_while_the_server_is_down_is_played_when_it_is_back(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        async with a_killed_server(tmp_path, "0") as url:
            ana = await stack.enter_async_context(a_tty(tmp_path, url))
            ben = await stack.enter_async_context(a_tty(tmp_path, url, name="Ben"))
            await ana.shows("> ")
            ana.types("create tic-tac-toe\n")
            table = (await ana.shows(": you are on seat 0")).split("table ")[1].split(":")[0]
            await ben.shows("> ")
            ben.types(f"join {table}\n")
            await ana.shows("The game begins. Your turn.")
        await ana.shows("Connection lost. Reconnecting…")
        ana.types("b2\nsay hello\nsa")
        await ana.shows("You're offline. Your command is sent when you're back online.")
        await ana.shows("You're offline. Your command is sent when you're back online.")
        async with a_killed_server(tmp_path, str(urlsplit(url).port)):
            await ana.shows("You're back online.")
            await ana.shows("1. You play b2.")
            await ana.shows("Ana: hello\r\n")
            await ana.shows("> sa")
            await ben.shows("1. Ana plays b2. Your turn.")
            ana.types("y still here\n")
            await ben.shows("Ana: still here")
