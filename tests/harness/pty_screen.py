"""A program in a separate terminal, and that terminal's contents: letters and their colours.

It interprets moves of the cursor, erasing, and colours, and ignores everything else.
"""

from __future__ import annotations

import asyncio
import codecs
import fcntl
import os
import pty
import re
import signal
import struct
import termios
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress

from rich.cells import cell_len

PATIENCE = 40.0
_TOKEN = re.compile(
    r"\x1b\[(?P<parameters>[0-9:;<=>?]*)[ -/]*(?P<final>[@-~])"
    r"|\x1b[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[^\[\]P_^X()]"
    r"|(?P<control>[\x00-\x1a\x1c-\x1f])|(?P<letter>[^\x00-\x1f])",
    re.DOTALL,
)


class Paper:
    """The contents of a terminal after some output."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.colours: set[str] = set()
        """The parameters of all colour sequences so far, such as "38;5;12"."""
        self.raw = ""
        self._cells = [[" "] * width for _ in range(height)]
        self._x = self._y = 0
        self._letter = ""
        """The last written text."""
        self._rest = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    @property
    def text(self) -> str:
        return "\n".join("".join(line).rstrip() for line in self._cells)

    def feed(self, sent: bytes) -> None:
        new = self._decoder.decode(sent)
        self.raw += new
        text, at = self._rest + new, 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                again = text.find("\x1b", at + 1)
                if again < 0:
                    break
                at = again  # a sequence that was cut short, because its writer was stopped
                continue
            at = found.end()
            if found["letter"]:
                self._put(found["letter"])
            elif found["control"]:
                self._control(found["control"])
            elif found["final"]:
                self._control_sequence(found["parameters"], found["final"])
        self._rest = text[at:]

    def _put(self, letter: str) -> None:
        wide = cell_len(letter)
        self._letter = letter
        if self._y < self.height and self._x + wide <= self.width and wide:
            self._cells[self._y][self._x : self._x + wide] = [letter, *[""] * (wide - 1)]
        self._x += wide

    def _control(self, control: str) -> None:
        if control == "\r":
            self._x = 0
        elif control == "\n" and self._y == self.height - 1:
            self._cells = [*self._cells[1:], [" "] * self.width]
        elif control == "\n":
            self._y += 1
        elif control == "\b":
            self._x = max(self._x - 1, 0)

    def _control_sequence(self, parameters: str, final: str) -> None:
        numbers = [int(each) if each.isdecimal() else 0 for each in parameters.split(";")]
        first = numbers[0] or 1
        if final in "Hf":
            self._y = min(first, self.height) - 1
            self._x = min((numbers[1:] or [1])[0] or 1, self.width) - 1
        elif final == "m":
            self.colours |= set(_colours(parameters))
        elif final in "JKX":
            self._erase(final, numbers[0])
        elif final == "d":
            self._y = min(first, self.height) - 1
        elif final == "G":
            self._x = min(first, self.width) - 1
        elif final == "b" and self._letter:
            for _ in range(first):
                self._put(self._letter)
        elif final in "ABCD":
            down, right = {"A": (-1, 0), "B": (1, 0), "C": (0, 1), "D": (0, -1)}[final]
            self._y = min(max(self._y + down * first, 0), self.height - 1)
            self._x = min(max(self._x + right * first, 0), self.width - 1)

    def _erase(self, final: str, number: int) -> None:
        """Erases the screen, the line, or that many columns: after the cursor, before it, or all."""
        here = self._y * self.width + self._x
        line = self._y * self.width
        if final == "X":
            first, last = here, here + max(number, 1)
        elif final == "J":
            first, last = (0 if number else here), (here + 1 if number == 1 else self.width * self.height)
        else:
            first, last = (line if number else here), (here + 1 if number == 1 else line + self.width)
        for at in range(first, min(last, self.width * self.height)):
            self._cells[at // self.width][at % self.width] = " "


def _colours(parameters: str) -> list[str]:
    """The parameters that choose a colour; bold, reverse and the like are left out."""
    parts, found = parameters.split(";"), []
    while parts:
        part = parts.pop(0)
        if part in ("38", "48"):
            taken = 2 if parts[:1] == ["5"] else 4
            found.append(";".join([part, *parts[:taken]]))
            del parts[:taken]
        elif re.fullmatch(r"3[0-7]|4[0-7]|9[0-7]|10[0-7]", part):
            found.append(part)
    return found


class PtyScreen:
    """A terminal: a test sends keys and reads the screen."""

    def __init__(self, process: Process, end: int, width: int, height: int) -> None:
        self.process = process
        self.paper = Paper(width, height)
        self._end = end
        self._news = asyncio.Event()
        asyncio.get_running_loop().add_reader(end, self._read)

    @property
    def text(self) -> str:
        return self.paper.text

    def _read(self) -> None:
        try:
            sent = os.read(self._end, 65_536)
        except OSError:
            sent = b""
        if not sent:
            asyncio.get_running_loop().remove_reader(self._end)
        self.paper.feed(sent)
        self._news.set()

    def type(self, keys: str) -> None:
        os.write(self._end, keys.encode())

    async def until(self, come: Callable[[], object], seconds: float = PATIENCE) -> float:
        """Waits until `come` is true. Returns the seconds that it took."""
        began = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(seconds):
                while not come():
                    self._news.clear()
                    with suppress(TimeoutError):
                        async with asyncio.timeout(0.1):  # the condition may depend on more than output
                            await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"It did not come about; the terminal shows:\n{self.text}") from None
        return asyncio.get_running_loop().time() - began

    async def shows(self, text: str, seconds: float = PATIENCE) -> float:
        return await self.until(lambda: text in self.text, seconds)

    async def shows_no_more(self, text: str, seconds: float = PATIENCE) -> float:
        return await self.until(lambda: text not in self.text, seconds)

    def close(self) -> None:
        """Closes the terminal, so that later output of its program fails."""
        if self._end >= 0:
            asyncio.get_running_loop().remove_reader(self._end)
            os.close(self._end)
            self._end = -1


@asynccontextmanager
async def in_a_terminal(
    *command: str, environment: Mapping[str, str], width: int = 80, height: int = 24
) -> AsyncIterator[PtyScreen]:
    """Runs a program with only this environment. At the end it is killed with all its child processes."""
    own, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
        )
    finally:
        os.close(theirs)
    screen = PtyScreen(process, own, width, height)
    try:
        yield screen
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGCONT)
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        screen.close()
