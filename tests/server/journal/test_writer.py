"""The thread that waits for the disk: one thing after another, errors told, and gone when it is ended."""

from __future__ import annotations

import asyncio
import threading

import pytest

from tablero_server.journal.writer import Writer
from tests.harness.wire import PATIENCE


async def test_it_does_what_it_is_given_in_order_elsewhere() -> None:
    writer, done = Writer("w"), list[int]()

    def work(number: int) -> str:
        done.append(number)
        return threading.current_thread().name

    names = await asyncio.gather(*(writer.do(work, number) for number in range(50)))
    assert (done, set(names)) == (list(range(50)), {"w"})
    writer.end()


@pytest.mark.parametrize("error", [ValueError, SystemExit])
async def test_what_goes_wrong_is_raised_where_it_was_asked_and_the_next_is_done(
    error: type[BaseException],
) -> None:
    writer = Writer("w")

    def fail() -> None:
        raise error("no")

    with pytest.raises(error, match="no"):
        await writer.do(fail)
    assert await writer.do(int, "7") == 7
    writer.end()


async def test_what_nobody_waits_for_any_more_is_done_all_the_same() -> None:
    writer, go, done = Writer("w"), threading.Event(), list[bool]()
    task = asyncio.create_task(writer.do(lambda: done.append(go.wait(PATIENCE))))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go.set()
    assert await writer.do(len, "abc") == 3
    assert done == [True]
    writer.end()


async def test_it_ends_after_what_it_was_given() -> None:
    writer = Writer("the one that ends")
    [thread] = [each for each in threading.enumerate() if each.name == "the one that ends"]
    work = asyncio.create_task(writer.do(len, "abc"))
    await asyncio.sleep(0)
    writer.end()
    assert await work == 3
    await asyncio.to_thread(thread.join, PATIENCE)
    assert not thread.is_alive()
