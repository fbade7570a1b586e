"""The full screen without a terminal: tests send keys and clicks, and read the screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from textual import events
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot

from tablero import connect
from tablero.client.client import Client
from tablero.client.room import Room
from tablero.full_screen.app import TableroApp, Visit
from tablero.full_screen.board_widget import BoardWidget
from tablero.full_screen.table_screen import TableScreen
from tablero.playing.options import Preferences, ScreenOptions
from tablero_games import GAMES
from tablero_protocol.messages import NextPlayer

PATIENCE = 40.0


class Shown:
    """A person at a full screen."""

    def __init__(self, app: TableroApp, pilot: Pilot[Any]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def text(self) -> str:
        width, height = self.app.size
        visible_screen_stack.set(self.app._background_screens)
        strips = self.app.screen._compositor.render_strips(self.app.size)
        return "\n".join(strip.text.rstrip() for strip in strips[:height]) if width else ""

    @property
    def ply(self) -> int:
        """The ply of the screen's newest position; -1 without one."""
        screens = [each for each in self.app.screen_stack if isinstance(each, TableScreen)]
        table = screens[0].table if screens else None
        return -1 if table is None or table.turn is None else table.turn.ply

    @property
    def table(self) -> TableScreen:
        screen = next(each for each in self.app.screen_stack if isinstance(each, TableScreen))
        assert screen.table is not None
        return screen

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    def press_at_once(self, *keys: str) -> None:
        """Presses all keys before the first is handled, as over a slow connection."""
        for key in keys:
            letter = " " if key == "space" else ":" if key == "colon" else key if len(key) == 1 else None
            self.app.post_message(events.Key(_KEYS.get(key, key), letter))

    async def types(self, line: str) -> None:
        self.press_at_once("colon", *line)
        await self.press("enter")

    async def until(self, come: Callable[[], object]) -> None:
        """Waits until the condition is true."""
        try:
            async with asyncio.timeout(PATIENCE):
                wait = 0.005
                while not come():  # each look is slow, because the whole screen is drawn
                    await self.pilot.pause(wait)
                    wait = min(2 * wait, 0.1)
        except TimeoutError:
            raise AssertionError(f"It did not come about; the screen shows:\n{self.text}") from None

    async def settles(self) -> None:
        """Waits for five turns of the loop that paint nothing, because a new size needs several turns of
        layout.
        """
        painted = still = 0

        def count(compositor: Compositor, **_: object) -> None:
            nonlocal painted
            painted += 1
            _paint_nothing(compositor)

        with patch.object(Compositor, "render_update", count):
            while still < 5:
                before = painted
                await self.pilot.pause(0.02)
                still = still + 1 if painted == before else 0

    async def opens(self, page: type[Any]) -> None:
        await self.until(lambda: isinstance(self.app.screen, page))

    async def goes_beyond(self, ply: int) -> None:
        await self.until(lambda: self.ply > ply)

    async def shows(self, text: str) -> None:
        await self.until(lambda: text in self.text)

    async def click_on(self, target: str, button: int = 1) -> None:
        """Clicks on the drawing of a cell, an edge, a wall or a column."""
        widget = self.table.query_one("#board", BoardWidget)
        places: list[Any] = [None]

        def stays() -> bool:
            """Whether the target was at the same place twice: a new screen still moves its board."""
            if widget.board is not None:
                left, top, width, height = widget.board.area(target)
                at = widget._left + left + width // 2, widget._top + top + height // 2
                places.append((at, widget.region))
            return places[-1] is not None and places[-1] == places[-2]

        await self.until(stays)
        at, region = places[-1]
        await self.until(lambda: self.app.screen.region.contains(*(region.offset + at)))
        await self.pilot.click(widget, offset=at, button=button)


_KEYS = {" ": "space", "-": "minus", "=": "equals_sign", ":": "colon", "+": "plus"}


def _paint_nothing(compositor: Compositor, **_: object) -> None:
    """Skips painting without a terminal; `Shown.text` draws the screen when a test needs it."""
    compositor._dirty_regions.clear()


_parse_rules = Stylesheet._parse_rules
_parsed: dict[tuple[object, ...], list[RuleSet]] = {}


def _parse_once(stylesheet: Stylesheet, css: str, **about: Any) -> list[RuleSet]:
    """Parse a style sheet once for all screens of the same theme, not once for each screen."""
    key = css, *about.items(), *stylesheet._variables.items()
    if key not in _parsed:
        _parsed[key] = _parse_rules(stylesheet, css, **about)
    return _parsed[key]


@asynccontextmanager
async def a_screen(
    url: str,
    home: Path,
    *,
    size: tuple[int, int] = (80, 24),
    name: str = "Ana",
    join: str | None = None,
    theme: str = "dark",
    glyphs: Any = "ascii",
    options: ScreenOptions | None = None,
) -> AsyncIterator[Shown]:
    """A screen that shows the lobby, or a table with `join`.

    Only a person with `options` of their own is shown how a game is played.
    """
    preferences = Preferences(home / "screen.toml", options or ScreenOptions(lessons=tuple(GAMES)))
    app = TableroApp(Visit(server=url, name=name, join=join), preferences, theme=theme, glyphs=glyphs)
    with (
        patch.object(Compositor, "render_update", _paint_nothing),
        patch.object(Stylesheet, "_parse_rules", _parse_once),
    ):
        async with app.run_test(size=size) as pilot:
            shown = Shown(app, pilot)
            await shown.until(lambda: app.queue is not None)
            yield shown


class Rival:
    """The other player, who uses the library and plays the first legal move."""

    def __init__(self, client: Client, room: Room) -> None:
        self.client = client
        self.room = room
        self.plays = True
        room.next_player.subscribe(self._next_player)
        room.offers.subscribe(lambda _: None)

    async def _next_player(self, turn: NextPlayer) -> None:
        if self.plays and turn.seat is not None and turn.seat in turn.seats:
            move = GAMES[self.room.game].legal_moves(turn.view, turn.seat)[0]
            await self.room.play(move, turn.seat, turn.ply)


@asynccontextmanager
async def a_table(
    url: str,
    home: Path,
    game: str,
    *,
    screen: tuple[int, int] = (80, 24),
    glyphs: Any = "ascii",
    **options: Any,
) -> AsyncIterator[tuple[Shown, Rival]]:
    """Ana at the screen on seat 0, and Ben, who plays without the test's help, on seat 1."""
    async with connect(url, name="Ben") as ben:
        room = await ben.create_room(game, seat=1, **options)
        async with a_screen(url, home, size=screen, glyphs=glyphs, join=room.id) as ana:
            await ana.until(lambda: isinstance(ana.app.screen, TableScreen))
            await ana.until(lambda: ana.ply >= 0)
            await ana.pilot.pause()
            yield ana, Rival(ben, room)
