"""The documented proxies in front of a real server: a match and a browser, at the root and below a path.

Law: the tests run the files of examples/hosting. Only ports, certificates and the folders where nginx may
write are changed.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import socket
import ssl
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect as open_socket
from websockets.typing import Origin, Subprotocol

from tablero_server.app import Server
from tablero_server.reach.certificate import of_our_own
from tests.harness.wire import PATIENCE, Wire, a_server

EXAMPLES = Path(__file__).parents[1] / "examples" / "hosting"
NAME = "games.example.org"
PATHS = {"/": "", "/games/": "-below-a-path"}
CODECS = ("tablero.v1.json", "tablero.v1.msgpack")

pytestmark = [
    pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl"),
]


@dataclass(frozen=True)
class Ports:
    """The ports of the proxy, by http and by https, and of the server behind it."""

    plain: int
    secure: int
    server: int


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert old in text, f"{old!r} is no longer in the example"
        text = text.replace(old, new)
    return text


def as_nginx(example: str, ports: Ports, folder: Path) -> list[str]:
    text = EXAMPLES.joinpath(f"nginx{example}.conf").read_text()
    certificate = of_our_own(folder, [])
    site = replaced(
        re.sub(r"/etc/letsencrypt/live/\S+/", f"{folder}/", text),
        ("fullchain.pem", certificate.chain.name),
        ("privkey.pem", certificate.key.name),
        (
            "listen 443 ssl http2;",
            f"listen 127.0.0.1:{ports.plain}; listen 127.0.0.1:{ports.secure} ssl http2;",
        ),
        ("127.0.0.1:8470", f"127.0.0.1:{ports.server}"),
    )
    places = [
        f"{each}_temp_path {folder}/{each};" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    ]
    user = "user root; " if os.geteuid() == 0 else ""
    own = f"{user}daemon off; worker_processes 1; error_log stderr; events {{ worker_connections 128; }}"
    settings = folder / "nginx.conf"
    settings.write_text(f"pid {folder}/pid; {own} http {{ access_log off; {' '.join(places)} {site} }}")
    return ["nginx", "-e", "stderr", "-p", str(folder), "-c", str(settings)]


def as_caddy(example: str, ports: Ports, folder: Path) -> list[str]:
    text = EXAMPLES.joinpath(f"Caddyfile{example}").read_text()
    certificate = of_our_own(folder, [])
    site = replaced(text, ("127.0.0.1:8470", f"127.0.0.1:{ports.server}"))
    by_http = replaced(site, (f"{NAME} {{", f"http://{NAME}:{ports.plain} {{\n    bind 127.0.0.1"))
    files = f"tls {certificate.chain} {certificate.key}"
    by_https = replaced(
        site, (f"{NAME} {{", f"https://{NAME}:{ports.secure} {{\n    bind 127.0.0.1\n    {files}")
    )
    settings = folder / "Caddyfile"
    settings.write_text(f"{{\n    admin off\n    auto_https disable_redirects\n}}\n{by_http}\n{by_https}")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(settings)]


PROXIES: dict[str, Callable[[str, Ports, Path], list[str]]] = {"nginx": as_nginx, "caddy": as_caddy}


def free_ports(count: int) -> list[int]:
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return ports


@dataclass(frozen=True)
class Site:
    """A running proxy, and the server behind it."""

    ports: Ports
    path: str
    server: Server

    def url(self, scheme: str) -> str:
        port = self.ports.plain if scheme in ("http", "ws") else self.ports.secure
        return f"{scheme}://{NAME}:{port}{self.path}"


@asynccontextmanager
async def running(command: list[str], folder: Path, ports: Ports) -> AsyncIterator[None]:
    """Runs a proxy. The block starts once it listens."""
    home = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    complaints = folder / "stderr"
    with complaints.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            *command, stdout=DEVNULL, stderr=errors, env=os.environ | home
        )
    try:
        async with asyncio.timeout(PATIENCE):
            for port in (ports.plain, ports.secure):
                while True:
                    assert process.returncode is None, complaints.read_text()
                    try:
                        _, writer = await asyncio.open_connection("127.0.0.1", port)
                    except ConnectionRefusedError:
                        await asyncio.sleep(0.02)
                    else:
                        writer.close()
                        break
        yield
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


@pytest.fixture(params=PROXIES)
def proxy(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    if shutil.which(name) is None:
        pytest.skip(f"needs {name}")
    return name


@asynccontextmanager
async def a_site(proxy: str, path: str, folder: Path, **settings: Any) -> AsyncIterator[Site]:
    said = {"names": NAME, "trusted_proxies": "127.0.0.1", "base_path": path, **settings}
    async with a_server(seconds=90, **said) as server:
        plain, secure = free_ports(2)
        ports = Ports(plain, secure, server.port)
        async with running(PROXIES[proxy](PATHS[path], ports, folder), folder, ports):
            yield Site(ports, path, server)


@asynccontextmanager
async def a_wire(site: Site, scheme: str, codec: str, **more: Any) -> AsyncIterator[Wire]:
    """A connection through the proxy, like that of a browser's page on the site."""
    context = None
    if scheme == "wss":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    async with open_socket(
        f"{site.url(scheme)}ws",
        host="127.0.0.1",
        port=site.ports.plain if scheme == "ws" else site.ports.secure,
        subprotocols=[Subprotocol(codec)],
        origin=Origin(site.url(scheme.replace("ws", "http")).removesuffix(site.path)),
        compression=None,
        ssl=context,
        proxy=None,
        **more,
    ) as opened:
        yield Wire(opened, codec)


async def curl(site: Site, url: str, *words: str) -> list[str]:
    """The HTTP version, the status, the redirect's address and the body."""
    resolve = [f"{NAME}:{port}:127.0.0.1" for port in (site.ports.plain, site.ports.secure)]
    process = await asyncio.create_subprocess_exec(
        *("curl", "--silent", "--insecure", "--noproxy", "*", "--max-time", "20"),
        *(word for each in resolve for word in ("--resolve", each)),
        *("--write-out", "\n%{http_version} %{http_code} %{redirect_url}", *words, url),
        stdout=PIPE,
    )
    out, _ = await process.communicate()
    body, _, facts = out.decode().rpartition("\n")
    return [*facts.split(" "), body]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("scheme", ["ws", "wss"])
async def test_a_match_goes_through(proxy: str, path: str, scheme: str, tmp_path: Path) -> None:
    async with a_site(proxy, path, tmp_path) as site, AsyncExitStack() as stack:
        ana, ben = [await stack.enter_async_context(a_wire(site, scheme, codec)) for codec in CODECS]
        await ana.hello("ana")
        await ben.hello("ben")
        room = (await ana.ask("createRoom", game="tic-tac-toe", subscribe=["nextPlayer"]))["room"]
        await ben.ask("join", room=room, subscribe=["nextPlayer"])
        moves = zip((ana, ben, ana, ben, ana), ("a1", "b1", "a2", "b2", "a3"), strict=True)
        for ply, (player, move) in enumerate(moves):
            answer = await player.ask("playTurn", room=room, seat=ply % 2, ply=ply, move=move)
        assert answer["outcome"]["winners"] == [0], answer


@pytest.mark.parametrize("path", PATHS)
async def test_visitors_are_known_by_their_own_address(proxy: str, path: str, tmp_path: Path) -> None:
    """A visitor who claims another address keeps the real one."""
    claimed = {"X-Forwarded-For": "203.0.113.9"}
    guests: list[tuple[str, dict[str, str], str]] = [
        ("127.0.0.2", {}, "welcome"),
        ("127.0.0.2", {}, "refused"),
        ("127.0.0.2", claimed, "refused"),
        ("127.0.0.3", claimed, "welcome"),
    ]
    async with a_site(proxy, path, tmp_path, unlimited_nets="192.0.2.0/24", guests_per_hour=1) as site:
        for number, (address, headers, answer) in enumerate(guests):
            from_there = {"local_addr": (address, 0), "additional_headers": headers}
            async with a_wire(site, "ws", CODECS[0], **from_there) as guest:
                said = await guest.ask("hello", protocol=1, client="test")
                assert said["type"] == answer, number


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("scheme", "version"), [("http", "1.1"), ("https", "1.1"), ("https", "2")])
async def test_pages_go_through_by_either_version_of_http(
    proxy: str, path: str, scheme: str, version: str, tmp_path: Path
) -> None:
    async with a_site(proxy, path, tmp_path) as site:
        url = site.url(scheme)
        spoken, status, _, page = await curl(site, url, f"--http{version}")
        assert (spoken, status) == (version, "200")
        told = url.rstrip("/") if path != "/" or scheme == "https" else url[len("http://") :].rstrip("/")
        assert f"tablero play {told}\n" in page
        long = await curl(site, f"{url}protocol", f"--http{version}")
        assert long[1] == "200"
        assert len(long[3]) > 100_000
        if path != "/":
            led = await curl(site, url.rstrip("/"), f"--http{version}")
            assert led[1:3] == ["308", url]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_two_browsers_play_through_it(proxy: str, path: str, scheme: str, tmp_path: Path) -> None:
    from tests.harness.browser import browsers, expect
    from tests.harness.web.tables import state, two_at_a_table

    known = f"--host-resolver-rules=MAP {NAME} 127.0.0.1"
    async with a_site(proxy, path, tmp_path) as site, browsers(known) as people:
        url = site.url(scheme)
        ana, ben = await two_at_a_table(people, url, "Connect Four", ignore_https_errors=True)
        assert ana.url.startswith(url)
        await ana.get_by_role("gridcell", name="Column 4").click()
        await expect(state(ben)).to_contain_text("Your turn")
        await ben.reload()
        await expect(state(ben)).to_contain_text("Your turn")
        await ben.get_by_role("button", name="Tablero Home").click()
        assert ben.url == url
