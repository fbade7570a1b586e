"""`tablero` without the time for imports: a process that has imported everything forks for each command.

`python()` replaces `python` for a module or code as a program, and `command()` replaces `python -m tablero`.
The started process has the arguments, environment, folder, streams and exit code of its caller, gets its
signals, and ends with it. A test that needs the pid of the process, or kills it, uses `Forked`. A test that
stops it, or gives it variables for Python, such as another locale, uses `sys.executable`.
"""

from __future__ import annotations

import array
import json
import os
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress

FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
_NUMBER = 4


def ask(
    to: socket.socket, address: str, arguments: list[str], env: Mapping[str, str], streams: list[int]
) -> int:
    """Has the command started with these three streams. Returns its pid."""
    to.connect(address)
    said = json.dumps([arguments, dict(env), os.getcwd()]).encode()
    passed = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", streams))]
    to.sendmsg([len(said).to_bytes(_NUMBER, "big")], passed)
    to.sendall(said)
    return int.from_bytes(to.recv(_NUMBER), "big")


def call(address: str, arguments: list[str]) -> None:
    """Runs a command in the server, and ends like that command."""
    with socket.socket(socket.AF_UNIX) as to:
        child = ask(to, address, arguments, os.environ, [0, 1, 2])
        for number in FORWARDED:
            signal.signal(number, lambda number, _: os.kill(child, number))
        status = os.waitstatus_to_exitcode(int.from_bytes(to.recv(_NUMBER), "big"))
    if status < 0:
        if -status != signal.SIGKILL:  # SIGKILL can't be handled
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


class Server:
    """The process that forks for each caller, until standard input ends."""

    def __init__(self, listening: socket.socket) -> None:
        self._listening = listening
        self._children: dict[int, tuple[int, socket.socket]] = {}
        """The callers and their children, by the descriptor that tells of the child's end."""

    def run(self) -> None:
        import select

        while True:
            callers = {caller.fileno(): child for child, caller in self._children.values()}
            for each in select.select([0, self._listening.fileno(), *self._children, *callers], [], [])[0]:
                if each == 0:
                    return
                if each == self._listening.fileno():
                    self._answer(self._listening.accept()[0])
                elif each in self._children:
                    self._end(each)
                elif each in callers:  # the caller was killed, because it sends nothing
                    with suppress(ProcessLookupError):
                        os.kill(callers[each], signal.SIGKILL)

    def _answer(self, caller: socket.socket) -> None:
        head, more, _, _ = caller.recvmsg(_NUMBER, socket.CMSG_SPACE(3 * 4))
        streams = array.array("i", more[0][2])
        said = b""
        while len(said) < int.from_bytes(head, "big"):
            said += caller.recv(65_536)
        arguments, environment, folder = json.loads(said)
        if "play" in arguments:
            import_screens()
        child = os.fork()
        if not child:
            become(arguments, environment, folder, list(streams))
        for stream in streams:
            os.close(stream)
        self._children[os.pidfd_open(child)] = child, caller
        caller.sendall(child.to_bytes(_NUMBER, "big"))

    def _end(self, ended: int) -> None:
        child, caller = self._children.pop(ended)
        os.close(ended)
        status = os.waitpid(child, 0)[1]
        with caller, suppress(OSError):
            caller.sendall(status.to_bytes(_NUMBER, "big"))


def import_screens() -> None:
    """Imports the modules of the full screen once, for all later commands."""
    import textual.drivers.linux_driver  # noqa: F401

    import tablero.cli
    import tablero.full_screen.table_screen
    import tablero.full_screen.way_in
    import tablero.terminal.play  # noqa: F401


def become(arguments: list[str], environment: dict[str, str], folder: str, streams: list[int]) -> None:
    """Turns this process, which was just forked, into the command."""
    import runpy

    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, max(streams) + 64)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    encoding = environment.get("PYTHONIOENCODING")
    sys.stdin = open(0, encoding=encoding, closefd=False)  # noqa: SIM115 - for as long as the process
    sys.stdout = open(1, "w", encoding=encoding, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding=encoding, errors="backslashreplace", closefd=False)  # noqa: SIM115
    how, what, *sys.argv[1:] = arguments
    code: object = 1
    try:
        if how == "-c":
            exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})
        else:
            sys.argv[0] = what
            runpy.run_module(what, run_name="__main__")
        code = 0
    except SystemExit as ended:
        code = ended.code
        if isinstance(code, str):
            print(code, file=sys.stderr)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    with suppress(BrokenPipeError):
        sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else code is not None)


class Forked:
    """A command of `python -m`, as `subprocess.Popen` has it: `pid` is that of the command."""

    def __init__(self, arguments: list[str], env: Mapping[str, str], output: int) -> None:
        self._line = socket.socket(socket.AF_UNIX)
        with open(os.devnull, "rb") as nothing:
            streams = [nothing.fileno(), output, output]
            self.pid = ask(self._line, _warmed(), ["-m", *arguments], env, streams)
        self.returncode: int | None = None

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def poll(self) -> int | None:
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        if self._ended(timeout) is None:
            raise TimeoutError(f"process {self.pid} goes on after {timeout} seconds")
        assert self.returncode is not None
        return self.returncode

    def _ended(self, timeout: float | None) -> int | None:
        import select

        if self.returncode is None and select.select([self._line], [], [], timeout)[0]:
            status = self._line.recv(_NUMBER)
            assert status, "the warmed process has ended"
            self._line.close()
            self.returncode = os.waitstatus_to_exitcode(int.from_bytes(status, "big"))
        return self.returncode


def command() -> list[str]:
    """The command that replaces `python -m tablero`."""
    return [*python(), "-m", "tablero"]


def python(address: str | None = None) -> list[str]:
    """The command that replaces `python`, with `-c` and code, or `-m` and a module."""
    return [sys.executable, "-I", "-S", __file__, address or _warmed()]


_address: str | None = None


def _warmed() -> str:
    """The address of the warmed process, which the first command starts."""
    global _address
    if _address is None:
        import atexit

        _address, end = start()
        atexit.register(end)
    return _address


def start(*inside: str) -> tuple[str, Callable[[], object]]:
    """Starts a warmed process, with the command `inside` before it. Returns its address, and a function that
    ends it.
    """
    import subprocess
    import tempfile

    address = f"{tempfile.mkdtemp(prefix='pytest-of-warm-')}/socket"
    environment = {name: text for name, text in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    paths = os.pathsep.join(path for path in sys.path if path)
    process = subprocess.Popen(
        [*inside, sys.executable, "-c", "from tests.harness.warm import serve; serve()", address],
        env={**environment, "PYTHONPATH": paths},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    process.stdout.close()
    return address, process.communicate


def serve() -> None:
    import gc

    import typer  # noqa: F401
    import uvloop  # noqa: F401

    import tablero_server.app  # noqa: F401

    gc.collect()
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(sys.argv[1])
        listening.listen()
        print("ready", flush=True)
        Server(listening).run()


if __name__ == "__main__":
    call(sys.argv[1], sys.argv[2:])
