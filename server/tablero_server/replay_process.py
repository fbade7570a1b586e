"""Plays one record again in a process of its own: the record comes by stdin, the replay goes by stdout.

Law: whatever the record is, this ends within its processor time and its memory, and is then forgotten.
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import signal
import sys
from contextlib import suppress

from tablero_games.position import Json
from tablero_games.record.file import Closing, Invalid, read
from tablero_games.record.replay import Sealed, SoFar, replay

SO_FAR = "so-far"
"""The argument with which a line stands before the record: whom it is for, and what it hides."""
REFUSED = 3
"""The exit code with which stdout has a reason and its fields, and no replay."""
MOST_BYTES = 8_000_000
"""Of a replay, before it is compressed. The largest board with 10,000 turns makes about one million."""
_MEMORY_BYTES = 1 << 30
_NICENESS = 10


def replayed(text: bytes, so_far: SoFar | None = None) -> tuple[int, bytes]:
    """The exit code, and what goes out."""
    try:
        # A record is ASCII, so one with other bytes fails at their line, by whatever letters they are read.
        record = read(text.decode("latin-1"))
        made = json.dumps(replay(record, so_far=so_far), separators=(",", ":")).encode()
    except Invalid as invalid:
        if so_far is not None:  # our own log is wrong, and how may be hidden
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
    """What `api.py` says of a game that still hides something."""
    told = json.loads(line)
    return SoFar(told["seats"], Closing(**told["opened"]))


def _refused(reason: str, **fields: Json) -> tuple[int, bytes]:
    return REFUSED, json.dumps({"reason": reason, "fields": fields}).encode()


def main(seconds: int, is_so_far: bool) -> int:
    step_back()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this, too
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))  # should the server be gone
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    so_far = shown_by(sys.stdin.buffer.readline()) if is_so_far else None
    code, out = replayed(sys.stdin.buffer.read(), so_far)
    sys.stdout.buffer.write(out)
    return code


def step_back() -> None:
    """Leave the processor to the games, also where the server has real-time priority, which is inherited."""
    if sys.platform == "linux":
        with suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    os.nice(_NICENESS)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), SO_FAR in sys.argv[2:]))
