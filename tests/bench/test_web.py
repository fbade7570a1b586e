"""What is measured of the browser client: what no neighbour of the machine changes is within its bars."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from bench.web import (
    LONGEST_TASK_MS,
    SLOWED,
    Figures,
    Hand,
    Measured,
    a_dragged_wall,
    at_a_table,
    first_paints,
    many_moves,
    p95,
    rows,
    tasks,
)
from tests.harness.browser import PHONE, browsers
from tests.harness.serving import Serving

MOST_MUTATIONS = {"connect-four": ("4", 50), "quoridor": ("e2", 200)}
"""A move, and how many elements, texts and attributes of the page may change by it and its answer."""
_COUNT = """() => {
    globalThis.mutations = 0;
    new MutationObserver(changes => { globalThis.mutations += changes.length; })
        .observe(document.querySelector(".screen"), {subtree: true, childList: true, attributes: true});
}"""


async def test_a_page_is_measured_and_keeps_its_memory(tmp_path: Path) -> None:
    with Serving(tmp_path, "memory") as server:
        server.start()
        await asyncio.to_thread(server.wait_until_open)
        async with browsers() as people:
            ((paint, screen),) = await first_paints(people, server, SLOWED, 1)
            assert min(paint, screen) > 0  # a paint counts when it is on the screen, which may be later
            page = await people.page("about:blank")
            measured = Measured(page, await page.context.new_cdp_session(page))
            for game, (move, most) in MOST_MUTATIONS.items():
                async with at_a_table(measured, server, game):
                    # Its moves may come after the position; the board is then drawn once more.
                    await page.wait_for_selector(f'[data-place="{move}"].legal', state="attached")
                    await page.evaluate(_COUNT)
                    tap = await measured.tap(move)
                    assert min(tap.ghost, tap.answer) > 0
                    assert 0 < await page.evaluate("() => mutations") <= most
            phone = await people.page("about:blank", **PHONE)
            touched = Measured(phone, await phone.context.new_cdp_session(phone))
            async with at_a_table(touched, server, "connect-four"):
                tap = await touched.tap("4", "finger")
                assert 0 <= tap.wait < tap.ghost
            few, many = await many_moves(measured, server, 100)
            assert abs(many / few - 1) <= 0.1


async def test_dragging_a_wall_takes_no_long_task(tmp_path: Path) -> None:
    """By the clock of the thread, which stands still while neighbours of the machine work."""
    with Serving(tmp_path, "memory") as server:
        server.start()
        await asyncio.to_thread(server.wait_until_open)
        async with browsers() as people:
            page = await people.page("about:blank")
            measured = Measured(page, await page.context.new_cdp_session(page))
            taken = tasks(await a_dragged_wall(people, measured, server), "tdur")
    assert len(taken) > 100
    assert max(taken) <= LONGEST_TASK_MS


def test_tasks_are_those_of_the_threads_that_draw_pages() -> None:
    thread: dict[str, Any] = {"name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "CrRendererMain"}}
    task: dict[str, Any] = {"name": "ThreadControllerImpl::RunTask", "pid": 1, "tid": 2, "dur": 16_500}
    assert tasks([thread, {**task, "tdur": 900}], "tdur") == [0.9]
    assert tasks([thread, task, {**task, "tid": 3}, {**task, "name": "Paint"}]) == [16.5]


def test_figures_stand_beside_their_bars() -> None:
    told = {1: [10.0], SLOWED: [30.0, 40.0]}
    by_hand: dict[Hand, dict[int, list[float]]] = {"mouse": told, "finger": told}
    figures = Figures(told, told, by_hand, by_hand, {1: [0.0], SLOWED: [0.0, 8.0]}, told, told)
    named = {name: (plain, slowed, bar) for name, plain, slowed, bar in rows(figures)}
    assert named["first paint"] == (10.0, 35.0, 500)
    assert named["first screen"] == (10.0, 35.0, None)
    assert named["own ghost, mouse"] == (10.0, p95([30.0, 40.0]), 16)
    assert named["own ghost, finger"] == (10.0, p95([30.0, 40.0]), None)
    assert named["ghost after the lift"] == (0.0, p95([0.0, 8.0]), 16)
    assert named["empty page, finger"] == (10.0, p95([30.0, 40.0]), None)
    assert named["answer"] == (10.0, p95([30.0, 40.0]), 50)
    assert named["longest task"] == (10.0, 40.0, 50)
