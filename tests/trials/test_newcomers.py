"""trials/newcomers.py: on a server that nobody attacks all succeed, and who is refused is not counted."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tablero_games import GAMES
from tablero_games.position import Json
from tablero_server.core.effects import Search
from tablero_server.processes.search_pool import SearchPool
from tests.harness.wire import a_server
from trials import newcomers
from trials.newcomers import Count


class Nobody:
    """Attackers who do nothing."""

    async def attack(self, many: dict[str, int]) -> None: ...


@asynccontextmanager
async def nobody(port: int) -> AsyncIterator[Nobody]:
    yield Nobody()


async def find(pool: SearchPool, asked: Search) -> Json:
    """Without a process of its own."""
    game = GAMES[asked.game]
    return game.prepare(asked.seed, game.read_options(asked.options))


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newcomers, "strangers", nobody)
    monkeypatch.setattr(newcomers, "EXHAUSTING_SECONDS", 0)
    monkeypatch.setattr(SearchPool, "find", find)


COME = [newcomers.come_with_codes, newcomers.come_anew, newcomers.look_for_fields]


@pytest.mark.parametrize("come", COME)
async def test_all_succeed_where_nobody_attacks(come: Callable[[int, int], Awaitable[Count]]) -> None:
    async with a_server() as server:
        count = await come(server.port, 3)
        assert (count.people, count.succeeded) == (3, 3)


@pytest.mark.parametrize(
    ("come", "settings"),
    [
        (newcomers.come_anew, {"players": 2}),
        (newcomers.look_for_fields, {"entry": "closed"}),
    ],
)
async def test_who_is_refused_is_not_counted(
    come: Callable[[int, int], Awaitable[Count]], settings: dict[str, Any]
) -> None:
    async with a_server(**settings) as server:
        assert (await come(server.port, 3)).succeeded < 3
