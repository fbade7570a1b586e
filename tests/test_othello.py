"""A game in its own package, `examples/othello`: installed, found, and played by every kind of player."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path
from random import Random

import pytest

from tablero import connect
from tablero.brains import find_brain
from tablero.catalogue.speech import speak
from tablero_games import GAMES, Game
from tablero_games.catalogue import GROUP, with_installed
from tablero_protocol.messages import NextPlayer
from tests.harness.client import Turns
from tests.harness.games.contract import AGame, keep_every_promise
from tests.harness.games.records import check_a_finished_game, check_a_running_game
from tests.harness.screens import a_table
from tests.harness.serving import Serving
from tests.harness.terminal import Terminal, a_terminal
from tests.harness.tree import ROOT
from tests.harness.wire import addresses_of_their_own

PACKAGE = ROOT / "examples" / "othello"
pytestmark = pytest.mark.xdist_group("othello")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the package is installed, by pip without a network."""
    there = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    subprocess.run(
        [*pip, "--no-deps", "--no-build-isolation", "--no-compile", "--target", there, PACKAGE], check=True
    )
    return there


@pytest.fixture(scope="module", autouse=True)
def game(folder: Path) -> Iterator[Game]:
    """The game, added to the catalogue of this process, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        found = [each for package in distributions(path=[str(folder)]) for each in package.entry_points]
        installed = with_installed([], [each for each in found if each.group == GROUP])
        assert list(installed) == ["othello"]
        patch.setitem(GAMES, "othello", installed["othello"])
        yield installed["othello"]


@pytest.fixture(scope="module")
def server(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    home = tmp_path_factory.mktemp("home")
    with Serving(home, "memory", PYTHONPATH=str(folder)) as serving:
        serving.start()
        serving.wait_until_open()
        yield serving


@pytest.fixture(scope="module")
def bot(server: Serving) -> Iterator[None]:
    """Runs `othello:random` at that server."""
    command = [sys.executable, "-m", "tablero", "bot", "othello:random", "--pace", "0"]
    process = subprocess.Popen(
        [*command, "--server", server.url], env=server.env, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        assert " is at " in process.stderr.readline()
        yield
    finally:
        process.kill()
        process.communicate()


def tablero(folder: Path, *arguments: str | Path) -> str:
    """The output of a command where the package is installed."""
    return subprocess.run(
        [sys.executable, "-m", "tablero", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(folder)}, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip


# The rules


def test_its_own_tests_pass(folder: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-c", os.devnull, str(PACKAGE / "tests")]
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    plain = [*command, "-p", "no:cacheprovider", "-p", "no:randomly", f"--rootdir={PACKAGE}"]
    done = subprocess.run(plain, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("size", [8, pytest.param(6, marks=pytest.mark.full), 4])
def test_every_promise_of_a_game_is_kept(game: Game, size: int) -> None:
    for seed in range(3 if size == 8 else 10):
        keep_every_promise(game, {"size": size}, seed, ["", "pass", "\x1b[2J"])
    check_a_finished_game(game, {"size": size})
    check_a_running_game(game, {"size": size}, 2)


class TestOthello(AGame):
    """The contract of all games, with Othello's own refusals."""


def test_contributing_lists_the_files_that_it_needed() -> None:
    section = (ROOT / "CONTRIBUTING.md").read_text().partition("## How to add a game")[2]
    listed = re.findall(r"^\| `(examples/othello/\S+)` \|", section, re.MULTILINE)
    tracked = ["git", "ls-files", "examples/othello"]
    found = subprocess.run(tracked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert sorted(listed) == sorted(found)
    assert len(found) == 4


def test_nothing_but_the_package_knows_of_it() -> None:
    found = subprocess.run(
        ["git", "grep", "-liw", "othello", "--", "games", "protocol", "server", "clients"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.stdout == ""


# With the installed package


def test_its_brain_is_listed_and_plays_contests(folder: Path) -> None:
    assert "othello:random" in tablero(folder, "bots")
    score = json.loads(tablero(folder, "arena", "othello:random", "othello:random", "--games", "4", "--json"))
    assert score["games"] == 4
    assert find_brain("othello:random").game == "othello"


async def test_in_the_line_mode_a_whole_game_is_played_with_the_computer(
    server: Serving, bot: None, folder: Path, tmp_path: Path
) -> None:
    speak("en")
    async with a_terminal(server.url, "Ana", boards=True) as ana:
        ana.types("create othello size=4 bot=random")
        await ana.hears(r"2 | . O X . |")
        await _by_typing(ana, Random(1))
        await ana.hears(r"wins? \(discs\)|draw \(discs\)")
        record = tmp_path / "game.record"
        record.write_text(tablero(folder, "record", ana.room.id, "--server", server.url))
    assert "valid" in tablero(folder, "verify", record)
    replayed = tablero(folder, "replay", record, "--style", "ascii")
    assert "4 | . . . . |\n3 | . X O . |\n2 | . O X . |\n1 | . . . . |\n    a b c d" in replayed


async def _by_typing(ana: Terminal, random: Random) -> None:
    """Types random legal moves at Ana's turns."""
    await ana.waits_for(lambda: ana.table.latest is not None)
    while (turn := _latest(ana)).outcome is None:
        if turn.seat in turn.seats:
            ana.types(random.choice(GAMES["othello"].legal_moves(turn.view, turn.seat or 0)))
        await ana.waits_for(lambda ply=turn.ply: _latest(ana).ply > ply)  # type: ignore[misc]


def _latest(ana: Terminal) -> NextPlayer:
    assert ana.table.latest is not None
    return ana.table.latest


async def test_on_the_full_screen_a_whole_game_is_played(server: Serving, tmp_path: Path) -> None:
    async with a_table(server.url, tmp_path, "othello", size=4) as (ana, _):
        view = ana.table.table
        assert view is not None
        await ana.shows("2 | . O X . |")
        while not view.is_over:
            if legal := view.legal():
                assert view.turn is not None
                ply = view.turn.ply
                await ana.types(next(iter(legal)))
                await ana.goes_beyond(ply)
            else:
                await ana.until(lambda: view.is_over or view.legal())
        await ana.shows("r: rematch")


async def test_a_rated_game_moves_both_ratings(server: Serving) -> None:
    with addresses_of_their_own():
        async with connect(server.url, name="Cleo") as cleo, connect(server.url, name="Dora") as dora:
            room = await cleo.create_room("othello", rated=True)
            other = await dora.join(room=room.id)
            await asyncio.gather(Turns(room).play_to_the_end(), Turns(other).play_to_the_end())
            pages = [await cleo.show_player(name) for name in ("Cleo", "Dora")]
    rated = [(each.game, each.games) for page in pages for each in page.ratings]
    assert rated == [("othello", 1), ("othello", 1)]


async def test_in_a_browser_a_whole_game_is_played_and_looked_back_at(
    server: Serving, bot: None, tmp_path: Path
) -> None:
    from tests.harness.browser import address, browsers, expect
    from tests.harness.web.tables import state

    async with asyncio.timeout(100), browsers() as people:
        ana = await people.page(address(server.port))
        await ana.get_by_label("Your name").fill("ana")
        await ana.get_by_role("button", name="Play Othello").click()
        drawing = ana.get_by_role("region", name="Othello, board")
        await expect(drawing).to_contain_text("4 | . . . O X . . . |")
        await ana.evaluate(_BY_CLICKING)
        await expect(state(ana)).to_contain_text(re.compile("wins?|draw"))
        ended = await drawing.inner_text()
        await ana.get_by_role("button", name="First move").click()
        await expect(drawing).to_contain_text("4 | . . . O X . . . |")
        await expect(ana.get_by_role("group", name="Play").get_by_role("button")).to_have_count(0)
        await ana.get_by_role("link", name="Watch the replay").click()
        await expect(drawing).to_contain_text("4 | . . . O X . . . |")
        await ana.get_by_role("button", name="Last move").click()
        assert await drawing.inner_text() == ended
        async with ana.expect_download() as saving:
            await ana.get_by_role("button", name="Save as a page").click()
        await (await saving.value).save_as(tmp_path / "game.html")
        saved = await people.page((tmp_path / "game.html").as_uri())
        await saved.get_by_role("button", name="Last move").click()
        assert await saved.get_by_role("region", name="Othello, board").inner_text() == ended
        assert people.complaints == []


_BY_CLICKING = """async () => {
    const board = document.querySelector("tablero-drawing");
    const ended = () => document.querySelector(".status.ended");
    while (!ended()) {
        board.querySelector("button")?.click();
        await new Promise((done) => setTimeout(done, 5));
    }
}"""
