"""Pictures of the browser client for the docs: `make pictures` plays a little and writes docs/pictures/."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.clients.web.test_games import GAMES, by_the_rules, state, two_at_a_table
from tests.clients.web.test_minesweeper import Seen, begun, by_mouse, make_a_table, settled
from tests.harness.browser import Browsers, Served, browsers, expect, served
from tests.harness.wire import a_wire
from tests.layers import ROOT

FOLDER = ROOT / "docs" / "pictures"
MOST_BYTES = 150_000
DESKTOP: dict[str, Any] = {"viewport": {"width": 980, "height": 620}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 700},
    "has_touch": True,
    "is_mobile": True,
}


async def picture(page: Any) -> bytes:
    await page.mouse.move(0, 0)
    await page.evaluate("() => document.activeElement.blur()")
    await page.evaluate("() => Promise.all(document.getAnimations().map(each => each.finished))")
    return bytes(await page.screenshot())


async def of_a_game(people: Browsers, url: str, game: str, scheme: str) -> dict[str, bytes]:
    whole = GAMES[game]
    ana, ben = await two_at_a_table(people, url, whole.title, whole.size, **DESKTOP, color_scheme=scheme)
    phone = await people.page(ana.url, **PHONE, color_scheme=scheme)
    await phone.get_by_role("button", name="Only watch").click()
    turns, _ = by_the_rules(game)
    for seat, place in turns[:-1]:
        page = (ana, ben)[seat]
        await expect(state(page)).to_contain_text("Your turn")
        await page.get_by_role("gridcell", name=place).click()
    return {
        f"{game}-desktop-{scheme}": await picture(ana),
        f"{game}-phone-{scheme}": await picture(phone),
    }


async def of_a_minefield(people: Browsers, url: str, scheme: str) -> dict[str, bytes]:
    """A field for each screen, dug by what its numbers prove."""
    taken = {}
    for screen, options in (("desktop", DESKTOP), ("phone", PHONE)):
        page = await people.page(url, **options, color_scheme=scheme)
        await make_a_table(page, "Alone")
        await begun(page)
        for _ in range(2):
            mines, safe = (await Seen.on(page)).certain()
            for name in sorted(safe):
                if (await Seen.on(page)).looks[name] == "covered":  # another may have opened it
                    await by_mouse(page, "dig", name)
                    await settled(page)
        for name in sorted(mines)[:3]:
            await by_mouse(page, "flag", name)
            await settled(page)
        taken[f"minesweeper-{screen}-{scheme}"] = await picture(page)
    return taken


async def of_a_replay(people: Browsers, server: Served, scheme: str) -> dict[str, bytes]:
    async with a_wire(server) as ana, a_wire(server) as ben:
        await ana.hello("ana")
        await ben.hello("ben")
        room = (await ana.ask("createRoom", game="quoridor", options=GAMES["quoridor"].options, seat=0))[
            "room"
        ]
        await ben.ask("join", room=room)
        turns, _ = by_the_rules("quoridor")
        for ply, ((seat, _), move) in enumerate(zip(turns, GAMES["quoridor"].moves, strict=True)):
            await (ana, ben)[seat].ask("playTurn", room=room, seat=seat, ply=ply, move=move)
    page = await people.page(f"{server.url}replay/{room}#5", **DESKTOP, color_scheme=scheme)
    await expect(page.get_by_role("grid", name="Quoridor, board")).to_be_visible()
    return {f"replay-{scheme}": await picture(page)}


async def of_the_lobby(people: Browsers, url: str, scheme: str) -> dict[str, bytes]:
    page = await people.page(url, **DESKTOP, color_scheme=scheme)
    await expect(page.get_by_text("Bots: 1")).to_be_visible()
    return {f"lobby-{scheme}": await picture(page)}


async def pictures() -> dict[str, bytes]:
    """Each by a server of its own, where nobody has taken a name yet."""
    taken: dict[str, bytes] = {}
    for scheme in ("light", "dark"):
        async with served(bots=True) as server, browsers() as people:
            taken |= await of_the_lobby(people, server.url, scheme)
        async with served() as server, browsers() as people:
            taken |= await of_a_minefield(people, server.url, scheme)
        async with served() as server, browsers() as people:
            taken |= await of_a_replay(people, server, scheme)
        for game in GAMES:
            async with served() as server, browsers() as people:
                taken |= await of_a_game(people, server.url, game, scheme)
    return taken


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, taken in asyncio.run(pictures()).items():
        assert len(taken) <= MOST_BYTES, f"{name} is too large to be in a page: {len(taken)} bytes"
        (FOLDER / f"{name}.png").write_bytes(taken)
        print(f"docs/pictures/{name}.png")


if __name__ == "__main__":
    main()
