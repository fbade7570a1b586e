"""One game a board and one return in Firefox and in WebKit: guests come with whatever they have."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.harness.browser import address, served
from tests.harness.other_browsers import Person, a_person_with, in_each_browser
from tests.harness.web.minesweeper import Seen
from tests.harness.web.tables import GAMES, by_the_rules
from tests.harness.wire import Wire, a_server, a_wire

pytestmark = in_each_browser
CELL = "[role=gridcell]"


@asynccontextmanager
async def at_a_table(ana: Person, port: int, game: str, **options: Any) -> AsyncIterator[Wire]:
    """Ana comes by the link of Ben, who is no browser, and sits on the first seat."""
    async with a_wire(Port(port)) as ben:
        await ben.hello("ben")
        room = await ben.ask(
            "createRoom", game=game, options=options, seat=1, private=True, subscribe=["nextPlayer"]
        )
        await ana.open(address(port) + room["code"])
        await ana.taps("button", "Sit down")
        await ana.hears("Your turn")
        yield ben


class Port:
    def __init__(self, port: int) -> None:
        self.port = port


async def plays(rival: Wire, move: str, ply: int) -> None:
    """As soon as it is the turn of the second seat."""
    while not (
        turns := [each for each in rival.heard if each["type"] == "nextPlayer" and each["ply"] == ply]
    ):
        await rival.hear()
    answer = await rival.ask("playTurn", room=turns[0]["room"], seat=1, ply=ply, move=move)
    assert answer["type"] == "nextPlayer", answer


async def test_a_whole_game_of_each_kind(browser: str) -> None:
    async with a_server(seconds=120) as server, a_person_with(browser) as ana:
        for game, whole in GAMES.items():
            turns, winner = by_the_rules(game)
            async with at_a_table(ana, server.port, game, **whole.options) as ben:
                for ply, ((seat, place), move) in enumerate(zip(turns, whole.moves, strict=True)):
                    if seat == 0:
                        await ana.sees(_SHOWN, ply)
                        await ana.hears("Your turn")
                        await ana.taps(CELL, place)
                    else:
                        await plays(ben, move, ply)
                await ana.hears("You win" if winner == 0 else "wins")
                assert await ana.look("() => document.documentElement.scrollWidth <= innerWidth"), "it fits"


async def test_a_whole_minefield(browser: str) -> None:
    """Dug by what the numbers say, and where they say nothing at random: won or not, it comes to its end."""
    async with a_server(seconds=120) as server, a_person_with(browser) as ana:
        await ana.open(address(server.port))
        await ana.hears("People here: 1.")
        await ana.taps(".alone button", "Play Minesweeper alone")
        await ana.taps(".lessons button", "Close")  # a newcomer is shown how it is played
        await ana.sees("() => document.querySelectorAll('[role=gridcell]').length === 81")
        while not await ana.look("() => Boolean(document.querySelector('.status.ended'))"):
            seen = Seen(dict(label.split(", ", 1) for label in await ana.look(_LABELS)))
            mines, safe = seen.certain()
            covered = [name for name, look in seen.looks.items() if look == "covered" and name not in mines]
            name = min(safe) if safe else covered[0]
            await ana.taps(CELL, f"{name},")
            await ana.sees(_ANSWERED, name)


_SHOWN = "plies => document.querySelectorAll('.moves li:not(.none)').length === plies"
_LABELS = (
    "() => [...document.querySelectorAll('[role=gridcell]')].map(each => each.getAttribute('aria-label'))"
)
_ANSWERED = """name => {
    const cell = document.querySelector(`[data-place="${name}"]`);
    return !cell.classList.contains("ghost") && !cell.getAttribute("aria-label").endsWith(", covered");
}"""


async def test_a_server_that_was_killed_is_found_again(browser: str, tmp_path: Path) -> None:
    async with (
        served(f"sqlite:///{tmp_path}/games.db") as server,
        a_person_with(browser) as ana,
        at_a_table(ana, server.port, "connect-four"),
    ):
        await ana.sees("kind => document.querySelector(kind) !== null", CELL)
        await server.kill()
        await ana.hears("Connection lost")
        await ana.taps(CELL, "Column 4")
        await ana.hears("Your move will be sent")
        await server.start()
        await ana.hears("4. ben is away")  # the move was played; ben has no page that comes back
        assert await ana.look("() => document.querySelectorAll('.moves li').length") == 1
        assert not await ana.look("() => Boolean(document.querySelector('.banner.shown'))")
