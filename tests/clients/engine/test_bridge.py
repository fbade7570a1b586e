"""A bot whose thinking is done by an engine, with small engines as real processes."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path

import pytest

from tablero.arena.local import play_many, play_match
from tablero.bot import Bot, CannotGoOn, Resign, Turn
from tablero.brains import UnknownBrain, find_brain
from tablero.engine.bridge import EngineBot, engine_class, level_of, seats_of
from tablero_games import GAMES
from tablero_protocol.messages import NextPlayer
from tests.clients.test_bot import FakeTable

from .scripts import GOOD, changed, command

RANDOM = find_brain("tic-tac-toe:random")


def engine(source: str, game: str = "tic-tac-toe") -> type[EngineBot]:
    return engine_class(command(source), game, "animal")


def turn(**more: object) -> Turn:
    fields = {"room": "r", "seq": 1, "ply": 0, "seats": [0], "seat": 0, "view": {"cells": "........."}}
    return Turn(NextPlayer.model_validate(fields | more), "tic-tac-toe", {})


def noting(path: Path, source: str = GOOD) -> str:
    """An engine that also writes down all that it hears."""
    note = f"open({str(path)!r}, 'a').write(line); "
    return source.replace(
        '    word, *rest = line.split() or [""]', f'    {note}word, *rest = line.split() or [""]'
    )


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
        (f"cmd:{sys.executable} -c 0", "is no engine: The engine ended with exit code 0"),
        (f"quoridor:cmd:{command(GOOD)}", "does not play quoridor: it plays tic-tac-toe connect-four"),
        (f"cmd:{command(changed(('tic-tac-toe connect-four', 'chess')))}", "it plays none of our games"),
    ],
)
def test_what_is_no_engine_for_it_is_explained(spec: str, sentence: str) -> None:
    with pytest.raises(UnknownBrain) as caught:
        find_brain(spec)
    assert sentence in str(caught.value)


def test_an_engine_plays_whole_games_in_the_arena() -> None:
    score = play_many(engine(GOOD), RANDOM, 4, seed=3)
    assert (score.games, score.failed) == (4, [])


def test_it_hears_everything_and_nothing_twice(tmp_path: Path) -> None:
    heard, sat_down = tmp_path / "heard", list[EngineBot]()

    class Kept(engine(noting(heard))):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            sat_down.append(self)

    match = play_match("tic-tac-toe", (Kept, engine(GOOD)), 5)
    assert not match.failures
    assert sat_down[0]._process is not None
    assert sat_down[0]._process.wait(20) == 0
    told = heard.read_text().splitlines()
    assert told[:5] == [
        "ubgi",
        "newgame tic-tac-toe players 2 seat 0",
        "isready",
        "position startpos moves",
        'position ply 0 view {"cells":"........."}',
    ]
    assert told[6] == "go movetime 1000 nodes 5000"
    assert "position startpos moves a1 b1" in told
    assert 'position ply 2 last 1 b1 view {"cells":"01......."}' in told
    assert told[-2:] == ["result win reason line", "quit"]


def test_whoever_joins_in_the_middle_tells_the_view_alone(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    play_match("tic-tac-toe", (engine(noting(heard)), RANDOM), 5, ["b2", "a1"])
    told = heard.read_text()
    assert "startpos" not in told
    assert "position ply 2 last 1 a1 view" in told


def test_whoever_missed_a_move_tells_the_view_alone(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    bot, table = engine(noting(heard))(), FakeTable()
    bot.init(table, 0)
    table.tell(".........", ply=0)
    table.think_once()
    table.answer(None)
    table.tell("01.01....", ply=4, last={"seat": 1, "move": "b2"})
    table.think_once()
    assert [(seat, move) for seat, _, move in table.played] == [(0, "a1"), (0, "c1")]
    bot.disconnect()
    told = heard.read_text()
    assert told.count("startpos") == 1
    assert "position ply 4 last 1 b2 view" in told


def test_a_hidden_game_is_never_told_as_moves(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    play_match("minesweeper", (engine(noting(heard), "minesweeper"),), 5)
    told = heard.read_text()
    assert "startpos" not in told
    [view] = {line.split(" view ")[1] for line in told.splitlines() if " ply 0 " in line}
    assert set("".join(json.loads(view)["cells"])) == {"#"}


def test_clocks_are_told_with_the_time_that_the_table_gives(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    bot = engine(noting(heard))()
    hurried = turn(clocks=[20_000, 30_000])
    hurried.seconds = 2.0
    assert bot.choose(hurried) == "a1"
    bot.disconnect()
    assert "go clock 20000 30000 movetime 1805\n" in heard.read_text()


@pytest.mark.parametrize(
    ("source", "kind", "sentence"),
    [
        pytest.param(
            changed(('print("bestmove", legal[0])', 'sys.exit("no book")')), "crashed", "no book", id="crash"
        ),
        pytest.param(changed(('print("bestmove", legal[0])', "pass")), "timeout", "`bestmove`", id="slow"),
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


def test_an_engine_may_wait_or_resign() -> None:
    waiting = engine(changed(("legal[0]", '"none"')))()
    assert waiting.choose(turn()) is None
    resigning = engine(changed(("legal[0]", '"resign"')))()
    with pytest.raises(Resign):
        resigning.choose(turn())
    for bot in (waiting, resigning):
        bot.disconnect()


def test_a_bot_that_was_packed_up_goes_on_with_a_new_process(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    bot = engine(
        noting(heard, changed(('print("ubgiok")', 'print("option name seed type spin"); print("ubgiok")')))
    )()
    assert bot.choose(turn()) == "a1"
    again: Bot = pickle.loads(pickle.dumps(bot))
    assert type(again) is type(bot)
    assert again.choose(turn(ply=2, view={"cells": "01......."}, last={"seat": 1, "move": "b1"})) == "c1"
    seeds = [line for line in heard.read_text().splitlines() if line.startswith("setoption")]
    assert len(seeds) == 2
    assert seeds[0] == seeds[1]
    bot.disconnect()
    again.disconnect()


def test_a_thought_that_the_end_of_the_game_interrupts_is_no_failure() -> None:
    bot = engine(changed(('print("bestmove", legal[0])', "break")))()
    bot._is_over = True
    assert bot.choose(turn()) is None


def test_a_name_becomes_a_level() -> None:
    assert level_of("Deep Greedy 2.0!") == "deep-greedy-2-0"
    assert level_of("¿?") == "engine"


def test_the_seats_of_a_game_are_counted() -> None:
    view = GAMES["minesweeper"].start(3, mode="race").view(0)
    event = NextPlayer(room="r", seq=1, ply=0, seats=[0], seat=0, view=view)
    assert seats_of(Turn(event, "minesweeper", {"mode": "race"})) == 3
    assert seats_of(turn()) == 2
