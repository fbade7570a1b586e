"""Measure the browser client in Chromium: first paint, tap to answer, memory, longest task.

`python -m bench.web [--quick] [--json]`: a server process, and a page on a processor at normal speed, then on
one that Chromium slows to a quarter. The ghost, which shows a player's own move, is timed from the press
until the main thread has painted it. The answer is timed from the lift. The rest of the wait for the ghost
after a finger's lift is a separate figure: 0 if the ghost was painted before.

A tap lasts as long as a person's, and comes when nothing moves on the page. For a mouse Chromium then begins
a frame at once. In other cases, and often for a finger, it waits for the next of its 60 frames a second. So
the ghost is printed beside the same time for an empty page that changes its colour at a press. The machine's
load is printed, too: on a busy machine, the figures depend on other processes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

from tablero_games import GAMES
from tests.harness.browser import PHONE, browsers
from tests.harness.serving import Serving
from tests.harness.wire import Wire, a_wire

SLOWED = 4
RATES = (1, SLOWED)
BARS_MS = {
    "first paint": 500,
    "own ghost, mouse": 16,
    "ghost after the lift": 16,
    "answer": 50,
    "longest task": 50,
}
"""The limits in milliseconds on a slowed processor."""
LONGEST_TASK_MS = 16
"""The limit for the longest task in milliseconds, at normal speed."""
Hand = Literal["mouse", "finger"]
HANDS: dict[Hand, dict[str, Any]] = {"mouse": {}, "finger": PHONE}
CHANCE = Random(14)
PRESSED_S = (0.05, 0.12)
"""The shortest and the longest press by a person, in seconds."""

WATCH = """() => {
    const board = document.querySelector(".board-place > *");
    const painted = when => new Promise(resolve => {
        const look = () => when() && (observer.disconnect(), requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now());
            port2.postMessage(0);
        }));
        const observer = new MutationObserver(look);
        const all = {subtree: true, childList: true, attributes: true};
        observer.observe(document.querySelector(".screen"), all);
    });
    const at = {};
    for (const type of ["pointerdown", "pointerup"]) {
        board.addEventListener(type, event => { at[type] = event.timeStamp; }, {once: true, capture: true});
    }
    const moves = () => document.querySelectorAll(".moves li:not(.none)").length;
    const before = moves();
    const seen = [painted(() => board.querySelector(".ghost")), painted(() => moves() > before)];
    globalThis.measured = Promise.all(seen)
        .then(([ghost, answer]) => [
            ghost - at.pointerdown, Math.max(0, ghost - at.pointerup), answer - at.pointerup,
        ]);
}"""
"""A script that posts a message within a frame, which arrives after that frame is painted."""

_STILL = "() => Promise.all(document.getAnimations().map(each => each.finished))"
_WATCH_NOTHING = """() => {
    globalThis.measured = new Promise(resolve => addEventListener("pointerdown", event => {
        document.documentElement.style.background = `hsl(${event.timeStamp % 360} 50% 50%)`;
        requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - event.timeStamp);
            port2.postMessage(0);
        });
    }, {once: true}));
}"""
_SHOWN = """globalThis.shown = new Promise(resolve => {
    const observer = new MutationObserver(() => {
        if (!document.querySelector(".screen main")) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    });
    observer.observe(document, {subtree: true, childList: true});
});"""

_PAINTED = """() => new Promise(resolve => new PerformanceObserver(list => {
    const [painted] = list.getEntriesByName("first-contentful-paint");
    if (painted) resolve(painted.startTime);
}).observe({type: "paint", buffered: true}))"""
"""The time until the browser reports a paint."""


@dataclass
class Figures:
    """The figures in milliseconds, by how much the processor is slowed."""

    first_paint: dict[int, list[float]] = field(default_factory=dict)
    first_screen: dict[int, list[float]] = field(default_factory=dict)
    """The time until the first page can be used."""
    ghost: dict[Hand, dict[int, list[float]]] = field(default_factory=dict)
    empty: dict[Hand, dict[int, list[float]]] = field(default_factory=dict)
    """The time until an empty page shows the same press by another colour."""
    waits: dict[int, list[float]] = field(default_factory=dict)
    """The time from the lift of a finger until the ghost is painted; 0 if it was painted before."""
    answer: dict[int, list[float]] = field(default_factory=dict)
    longest_task: dict[int, list[float]] = field(default_factory=dict)
    heap: list[int] = field(default_factory=list)
    """The bytes after a few moves, and after many more."""
    load: float = 0.0


class Tap(NamedTuple):
    """The times of a tap in milliseconds: one from the press, and two from the lift."""

    ghost: float
    wait: float
    answer: float


class Measured:
    """A page whose processor can be slowed."""

    def __init__(self, page: Any, line: Any) -> None:
        self.page = page
        self._line = line

    async def slow(self, rate: int) -> None:
        await self._line.send("Emulation.setCPUThrottlingRate", {"rate": rate})

    async def heap(self) -> int:
        await self._line.send("HeapProfiler.collectGarbage")
        return int((await self._line.send("Runtime.getHeapUsage"))["usedSize"])

    async def first_paint(self, url: str) -> tuple[float, float]:
        """The time until the first paint, and until the page can be used."""
        await self.page.add_init_script(_SHOWN)
        await self.page.goto(url)
        screen = await self.page.evaluate("() => shown")
        return float(await self.page.evaluate(_PAINTED)), screen

    async def tap(self, place: str, hand: Hand = "mouse") -> Tap:
        """The time until the ghost of our move is painted, and until the answer is."""
        box = await self.page.locator(f'[data-place="{place}"]').bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if hand == "mouse":  # a mouse rests on the place before it is pressed
            await self.page.mouse.move(x, y)
        await self.page.evaluate(_STILL)
        await self.page.evaluate(WATCH)
        await self._tap_at(x, y, hand)
        return Tap(*await self.page.evaluate("() => measured"))

    async def tap_of_nothing(self, hand: Hand) -> float:
        """The time until a page with nothing on it shows another colour."""
        await self.page.evaluate(_WATCH_NOTHING)
        await self._tap_at(100, 100, hand)
        return float(await self.page.evaluate("() => measured"))

    async def _tap_at(self, x: float, y: float, hand: Hand) -> None:
        """Taps for as long as a person does, however long the page needs for the press, at any time within a
        frame.
        """
        await asyncio.sleep(CHANCE.uniform(*PRESSED_S))
        touches = hand == "finger"
        down = self._touch("touchStart", {"x": x, "y": y}) if touches else self.page.mouse.down()
        pressing = asyncio.ensure_future(down)
        await asyncio.sleep(CHANCE.uniform(*PRESSED_S))
        await (self._touch("touchEnd") if touches else self.page.mouse.up())
        await pressing

    async def _touch(self, kind: str, *points: dict[str, float]) -> None:
        await self._line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    async def is_on_turn(self, ply: int) -> None:
        await self.page.wait_for_function(
            """ply => document.querySelector("main.my-turn")
                && document.querySelectorAll(".moves li:not(.none)").length === ply""",
            arg=ply,
        )


@asynccontextmanager
async def at_a_table(page: Measured, server: Serving, game: str, **options: Any) -> AsyncIterator[Rival]:
    async with a_wire(server) as wire:
        await wire.hello("rival")
        room = await wire.ask(
            "createRoom", game=game, options=options, seat=1, private=True, subscribe=["nextPlayer"]
        )
        await page.page.goto(f"http://127.0.0.1:{server.port}/{room['code']}")
        await page.page.get_by_role("button", name="Sit down").click()
        await page.is_on_turn(0)
        yield Rival(wire, room["room"])


@dataclass
class Rival:
    wire: Wire
    room: str

    async def plays(self, ply: int, move: str) -> None:
        answer = await self.wire.ask("playTurn", room=self.room, seat=1, ply=ply, move=move)
        assert answer["type"] == "nextPlayer", answer


async def measure(rounds: int, moves: int) -> Figures:
    figures = Figures()
    with TemporaryDirectory() as home:
        server = Serving(Path(home), "memory")
        with server:
            server.start()
            server.wait_until_open()
            async with browsers() as people:
                page = await people.page("about:blank")
                measured = Measured(page, await page.context.new_cdp_session(page))
                for rate in RATES:
                    await measured.slow(rate)
                    paints = await first_paints(people, server, rate, rounds)
                    figures.first_paint[rate] = [paint for paint, _ in paints]
                    figures.first_screen[rate] = [screen for _, screen in paints]
                    figures.answer[rate] = []
                    for hand in HANDS:
                        taps, empty = await taps_of(hand, people, server, rate, rounds)
                        figures.ghost.setdefault(hand, {})[rate] = [tap.ghost for tap in taps]
                        figures.empty.setdefault(hand, {})[rate] = empty
                        figures.answer[rate] += [tap.answer for tap in taps]
                        if hand == "finger":
                            figures.waits[rate] = [tap.wait for tap in taps]
                    figures.longest_task[rate] = sorted(
                        tasks(await a_dragged_wall(people, measured, server))
                    )[-5:]
                await measured.slow(1)
                figures.heap = await many_moves(measured, server, moves)
    figures.load = os.getloadavg()[0]
    return figures


async def first_paints(people: Any, server: Serving, rate: int, rounds: int) -> list[tuple[float, float]]:
    """The times of first paints, each in a new browser profile."""
    paints = []
    for _ in range(rounds):
        page = await people.page("about:blank")
        newcomer = Measured(page, await page.context.new_cdp_session(page))
        await newcomer.slow(rate)
        paints.append(await newcomer.first_paint(f"http://127.0.0.1:{server.port}/"))
        await page.context.close()
    return paints


async def taps_of(
    hand: Hand, people: Any, server: Serving, rate: int, rounds: int
) -> tuple[list[Tap], list[float]]:
    """The taps at a table, and those on an empty page."""
    page = await people.page("about:blank", **HANDS[hand])
    measured = Measured(page, await page.context.new_cdp_session(page))
    await measured.slow(rate)
    empty = [await measured.tap_of_nothing(hand) for _ in range(12 * rounds)]
    taps = [tap for _ in range(rounds) for tap in await a_connect_four(measured, server, hand)]
    await page.context.close()
    return taps, empty


async def a_connect_four(page: Measured, server: Serving, hand: Hand) -> list[Tap]:
    """Taps through a game of Connect Four that ends without a line."""
    taps = []
    async with at_a_table(page, server, "connect-four") as rival:
        for ply, column in enumerate(_without_a_winner(24)):
            if ply % 2:
                await rival.plays(ply, column)
            else:
                await page.is_on_turn(ply)
                taps.append(await page.tap(column, hand))
    return taps


def _without_a_winner(plies: int) -> list[str]:
    position, moves = GAMES["connect-four"].start(2), list[str]()
    for ply in range(plies):
        (seat,) = position.to_move
        for column in map(str, (1 + (ply + shift) % 7 for shift in range(7))):
            if column in position.legal_moves(seat) and position.play(seat, column).outcome is None:
                position = position.play(seat, column)
                moves.append(column)
                break
    return moves


async def a_dragged_wall(people: Any, page: Measured, server: Serving) -> list[dict[str, Any]]:
    """Moves the pointer over every groove of the largest board, free and pressed. Returns the
    traced events.
    """
    async with at_a_table(page, server, "quoridor"):
        box = await page.page.locator("tablero-quoridor svg").bounding_box()
        await people.chromium.start_tracing(page=page.page, categories=["toplevel", "devtools.timeline"])
        for row in range(1, 9):
            y = box["y"] + box["height"] * row / 9
            await page.page.mouse.move(box["x"] + 5, y)
            if row % 2:
                await page.page.mouse.down()
            await page.page.mouse.move(box["x"] + box["width"] - 5, y + 3, steps=20)
            await page.page.mouse.up()
        return list(json.loads(await people.chromium.stop_tracing())["traceEvents"])


def tasks(events: list[dict[str, Any]], clock: Literal["dur", "tdur"] = "dur") -> list[float]:
    """The duration of each task of the drawing threads, by wall clock or by thread clock."""
    drawing = {
        (each["pid"], each["tid"])
        for each in events
        if each["name"] == "thread_name" and each["args"]["name"] == "CrRendererMain"
    }
    return [
        each[clock] / 1000
        for each in events
        if each["name"].endswith("RunTask") and (each["pid"], each["tid"]) in drawing and clock in each
    ]


async def many_moves(page: Measured, server: Serving, moves: int) -> list[int]:
    """Sets a flag and removes it, many times. The first half warms up caches."""
    heaps = []
    await page.page.goto(f"http://127.0.0.1:{server.port}/")
    await page.page.get_by_role("button", name="Play Minesweeper alone, Beginner").click()
    flag = page.page.locator('[data-place="a1"]')
    await flag.click(button="right")
    for upto in (20, 20 + moves):
        await page.page.evaluate(_FLAGS, upto)
        heaps.append(await page.heap())
    return heaps


_FLAGS = """async upto => {
    const cell = document.querySelector('[data-place="a1"]');
    const list = document.querySelector(".moves");
    for (let end = performance.now() + 120_000; performance.now() < end;) {
        const moves = list.querySelectorAll("li:not(.none)").length;
        if (moves >= upto) return;
        cell.dispatchEvent(new MouseEvent("contextmenu", {bubbles: true, cancelable: true}));
        while (list.querySelectorAll("li:not(.none)").length === moves && performance.now() < end) {
            await new Promise(resolve => setTimeout(resolve));
        }
    }
    throw new Error("too slow");
}"""


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def rows(figures: Figures) -> list[tuple[str, float, float, int | None]]:
    """Rows of a name, the figure at normal speed, the slowed figure, and its limit if there is one."""
    told: dict[str, tuple[dict[int, list[float]], Callable[[list[float]], float]]] = {
        "first paint": (figures.first_paint, statistics.median),
        "first screen": (figures.first_screen, statistics.median),
        **{
            f"{name}, {hand}": (values, p95)
            for hand in HANDS
            for name, values in (("own ghost", figures.ghost[hand]), ("empty page", figures.empty[hand]))
        },
        "ghost after the lift": (figures.waits, p95),
        "answer": (figures.answer, p95),
        "longest task": (figures.longest_task, max),
    }
    return [
        (name, of(values[1]), of(values[SLOWED]), BARS_MS.get(name)) for name, (values, of) in told.items()
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="few rounds, to see that it works")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = asyncio.run(measure(*(1, 40) if options.quick else (5, 500)))
    if options.json:
        print(json.dumps(asdict(figures)))
        return 0
    print(f"{'milliseconds':<21}{'as it is':>10}{f'{SLOWED}x slowed':>12}{'ratio':>8}{'bar':>6}")
    for name, plain, slowed, bar in rows(figures):
        ratio = f"{slowed / plain:.1f}" if plain else ""
        print(f"{name:<21}{plain:>10.1f}{slowed:>12.1f}{ratio:>8}{bar or '':>6}")
    for rate, waits in figures.waits.items():
        print(f"painted before the finger was lifted, {rate}x: {waits.count(0)} of {len(waits)} taps")
    few, many = figures.heap
    print(f"heap: {few / 1e6:.2f} MB, {many / 1e6:.2f} MB after many moves ({many / few - 1:+.1%}, bar 10 %)")
    print(f"load of the machine: {figures.load:.1f} on {os.cpu_count()} processors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
