"""Where the full screen is shown."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from tablero.full_screen import launch
from tablero.full_screen.app import Visit
from tablero.full_screen.launch import is_capable, is_installed, show, without_textual
from tests.harness.client import real_server
from tests.harness.processes import environment
from tests.harness.pty_screen import in_a_terminal
from tests.harness.warm import command


@pytest.mark.parametrize(
    ("term", "is_terminal", "capable"),
    [
        ("xterm", True, True),
        ("dumb", True, False),
        ("", True, False),
        ("linux", True, True),
        ("xterm", False, False),
    ],
)
def test_it_needs_a_terminal_that_moves_its_cursor(term: str, is_terminal: bool, capable: bool) -> None:
    assert is_capable({"TERM": term} if term else {}, is_terminal=is_terminal) is capable


def test_without_its_package_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_installed()
    monkeypatch.setattr(launch, "find_spec", lambda name: None)
    assert not is_installed()
    assert without_textual() == "For the full screen: pip install 'tablero[play]'"


def test_bad_options_are_told_before_anything_is_drawn(
    own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = own_home / "home" / "screen.toml"
    place.parent.mkdir()
    place.write_text("theme = 1")
    assert show(Visit(server="ws://127.0.0.1:1/ws", name="Ana"), {}, theme=None, glyphs=None) == 2
    assert "theme must be one of dark" in capsys.readouterr().err


if sys.platform == "win32":
    pytest.skip("Windows hangs nobody up", allow_module_level=True)


SECONDS = 10.0


@pytest.mark.parametrize("mode", ["", "--plain"])
@pytest.mark.parametrize("how", ["told", "not told", "stuck"])
async def test_it_ends_with_its_terminal(how: str, mode: str, tmp_path: Path) -> None:
    own = environment(tmp_path) | {"TERM": "xterm-256color"}
    client = (*command(), "play", *mode.split())
    async with real_server() as url, in_a_terminal(*client, url, "--name", "Ana", environment=own) as ana:
        await ana.shows("Type help" if mode else "Play now")
        if how == "stuck":  # what it writes is read by nobody, until even its own thread waits
            ana.type("?" + "\x1b?" * 40)
        if how != "not told":
            ana.process.send_signal(signal.SIGHUP)
        ana.close()
        async with asyncio.timeout(SECONDS):
            await ana.process.wait()
