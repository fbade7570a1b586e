"""A server and its host, who uses the command line and the host's page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aiohttp import ClientSession

from tablero_server.app import Server
from tablero_server.host.admin import ask
from tablero_server.host.files import beside, write_token
from tablero_server.host.site import HostSite
from tablero_server.journal.journal import Journal
from tablero_server.settings import Settings
from tests.harness.wire import PATIENCE, Json


class Host:
    """Sends commands to the host's pages, with the token from the file, or with another."""

    def __init__(self, site: HostSite, token: str) -> None:
        self.url = f"http://127.0.0.1:{site.port}/api"
        self.token = token

    async def say(self, command: str, body: str = "{}", **headers: str) -> tuple[int, Any]:
        named = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        named |= {name.replace("_", "-"): value for name, value in headers.items()}
        async with (
            ClientSession() as session,
            session.post(f"{self.url}/{command}", data=body, headers=named) as answer,
        ):
            is_json = answer.content_type == "application/json"
            return answer.status, await answer.json() if is_json else await answer.text()


@asynccontextmanager
async def a_host() -> AsyncIterator[tuple[Host, Server]]:
    with TemporaryDirectory() as folder:
        admin = Path(folder) / "admin"
        token = beside(admin, "token")
        assert token is not None
        server = Server(Settings(port=0, bots=False), admin=admin, host_pages=("127.0.0.1", 0))
        await server.start()
        try:
            write_token(token, new=False)
            yield Host(server.host_site, token.read_text().strip()), server
        finally:
            await server.stop()


@asynccontextmanager
async def a_server(admin: Path, journal: Journal | None = None, **settings: Any) -> AsyncIterator[Server]:
    settings = {"messages_burst": 10_000, **settings}
    server = Server(Settings(port=0, bots=False, **settings), journal, admin=admin)
    await server.start()
    try:
        async with asyncio.timeout(PATIENCE):
            yield server
    finally:
        await server.stop()


async def say(admin: Path, command: str, **arguments: str) -> Json:
    return await asyncio.to_thread(ask, admin, command, **arguments)
