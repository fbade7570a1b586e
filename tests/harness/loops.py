"""The event loops that a server may run on, for tests that must pass on each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

import pytest

Loop = Callable[[], asyncio.AbstractEventLoop]

LOOPS: dict[str, Loop] = {"asyncio": asyncio.SelectorEventLoop}
with suppress(ImportError):
    import uvloop

    LOOPS["uvloop"] = uvloop.new_event_loop

on_each_loop = pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS.keys())
