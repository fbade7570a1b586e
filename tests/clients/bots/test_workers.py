"""Workers: real processes that are asked, used again, broken off, killed, and outlived by nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from tablero import Bot
from tablero.bot import Failure, Thought
from tablero.bots import workers as workers_module
from tablero.bots.workers import BrainState, Worker, Workers
from tablero.brains import bundled, find_brain
from tests.harness import naughty
from tests.harness.bots import First, a_turn
from tests.harness.processes import wait_until_gone

PATIENCE = 40.0

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux can wait for any process")


@pytest.fixture
def workers() -> Iterator[Workers]:
    with Workers(4, naughty.find) as workers:
        workers.prepare([naughty.Fine])
        yield workers


@pytest.fixture
def beside() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor() as pool:
        yield pool


def state_of(brain: type[Bot], **state: Any) -> BrainState:
    bot = brain()
    vars(bot).update(state)
    return BrainState(bot)


def ask(workers: Workers, brain: BrainState, since: float | None = None) -> Thought:
    turn = a_turn()
    limit = turn.seconds = naughty.find(brain.spec).limit_seconds
    return workers.ask(brain, turn, limit, monotonic() if since is None else since)


def failure(thought: Thought) -> Failure:
    assert isinstance(thought, Failure), thought
    return thought


def seconds_in(thought: Thought) -> float:
    assert isinstance(thought, str)
    return float(thought)


def pid_in(thought: Thought) -> int:
    assert isinstance(thought, str)
    return int(thought.split()[-1])


class Hanging:
    """A thought that hangs, in another thread; `pid` is the process it hangs in."""

    def __init__(self, workers: Workers, beside: ThreadPoolExecutor, folder: Path) -> None:
        fifo = folder / "told"
        os.mkfifo(fifo)
        self.brain = state_of(naughty.Hangs, told=str(fifo))
        self.thought: Future[Thought] = beside.submit(ask, workers, self.brain)
        self.pid = int(fifo.read_text())


# Thinking


def test_a_brain_takes_its_state_to_whichever_process_it_thinks_in(workers: Workers) -> None:
    counting = state_of(naughty.Counts)
    first = ask(workers, counting)
    os.kill(pid_in(first), signal.SIGKILL)
    wait_until_gone(pid_in(first))
    second = ask(workers, counting)
    assert [str(thought).split(" in ")[0] for thought in (first, second)] == ["1", "2"]
    assert pid_in(first) != pid_in(second) != os.getpid()


def test_an_idle_process_is_used_again(workers: Workers) -> None:
    pids = {pid_in(ask(workers, state_of(naughty.Counts))) for _ in range(5)}
    assert len(pids) == 1


def test_a_process_that_was_idle_for_long_is_not(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    first = pid_in(ask(workers, state_of(naughty.Counts)))
    monkeypatch.setattr(workers_module, "IDLE_SECONDS", 0.0)
    assert pid_in(ask(workers, state_of(naughty.Counts))) != first
    wait_until_gone(first)


def test_a_brain_hears_how_long_it_may_think_less_what_it_has_waited(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    monkeypatch.setattr(workers_module, "RESERVE_SECONDS", 0.0)
    monkeypatch.setattr(workers_module, "monotonic", lambda: 100.0)
    for waited, seconds in ((0.0, 10.0), (4.0, 6.0), (9.99, 0.05)):
        assert seconds_in(ask(workers, state_of(naughty.Patient), 100.0 - waited)) == seconds


def test_the_more_brains_think_the_earlier_each_is_to_end(
    workers: Workers, beside: ThreadPoolExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    monkeypatch.setattr(workers_module, "RESERVE_SECONDS", 2.0)
    monkeypatch.setattr(workers_module, "monotonic", lambda: 100.0)
    assert seconds_in(ask(workers, state_of(naughty.Patient), 100.0)) == 6.0
    hanging = Hanging(workers, beside, tmp_path)
    assert seconds_in(ask(workers, state_of(naughty.Patient), 100.0)) == 5.0
    hanging.brain.stop()


def test_a_slow_brain_delays_nobody(workers: Workers, beside: ThreadPoolExecutor, tmp_path: Path) -> None:
    hanging = Hanging(workers, beside, tmp_path)
    assert ask(workers, state_of(naughty.Fine)) == "c1"
    assert not hanging.thought.done()
    hanging.brain.stop()


def test_only_so_many_think_at_a_time(beside: ThreadPoolExecutor, tmp_path: Path) -> None:
    with Workers(1, naughty.find) as workers:
        hanging = Hanging(workers, beside, tmp_path)
        assert failure(ask(workers, state_of(naughty.Fine), monotonic() - 9.9)).kind == "timeout"
        hanging.brain.stop()
        assert hanging.thought.result(PATIENCE) is None
        assert ask(workers, state_of(naughty.Fine)) == "c1"


@pytest.mark.parametrize("game", list(bundled()))
def test_every_bundled_brain_can_travel(game: str) -> None:
    with Workers(1) as workers:
        for level in bundled()[game]:
            brain = find_brain(f"{game}:{level}")
            assert workers.knows(brain)
            travelled = state_of(brain, player=0)
            assert travelled.packed


def test_a_brain_of_ones_own_is_not_known(workers: Workers) -> None:
    assert workers.knows(naughty.Fine)
    assert not workers.knows(First)
    assert not Workers(1).knows(naughty.Fine)


# What goes wrong


@pytest.mark.parametrize(
    ("brain", "sentence", "said"),
    [
        (naughty.Crashes, "ZeroDivisionError: ", "I crashed (ZeroDivisionError) and resign."),
        (naughty.Garbles, "ValueError: ", "I crashed (ValueError) and resign."),
        (naughty.Exits, "SystemExit: 3 ", "I crashed (SystemExit) and resign."),
        (naughty.Dies, "Its process ended with 7.", "I crashed and resign."),
        (naughty.Faults, f"Its process ended with -{signal.SIGSEGV:d}.", "I crashed and resign."),
    ],
)
def test_what_goes_wrong_costs_one_thought(
    workers: Workers, brain: type[Bot], sentence: str, said: str
) -> None:
    went_wrong = failure(ask(workers, state_of(brain)))
    assert went_wrong.kind == "crashed"
    assert went_wrong.sentence.startswith(sentence)
    assert went_wrong.said == said
    assert ask(workers, state_of(naughty.Fine)) == "c1"


def test_a_crash_shows_its_author_where(workers: Workers) -> None:
    crash = failure(ask(workers, state_of(naughty.Crashes)))
    assert "naughty.py, line" in crash.sentence
    assert "1 // 0" in crash.trace


def test_a_signal_that_is_meant_for_the_host_costs_no_thought(workers: Workers) -> None:
    assert ask(workers, state_of(naughty.Signalled)) == "c1"


def test_a_state_that_cannot_travel_is_a_crash(workers: Workers) -> None:
    assert failure(ask(workers, state_of(naughty.Holds))).kind == "crashed"


def test_a_killed_process_costs_nobody_elses_thought(
    workers: Workers, beside: ThreadPoolExecutor, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    killed, other = Hanging(workers, beside, tmp_path), Hanging(workers, beside, tmp_path / "other")
    os.kill(killed.pid, signal.SIGKILL)
    assert failure(killed.thought.result(PATIENCE)).sentence == "Its process ended with -9."
    assert not other.thought.done()
    other.brain.stop()


def test_a_brain_that_hangs_is_ended(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers_module, "GRACE_SECONDS", 0.05)
    late = failure(ask(workers, state_of(naughty.HangsBriefly)))
    assert (late.kind, late.said) == ("timeout", "I thought for longer than 0.1 s and resign.")
    assert ask(workers, state_of(naughty.Fine)) == "c1"


def test_a_thought_for_a_game_that_is_over_is_broken_off(
    workers: Workers, beside: ThreadPoolExecutor, tmp_path: Path
) -> None:
    hanging = Hanging(workers, beside, tmp_path)
    hanging.brain.stop()
    assert hanging.thought.result(PATIENCE) is None
    wait_until_gone(hanging.pid)
    assert ask(workers, hanging.brain) is None


# The end


def test_closing_ends_every_process_also_in_mid_thought(beside: ThreadPoolExecutor, tmp_path: Path) -> None:
    with Workers(4, naughty.find) as workers:
        hanging = Hanging(workers, beside, tmp_path)
        idle = pid_in(ask(workers, state_of(naughty.Counts)))
    wait_until_gone(idle)
    wait_until_gone(hanging.pid)


HOST = """
import sys
from tests.harness import naughty
from tests.clients.bots.test_workers import ask, state_of
from tablero.bots.workers import Workers
ask(Workers(1, naughty.find), state_of(naughty.Hangs, told=sys.argv[1]))
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_no_process_outlives_a_host_that_is_killed(number: signal.Signals, tmp_path: Path) -> None:
    fifo = tmp_path / "told"
    os.mkfifo(fifo)
    host = subprocess.Popen([sys.executable, "-c", HOST, str(fifo)], start_new_session=True)
    pid = int(fifo.read_text())
    host.send_signal(number)
    host.wait(PATIENCE)
    wait_until_gone(pid)


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker(naughty.find)
    yield worker
    worker.end()


def ask_one(worker: Worker, brain: BrainState, limit: float = 10.0) -> Thought:
    return worker.ask(brain, a_turn(), monotonic(), limit)


def test_a_brain_thinks_in_another_process_and_what_it_remembers_comes_back(worker: Worker) -> None:
    counting = BrainState(naughty.Counts())
    before = counting.packed
    answers = [str(ask_one(worker, counting)).split(" in ") for _ in range(2)]
    assert [count for count, _ in answers] == ["1", "2"]
    assert answers[0][1] == answers[1][1] != str(os.getpid())
    assert counting.packed != before
    assert worker.is_usable


def test_one_process_thinks_for_several_and_mixes_nothing_up(worker: Worker) -> None:
    first, second = BrainState(naughty.Counts()), BrainState(naughty.Counts())
    order = (first, second, first)
    assert [str(ask_one(worker, brain)).split(" in ")[0] for brain in order] == ["1", "1", "2"]


def test_an_error_costs_the_thought_and_not_the_process(worker: Worker) -> None:
    crashed = ask_one(worker, BrainState(naughty.Crashes()))
    assert isinstance(crashed, Failure)
    assert crashed.kind == "crashed"
    assert worker.is_usable
    assert ask_one(worker, BrainState(naughty.Fine())) == "c1"


def test_a_brain_that_crashed_thinks_on_from_where_it_was_at_first(worker: Worker) -> None:
    brain = BrainState(naughty.Counts())
    first = brain.packed
    ask_one(worker, brain)
    assert brain.packed != first
    brain.begin(worker)
    assert brain.end(None)
    assert brain.packed == first


def test_a_process_that_died_is_of_no_more_use(worker: Worker) -> None:
    died = ask_one(worker, BrainState(naughty.Dies()))
    assert isinstance(died, Failure)
    assert died.sentence == "Its process ended with 7."
    assert not worker.is_usable


def test_nor_is_one_that_still_thinks_after_its_time(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask_one(worker, BrainState(naughty.Fine())) == "c1"  # it has started
    monkeypatch.setattr(workers_module, "GRACE_SECONDS", 0.0)
    late = ask_one(worker, BrainState(naughty.HangsBriefly()), limit=0.05)
    assert isinstance(late, Failure)
    assert late.kind == "timeout"
    assert not worker.is_usable


def test_nor_is_one_that_was_idle_for_long(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    assert worker.is_usable
    monkeypatch.setattr(workers_module, "IDLE_SECONDS", 0.0)
    assert not worker.is_usable


def test_a_brain_whose_game_is_over_is_not_asked(worker: Worker) -> None:
    brain = BrainState(naughty.Fine())
    brain.stop()
    assert ask_one(worker, brain) is None
    assert worker.is_usable, "nothing was sent to it"


def test_a_thought_that_comes_after_the_end_of_its_game_does_not_count(worker: Worker) -> None:
    brain = BrainState(naughty.Fine())
    assert brain.begin(worker)
    brain.stop()
    assert not brain.end(b"a state")
    assert not brain.begin(worker)


def test_it_ends_by_itself_when_nobody_can_ask_it_any_more() -> None:
    worker = Worker(naughty.find)
    assert ask_one(worker, BrainState(naughty.Fine())) == "c1"
    assert worker.end(patience=10.0) == 0
