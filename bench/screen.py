"""Measure the full screen: first picture of a cold process, memory, and time from a key to the drawing.

The measurement is made from outside, in a separate terminal, and compared with a Textual app that only says
hello.

    python -m bench.screen --rounds 7 --keys 200
"""

from __future__ import annotations

import argparse
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

BARE = """
from textual.app import App
from textual.widgets import Static
class Hello(App):
    def compose(self):
        yield Static("T A B L E R O")
Hello().run()
"""
_PATIENCE = 30.0
_ARROWS = (b"\x1b[D", b"\x1b[C")


@dataclass
class Figures:
    bare_first: list[float]
    first: list[float]
    keys: list[float]
    rss: float

    def lines(self) -> list[str]:
        """The figures as text, in milliseconds and megabytes."""
        first, bare = median(self.first) * 1000, median(self.bare_first) * 1000
        slow = quantiles(self.keys, n=20)[-1] * 1000
        return [
            f"first picture of a cold process: {first:.0f} ms median of {len(self.first)}",
            f"the same of a bare Textual app: {bare:.0f} ms; {first / bare:.2f} times that",
            f"key to redraw, Minesweeper 50 by 50: {median(self.keys) * 1000:.1f} ms median,"
            f" {slow:.1f} ms p95 of {len(self.keys)}",
            f"resident memory in that game: {self.rss:.0f} MB",
        ]


class Terminal:
    """A program in a terminal of 80 by 24 characters."""

    def __init__(self, command: list[str], home: str) -> None:
        self._own, end = pty.openpty()
        termios.tcsetwinsize(end, (24, 80))
        own = {"TERM": "xterm-256color", "TABLERO_HOME": home, "LANG": "C.UTF-8", "TABLERO_LANG": "en"}
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=end, stdout=end, stderr=end, env=os.environ | own, start_new_session=True
        )
        os.close(end)
        self._seen = b""

    def read(self, seconds: float) -> bytes:
        """Reads output as soon as there is some; waits at most that many seconds."""
        ready, _, _ = select.select([self._own], [], [], seconds)
        if not ready:
            return b""
        with suppress(OSError):
            return os.read(self._own, 65_536)
        return b""

    def wait_for(self, text: str) -> float:
        """The seconds from the program's start until this text is on the screen."""
        end = time.perf_counter() + _PATIENCE
        while time.perf_counter() < end:
            self._seen += self.read(0.05)
            if text in re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]", b"", self._seen).decode(errors="replace"):
                return time.perf_counter() - self.began
        raise TimeoutError(f"The screen never showed {text!r}.")

    def press(self, keys: bytes) -> float:
        """The seconds from these keys until something is drawn."""
        while self.read(0.01):
            pass
        before = time.perf_counter()
        os.write(self._own, keys)
        if not self.read(5):
            raise TimeoutError("A key drew nothing.")
        return time.perf_counter() - before

    def type(self, keys: str) -> None:
        os.write(self._own, keys.encode())

    @property
    def rss(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024

    def end(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self._own)


@contextmanager
def a_server(home: str) -> Iterator[str]:
    command = [sys.executable, "-m", "tablero", "serve", "--port", "0", "--no-bots", "--database", "memory"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=os.environ | {"TABLERO_HOME": home}
    ) as process:
        assert process.stdout is not None
        port = next(found[1] for line in process.stdout if (found := re.search(rb":(\d{4,5})\b", line)))
        try:
            yield f"127.0.0.1:{port.decode()}"
        finally:
            process.terminate()


def first_picture(command: list[str], home: str) -> float:
    terminal = Terminal(command, home)
    try:
        return terminal.wait_for("T A B L E R O")
    finally:
        terminal.end()


def measure(rounds: int, keys: int) -> Figures:
    with TemporaryDirectory() as home, a_server(home) as address:
        play = [sys.executable, "-m", "tablero", "play", address, "--name", "bench"]
        bare = [sys.executable, "-c", BARE]
        both = [(first_picture(bare, home), first_picture(play, home)) for _ in range(rounds)]
        terminal = Terminal(play, home)
        try:
            terminal.wait_for("Play the computer")
            terminal.type(":create minesweeper width=50 height=50 mines=400\r")
            terminal.wait_for("How to play")
            terminal.type("q")
            terminal.wait_for("Your turn.")
            while terminal.read(0.5):
                pass
            times = [terminal.press(_ARROWS[at // 5 % 2]) for at in range(keys)]
            rss = terminal.rss
        finally:
            terminal.end()
    return Figures([pair[0] for pair in both], [pair[1] for pair in both], times, rss)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--keys", type=int, default=200)
    given = parser.parse_args()
    for line in measure(given.rounds, given.keys).lines():
        print(line)


if __name__ == "__main__":
    main()
