"""Runs the bot host beside the server, as a separate process and an ordinary client."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import structlog

from .journal.opening import data_folder

_FEWEST_LETTERS = 32


class NoKey(Exception):
    """Raised if the key of the bots is unusable; the message says why."""


@dataclass(frozen=True)
class BotKey:
    file: Path
    text: str


def read_or_make(place: str) -> BotKey:
    """The key in the file `place`, or by default in the user's data folder. Makes a new key if there is none.
    Raises NoKey.
    """
    file = Path(place).absolute() if place else data_folder() / "bot-key"
    try:
        if not place:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        text = _made(file) or file.read_text("ascii").strip()
    except (OSError, UnicodeError) as error:
        raise NoKey(f"The key of the host's bots cannot be kept in {file}: {error}.") from None
    if len(text) < _FEWEST_LETTERS:
        raise NoKey(f"{file} holds no key of bots; remove it, and the server makes a new one.")
    return BotKey(file, text)


def _made(file: Path) -> str | None:
    """Writes a new key and returns it; None if the file already exists."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return None
    text = secrets.token_urlsafe(32)
    with os.fdopen(descriptor, "w") as opened:
        opened.write(f"{text}\n")
    return text


log = structlog.get_logger("tablero.brains")

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0
_HEALTHY_SECONDS = 60.0
_STOPPING_SECONDS = 5.0


async def keep_bot_host(server_url: str, key: Path | None, pace: str, greetings: bool) -> None:
    """Keeps the bot host running until cancelled. The server recognises it by the `key`."""
    command = [sys.executable, "-m", "tablero", "bot-host", "--until-eof", "--server", server_url]
    for word in pace.split():
        command += ["--pace", word]
    command.append("--greetings" if greetings else "--no-greetings")
    await keep_running(command if key is None else [*command, "--key", str(key)])


async def keep_running(
    command: Sequence[str], sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> None:
    """Restarts the command whenever it ends, until cancelled. If the server is killed, the command's stdin
    closes.
    """
    loop = asyncio.get_running_loop()
    wait = _FIRST_WAIT
    while True:
        started = loop.time()
        # A separate session: Ctrl-C goes to the server, which then stops its bots properly.
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
