"""The browser client as it is served: whole, small, kept for ever, and nothing but its files."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import subprocess
import sys
import zipfile
from contextlib import AsyncExitStack
from html import unescape
from itertools import product
from pathlib import Path, PurePosixPath
from posixpath import normpath
from urllib.parse import urljoin

import pytest

from tablero.catalogue.speech import LANGUAGES
from tablero_games import GAMES
from tablero_server.app import Server
from tablero_server.http.web_client import (
    WebClient,
    _imported,
    read_client,
    web_client,
)
from tests.harness.games.examples import EXAMPLES
from tests.harness.raw import Raw, a_raw, answer
from tests.harness.tree import ROOT
from tests.harness.web.first_page import MOST_BYTES, MOST_REQUESTS
from tests.harness.wire import a_server

SOURCE = ROOT / "clients" / "web"


LATER = {
    "export.js",
    "installing.js",
    "later-look.js",
    "later-texts.js",
    "refusals.js",
    "replay.js",
    "screens/arrive.js",
    "screens/best-time.js",
    "screens/ending.js",
    "screens/entrance.js",
    "screens/forms.js",
    "screens/hand-over.js",
    "screens/keys.js",
    "screens/lessons.js",
    "screens/notices.js",
    "screens/offers.js",
    "screens/menu.js",
    "screens/past.js",
    "screens/player.js",
    "screens/replay.js",
    "screens/results.js",
    "screens/settings.js",
    "screens/stepper.js",
    "screens/talk.js",
    "screens/top.js",
    "sound.js",
    "worker.js",
}
"""What a table does without until somebody asks for it."""
AT_ONCE = 6
"""Connections that a browser makes to one server for a page."""


async def get(server: Server, path: str, more: str = "") -> tuple[int, dict[str, str], bytes]:
    async with a_raw(server) as raw:
        await ask(raw, path, more)
        return await answer(raw)


async def ask(raw: Raw, path: str, more: str = "") -> None:
    await raw.send(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n".encode())


BROWSER = "Accept: text/html,*/*\r\nAccept-Encoding: gzip, br\r\n"


def addresses(page: str) -> list[str]:
    """What a page asks for before it does anything."""
    return re.findall(r'(?:href|src)="(assets/[^"]+)"', page)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/ABCD-EFGH",
        "/abcdefgh",
        "/watch/r4d9s2h6w8ey",
        "/top",
        "/player/ana",
        "/replay",
        "/replay/r4d9s2h6w8ey",
    ],
)
async def test_each_screen_has_the_same_page_which_leads_to_one_folder_from_any_depth(path: str) -> None:
    async with a_server() as server:
        status, headers, body = await get(server, path, BROWSER)
        page = gzip.decompress(body).decode()
        [base] = re.findall(r'<base href="([^"]+)">', page)
        folder = PurePosixPath(path).parent if path != "/" else PurePosixPath("/")
        assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
        assert normpath(folder / base) == "/"
        for address in addresses(page):
            assert address.startswith(f"assets/{web_client().version}/")
            assert (await get(server, f"/{address}"))[0] == 200, address


@pytest.mark.parametrize(
    "path",
    [
        "/ABCD-EFG",
        "/ABCD-EFGHI",
        "/watch/",
        "/watch/a/b",
        "/top/",
        "/player/",
        "/player/a/b",
        "/replay/",
        "/replay/a/b",
        "/assets",
        "/index.html",
        "/a/b/c/d",
        "//top",
        "/a%2Fb",
    ],
)
async def test_a_browser_at_a_wrong_address_gets_the_page_and_a_program_a_sentence(path: str) -> None:
    async with a_server() as server:
        status, headers, body = await get(server, path, BROWSER)
        page = gzip.decompress(body).decode()
        [base] = re.findall(r'<base href="([^"]+)">', page)
        assert (status, headers["Content-Type"]) == (404, "text/html; charset=utf-8")
        assert urljoin(urljoin(f"http://h{path}", base), ".") == "http://h/"
        assert 'src="assets/' in page
        assert (await get(server, path))[::2] == (404, b"There is no such page.\n")


@pytest.mark.parametrize(
    "name",
    [
        "nowhere.js",
        "../index.html",
        "index.html",
        "protocol.d.ts",
        "README.md",
        "package.json",
        "tsconfig.json",
        "",
    ],
)
async def test_only_files_of_the_client_are_in_its_folder(name: str) -> None:
    async with a_server() as server:
        assert (await get(server, f"/assets/{web_client().version}/{name}"))[0] == 404


async def test_files_are_kept_for_ever_and_the_page_is_asked_for_each_time() -> None:
    async with a_server() as server:
        _, page, _ = await get(server, "/", BROWSER)
        _, plain, body = await get(server, f"/assets/{web_client().version}/main.js")
        _, packed, small = await get(server, f"/assets/{web_client().version}/main.js", BROWSER)
    assert page["Cache-Control"] == "no-cache"
    assert plain["Cache-Control"] == packed["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "Content-Encoding" not in plain
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(small) == body == web_client().assets["main.js"].plain
    assert all("Set-Cookie" not in headers for headers in (page, plain, packed))


@pytest.mark.parametrize(
    ("said", "zipped"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("x-gzip", True),
        ("*", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000, br", False),
        ("*;q=1, gzip;q=0", False),
        ("*;q=0", False),
        ("gzipped", False),
        ("", False),
    ],
)
async def test_only_who_takes_gzip_gets_it(said: str, zipped: bool) -> None:
    async with a_server() as server:
        _, headers, _ = await get(server, "/", f"Accept: text/html\r\nAccept-Encoding: {said}\r\n")
    assert ("Content-Encoding" in headers) == zipped


async def test_the_worker_lies_beside_the_page_and_is_asked_for_each_time() -> None:
    async with a_server() as server:
        status, headers, body = await get(server, "/worker.js")
        _, page, _ = await get(server, "/", BROWSER)
    assert (status, headers["Content-Type"]) == (200, "text/javascript; charset=utf-8")
    assert headers["Cache-Control"] == "no-cache"
    assert headers["Content-Security-Policy"] == page["Content-Security-Policy"]
    assert body == web_client().assets["worker.js"].plain


async def test_the_manifest_leads_to_the_page_that_it_came_with() -> None:
    async with a_server() as server:
        folder = f"/assets/{web_client().version}"
        status, headers, body = await get(server, f"{folder}/manifest.webmanifest")
        manifest = json.loads(body)
        for icon in manifest["icons"]:
            answer, kind, picture = await get(server, f"{folder}/{icon['src']}")
            wide = int.from_bytes(picture[16:20])
            assert (answer, kind["Content-Type"], f"{wide}x{wide}") == (200, icon["type"], icon["sizes"])
    assert (status, headers["Content-Type"]) == (200, "application/manifest+json")
    assert {normpath(f"{folder}/{manifest[name]}") for name in ("start_url", "scope")} == {"/"}


def test_comments_on_lines_of_their_own_are_not_served_and_lines_keep_their_numbers(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("")
    (tmp_path / "main.js").write_text(
        '// one\n"//";\n/**\n * two\n */\n'
        "  /** @type {x} */ (a) * b; /* c */\n/* d */ e; // f\n  /* three */\n"
    )
    served = read_client(tmp_path).assets["main.js"].plain.decode()
    assert served == '\n"//";\n\n\n\n  /** @type {x} */ (a) * b; /* c */\n/* d */ e; // f\n\n'


def test_no_line_within_backticks_is_taken_for_a_comment() -> None:
    for name, asset in web_client().assets.items():
        written = (SOURCE / name).read_bytes()
        if not name.endswith((".js", ".css")):
            assert asset.plain == written, name
            continue
        backticks = 0
        for line, before in zip(asset.plain.split(b"\n"), written.split(b"\n"), strict=True):
            assert line == before or (line == b"" and backticks % 2 == 0), name
            backticks += line.count(b"`")


async def test_the_files_of_another_version_are_not_served_in_place_of_its_own() -> None:
    async with a_server() as server:
        assert (await get(server, "/assets/0123456789abcdef/main.js"))[0] == 404


async def test_the_page_may_load_nothing_from_elsewhere_and_runs_nothing_inline() -> None:
    async with a_server() as server:
        _, headers, body = await get(server, "/", "Accept: text/html\r\n")
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert {word for sources in policy.values() for word in sources.split()} == {
        "'none'",
        "'self'",
        "'script'",
        "tablero-worker",
    }
    page = body.decode()
    assert not re.search(r"<style|<script(?![^>]*src=)|\son\w+=|\sstyle=|https?://|//", page)


async def test_whoever_asks_for_no_page_reads_how_to_play() -> None:
    async with a_server() as server:
        _, headers, body = await get(server, "/")
    assert headers["Content-Type"] == "text/plain; charset=utf-8"
    assert b"tablero play localhost\n" in body
    assert (headers["Cache-Control"], headers["Vary"]) == (
        "no-cache",
        "Accept, Accept-Encoding, Accept-Language",
    )


def test_a_change_of_any_file_changes_the_folder_of_all(tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    for name in ("index.html", "main.js", "boards/board.js"):
        (tmp_path / name).write_text('<base href="./"><script src="assets/main.js">')
    versions = {read_client(tmp_path).version}
    for name in ("index.html", "main.js", "boards/board.js"):
        (tmp_path / name).write_text("other")
        versions.add(read_client(tmp_path).version)
    (tmp_path / "boards/board.js").rename(tmp_path / "boards/other.js")
    versions.add(read_client(tmp_path).version)
    assert len(versions) == 5


def test_modules_import_only_modules_of_the_client_by_relative_addresses() -> None:
    client = web_client()
    modules = {name: asset for name, asset in client.assets.items() if name.endswith(".js")}
    for name, asset in modules.items():
        for other in re.findall(r'(?m)^(?:import|export|}) [^"\n=]*"([^"]+)";$', asset.plain.decode()):
            assert normpath(PurePosixPath(name).parent / other) in client.assets, f"{name} imports {other}"


def test_what_comes_only_when_it_is_needed_is_not_fetched_before() -> None:
    page = web_client().pages["en"][0].plain.decode()
    modules = {name for name in web_client().assets if name.endswith(".js")}
    later = modules - {address.split("/", 2)[2] for address in addresses(page)}
    assert {"screens/forms.js", "boards/connect-four.js"} <= later
    assert {name for name in later if not name.startswith("boards/")} == LATER


WAYS = {"by a link": "screens/arrive.js", "by the form": "screens/forms.js"}
"""To a table, and what is fetched there."""


def loaded(client: WebClient, way: str, board: str, language: str) -> list[bytes]:
    """All that comes over the line before one can play, but for the socket."""
    page = client.pages[language][0]
    names = {address.split("/", 2)[2] for address in addresses(page.plain.decode())}
    names |= _imported(way, client.assets) | _imported(board, client.assets)
    return [page.packed, *(client.assets[name].packed for name in names)]


@pytest.mark.parametrize("name", sorted(SOURCE.glob("*.css")), ids=lambda path: path.name)
def test_a_finger_leaves_no_hover_behind(name: Path) -> None:
    """A hover stays where a finger was: such a look is only for what can hover, one block a file."""
    outside = re.sub(r"(?ms)^@media \(hover: hover\) \{$.*?^\}$", "", name.read_text("utf-8"))
    assert re.findall(r".*:hover.*", outside) == []


async def test_a_language_is_served_as_json() -> None:
    async with a_server() as server:
        status, headers, body = await get(server, f"/assets/{web_client().version}/languages/fr.json")
    assert (status, headers["Content-Type"]) == (200, "application/json")
    assert json.loads(body)["games"]["tic-tac-toe"] == "Morpion"


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        ("fr", "fr"),
        ("fr-CA,fr;q=0.9,en;q=0.8", "fr"),
        ("de, ES-MX;q=0.7", "es"),
        ("de-DE,en;q=0.5,fr;q=0.3", "en"),
        ("de", "en"),
        ("", "en"),
        ("later, ../fr, *;q=0.1", "en"),
    ],
)
async def test_the_page_comes_with_the_language_that_the_browser_wants(wanted: str, language: str) -> None:
    async with a_server() as server:
        _, headers, body = await get(server, "/top", f"{BROWSER}Accept-Language: {wanted}\r\n")
        said = re.findall('<template lang="(..)">(.*?)</template>', gzip.decompress(body).decode())
        assert "Accept-Language" in headers["Vary"]
    if language == "en":
        assert said == []
    else:
        told = json.loads(SOURCE.joinpath("languages", f"{language}.json").read_text("utf-8"))
        assert [(tongue, json.loads(unescape(words))) for tongue, words in said] == [(language, told)]


def test_no_sentence_ends_the_element_that_it_comes_in(tmp_path: Path) -> None:
    (tmp_path / "languages").mkdir()
    (tmp_path / "main.js").write_text("")
    (tmp_path / "index.html").write_text("<!-- language -->")
    (tmp_path / "languages" / "fr.json").write_text('{"texts": {"a": "</template><script>&lt;"}}')
    page = read_client(tmp_path).pages["fr"][0].plain.decode()
    [words] = re.findall('<template lang="fr">([^<]*)</template>', page)
    assert json.loads(unescape(words)) == {"texts": {"a": "</template><script>&lt;"}}


def test_the_page_has_the_titles_of_the_games_for_which_it_has_no_board(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "main.js").write_text("")
    (tmp_path / "index.html").write_text('<html lang="en">')
    for game in [*GAMES.values()]:
        if game.needs_drawing:
            monkeypatch.delitem(GAMES, game.name)
    assert read_client(tmp_path).pages["en"][0].plain == b'<html lang="en">'
    for game in EXAMPLES:
        monkeypatch.setitem(GAMES, game.name, game)
    page = read_client(tmp_path).pages["en"][0].plain.decode()
    [titles] = re.findall('<html lang="en" data-games="([^"]*)">', page)
    assert json.loads(unescape(titles)) == {game.name: game.title for game in EXAMPLES}


def test_there_is_a_board_for_each_game_that_needs_no_drawing() -> None:
    boards = {name.removeprefix("boards/").removesuffix(".js") for name in web_client().assets}
    assert {name for name in GAMES if name in boards} == {
        name for name, game in GAMES.items() if not game.needs_drawing
    }


@pytest.mark.parametrize("way", WAYS)
def test_a_table_of_any_game_in_any_language_takes_few_requests_and_bytes(way: str) -> None:
    boards = [name for name in web_client().assets if name.startswith("boards/")]
    assert len(boards) > len(GAMES)
    assert web_client().pages.keys() == {*LANGUAGES}
    for board, language in product(boards, LANGUAGES):
        files = loaded(web_client(), WAYS[way], board, language)
        assert len(files) + 1 <= MOST_REQUESTS, "with the WebSocket"
        assert sum(map(len, files)) <= MOST_BYTES


async def test_fifty_guests_behind_one_address_load_the_page() -> None:
    async with a_server(seconds=30) as server:
        await asyncio.gather(*(load(server) for _ in range(50)))
        assert not server.arrivals._visitors


async def test_a_limited_address_has_room_for_a_page_beside_its_players() -> None:
    async with a_server(unlimited_nets="") as server, AsyncExitStack() as stack:
        for _ in range(server.settings.sockets_per_address - AT_ONCE):
            await stack.enter_async_context(a_raw(server))
        await load(server)


async def load(server: Server) -> None:
    """As a browser does: the page, then the rest over a few connections at once."""
    status, _, body = await get(server, "/", BROWSER)
    assert status == 200
    few = asyncio.Semaphore(AT_ONCE)

    async def one(address: str) -> None:
        async with few:
            assert (await get(server, f"/{address}", BROWSER))[0] == 200

    await asyncio.gather(*map(one, addresses(gzip.decompress(body).decode())))


def test_a_wheel_holds_the_whole_client(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    [path] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        inside = {name.removeprefix("tablero_server/web/") for name in wheel.namelist()}
        wheel.extractall(tmp_path / "installed")
    assert {path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*") if path.is_file()} <= inside
    assert read_client(tmp_path / "installed" / "tablero_server" / "web") == web_client()
