"""Guard a program for its starter, so that no program is left running.

Started as `python -I -S guard.py FD SECONDS COMMAND...`. Only the starter holds the other end of the socket.
When that end closes, also because the starter was killed, the guard asks the program to end. So many seconds
later it kills the program, at once if they are 0. When the program is gone, however it ended, the guard kills
all that it started.

Law: imports nothing of ours, so that it starts in a moment.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from select import select
from socket import socket, socketpair

STARTED = b"\0"
"""The answer to the starter when the program runs; otherwise the reason why it does not."""
NOT_FOUND = 127
_KILLED = 128 + signal.SIGKILL
_AS_USUAL = (signal.SIGHUP, signal.SIGINT, signal.SIGPIPE, signal.SIGTERM, signal.SIGXFSZ)
"""Python or our starter may ignore these signals; the program gets them as usual."""
_PR_SET_CHILD_SUBREAPER = 36


def main(lifeline: socket, patience: float, command: list[str]) -> int:
    """The program's exit code, as a shell tells it."""
    lifeline.set_inheritable(False)
    _adopt_orphans()
    child_ended = _wake_when_a_child_ends()
    try:
        program = os.posix_spawnp(command[0], command, os.environ, setpgroup=0, setsigdef=_AS_USUAL)
    except OSError as error:
        _tell(lifeline, os.strerror(error.errno or 0).encode())
        return NOT_FOUND
    _tell(lifeline, STARTED)
    nothing = os.open(os.devnull, os.O_RDWR)
    for pipe in (0, 1, 2):  # only the program has them, so that their reader notices its end
        os.dup2(nothing, pipe)
    code = _watch(program, child_ended, lifeline)
    if code is None and patience:
        os.kill(program, signal.SIGTERM)
        code = _watch(program, child_ended, patience=patience)
    _kill_all(program)
    return _KILLED if code is None else code


def _tell(starter: socket, what: bytes) -> None:
    with suppress(OSError):  # it is gone already, as `_watch` sees
        starter.send(what)


def _adopt_orphans() -> None:
    """Become the parent of orphaned descendants on Linux, even of those in another session."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _wake_when_a_child_ends() -> socket:
    """A socket that can be read when a child has ended."""
    ours, signals = socketpair()
    ours.setblocking(False)
    signals.setblocking(False)
    signal.set_wakeup_fd(signals.detach())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return ours


def _watch(
    program: int, child_ended: socket, *lifelines: socket, patience: float | None = None
) -> int | None:
    """Return its exit code; None if no one holds a lifeline, or no child ends within so many seconds."""
    while select([child_ended, *lifelines], [], [], patience)[0] == [child_ended]:
        child_ended.recv(4096)
        code = _reap(program)
        if code is not None:
            return code
    return None


def _reap(program: int) -> int | None:
    """Buries every child that has ended; the exit code if the program is one of them."""
    with suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == program:
                code = os.waitstatus_to_exitcode(status)
                return code if code >= 0 else 128 - code
            if not pid:
                break
    return None


def _kill_all(program: int) -> None:
    with suppress(OSError):  # the group is empty
        os.killpg(program, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(program, 0)
    while children := _children():
        for child in children:
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)


def _children() -> list[int]:
    """The processes that this one started, if /proc lists them."""
    found = []
    for entry in os.listdir("/proc") if sys.platform == "linux" else ():
        with suppress(OSError, ValueError):
            with open(f"/proc/{int(entry)}/stat", "rb") as stat:
                parent = stat.read().rpartition(b")")[2].split()[1]
            if int(parent) == os.getpid():
                found.append(int(entry))
    return found


if __name__ == "__main__":
    sys.exit(main(socket(fileno=int(sys.argv[1])), float(sys.argv[2]), sys.argv[3:]))
