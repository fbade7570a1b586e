"""A process for brains: what it says comes through, and it ends with whoever started it, whatever it does."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
import sys
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from tablero.processes import Ended
from tablero.processes.apart import Apart, messages
from tests.harness.processes import wait_until_gone

PATIENCE = 10.0
SPAWN = get_context("spawn")
STARTER = """
import sys
from tests.clients.processes.test_apart import SPAWN, hold_the_interpreter
from tablero.processes.apart import Apart
if __name__ == "__main__":
    apart = Apart(SPAWN, hold_the_interpreter, sys.argv[1])
    apart.hear(60)
"""


def hold_the_interpreter(pipe: Connection, told: str) -> None:
    """Nothing else in this process can run, no other thread and no Python function for a signal."""
    Path(told).write_text(str(os.getpid()))
    re.match(r"(a+)+$", "a" * 60 + "b")


def greet(pipe: Connection, code: int) -> None:
    pipe.send(f"hello {pipe.recv()}")
    os._exit(code)


def print_both_ways(pipe: Connection) -> None:
    print("from Python")
    os.write(1, b"from below\n")
    pipe.send("printed")
    list(messages(pipe))


def test_it_hears_answers_and_leaves_its_exit_code() -> None:
    apart = Apart(SPAWN, greet, 7)
    assert apart.hear() is None
    apart.say("you")
    assert apart.hear(PATIENCE) == "hello you"
    with pytest.raises(Ended, match=r"^It ended with exit code 7\.$") as ended:
        apart.hear(PATIENCE)
    assert ended.value.code == 7
    assert not apart.is_alive
    apart.say("nobody")
    assert apart.end(PATIENCE) == 7


def test_what_it_prints_is_no_answer_of_its_starter(capfd: pytest.CaptureFixture[str]) -> None:
    apart = Apart(SPAWN, print_both_ways)
    assert apart.hear(PATIENCE) == "printed"
    apart.end()
    assert capfd.readouterr() == ("", "from Python\nfrom below\n")


def test_it_is_told_until_nobody_tells_it_any_more_or_for_too_long() -> None:
    near, far = SPAWN.Pipe()
    near.send("one")
    assert list(messages(far, 0.0)) == ["one"]
    near.send("two")
    near.close()
    assert list(messages(far)) == ["two"]
    far.close()


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux can wait for any process")
@pytest.mark.parametrize(
    "number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP], ids=lambda each: each.name
)
def test_it_ends_with_its_starter_also_while_a_brain_holds_the_interpreter(
    number: signal.Signals, tmp_path: Path
) -> None:
    fifo = tmp_path / "told"
    os.mkfifo(fifo)
    starter = subprocess.Popen([sys.executable, "-c", STARTER, str(fifo)], start_new_session=True)
    pid = int(fifo.read_text())
    starter.send_signal(number)
    starter.wait(PATIENCE)
    wait_until_gone(pid)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux can wait for any process")
def test_it_ends_when_nobody_holds_it_any_more(tmp_path: Path) -> None:
    fifo = tmp_path / "told"
    os.mkfifo(fifo)
    apart = Apart(SPAWN, hold_the_interpreter, str(fifo))
    pid = int(fifo.read_text())
    del apart
    gc.collect()
    wait_until_gone(pid)
