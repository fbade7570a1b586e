"""What is typed about ratings and results, and what is printed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, TypeVar

import pytest

from tablero.playing import results
from tablero_protocol.messages import PlayerPage, Ratings, Times, Tonight
from tests.harness.rig import ANA, BEN, HARD, message
from tests.harness.terminal import Desk


def test_what_is_asked_is_printed() -> None:
    desk = Desk()
    desk.type("tonight")
    desk.answer("tonight", since=0, games=[])
    desk.type("best")
    desk.answer("times", course="beginner", bots=False, times=[])
    desk.type("top quoridor")
    desk.answer("ratings", game="quoridor", speed="none", leaders=[])
    desk.type("player ben")
    desk.answer("playerPage", player=BEN, ratings=[], games=[])
    assert desk.printed == [
        "No public games in the last 12 hours.",
        "No times at beginner yet.",
        "No leaders at Quoridor, no clock: play 10 rated games to appear here.",
        "Ben",
        "No rated games yet.",
    ]


@pytest.mark.parametrize(
    ("line", "noted"),
    [
        ("top", "Usage: top GAME [SPEED]"),
        ("top quoridor fast", "There is no speed 'fast'"),
        ("top chess", "There is no game 'chess'"),
        ("best easy", "There is no course 'easy'"),
        ("best beginner expert", "Usage: best [COURSE] [bots]"),
    ],
)
def test_what_makes_no_sense_is_explained(line: str, noted: str) -> None:
    desk = Desk()
    desk.type(line)
    assert desk.noted[0].startswith(noted)
    assert desk.sent() == []


Answer = TypeVar("Answer", Ratings, Times, Tonight, PlayerPage)


def told_by(kind: type[Answer], **fields: Any) -> Answer:
    answer = message(**fields)
    assert isinstance(answer, kind)
    return answer


def local(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def game(**of: Any) -> dict[str, Any]:
    seats = [{"player": ANA, "place": 2, "value": 1338}, {"player": BEN, "place": 1, "value": 1662}]
    facts = {
        "room": "r1",
        "game": "quoridor",
        "at": 77_000_000,
        "kind": "win",
        "reason": "goal",
        "seats": seats,
    }
    return {**facts, **of}


def test_the_leaders() -> None:
    leaders = [
        {"place": 1, "player": ANA, "value": 1700, "deviation": 60, "provisional": False, "games": 30},
        {"place": 2, "player": HARD, "value": 1600, "deviation": 160, "provisional": True, "games": 1},
    ]
    told = told_by(Ratings, type="ratings", re="x", game="quoridor", speed="blitz", leaders=leaders)
    assert results.leaders(told) == [
        "The best at Quoridor, blitz:",
        "  1. Ana  1700  30 games",
        "  2. house (bot, hard)  1600?  1 game",
    ]


def test_where_there_are_no_leaders_it_is_said_how_to_be_one() -> None:
    told = told_by(Ratings, type="ratings", re="x", game="quoridor", speed="none", leaders=[])
    assert results.leaders(told) == ["No leaders at Quoridor, no clock: play 10 rated games to appear here."]


def test_best_times() -> None:
    times = [{"place": 1, "player": ANA, "milliseconds": 98_765}]
    told = told_by(Times, type="times", re="x", course="expert", bots=False, times=times)
    assert results.best_times(told) == [
        "The fastest at expert:",
        "  1. Ana  98.765 s",
    ]
    told = told_by(Times, type="times", re="x", course="expert", bots=False, times=[])
    assert results.best_times(told) == ["No times at expert yet."]


def test_tonight_names_the_winner_first() -> None:
    draw = game(kind="draw", seats=[{"player": ANA, "place": 1}, {"player": BEN, "place": 1}])
    aborted = game(kind="aborted", seats=[{"player": ANA}, {"player": BEN}])
    solo = game(game="minesweeper", seats=[{"player": ANA, "place": 1, "milliseconds": 5_000}])
    told = told_by(Tonight, type="tonight", re="x", since=0, games=[game(), draw, aborted, solo])
    assert results.tonight(told, local) == [
        "21:23  Quoridor: 1. Ben 1662, 2. Ana 1338",
        "21:23  Quoridor: 1. Ana, 1. Ben (draw)",
        "21:23  Quoridor: Ana, Ben (aborted)",
        "21:23  Minesweeper: 1. Ana 5.000 s",
    ]
    told = told_by(Tonight, type="tonight", re="x", since=0, games=[])
    assert results.tonight(told, local) == ["No public games in the last 12 hours."]


def test_a_players_page() -> None:
    rating = {
        "game": "quoridor", "speed": "none", "value": 1662, "deviation": 290, "provisional": True, "games": 1,
        "curve": [],
    }  # fmt: skip
    balance = {"game": "quoridor", "wins": 1, "draws": 0, "losses": 2}
    told = told_by(
        PlayerPage,
        type="playerPage",
        re="x",
        player=BEN,
        ratings=[rating, {**rating, "level": "quoridor:hard"}],
        games=[game()],
        rival=ANA,
        headToHead=[balance],
    )
    assert results.player(told, local) == [
        "Ben",
        "Quoridor, no clock:  1662?  1 game",
        "Quoridor, no clock, hard:  1662?  1 game",
        "Quoridor against Ana: 1 won, 0 drawn, 2 lost.",
        "1970-01-01 21:23  Quoridor: 1. Ben 1662, 2. Ana 1338",
    ]


def test_what_a_server_calls_somebody_does_nothing_to_the_terminal() -> None:
    nasty = {"id": "x", "name": "a\x1b[2Jb"}
    told = told_by(PlayerPage, type="playerPage", re="x", player=nasty, ratings=[], games=[])
    assert all("\x1b" not in line for line in results.player(told, local))
