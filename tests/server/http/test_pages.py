"""Pages on real sockets: found, answered in our words, and ended with whoever asked."""

from __future__ import annotations

import ast
import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
import structlog
from aiohttp import web

from tablero_server.core.limits.limits import Rate
from tablero_server.http.pages import (
    Pages,
    _Page,
    long_answer,
    sentence,
    visitor_of,
)
from tablero_server.wire import http_connection
from tablero_server.wire.addresses import AddressLimits
from tablero_server.wire.arrivals import Arrivals
from tablero_server.wire.http import read
from tablero_server.wire.names import Names
from tablero_server.wire.security_log import SecurityLog
from tests.harness.connection import turns
from tests.harness.garbage import garbage
from tests.harness.loops import Loop, on_each_loop, run, until
from tests.harness.raw import a_raw, answer
from tests.harness.tree import modules
from tests.harness.wire import PATIENCE, a_server, a_wire

LONG = bytes(range(256)) * 40_000


async def show(request: web.Request) -> web.Response:
    return sentence(200, repr(dict(request.match_info)))


async def whole(request: web.Request) -> web.Response:
    return long_answer(LONG, "application/octet-stream")


async def host(request: web.Request) -> web.Response:
    visitor = visitor_of(request)
    return sentence(200, f"{visitor.address} {visitor.host}")


async def break_down(request: web.Request) -> web.Response:
    raise TimeoutError("planted")


async def break_off(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    await response.write(b"half")
    raise TimeoutError("planted")


class Waiting:
    """A page that never comes."""

    def __init__(self) -> None:
        self.asked = self.ended = 0

    async def page(self, request: web.Request) -> web.Response:
        self.asked += 1
        try:
            await asyncio.Event().wait()
        finally:
            self.ended += 1
        raise AssertionError


@dataclass
class Site:
    port: int
    arrivals: Arrivals
    waiting: Waiting


@asynccontextmanager
async def a_site() -> AsyncIterator[Site]:
    """A server of pages alone."""
    waiting, security = Waiting(), SecurityLog(lambda: 0)
    routes = {
        "/": show,
        "/rooms/{room}/record": show,
        "/host": host,
        "/whole": whole,
        "/broken": break_down,
        "/broken-off": break_off,
        "/never": waiting.page,
    }
    pages = Pages([web.get(path, page) for path, page in routes.items()], security)
    await pages.start()
    limits = AddressLimits((), 1_000, Rate(every_ms=1, burst=1_000))
    arrivals = Arrivals(limits, (), Names(()), security, 100, PATIENCE, {}, pages.page)
    listener = await asyncio.get_running_loop().create_server(arrivals.connection, "127.0.0.1", 0)
    try:
        async with asyncio.timeout(PATIENCE):
            yield Site(listener.sockets[0].getsockname()[1], arrivals, waiting)
    finally:
        listener.close()
        arrivals.stop()
        await pages.stop()


async def ask(site: Site, line: str, more: str = "") -> tuple[int, dict[str, str], bytes]:
    async with a_raw(site) as raw:
        await raw.send(f"{line} HTTP/1.1\r\nHost: h\r\n{more}\r\n".encode("latin-1"))
        return await answer(raw)


@pytest.mark.parametrize(
    ("line", "status", "body"),
    [
        ("GET /", 200, "{}"),
        ("GET /?x=y", 200, "{}"),
        ("GET /rooms/a%20b/record", 200, "{'room': 'a b'}"),
        ("GET /host", 200, "127.0.0.1 h"),
        ("GET /rooms/record", 404, "There is no such page."),
        ("GET /rooms/a/b/record", 404, "There is no such page."),
        ("GET /../etc/passwd", 404, "There is no such page."),
        ("POST /nowhere", 404, "There is no such page."),
        ("POST /", 405, "Pages here can only be read."),
        ("OPTIONS /", 405, "Pages here can only be read."),
        ("GET //[x", 404, "There is no such page."),
    ],
)
async def test_each_path_has_its_page_or_is_refused(line: str, status: int, body: str) -> None:
    async with a_site() as site:
        found, headers, text = await ask(site, line)
    assert (found, text.decode()) == (status, f"{body}\n")
    assert ("Allow" in headers) == (status == 405)


@pytest.mark.parametrize("path", ["/", "/whole"])
async def test_a_head_has_all_of_a_page_but_the_page(path: str) -> None:
    async with a_site() as site:
        _, whole, body = await ask(site, f"GET {path}")
        status, headers, nothing = await ask(site, f"HEAD {path}")
    assert (status, nothing, headers["Content-Length"]) == (200, b"", str(len(body)))
    assert headers.keys() == whole.keys()


EVERY_KIND = {
    "a page": ("GET /", "", 200),
    "one to an old program": ("GET /", "Connection: keep-alive\r\n", 200),
    "an upgrade elsewhere": ("GET /", "Connection: Upgrade\r\nUpgrade: websocket\r\n", 200),
    "a long one": ("GET /whole", "", 200),
    "none": ("GET /nowhere", "", 404),
    "a method too many": ("DELETE /", "", 405),
    "something expected": ("GET /", "Expect: cake\r\n", 400),
    "a broken one": ("GET /broken", "", 500),
    "another name": ("GET /", "Host: h\r\n", 400),
    "no method that there is": ("FLY /", "", 400),
    "a path that is none": ("GET /\x01", "", 400),
    "a draft of WebSocket": ("GET /", "Sec-WebSocket-Key1: x\r\n", 400),
    "two lengths": ("GET /", "Content-Length: 0\r\nContent-Length: 0\r\n", 400),
    "a body": ("POST /", "Content-Length: 2\r\n", 400),
    "a body in chunks": ("POST /", "Transfer-Encoding: chunked\r\n", 400),
}


@pytest.mark.parametrize(("line", "more", "status"), EVERY_KIND.values(), ids=EVERY_KIND.keys())
async def test_every_answer_says_what_every_answer_says_and_ends(
    line: str, more: str, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    with structlog.testing.capture_logs() as logged:
        async with a_site() as site:
            found, headers, _ = await ask(site, line, more)
            await until(lambda: not site.arrivals._visitors)
    assert (found, headers["X-Content-Type-Options"], headers["Server"]) == (status, "nosniff", "tablero")
    assert headers["Connection"] == "close"
    assert [record for record in caplog.records if record.levelno > logging.INFO] == []
    said = {400: [("warning", "not a request")], 500: [("error", "a request broke something")]}
    assert [(each["log_level"], each["event"]) for each in logged] == said.get(status, [])


ODD_PATHS = [
    b"/",
    b"//[::1",
    b"/%zz",
    b"/%00",
    b"/#?#",
    b"/?\x7f",
    b"/\\",
    b"/rooms/%ff/record",
    b"/rooms/%2F/record",
]
ODD_HEADERS = [
    b"Connection: ,,upgrade, \xff", b"Upgrade: h2c", b"HTTP2-Settings: a", b"Sec-WebSocket-Key1: a",
    b"Content-Length: 0", b"Content-Encoding: gzip", b"Content-Type: x/y; a=\"", b"Content-Location: y",
    b"Cookie: \xff=\xfe; a", b"Range: bytes=0-", b"If-None-Match: *", b"If-Modified-Since: x",
    b"Authorization: \xff", b"Date: \x80", b"TE: trailers", b"Trailer: X", b"Keep-Alive: 1", b"Host: h",
]  # fmt: skip


def odd_head(random: Random) -> bytes:
    """One that is a request to us, whatever it may be to others."""
    while True:
        line = random.choice([b"GET", b"HEAD", b"POST"]) + b" " + random.choice(ODD_PATHS) + b" HTTP/1.1"
        head = b"\r\n".join([line, b"Host: h", *random.choices(ODD_HEADERS, k=random.randrange(4)), b"", b""])
        at = random.randrange(len(head) - 4)
        if random.random() < 0.3:
            head = head[:at] + random.randbytes(1) + head[at + 1 :]
        if read(head) is not None:
            return head


async def test_whatever_we_take_for_a_request_is_answered_in_our_words_or_costs_one_line() -> None:
    random, statuses = Random(7), set()
    async with a_site() as site:
        for _ in range(300):
            head = odd_head(random)
            with structlog.testing.capture_logs() as logged:
                async with a_raw(site) as raw:
                    await raw.send(head)
                    status, headers, _ = await answer(raw)
            statuses.add(status)
            assert (headers["X-Content-Type-Options"], headers["Server"]) == ("nosniff", "tablero"), head
            assert [each["log_level"] for each in logged] in ([], ["warning"]), head
    assert statuses == {200, 400, 404, 405, 421}


async def test_half_a_page_that_breaks_ends_and_is_logged() -> None:
    with structlog.testing.capture_logs() as logged:
        async with a_site() as site:
            status, _, body = await ask(site, "GET /broken-off")
    assert (status, body) == (200, b"4\r\nhalf\r\n"), "it does not look whole"
    assert [each["event"] for each in logged] == ["a request broke something"]


@on_each_loop
def test_a_page_is_worked_on_no_longer_than_its_connection_lasts(loop: Loop) -> None:
    async def test() -> None:
        async with a_site() as site, a_raw(site) as raw:
            await raw.send(b"GET /never HTTP/1.1\r\nHost: h\r\n\r\n")
            await until(lambda: site.waiting.asked)
            [connection] = site.arrivals._visitors
            connection.abort()
            await until(lambda: site.waiting.ended)
            assert not site.arrivals._visitors

    run(loop, test)


@on_each_loop
def test_a_page_that_does_not_come_ends_its_connection(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_connection, "_ANSWER_SECONDS", 0.05)

    async def test() -> None:
        async with a_site() as site, a_raw(site) as raw:
            await raw.send(b"GET /never HTTP/1.1\r\nHost: h\r\n\r\n")
            assert await raw.status() == 0
            await until(lambda: site.waiting.ended)

    run(loop, test)


@on_each_loop
def test_what_somebody_does_not_read_of_a_page_waits_in_pieces(loop: Loop) -> None:
    async def test() -> None:
        async with a_site() as site:
            reader, writer = await asyncio.open_connection("127.0.0.1", site.port, limit=4_096)
            writer.write(b"GET /whole HTTP/1.1\r\nHost: h\r\n\r\n")
            await until(lambda: site.arrivals._visitors)
            [connection] = site.arrivals._visitors
            await until(lambda: isinstance(connection._page, _Page) and connection._page.writing_paused)
            assert connection._transport.get_write_buffer_size() <= 4 * 65_536
            async with asyncio.timeout(PATIENCE):
                assert (await reader.read()).partition(b"\r\n\r\n")[2] == LONG
            writer.close()

    run(loop, test)


async def test_a_page_that_has_been_read_is_freed_at_once() -> None:
    async with a_site() as site:
        await ask(site, "GET /")
        with garbage("tablero_server", "aiohttp") as freed:
            await ask(site, "GET /")
            await until(lambda: not site.arrivals._visitors)
            await turns(10)
            assert not freed()


async def test_a_websocket_has_nothing_of_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[_Page] = []
    born: Callable[..., None] = _Page.__init__

    def count(page: _Page, *arguments: Any) -> None:
        made.append(page)
        born(page, *arguments)

    monkeypatch.setattr(_Page, "__init__", count)
    async with a_server() as server, a_wire(server) as ana:
        await ana.hello()
        assert made == []


def private_names(source: str) -> list[str]:
    """What a module uses of others' objects, modules and classes that is not meant for it."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(attr="__init__") | ast.Attribute(value=ast.Name("self")):
                pass
            case ast.Attribute(attr=name) if name.startswith("_"):
                found.append(name)
            case ast.ImportFrom(level=0, module=str(module), names=names):
                parts = [*module.split("."), *(each.name for each in names)]
                found += [part for part in parts if part.startswith("_") and part != "__future__"]
            case ast.Name("getattr" | "setattr" | "vars"):
                found.append(node.id)
            case ast.ClassDef(bases=[ast.Attribute(value=ast.Name("web"))]):
                found += inherited_private_names(node)
    return found


def inherited_private_names(subclass: ast.ClassDef) -> list[str]:
    """The private names that it uses or redefines, and that are not among its own `__slots__`."""
    own: set[str] = {"__slots__", "__init__"}
    used: set[str] = set()
    for node in ast.walk(subclass):
        match node:
            case ast.Assign(targets=[ast.Name("__slots__")], value=slots):
                own |= set(ast.literal_eval(slots))
            case ast.Attribute(value=ast.Name("self"), attr=name) | ast.FunctionDef(name=name):
                used.add(name)
    return [name for name in used - own if name.startswith("_")]


def test_nothing_private_of_aiohttp_is_touched() -> None:
    users = {each.name: each.source for each in modules() if "aiohttp" in each.source}
    assert users.keys() > {"tablero_server.http.pages", "tablero_server.http.record_pages"}
    assert {name: private_names(source) for name, source in users.items()} == {name: [] for name in users}
    assert not set(_Page.__slots__) & {name for kind in web.RequestHandler.__mro__ for name in vars(kind)}


@pytest.mark.parametrize(
    "source",
    [
        "request.protocol._keepalive",
        "from aiohttp.web import _x",
        "getattr(page, '_close')",
        "a.b()._c = 1",
        "class Page(web.RequestHandler):\n    def close(self): self._close = True",
        "class Page(web.RequestHandler):\n    def _process_keepalive(self): ...",
    ],
)
def test_something_private_is_seen(source: str) -> None:
    assert private_names(source)
