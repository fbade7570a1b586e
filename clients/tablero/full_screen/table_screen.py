"""The table: the board, the texts around it, and every key and click that plays on it.

Law: typed text goes only to the typed line. A key that answers a question never plays a move.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar, cast

from textual import work
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

from tablero_protocol.messages import Invited, NextPlayer, Offered, OfferKind, Said

from ..catalogue.speech import translate
from ..client.room import Room
from ..errors import Disconnected, Refused
from ..games import client_game
from ..playing import sentences, verbs
from ..playing.news import ConnectionBack, Entered, Gone, News, Told
from ..playing.options import Preferences
from ..playing.words import UsageError
from ..table_view.board import Deed
from ..table_view.canvas import GlyphSet
from ..table_view.table import TableView
from . import table_texts
from .board_widget import BoardWidget
from .dialogs import Confirm, Page
from .footer import Footer
from .keys import TABLE_KEYS, bindings, help_lines, show_in_footer
from .lessons import LessonScreen
from .order_queue import OrderQueue
from .tail import Tail

if TYPE_CHECKING:
    from .app import TableroApp


class TypedLine(Input):
    DEFAULT_CSS = """
    TypedLine { height: 1; border: none; padding: 0 1; display: none; background: $background; }
    """

    def __init__(self) -> None:
        super().__init__(id="line", select_on_focus=False)

    def open(self, before: str) -> None:
        """Open with `before` typed already, and take the very next key."""
        self.placeholder = translate("a move or a command (help lists them)")
        self.value = before
        self.display = True
        self.screen.set_focus(self)
        self.cursor_position = len(before)

    def close(self) -> None:
        self.value = ""
        self.display = False


_TICK = 0.1
"""Seconds between two updates of the clocks."""
_SIDE, _LEAST_SIDE = 34, 18
"""Columns beside the board: the usual number, and the minimum for showing anything."""


class TableScreen(Screen[None]):
    CSS = """
    TableScreen #title { height: 1; background: $panel; color: $foreground; padding: 0 1; text-style: bold; }
    TableScreen #middle { height: 1fr; }
    TableScreen #side { width: 34; padding: 0 1; background: $panel; }
    TableScreen #seats { height: auto; padding: 1 0; }
    TableScreen #moves { height: auto; max-height: 6; color: $foreground; padding: 0 0 1 0; }
    TableScreen #short { height: 1; padding: 0 1; display: none; }
    TableScreen #asked { height: 1; padding: 0 1; background: $accent; color: $background; display: none; }
    TableScreen #status { height: 1; padding: 0 1; background: $panel; color: $accent; text-style: bold; }
    """  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(TABLE_KEYS, first=("type", "say")),
        *(Binding(digit, f"digit('{digit}')", show=False) for digit in "0123456789"),
    ]

    def __init__(self, queue: OrderQueue, preferences: Preferences, glyphs: GlyphSet) -> None:
        super().__init__()
        self.queue = queue
        self.preferences = preferences
        self.glyphs: GlyphSet = glyphs
        self.heading, self.short = Static(id="title", markup=False), Static(id="short", markup=False)
        self.board = BoardWidget(glyphs, id="board")
        self.seats, self.moves = Static(id="seats"), Static(id="moves")
        self.tail = Tail(queue.lines, id="log")
        self.side = Vertical(self.seats, self.moves, self.tail, id="side")
        self.asked, self.status = Static(id="asked", markup=False), Static(id="status", markup=False)
        self.line = TypedLine()
        self.table: TableView | None = None
        self.note = ""
        """The note for this person, until the next key or turn."""
        self._was_our_turn = False

    def compose(self) -> ComposeResult:
        yield self.heading
        yield self.short
        yield Horizontal(self.board, self.side, id="middle")
        yield self.asked
        yield self.status
        yield self.line
        yield Footer()

    def on_mount(self) -> None:
        self.queue.news.subscribe(self._hear)
        self.set_interval(_TICK, self._tick)
        self.board.focus()
        if (room := self.queue.table.room) is not None:
            self._sit_down(room)
        else:  # we have gone from it while this screen was made
            cast("TableroApp", self.app).show_lobby()

    def on_unmount(self) -> None:
        self.queue.news.unsubscribe(self._hear)

    def _hear(self, news: News) -> None:
        match news:
            case NextPlayer():
                self._next_player(news)
            case Told(line, is_note=True):
                self._noted(line)
            case Told():
                self.tail.refresh()
            case Entered(room):
                self._sit_down(room)
            case ConnectionBack():
                self._noted("")  # the state of the game is more useful than "reconnected"
            case Said() | Offered() | Invited():
                self._ring(translate("New message."), is_our_turn=False)
                self.show_all()
            case Gone():
                cast("TableroApp", self.app).show_lobby()
            case _:
                self._show_title()
                self.show_all()

    # Events at the table

    def _sit_down(self, room: Room) -> None:
        self.table = table = TableView(room, translate)
        table.premoves_on = self.preferences.options.premoves
        table.size_wish = self.preferences.options.smaller
        self.note, self._was_our_turn = "", False
        for turn in list(room.turns.values()):
            table.hear(turn)
        self.queue.client.start(self._fill_in(table))
        show_in_footer(self, TABLE_KEYS, room.game)
        self._show_title()
        self._lay_out()
        self.show_all()
        if table.turn is not None and room.game not in self.preferences.options.lessons:
            self._introduce(room, table.turn)

    async def _fill_in(self, table: TableView) -> None:
        """Fill in the moves played before we came."""
        with suppress(Refused, Disconnected):
            table.fill_in(await table.room.history())
            self.show_all()

    def _next_player(self, turn: NextPlayer) -> None:
        table = self.table
        if table is None or turn.room != table.room.id:
            return
        before = table.turn
        ahead = table.hear(turn)
        self.note = ""
        if ahead is not None:
            self.queue.give(self.queue.orders.play, ahead)
        is_ours = table.is_our_turn
        if is_ours and not self._was_our_turn and ahead is None:
            self._ring(f"{sentences.title_of(table.game)}: {translate('Your turn.')}", is_our_turn=True)
        self._was_our_turn = is_ours
        if before is None:
            self._lay_out()
        self.show_all(is_new=before is None or before.ply != turn.ply)
        if table.room.game not in self.preferences.options.lessons:
            self._introduce(table.room, turn)

    def _introduce(self, room: Room, turn: NextPlayer) -> None:
        """Teach a game that this person plays for the first time: at once if nobody waits, else by a hint."""
        if not room.seats or turn.outcome or not client_game(room.game).lessons:
            return
        self.preferences.change(lessons=(*self.preferences.options.lessons, room.game))
        people = [each for each in room.table.seats if each is not None and not each.bot]
        is_alone = {each.id for each in people} == {self.queue.client.player.id}
        if is_alone and room.table.clock is None and len(turn.seats) == 1:  # in a race all play at once
            self.action_lessons()
        else:
            told = translate("New to {game}? H: see how it's played.", game=sentences.title_of(room.game))
            self._noted(told)

    def _ring(self, why: str, *, is_our_turn: bool) -> None:
        cast("TableroApp", self.app).ring(why, is_our_turn=is_our_turn)

    def _noted(self, line: str) -> None:
        self.note = line
        self.tail.refresh()
        self.show_all()

    # Drawing

    def on_resize(self) -> None:
        self._lay_out()
        self.call_after_refresh(self.show_all)

    def _lay_out(self) -> None:
        """Give space to the board first, then the clocks, then the news, then the rest."""
        width, height = self.size
        side = min(_SIDE, width - self._board_width(height) - 1)
        beside = side >= _LEAST_SIDE and height >= 8
        self.side.display = beside
        self.side.styles.width = max(side, _LEAST_SIDE)
        self.heading.display = height >= 14
        self.short.display = not beside and height >= 6
        self.query(Footer).set(display=height >= 20)
        self.status.display = height >= 3
        self.moves.styles.max_height = max(2, min(8, height // 3))

    def _board_width(self, height: int) -> int:
        """The board's best width at this height."""
        table = self.table
        if table is None or not table.view:
            return 40
        return table.board(max(self.size.width - _LEAST_SIDE - 1, 1), height - 4, self.glyphs).width

    def show_all(self, *, is_new: bool = False) -> None:
        """Draw everything. `is_new` tells that a move has just been played."""
        self.board.show(self.table, is_new=is_new)
        asked = table_texts.prompt(self.queue.table) if self.queue.table.question is not None else ""
        self.asked.display = bool(asked)
        _update(self.asked, Content(asked))
        self._tick()

    def _tick(self) -> None:
        """Update the clocks, the absences, and the countdown of a race."""
        table = self.table
        told = table_texts.status(table, self.queue.client, self.note)
        if (needed := self.board.missing) is not None and self.size.width > 0:
            told = f"{told} ({table_texts.too_small(needed, self.board.size)})"
        _update(self.status, Content(told))
        if table is None:
            return
        now, board = self.queue.client.server_now, self.board.board
        if self.side.display:
            width = max(self.side.size.width - 2, 10)
            _update(self.seats, table_texts.seat_lines(table, board, now, self.glyphs, width))
            _update(self.moves, table_texts.moves_text(table, width, 6))
        else:
            _update(self.short, Content(table_texts.short_seats(table, board, now, self.glyphs)))

    def _show_title(self) -> None:
        if self.table is not None:
            self.heading.update(Content(table_texts.title(self.table)))

    # Keys that play

    def action_digit(self, digit: str) -> None:
        if self.table is not None and (game := client_game(self.table.room.game)).by_digit:
            self._play(game.read_move(digit, None))

    def on_board_widget_chosen(self, event: BoardWidget.Chosen) -> None:
        self.action_deed(event.deed)

    def action_walk(self, right: int, up: int) -> None:
        self._with_table(lambda table: table.walk(right, up))

    def action_deed(self, deed: Deed) -> None:
        table = self.table
        if table is None or (deed != "play" and deed not in client_game(table.room.game).keys):
            return
        self._play_now(table.choose(deed))

    def _play(self, move: str) -> None:
        if self.table is not None:
            self._play_now(self.table.play_or_wait(move))

    def _play_now(self, move: str | None) -> None:
        """Give the order for `move`. If it is None, only this screen has changed."""
        self.note = ""
        if move is None:
            self.show_all()
        else:
            self.queue.give(self.queue.orders.play, move)

    def _answered(self) -> None:
        self.note = ""
        self.show_all()

    def action_unknown(self) -> None:
        self._with_table(TableView.go_to_unknown)

    def action_switch(self) -> None:
        self._with_table(TableView.switch)

    def action_cancel(self) -> None:
        self._with_table(TableView.cancel)

    def _with_table(self, deed: Callable[[TableView], object]) -> None:
        if self.table is not None:
            deed(self.table)
            self._answered()

    def action_rotate(self) -> None:
        """Rotate a wall. After the end, the same key offers a rematch."""
        if self.table is not None and self.table.is_over:
            self.action_offer("rematch")
        else:
            self._with_table(TableView.rotate)

    def action_step(self, by: int) -> None:
        self._with_table(lambda table: table.step(by))

    def action_turn(self) -> None:
        if self.table is not None:
            self.table.turned_by_hand = not self.table.turned_by_hand
            self._answered()

    def action_size(self, smaller: int) -> None:
        if self.table is not None:
            self.table.size_wish = max(0, self.table.size_wish + smaller)
            self.preferences.change(smaller=min(self.table.size_wish, 9))
            self._answered()

    def action_premoves(self) -> None:
        if self.table is not None:
            self.table.premoves_on = not self.table.premoves_on
            self.table.premove = None
            self.preferences.change(premoves=self.table.premoves_on)
            on = translate("Planned moves are on.")
            self._noted(on if self.table.premoves_on else translate("Planned moves are off."))

    def action_read(self, lines: int) -> None:
        self.tail.scroll_by(lines)

    # The typed line

    def action_type(self, before: str) -> None:
        if self.line.has_focus:
            raise SkipAction  # a colon in the typed line is text
        self.line.open(before)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        line = event.value.strip()
        self._close_line()
        if line:
            self._typed(line)

    def _typed(self, line: str) -> None:
        self.note = ""
        typed = verbs.read_line(line, "" if self.table is None else self.table.room.game)
        match typed.verb.name if typed is not None else "":
            case "leave" | "quit":
                self.action_leave()
            case "resign":
                self.action_resign()
            case "help":
                self.app.push_screen(Page(translate("Commands"), verbs.help_lines()))
            case _ if typed is not None:
                self.queue.give(typed.carry_out, self.queue.orders)
            case _:
                self._type_move(line)

    def _type_move(self, line: str) -> None:
        try:
            self._play(verbs.read_typed_move(self.queue.table, line))
        except UsageError as wrong:
            self._noted(str(wrong))

    def _close_line(self) -> None:
        self.line.close()
        self.board.focus()

    def key_escape(self) -> None:
        if self.line.has_focus:
            self._close_line()

    # Offers and ends

    def action_answer(self, yes: bool) -> None:
        if self.queue.table.question is not None:
            self.queue.give(self.queue.orders.answer, yes)

    def action_offer(self, what: OfferKind) -> None:
        table = self.table
        if what == "pause" and table is not None and table.turn is not None and table.turn.paused is not None:
            what = "continue"
        self.queue.give(self.queue.orders.offer, what)

    @work
    async def action_resign(self) -> None:
        room = self.queue.table.room
        if not self.queue.table.is_playing:
            self._noted(translate("You have no game to resign."))
            return
        question = Confirm(translate("Resign this game?"), translate("Resign"), translate("Keep playing"))
        if await self.app.push_screen_wait(question) and self.queue.table.room is room:
            self.queue.give(self.queue.orders.resign)

    @work
    async def action_leave(self) -> None:
        if self.queue.table.is_playing:
            told = translate("If you leave now, you lose the game.")
            question = Confirm(told, translate("Leave"), translate("Stay"))
            if not await self.app.push_screen_wait(question):
                return
        self.queue.give(self.queue.orders.leave)

    def action_lessons(self) -> None:
        game = "" if self.table is None else self.table.room.game
        if client_game(game).lessons:
            self.app.push_screen(LessonScreen(game, self.glyphs))
        else:
            self._noted(translate("There are no lessons for this game."))

    def action_help(self) -> None:
        game = "" if self.table is None else self.table.room.game
        how = [sentences.how_to_move(game).capitalize(), ""] if game else []
        title = sentences.title_of(game) if game else translate("Help")
        self.app.push_screen(Page(title, [*how, *help_lines(TABLE_KEYS, game)]))


def _update(static: Static, content: Content) -> None:
    """Draw `content` if it has changed."""
    if static.content != content:
        static.update(content)
