"""A server of one's own on this computer, with bots, for as long as somebody plays here.

Law: the client never imports the server; it starts it as anybody else would.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress
from importlib.util import find_spec
from urllib.parse import urlsplit

from tablero.client.client import Client
from tablero.errors import Disconnected, Refused

from .who import named

_NEEDED = ("aiohttp", "pydantic_settings", "structlog")
"""What the server's extra brings."""
INSTALL = " ".join(("pip", "install", "'tablero[server]'"))
_BEGIN_SECONDS = 20.0
_END_SECONDS = 8.0
_LOOK_SECONDS = 2.0
_PR_SET_PDEATHSIG = 1


def missing_for_a_server() -> str | None:
    """The package that is missing here to host games, if one is."""
    return next((name for name in _NEEDED if find_spec(name) is None), None)


def _end_with_us() -> None:
    """The kernel ends the server when this program is gone, however it went."""
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


async def others_at(client: Client) -> list[str]:
    """The people who are there beside us, as far as that can be found out."""
    others: list[str] = []
    if client.is_open:
        with suppress(Refused, Disconnected, TimeoutError):
            async with asyncio.timeout(_LOOK_SECONDS):
                lobby = await client.watch_lobby()
                us = client.player.id
                others = [named(player) for player in lobby.players if not player.bot and player.id != us]
    return others


class NotStarted(Exception):
    """The text is what the server said last."""


class LocalServer:
    def __init__(self, command: tuple[str, ...] = (sys.executable, "-m", "tablero", "serve")) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def start(self, url: str) -> None:
        """Returns when it listens. Raises NotStarted."""
        port = urlsplit(url).port or 8470
        self._process = process = await asyncio.create_subprocess_exec(
            *self._command,
            "--port",
            str(port),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C here is for the screen
            preexec_fn=_end_with_us if sys.platform == "linux" else None,
        )
        assert process.stdout is not None
        said = b""
        try:
            async with asyncio.timeout(_BEGIN_SECONDS):
                while line := await process.stdout.readline():
                    said = line.strip() or said
                    if str(port).encode() in line:
                        break
                else:
                    await process.wait()
                    raise NotStarted(said.decode(errors="replace"))
        except TimeoutError:
            await self.stop()
            raise NotStarted(said.decode(errors="replace")) from None
        self._reading = asyncio.create_task(self._read_on(process.stdout))

    async def _read_on(self, out: asyncio.StreamReader) -> None:
        """A server that nobody reads would stand still one day."""
        while await out.readline():
            pass

    def end(self) -> None:
        """Tells it to, and does not wait."""
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()

    async def stop(self) -> None:
        self.end()
        process = self._process
        if process is None or process.returncode is not None:
            return
        try:
            async with asyncio.timeout(_END_SECONDS):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
        if self._reading is not None:
            self._reading.cancel()
            with suppress(asyncio.CancelledError):
                await self._reading
