"""The line mode: one line for each event, one typed line for each command. Works for pipes and screen
readers.

Law: typed lines are carried out one after the other. In a pipe a move also waits for its turn, and `board`
for a position.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TypeAlias

from tablero.catalogue.speech import sentence, translate
from tablero.client.client import Client
from tablero.client.identity import GUEST
from tablero.client.room import Room
from tablero.errors import Disconnected, Refused
from tablero.event import Event
from tablero_games import GAMES
from tablero_games.position import View
from tablero_protocol.text import clean

from ..games import Menu, client_game
from ..playing import verbs
from ..playing.current_table import CurrentTable
from ..playing.narrator import Narrator
from ..playing.orders import NewTable, Orders
from ..playing.verbs import Typed
from ..playing.who import listed, named
from ..playing.words import UsageError
from .bell import Bell

NEEDS_A_POSITION = {"board", "menu"}
BY_NUMBER = sentence("Type numbers until the game is over. Any command ends the menu.")
AskWhile: TypeAlias = Callable[[str, Callable[[], bool]], Awaitable[str]]
"""Function that asks while a condition holds. Otherwise it ends the order that asks."""


class NoAnswer(Exception):
    """Raised if a line is not the answer to the question, but a command, a move or the end of input."""


class LineMode:
    """The line mode of a person or a script. `narrator` prints the events."""

    def __init__(
        self, client: Client, table: CurrentTable, narrator: Narrator, bell: Bell | None = None
    ) -> None:
        self.turned_away = False
        """Whether the table named on the command line refused us."""
        self.hosts_others: Callable[[], Awaitable[list[str]]] | None = None
        """Function that names the other people on a server that ends with us."""
        self._client = client
        self._table = table
        self._narrator = narrator
        self._bell = bell
        self._orders = Orders(client, table, narrator)
        self._menu = ByNumber(self._orders, self._ask)
        self._lines: deque[str] = deque()
        self._input_over = False
        self._busy = False
        """Whether a line is being carried out."""
        self._leaving = False
        self._news: Event[None] = Event()
        """Emitted when a line was typed or an event came."""
        table.news.subscribe(lambda _: self._news.emit(None))

    # Keyboard

    def begin(self, join: str | None = None) -> None:
        """Begin with the welcome and the table named on the command line, then carry out typed lines."""
        us = named(self._client.player)
        self._narrator.say(translate("You're {name}. Type help to list the commands.", name=us))
        if us.partition("-")[0] == GUEST:
            self._narrator.note(translate("To change your name: tablero play --name NAME"))
        self._client.start(self._run(join))

    def line(self, text: str) -> None:
        self._table.forget_own_question(text)
        typed = verbs.read_line(text)
        name = typed.verb.name if typed is not None and not typed.words else ""
        at_once = {"quit": self._ask_to_quit, "help": self._help}.get(name)
        if at_once is not None and not self._narrator.display.moves_wait:
            at_once()  # everything that is still unanswered
        elif text.strip() and not self._leaving:
            self._lines.append(text)
            self._news.emit(None)
            if (self._busy or len(self._lines) > 1) and not self._client.is_open:
                self._narrator.postponed()

    def input_over(self) -> None:
        """Handle the end of input. Ctrl-D at a terminal doesn't mean to resign."""
        if self._narrator.display.moves_wait:
            self._input_over = True
            self._news.emit(None)
        elif not self._leaving:
            self.interrupted()
            self._client.finish()

    def interrupted(self) -> None:
        """End without telling the server, and warn about a running game."""
        room = self._table.room
        if room is not None and self._table.is_playing:
            kept = sentence("Your seat at table {table} is kept for a few minutes. Return as {name}.")
            us = named(self._client.player)
            self._narrator.note(translate(kept, table=clean(room.id), name=us))

    # One line after the other

    async def _run(self, join: str | None) -> None:
        if join is not None:
            self.turned_away = not await self._is_done(partial(self._orders.join, join))
        while (line := await self._next_line()) is not None:
            while self._has_to_wait(line, typed := self._read(line)):
                await self._client.next_of(self._news)
            await self._carry_out(line, typed)
        if not self._leaving:
            self._narrator.note(translate("End of input. Leaving."))
            self._quit()

    def _read(self, line: str) -> Typed | None:
        room = self._table.room
        return verbs.read_line(line, "" if room is None else room.game)

    async def _carry_out(self, line: str, typed: Typed | None) -> None:
        """Carry out a verb's order, or play a move."""
        match typed.verb.name if typed is not None else "":
            case "quit":
                self._ask_to_quit()
            case "help":
                self._help()
            case "menu":
                await self._is_done(self._menu.play)
            case "bell" if typed is not None and self._bell is not None:
                await self._is_done(partial(self._bell.choose, typed.words))
            case _ if typed is not None:
                await self._is_done(partial(typed.carry_out, self._orders))
            case _:
                await self._is_done(partial(verbs.play_typed, self._orders, line))

    async def _is_done(self, order: Callable[[], Awaitable[object]]) -> bool:
        self._busy = True
        try:
            return await self._orders.carry_out(order)
        except NoAnswer:
            return False
        finally:
            self._busy = False

    def _help(self) -> None:
        for line in (*verbs.help_lines(), *verbs.more_help(self._table.room)):
            self._narrator.note(line)

    async def _next_line(self, stands: Callable[[], bool] = lambda: True) -> str | None:
        """The next typed line while `stands` holds; None if there is no reason to wait any more."""
        while stands() and not self._lines:
            if self._leaving or (self._input_over and not self._worth_staying()):
                return None
            await self._client.next_of(self._news)
        return self._lines.popleft() if stands() else None

    async def _ask(self, prompt: str, stands: Callable[[], bool]) -> str:
        """The next line as the answer to a question, unless it is a command or a move in words."""
        if not stands():
            raise NoAnswer
        self._narrator.note(prompt)
        self._busy = False
        line = await self._next_line(stands)
        self._busy = True
        if line is None:
            raise NoAnswer
        if verbs.read_line(line) is not None or verbs.is_word_and_number(line):
            self._lines.appendleft(line)
            raise NoAnswer
        return line

    def _has_to_wait(self, line: str, typed: Typed | None) -> bool:
        """Whether a line of a pipe has to wait: a move for its turn, a verb for its position."""
        room = self._table.room
        if self._leaving or room is None or not self._narrator.display.moves_wait:
            return False
        if typed is not None:
            return typed.verb.name in NEEDS_A_POSITION and self._table.latest is None
        is_move = verbs.looks_like_move(line, room.game) and bool(room.seats)
        return is_move and room.table.state != "finished" and self._table.own_turn is None

    def _worth_staying(self) -> bool:
        """Whether the current game can go on without typing."""
        room = self._table.room
        if room is None or room.table.state in ("finished", "closed"):
            return False
        if not room.seats:
            return True
        to_move = [seat for turn in room.turns.values() for seat in turn.seats]
        return room.table.state == "playing" and not set(to_move) & set(room.seats)

    # The end

    def _ask_to_quit(self) -> None:
        """Quit, but ask first if a game would be lost or if other players use our server."""
        if self._table.question == self._quit_now:
            self._quit()
        elif self._narrator.display.asks and self._table.is_playing:
            self._table.question = self._quit_now
            told = translate("You're playing. Type yes to lose and quit; Ctrl-C keeps your seat.")
            self._narrator.note(told)
        elif self.hosts_others is not None:
            self._client.start(self._quit_unless_others_stay(self.hosts_others))
        else:
            self._quit()

    async def _quit_unless_others_stay(self, others_here: Callable[[], Awaitable[list[str]]]) -> None:
        if others := await others_here():
            self._table.question = self._quit_now
            told = translate(
                "Still on your server: {names}. If you quit, the server stops.", names=listed(others)
            )
            self._narrator.note(f"{told} {translate('Type yes to stop the server.')}")
        else:
            self._quit()

    async def _quit_now(self) -> None:
        self._quit()

    def _quit(self) -> None:
        self._leaving = True
        self._lines.clear()
        self._client.start(self._leave())

    async def _leave(self) -> None:
        room = self._table.room
        if room is not None and self._client.is_open:
            with suppress(Refused, Disconnected):
                await room.leave()
        self._client.finish()


class ByNumber:
    """The verb `menu`: choose a level if no game is running, then choose moves until the end."""

    def __init__(self, orders: Orders, ask: AskWhile) -> None:
        self._orders = orders
        self._table = orders.table
        self._ask = ask

    async def play(self) -> None:
        """Play by menus. Raises UsageError or Refused, as an order does."""
        room, narrator = self._table.room, self._orders.narrator
        if room is None or room.table.state == "finished":
            narrator.note(translate(BY_NUMBER))
            game, menu = next((each, its) for each in GAMES if (its := client_game(each).menu))
            options = dict(await menu.choose_options(lambda prompt: self._ask(prompt, lambda: True)))
            await self._orders.create(NewTable(game=game, options=options))
            room = self._table.here()
            await self._begun(room)
        elif (found := client_game(room.game).menu) is None:
            raise UsageError(translate("This game has no menu. Type its moves."))
        else:
            self._table.seat()
            self._table.position()
            narrator.note(translate(BY_NUMBER))
            menu = found
        await self._play_in(room, menu)

    async def _begun(self, room: Room) -> None:
        while self._table.room is room and self._table.latest is None:
            await self._orders.client.next_of(self._table.news)

    async def _play_in(self, room: Room, menu: Menu) -> None:
        narrator = self._orders.narrator

        def our_turn() -> bool:
            return self._table.room is room and self._table.own_turn is not None

        async def play(move: str) -> View:
            try:
                await self._orders.play(move)
            except Refused as refused:
                narrator.refused(refused)
            return self._table.position().view

        def show_map(_: View) -> None:
            if not narrator.display.boards:
                narrator.show_board(room, self._table.position())

        view = self._table.position().view
        await menu.run(view, lambda prompt: self._ask(prompt, our_turn), play, show_map)
