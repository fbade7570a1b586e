"""The real client in the terminals that people have: what they can show is what they are sent."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import sys
from asyncio.subprocess import DEVNULL, create_subprocess_exec
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from getpass import getuser
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no such terminals", allow_module_level=True)

from tablero import connect
from tests.harness.client import real_server
from tests.harness.processes import environment
from tests.harness.pty_screen import PtyScreen, in_a_terminal
from tests.harness.screens import Rival
from tests.harness.warm import command

SIXTEEN = re.compile(r"3[0-7]|9[0-7]|4[0-7]|10[0-7]")
MOVED = "1. You play 4."
ANSWERED = "2. Ben plays 1."
SSHD = shutil.which("sshd") or shutil.which("sshd", path="/usr/sbin:/usr/local/sbin")


def own_environment(home: Path, wanted: Mapping[str, str]) -> dict[str, str]:
    """Nothing about the terminal but what is wanted."""
    about = ("TERM", "COLORTERM", "COLORFGBG", "NO_COLOR", "LANG", "LC_", "TMUX", "STY", "SSH_", "LANGUAGE")
    kept = {name: value for name, value in environment(home).items() if not name.startswith(about)}
    return {**kept, "LANG": "C.UTF-8", "TERM": "xterm-256color", **wanted}


@asynccontextmanager
async def a_game(
    home: Path, *around: str, wanted: Mapping[str, str], enters: bool = False, is_cold: bool = False
) -> AsyncIterator[PtyScreen]:
    """Ana has played a move in such a terminal, Ben has answered. `around` is what the client runs in.

    Cold is a new Python, which looks at its locale.
    """
    own = own_environment(home, wanted)
    async with real_server() as url, connect(url, name="Ben") as ben:
        room = await ben.create_room("connect-four", seat=1)
        Rival(ben, room)
        where = (f"{url}?join={room.code}", "--name", "Ana")
        cold = [sys.executable, "-m", "tablero"]
        client = [*(cold if is_cold or around else command()), "play", *where]
        if around:
            inside = {name: own[name] for name in ("PYTHONPATH", "TABLERO_HOME", "TABLERO_LANG", "LANG")}
            client = [*around, shlex.join(["env", *(f"{a}={b}" for a, b in inside.items()), *client])]
        async with in_a_terminal(*client, environment=own) as ana:
            await ana.shows("Your turn.")
            ana.type("4\r" if enters else "4")
            await ana.shows(MOVED)
            await ana.shows(ANSWERED)
            yield ana


def skip_without(*programs: str) -> None:
    missing = [name for name in programs if shutil.which(name) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")


def skip_without_place() -> None:
    if os.getuid() == 0 and not Path("/run/sshd").is_dir():
        pytest.skip("needs /run/sshd, which sshd wants where root starts it")


def is_whole(ana: PtyScreen) -> bool:
    """Whether title, board, players, sentence and footer are there, each where it belongs."""
    lines = ana.text.split("\n")
    return (
        lines[0].startswith(" Connect Four")
        and "5     6     7" in lines[19]
        and "Ben" in lines[3]
        and lines[22].startswith(" Your turn.")
        and lines[23].startswith(" enter Play")
    )


async def test_256_colours_and_signs(tmp_path: Path) -> None:
    async with a_game(tmp_path, wanted={}) as ana:
        await ana.until(lambda: is_whole(ana))
        assert ana.paper.colours
        assert all(each.startswith(("38;5;", "48;5;")) for each in ana.paper.colours)
        assert "✕" in ana.text


async def test_as_many_colours_as_there_are(tmp_path: Path) -> None:
    async with a_game(tmp_path, wanted={"COLORTERM": "truecolor"}) as ana:
        await ana.until(lambda: is_whole(ana))
        assert any(each.startswith("38;2;") for each in ana.paper.colours)


@pytest.mark.parametrize("term", ["xterm", "linux", pytest.param("vt220", marks=pytest.mark.full)])
async def test_sixteen_colours(term: str, tmp_path: Path) -> None:
    async with a_game(tmp_path, wanted={"TERM": term}) as ana:
        await ana.until(lambda: is_whole(ana))
        assert ana.paper.colours
        assert all(SIXTEEN.fullmatch(each) for each in ana.paper.colours)
        assert ana.text.isascii() is (term == "linux")


@pytest.mark.parametrize(
    "more", [pytest.param({}, marks=pytest.mark.full), {"COLORTERM": "truecolor"}, {"LC_ALL": "C"}]
)
async def test_no_colours(more: dict[str, str], tmp_path: Path) -> None:
    async with a_game(tmp_path, wanted={"NO_COLOR": "1", **more}, is_cold="LC_ALL" in more) as ana:
        await ana.until(lambda: is_whole(ana))
        assert ana.paper.colours == set()
        await ana.until(lambda: "(" in ana.text)  # the last move is marked by signs


@pytest.mark.parametrize(
    "locale", [{"LANG": "C"}, {"LC_ALL": "C"}, pytest.param({"LC_ALL": "POSIX"}, marks=pytest.mark.full)]
)
async def test_letters_of_ascii_alone(locale: dict[str, str], tmp_path: Path) -> None:
    async with a_game(tmp_path, wanted=locale, is_cold=True) as ana:
        await ana.until(lambda: is_whole(ana))
        assert ana.paper.raw.isascii()
        ana.type("?")
        await ana.shows("Esc: back.")
        assert ana.paper.raw.isascii()


async def test_a_light_background(tmp_path: Path) -> None:
    async with a_game(tmp_path, wanted={"COLORTERM": "truecolor", "COLORFGBG": "0;15"}) as ana:
        await ana.until(lambda: is_whole(ana))
        assert "48;2;251;250;247" in ana.paper.colours
        assert "48;2;20;24;29" not in ana.paper.colours


async def test_a_terminal_without_a_cursor_to_move_gets_lines(tmp_path: Path) -> None:
    async with a_game(tmp_path, wanted={"TERM": "dumb"}, enters=True) as ana:
        assert "\x1b" not in ana.paper.raw


@pytest.mark.parametrize("term", ["screen", "tmux-256color"])
async def test_tmux(term: str, tmp_path: Path) -> None:
    skip_without("tmux")
    settings = tmp_path / "tmux.conf"
    settings.write_text(f"set -g default-terminal {term}\nset -g status off\nset -g destroy-unattached on\n")
    tmux = ("tmux", "-u", "-S", str(tmp_path / "tmux"), "-f", str(settings), "new-session")
    async with a_game(tmp_path, *tmux, wanted={}) as ana:
        await ana.until(lambda: is_whole(ana))
        assert "✕" in ana.text


async def test_screen(tmp_path: Path) -> None:
    skip_without("screen")
    place = tmp_path / "screens"
    place.mkdir(mode=0o700)
    settings = tmp_path / "screenrc"
    settings.write_text("startup_message off\ndefutf8 on\n")
    run = ("screen", "-U", "-c", str(settings), "sh", "-c")
    own = {"SCREENDIR": str(place)}
    try:
        async with a_game(tmp_path, *run, wanted=own) as ana:
            await ana.until(lambda: is_whole(ana))
            assert "✕" in ana.text
    finally:  # it outlives its terminal, as is its purpose
        quits = await create_subprocess_exec("screen", "-X", "quit", env=own_environment(tmp_path, own))
        await quits.wait()


@asynccontextmanager
async def an_sshd(home: Path) -> AsyncIterator[tuple[str, ...]]:
    """A server of our own on loopback, with keys of our own; gives the command that goes there."""
    skip_without("ssh", "ssh-keygen")
    if SSHD is None:
        pytest.skip("needs sshd")
    skip_without_place()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for name in ("host", "own"):
        making = ("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(home / name))
        assert await (await create_subprocess_exec(*making)).wait() == 0
    settings = home / "sshd_config"
    settings.write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {home}/host\nAuthorizedKeysFile {home}/own.pub\n"
        "StrictModes no\nUsePAM no\nPidFile none\nPasswordAuthentication no\n"
        "PermitRootLogin prohibit-password\n"
    )
    process = await create_subprocess_exec(SSHD, "-D", "-f", str(settings), stdout=DEVNULL, stderr=DEVNULL)
    try:
        known = f"[127.0.0.1]:{port} {(home / 'host.pub').read_text()}"
        (home / "known").write_text(known)
        yield (
            "ssh", "-tt", "-F", "none", "-i", str(home / "own"), "-o", f"UserKnownHostsFile={home}/known",
            "-o", "ConnectionAttempts=20", "-o", "LogLevel=ERROR", "-p", str(port), f"{getuser()}@127.0.0.1",
        )  # fmt: skip
    finally:
        process.terminate()
        await process.wait()


async def test_ssh(tmp_path: Path) -> None:
    async with an_sshd(tmp_path) as ssh, a_game(tmp_path, *ssh, wanted={}) as ana:
        await ana.until(lambda: is_whole(ana))
        assert "✕" in ana.text
        assert all(each.startswith(("38;5;", "48;5;")) for each in ana.paper.colours)
