"""Thinkers: no task waits for another, and threads are used again. think_here: a thought with an end."""

from __future__ import annotations

from queue import SimpleQueue
from threading import Barrier, Event, Thread, current_thread, get_ident

import pytest

from tablero import Turn
from tablero.bot import Failure
from tablero.bots import threads as thinking
from tablero.bots.threads import Thinkers, think_here
from tests.harness.bots import a_turn


def test_tasks_run_at_the_same_time_in_other_threads() -> None:
    thinkers, together, met = Thinkers(), Barrier(3, timeout=40), SimpleQueue[int]()
    for _ in range(3):
        thinkers.submit(lambda: met.put(together.wait()))
    assert sorted(met.get(timeout=40) for _ in range(3)) == [0, 1, 2]


def test_no_task_waits_for_one_that_never_ends() -> None:
    thinkers, forever, done = Thinkers(), Event(), SimpleQueue[bool]()
    for _ in range(10):
        thinkers.submit(lambda: done.put(forever.wait()))
    thinkers.submit(lambda: done.put(False))
    assert done.get(timeout=40) is False
    forever.set()


def test_an_idle_thread_is_used_again() -> None:
    thinkers, threads = Thinkers(), SimpleQueue[Thread]()
    thinkers.submit(lambda: threads.put(current_thread()))
    first = threads.get(timeout=40)
    settle(thinkers)
    thinkers.submit(lambda: threads.put(current_thread()))
    assert threads.get(timeout=40) is first


def test_an_idle_thread_ends_after_a_while() -> None:
    thinkers, threads = Thinkers(idle_seconds=0.01), SimpleQueue[Thread]()
    for _ in range(2):
        thinkers.submit(lambda: threads.put(current_thread()))
        thread = threads.get(timeout=40)
        thread.join(5)
        assert not thread.is_alive()


def settle(thinkers: Thinkers) -> None:
    """Waits until a thread counts as idle again, a moment after its task is done."""
    while thinkers._idle == 0:
        pass


# Thinking in this process


def test_a_thought_here_is_had_in_a_thread_of_its_own() -> None:
    threads = list[int]()

    def choose(turn: Turn) -> str:
        threads.append(get_ident())
        return "c1"

    assert think_here(choose, a_turn(), 10) == "c1"
    assert threads != [get_ident()]


def test_a_thought_here_that_takes_too_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "GRACE_SECONDS", 0.01)
    forever = Event()
    thought = think_here(lambda turn: str(forever.wait()), a_turn(), 0.01)
    forever.set()
    assert isinstance(thought, Failure)
    assert (thought.kind, thought.said) == ("timeout", "I thought for longer than 0.01 s and resign.")


def test_a_brain_that_wants_to_end_the_program_ends_its_game() -> None:
    def choose(turn: Turn) -> str:
        raise SystemExit(1)

    thought = think_here(choose, a_turn(), 10)
    assert isinstance(thought, Failure)
    assert thought.said == "I crashed (SystemExit) and resign."
