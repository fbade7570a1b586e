"""The input devices of people: mouse, keyboard, finger. A person uses only one of them.

Law: one device is used for everything, from the first page to the last, and the events on the page are
checked. A test can't reach a list that the system draws over the page, so a choice there by mouse or finger
is simulated.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol

import pytest

from tests.harness.browser import PHONE, Browsers, expect

LARGER = {**PHONE, "viewport": {"width": 390, "height": 844}}
_MOST_STOPS = 200
"""The most presses of Tab before a target counts as unreachable."""
_NOTE = """globalThis.hands = [];
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, event => {
    if (event.isTrusted) globalThis.hands.push(event.pointerType ?? "keyboard");
}, true);"""


class Hand(Protocol):
    kind: str
    """The pointer type that the page receives."""

    screens: tuple[dict[str, Any], dict[str, Any]]
    """The screens of two players."""

    async def press(self, target: Any) -> None:
        """Presses a button, or a place on a board."""

    async def pick(self, radio: Any) -> None: ...

    async def choose(self, field: Any, label: str) -> None:
        """Chooses an option from a list."""

    async def write(self, field: Any, text: str) -> None:
        """Writes a name if this hand can; otherwise the player gets a default name."""


class Mouse:
    kind = "mouse"
    screens: tuple[dict[str, Any], dict[str, Any]] = ({}, {})

    async def press(self, target: Any) -> None:
        await target.click()

    async def pick(self, radio: Any) -> None:
        await self.press(radio.locator(".."))  # the label, which is the visible part

    async def choose(self, field: Any, label: str) -> None:
        await field.select_option(label=label)

    async def write(self, field: Any, text: str) -> None:
        pass


class Finger(Mouse):
    kind = "touch"
    screens = (PHONE, LARGER)

    async def press(self, target: Any) -> None:
        await target.tap()


class Keyboard:
    kind = "keyboard"
    screens: tuple[dict[str, Any], dict[str, Any]] = ({}, {})

    async def press(self, target: Any) -> None:
        await (self.walk(target) if await target.get_attribute("role") == "gridcell" else self._tab(target))
        await target.page.keyboard.press("Enter")

    async def pick(self, radio: Any) -> None:
        await self._tab(radio.page.locator("input[type=radio]:checked"))
        for _ in range(_MOST_STOPS):
            if await radio.is_checked():
                return
            await radio.page.keyboard.press("ArrowRight")
        raise AssertionError(f"no arrow key leads to {radio}")

    async def choose(self, field: Any, label: str) -> None:
        await self._tab(field)
        for _ in range(_MOST_STOPS):
            if await field.evaluate("each => each.selectedOptions[0].label") == label:
                return
            await field.page.keyboard.press("ArrowDown")
        raise AssertionError(f"no arrow key leads to {label!r}")

    async def write(self, field: Any, text: str) -> None:
        await self._tab(field)
        await field.page.keyboard.type(text)

    async def walk(self, cell: Any) -> None:
        """Moves the focus to the board, if necessary, and then by the shortest way to a cell."""
        keyboard = cell.page.keyboard
        await self._tab(cell.page.locator("[role=gridcell][tabindex='0']"))
        for key in await cell.evaluate(_WAY):
            await keyboard.press(key)
        await expect(cell).to_be_focused()

    async def _tab(self, target: Any) -> None:
        for _ in range(_MOST_STOPS):
            if await target.evaluate("each => each === document.activeElement"):
                return
            await target.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {target}")


_WAY = """cell => {
    const board = cell.closest("[data-game]");
    const keys = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const ways = new Map([[document.activeElement.dataset.place, []]]);
    for (const [here, way] of ways) {
        if (here === cell.dataset.place) return way;
        for (const [key, step] of Object.entries(keys)) {
            const there = board.next(board._places.get(here).place, step).name;
            if (!ways.has(there)) ways.set(there, [...way, key]);
        }
    }
    throw new Error(`no arrow keys lead to ${cell.dataset.place}`);
}"""
MOUSE, KEYBOARD, FINGER = Mouse(), Keyboard(), Finger()
HANDS: dict[str, Hand] = {each.kind: each for each in (MOUSE, KEYBOARD, FINGER)}
with_each_hand = pytest.mark.parametrize("hand", HANDS.values(), ids=HANDS)


async def a_page_for(hand: Hand, people: Browsers, url: str, **screen: Any) -> Any:
    """A page that notes the input devices used on it, until it is loaded again."""
    page = await people.page("about:blank", **screen)
    await page.add_init_script(_NOTE)
    await page.goto(url)
    return page


async def used(page: Any) -> Counter[str]:
    """The number of uses of each input device on a page."""
    return Counter(await page.evaluate("() => globalThis.hands"))
