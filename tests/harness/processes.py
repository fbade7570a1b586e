"""Commands of Tablero in separate processes."""

from __future__ import annotations

import asyncio
import json
import os
import select
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.harness.warm import command
from tests.harness.wire import PATIENCE

PROGRAM = (sys.executable, "-m", "tablero")


@asynccontextmanager
async def tablero_serve(
    *options: str, program: Sequence[str] | None = None, **environment: str
) -> AsyncIterator[Process]:
    """Run a server from a warmed process; `PROGRAM` for a test that needs its pid."""
    paths = os.pathsep.join(path for path in sys.path if path)
    env = os.environ | {"PYTHONPATH": paths, "TABLERO_DATABASE": "memory"} | environment
    process = await asyncio.create_subprocess_exec(
        *(program or command()), "serve", *options, stdout=PIPE, stderr=PIPE, env=env
    )
    try:
        async with asyncio.timeout(PATIENCE):
            yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


async def said(*arguments: str | Path) -> tuple[int, str]:
    """The exit code and output of a command in a separate process."""
    process = await asyncio.create_subprocess_exec(
        *(*command(), *map(str, arguments)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode()


async def done(*arguments: str | Path) -> dict[str, Any]:
    code, text = await said(*arguments, "--json")
    assert code == 0, text
    answer: dict[str, Any] = json.loads(text)
    return answer


def wait_until_gone(pid: int) -> None:
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        assert select.select([process], [], [], 2 * PATIENCE)[0], f"process {pid} is still there"
    finally:
        os.close(process)


def free_port() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


def environment(home: Path) -> dict[str, str]:
    paths = os.pathsep.join(path for path in sys.path if path)
    return os.environ | {
        "PYTHONPATH": paths,
        "TABLERO_HOME": str(home),
        "TABLERO_DATABASE": "memory",
        "PYTHONUNBUFFERED": "1",
    }


@asynccontextmanager
async def tablero(home: Path, *arguments: str, errors: int | None = DEVNULL) -> AsyncIterator[Process]:
    """Runs `tablero ARGUMENTS` in a separate process, with pipes."""
    process = await asyncio.create_subprocess_exec(
        *command(), *arguments,
        stdin=PIPE, stdout=PIPE, stderr=errors, env=environment(home),
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()
