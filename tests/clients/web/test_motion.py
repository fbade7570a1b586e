"""What a turn brings moves for a moment: once, in nobody's way, and never for those who want no motion."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.harness.browser import address, browsers, expect
from tests.harness.web.drawings import DRAW, Scene, shown
from tests.harness.web.tables import a_game, ghosts
from tests.harness.wire import a_server

_BOARD = "document.querySelector('.board-place > *')"
SHOW = f"shown => {_BOARD}.show(shown)"
MOVING = "() => document.getAnimations().length"
STOP = "() => document.getAnimations().forEach(each => each.pause())"
CHOSEN = f"new Promise(done => {_BOARD}.addEventListener('move', event => done(event.detail)))"

_BOXES = Scene(("a1h", "a1v", "b1v", "a2v", "b2v", "a3h"), {"rows": 2, "columns": 3})
_MINES = Scene(("flag a1",), {"mode": "solo", "level": "intermediate"}, seats=1)
TURNS = {
    "tic-tac-toe": (Scene(("b2",)), "a1", 1),
    "connect-four": (Scene(("4",)), "4", 1),
    "dots-and-boxes": (_BOXES, "a2h", 3),  # an edge and both its boxes
    "quoridor": (Scene(("c2",), {"size": 5, "walls": 4}), "b3h", 1),
    "minesweeper": (_MINES, "dig m8", 10),  # a ring of cells for each distance
}
"""A position, what is played there, and how much moves then."""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_a_turn_moves_its_pieces_once_and_what_was_there_before_lies_still(motion: str) -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port), reduced_motion=motion)
        await expect(page.get_by_role("button", name="Play now")).to_be_visible()
        for name, (scene, move, count) in TURNS.items():
            before, after = (
                shown(name, each) for each in (scene, replace(scene, moves=(*scene.moves, move)))
            )
            await page.evaluate(DRAW.replace("await Promise.allSettled", "void"), list(before))
            assert await page.evaluate(MOVING) == 0, f"{name} is opened"
            await page.evaluate(SHOW, after[1])
            assert await page.evaluate(MOVING) == (count if motion == "no-preference" else 0), name
            await page.evaluate("() => document.getAnimations().forEach(each => each.finish())")
            await page.evaluate(SHOW, after[1])
            assert await page.evaluate(MOVING) == 0, f"{name} is drawn anew"
            await page.evaluate(SHOW, before[1])
            assert await page.evaluate(MOVING) == 0, f"{name} goes back"
            if name in {"connect-four", "quoridor"}:
                assert (
                    await chosen_while_it_moves(page, after[1])
                    == {"connect-four": "4", "quoridor": "c3"}[name]
                )


async def chosen_while_it_moves(page: Any, shown: dict[str, Any]) -> Any:
    """What a click plays while the piece before it has not arrived."""
    await page.evaluate(SHOW, shown)
    await page.evaluate(STOP)
    chosen = await page.evaluate_handle(f"() => ({{ move: {CHOSEN} }})")
    await page.locator("[data-place='4'], [data-place=c3]").click()
    return await chosen.evaluate("({ move }) => move")


COUNT_FALLS = "() => { globalThis.falls = 0; Element.prototype.animate = () => { falls += 1; }; }"


async def test_an_own_disc_is_shown_where_it_lands_and_falls_with_its_answer() -> None:
    async with a_game() as (ana, ben, _):
        for page in (ana, ben):
            await page.evaluate(COUNT_FALLS)
        await ana.get_by_role("gridcell", name="Column 3").hover()
        await ana.mouse.down()
        await expect(ghosts(ana)).to_have_count(1)
        assert await ana.evaluate("() => falls") == 0
        await ana.mouse.up()
        for page in (ana, ben):
            await page.wait_for_function("() => falls === 1")
