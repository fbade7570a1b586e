"""A host who reads the log can follow every game: who played what, where, and how it ended."""

from __future__ import annotations

from typing import Any

import structlog

from tablero_server.observer import Histogram
from tests.harness.wire import Wire, a_server, a_table


async def played(ana: Wire, ben: Wire, room: str, *moves: str) -> None:
    for ply, move in enumerate(moves):
        answer = await (ana, ben)[ply % 2].ask("playTurn", room=room, seat=ply % 2, ply=ply, move=move)
        assert answer["type"] == "nextPlayer", answer


def of_games(logged: list[Any]) -> list[dict[str, Any]]:
    return [line for line in logged if line["event"].startswith("game ")]


async def test_a_game_has_a_line_when_it_begins_and_one_when_it_ends() -> None:
    with structlog.testing.capture_logs() as logged:
        async with a_server() as server, a_table(server) as (ana, ben, room):
            await played(ana, ben, room, "a1", "b2", "a2", "b3", "a3")
            ids = [player["id"] for player in (ana.heard[0]["player"], ben.heard[0]["player"])]
    both = {"room": room, "game": "tic-tac-toe", "players": ["ana", "ben"], "ids": ids, "log_level": "info"}
    assert of_games(logged) == [
        {"event": "game began", "private": False, **both},
        {"event": "game ended", "result": "ana wins (line)", **both},
    ]


async def test_a_game_that_nobody_wins_is_told_by_its_kind() -> None:
    with structlog.testing.capture_logs() as logged:
        async with a_server() as server, a_table(server) as (ana, ben, room):
            await played(ana, ben, room, "a1")
            await ben.ask("leave", room=room)
    assert of_games(logged)[-1]["result"] == "aborted (left)"


async def test_the_seed_of_a_game_is_in_no_line() -> None:
    with structlog.testing.capture_logs() as logged:
        async with a_server() as server, a_table(server, "minesweeper", options={"mode": "coop"}):
            [views] = server.service.hub.rooms.open.values()
            seed = views.room.seed
    assert of_games(logged)
    assert not any(str(seed) in str(line) or f"{seed:x}" in str(line) for line in logged)


def test_each_duration_is_counted_up_to_its_bound_and_beyond() -> None:
    spread = Histogram()
    for seconds in (0.0005, 0.001, 0.002, 0.3, 60.0):
        spread.add(seconds)
    counts = dict(spread.up_to())
    assert (counts["0.001"], counts["0.0025"], counts["0.25"], counts["0.5"]) == (2, 3, 3, 4)
    assert (counts["10.0"], counts["+Inf"], len(spread)) == (4, 5, 5)
    assert spread.sum == 60.3035


def test_a_quantile_is_a_bound_that_holds() -> None:
    spread = Histogram()
    assert spread.quantile(0.99) == 0
    for _ in range(99):
        spread.add(0.004)
    spread.add(3.0)
    assert (spread.quantile(0.5), spread.quantile(0.99), spread.quantile(1.0)) == (0.005, 0.005, 10.0)
