"""The line mode at a real server, over a real socket: type, and wait for what is told."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tablero import connect
from tablero.client.client import Client
from tablero.client.room import Room
from tablero.terminal.line_mode import LineMode
from tablero.terminal.narrator import Display, Narrator
from tablero_server.app import Server
from tablero_server.settings import Settings

PATIENCE = 10.0


@asynccontextmanager
async def a_server(**settings: Any) -> AsyncIterator[str]:
    server = Server(Settings(port=0, bots=False, **settings))
    await server.start()
    try:
        yield f"ws://127.0.0.1:{server.port}/ws"
    finally:
        await server.stop()


class Terminal:
    """Somebody who types, and reads every line once."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.unread: list[str] = []
        self._told = asyncio.Event()
        self.narrator = Narrator(client, self._hear, self._hear, Display(boards=False, style="ascii"))
        self.mode = LineMode(client, self.narrator)

    @property
    def room(self) -> Room:
        assert self.narrator.room is not None
        return self.narrator.room

    def types(self, line: str) -> None:
        self.mode.line(line)

    async def hears(self, pattern: str) -> list[str]:
        """Reads on to the first line in which `pattern` is; gives the lines up to it."""
        read: list[str] = []
        async with asyncio.timeout(PATIENCE):
            while True:
                while self.unread:
                    read.append(self.unread.pop(0))
                    if re.search(pattern, read[-1]):
                        return read
                self._told.clear()
                await self._told.wait()

    def _hear(self, line: str) -> None:
        self.unread.append(line)
        self._told.set()


@asynccontextmanager
async def a_terminal(url: str, name: str) -> AsyncIterator[Terminal]:
    async with connect(url, name=name) as client:
        yield Terminal(client)


class Rival:
    """The other player, by the library: hears all that happens at their table."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.gone: list[str] = []
        self.next: asyncio.Queue[Room] = asyncio.Queue()
        room.members.subscribe(
            lambda event: self.gone.append(event.player.name) if event.type == "left" else None
        )
        room.next_player.subscribe(lambda _: None)
        room.offers.subscribe(lambda _: None)
        room.chat.subscribe(lambda _: None)
        room.rematch.subscribe(self.next.put_nowait)


async def a_finished_game(ana: Terminal, ben: Client) -> Rival:
    """Both sit at a private table where Ana has just resigned."""
    ana.types("create tic-tac-toe private")
    await ana.hears("Waiting for 1 more")
    rival = Rival(await ben.join(code=ana.room.code))
    await ana.hears("The game begins")
    ana.types("resign")
    await ana.hears("You resign.")
    return rival
