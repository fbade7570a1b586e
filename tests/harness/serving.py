"""Server processes: `tablero serve`, killed and restarted on the same port and file; and the bare stack."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import ClassVar

from .warm import Forked

_PATIENCE = 30.0

UNLIMITED = {
    "TABLERO_ROOMS": "1000000",
    "TABLERO_ROOMS_PER_PERSON": "1000000",
    "TABLERO_OWN_ROOMS_PER_MINUTE": "1000000",
    "TABLERO_ENTRIES": "100000000",
    "TABLERO_ENTRIES_PER_PLAYER": "100000000",
    "TABLERO_WATCHERS": "100000",
    "TABLERO_ALL_GUESTS_PER_MINUTE": "1000000",
    "TABLERO_CONNECTIONS": "100000",
    "TABLERO_TURNS_PER_SECOND": "1000000",
    "TABLERO_TURNS_BURST": "1000000",
    "TABLERO_MESSAGES_PER_SECOND": "1000000",
    "TABLERO_MESSAGES_BURST": "1000000",
}
"""Raised limits, because measurements send more than people do."""


def a_free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


class Serving:
    """A server that is removed without traces when the block ends."""

    forks: ClassVar[bool] = False
    """Whether it comes out of a warmed process, as in tests. One that is measured does not."""

    def __init__(self, home: Path, database: str, bots: str = "--no-bots", **variables: str) -> None:
        self.database = database
        self.port = a_free_port()
        self.url = f"ws://127.0.0.1:{self.port}/ws"
        self.env = {**os.environ, **UNLIMITED, **variables, "TABLERO_HOME": str(home)}
        self._forks = self.forks and "PYTHONPATH" not in variables  # which Python reads when it starts
        self._command = ["tablero", "serve", "--port", str(self.port), "--database", database, bots]
        self._log = home / f"server-{self.port}.log"
        self._process: subprocess.Popen[bytes] | Forked | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        with self._log.open("ab") as log:
            if self._forks:
                self._process = Forked(self._command, self.env, log.fileno())
            else:
                command = [sys.executable, "-m", *self._command]
                self._process = subprocess.Popen(command, env=self.env, stdout=log, stderr=log)

    def wait_until_open(self) -> None:
        """Returns when a server listens at the port."""
        until = monotonic() + _PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                if monotonic() > until:
                    raise TimeoutError(f"The server does not answer; {self.said()}") from None
                sleep(0.02)

    def cpu_seconds(self) -> float:
        """The user and system time so far."""
        return cpu_seconds(self.pid)

    def resident_bytes(self) -> int:
        """The resident memory."""
        fields = Path(f"/proc/{self.pid}/statm").read_text("ascii").split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """Stops the server as its host does."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(20)

    def said(self) -> str:
        """The end of its log, for messages of failed tests."""
        ended = "" if self._process is None else f"exit code {self._process.poll()}; "
        return ended + self._log.read_text("utf-8", "replace")[-2_000:]

    def __enter__(self) -> Serving:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._process is not None and self._process.poll() is None:
            if error is None:
                self.stop()
            else:
                self.kill()


def cpu_seconds(pid: int) -> float:
    """The user and system time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def the_bare_stack() -> Iterator[tuple[int, int]]:
    """The port that the bare stack prints, and its process id."""
    command = [sys.executable, "-m", "bench.bare"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            yield int(server.stdout.readline().split()[-1]), server.pid
        finally:
            server.terminate()
