"""One process in which brains think: asked, used again, broken off, and of no more use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from time import monotonic

import pytest

from tablero.bot import Failure, Thought
from tablero.bots import worker as worker_module
from tablero.bots.worker import BrainState, Worker
from tests.harness import naughty
from tests.harness.bots import a_turn


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker(naughty.find)
    yield worker
    worker.end()


def ask(worker: Worker, brain: BrainState, limit: float = 10.0) -> Thought:
    return worker.ask(brain, a_turn(), monotonic(), limit)


def test_a_brain_thinks_in_another_process_and_what_it_remembers_comes_back(worker: Worker) -> None:
    counting = BrainState(naughty.Counts())
    before = counting.packed
    answers = [str(ask(worker, counting)).split(" in ") for _ in range(2)]
    assert [count for count, _ in answers] == ["1", "2"]
    assert answers[0][1] == answers[1][1] != str(os.getpid())
    assert counting.packed != before
    assert worker.is_usable


def test_one_process_thinks_for_several_and_mixes_nothing_up(worker: Worker) -> None:
    first, second = BrainState(naughty.Counts()), BrainState(naughty.Counts())
    order = (first, second, first)
    assert [str(ask(worker, brain)).split(" in ")[0] for brain in order] == ["1", "1", "2"]


def test_an_error_costs_the_thought_and_not_the_process(worker: Worker) -> None:
    crashed = ask(worker, BrainState(naughty.Crashes()))
    assert isinstance(crashed, Failure)
    assert crashed.kind == "crashed"
    assert worker.is_usable
    assert ask(worker, BrainState(naughty.Fine())) == "c1"


def test_a_brain_that_crashed_thinks_on_from_where_it_was_at_first(worker: Worker) -> None:
    brain = BrainState(naughty.Counts())
    first = brain.packed
    ask(worker, brain)
    assert brain.packed != first
    brain.begin(worker)
    assert brain.end(None)
    assert brain.packed == first


def test_a_process_that_died_is_of_no_more_use(worker: Worker) -> None:
    died = ask(worker, BrainState(naughty.Dies()))
    assert isinstance(died, Failure)
    assert died.sentence == "Its process ended with 7."
    assert not worker.is_usable


def test_nor_is_one_that_still_thinks_after_its_time(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask(worker, BrainState(naughty.Fine())) == "c1"  # it has started
    monkeypatch.setattr(worker_module, "GRACE_SECONDS", 0.0)
    late = ask(worker, BrainState(naughty.HangsBriefly()), limit=0.05)
    assert isinstance(late, Failure)
    assert late.kind == "timeout"
    assert not worker.is_usable


def test_nor_is_one_that_was_idle_for_long(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    assert worker.is_usable
    monkeypatch.setattr(worker_module, "IDLE_SECONDS", 0.0)
    assert not worker.is_usable


def test_a_brain_whose_game_is_over_is_not_asked(worker: Worker) -> None:
    brain = BrainState(naughty.Fine())
    brain.stop()
    assert ask(worker, brain) is None
    assert worker.is_usable, "nothing was sent to it"


def test_a_thought_that_comes_after_the_end_of_its_game_does_not_count(worker: Worker) -> None:
    brain = BrainState(naughty.Fine())
    assert brain.begin(worker)
    brain.stop()
    assert not brain.end(b"a state")
    assert not brain.begin(worker)


def test_it_ends_by_itself_when_nobody_can_ask_it_any_more() -> None:
    worker = Worker(naughty.find)
    assert ask(worker, BrainState(naughty.Fine())) == "c1"
    assert worker.end(patience=10.0) == 0
