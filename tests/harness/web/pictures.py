"""Pictures of the browser client for the docs: `make pictures` plays a little and writes docs/pictures/.

`make pictures ARGS="--every FOLDER"` also writes each scene at four widths to a folder, to look at.
"""

from __future__ import annotations

import asyncio
import re
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import tablero_games as rules
from tests.harness.browser import Browsers, Served, browsers, expect, served
from tests.harness.hands import MOUSE
from tests.harness.host import a_host
from tests.harness.tree import ROOT
from tests.harness.web.minesweeper import Seen, begun, dig, flag, make_a_table, settled
from tests.harness.web.tables import GAMES, by_typing, state, two_at_a_table
from tests.harness.wire import a_table, a_wire

FOLDER = ROOT / "docs" / "pictures"
MOST_BYTES = 150_000
DESKTOP: dict[str, Any] = {"viewport": {"width": 980, "height": 640}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}

TALL = {**PHONE, "viewport": {"width": 390, "height": 844}}

MIDDLES = {
    "tic-tac-toe": "b2 a1 c1 a3",
    "connect-four": "3 4 3 3 3 4 3 4 4 5 3 4",
    "dots-and-boxes": (
        "c2v e2h e1h a3v a4h a5v d3v e4v e3v d5h d1v d2h c3h d6h e2v b4v b4h f1v e1v d1h b2v e5v d5v f3v e4h "
        "e3h f2v c1v c5v a2v c4v b5h a1h e6h"
    ),
    "quoridor": (
        "e2 e8 e3 e7 e2h e6 e4 e5 e6 d6v f6 e6h g6 g6h g5 h5v d4h c5h f5 a5h f4 f3v e4v c2h a2h f4h "
        "f3 h3v e3 e6"
    ),
}
"""The middle of games between the bundled bots, on boards with default options."""


SIZES = ((390, 844), (320, 568), (1440, 900), (2560, 1440))
"""The viewports of `--every`. The smallest ones come first: a bubble on a phone goes after 5 s."""


class Camera:
    """The pictures taken for the docs, and the folder for those at every size, if there is one."""

    def __init__(self, every: Path | None) -> None:
        self._every = every
        self.taken: dict[str, bytes] = {}

    async def take(self, page: Any, name: str, in_docs: bool = True) -> None:
        await page.mouse.move(0, 0)
        await page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
        if in_docs:
            self.taken[name] = await self._picture(page)
        if self._every is not None:
            before = page.viewport_size
            for width, height in SIZES:
                await page.set_viewport_size({"width": width, "height": height})
                (self._every / f"{name}-{width}.png").write_bytes(await self._picture(page))
            await page.set_viewport_size(before)

    async def _picture(self, page: Any) -> bytes:
        await page.evaluate("() => Promise.all(document.getAnimations().map(each => each.finished))")
        return bytes(await page.screenshot())


async def of_a_game(camera: Camera, people: Browsers, url: str, game: str, scheme: str) -> None:
    """Pictures of a running game: Ana at a computer is to move, Ben at a phone waits."""
    looks = {"color_scheme": scheme}
    ana, ben = await two_at_a_table(
        people, url, GAMES[game].title, guest={**PHONE, **looks}, **DESKTOP, **looks
    )
    for seat, move in _turns(game):
        page = (ana, ben)[seat]
        await expect(state(page)).to_contain_text("Your turn")
        await by_typing(page, move)
    await expect(state(ana)).to_contain_text("Your turn")
    await camera.take(ana, f"{game}-desktop-{scheme}")
    await camera.take(ben, f"{game}-phone-{scheme}")


def _turns(game: str) -> list[tuple[int, str]]:
    """The moves with their players, up to Ana's turn in the middle of the game."""
    position, turns = rules.GAMES[game].start(2), list[tuple[int, str]]()
    for move in MIDDLES[game].split():
        (seat,) = position.to_move
        turns.append((seat, move))
        position = position.play(seat, move)
    assert set(position.to_move) == {0}
    return turns


async def of_a_minefield(camera: Camera, people: Browsers, url: str, scheme: str) -> None:
    """Pictures of a minefield for each screen. All cells that the numbers prove safe are dug."""
    for screen, options in (("desktop", DESKTOP), ("phone", PHONE)):
        page = await people.page(url, **options, color_scheme=scheme)
        await make_a_table(page, "Alone")
        await begun(page)
        for _ in range(2):
            mines, safe = (await Seen.on(page)).certain()
            for name in sorted(safe):
                if (await Seen.on(page)).looks[name] == "covered":  # another dig may have opened it
                    await dig(page, MOUSE, name)
                    await settled(page)
        for name in sorted(mines)[:3]:
            await flag(page, MOUSE, name)
            await settled(page)
        await camera.take(page, f"minesweeper-{screen}-{scheme}")


async def of_a_replay(camera: Camera, people: Browsers, server: Served, scheme: str) -> None:
    async with a_wire(server) as ana, a_wire(server) as ben:
        await ana.hello("ana")
        await ben.hello("ben")
        room = (await ana.ask("createRoom", game="quoridor", seat=0))["room"]
        await ben.ask("join", room=room)
        for ply, (seat, move) in enumerate(_turns("quoridor")):
            await (ana, ben)[seat].ask("playTurn", room=room, seat=seat, ply=ply, move=move)
        await ben.ask("resign", room=room)
    page = await people.page(f"{server.url}replay/{room}#20", **DESKTOP, color_scheme=scheme)
    await expect(page.get_by_role("grid", name="Quoridor, board")).to_be_visible()
    await camera.take(page, f"replay-{scheme}")


async def of_an_end(camera: Camera, people: Browsers, server: Served, scheme: str) -> None:
    """Pictures of a rated rematch that Ben has won after a loss: his card, while Ana asks for another."""
    async with a_wire(server, address="127.0.0.2") as ana:
        await ana.hello("ana")
        made = await ana.ask(
            "createRoom", game="connect-four", seat=0, rated=True, clock={"base": 300, "increment": 5}
        )
        ben = await people.page(server.url + made["code"], **TALL, color_scheme=scheme)
        await ben.get_by_label("Your name").fill("ben")
        await ben.get_by_role("button", name="Sit down").click()
        room, seat = made["room"], 0
        for last in (False, True):
            await expect(state(ben)).to_contain_text(re.compile("ana is thinking|Your turn"))
            for ply in range(7):
                if ply % 2 == seat:
                    await ana.ask("playTurn", room=room, seat=seat, ply=ply, move=str(4 - seat))
                else:
                    await expect(state(ben)).to_contain_text("Your turn")
                    await by_typing(ben, str(3 + seat))
                    await expect(state(ben)).to_contain_text(re.compile("ana is thinking|wins|You win"))
            await expect(ben.locator(".facts")).to_contain_text("→")
            await ana.ask("offer", room=room, seat=seat, what="rematch")
            again = ben.get_by_role("button", name="ana wants a rematch")
            await expect(again).to_be_visible()
            if not last:
                await again.click()
                while (news := await ana.hear()).get("type") != "joined":
                    pass
                room, seat = news["room"], 1
        await camera.take(ben, f"end-phone-{scheme}")


async def of_the_lobby(camera: Camera, people: Browsers, url: str, scheme: str) -> None:
    page = await people.page(url, **DESKTOP, color_scheme=scheme)
    await expect(page.get_by_text("Bots: 1")).to_be_visible()
    await camera.take(page, f"lobby-{scheme}")


async def of_a_lesson(camera: Camera, people: Browsers, url: str, scheme: str) -> None:
    """A picture of the lesson about a wall, answered, on a phone."""
    page = await people.page(url, **PHONE, color_scheme=scheme)
    await page.get_by_role("button", name="Create a table").click()
    await page.get_by_role("radio", name="Quoridor").check(force=True)
    await page.get_by_role("button", name="How to play Quoridor").click()
    lesson = page.get_by_role("dialog").last
    await lesson.get_by_role("button", name="Next lesson").click()
    await lesson.get_by_role("button", name="Place a wall").click()
    for _ in range(2):
        await lesson.get_by_role("gridcell", name="Wall c3h").tap()
    await expect(lesson.get_by_role("status")).to_contain_text("has to walk around")
    await camera.take(page, f"lesson-phone-{scheme}")


async def of_the_hosts_page(camera: Camera) -> None:
    async with a_host() as (host, server), a_table(server), browsers() as people:
        page = await people.page(host.url.removesuffix("api"), **DESKTOP)
        await page.get_by_label("Host token").fill(host.token)
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.locator("#players")).to_contain_text("ana")
        await camera.take(page, "host")


async def of_an_evening(camera: Camera, people: Browsers, server: Served, scheme: str) -> None:
    """Pictures of an invitation, a line of chat and an offer, as Ben sees them."""
    async with a_wire(server, address="127.0.0.2") as ana:
        await ana.hello("ana")
        made = await ana.ask(
            "createRoom", game="quoridor", seat=0, rated=True, clock={"base": 300, "increment": 5}
        )
        room = made["room"]
        ben = await people.page(server.url + made["code"], **TALL, color_scheme=scheme)
        await ben.get_by_label("Your name").fill("ben")
        await camera.take(ben, f"invitation-{scheme}", in_docs=False)
        await ben.get_by_role("button", name="Sit down").click()
        for ply, (seat, move) in enumerate(_turns("quoridor")):
            if seat == 0:
                await ana.ask("playTurn", room=room, seat=0, ply=ply, move=move)
            else:
                await expect(state(ben)).to_contain_text("Your turn")
                await by_typing(ben, move)
                await expect(state(ben)).to_contain_text("ana is thinking")
        await ana.ask("say", room=room, text="Well played! That wall was clever.")
        await expect(ben.get_by_text("That wall was clever.").first).to_be_attached()
        await camera.take(ben, f"chat-{scheme}", in_docs=False)
        await ana.ask("offer", room=room, seat=0, what="draw")
        await expect(ben.get_by_role("button", name="Accept")).to_be_visible()
        await camera.take(ben, f"offer-{scheme}", in_docs=False)


async def take_all(camera: Camera) -> None:
    """Takes each picture with a new server, where all names are free."""
    await of_the_hosts_page(camera)
    for scheme in ("light", "dark"):
        async with served(bots=True) as server, browsers() as people:
            await of_the_lobby(camera, people, server.url, scheme)
        async with served() as server, browsers() as people:
            await of_a_lesson(camera, people, server.url, scheme)
        async with served() as server, browsers() as people:
            await of_a_minefield(camera, people, server.url, scheme)
        async with served() as server, browsers() as people:
            await of_a_replay(camera, people, server, scheme)
        async with served() as server, browsers() as people:
            await of_an_end(camera, people, server, scheme)
        for game in GAMES:
            async with served() as server, browsers() as people:
                await of_a_game(camera, people, server.url, game, scheme)
        async with served() as server, browsers() as people:
            await of_an_evening(camera, people, server, scheme)


def main() -> None:
    parser = ArgumentParser(prog="python -m tests.harness.web.pictures")
    parser.add_argument("--every", type=Path, metavar="FOLDER", help="each scene at four widths, too")
    camera = Camera(parser.parse_args().every)
    FOLDER.mkdir(exist_ok=True)
    asyncio.run(take_all(camera))
    for name, taken in camera.taken.items():
        assert len(taken) <= MOST_BYTES, f"{name} is too large to be in a page: {len(taken)} bytes"
        (FOLDER / f"{name}.png").write_bytes(taken)
        print(f"docs/pictures/{name}.png")


if __name__ == "__main__":
    main()
