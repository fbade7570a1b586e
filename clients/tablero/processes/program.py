"""A running program: lines to its standard input, lines from its standard output, and its end.

Law: no call blocks longer than it was told to. No program outlives its starter (guard.py).
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, Full, Queue, SimpleQueue
from socket import socket, socketpair
from threading import Thread
from typing import IO

from tablero_protocol.codec import MAX_CLIENT_FRAME
from tablero_protocol.text import clean

from . import Ended, guard

_PIECE = 65_536
"""Maximum number of bytes read at once."""
_LINES_AHEAD = 1_000
"""Lines read ahead. A program that prints more has to wait."""
_LAST_WORDS = 3
"""Maximum number of stderr lines to quote."""
_LEAVE_TO_END = 1.0

_GUARDED = os.name == "posix"
"""Whether programs run under a guard. Without a guard, their children may outlive them."""


class CannotStart(Exception):
    """The program can't be started."""


class LineCutter:
    """A cutter of bytes into lines. It shortens lines that are too long, but keeps them recognisable."""

    def __init__(self, longest: int = MAX_CLIENT_FRAME) -> None:
        self._kept = longest + 1
        self._rest = b""

    @property
    def rest(self) -> bytes:
        """The text after the last line end."""
        return self._rest

    def cut(self, data: bytes) -> list[bytes]:
        """The lines that end in `data`, without their line ends."""
        *lines, rest = data.split(b"\n")
        if lines:
            lines[0] = self._rest + lines[0]
            self._rest = b""
        self._rest = (self._rest + rest)[: self._kept]
        return [line[: self._kept] for line in lines]


class Program:
    """A program in a separate process."""

    def __init__(self, command: Sequence[str], patience: float = 0.0) -> None:
        """Start the program. To end it, SIGTERM is sent, and SIGKILL `patience` seconds later.

        Raises CannotStart.
        """
        self._process, self._lifeline = process, lifeline = _start(command, patience)
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._said: SimpleQueue[str | None] = SimpleQueue()
        self._heard: Queue[str | None] = Queue(_LINES_AHEAD)
        self._cutter = LineCutter()
        self._last_words: deque[str] = deque(maxlen=_LAST_WORDS)
        self._is_over = False
        self._stderr = Thread(target=_note, args=(process.stderr, self._last_words), daemon=True)
        self._stderr.start()
        # The threads hold the pipes but not this object, so that dropping the object ends the process.
        Thread(target=_write, args=(process.stdin, self._said), daemon=True).start()
        reader = Thread(target=_read, args=(process.stdout, self._cutter, self._heard), daemon=True)
        reader.start()
        self._end = weakref.finalize(self, _end, process, lifeline, self._said, self._heard, reader)

    def now(self) -> float:
        """Seconds on the clock of `hear`."""
        return time.monotonic()

    def say(self, line: str) -> None:
        """Send a line. Never waits and never fails: if the process is gone, `hear` says so."""
        self._said.put(line)

    def hear(self, until: float) -> str | None:
        """The next line; None if no line comes by `until`. Raises Ended."""
        if not self._is_over:
            left = until - self.now()
            if left <= 0:
                return None
            try:
                line = self._heard.get(timeout=left)
            except Empty:
                return None
            if line is not None:
                return line
            self._is_over = True
        code = self.wait(_LEAVE_TO_END)
        self._stderr.join(_LEAVE_TO_END)
        raise Ended(code, self.last_words)

    @property
    def last_words(self) -> list[str]:
        """The last lines on stderr."""
        return [clean(line) for line in list(self._last_words) if line.strip()]

    @property
    def unfinished(self) -> str:
        """The text printed since the last line end."""
        return self._cutter.rest.decode("utf-8", "replace")

    def end_input(self) -> None:
        self._said.put(None)

    def wait(self, seconds: float) -> int | None:
        """The exit code; None if the program still runs after `seconds`."""
        try:
            return self._process.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            return None

    def let_go(self) -> None:
        """Start ending the program, without waiting."""
        _let_go(self._process, self._lifeline)

    def end(self) -> None:
        """End the program with all its children, and wait."""
        self._end()

    def dismiss(self) -> None:
        """Close the program's input, and later kill it if it still runs. Doesn't wait."""
        self.end_input()
        Thread(target=self._see_it_off, daemon=True).start()

    def _see_it_off(self) -> None:
        self.wait(_LEAVE_TO_END)
        self.end()


def _start(command: Sequence[str], patience: float) -> tuple[subprocess.Popen[bytes], socket]:
    """The process under its guard, and the socket that keeps both alive."""
    lifeline, theirs = socketpair()
    guarded = [sys.executable, "-I", "-S", guard.__file__, str(theirs.fileno()), str(patience), *command]
    pipe = subprocess.PIPE
    try:
        with theirs:
            process = subprocess.Popen(  # noqa: S603 - to run it is what we are asked for
                guarded if _GUARDED else command,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                bufsize=0,
                start_new_session=_GUARDED,
                pass_fds=[theirs.fileno()] if _GUARDED else (),
            )
        answer = lifeline.recv(1000) if _GUARDED else guard.STARTED
    except (OSError, ValueError) as error:
        lifeline.close()
        raise CannotStart(f"Cannot start {command[0]!r}: {getattr(error, 'strerror', error)}.") from None
    if answer != guard.STARTED:
        lifeline.close()
        process.communicate()
        raise CannotStart(f"Cannot start {command[0]!r}: {answer.decode() or 'its guard ended'}.")
    return process, lifeline


def _write(stdin: IO[bytes], said: SimpleQueue[str | None]) -> None:
    try:
        with stdin:
            while (text := said.get()) is not None:
                data = text.encode()
                while data:
                    data = data[stdin.write(data) :]
    except OSError:
        pass  # the program has ended, which the reader notices


def _read(stdout: IO[bytes], cutter: LineCutter, heard: Queue[str | None]) -> None:
    with stdout:
        while data := stdout.read(_PIECE):
            for line in cutter.cut(data):
                heard.put(line.decode("utf-8", "replace").strip())
    heard.put(None)


def _note(stderr: IO[bytes], last_words: deque[str]) -> None:
    with stderr:
        cutter = LineCutter()
        while data := stderr.read(_PIECE):
            last_words.extend(line.decode("utf-8", "replace") for line in cutter.cut(data))
        last_words.append(cutter.rest.decode("utf-8", "replace"))


def _let_go(process: subprocess.Popen[bytes], lifeline: socket) -> None:
    lifeline.close()  # the guard notices this
    if not _GUARDED:
        process.kill()


def _end(
    process: subprocess.Popen[bytes],
    lifeline: socket,
    said: SimpleQueue[str | None],
    heard: Queue[str | None],
    reader: Thread,
) -> None:
    """End the process with all its children, and the threads at its pipes."""
    _let_go(process, lifeline)
    process.wait()
    said.put(None)
    for _ in range(100):  # the reader may be waiting for space
        with suppress(Empty):
            while True:
                heard.get_nowait()
        reader.join(0.01)
        if not reader.is_alive():
            break
    with suppress(Full):
        heard.put_nowait(None)
