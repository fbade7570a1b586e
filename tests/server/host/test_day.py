"""What the host is told of a day, and nobody else."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tablero_server.core.effects import Effects
from tablero_server.host.day import games_of_day
from tests.harness.host import a_server, say
from tests.harness.journal_entries import came_out
from tests.harness.pages import a_game, to_the_end
from tests.harness.wire import RATED, a_wire


async def test_the_host_is_told_of_every_game_of_a_day(folder: Path) -> None:
    async with (
        a_server(folder / "admin") as server,
        a_wire(server) as ana,
        a_wire(server, address="127.0.0.2") as ben,
    ):
        room, _, _ = await a_game(ana, ben, "tic-tac-toe", private=True)
        await to_the_end(ana, ben, room)
        again = (await ana.ask("createRoom", game="tic-tac-toe", **RATED))["room"]
        await ben.ask("join", room=again)
        await to_the_end(ana, ben, again)
        today = f"{_day(server.service.now())}"
        answer = await say(folder / "admin", "games", day=today)
        told = [json.loads(line) for line in answer["message"].splitlines()]
        assert [(game["room"], game["private"]) for game in told] == [(room, True), (again, False)]
        assert [seat["name"] for seat in told[0]["seats"]] == ["ana", "ben"]
        assert [round(seat["value"]) for seat in told[1]["seats"]] == [1662, 1338]
        assert "token" not in answer["message"]


@pytest.mark.parametrize("day", ["2001-02-03", "0001-01-01", "9999-12-31"])
async def test_a_day_without_games_is_told_as_one(folder: Path, day: str) -> None:
    async with a_server(folder / "admin"):
        answer = await say(folder / "admin", "games", day=day)
        assert answer == {"ok": True, "message": f"Nobody has played on {day}."}


async def test_the_games_go_on_while_a_long_day_is_told(folder: Path) -> None:
    async with a_server(folder / "admin") as server:
        games = tuple(came_out(f"r{number}", 0, games=None, at=0) for number in range(2_000))
        await server.journal.append([Effects(kept=games)])
        turns, answer = 0, asyncio.create_task(games_of_day(server.service, "1970-01-01"))
        while not answer.done():
            turns += 1
            await asyncio.sleep(0)
        assert len(answer.result().splitlines()) == 2_000
        assert turns > 20


@pytest.mark.parametrize("day", ["", "today", "2026-13-01", "2026-02-30", "19.11.2026"])
async def test_what_is_no_day_is_refused(folder: Path, day: str) -> None:
    async with a_server(folder / "admin"):
        answer = await say(folder / "admin", "games", day=day)
        assert (answer["ok"], answer["reason"]) == (False, "noDay")


def _day(milliseconds: int) -> str:
    from datetime import UTC, datetime

    return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d}"
