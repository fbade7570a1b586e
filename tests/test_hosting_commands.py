"""Every command in docs/hosting.md is run: by this table, or by a script that needs Docker. Exceptions have a
reason.
"""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import shutil
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest

from tablero_server.reach.certificate import of_our_own
from tests.harness.processes import free_port
from tests.harness.tree import ROOT
from tests.harness.warm import command as warm
from tests.harness.wire import a_table

SECONDS = 120
_BEGINS = r"(?:tablero|make|docker|git|mkdir|pip|python|py|systemd-run|\.ci/|\.venv|[A-Z_]+=\S+) ?"
_WHOLE = re.compile(rf"{_BEGINS}\S.*|make [a-z]+")


def commands() -> set[str]:
    """Each line of an example, and each command within a sentence."""
    page = (ROOT / "docs" / "hosting.md").read_text()
    blocks = re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", page)
    lines = [line for language, block in blocks if not language for line in block.splitlines()]
    prose = re.sub(r"(?ms)^```.*?^```$", "", page)
    told = [*lines, *re.findall(r"`([^`\n]+)`", prose)]
    return {
        text for text in told if _WHOLE.fullmatch(text) and " " in text and not text.startswith("tablero_")
    }


SERVERS = {
    "make run",
    'make run ARGS="--port 9000 --no-bots"',
    "make run ARGS=--lan",
    "tablero serve",
    "tablero serve --lan",
    "tablero serve --host 0.0.0.0 --tls-cert fullchain.pem --tls-key privkey.pem",
    "TABLERO_NAMES=games.example.org TABLERO_TRUSTED_PROXIES=127.0.0.1 tablero serve",
    "TABLERO_BASE_PATH=/games/ TABLERO_NAMES=games.example.org TABLERO_TRUSTED_PROXIES=127.0.0.1 "
    "tablero serve",
}
"""Commands that start a server. Each must print where it listens, and end properly."""

ASKED = (
    "tablero config",
    "tablero doctor",
    "tablero record ROOM",
    "tablero backup games-backup",
    "tablero backup",
    "python -m tablero_server.operations.healthcheck",
    "tablero admin list",
    "tablero admin list --addresses",
    "tablero admin load",
    "tablero admin settings",
    "tablero admin doctor",
    "tablero admin token",
    "tablero admin announce TEXT",
    "tablero admin games DAY",
    "tablero admin mute PLAYER",
    "tablero admin unmute PLAYER",
    "tablero admin mute ben --for 1h",
    "tablero admin close ROOM",
    'tablero admin kick ben --why "calm down"',
    "tablero admin kick PLAYER",
    'tablero admin ban ben --for 2h --why "no swearing here"',
    "tablero admin ban PLAYER",
    "tablero admin unban PLAYER",
    "tablero admin end-tokens PLAYER",
    "tablero admin ban 203.0.113.0/24",
    "tablero admin ban ADDRESS",
    "tablero admin drain",
    "tablero admin undrain",
    "tablero admin audit",
)
"""Commands sent to one server in this order. Each must have exit code 0."""
WORDS = {"TEXT": "hello", "PLAYER": "ben", "DAY": "2026-11-19", "ADDRESS": "203.0.113.9"}

ELSEWHERE = {
    "tablero restore games-backup --replace": "at the end of the test of ASKED",
    "tablero admin strike PLAYER": "tests/clients/test_cli_admin.py: nobody is rated here",
    "tablero admin strike gus": "the same",
    "tablero play": "the last test here",
    "tablero play games.example.org": "as tablero play; the name is made up",
    "tablero find": "tests/test_two_networks.py",
    "make play": "as tablero play",
    "SSL_CERT_FILE=tls-certificate.pem tablero play https://192.168.1.5:8470": "the last test here",
    "tablero bot-host --server URL --key FILE": "tests/server/test_supervisor.py",
    "tablero admin": "stands for the others",
    "tablero admin COMMAND": "stands for the others",
    "py -m venv .venv": "Windows",
    r".venv\Scripts\pip install --require-hashes -r requirements.lock -r requirements-build.lock": "Windows",
    r".venv\Scripts\pip install --no-deps --no-build-isolation .": "Windows",
    r".venv\Scripts\tablero serve": "Windows",
    "pip install '.[server,cluster]'": "make package tries the wheel",
    "python3 -m venv /opt/tablero": ".ci/try-systemd, with a copy of this machine's files",
    "mkdir kept && sudo chown 10001 kept": "needs sudo",
    "git pull": "there is nothing to pull in a test",
    "python -m bench.people --seconds 30": "tests/bench/test_people.py, with fewer people",
    "git pull && docker compose up -d --build": "there is nothing to pull in a test",
    "docker build -t tablero . && docker run --init -p 8470:8470 tablero": "Compose runs this image",
    "docker run --network host": "a part of a command",
    "docker run --user 12345": "a part of a command",
    "docker compose exec game tablero admin COMMAND": ".ci/try-compose says `list`",
    "docker compose logs -f game": "does not end",
    "docker compose cp game:/data/games-backup .": ".ci/try-compose copies it elsewhere",
    "SITE=games.example.org TABLERO_PORT=127.0.0.1:8470 docker compose --profile proxy up -d": (
        ".ci/try-compose says localhost"
    ),
}
"""Commands that this table does not run: the place where they are run, or the reason why not."""


def by_script() -> set[str]:
    """The commands that .ci/try-compose and .ci/try-systemd run."""
    scripts = [ROOT.joinpath(".ci", name).read_text() for name in ("try-compose", "try-systemd")]
    return set(re.findall(r"(?m)^ *try '(.*)'$", "\n".join(scripts)))


def test_no_command_is_left_out_and_none_is_made_up() -> None:
    docker = {text for text in commands() if "docker compose" in text}
    systemd = {"systemd-analyze verify"}  # run in tests/server/operations
    trials = {text for text in commands() if re.fullmatch(r"make (?!run|play)[a-z-]+", text)}
    known = {*SERVERS, *ASKED, *ELSEWHERE, *by_script(), *systemd, *trials}
    assert commands() - known == set()
    assert {*SERVERS, *ASKED, *ELSEWHERE} - commands() == set()
    assert docker <= {*by_script(), *ELSEWHERE}


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short path, a `tablero`, and a `make` that installs nothing."""
    with TemporaryDirectory() as name:
        here = Path(name)
        program = here / "bin" / "tablero"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec {shlex.join(warm())} "$@"\n')
        program.chmod(0o700)
        (here / "bin" / "python").symlink_to(sys.executable)
        for stamp in (".python", ".runtime"):
            here.joinpath(stamp).touch()
        yield here


def environment(folder: Path, **more: str) -> dict[str, str]:
    ours = {name: text for name, text in os.environ.items() if not name.startswith("TABLERO_")}
    kept = {name: str(folder) for name in ("HOME", "TABLERO_HOME")}
    paths = {
        "PATH": os.pathsep.join([str(folder / "bin"), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    database = {"TABLERO_DATABASE": f"sqlite:///{folder}/games.db", "TABLERO_BOTS": "false"}
    own = {"TABLERO_PORT": "0", "TABLERO_ADMIN_ADDRESS": "off", "TABLERO_LANG": "en"}
    return {**ours, **kept, **paths, **database, **own, **more}


@asynccontextmanager
async def started(command: str, folder: Path, **more: str) -> AsyncIterator[str]:
    """Starts a command. Yields its output once it is ready, and stops it at the end."""
    for name in ("Makefile", "pyproject.toml", "requirements.lock", "requirements-build.lock"):
        shutil.copy(ROOT / name, folder)
    words = command.replace("9000", free_port())
    if words.startswith("make "):
        words += f" VENV={folder} --assume-old={folder}/.runtime"
    if not words.startswith("make "):
        words = re.sub(r"\btablero serve", "exec tablero serve", words)
    with folder.joinpath("stderr").open("wb") as errors:
        process = await asyncio.create_subprocess_shell(
            words,
            cwd=folder,
            env=environment(folder, **more),
            stdout=PIPE,
            stderr=errors,
            start_new_session=True,
        )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(SECONDS):
            yield (await process.stdout.readuntil(b"Ctrl-C.\n")).decode()
            await stopped(process)
    finally:
        if process.returncode is None:
            os.killpg(process.pid, 9)
            await process.wait()


async def stopped(process: Process) -> None:
    """Stops a process group as Ctrl-C does."""
    os.killpg(process.pid, 2)
    await process.communicate()
    assert process.returncode in (0, 130, -2, 2), process.returncode  # 130 is make's exit code


def told_port(printed: str) -> int:
    return int(re.findall(r"(?m)^Tablero is at https?://[^/]*:(\d+)/", printed)[0])


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize("command", sorted(SERVERS))
async def test_each_way_to_start_a_server_starts_one(command: str, folder: Path) -> None:
    if "fullchain.pem" in command:
        if shutil.which("openssl") is None:
            pytest.skip("needs openssl")
        made = of_our_own(folder / "own", [])
        made.chain.rename(folder / "fullchain.pem")
        made.key.rename(folder / "privkey.pem")
    async with started(command, folder) as printed:
        _, writer = await asyncio.open_connection("127.0.0.1", told_port(printed))
        writer.close()
    errors = folder.joinpath("stderr").read_text()
    assert "Traceback" not in errors


async def said(command: str, folder: Path, typed: str = "", **more: str) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_shell(
        command, cwd=folder, env=environment(folder, **more), stdin=PIPE, stdout=PIPE, stderr=PIPE
    )
    out, errors = await process.communicate(typed.encode())
    return process.returncode, out.decode() + errors.decode()


async def test_each_command_to_a_running_server_is_answered(folder: Path) -> None:
    async with started("tablero serve", folder) as printed:
        port = told_port(printed)
        at = {"TABLERO_PORT": str(port), "TABLERO_SERVER": f"127.0.0.1:{port}"}
        async with a_table(SimpleNamespace(port=port)) as (_, _, room):
            for command in ASKED:
                words = command.replace("ROOM", room)
                for word, text in WORDS.items():
                    words = re.sub(rf"\b{word}\b", text, words)
                if command == "tablero backup":
                    words = "tablero backup another-backup"
                code, answer = await said(words, folder, **at)
                assert code == 0, f"{words}: {answer}"
    code, answer = await said("tablero restore games-backup --replace", folder)
    assert code == 0, answer
    async with started("tablero serve", folder) as printed:
        assert told_port(printed)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
async def test_players_come_in_with_and_without_tls(folder: Path) -> None:
    async with started("tablero serve", folder) as printed:
        address = f"127.0.0.1:{told_port(printed)}"
        code, answer = await said(f"tablero play {address}", folder, "quit\n")
        assert (code, "You're" in answer) == (0, True), answer
    async with started("tablero serve --tls auto", folder) as printed:
        address = f"https://127.0.0.1:{told_port(printed)}"
        code, answer = await said(f"tablero play {address}", folder, "quit\n")
        assert (code, "is not trusted" in answer) == (1, True), answer
        trusted = f"SSL_CERT_FILE=tls-certificate.pem tablero play {address}"
        code, answer = await said(trusted, folder, "quit\n")
        assert (code, "You're" in answer) == (0, True), answer
