"""Players at a server without a browser, and their games."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.harness.browser import Browsers, address, browsers
from tests.harness.wire import Wire, a_server, a_wire


@asynccontextmanager
async def a_site(**settings: Any) -> AsyncIterator[tuple[Any, Browsers]]:
    async with a_server(seconds=60, **settings) as server, browsers() as people:
        yield server, people


@asynccontextmanager
async def a_guest(server: Any, name: str = "ana") -> AsyncIterator[Wire]:
    """A guest without a browser."""
    async with a_wire(server) as wire:
        await wire.hello(name)
        yield wire


WON = ("a1", "a2", "b1", "b2", "c1")


async def played(one: Wire, other: Wire, **options: Any) -> str:
    """A game of tic-tac-toe that `one` wins."""
    made = await one.ask("createRoom", game="tic-tac-toe", seat=0, **options)
    where = {"code": made["code"]} if options.get("private") else {"room": made["room"]}
    await other.ask("join", **where)
    for ply, move in enumerate(WON):
        wire, seat = ((one, 0), (other, 1))[ply % 2]
        answer = await wire.ask("playTurn", room=made["room"], seat=seat, ply=ply, move=move)
        assert answer["type"] == "ok", answer
    return str(made["room"])


@asynccontextmanager
async def two_guests(**settings: Any) -> AsyncIterator[tuple[Any, Wire, Wire, Browsers]]:
    async with (
        a_server(seconds=60, **settings) as server,
        a_wire(server) as ana,
        a_wire(server, address="127.0.0.2") as ben,
        browsers() as people,
    ):
        await ana.hello("ana")
        await ben.hello("ben")
        yield server, ana, ben, people


@asynccontextmanager
async def a_game(**table: Any) -> AsyncIterator[tuple[str, Browsers, Wire, Wire, dict[str, Any]]]:
    """Ana and Ben, who have no browser, play Connect Four. Yields the address, the browsers, both players,
    and the table.
    """
    async with a_site() as (server, people), a_guest(server, "ana") as ana, a_guest(server, "ben") as ben:
        room = await ana.ask("createRoom", game="connect-four", **table)
        await ben.ask("join", code=room["code"])
        await ana.ask("playTurn", room=room["room"], seat=0, ply=0, move="4")
        yield address(server.port), people, ana, ben, room
