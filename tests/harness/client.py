"""A real server for the library, and a helper that waits for turns of a room."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tablero.client.room import Room
from tablero_games import GAMES
from tablero_protocol.messages import NextPlayer
from tablero_server.app import Server
from tablero_server.settings import Settings

PATIENCE = 40.0


@asynccontextmanager
async def real_server(port: int = 0, **settings: Any) -> AsyncIterator[str]:
    server = Server(Settings(port=port, bots=False, **settings))
    await server.start()
    try:
        yield f"ws://127.0.0.1:{server.port}/ws"
    finally:
        await server.stop()


class Turns:
    """The turns of a room, for tests to wait for."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._queue: asyncio.Queue[NextPlayer] = asyncio.Queue()
        room.next_player.subscribe(self._queue.put_nowait)

    async def next(self) -> NextPlayer:
        async with asyncio.timeout(PATIENCE):
            return await self._queue.get()

    async def play_to_the_end(self) -> NextPlayer:
        """Plays the first legal move at each of our turns. Returns the last turn."""
        while (turn := await self.next()).outcome is None:
            if turn.seat in turn.seats:
                await self.room.play(GAMES[self.room.game].legal_moves(turn.view, turn.seat)[0])
        return turn
