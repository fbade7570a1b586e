"""A server in a separate process on an SQLite database, which tests can kill."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.harness.warm import python

SERVER = """
import asyncio, os, signal, sys
from tablero_server.core.effects import Effects
from tablero_server.journal import open_journal
from tests.harness.journal_entries import begin, said

def ordered():
    line = sys.stdin.readline()
    if line == "die\\n":
        os.kill(os.getpid(), signal.SIGKILL)
    return line

async def main():
    journal = await open_journal(sys.argv[1])
    if not (await journal.load()).logs:
        await journal.append([Effects([begin("a"), said("a", 1)])])
    print("open", flush=True)
    if ordered():
        await journal.append([Effects([said("a", 2)])])
        print("played on", flush=True)
        ordered()
    await journal.close()

asyncio.run(main())
"""


class Another:
    """A server in a separate process, with a room of two entries."""

    def __init__(self, url: str) -> None:
        command = [*python(), "-c", SERVER, url]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._wait_for("open")

    def play_on(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        self._wait_for("played on")

    def stop(self) -> None:
        self._process.communicate()

    def kill(self) -> None:
        """Kills the server by SIGKILL, and waits until all its processes have ended."""
        if self._process.returncode is None:
            self._process.communicate("die\n")

    def _wait_for(self, word: str) -> None:
        assert self._process.stdout is not None
        assert self._process.stdout.readline().strip() == word


@contextmanager
def another(url: str) -> Iterator[Another]:
    server = Another(url)
    try:
        yield server
    finally:
        server.kill()
