"""The server's helper process that makes replays of records, each in a forked child.

Law: whatever a record contains, its child ends within limits of time and memory. The helper reads no record:
each child reads one from stdin, and the helper passes on the result.
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import signal
import sys
from contextlib import suppress
from typing import NoReturn

from tablero_games.position import Json
from tablero_games.record.file import Closing, Invalid, read
from tablero_games.record.replay import Sealed, SoFar, replay

MODULE = "tablero_server.processes.replay_process"
"""The module to start with `python -m`."""
REFUSED = 3
"""The exit code of a child whose output is a reason with its fields instead of a replay."""
MOST_BYTES = 8_000_000
"""The largest replay before compression, in bytes. The largest board with 10,000 turns needs about one
million bytes.
"""
_MEMORY_BYTES = 1 << 30
_NICENESS = 10


def replayed(text: bytes, so_far: SoFar | None = None) -> tuple[int, bytes]:
    """The exit code, and the output."""
    try:
        # A valid record is ASCII. Latin-1 reads any bytes, so other bytes fail at the line that has them.
        record = read(text.decode("latin-1"))
        made = json.dumps(replay(record, so_far=so_far), separators=(",", ":")).encode()
    except Invalid as invalid:
        if so_far is not None:  # our own log is wrong, and the error might reveal hidden information
            return _refused("damagedLog")
        said = {"complaint": invalid.reason.removesuffix("."), "wrong": invalid.complaint}
        return _refused("recordInvalid", line=invalid.line, **said, wrongFields=invalid.fields)
    except Sealed:
        return _refused("replaySealed")
    except MemoryError:
        return _refused("replayTooLarge", most=MOST_BYTES)
    if len(made) > MOST_BYTES:
        return _refused("replayTooLarge", most=MOST_BYTES)
    return 0, gzip.compress(made, 6, mtime=0)


def shown_by(line: bytes) -> SoFar:
    """Reads a line that `record_pages.py` wrote: the seats that may see a game that still hides something."""
    told = json.loads(line)
    return SoFar(told["seats"], Closing(**told["opened"]))


def _refused(reason: str, **fields: Json) -> tuple[int, bytes]:
    return REFUSED, json.dumps({"reason": reason, "fields": fields}).encode()


def main() -> None:
    """Serves requests until the server closes the line.

    A request is "+MS BYTES BYTES" and a newline, then the viewers and the record. An answer is the exit code,
    the number of bytes and a newline, then these bytes.
    """
    step_back()
    while os.read(sys.stdin.fileno(), 1):
        made, into = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(made)
            _make(into)
        os.close(into)
        with open(made, "rb") as end:
            out = end.read()
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        with suppress(BrokenPipeError):  # the server no longer waits for the result
            sys.stdout.buffer.write(b"%d %d\n%b" % (code, len(out), out))
            sys.stdout.buffer.flush()


def step_back() -> None:
    """Lowers the priority, so that games come first. A real-time priority of the server is not inherited."""
    if sys.platform == "linux":
        with suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    os.nice(_NICENESS)


def _make(into: int) -> NoReturn:
    """Runs a forked child: makes one replay and exits."""
    code = 1
    try:
        milliseconds, shown, length = map(int, sys.stdin.buffer.readline().split())
        line, record = sys.stdin.buffer.read(shown), sys.stdin.buffer.read(length)
        signal.setitimer(signal.ITIMER_REAL, milliseconds / 1_000)  # ends the process
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
        code, out = replayed(record, shown_by(line) if line else None)
        with open(into, "wb") as end:
            end.write(out)
    except BaseException:
        code = 1
        sys.excepthook(*sys.exc_info())
    os._exit(code)


if __name__ == "__main__":
    main()
