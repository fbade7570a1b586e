"""Keeps the bot host running beside the server: a process of its own, a client like any other."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import structlog

log = structlog.get_logger("tablero.brains")

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0
_HEALTHY_SECONDS = 60.0
_STOPPING_SECONDS = 5.0


async def keep_bot_host(server_url: str, key: Path | None, pace: str, greetings: bool) -> None:
    """Until cancelled; then the bot host is stopped too. By the `key` in that file the server knows it."""
    command = [sys.executable, "-m", "tablero", "bot-host", "--until-eof", "--server", server_url]
    for word in pace.split():
        command += ["--pace", word]
    command.append("--greetings" if greetings else "--no-greetings")
    await keep_running(command if key is None else [*command, "--key", str(key)])


async def keep_running(
    command: Sequence[str], sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> None:
    """Starts it again whenever it ends, until cancelled. Should we be killed, its standard input ends."""
    loop = asyncio.get_running_loop()
    wait = _FIRST_WAIT
    while True:
        started = loop.time()
        # A session of its own: Ctrl-C is for the server, which then stops its bots in good order.
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, start_new_session=True
        )
        log.info("bot host started", pid=process.pid)
        try:
            code = await process.wait()
        except asyncio.CancelledError:
            await _stop(process)
            raise
        if loop.time() - started > _HEALTHY_SECONDS:
            wait = _FIRST_WAIT
        log.warning("bot host ended; starting it again", code=code, wait_seconds=wait)
        await sleep(wait)
        wait = min(2 * wait, _LONGEST_WAIT)


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.terminate()
        try:
            await asyncio.wait_for(process.wait(), _STOPPING_SECONDS)
        except TimeoutError:
            process.kill()
            await process.wait()
