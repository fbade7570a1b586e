"""Minesweeper in the browser: a board read from its labels, and players that solve it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from tablero_games.minesweeper.grid import grid_of
from tests.harness.browser import Browsers, expect
from tests.harness.hands import KEYBOARD, MOUSE, Hand


def cell(page: Any, name: str) -> Any:
    return page.locator(f'[data-place="{name}"]')


async def dig(page: Any, hand: Hand, name: str) -> None:
    if hand is KEYBOARD:
        await KEYBOARD.walk(cell(page, name))
        await page.keyboard.press("Space")
    else:
        await hand.press(cell(page, name))


async def flag(page: Any, hand: Hand, name: str) -> None:
    if hand is KEYBOARD:
        await KEYBOARD.walk(cell(page, name))
        await page.keyboard.press("f")
    elif hand is MOUSE:
        await cell(page, name).click(button="right")
    else:
        await rest(page, name, "flag")


async def rest(page: Any, name: str, look: str) -> None:
    """Rests a finger on a cell until the cell looks like this."""
    await cell(page, name).scroll_into_view_if_needed()
    box = await cell(page, name).bounding_box()
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    line = await page.context.new_cdp_session(page)
    await line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    await expect(cell(page, name)).to_have_accessible_name(f"{name}, {look}")
    await line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@dataclass(frozen=True)
class Seen:
    """A board, read from its labels."""

    looks: dict[str, str]

    @classmethod
    async def on(cls, page: Any) -> Seen:
        labels: list[str] = await page.evaluate(
            "() => [...document.querySelectorAll('[role=gridcell]')].map(each => each.ariaLabel)"
        )
        return cls(dict(label.split(", ", 1) for label in labels))

    def certain(self) -> tuple[set[str], set[str]]:
        """The mines and safe cells that are proved by single numbers and pairs of numbers."""
        grid, names = grid_of(9, 9), grid_of(9, 9).names
        mines, safe = set[str](), set[str]()
        rules = set[tuple[frozenset[str], int]]()
        for number, name in enumerate(names):
            if self.looks[name].isdigit():
                near = frozenset(names[other] for other in grid.around[number])
                hidden = frozenset(each for each in near if self.looks[each] in ("covered", "flag"))
                rules.add((hidden, int(self.looks[name])))
        known = -1
        while known < len(mines) + len(safe):
            known = len(mines) + len(safe)
            rules = {(hidden - mines - safe, count - len(hidden & mines)) for hidden, count in rules}
            for one, count in rules:
                safe |= one if count == 0 else set()
                mines |= one if count == len(one) else set()
                for other, more in rules:
                    if more - count == len(other - one):
                        mines |= other - one
                        safe |= one - other
        return mines, {each for each in safe if self.looks[each] == "covered"}


async def begun(page: Any) -> None:
    """Waits for the search of a field without guesses, whose process must start first."""
    await expect(page.get_by_role("gridcell", name="empty").first).to_be_visible(timeout=30_000)


async def settled(page: Any) -> None:
    """Waits until every tap has an answer."""
    await expect(page.locator(".ghost")).to_have_count(0)


async def make_a_table(
    page: Any, how: str, guessing: str = "Never needed", size: str = "Beginner", hand: Hand = MOUSE
) -> None:
    await hand.press(page.get_by_role("button", name="Create a table"))
    dialog = page.get_by_role("dialog")
    await hand.pick(dialog.get_by_role("radio", name="Minesweeper"))
    await hand.choose(dialog.get_by_label("Mode"), how)
    await hand.choose(dialog.get_by_label("Guessing"), guessing)
    label = await dialog.get_by_label("Board").get_by_text(size).inner_text()
    await hand.choose(dialog.get_by_label("Board"), label)
    await hand.press(dialog.get_by_role("button", name="Open the table"))


async def solve(pages: Sequence[Any], hand: Hand, flags: int) -> None:
    """Solves a field: the players in turn read the page, flag some mines, and dig safe cells, until
    the end.
    """
    hands = cycle(pages)
    for page in pages:
        await begun(page)
    flagged = 0
    while True:
        seen = await Seen.on(pages[0])
        mines, safe = seen.certain()
        for mine in sorted(mines):
            if flagged < flags and seen.looks[mine] == "covered":
                await flag(next(hands), hand, mine)
                flagged += 1
                for page in pages:
                    await shows(page, mine, "flag")
                    await expect(page.get_by_text(f"Mines left: {10 - flagged}")).to_be_visible()
        if not safe:
            break
        for name in sorted(safe):
            if (await Seen.on(pages[0])).looks[name] == "covered":
                await dig(next(hands), hand, name)
                for page in pages:
                    await shows(page, name, "")


async def shows(page: Any, name: str, look: str) -> None:
    """Waits until a cell looks like this, by default uncovered, and no tap waits for its answer."""
    await page.wait_for_function(_SHOWS, arg=[name, look])


_SHOWS = """([name, look]) => {
    const label = document.querySelector(`[data-place="${name}"]`).getAttribute("aria-label");
    return !document.querySelector(".ghost") && (look ? label.endsWith(look) : !label.endsWith("covered"));
}"""


async def a_race(
    people: Browsers, url: str, how: str = "Race on equal fields", guessing: str = "Never needed"
) -> tuple[Any, Any]:
    ana = await people.page(url)
    await ana.get_by_label("Your name").fill("ana")
    await make_a_table(ana, how, guessing)
    ben = await people.page(await ana.get_by_label("Link", exact=True).input_value())
    await ben.get_by_label("Your name").fill("ben")
    await ben.get_by_role("button", name="Sit down").click()
    await begun(ben)
    return ana, ben
