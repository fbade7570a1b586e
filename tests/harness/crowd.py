"""Scripted clients, many of them in one process, which read and write msgpack without the library."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any

import msgpack
from websockets import Subprotocol
from websockets.asyncio.client import ClientConnection, connect

from tablero_games import GAMES

_AT_ONCE = 50
"""The number of handshakes at the same time while a crowd connects."""


class Player:
    """One connection of a scripted client."""

    def __init__(self, socket: ClientConnection, name: str) -> None:
        self.socket = socket
        self._name = name
        self._sent = 0
        self.known: dict[str, str] = {}
        """The token and session for a return."""

    async def send(self, type: str, **fields: Any) -> None:
        self._sent += 1
        await self.socket.send(msgpack.packb({"type": type, "id": f"{self._name}-{self._sent}", **fields}))

    async def next(self, *types: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = msgpack.unpackb(await self.socket.recv())
            if message["type"] in types:
                return message
            if message["type"] == "refused":
                raise RuntimeError(str(message))

    async def hello(self) -> None:
        await self.send("hello", protocol=1, client="bench", **self.known)
        welcome = await self.next("welcome")
        self.known = {"token": welcome.get("token") or self.known["token"], "session": welcome["session"]}


def a_full_game(seed: int) -> list[str]:
    """A Connect Four game that fills the board without a winner: 42 moves."""
    random = Random(seed)
    while True:
        position, moves = GAMES["connect-four"].start(), []
        while not position.outcome:
            (seat,) = position.to_move
            moves.append(random.choice(position.legal_moves(seat)))
            position = position.play(seat, moves[-1])
        if len(moves) == 42:
            return moves


async def make_room(players: Sequence[Player], clock: dict[str, int] | None = None) -> str:
    terms = {} if clock is None else {"clock": clock}
    await players[0].send("createRoom", game="connect-four", subscribe=["nextPlayer"], **terms)
    room: str = (await players[0].next("joined"))["room"]
    await players[1].send("join", room=room, subscribe=["nextPlayer"])
    for player in players:
        await player.next("nextPlayer")
    return room


@asynccontextmanager
async def a_socket(port: int, query: str = "") -> AsyncIterator[ClientConnection]:
    async with connect(
        f"ws://127.0.0.1:{port}/ws{query}",
        subprotocols=[Subprotocol("tablero.v1.msgpack")],
        compression=None,
        ping_interval=None,
        open_timeout=60,
    ) as socket:
        yield socket


@asynccontextmanager
async def a_crowd(port: int, count: int, name: str = "p") -> AsyncIterator[list[Player]]:
    """Connects that many players, all with a welcome."""
    gate = asyncio.Semaphore(_AT_ONCE)

    async def come(number: int) -> Player:
        async with gate:
            player = Player(await stack.enter_async_context(a_socket(port)), f"{name}{number}")
            await player.hello()
            return player

    async with AsyncExitStack() as stack:
        players = await asyncio.gather(*map(come, range(count)))
        try:
            yield players
        finally:
            for player in players:
                player.socket.transport.abort()  # closing each properly would take as long as a hello


async def make_rooms(players: Sequence[Player], each: int) -> list[list[str]]:
    """Makes that many rooms for every two players."""
    gate = asyncio.Semaphore(_AT_ONCE)

    async def make(pair: Sequence[Player]) -> list[str]:
        async with gate:
            return [await make_room(pair) for _ in range(each)]

    return await asyncio.gather(*(make(players[n : n + 2]) for n in range(0, len(players), 2)))


def allow_many_sockets() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
