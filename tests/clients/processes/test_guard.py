"""No program outlives its starter, however that ended, and neither does what the program started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from socket import socketpair

import pytest

from tablero.processes import guard
from tablero.processes.program import Program

STARTER = "import sys; from tablero.processes.program import Program as E; e = E(sys.argv[1:]); input()"
ENDLESS = f"""
import os, signal, sys, time
for number in ({signal.SIGHUP:d}, {signal.SIGINT:d}, {signal.SIGTERM:d}):
    signal.signal(number, signal.SIG_IGN)
if os.fork() == 0 and sys.argv[2] == "apart":
    os.setsid()
with open(sys.argv[1], "w", 1) as told:
    told.write("here\\n")
    time.sleep(5)
    told.write("still here\\n")
"""
"""Two processes that heed nothing and soon say that they are still there; one may be in its own session."""


def endless(fifo: Path, apart: str = "") -> list[str]:
    os.mkfifo(fifo)
    return [sys.executable, "-I", "-S", "-c", ENDLESS, str(fifo), apart]


def last_words(fifo: Path, end: Callable[[], object]) -> str:
    """What both say after `end()`; reading waits until neither can say more."""
    with fifo.open() as told:
        assert [told.readline() for _ in range(2)] == ["here\n"] * 2
        end()
        return told.read()


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], ids=lambda each: each.name
)
def test_a_program_ends_when_its_starter_is_killed(number: signal.Signals, tmp_path: Path) -> None:
    command = endless(tmp_path / "fifo")
    starter = subprocess.Popen([sys.executable, "-c", STARTER, *command], stdin=subprocess.PIPE)
    assert last_words(tmp_path / "fifo", lambda: starter.send_signal(number)) == ""
    starter.communicate()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans to their guard")
def test_what_a_program_started_in_a_session_of_its_own_ends_too(tmp_path: Path) -> None:
    program = Program(endless(tmp_path / "fifo", "apart"))
    assert last_words(tmp_path / "fifo", program.end) == ""


def test_a_program_that_does_not_end_when_it_is_asked_to_is_killed(tmp_path: Path) -> None:
    program = Program(endless(tmp_path / "fifo"), patience=0.1)
    assert last_words(tmp_path / "fifo", program.end) == ""
    assert program.wait(0) == 128 + signal.SIGKILL


def test_a_program_that_ends_when_it_is_asked_to_gives_its_own_exit_code() -> None:
    source = "import signal, sys; signal.signal(15, lambda *_: sys.exit(5)); print('here'); signal.pause()"
    program = Program([sys.executable, "-I", "-S", "-u", "-c", source], patience=20.0)
    assert program.hear(program.now() + 20.0) == "here"
    program.end()
    assert program.wait(0) == 5


def test_what_a_program_started_ends_when_the_program_does(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    source = f"""
import os, time
if os.fork() == 0:
    with open({str(fifo)!r}, "w", 1) as told:
        told.write("here\\n")
        time.sleep(5)
        told.write("still here\\n")
else:
    input()
"""
    program = Program([sys.executable, "-I", "-S", "-c", source])
    with fifo.open() as told:
        assert told.readline() == "here\n"
        program.say("end\n")
        assert told.read() == ""
    program.end()


def test_it_gives_the_exit_code_of_its_program() -> None:
    for source, code in (("raise SystemExit(7)", 7), ("import os; os.kill(os.getpid(), 9)", 137)):
        ours, theirs = socketpair()
        with ours, theirs:
            done = subprocess.run(
                [sys.executable, guard.__file__, str(theirs.fileno()), "0", sys.executable, "-Sc", source],
                pass_fds=[theirs.fileno()],
                check=False,
            )
            assert (done.returncode, ours.recv(10)) == (code, guard.STARTED)


def test_a_starter_that_is_gone_already_leaves_no_program(tmp_path: Path) -> None:
    ours, theirs = socketpair()
    with theirs:
        ours.close()
        done = subprocess.run(
            [sys.executable, guard.__file__, str(theirs.fileno()), "0", "sleep", "60"],
            pass_fds=[theirs.fileno()],
            check=False,
            timeout=20,
        )
    assert done.returncode == 137
