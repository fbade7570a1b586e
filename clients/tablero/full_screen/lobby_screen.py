"""The lobby: a list of actions, and a list of running games."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option, OptionDoesNotExist

from tablero_games import GAMES
from tablero_protocol.messages import Invited, LobbyChanged, LobbyList, Presence, RoomLine, SeekLine

from ..catalogue.speech import sentence, translate
from ..client.addresses import typed
from ..errors import Disconnected, Refused
from ..games import client_game
from ..playing import results, sentences, verbs
from ..playing.lobby import STATES, NewSeek, own_rooms, seek_line
from ..playing.news import Entered, News, Told
from ..playing.options import Preferences
from ..playing.orders import NewTable
from ..playing.sentences import clock_of, options_of
from ..playing.who import named, seated
from ..table_view.lobby import LobbyView
from . import table_texts
from .computer import Computer
from .create import Create
from .dialogs import AskLine, Choice, Choose, Page, open_dialog
from .footer import Footer
from .keys import LOBBY_KEYS, bindings, help_lines, show_in_footer
from .order_queue import OrderQueue
from .way_in import WayIn

if TYPE_CHECKING:
    from .app import TableroApp

_MENU = (
    ("play_computer", sentence("Play the computer")),
    ("play_now", sentence("Play now")),
    ("new_table", sentence("Create a table")),
    ("join", sentence("Join by code")),
    ("watch", sentence("Watch a game")),
    ("games", sentence("My games")),
    ("best", sentence("Leaderboard")),
    ("replay", sentence("Replay a game")),
    ("server", sentence("Another server")),
    ("quit", sentence("Quit")),
)
_MOST_LINES = 200
_BOT_SECONDS = 15.0
"""Seconds to wait for the bots of a server that has just started."""


class LobbyScreen(Screen[None]):
    CSS = """
    LobbyScreen #title { height: 1; background: $panel; padding: 0 1; text-style: bold; }
    LobbyScreen #lists { height: 1fr; }
    LobbyScreen.-narrow #lists { layout: vertical; }
    LobbyScreen OptionList { border: none; background: $background; padding: 1 1; }
    LobbyScreen #menu { width: 30; height: 1fr; background: $panel; }
    LobbyScreen.-narrow #menu { width: 1fr; height: 10; padding: 0 1; }
    LobbyScreen.-flat #menu { height: 1fr; }
    LobbyScreen.-flat #right { display: none; }
    LobbyScreen #live { width: 1fr; height: 1fr; }
    LobbyScreen #asked { height: 1; padding: 0 1; background: $accent; color: $background; display: none; }
    LobbyScreen #status { height: 1; padding: 0 1; background: $panel; color: $accent; text-style: bold; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(
            (key for key in LOBBY_KEYS if key.action != "select"), first={key.name for key in LOBBY_KEYS}
        )
    ]

    def __init__(self, queue: OrderQueue, preferences: Preferences) -> None:
        super().__init__()
        self.queue = queue
        self.preferences = preferences
        self.lobby = LobbyView()
        self.game: str | None = None
        """The game of the list, if only one game is shown."""
        self.note = ""
        self._is_covered = False
        queue.client.lobby.subscribe(self._lobby_changed)
        queue.news.subscribe(self._hear)

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="lists"):
            menu = [Option(Content(translate(title)), id=action) for action, title in _MENU]
            yield OptionList(*menu, id="menu", markup=False)
            with Vertical(id="right"):
                yield OptionList(id="live", markup=False)
        yield Static(id="asked", markup=False)
        yield Static(id="status", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        self.queue.orders.lobby.is_watched = True
        self.queue.client.start(self._look())
        self.query_one("#menu", OptionList).highlighted = 0
        self.query_one("#menu").focus()
        show_in_footer(self, LOBBY_KEYS, "")
        self._show_head()

    def on_unmount(self) -> None:
        self.queue.orders.lobby.is_watched = False
        self.queue.client.lobby.unsubscribe(self._lobby_changed)
        self.queue.news.unsubscribe(self._hear)

    async def _look(self) -> None:
        with suppress(Refused, Disconnected):
            self._lobby_changed(await self.queue.client.watch_lobby())

    def _lobby_changed(self, news: LobbyList | LobbyChanged) -> None:
        self.lobby.hear(news)
        self._show_live()

    def _hear(self, news: News) -> None:
        match news:
            case Entered():  # until we come back, the table hears the news
                self.queue.news.unsubscribe(self._hear)
                cast("TableroApp", self.app).show_table()
            case Invited() if self.is_current:
                cast("TableroApp", self.app).ring(table_texts.invitation(news), is_our_turn=False)
            case Told(line):
                self.note = line
        if not self._is_covered:
            self._show_head()

    def come_back(self) -> None:
        """Hear the news again, and show the last line that was told at the table."""
        self.queue.news.subscribe(self._hear)
        self.note = self.queue.lines[-1] if self.queue.lines else ""

    # Drawing

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        self.set_class(width < 64, "-narrow")
        self.set_class(width < 64 and height < 18, "-flat")
        self.query_one(Footer).display = height >= 12
        self.query_one("#title").display = height >= 10
        self._show_live()

    def on_screen_suspend(self) -> None:
        """Stop drawing under another screen. Under a dialog the lobby stays visible."""
        self._is_covered = not self.app.screen.is_modal

    def on_screen_resume(self) -> None:
        self._is_covered = False
        self._show_head()
        self._show_live()

    def _noted(self, line: str) -> None:
        self.note = line
        self._show_head()

    def _show_head(self) -> None:
        """The title, the question and the status line."""
        if not self.is_attached:
            return
        client = self.queue.client
        where = typed(client.address)
        self.query_one("#title", Static).update(Content(f"Tablero - {named(client.player)} - {where}"))
        asked = table_texts.prompt(self.queue.table)
        self.query_one("#asked").display = bool(asked)
        self.query_one("#asked", Static).update(Content(asked))
        self.query_one("#status", Static).update(Content(table_texts.status(None, client, self.note)))

    def _show_live(self) -> None:
        """Show the running games. The chosen line stays chosen."""
        if not self.is_attached or self._is_covered:
            return
        live = self.query_one("#live", OptionList)
        chosen = live.get_option_at_index(live.highlighted).id if live.highlighted is not None else None
        live.clear_options()
        live.add_options(self._live_options())
        if chosen is not None:
            with suppress(OptionDoesNotExist):  # the line is gone
                live.highlighted = live.get_option_index(chosen)

    def _live_options(self) -> list[Option]:
        rooms, seeks = self.lobby.rooms(self.game), self.lobby.seeks(self.game)
        shown = translate("Tables") if self.game is None else sentences.title_of(self.game)
        options = [_heading(shown)]
        options += [Option(Content(room_text(line)), id=f"room:{line.room}") for line in rooms[:_MOST_LINES]]
        if not rooms:
            options.append(_remark(translate("No open tables. Create one and it will appear here.")))
        if seeks:
            options.append(_heading(translate("Looking for an opponent")))
            options += [
                Option(Content(seek_line(line)), id=f"seek:{line.seek}") for line in seeks[:_MOST_LINES]
            ]
        options.append(_heading(translate("Here")))
        for player in self.lobby.players()[:_MOST_LINES]:
            us = player.id == self.queue.client.player.id
            name = f"{named(player)} ({translate('you')})" if us else named(player)
            options.append(Option(Content(f"  {name}"), id=f"player:{player.id}", disabled=us))
        return options

    # Choosing

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Highlight the first line of the list that gets the focus."""
        live = self.query_one("#live", OptionList)
        if event.widget is live and live.highlighted is None:
            live.action_first()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        chosen, orders = event.option_id or "", self.queue.orders
        kind, _, id = chosen.partition(":")
        if event.option_list.id == "menu":
            self.run_worker(self.run_action(chosen))
        elif kind == "room":
            line = self.lobby.room(id)
            seat_free = line is not None and line.state == "waiting" and None in line.seats
            self.queue.give(orders.join if seat_free else orders.watch, id)
        elif kind == "seek" and (seek := self.lobby.seek(id)) is not None:
            self.queue.give(orders.lobby.seek, _the_same(seek))
        elif kind == "player":
            self.challenge(id)

    @work
    async def challenge(self, id: str) -> None:
        """Create a table for two, and invite a player to its free seat."""
        player = self.lobby.player(id)
        if player is None:
            return
        if player.bot:
            await self.action_play_computer()
            return
        games = [Choice(game, sentences.title_of(game)) for game in GAMES]
        question = translate("Which game with {who}?", who=named(player))
        game = await self.app.push_screen_wait(Choose(question, games))
        if game is not None:
            self.queue.give(self._invite_to, player, game)

    async def _invite_to(self, player: Presence, game: str) -> None:
        await self.queue.orders.create(NewTable(game=game, options=dict(client_game(game).against)))
        await self.queue.orders.lobby.invite_player(player)

    def action_play_now(self) -> None:
        self.queue.give(self.queue.orders.lobby.seek, NewSeek())

    async def action_play_computer(self) -> None:
        def play(table: NewTable | None) -> None:
            if table is not None:
                self.queue.give(self._play, table)

        await open_dialog(self.app, Computer(), play)

    async def _play(self, table: NewTable) -> None:
        """Create the table. On a server that has just started, wait for its bots first."""
        client, level = self.queue.client, table.level
        until = client.now + _BOT_SECONDS
        while level is not None and not self.lobby.has_bot(table.game, level) and client.now < until:
            self._noted(translate("Waiting for the computer…"))
            news: LobbyList | LobbyChanged = await client.next_of(client.lobby)
            self.lobby.hear(news)
        self.note = ""
        await self.queue.orders.create(table)

    async def action_new_table(self) -> None:
        def create(table: NewTable | None) -> None:
            if table is not None:
                self.queue.give(self.queue.orders.create, table)

        await open_dialog(self.app, Create(), create)

    async def action_join(self) -> None:
        asked = AskLine(translate("Which table? Enter its code, number or link:"))
        await open_dialog(self.app, asked, self._join)

    def _join(self, where: str | None) -> None:
        if where is not None and "/" in where:
            self.app.run_worker(WayIn.follow(cast("TableroApp", self.app), where))
        elif where is not None:
            self.queue.give(self.queue.orders.join, where)

    def action_watch(self) -> None:
        self.queue.give(self.queue.orders.watch_best)

    @work
    async def action_games(self) -> None:
        try:
            own = await self.queue.client.list_rooms()
        except (Refused, Disconnected) as failed:
            self._noted(str(failed))
            return
        lines = own_rooms(own)
        if not own.rooms:
            await self.app.push_screen_wait(Page(translate("My games"), lines))
            return
        choices = [Choice(held.room, line) for held, line in zip(own.rooms, lines, strict=True)]
        room = await self.app.push_screen_wait(Choose(translate("My games"), choices))
        if room is not None:
            self.queue.give(self.queue.orders.join, room)

    async def action_best(self) -> None:
        games = [Choice(game, sentences.title_of(game)) for game in GAMES]
        await open_dialog(self.app, Choose(translate("Leaderboard of which game?"), games), self._show_best)

    def _show_best(self, game: str | None) -> None:
        if game is not None:
            self.queue.give(self._show_leaders, game)

    async def _show_leaders(self, game: str) -> None:
        client = self.queue.client
        if client_game(game).alone:
            lines = results.best_times(await client.show_times())
        else:
            lines = results.leaders(await client.show_ratings(game))
        title = translate("Leaderboard: {game}", game=sentences.title_of(game))
        self.app.push_screen(Page(title, lines))

    async def action_filter(self) -> None:
        choices = [Choice("", translate("All games"))]
        choices += [Choice(game, sentences.title_of(game)) for game in GAMES]
        await open_dialog(
            self.app, Choose(translate("Show which game?"), choices, self.game or ""), self._show_game
        )

    def _show_game(self, game: str | None) -> None:
        if game is not None:
            self.game = game or None
            self._show_live()

    async def action_replay(self) -> None:
        await self.run_action("app.replay")

    async def action_server(self) -> None:
        await self.run_action("app.another_server")

    async def action_type(self) -> None:
        asked = AskLine(translate("Command"), "", translate("Type help to list all commands."))
        await open_dialog(self.app, asked, self._typed)

    async def _typed(self, line: str | None) -> None:
        if line == "help":
            self.app.push_screen(Page(translate("Commands"), verbs.help_lines()))
        elif line == "quit":
            await self.action_quit()
        elif line is not None:
            self.queue.type(line)

    def action_answer(self, yes: bool) -> None:
        if self.queue.table.question is not None:
            self.queue.give(self.queue.orders.answer, yes)
        elif not yes:
            self.queue.give(self.queue.orders.lobby.cancel_seek)

    async def action_help(self) -> None:
        await open_dialog(self.app, Page(translate("Help"), help_lines(LOBBY_KEYS, "")))

    async def action_quit(self) -> None:
        await self.run_action("app.quit")


def _the_same(seek: SeekLine) -> NewSeek:
    clock = None if seek.clock is None else seek.clock.model_dump(exclude_none=True)
    return NewSeek(game=seek.game, options=seek.options or {}, clock=clock, rated=seek.rated)


def _heading(text: str) -> Option:
    return Option(Content.styled(text, "bold"), disabled=True)


def _remark(text: str) -> Option:
    return Option(Content(f"  {text}"), disabled=True)


def room_text(line: RoomLine) -> str:
    """The game, the seated players, and unusual options."""
    seats = " - ".join(seated(line))
    clock = "" if line.clock is None else clock_of(line.clock)
    options = options_of(table_texts.unusual(line.game, line.options))
    state = "" if line.state == "waiting" else translate(STATES[line.state])
    rated = translate("rated") if line.rated else ""
    parts = (f"{sentences.title_of(line.game):<14}", seats, state, clock, options, rated)
    return "  " + "  ".join(part for part in parts if part)
