"""A real server in the test's own loop, and clients that say exactly what a test tells them to say."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from typing import Any, Protocol
from unittest.mock import patch

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from tablero.client import connection
from tablero_protocol.codec import CODECS, Frame
from tablero_protocol.scan import FROM_SERVER
from tablero_server.app import Server
from tablero_server.journal.journal import Journal
from tablero_server.settings import Settings

Json = dict[str, Any]
PATIENCE = 40.0
"""Seconds that a test waits for what happens at once on a machine that has nothing else to do."""
RATED: Json = {"rated": True, "clock": {"base": 300, "increment": 5}}
"""The options of a rated table, at the speed shown first; two who play there come from two addresses."""


@asynccontextmanager
async def a_server(
    journal: Journal | None = None, seconds: float = PATIENCE, **settings: Any
) -> AsyncIterator[Server]:
    """No test with a server waits for ever, whatever breaks."""
    settings = {"messages_burst": 10_000, "countdown_seconds": 0, **settings}  # tests are faster than people
    server = Server(Settings(port=0, bots=False, **settings), journal)
    await server.start()
    try:
        async with asyncio.timeout(seconds):
            yield server
    finally:
        async with asyncio.timeout(PATIENCE):
            await server.stop()


@contextmanager
def addresses_of_their_own() -> Iterator[None]:
    """Each connection of the client library comes from another address of this machine."""
    addresses = (f"127.0.{number // 250}.{2 + number % 250}" for number in count())

    def from_the_next(*given: Any, **named: Any) -> Any:
        return open_socket(*given, local_addr=(next(addresses), 0), **named)

    with patch.object(connection, "open_connection", from_the_next):
        yield


class Listening(Protocol):
    """A server on this machine, in whatever process."""

    port: int


class Wire:
    """One socket: `tell` sends a message, `hear` gives the next, `ask` the answer."""

    def __init__(self, socket: ClientConnection, subprotocol: str) -> None:
        self.socket = socket
        self.heard: list[Json] = []
        """The messages received so far."""
        self._codec = CODECS[subprotocol]
        self._ids = (f"i{number}" for number in count(1))

    async def send(self, frame: Frame) -> None:
        await self.socket.send(frame)

    async def tell(self, type: str, **fields: Any) -> str:
        """Sends a message and gives its id."""
        message = {"type": type, "id": next(self._ids), **fields}
        await self.send(self._codec.encode(message))
        return str(message["id"])

    async def hear(self) -> Json:
        async with asyncio.timeout(PATIENCE):
            frame = await self.socket.recv()
        message: Json = self._codec.read(frame, FROM_SERVER)
        self.heard.append(message)
        return message

    async def ask(self, type: str, **fields: Any) -> Json:
        id = await self.tell(type, **fields)
        while (message := await self.hear()).get("re") != id:
            pass
        return message

    async def hello(self, name: str | None = "ana", **more: Any) -> Json:
        named = {} if name is None else {"name": name}
        welcome = await self.ask("hello", protocol=1, client="test", **named, **more)
        assert welcome["type"] == "welcome", welcome
        return welcome

    async def closed(self) -> int | None:
        """Reads to the end of the connection; gives its close code."""
        try:
            while True:
                await self.hear()
        except ConnectionClosed:
            return self.socket.close_code


@asynccontextmanager
async def a_wire(
    server: Listening,
    subprotocol: str = "tablero.v1.msgpack",
    *,
    origin: str | None = None,
    offered: tuple[str, ...] | None = None,
    address: str | None = None,
    **more: Any,
) -> AsyncIterator[Wire]:
    """A connection, from `address` if named, that asks for `subprotocol`, or for what is `offered`."""
    subprotocols = [Subprotocol(each) for each in (subprotocol,) if offered is None] or None
    async with open_socket(
        f"ws://127.0.0.1:{server.port}/ws",
        subprotocols=subprotocols if offered is None else [Subprotocol(each) for each in offered] or None,
        origin=Origin(origin) if origin is not None else None,
        close_timeout=1,
        ping_interval=None,
        proxy=None,
        local_addr=None if address is None else (address, 0),
        **{"compression": None, **more},
    ) as socket:
        yield Wire(socket, subprotocol)


@asynccontextmanager
async def a_table(
    server: Listening, game: str = "tic-tac-toe", **options: Any
) -> AsyncIterator[tuple[Wire, Wire, str]]:
    """Ana on seat 0 and Ben on seat 1, the game begun; and its room."""
    async with a_wire(server) as ana, a_wire(server, address="127.0.0.2") as ben:
        await ana.hello("ana")
        await ben.hello("ben")
        room = (await ana.ask("createRoom", game=game, subscribe=["nextPlayer", "chat"], **options))["room"]
        await ben.ask("join", room=room, subscribe=["nextPlayer", "chat"])
        for wire in (ana, ben):
            while (await wire.hear())["type"] != "nextPlayer":
                pass
        yield ana, ben, room
