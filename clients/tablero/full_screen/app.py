"""The full-screen client: draws its first picture, then connects, and shows lobby and table in turn.

Law: slow imports happen after the first picture.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Middle
from textual.filter import Monochrome
from textual.screen import Screen
from textual.widgets import Static

from ..catalogue.speech import translate
from ..playing.options import GLYPH_NAMES, Preferences
from .palettes import THEMES, PlainLetters, WithoutColours, screen_themes

if TYPE_CHECKING:
    from ..client.client import Client
    from ..playing.local_server import LocalServer
    from ..table_view.canvas import GlyphSet
    from .order_queue import OrderQueue

WORDMARK = "T A B L E R O"


@dataclass(frozen=True, kw_only=True)
class Visit:
    """The server to visit and the player's name, from the command line."""

    server: str
    name: str
    join: str | None = None
    insecure: bool = False
    rename: bool = False
    hand_over: str | None = None
    """A code from another device, which makes this device that device's player."""
    replace: bool = False
    """Whether `hand_over` needs no confirmation."""
    passphrase: str | None = None


class TableroApp(App[int]):
    TITLE = "Tablero"
    CSS = """
    #hello { align: center middle; width: 100%; height: 100%; }
    #hello Static { width: 100%; text-align: center; }
    #wordmark { text-style: bold; color: $accent; }
    OptionList, OptionList:focus { border: none; }
    Input, Input:focus { border: none; }
    OptionList > .option-list--option-highlighted {
        background: $primary; color: $background; text-style: bold;
    }
    OptionList:blur > .option-list--option-highlighted {
        background: $background; color: $foreground; text-style: underline;
    }
    TableroApp:nocolor OptionList > .option-list--option-highlighted { text-style: bold reverse; }
    TableroApp:nocolor OptionList:blur > .option-list--option-highlighted { text-style: underline; }
    """  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", show=False, priority=True),
        Binding("ctrl+c", "quit_at_once", show=False, priority=True),
    ]
    ENABLE_COMMAND_PALETTE = True

    def __init__(
        self,
        visit: Visit,
        preferences: Preferences,
        *,
        theme: str,
        glyphs: GlyphSet,
        server: LocalServer | None = None,
    ) -> None:
        super().__init__()
        self.visit = visit
        self.preferences = preferences
        self.glyphs: GlyphSet = glyphs
        self.queue: OrderQueue | None = None
        self.server = server
        """The server started by this program, if any."""
        self._life: asyncio.Task[None] | None = None
        for each in screen_themes():
            self.register_theme(each)
        self.theme = theme
        if self.no_color:  # Textual would send shades of grey
            self._filters = [each for each in self._filters if not isinstance(each, Monochrome)]
            self._filters.append(WithoutColours())
        if glyphs == "ascii":
            self._filters.append(PlainLetters())
        self.set_keymap(dict(preferences.options.keys))

    def compose(self) -> ComposeResult:
        with Middle(id="hello"):
            yield Static(WORDMARK, id="wordmark")
            yield Static(translate("Connecting…"), id="connecting", markup=False)

    def on_mount(self) -> None:
        with suppress(NotImplementedError):  # this platform has no such signals
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.exit, 0)
        self.call_after_refresh(self.go)

    async def on_unmount(self) -> None:
        """End the server that the screen started, whatever ended the screen."""
        if self.server is not None:
            await self.server.stop()

    def end_server(self) -> None:
        """End the server that this program started, without waiting for it."""
        if self.server is not None:
            self.server.end()

    @work(exclusive=True, group="line")
    async def go(self) -> None:
        """Connect to one server after the other, until the person quits."""
        from .way_in import WayIn

        while await WayIn(self).hold():
            pass
        self.exit(0)

    def say_hello(self, text: str) -> None:
        """The text of the screen while there is no lobby."""
        while len(self.screen_stack) > 1:
            self.pop_screen()
        self.screen.query_one("#connecting", Static).update(text)

    def welcome(self, client: Client) -> None:
        """Show the lobby, and from now on lobby and table in turn."""
        from .lobby_screen import LobbyScreen
        from .order_queue import OrderQueue

        self.queue = queue = OrderQueue(client)
        self.preferences.played_at(client.address)
        self.push_screen(LobbyScreen(queue, self.preferences))
        for room in list(client.rooms.values()):
            queue.table.go_to(room)
        if self.visit.join is not None:
            queue.give(queue.orders.join, self.visit.join)
            self.visit = replace(self.visit, join=None)

    def show_table(self) -> None:
        from .table_screen import TableScreen

        if self.queue is None or any(isinstance(screen, TableScreen) for screen in self.screen_stack):
            return
        self.push_screen(TableScreen(self.queue, self.preferences, self.glyphs))

    def show_lobby(self) -> None:
        from .lobby_screen import LobbyScreen
        from .table_screen import TableScreen

        if any(isinstance(screen, TableScreen) for screen in self.screen_stack):
            while not isinstance(self.screen, LobbyScreen) and len(self.screen_stack) > 1:
                self.pop_screen()
            if isinstance(self.screen, LobbyScreen):
                self.screen.come_back()

    # Actions on every screen

    def action_next_theme(self) -> None:
        names = list(THEMES)
        self.choose_theme(
            names[(names.index(self.theme) + 1) % len(names)] if self.theme in names else names[0]
        )

    def choose_theme(self, name: str) -> None:
        self.theme = name
        self.preferences.change(theme=name)
        self.tell(translate("Theme: {theme}.", theme=translate(THEMES[name])))

    def choose_glyphs(self, name: GlyphSet) -> None:
        from .table_screen import TableScreen

        self.glyphs = name
        self.preferences.change(glyphs=name)
        for screen in self.screen_stack:
            if isinstance(screen, TableScreen):
                screen.glyphs = screen.board.glyphs = name
                screen.show_all()

    def action_next_bell(self) -> None:
        self.tell(self.preferences.next_bell())

    def ring(self, why: str, *, is_our_turn: bool) -> None:
        """Ring the bell for a person who looks elsewhere, if the options say so."""
        from ..playing.options import call

        def ring() -> None:
            if self._driver is not None:
                self._driver.write(call(why, os.environ))

        self.preferences.ring(ring, is_our_turn=is_our_turn)

    def tell(self, line: str) -> None:
        """Show a sentence only for this person."""
        if self.queue is not None:
            from ..playing.news import Told

            self.queue.news.emit(Told(line, is_note=True))

    def action_hand_over(self) -> None:
        from .hand_over import hand_over

        self.run_worker(hand_over(self))

    def action_another_server(self) -> None:
        from .way_in import WayIn

        self.run_worker(WayIn.choose_server(self))

    async def action_replay(self) -> None:
        from .replaying import choose_and_show

        await choose_and_show(self)

    async def action_lessons(self) -> None:
        from .lessons import choose_and_show

        await choose_and_show(self)

    async def action_quit(self) -> None:
        from .way_in import may_end

        async def ask_and_end() -> None:
            if await may_end(self):
                self.exit(0)

        self.run_worker(ask_and_end())

    def action_quit_at_once(self) -> None:
        """Quit at once (Ctrl-C). The server keeps the seat for some minutes."""
        self.exit(0)

    def action_command_palette(self) -> None:
        from textual.command import CommandPalette

        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(placeholder=translate("Search for a command")))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Fill the palette with themes, glyphs, and every command without arguments."""
        for name, title in THEMES.items():
            called = translate("Theme: {theme}.", theme=translate(title)).rstrip(".")
            yield SystemCommand(called, "", lambda name=name: self.choose_theme(name))
        for glyphs in GLYPH_NAMES:
            chosen: GlyphSet = glyphs
            yield SystemCommand(
                translate("Glyphs: {glyphs}", glyphs=glyphs), "", lambda name=chosen: self.choose_glyphs(name)
            )
        yield SystemCommand(translate("Rules"), translate("learn how a game is played"), self.action_lessons)
        yield SystemCommand(translate("Bell"), translate("off, on your turn, always"), self.action_next_bell)
        if self.queue is not None:
            yield from self._verbs(self.queue)

    def _verbs(self, queue: OrderQueue) -> Iterable[SystemCommand]:
        from ..playing.verbs import VERBS, Typed

        asks = {"resign", "leave"}
        for verb in VERBS.values():
            if " " not in verb.usage and verb.order is not None and verb.name not in asks:
                order = partial(queue.give, Typed(verb, [], "").carry_out, queue.orders)
                yield SystemCommand(verb.name, translate(verb.help), order)
