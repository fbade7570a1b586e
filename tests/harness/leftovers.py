"""Processes that a test run started and didn't end, found by a mark in their environment.

As a program, it waits until the run is over, even if the run was killed, and then ends them.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MARK = "TABLERO_TEST_RUN"


def marked(run: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The processes with the mark of this run, and their environments. Zombies have none."""
    mark = f"{MARK}={run}\0".encode()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # the process has just ended, or is another user's
            environment = (process / "environ").read_bytes()
            if mark in environment:
                pairs = (each.partition("=") for each in environment.decode(errors="replace").split("\0"))
                yield int(process.name), {name: value for name, _, value in pairs}


def started_by_tests(run: str) -> list[str]:
    """A line for each process that a test has left behind, except workers of the run."""
    found = []
    for pid, environment in marked(run):
        test = environment.get("PYTEST_CURRENT_TEST")
        with suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
            if test is not None and words != [""]:
                found.append(f"process {pid} ({' '.join(words).strip()[:100]}), left by {test}")
    return found


def end_after_this_process(run: str) -> subprocess.Popen[bytes]:
    """Starts a program that ends the run's leftovers when this process has ended."""
    return subprocess.Popen(
        [sys.executable, "-I", "-S", __file__, run], stdin=subprocess.PIPE, start_new_session=True
    )


def main() -> None:
    sys.stdin.read()
    run = sys.argv[1]
    while left := [pid for pid, _ in marked(run) if pid != os.getpid()]:
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
