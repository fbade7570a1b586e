"""Games in processes of their own: the same however many, and no brain stops them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from math import inf
from pathlib import Path
from time import process_time

import pytest

from tablero import Bot
from tablero.arena import local, processes
from tablero.arena.match import record_of
from tablero.arena.plan import Contest
from tablero.arena.processes import ProcessLost, Processor, play_all
from tablero.arena.report import to_json
from tablero.arena.result import Result
from tablero.arena.statistics import Sprt
from tablero_games import GAMES
from tablero_games.record.verify import verify
from tests.harness import arena_players as players

HERE = Path(players.__file__)
RANDOM = "connect-four:random"


def play(contest: Contest, concurrency: int, sprt: Sprt | None = None) -> Result:
    result = Result(contest, sprt)
    play_all(result, concurrency)
    return result


def test_the_same_seed_gives_the_same_report_however_many_play_at_once() -> None:
    contest = Contest("connect-four", ("connect-four:child", RANDOM), 12, seed=5, opening_plies=(2, 4))
    alone, together = play(contest, 1), play(contest, 3)
    assert to_json(alone, 0) == to_json(together, 0)
    assert len(alone.matches) == 12


def test_a_sequential_test_stops_at_the_same_game_however_many_play_at_once() -> None:
    contest = Contest("tic-tac-toe", ("tic-tac-toe:perfect", "tic-tac-toe:random"), 200, seed=5)
    alone, together = play(contest, 1, Sprt()), play(contest, 3, Sprt())
    assert alone.verdict == "accepted"
    assert to_json(alone, 0) == to_json(together, 0)


@pytest.mark.parametrize(
    ("name", "kind", "sentence"),
    [
        ("Crashing", "crashed", "RuntimeError: <no idea>"),
        ("Cheating", "illegal", "There is no column '99'"),
        ("Hanging", "timeout", "longer than 0.1 s"),
        ("Exiting", "crashed", "ended with 3"),
    ],
)
def test_failures_are_told_apart_and_can_be_replayed(
    name: str, kind: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "GRACE_SECONDS", 0.1)
    contest = Contest("connect-four", (f"{HERE}:{name}", RANDOM), 2, opening_plies=(2, 2))
    result = play(contest, 2)
    told = to_json(result, 0)
    counts = {"crashed": told["crashes"], "illegal": told["illegal"], "timeout": told["timeouts"]}
    assert counts == {"crashed": 0, "illegal": 0, "timeout": 0} | {kind: 2}
    assert told["losses"] == 2
    for failure, task, match in zip(told["failures"], result.tasks, result.matches, strict=True):
        assert sentence in failure["sentence"]
        assert (failure["kind"], failure["name"], failure["seed"]) == (kind, f"{HERE}:{name}", task.seed)
        assert failure["moves"][:2] == failure["opening"] == list(task.opening)
        position = GAMES["connect-four"].start()
        for move in failure["moves"]:
            [seat] = position.to_move
            position = position.play(seat, move)
        assert position.to_move == {failure["seat"]}
        assert match.turns[-1].withdrew == ("time" if kind == "timeout" else "resign")
        record = verify(record_of(match, "connect-four", ("a", "b"), {}))
        assert (record.valid, record.over) == (True, True)


def test_a_thought_that_hangs_costs_its_limit_and_three_seconds() -> None:
    assert local.patience(players.Late, repeatable=True) == 3.01
    assert local.patience(players.Late, repeatable=False) == 0.01


@pytest.mark.parametrize(("used", "timeouts"), [(Processor(True, 0.0), 0), (Processor(False, 0.0), 1)])
def test_a_thought_that_waits_for_a_busy_processor_is_waited_for(
    used: Processor, timeouts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "GRACE_SECONDS", 0.0)
    monkeypatch.setattr(processes, "_IDLE_LOOKS", 1)
    monkeypatch.setattr(processes, "processor", lambda pid: used)
    contest = Contest("connect-four", (f"{HERE}:Sleepy", RANDOM), 1, options={"columns": 4, "rows": 4})
    assert to_json(play(contest, 1), 0)["timeouts"] == timeouts


def test_the_processor_time_of_a_process_is_what_it_says_itself() -> None:
    before = process_time()
    used = processes.processor(os.getpid())
    assert used.is_wanted
    assert before - 0.1 <= used.seconds <= process_time() + 0.1
    assert processes.processor(2**30) == Processor(False, inf)


def test_what_a_brain_prints_does_not_get_into_the_report(capfd: pytest.CaptureFixture[str]) -> None:
    play(Contest("connect-four", (f"{HERE}:First", RANDOM), 2), 1)
    printed = capfd.readouterr()
    assert printed.out == ""
    assert "This must not get into the report." in printed.err


def test_others_play_on_after_one_that_ended_its_process() -> None:
    contest = Contest("connect-four", (f"{HERE}:Exiting", RANDOM, f"{HERE}:First"), 2)
    result = play(contest, 1)
    assert len(result.matches) == 6
    assert [standing.failed for standing in result.standings() if "Exiting" in standing.name] == [4]


def test_a_worker_that_is_lost_without_a_thought_is_no_brains_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brain = tmp_path / "vanishing.py"
    brain.write_text(HERE.read_text())
    contest = Contest("connect-four", (f"{brain}:First", RANDOM), 2)

    def found_for_the_last_time(specs: Sequence[str]) -> list[type[Bot]]:
        brain.unlink()
        return []

    monkeypatch.setattr(processes, "find_brains", found_for_the_last_time)
    with pytest.raises(ProcessLost, match="exit code 1"):
        play(contest, 1)


ARENA = f"""
from tablero.arena.plan import Contest
from tablero.arena.processes import play_all
from tablero.arena.result import Result
if __name__ == "__main__":
    play_all(Result(Contest("connect-four", ("{HERE}:Telling", "{HERE}:Telling"), 2)), 2)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=lambda each: each.name)
def test_no_game_and_no_engine_outlives_the_arena(number: signal.Signals, tmp_path: Path) -> None:
    """Two games at once, and in each of them a brain that waits for ever for an engine that heeds nothing."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    arena = subprocess.Popen(
        [sys.executable, "-c", ARENA], env={**os.environ, "TELL": str(fifo)}, stderr=subprocess.DEVNULL
    )
    with fifo.open() as told:
        assert [told.readline() for _ in range(4)] == ["here\n"] * 4
        arena.send_signal(number)
        assert told.read() == ""  # which waits for the end of whoever could still write
    arena.wait(20)
