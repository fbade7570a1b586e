"""What was played is told alike by every journal, and nothing private to others."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_server.core.effects import Effects
from tablero_server.core.entry import Placing
from tablero_server.journal.journal import Journal
from tablero_server.journal.questions import (
    NEWEST,
    OLDEST,
    Cursor,
    Question,
    balance,
    best_times,
    curve,
    games_between,
    games_of,
    games_since,
    rated_beside,
    times_of,
)
from tablero_server.journal.rows import placings_from
from tablero_server.journal.sqlite import SqliteJournal
from tests.harness.databases import Place
from tests.harness.journal_entries import begin, came_out
from tests.harness.journals import at_once


def game(room: str, at: int, *players: str, private: bool = False, **of: Any) -> list[Placing]:
    """A game that the first of `players` has won."""
    return [
        came_out(
            room, seat, player, at=at, place=1 + min(seat, 1), private=private, games=None, value=None,
            rival=players[1 - seat] if len(players) == 2 else None, **of,
        )
        for seat, player in enumerate(players)
    ]  # fmt: skip


PLAYED = [
    *game("r1", 10, "ann", "bob"),
    *game("r2", 20, "bob", "ann", private=True),
    *game("r3", 20, "ann", "eve", "bob"),
    *game("r4", 30, "eve", "bob", game="quoridor"),
    *game("r5", 40, "bob", "ann", kind="draw"),
    *game("r6", 50, "ann", "bob", kind="aborted"),
]


async def asked(database: Place, *questions: Question, played: list[Placing] = PLAYED) -> list[list[Any]]:
    journal = await database.open()
    await journal.append([Effects([begin("a")], kept=played)])
    answers = [await journal.read(question) for question in questions]
    await journal.close()
    return answers


def rooms(rows: list[Any]) -> list[tuple[str, str]]:
    return [(placing.room, placing.player) for placing in placings_from(rows)]


async def test_the_games_of_a_player_come_with_all_their_seats_the_newest_first(database: Place) -> None:
    [games] = await asked(database, games_of("eve", "", NEWEST, 9))
    assert rooms(games) == [("r4", "eve"), ("r4", "bob"), ("r3", "ann"), ("r3", "eve"), ("r3", "bob")]
    assert list(placings_from(games)) == [*PLAYED[7:9], *PLAYED[4:7]]


async def test_a_page_goes_on_where_the_one_before_ended(database: Place) -> None:
    first, second, third = await asked(
        database,
        games_of("ann", "ann", NEWEST, 2),
        games_of("ann", "ann", Cursor(40, "r5"), 2),
        games_of("ann", "ann", Cursor(20, "r2"), 2),
    )
    assert [dict.fromkeys(room for room, _ in rooms(page)) for page in (first, second, third)] == [
        dict.fromkeys(["r6", "r5"]),
        dict.fromkeys(["r3", "r2"]),
        dict.fromkeys(["r1"]),
    ]


@pytest.mark.parametrize(("asker", "sees"), [("", False), ("eve", False), ("ann", True), ("bob", True)])
async def test_a_private_game_is_seen_by_those_who_sat_there_alone(
    database: Place, asker: str, sees: bool
) -> None:
    of_ann, tonight, between = await asked(
        database,
        games_of("ann", asker, NEWEST, 99),
        games_since(0, asker, NEWEST, 99),
        balance("ann", "bob", asker),
    )
    assert any(room == "r2" for room, _ in rooms(of_ann)) is sees
    assert any(room == "r2" for room, _ in rooms(tonight)) is sees
    assert between == [("tic-tac-toe", 1, 1, 1 if sees else 0)]


async def test_what_ended_since_then(database: Place) -> None:
    [tonight] = await asked(database, games_since(30, "", NEWEST, 99))
    assert dict.fromkeys(room for room, _ in rooms(tonight)) == dict.fromkeys(["r6", "r5", "r4"])


async def test_the_host_is_told_of_all_games_of_a_time(database: Place) -> None:
    [day] = await asked(database, games_between(20, 40))
    assert dict.fromkeys(room for room, _ in rooms(day)) == dict.fromkeys(["r2", "r3", "r4"])


async def test_rated_games_come_with_those_beside_them_the_oldest_first(database: Place) -> None:
    def rated(room: str, at: int, *players: str, speed: str = "blitz", games: int | None) -> list[Placing]:
        return [
            came_out(room, seat, player, at=at, speed=speed, games=None if games is None else games + seat)
            for seat, player in enumerate(players)
        ]

    played = [
        *rated("r1", 10, "ann", "bob", games=1),
        *rated("r2", 20, "eve", "dan", games=1),
        *rated("r3", 20, "eve", "dan", games=3, speed="slow"),
        *rated("r4", 30, "bob", "ann", games=None),
        *rated("r0", 30, "eve", "ann", games=5),
    ]
    whole, first, second, nothing = await asked(
        database,
        rated_beside("bob", OLDEST, 9),
        rated_beside("bob", OLDEST, 1),
        rated_beside("bob", Cursor(20, "r2"), 9),
        rated_beside("gus", OLDEST, 9),
        played=played,
    )
    assert list(dict.fromkeys(room for room, _ in rooms(whole))) == ["r1", "r2", "r0"]
    assert rooms(first) == [("r1", "ann"), ("r1", "bob")]
    assert (rooms(second), nothing) == ([("r0", "eve"), ("r0", "ann")], [])


async def test_the_times_of_a_player_are_those_that_count(database: Place) -> None:
    played = [
        came_out("r1", 0, "ann", at=10),
        came_out("r2", 0, "ann", at=20, games=2, course=None),
        came_out("r3", 0, "ann", at=30, games=3, milliseconds=None),
        came_out("r4", 0, "bob", at=40, games=4),
    ]
    [times] = await asked(database, times_of("ann"), played=played)
    assert rooms(times) == [("r1", "ann")]


async def test_a_curve_is_of_one_rating_alone(database: Place) -> None:
    rated = [
        came_out(f"r{games}", 0, "ann", games=games, value=1500.0 + games, at=games) for games in range(1, 6)
    ]
    others = [
        came_out("o1", 0, "ann", games=1, speed="slow"),
        came_out("o2", 0, "ann", games=1, level=""),
        came_out("o3", 0, "bob", games=1),
        came_out("o4", 0, "ann", games=1, game="quoridor"),
    ]
    [points] = await asked(
        database, curve("ann", "tic-tac-toe", "blitz", "hard", 3), played=[*rated, *others]
    )
    assert points == [(5, 1505.0, 99.5), (4, 1504.0, 99.5), (3, 1503.0, 99.5)]


async def test_everybody_has_one_best_time(database: Place) -> None:
    def time(room: str, player: str, ms: int | None, **of: Any) -> Placing:
        return came_out(room, 0, player, milliseconds=ms, **{"private": False, "games": None, **of})

    played = [
        time("r1", "ann", 900),
        time("r2", "ann", 700),
        time("r3", "bob", 800),
        time("r4", "bob", 100, private=True),
        time("r5", "eve", 600, course="beginner"),
        time("r6", "dan", 500, bot=True),
        time("r7", "joe", None),
    ]
    people, second, bots = await asked(
        database,
        best_times("expert", False, 0, 9),
        best_times("expert", False, 1, 9),
        best_times("expert", True, 0, 9),
        played=played,
    )
    assert people == [("ann", 700), ("bob", 800)]
    assert second == [("bob", 800)]
    assert bots == [("dan", 500)]


async def test_what_cannot_be_read_is_told_as_such(database: Place) -> None:
    from tablero_server.journal.journal import NotRead

    journal: Journal = await database.open()
    with pytest.raises(NotRead):
        await journal.read(Question("SELECT nonsense FROM played WHERE at = {0}", (1,)))
    await journal.append([Effects([begin("a")])])
    await journal.close()


@pytest.mark.parametrize(
    ("question", "index"),
    [
        (games_of("ann", "bob", NEWEST, 9), "played_by"),
        (games_since(5, "bob", NEWEST, 9), "played_at"),
        (games_between(5, 9), "played_at"),
        (curve("ann", "quoridor", "blitz", "", 9), "rated"),
        (balance("ann", "bob", "eve"), "played_between"),
        (best_times("expert", False, 0, 9), "COVERING INDEX played_times"),
        (rated_beside("ann", OLDEST, 9), "played_at"),
        (times_of("ann"), "played_by"),
    ],
)
def test_no_answer_looks_at_all_that_was_ever_played(question: Question, index: str) -> None:
    explained = question._replace(sql=f"EXPLAIN QUERY PLAN {question.sql}")
    plan = [str(row) for row in at_once(SqliteJournal().read(explained))]
    assert any(index in step for step in plan), plan
    assert not any("SCAN own" in step or "SCAN played'" in step for step in plan), plan
