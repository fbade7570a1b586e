"""The event loops a server may run on, for tests that must pass on each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest

from tests.harness.connection import turns
from tests.harness.wire import PATIENCE

Loop = Callable[[], asyncio.AbstractEventLoop]

LOOPS: dict[str, Loop] = {"asyncio": asyncio.SelectorEventLoop}
with suppress(ImportError):
    import uvloop

    LOOPS["uvloop"] = uvloop.new_event_loop

on_each_loop = pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS.keys())


def run(loop: Loop, test: Callable[[], Awaitable[None]]) -> None:
    async def main() -> None:
        await test()

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(main())


async def until(condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await turns(1)
