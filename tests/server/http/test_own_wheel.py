"""The wheel that a server gives away is the one that it was installed from."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib.metadata import Distribution
from io import BytesIO
from pathlib import Path

import pytest

from tablero_server.http import own_wheel
from tablero_server.http.own_wheel import Wheel, offered, wheel_of
from tests.harness.pages import Browser
from tests.harness.tree import ROOT
from tests.harness.wire import a_server

PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]


def installed(wheel: Path, folder: Path, *more: str) -> Distribution:
    subprocess.run([*PIP, "install", "--no-deps", "--no-index", *more, "--target", folder, wheel], check=True)
    [found] = Distribution.discover(name="tablero", path=[str(folder)])
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(out)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [wheel] = out.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def usual(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Distribution:
    """As people have it: pip has compiled its files."""
    return installed(built, tmp_path_factory.mktemp("usual"))


def contents(wheel: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(wheel)) as opened:
        assert opened.testzip() is None
        return {name: opened.read(name) for name in opened.namelist() if not name.endswith("RECORD")}


def test_it_is_the_wheel_that_was_installed_and_can_be_installed_again(
    built: Path, usual: Distribution, tmp_path: Path
) -> None:
    given = wheel_of(usual)
    assert given is not None
    assert given.name == built.name
    assert contents(given.content) == contents(built.read_bytes())
    (tmp_path / given.name).write_bytes(given.content)
    again = wheel_of(installed(tmp_path / given.name, tmp_path / "again", "--no-compile"))
    assert again == given


def test_one_that_is_large_is_not_given_away(usual: Distribution, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_wheel, "_MOST_BYTES", 100)
    assert wheel_of(usual) is None


async def test_it_is_at_an_address_that_pip_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "tablero-0.1.0-py3-none-any.whl"
    monkeypatch.setattr(own_wheel, "own_wheel", lambda: Wheel(name, b"a wheel"))
    async with a_server() as server:
        assert await Browser(server).get(f"/{name}") == (200, "a wheel")
        assert (await Browser(server).get("/tablero-0.2.0-py3-none-any.whl"))[0] == 404
        monkeypatch.setattr(own_wheel, "own_wheel", lambda: None)
        assert (await Browser(server).get(f"/{name}"))[0] == 404
        assert (await Browser(server).get("/tablero-py3-none-any.whl/.."))[0] == 404


async def test_a_terminal_is_told_how_to_have_it_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_server() as server:
        assert "Without Tablero" not in (await Browser(server).get("/"))[1]
        monkeypatch.setattr(
            "tablero_server.http.web_client.offered", lambda: "tablero-0.1.0-py3-none-any.whl"
        )
        text = (await Browser(server).get("/", Host="games:8470"))[1]
    line = "uvx --from http://games:8470/tablero-0.1.0-py3-none-any.whl tablero play games:8470\n"
    assert f"Without Tablero:       {line}" in text


def test_a_source_tree_offers_none() -> None:
    assert offered() is None
