"""The pages of a server, requested one by one on a real socket, with games to ask about."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from tablero_games import GAMES
from tablero_games.record.file import write
from tablero_server.app import Server
from tablero_server.journal.journal import Journal
from tests.harness.games.records import play
from tests.harness.wire import PATIENCE, Wire, a_server, a_wire


class Browser:
    """A client that requests pages, each on a new connection."""

    def __init__(self, server: Server) -> None:
        self._port = server.port
        self._writer: asyncio.StreamWriter | None = None

    async def connect(self) -> None:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    async def send(self, text: str) -> None:
        assert self._writer is not None
        self._writer.write(text.encode())
        await self._writer.drain()

    async def ask(self, path: str, method: str = "GET", **headers: str) -> None:
        fields = {"Host": "127.0.0.1", **{name.replace("_", "-"): text for name, text in headers.items()}}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {text}" for name, text in fields.items())]
        await self.send("\r\n".join([*lines, "", ""]))

    async def answer(self) -> tuple[int, dict[str, str], str]:
        """The status, headers and body of the answer, which ends the connection."""
        async with asyncio.timeout(PATIENCE):
            whole = (await self._reader.read()).decode()
        head, _, body = whole.partition("\r\n\r\n")
        first, *fields = head.split("\r\n")
        headers = dict(field.lower().split(": ", 1) for field in fields)
        return int(first.split()[1]), headers, body

    async def get(self, path: str, **headers: str) -> tuple[int, str]:
        """The status and body, on the open connection or a new one."""
        if not self._writer:
            await self.connect()
        await self.ask(path, **headers)
        status, _, body = await self.answer()
        self.leave()
        return status, body

    def leave(self) -> None:
        if self._writer:
            self._writer.transport.abort()
            self._writer = None

    async def dropped(self) -> None:
        """Returns when the server has closed this connection without an answer."""
        async with asyncio.timeout(PATIENCE):
            with suppress(ConnectionResetError):
                assert await self._reader.read() == b""


@asynccontextmanager
async def a_browser(server: Server) -> AsyncIterator[Browser]:
    browser = Browser(server)
    await browser.connect()
    try:
        yield browser
    finally:
        browser.leave()


@asynccontextmanager
async def three(
    journal: Journal | None = None, seconds: float = PATIENCE
) -> AsyncIterator[tuple[Server, Browser, Wire, Wire]]:
    """A server, a reader of its pages, and two players."""
    async with (
        a_server(journal, seconds) as server,
        a_browser(server) as browser,
        a_wire(server) as ana,
        a_wire(server, address="127.0.0.2") as ben,
    ):
        yield server, browser, ana, ben


async def a_game(ana: Wire, ben: Wire, game: str, **fields: Any) -> tuple[str, str, str]:
    """Starts a game of two. Returns its room, and the tokens of both players."""
    tokens = [(await ana.hello("ana"))["token"], (await ben.hello("ben"))["token"]]
    joined = await ana.ask("createRoom", game=game, **fields)
    place = {"code": joined["code"]} if "code" in joined else {"room": joined["room"]}
    await ben.ask("join", **place)
    return joined["room"], tokens[0], tokens[1]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def flag_of(server: Server, room: str) -> str:
    position = server.service.hub.rooms.open[room].room.position
    assert position is not None
    return next(move for move in position.legal_moves(0) if move.startswith("flag"))


async def to_the_end(ana: Wire, ben: Wire, room: str) -> None:
    for ply, move in enumerate(("a1", "a2", "b1", "b2", "c1")):
        await (ana, ben)[ply % 2].ask("playTurn", room=room, seat=ply % 2, ply=ply, move=move)


RECORD = write(play(GAMES["quoridor"], {"size": 5}))
HEAD = "POST /api/replay HTTP/1.1\r\nHost: 127.0.0.1\r\n"


async def answer_to(server: Server, *sent: str) -> tuple[int, dict[str, str], Any]:
    """The status, headers and JSON of the answer to these bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    for text in sent:
        writer.write(text.encode())
        await writer.drain()
    async with asyncio.timeout(PATIENCE):
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    first, *fields = head.decode().lower().split("\r\n")
    told = dict(field.split(": ", 1) for field in fields)
    plain = gzip.decompress(body) if told.get("content-encoding") == "gzip" else body
    return (
        int(first.split()[1]),
        told,
        json.loads(plain) if told["content-type"].startswith("application/json") else plain,
    )


async def post(server: Server, record: str, **headers: str) -> tuple[int, dict[str, str], Any]:
    more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return await answer_to(server, f"{HEAD}Content-Length: {len(record)}\r\n{more}\r\n{record}")
