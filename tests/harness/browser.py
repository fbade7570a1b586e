"""Real Chromium, driven by Playwright: a test uses pages like a person, by roles and names.

Law: a test fails if a page logs an error, or its policy forbids something.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from tablero_games import GAMES

playwright = pytest.importorskip("playwright.async_api", reason="needs playwright")

Page = playwright.Page
expect = playwright.expect

# The first option draws pages without a window, in half the processor time.
_PROGRAMS = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
CHROMIUM = next(filter(None, map(shutil.which, _PROGRAMS)), None)
NAME = "games"
"""The name of this machine in its network; at http:// with this name a page has no secure context."""
_OPTIONS = [
    f"--host-resolver-rules=MAP {NAME} 127.0.0.1",
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"viewport": {"width": 320, "height": 568}, "has_touch": True, "is_mobile": True}
PATIENCE_MS = 40_000
KNOWS_THE_GAMES = f"""try {{
    localStorage.setItem("tablero.lessons", "{" ".join(GAMES)}");
}} catch {{
    // a page of no site, or one that may keep nothing
}}"""
if CHROMIUM is None:
    pytest.skip("needs chromium", allow_module_level=True)


class Browsers:
    """People with separate browsers: one browser's stored data is unknown to the others."""

    def __init__(self, chromium: Any) -> None:
        self.chromium = chromium
        self._contexts: list[Any] = []
        self.complaints: list[str] = []
        self.asked: list[str] = []
        """The addresses that pages requested, or opened a socket to."""
        self.forgiven: tuple[str, ...] = (
            "ERR_CONNECTION_REFUSED",
            "ERR_CONNECTION_RESET",
            "ERR_EMPTY_RESPONSE",
            "WebSocket connection to",
        )
        """Log lines that are allowed, because a server was stopped on purpose."""

    async def page(self, url: str, **options: Any) -> Any:
        """A page without a service worker by default, so that all its content comes from the server.

        Only a `newcomer` is shown how a game is played.
        """
        newcomer = options.pop("newcomer", False)
        context = await self.chromium.new_context(**{"service_workers": "block", **options})
        self._contexts.append(context)
        if not newcomer:
            await context.add_init_script(KNOWS_THE_GAMES)
        await context.grant_permissions(["clipboard-write"])  # as a tap does in a browser with a window
        context.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        context.on("request", lambda request: self._note(request.url))
        page = await context.new_page()
        page.on("websocket", lambda socket: self._note(socket.url))
        page.on("console", lambda message: self._complain(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self._complain(str(error)))
        await page.goto(url)
        return page

    @property
    def pages(self) -> list[Any]:
        """The pages that are still open."""
        return [page for context in self._contexts for page in context.pages]

    async def close(self) -> None:
        for context in self._contexts:
            await context.close()

    def _note(self, url: str) -> None:
        if url.startswith(("http", "ws")):
            self.asked.append(url)

    def _complain(self, text: str) -> None:
        if not any(each in text for each in self.forgiven):
            self.complaints.append(text)


class Chromium:
    """The Chromium process: started when first needed, and again if it has died."""

    def __init__(self, stack: AsyncExitStack, *options: str) -> None:
        self.loop = asyncio.get_running_loop()
        self._stack = stack
        self._options = [*_OPTIONS, *options]
        self._driver: Any = None
        self._running: Any = None

    async def running(self) -> Any:
        if self._driver is None:
            self._driver = await self._stack.enter_async_context(playwright.async_playwright())
        if self._running is None or not self._running.is_connected():
            launched = self._driver.chromium.launch(executable_path=CHROMIUM, args=self._options)
            self._running = await launched
            self._stack.push_async_callback(self._running.close)
        return self._running


_shared: Chromium | None = None


@asynccontextmanager
async def one_chromium() -> AsyncIterator[None]:
    """Shares one Chromium between all tests on this loop, because a start takes longer than most tests."""
    global _shared
    async with AsyncExitStack() as stack:
        _shared = Chromium(stack)
        yield
        _shared = None


@asynccontextmanager
async def browsers(*options: str) -> AsyncIterator[Browsers]:
    """Starts browsers, with a separate Chromium for each set of `options`."""
    async with AsyncExitStack() as stack:
        is_shared = _shared is not None and _shared.loop is asyncio.get_running_loop() and not options
        chromium = _shared if _shared is not None and is_shared else Chromium(stack, *options)
        people = Browsers(await chromium.running())
        try:
            yield people
        finally:
            await people.close()
        assert people.complaints == [], people.complaints


class Fingers:
    """Fingers that stay on a page as long as a test needs."""

    def __init__(self, line: Any) -> None:
        self._line = line

    @classmethod
    async def on(cls, page: Any) -> Fingers:
        return cls(await page.context.new_cdp_session(page))

    async def press(self, *points: tuple[float, float]) -> None:
        await self._touch("touchStart", points)

    async def move(self, *points: tuple[float, float]) -> None:
        await self._touch("touchMove", points)

    async def lift(self) -> None:
        """Lifts all fingers from the page."""
        await self._touch("touchEnd", ())

    async def _touch(self, kind: str, points: tuple[tuple[float, float], ...]) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        await self._line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


class Served:
    """A server in a separate process, which can be killed and restarted at its address."""

    def __init__(self, database: str, bots: bool, pace: str) -> None:
        self._settings = {"TABLERO_DATABASE": database, "TABLERO_BOTS": str(bots), "TABLERO_BOT_PACE": pace}
        self.port = 0
        self._process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    async def start(self) -> None:
        settings = {**os.environ, **self._settings, "TABLERO_PORT": str(self.port)}
        command = [sys.executable, "-m", "tablero", "serve"]
        self._process = await asyncio.create_subprocess_exec(
            *command, env=settings, stdout=PIPE, stderr=DEVNULL
        )
        assert self._process.stdout is not None
        async with asyncio.timeout(30):
            first = (await self._process.stdout.readline()).decode()
        self.port = int(first.rstrip("/\n").rpartition(":")[2])

    async def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        await self._process.communicate()

    async def stop(self) -> None:
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
            await self._process.communicate()


@asynccontextmanager
async def served(database: str = "memory", *, bots: bool = False, pace: str = "0") -> AsyncIterator[Served]:
    """Starts a server with bots that move without delay, unless a `pace` is given."""
    async with AsyncExitStack() as stack:
        server = Served(database, bots, pace)
        await server.start()
        stack.push_async_callback(server.stop)
        yield server


def address(port: int) -> str:
    return f"http://127.0.0.1:{port}/"
