"""Firefox and WebKit from Debian, driven by the W3C protocols that they support without Playwright.

Firefox uses WebDriver BiDi over a socket. WebKit uses WebDriver over HTTP through WebKitWebDriver, and needs
a display, which Xvfb simulates. A test needs only a few functions of both: to open a page, to run a function,
to tap.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, Protocol

import aiohttp
import pytest

START_SECONDS = 30.0
PATIENCE_MS = 40_000
_QUIET = {
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.region.network.url": "",
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
}
"""Settings that stop Firefox's own requests to the internet."""


class Window(Protocol):
    async def open(self, url: str) -> None: ...

    async def run(self, function: str, *given: Any) -> Any:
        """Runs a JavaScript function with these arguments; waits for its promise, if any."""

    async def press(self, x: float, y: float) -> None:
        """Moves the pointer to this point, and clicks."""


class Person:
    """A person at a window, who finds places by their names, like the person in tests with Playwright."""

    def __init__(self, window: Window) -> None:
        self._window = window

    async def open(self, url: str) -> None:
        await self._window.open(url)

    async def sees(self, condition: str, *given: Any) -> Any:
        """Waits in the page until the condition is truthy. Returns its value."""
        seen = await self._window.run(_UNTIL.replace("CONDITION", condition), *given)
        assert seen, f"{condition} {given}: {await self._window.run('() => document.body.innerText')}"
        return seen

    async def hears(self, sentence: str) -> None:
        """Waits until the page shows this sentence somewhere."""
        await self.sees("sentence => document.body.innerText.includes(sentence)", sentence)

    async def taps(self, kind: str, name: str) -> None:
        """Clicks a place or a button whose name starts like this, at its present position."""
        x, y = await self.sees(_MIDDLE, kind, name)
        await self._window.press(x, y)

    async def look(self, function: str) -> Any:
        return await self._window.run(function)


_UNTIL = f"""async (...given) => {{
    const condition = CONDITION;
    for (const end = performance.now() + {PATIENCE_MS}; performance.now() < end;) {{
        const seen = condition(...given);
        if (seen) return seen;
        await new Promise(resolve => setTimeout(resolve, 20));
    }}
    return null;
}}"""
_MIDDLE = """(kind, name) => {
    const named = each => (each.getAttribute("aria-label") ?? each.textContent).startsWith(name);
    const shown = each => each.getClientRects().length > 0;
    const found = [...document.querySelectorAll(kind)].find(each => named(each) && shown(each));
    if (!found) return null;
    found.scrollIntoView({block: "center", behavior: "instant"});
    const {x, y, width, height} = found.getBoundingClientRect();
    const [before, middle] = [globalThis.middle, [x + width / 2, y + height / 2]];
    globalThis.middle = middle;
    return String(before) === String(middle) && middle;
}"""
"""A script for the middle of an element that stands still: a new element may still move."""


_AS_TEXT = "async given => JSON.stringify(await (FUNCTION)(...JSON.parse(given)) ?? null)"
_SERVER_IS_GONE = ("can’t establish a connection", "was interrupted while the page was loading")


class FirefoxWindow:
    def __init__(self, line: aiohttp.ClientWebSocketResponse) -> None:
        self._line = line
        self._ids = count(1)
        self._context = ""
        self.complaints: list[str] = []

    async def begin(self) -> None:
        await self._ask("session.new", capabilities={})
        tree = await self._ask("browsingContext.getTree")
        self._context = tree["contexts"][0]["context"]
        await self._ask("session.subscribe", events=["log.entryAdded"])

    async def open(self, url: str) -> None:
        await self._ask("browsingContext.navigate", context=self._context, url=url, wait="complete")

    async def run(self, function: str, *given: Any) -> Any:
        """Runs a function. Values return as text, because the protocol has a special notation for values."""
        answer = await self._ask(
            "script.callFunction",
            functionDeclaration=_AS_TEXT.replace("FUNCTION", function),
            arguments=[{"type": "string", "value": json.dumps(given)}],
            target={"context": self._context},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    async def press(self, x: float, y: float) -> None:
        await self._ask("input.performActions", context=self._context, actions=_click(x, y))

    async def _ask(self, method: str, **params: Any) -> Any:
        id = next(self._ids)
        await self._line.send_json({"id": id, "method": method, "params": params})
        while True:
            answer = await self._line.receive_json()
            if answer.get("method") == "log.entryAdded":
                self._note(answer["params"])
            if answer.get("id") == id:
                assert answer["type"] == "success", answer
                return answer["result"]

    def _note(self, entry: dict[str, Any]) -> None:
        forgiven = any(each in str(entry["text"]) for each in _SERVER_IS_GONE)
        if entry["level"] == "error" and not forgiven:
            self.complaints.append(str(entry))


class WebKitWindow:
    def __init__(self, http: aiohttp.ClientSession, url: str) -> None:
        self._http = http
        self._url = url

    async def begin(self) -> None:
        session = await self._ask("session", capabilities={"alwaysMatch": {}})
        self._url += f"/session/{session['sessionId']}"
        await self._ask("timeouts", script=2 * PATIENCE_MS)

    async def open(self, url: str) -> None:
        await self._ask("url", url=url)

    async def run(self, function: str, *given: Any) -> Any:
        script = (
            f"const answer = arguments[arguments.length - 1]; ({function})(...arguments[0]).then(answer);"
        )
        if not function.startswith("async"):
            return await self._ask(
                "execute/sync", script=f"return ({function})(...arguments[0]);", args=[given]
            )
        return await self._ask("execute/async", script=script, args=[given])

    async def press(self, x: float, y: float) -> None:
        await self._ask("actions", actions=_click(x, y))

    async def end(self) -> None:
        """Closes the window, which the driver would leave open."""
        async with self._http.delete(self._url):
            pass

    async def _ask(self, command: str, **params: Any) -> Any:
        async with self._http.post(f"{self._url}/{command}", json=params) as answer:
            value = (await answer.json())["value"]
            assert answer.status == 200, value
            return value


def _click(x: float, y: float) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = [
        {"type": "pointerMove", "x": round(x), "y": round(y)},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]
    return [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}]


@asynccontextmanager
async def firefox() -> AsyncIterator[Person]:
    async with AsyncExitStack() as stack:
        profile = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in _QUIET.items()]
        (Path(profile) / "user.js").write_text("\n".join(lines))
        command = [
            "firefox-esr",
            "--headless",
            "--no-remote",
            "--profile",
            profile,
            "--remote-debugging-port",
            "0",
        ]
        process = await stack.enter_async_context(_running(*command, "about:blank", stderr=PIPE))
        assert process.stderr is not None
        url = await _told(process.stderr, "WebDriver BiDi listening on ")
        reading = asyncio.create_task(process.stderr.read())  # otherwise the process would wait for a reader
        stack.callback(reading.cancel)
        http = await stack.enter_async_context(aiohttp.ClientSession())
        window = FirefoxWindow(await stack.enter_async_context(http.ws_connect(f"{url}/session")))
        await window.begin()
        yield Person(window)
        assert window.complaints == []


@asynccontextmanager
async def webkit() -> AsyncIterator[Person]:
    async with AsyncExitStack() as stack:
        display = ("Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp")
        screen = await stack.enter_async_context(_running(*display, stdout=PIPE))
        assert screen.stdout is not None
        number = int(await _told(screen.stdout, ""))
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        plain = {"DISPLAY": f":{number}", "LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_DMABUF_RENDERER": "1"}
        await stack.enter_async_context(
            _running("WebKitWebDriver", f"--port={port}", env={**os.environ, **plain})
        )
        http = await stack.enter_async_context(aiohttp.ClientSession())
        window = WebKitWindow(http, f"http://127.0.0.1:{port}")
        await _listening(port)
        await window.begin()
        try:
            yield Person(window)
        finally:
            await window.end()


@asynccontextmanager
async def _running(*command: str, **options: Any) -> AsyncIterator[Process]:
    options = {"stdout": DEVNULL, "stderr": DEVNULL, **options}
    process = await asyncio.create_subprocess_exec(*command, **options)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        try:
            async with asyncio.timeout(START_SECONDS):
                await process.wait()
        except TimeoutError:
            process.kill()


async def _told(output: asyncio.StreamReader, before: str) -> str:
    async with asyncio.timeout(START_SECONDS):
        while line := (await output.readline()).decode():
            if line.startswith(before):
                return line.removeprefix(before).strip()
    raise AssertionError(f"never said {before!r}")


async def _listening(port: int) -> None:
    async with asyncio.timeout(START_SECONDS):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except ConnectionRefusedError:
                await asyncio.sleep(0.05)
            else:
                writer.close()
                return


BROWSERS: dict[str, tuple[Callable[[], AbstractAsyncContextManager[Person]], tuple[str, ...]]] = {
    "firefox": (firefox, ("firefox-esr",)),
    "webkit": (webkit, ("WebKitWebDriver", "Xvfb")),
}


in_each_browser = pytest.mark.parametrize("browser", BROWSERS)


@asynccontextmanager
async def a_person_with(browser: str) -> AsyncIterator[Person]:
    """Starts the browser. Skips the test if it is not installed, always from this line, so that the summary
    has one line for all tests.
    """
    start, programs = BROWSERS[browser]
    absent = [each for each in programs if shutil.which(each) is None]
    if absent:
        pytest.skip(f"needs {' and '.join(absent)}")
    async with start() as person:
        yield person
