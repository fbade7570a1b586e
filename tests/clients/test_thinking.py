"""Thinkers: at most so many threads, and every task is done."""

from __future__ import annotations

from functools import partial
from queue import SimpleQueue
from threading import Barrier, current_thread

from tablero.thinking import Thinkers


def test_tasks_run_at_the_same_time_in_other_threads() -> None:
    thinkers, together = Thinkers(2), Barrier(3, timeout=5)
    names = SimpleQueue[str]()

    def meet() -> None:
        together.wait()
        names.put(current_thread().name)

    thinkers.submit(meet)
    thinkers.submit(meet)
    together.wait()
    assert {names.get(timeout=5), names.get(timeout=5)} == {"thinker-1", "thinker-2"}


def test_more_tasks_than_threads_wait_and_are_all_done() -> None:
    thinkers, done = Thinkers(2), SimpleQueue[tuple[int, str]]()

    def note(number: int) -> None:
        done.put((number, current_thread().name))

    for number in range(20):
        thinkers.submit(partial(note, number))
    finished = [done.get(timeout=5) for _ in range(20)]
    assert {number for number, _ in finished} == set(range(20))
    assert {name for _, name in finished} <= {"thinker-1", "thinker-2"}
