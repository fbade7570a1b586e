"""Tables in the browser: how two players join, and what they see and press."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import tablero_games as rules
from tests.harness.addresses import ADDRESSES, Site
from tests.harness.browser import Browsers, address, browsers, expect
from tests.harness.hands import HANDS, Hand, a_page_for, used
from tests.harness.wire import a_server


def state(page: Any) -> Any:
    """The element on a page with the turn and the result."""
    return page.get_by_role("region", name="State of the game")


async def by_mouse(page: Any, place: str) -> None:
    await page.get_by_role("gridcell", name=place).click()


async def by_typing(page: Any, move: str) -> None:
    await page.get_by_label("Type a move").press_sequentially(move)
    await page.keyboard.press("Enter")


@dataclass(frozen=True)
class WholeGame:
    title: str
    moves: tuple[str, ...]
    place: str = "{move}, free"
    """The name of a move's place before the move is played."""
    size: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    """The options of a table of that size."""


_SIDES = "a1h b1h c1h a4h b4h c4h a1v a2v a3v d1v d2v d3v".split()  # noqa: SIM905
_INSIDE = "b1v a2h b2v a3h b3v c1v b2h c2v b3h c3v c2h c3h".split()  # noqa: SIM905
GAMES = {
    "tic-tac-toe": WholeGame("Tic-tac-toe", ("b2", "a1", "c1", "a3", "a2", "b1", "c2")),
    "connect-four": WholeGame("Connect Four", tuple("4433556"), "Column {move}"),
    "dots-and-boxes": WholeGame(
        "Dots and Boxes",
        (*_SIDES, *_INSIDE),
        "Edge {move}, free",
        "3 × 3",
        {"rows": 3, "columns": 3},
    ),
    "quoridor": WholeGame(
        "Quoridor", ("c2", "b5", "c3", "b4", "c4", "b3", "c5"), size="5 × 5, four walls", options={"size": 5}
    ),
}


def hands_at_addresses(game: int) -> list[tuple[Hand, str]]:
    """Each hand at an address, in different combinations for each game, so that any two of game, hand and
    address meet.
    """
    return [(hand, ADDRESSES[(game + number) % len(ADDRESSES)]) for number, hand in enumerate(HANDS.values())]


def said_of(value: str | Hand) -> str:
    """The name for a test with this parameter."""
    return value if isinstance(value, str) else value.kind


def by_the_rules(game: str) -> tuple[list[tuple[int, str]], int]:
    """The taps of a game with their players, turn by turn, and the winner."""
    whole, turns = GAMES[game], list[tuple[int, str]]()
    position = rules.GAMES[game].start(2, **whole.options)
    for move in whole.moves:
        (seat,) = position.to_move
        turns.append((seat, whole.place.format(move=move)))
        position = position.play(seat, move)
    assert position.outcome is not None
    (winner,) = position.outcome.winners
    return turns, winner


async def two_at_a_table(
    people: Browsers,
    url: str,
    title: str,
    size: str | None = None,
    guest: Any = None,
    **options: Any,
) -> tuple[Any, Any]:
    """Two players at a table: Ana makes it, and Ben takes the seat with two taps after opening her link."""
    ana = await people.page(url, **options)
    await ana.get_by_label("Your name").fill("ana")
    await ana.get_by_role("button", name="Create a table").click()
    await ana.get_by_role("radio", name=title).check(force=True)
    if size is not None:
        await ana.get_by_label("Board").select_option(label=size)
    await ana.get_by_role("button", name="Open the table").click()
    link = await ana.get_by_label("Link", exact=True).input_value()
    ben = await people.page(link, **(options if guest is None else guest))
    await ben.get_by_label("Your name").fill("ben")
    await ben.get_by_role("button", name="Sit down").click()
    return ana, ben


async def two_of_one_hand(hand: Hand, site: Site, whole: WholeGame) -> tuple[Any, Any]:
    """Two players with the same hand: one makes a table and copies its link, the other joins by the link."""
    ana = await a_page_for(hand, site.people, site.url, **hand.screens[0])
    await hand.write(ana.get_by_label("Your name"), "ana")
    await hand.press(ana.get_by_role("button", name="Create a table"))
    dialog = ana.get_by_role("dialog")
    await hand.pick(dialog.get_by_role("radio", name=whole.title))
    if whole.size is not None:
        await hand.choose(dialog.get_by_label("Board"), whole.size)
    await hand.press(dialog.get_by_role("button", name="Open the table"))
    return ana, await who_has_the_link(ana, hand, site)


async def who_has_the_link(ana: Any, hand: Hand, site: Site) -> Any:
    """Opens the link that Ana has copied, and sits down. The copied text is also selected."""
    link = ana.get_by_label("Link", exact=True)
    await hand.press(ana.get_by_role("button", name="Copy"))
    await expect(ana.get_by_role("button", name="Copied")).to_be_visible()
    url = await link.input_value()
    assert await ana.evaluate("() => getSelection().toString()") == url
    ben = await a_page_for(hand, site.people, url, **hand.screens[1])
    await hand.write(ben.get_by_label("Your name"), "ben")
    await hand.press(ben.get_by_role("button", name="Sit down"))
    return ben


async def by_one_hand_alone(pages: tuple[Any, ...], hand: Hand) -> None:
    """Plays a game and a rematch with one hand. Checks that nothing is ever wider than the screen."""
    for page in pages:
        assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "it fits"
        await hand.press(page.get_by_role("button", name="Rematch"))
    for page in pages:
        await expect(page.get_by_role("button", name="Resign")).to_be_visible()
        assert set(await used(page)) == {hand.kind}


@asynccontextmanager
async def a_game(title: str = "Connect Four", **settings: Any) -> AsyncIterator[tuple[Any, Any, Browsers]]:
    async with a_server(seconds=60, **settings) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), title)
        await expect(state(ana)).to_contain_text("Your turn")
        yield ana, ben, people


async def press(page: Any, name: str) -> None:
    await page.get_by_role("button", name=name, exact=True).click()


async def choose(page: Any, name: str) -> None:
    """Presses an item in the menu of actions."""
    await press(page, "More")
    await page.get_by_role("dialog", name="More").get_by_role("button", name=name, exact=True).click()


async def tap(page: Any, column: int) -> None:
    await page.get_by_role("gridcell", name=f"Column {column}").click()


LOST = "Connection lost"
BACK_SECONDS = 5.0


def moves(page: Any) -> Any:
    return page.get_by_role("list", name="Moves").get_by_role("listitem")


PROCESS_MS = 30_000
"""The time for a replay, with the start of its process."""


async def middle(page: Any, place: str) -> tuple[float, float]:
    box = await page.get_by_role("gridcell", name=place).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def ghosts(page: Any) -> Any:
    return page.locator(".pieces .ghost")


def played(page: Any) -> Any:
    return page.locator(".moves li:not(.none)")
