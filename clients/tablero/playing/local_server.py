"""A server on this computer, with bots, that runs as long as its player is here.

Law: the client never imports the server; it starts the server as a program.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from importlib.util import find_spec
from urllib.parse import urlsplit

from tablero.client.client import Client
from tablero.errors import Disconnected, Refused
from tablero.processes import Ended
from tablero.processes.program import Program

from .who import named

_NEEDED = ("aiohttp", "pydantic_settings", "structlog")
"""Modules that only the server's extra installs."""
INSTALL = " ".join(("pip", "install", "'tablero[server]'"))
_BEGIN_SECONDS = 20.0
_END_SECONDS = 8.0
_LOOK_SECONDS = 2.0


def missing_for_a_server() -> str | None:
    """The missing package for hosting games, if any."""
    return next((name for name in _NEEDED if find_spec(name) is None), None)


async def others_at(client: Client) -> list[str]:
    """The names of other people at the server; empty if the lobby can't be read."""
    others: list[str] = []
    if client.is_open:
        with suppress(Refused, Disconnected, TimeoutError):
            async with asyncio.timeout(_LOOK_SECONDS):
                lobby = await client.watch_lobby()
                us = client.player.id
                others = [named(player) for player in lobby.players if not player.bot and player.id != us]
    return others


class NotStarted(Exception):
    """The server did not start. The text is its last output."""


class LocalServer:
    def __init__(self, command: tuple[str, ...] = (sys.executable, "-m", "tablero", "serve")) -> None:
        self._command = command
        self._program: Program | None = None

    @property
    def is_running(self) -> bool:
        return self._program is not None and self._program.wait(0) is None

    async def start(self, url: str) -> None:
        """Start the server. Returns when it listens. Raises NotStarted."""
        port, said = str(urlsplit(url).port or 8470), ""
        self._program = program = await asyncio.to_thread(
            Program, (*self._command, "--port", port), _END_SECONDS
        )
        until = program.now() + _BEGIN_SECONDS
        try:
            while (line := await asyncio.to_thread(program.hear, until)) is not None:
                if port in line:
                    return
                said = line
        except Ended:
            pass
        except asyncio.CancelledError:
            program.let_go()  # so that the program doesn't wait for the reading thread
            raise
        await self.stop()
        raise NotStarted([said, *program.last_words][-1])

    def end(self) -> None:
        """Tell the server to end, without waiting."""
        if self._program is not None:
            self._program.let_go()

    async def stop(self) -> None:
        if self._program is not None:
            await asyncio.to_thread(self._program.end)
