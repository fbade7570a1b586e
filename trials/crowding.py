"""The load that strangers bring to a server: open tables, running games, and players with one name."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import chain
from random import Random

from tablero_games import GAMES
from tests.harness.crowd import Player, a_crowd
from trials.attacks import enter, hear

EACH = 16
"""The number of rooms that one person may be in."""
_AT_ONCE = 50
LARGE = {"width": 50, "height": 50, "mines": 400}


@asynccontextmanager
async def open_rooms(port: int, tables: int) -> AsyncIterator[None]:
    """Opens some large public games, and that many tables with seven of eight seats free."""
    async with a_crowd(port, 1 + tables // EACH, "opener") as hosts:
        await _open_all(hosts[0], options=LARGE)
        await asyncio.gather(*(_open_all(host, options={"mode": "race"}, seats=8) for host in hosts[1:]))
        staying = asyncio.create_task(_stay(hosts))
        try:
            yield
        finally:
            staying.cancel()


async def _open_all(host: Player, **minesweeper: object) -> None:
    for _ in range(EACH):
        await host.send("createRoom", game="minesweeper", **minesweeper)
        await host.next("joined")


async def _stay(hosts: list[Player]) -> None:
    """Sends pings, so that no player is silent for too long."""
    while True:
        await asyncio.sleep(8)
        for host in hosts:
            await host.send("ping")
            await host.next("pong")


async def guests_called(name: str, port: int, count: int) -> None:
    """Connects that many guests with this name or a similar one, and disconnects them."""
    gate = asyncio.Semaphore(_AT_ONCE)

    async def come_and_go() -> None:
        async with gate:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            await enter(reader, writer, name=name)
            await hear(reader)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    await asyncio.gather(*(come_and_go() for _ in range(count)))


async def packed_games(port: int, games: int, plies: int) -> list[str]:
    """Plays that many public correspondence games of that many plies, whose players then leave. Returns the
    rooms.
    """
    moves = _a_long_game(plies)
    async with a_crowd(port, 2 * (1 + games // EACH), "absent") as players:
        pairs = zip(players[::2], players[1::2], strict=True)
        each = min(games, EACH)
        rooms = await asyncio.gather(*(_play_all(pair, moves, each) for pair in pairs))
    return list(chain.from_iterable(rooms))[:games]


def _a_long_game(plies: int) -> list[tuple[int, str]]:
    """The seats and moves of a random game of Quoridor, with few walls."""
    random, position, moves = Random(0), GAMES["quoridor"].start(), list[tuple[int, str]]()
    for ply in range(plies):
        [seat] = position.to_move
        legal = list(position.legal_moves(seat))
        random.shuffle(legal)
        if ply % 12:
            legal.sort(key=len)
        after = ((move, position.play(seat, move)) for move in legal)
        move, position = next((move, then) for move, then in after if then.outcome is None)
        moves.append((seat, move))
    return moves


async def _play_all(pair: tuple[Player, Player], moves: list[tuple[int, str]], games: int) -> list[str]:
    """Plays that many games of two players, one after another."""
    rooms = []
    for _ in range(games):
        await pair[0].send("createRoom", game="quoridor", clock={"days": 3})
        rooms.append((await pair[0].next("joined"))["room"])
        await pair[1].send("join", room=rooms[-1])
        await pair[1].next("joined")
        for ply, (seat, move) in enumerate(moves):
            await pair[seat].send("playTurn", room=rooms[-1], seat=seat, ply=ply, move=move)
            await pair[seat].next("ok")
    return rooms
