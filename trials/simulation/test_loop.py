"""The loop of simulated evenings: no waiting, randomness from the seed, and no lost callbacks."""

from __future__ import annotations

import asyncio
import time
from random import Random

import pytest

from tests.harness.simulated_loop import Deadlock, SimLoop, run


def order(seed: int, *, fifo: bool = False) -> list[int]:
    """The order in which ten callbacks ran that were ready at the same time."""
    loop, ran = SimLoop(Random(seed), fifo=fifo), list[int]()

    async def main() -> None:
        for number in range(10):
            loop.call_soon(ran.append, number)
        await asyncio.sleep(1)

    run(loop, main())
    return ran


def test_a_day_passes_at_once() -> None:
    loop = SimLoop(Random(1))
    began = time.monotonic()
    run(loop, asyncio.sleep(86_400))
    assert loop.time() == pytest.approx(86_400)
    assert time.monotonic() - began < 5


def test_what_is_ready_together_runs_in_an_order_drawn_from_the_seed() -> None:
    assert order(1) == order(1)
    assert order(1) != order(2)
    assert sorted(order(1)) == list(range(10))


def test_fifo_keeps_the_order_of_asyncio() -> None:
    assert order(1, fifo=True) == list(range(10))


def test_timers_ring_in_their_order_whatever_the_seed() -> None:
    loop, rang = SimLoop(Random(1)), list[float]()

    async def main() -> None:
        for seconds in (3.0, 1.0, 2.0):
            loop.call_later(seconds, rang.append, seconds)
        await asyncio.sleep(4)

    run(loop, main())
    assert rang == [1.0, 2.0, 3.0]


def test_whoever_waits_for_nothing_is_told() -> None:
    async def main() -> None:
        await asyncio.Event().wait()

    with pytest.raises(Deadlock):
        run(SimLoop(Random(1)), main())


def test_what_is_still_under_way_at_the_end_is_cancelled() -> None:
    loop, cancelled = SimLoop(Random(1)), list[bool]()

    async def forever() -> None:
        try:
            await asyncio.sleep(1_000)
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    async def main() -> None:
        loop.create_task(forever())
        await asyncio.sleep(1)

    run(loop, main())
    assert cancelled == [True]
