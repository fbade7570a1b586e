"""A client program ends well when it is told to end."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

import pytest

from tablero.client.connection import run_main


async def exits_with(code: int) -> int:
    return code


@pytest.mark.parametrize("code", [0, 1])
def test_a_program_ends_with_its_own_exit_code(code: int) -> None:
    assert run_main(exits_with(code)) == code


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to send")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "sigterm"])
def test_being_told_to_stop_is_a_good_end(number: signal.Signals) -> None:
    tidied = []

    async def program() -> int:
        try:
            os.kill(os.getpid(), number)
            await asyncio.Event().wait()
        finally:
            tidied.append("up")
        return 1

    assert run_main(program()) == 0
    assert tidied == ["up"]
