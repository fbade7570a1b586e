"""A bot whose thinking is done by an engine, with small engines as real processes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tablero.arena.local import play_many, play_match
from tablero.arena.match import Match
from tablero.bot import Bot, Budget, CannotGoOn, Resign, Turn
from tablero.brains import UnknownBrain, find_brain
from tablero.engine.bridge import EngineBot, engine_class, level_of, seats_of
from tablero.engine.conversation import Introduction
from tablero_games import GAMES
from tablero_protocol.messages import Hello, NextPlayer
from tests.harness.engines import GOOD, changed, command

RANDOM = find_brain("tic-tac-toe:random")
PLAY = "play(legal[0])"
TWO_GAMES, CHESS = '"tic-tac-toe", "connect-four"', '"chess"'


def engine(source: str, game: str = "tic-tac-toe") -> type[EngineBot]:
    return engine_class(command(source), game, "animal")


def turn(**more: object) -> Turn:
    fields = {"room": "r", "seq": 1, "ply": 0, "seats": [0], "seat": 0, "view": {"cells": "........."}}
    return Turn(NextPlayer.model_validate(fields | more), "tic-tac-toe", {})


def noting(path: Path, source: str = GOOD) -> str:
    """An engine that also writes down all that it hears."""
    note = f"open({str(path)!r}, 'a').write(line)"
    return source.replace("    event = json.loads(line)", f"    {note}; event = json.loads(line)")


def heard_by(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def played_to_its_end(source: str, other: type[Bot], seed: int) -> Match:
    """A match against `other`, after which the engine has ended by itself."""
    sat_down: list[EngineBot] = []

    class Kept(engine(source)):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            sat_down.append(self)

    match = play_match("tic-tac-toe", (Kept, other), seed)
    assert sat_down[0]._process is not None
    assert sat_down[0]._process.wait(20) == 0
    return match


def test_an_engine_is_a_brain_by_the_name_of_its_first_game() -> None:
    brain = find_brain(f"cmd:{command(GOOD)}")
    assert (brain.game, brain.level) == ("tic-tac-toe", "zoo-animal")
    assert find_brain(f"connect-four:cmd:{command(GOOD)}").game == "connect-four"
    assert find_brain(f"cmd:{command(GOOD)}") is brain


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("cmd:/nowhere/engine", "Cannot start '/nowhere/engine': No such file"),
        ("cmd:'", "No closing quotation"),
        ("cmd: ", "Cannot start ''"),
        (f"cmd:{sys.executable} -c 0", "is no engine: It ended with exit code 0"),
        (
            f"quoridor:cmd:{command(GOOD)}",
            "does not play quoridor: its `hello` says tic-tac-toe connect-four",
        ),
        (f"cmd:{command(changed((TWO_GAMES, CHESS)))}", "does not play a game of ours"),
    ],
)
def test_what_is_no_engine_for_it_is_explained(spec: str, sentence: str) -> None:
    with pytest.raises(UnknownBrain) as caught:
        find_brain(spec)
    assert sentence in str(caught.value)


def test_an_engine_plays_whole_games_in_the_arena() -> None:
    score = play_many(engine(GOOD), RANDOM, 4, seed=3)
    assert (score.games, score.failed) == (4, [])


def test_it_hears_all_that_its_seat_hears_and_its_own_turns_answered(tmp_path: Path) -> None:
    path = tmp_path / "heard"
    match = played_to_its_end(noting(path), engine(GOOD), 5)
    assert not match.failures
    heard = heard_by(path)
    assert [each["type"] for each in heard] == ["welcome", "joined", *["nextPlayer"] * 8, "bye"]
    turns = heard[2:-1]
    assert [each["ply"] for each in turns] == list(range(8))
    assert [each.get("re") for each in turns] == [None, "1"] * 4
    assert [each.get("movetime") for each in turns] == [1000, None] * 3 + [1000, None]
    assert [each.get("nodes") for each in turns[:2]] == [20_000, None]
    assert turns[2]["last"] == {"seat": 1, "move": "b1"}
    assert turns[-1]["outcome"]["winners"] == [0]


def test_its_budget_is_what_it_is_told(tmp_path: Path) -> None:
    path = tmp_path / "heard"
    play_match("tic-tac-toe", (engine(noting(path)), RANDOM), 5, budget=Budget(movetime=50, nodes=0))
    [first, *_] = [each for each in heard_by(path) if each["type"] == "nextPlayer"]
    assert (first["movetime"], "nodes" in first) == (50, False)


def test_whoever_joins_in_the_middle_is_shown_the_position(tmp_path: Path) -> None:
    path = tmp_path / "heard"
    play_match("tic-tac-toe", (engine(noting(path)), RANDOM), 5, ["b2", "a1"])
    first = heard_by(path)[2]
    assert (first["ply"], first["last"], first["view"]) == (
        2, {"seat": 1, "move": "a1"}, {"cells": "1...0...."}
    )  # fmt: skip


def test_hidden_things_stay_hidden(tmp_path: Path) -> None:
    path = tmp_path / "heard"
    play_match("minesweeper", (engine(noting(path), "minesweeper"),), 5)
    first = heard_by(path)[2]
    assert set("".join(first["view"]["cells"])) == {"#"}
    assert "seed" not in path.read_text()


def test_a_race_shows_an_engine_what_its_seat_sees(tmp_path: Path) -> None:
    path = tmp_path / "heard"
    rival = find_brain("minesweeper:random")
    play_match("minesweeper", (engine(noting(path), "minesweeper"), rival), 5, mode="race")
    rivals = [each["last"] for each in heard_by(path) if each.get("last", {}).get("seat") == 1]
    assert not any("move" in last for last in rivals[:-1])


def test_clocks_are_told_with_the_time_that_the_table_gives(tmp_path: Path) -> None:
    path = tmp_path / "heard"
    bot = engine(noting(path))()
    hurried = turn(clocks=[20_000, 30_000])
    hurried.seconds = 2.0
    assert bot.choose(hurried) == "a1"
    bot.disconnect()
    told = heard_by(path)[2]
    assert (told["clocks"], told["movetime"], "nodes" in told) == ([20_000, 30_000], 1805, False)


def test_a_refused_turn_is_told(tmp_path: Path) -> None:
    path = tmp_path / "heard"
    played_to_its_end(noting(path, changed(("legal[0]", '"z9"'))), RANDOM, 1)
    [refused] = [each for each in heard_by(path) if each["type"] == "refused"]
    assert (refused["re"], refused["code"]) == ("1", "illegalMove")


@pytest.mark.parametrize(
    ("source", "kind", "sentence"),
    [
        pytest.param(changed((PLAY, 'sys.exit("no book")')), "crashed", "no book", id="crash"),
        pytest.param(changed((PLAY, "pass")), "timeout", "with `playTurn` within 0.", id="silence"),
        pytest.param(
            changed((PLAY, "print('depth 4', flush=True)")), "timeout", "it printed 'depth 4'", id="garbage"
        ),
        pytest.param(
            changed((PLAY, "print('x' * 5000, end='', flush=True)")),
            "timeout",
            "without the end",
            id="no newline",
        ),
        pytest.param(
            changed((PLAY, "print('x' * 5000, flush=True)")),
            "timeout",
            "longer than 4096 bytes",
            id="too long",
        ),
        pytest.param("while True: print('x')", "crashed", "more than 1000 lines", id="flood"),
        pytest.param("import os; os._exit(7)", "crashed", "exit code 7", id="os._exit"),
        pytest.param("raise SystemExit(2)", "crashed", "exit code 2", id="ends at once"),
    ],
)
def test_failures_are_told_apart(source: str, kind: str, sentence: str) -> None:
    bot, hurried = engine(source)(), turn()
    hurried.seconds = 1.0
    with pytest.raises(CannotGoOn) as caught:
        bot.choose(hurried)
    assert (caught.value.failure.kind, sentence in caught.value.failure.sentence) == (kind, True)


def test_an_illegal_move_is_refused_by_the_table() -> None:
    match = play_match("tic-tac-toe", (engine(changed(("legal[0]", '"z9"'))), RANDOM), 1)
    assert match.failures[0].kind == "illegal"


def test_a_crash_in_a_match_is_a_crash() -> None:
    match = play_match("tic-tac-toe", (engine(changed(("legal[0]", "legal[99]"))), RANDOM), 1)
    assert (match.failures[0].kind, "IndexError" in match.failures[0].sentence) == ("crashed", True)


def test_an_engine_may_resign() -> None:
    bot = engine(changed((PLAY, 'say("resign", room=event["room"], seat=event["seat"])')))()
    with pytest.raises(Resign):
        bot.choose(turn())
    bot.disconnect()


def test_an_engine_that_is_gone_is_started_anew_with_the_same_dice(tmp_path: Path) -> None:
    path = tmp_path / "heard"
    bot = engine(noting(path))()
    assert bot.choose(turn()) == "a1"
    bot._end()
    assert bot.choose(turn(ply=2, view={"cells": "01......."}, last={"seat": 1, "move": "b1"})) == "c1"
    bot.disconnect()
    dice = [each["dice"] for each in heard_by(path) if each["type"] == "joined"]
    assert len(dice) == 2
    assert dice[0] == dice[1]


def test_a_thought_that_the_end_of_the_game_interrupts_is_no_failure() -> None:
    bot = engine(changed((PLAY, "break")))()
    bot._is_over = True
    assert bot.choose(turn()) is None


@pytest.mark.parametrize(
    ("name", "levels", "level"),
    [("Deep Greedy 2.0!", [], "deep-greedy-2-0"), ("Zoo", ["hard", "easy"], "hard"), ("¿?", [], "engine")],
)
def test_its_first_level_or_else_its_name_is_its_level(name: str, levels: list[str], level: str) -> None:
    brains = [{"game": "quoridor", "levels": levels}]
    hello = Hello.model_validate(
        {"id": "1", "protocol": 1, "client": "zoo", "name": name, "bot": {"brains": brains}}
    )
    assert level_of(Introduction(hello), "quoridor", "x") == level


def test_the_seats_of_a_game_are_counted() -> None:
    view = GAMES["minesweeper"].start(3, mode="race").view(0)
    event = NextPlayer(room="r", seq=1, ply=0, seats=[0], seat=0, view=view)
    assert seats_of(Turn(event, "minesweeper", {"mode": "race"})) == 3
    assert seats_of(turn()) == 2
