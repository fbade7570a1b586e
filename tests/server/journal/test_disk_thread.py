"""The thread that waits for the disk: one thing after another, errors told, and gone when it is ended."""

from __future__ import annotations

import asyncio
import threading

import pytest

from tablero_server.journal.disk_thread import DiskThread
from tests.harness.wire import PATIENCE


async def test_it_does_what_it_is_given_in_order_elsewhere() -> None:
    thread, done = DiskThread("w"), list[int]()

    def work(number: int) -> str:
        done.append(number)
        return threading.current_thread().name

    names = await asyncio.gather(*(thread.do(work, number) for number in range(50)))
    assert (done, set(names)) == (list(range(50)), {"w"})
    thread.end()


@pytest.mark.parametrize("error", [ValueError, SystemExit])
async def test_what_goes_wrong_is_raised_where_it_was_asked_and_the_next_is_done(
    error: type[BaseException],
) -> None:
    thread = DiskThread("w")

    def fail() -> None:
        raise error("no")

    with pytest.raises(error, match="no"):
        await thread.do(fail)
    assert await thread.do(int, "7") == 7
    thread.end()


async def test_what_nobody_waits_for_any_more_is_done_all_the_same() -> None:
    thread, go, done = DiskThread("w"), threading.Event(), list[bool]()
    task = asyncio.create_task(thread.do(lambda: done.append(go.wait(PATIENCE))))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go.set()
    assert await thread.do(len, "abc") == 3
    assert done == [True]
    thread.end()


async def test_what_has_to_be_over_is_when_nobody_waits_for_it_any_more() -> None:
    thread, go = DiskThread("w"), threading.Event()
    task = asyncio.create_task(thread.finish(go.wait, PATIENCE))
    await asyncio.sleep(0)
    task.cancel()
    for _ in range(9):
        await asyncio.sleep(0)
    assert not task.done()
    go.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    thread.end()


async def test_what_has_to_be_over_is_hastened_when_nobody_waits_for_it_any_more() -> None:
    thread, go = DiskThread("w"), threading.Event()
    task = asyncio.create_task(thread.finish(go.wait, PATIENCE, give_up=go.set))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert go.is_set()
    thread.end()


async def test_it_ends_after_what_it_was_given() -> None:
    ends = DiskThread("the one that ends")
    [thread] = [each for each in threading.enumerate() if each.name == "the one that ends"]
    work = asyncio.create_task(ends.do(len, "abc"))
    await asyncio.sleep(0)
    ends.end()
    assert await work == 3
    await asyncio.to_thread(thread.join, PATIENCE)
    assert not thread.is_alive()
