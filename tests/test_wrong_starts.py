"""`tablero serve` with a mistake: one line that says what to do, and an exit code other than 0."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.harness.certificates import of_the_past
from tests.harness.databases import Sqlite
from tests.harness.processes import PROGRAM
from tests.harness.warm import command

SECONDS = 90


def start(folder: Path, *options: str, before: Sequence[str] = (), **environment: str) -> tuple[int, str]:
    """The exit code and the only line of output; the process must have ended."""
    ours = {name: text for name, text in os.environ.items() if not name.startswith("TABLERO_")}
    paths = os.pathsep.join(path for path in sys.path if path)
    kept = {"HOME": str(folder), "PYTHONPATH": paths, "TABLERO_DATABASE": f"sqlite:///{folder}/games.db"}
    done = subprocess.run(
        [*before, *(PROGRAM if before else command()), "serve", "--no-bots", *options],
        env={**ours, **kept, "TABLERO_ADMIN_ADDRESS": "off", "TABLERO_PORT": "0", **environment},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    [line] = done.stderr.splitlines()
    assert done.stdout == ""
    return done.returncode, line


@pytest.fixture
def full_or_fixed(tmp_path: Path) -> tuple[Path, str]:
    """A folder, and the start of a command that mounts a file system there with the given options and
    continues in it.
    """
    script = f'mount -t tmpfs -o "$0" tmpfs {tmp_path}/small && exec "$@"'
    tmp_path.joinpath("small").mkdir()
    tried = shutil.which("unshare") and os.geteuid() == 0
    if (
        not tried
        or subprocess.run(["unshare", "-m", "sh", "-c", script, "size=16k", "true"], check=False).returncode
    ):
        pytest.skip("needs root and mount namespaces")
    return tmp_path / "small", script


@pytest.mark.parametrize(
    ("variable", "value", "line"),
    [
        ("PORT", "many", "TABLERO_PORT: Input should be a valid integer"),
        ("PROT", "9000", "TABLERO_PROT: there is no such setting. Did you mean TABLERO_PORT?"),
        ("BASE_PATH", "a b", "write it as /games/"),
        ("TRUSTED_PROXIES", "caddy", "TABLERO_TRUSTED_PROXIES: 'caddy' does not appear to be"),
    ],
)
def test_a_wrong_setting(tmp_path: Path, variable: str, value: str, line: str) -> None:

    code, said = start(tmp_path, **{f"TABLERO_{variable}": value})
    assert code == 2
    assert line in said


def test_a_taken_port(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        code, said = start(tmp_path, "--port", str(port))
    assert code == 1
    assert said.startswith(f"Cannot listen on 127.0.0.1:{port}: ")
    assert said.endswith("Choose another --port.")


def test_a_database_of_another_kind(tmp_path: Path) -> None:
    code, said = start(tmp_path, TABLERO_DATABASE="mysql://localhost")
    assert code == 1
    assert said.startswith("The database has to be memory,")


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    code, said = start(tmp_path, TABLERO_DATABASE=f"sqlite:///{tmp_path}/none/games.db")
    assert (code, said) == (
        1,
        f"There is no folder {tmp_path}/none: make it with `mkdir -p {tmp_path}/none`.",
    )


def test_a_folder_that_cannot_be_written(full_or_fixed: tuple[Path, str]) -> None:
    folder, script = full_or_fixed
    before = ("unshare", "-m", "sh", "-c", script, "ro")
    code, said = start(folder.parent, before=before, TABLERO_DATABASE=f"sqlite:///{folder}/games.db")
    assert code == 1
    assert said.startswith(f"Cannot write the database {folder}/games.db: Read-only file system. ")
    assert said.endswith("Choose another file with --database.")


@pytest.mark.parametrize("size", ["16k", "100k"])
def test_a_full_disk(full_or_fixed: tuple[Path, str], size: str) -> None:
    folder, script = full_or_fixed
    before = ("unshare", "-m", "sh", "-c", script, f"size={size}")
    code, said = start(folder.parent, before=before, TABLERO_DATABASE=f"sqlite:///{folder}/games.db")
    assert code == 1
    assert said.startswith(f"Cannot write the database {folder}/games.db: ")
    assert said.endswith("Make room on its disk and start again.")


async def test_a_newer_database(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    await (await place.open()).close()
    with sqlite3.connect(place.path) as database:
        database.execute("PRAGMA user_version = 9999")
    database.close()
    code, said = start(tmp_path, TABLERO_DATABASE=place.url)
    assert code == 1
    assert said.startswith(
        f"{place.path} was written by a newer Tablero (schema 9999). Update this program, or"
    )


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
def test_an_expired_certificate(tmp_path: Path) -> None:
    old = of_the_past(tmp_path)
    code, said = start(tmp_path, "--tls-cert", str(old.chain), "--tls-key", str(old.key))
    assert (code, said) == (
        1,
        f"{old.chain} is no good: certificate has expired. Renew it, or say --tls auto.",
    )


def test_an_address_of_another_machine(tmp_path: Path) -> None:
    code, said = start(tmp_path, "--host", "203.0.113.7", "--insecure")
    assert (code, said) == (
        1,
        "This machine has no address 203.0.113.7. Choose another --host; 0.0.0.0 is all that it has.",
    )
