"""A real server in the test's own loop, and clients that send exactly what a test says."""

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
"""The seconds that a test waits for something that is immediate on an idle machine."""
RATED: Json = {"rated": True, "clock": {"base": 300, "increment": 5}}
"""The options of a rated table at the default speed. Two rated players need two addresses."""


@asynccontextmanager
async def a_server(
    journal: Journal | None = None, seconds: float = PATIENCE, **settings: Any
) -> AsyncIterator[Server]:
    """A server whose block ends by an error after `seconds`, so that no test waits forever."""
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
    """Gives each connection of the client library another address of this machine."""
    addresses = (f"127.0.{number // 250}.{2 + number % 250}" for number in count())

    def from_the_next(*given: Any, **named: Any) -> Any:
        return open_socket(*given, local_addr=(next(addresses), 0), **named)

    with patch.object(connection, "open_connection", from_the_next):
        yield


class Listening(Protocol):
    """A server on this machine, in any process."""

    port: int


class Wire:
    """One socket: `tell` sends a message, `hear` returns the next message, `ask` the answer."""

    def __init__(self, socket: ClientConnection, subprotocol: str) -> None:
        self.socket = socket
        self.heard: list[Json] = []
        """The messages received so far."""
        self._codec = CODECS[subprotocol]
        self._ids = (f"i{number}" for number in count(1))

    async def send(self, frame: Frame) -> None:
        await self.socket.send(frame)

    async def tell(self, type: str, **fields: Any) -> str:
        """Sends a message. Returns its id."""
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
        """Reads to the end of the connection. Returns its close code."""
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
    """A connection, from `address` if given, that asks for `subprotocol`, or for those in `offered`."""
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
    """A running game with Ana on seat 0 and Ben on seat 1. Yields both and the room."""
    async with a_wire(server) as ana, a_wire(server, address="127.0.0.2") as ben:
        await ana.hello("ana")
        await ben.hello("ben")
        room = (await ana.ask("createRoom", game=game, subscribe=["nextPlayer", "chat"], **options))["room"]
        await ben.ask("join", room=room, subscribe=["nextPlayer", "chat"])
        for wire in (ana, ben):
            while (await wire.hear())["type"] != "nextPlayer":
                pass
        yield ana, ben, room
