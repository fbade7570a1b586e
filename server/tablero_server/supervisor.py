"""Keeps the bot host running beside the server: a process of its own, a client like any other."""

from __future__ import annotations

import asyncio
import sys

import structlog

log = structlog.get_logger("tablero.bots")

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0
_HEALTHY_SECONDS = 60.0


async def keep_bot_host(server_url: str) -> None:
    """Until cancelled; then the bot host is stopped too."""
    command = [sys.executable, "-m", "tablero", "bot-host", "--server", server_url]
    loop = asyncio.get_running_loop()
    wait = _FIRST_WAIT
    while True:
        started = loop.time()
        process = await asyncio.create_subprocess_exec(*command)
        log.info("bot host started", pid=process.pid)
        try:
            code = await process.wait()
        except asyncio.CancelledError:
            await _stop(process)
            raise
        if loop.time() - started > _HEALTHY_SECONDS:
            wait = _FIRST_WAIT
        log.warning("bot host ended; starting it again", code=code, wait_seconds=wait)
        await asyncio.sleep(wait)
        wait = min(2 * wait, _LONGEST_WAIT)


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.terminate()
        try:
            await asyncio.wait_for(process.wait(), 5)
        except TimeoutError:
            process.kill()
            await process.wait()
