"""A guard that runs a program for its starter, so that no program is left running.

Started as `python -I -S guard.py FD SECONDS COMMAND...`. Only the starter holds the other end of the socket.
When that end closes, even because the starter was killed, the guard asks the program to end. After SECONDS it
kills the program. When the program has ended, the guard kills every process that the program started.

Law: this file imports nothing of ours, so that the guard starts quickly.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from select import select
from socket import socket, socketpair

STARTED = b"\0"
"""The message to the starter when the program runs. Otherwise the message is the error."""
NOT_FOUND = 127
_KILLED = 128 + signal.SIGKILL
_AS_USUAL = (signal.SIGHUP, signal.SIGINT, signal.SIGPIPE, signal.SIGTERM, signal.SIGXFSZ)
"""Signals that Python or the starter may ignore. The program gets their defaults."""
_PR_SET_CHILD_SUBREAPER = 36


def main(lifeline: socket, patience: float, command: list[str]) -> int:
    """Run the program and return its exit code, as a shell reports it."""
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
    for pipe in (0, 1, 2):  # only the program has these pipes, so that its end closes them
        os.dup2(nothing, pipe)
    code = _watch(program, child_ended, lifeline)
    if code is None and patience:
        os.kill(program, signal.SIGTERM)
        code = _watch(program, child_ended, patience=patience)
    _kill_all(program)
    return _KILLED if code is None else code


def _tell(starter: socket, what: bytes) -> None:
    with suppress(OSError):  # the program has ended, as `_watch` sees
        starter.send(what)


def _adopt_orphans() -> None:
    """Adopt orphaned descendants on Linux, even those in another session."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _wake_when_a_child_ends() -> socket:
    """A socket that becomes readable when a child ends."""
    ours, signals = socketpair()
    ours.setblocking(False)
    signals.setblocking(False)
    signal.set_wakeup_fd(signals.detach())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return ours


def _watch(
    program: int, child_ended: socket, *lifelines: socket, patience: float | None = None
) -> int | None:
    """Wait for the program, and return its exit code. None if a lifeline closed, or if no child
    ended in time.
    """
    while select([child_ended, *lifelines], [], [], patience)[0] == [child_ended]:
        child_ended.recv(4096)
        code = _reap(program)
        if code is not None:
            return code
    return None


def _reap(program: int) -> int | None:
    """Reap every child that has ended. Return the exit code if the program is among them."""
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
    """The processes that this one started, as /proc lists them."""
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
