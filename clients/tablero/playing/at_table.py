"""What the verbs of a table do, one method a verb: what one may say, offer and change there."""

from __future__ import annotations

from tablero.catalogue.speech import translate
from tablero.client.client import Client

from . import sentences, verbs
from .current_table import CurrentTable
from .narrator import Narrator
from .verbs import Command, UsageError


class AtTable:
    """As in Commands, every method raises UsageError or Refused, and has changed nothing then."""

    def __init__(self, client: Client, table: CurrentTable, narrator: Narrator) -> None:
        self._client = client
        self._table = table
        self._narrator = narrator

    async def do_say(self, command: Command) -> None:
        if not command.text:
            raise UsageError(translate("Say what: {usage}", usage=verbs.VERBS["say"].shown))
        room, welcome = self._table.here(), self._client.session.welcome
        only_phrases = welcome is not None and welcome.limits.chat == "phrases"
        phrase = verbs.find_phrase(command.text) if only_phrases else None
        if phrase is not None:
            await room.say_phrase(phrase)
        else:
            await room.say(command.text)

    async def do_board(self, _: Command) -> None:
        self._narrator.show_board(self._table.here(), self._table.position())

    async def do_clock(self, _: Command) -> None:
        told = sentences.clocks_line(self._table.here(), self._table.position(), self._client.server_now)
        self._narrator.note(told or translate("There are no clocks in this game."))

    async def do_history(self, _: Command) -> None:
        room = self._table.here()
        for line in sentences.history_lines(room, await room.history()):
            self._narrator.note(line)

    async def do_options(self, command: Command) -> None:
        """What is not named stays as it is."""
        given = verbs.read_options(command.words)
        room = self._table.here()
        options = {**room.options, **given.options} if given.options else {}
        await room.set_options(clock=given.clock, watchers=given.watchers, **options)

    async def do_free(self, command: Command) -> None:
        [seat] = verbs.read_seats(command, 1)
        await self._table.here().free_seat(seat)

    async def do_swap(self, command: Command) -> None:
        one, other = verbs.read_seats(command, 2)
        await self._table.here().swap_seats(one, other)

    async def do_begin(self, _: Command) -> None:
        await self._table.here().begin()

    async def do_resign(self, _: Command) -> None:
        room, seat = self._table.here(), self._table.seat()
        if not (self._narrator.display.asks and self._table.is_playing):
            await room.resign(seat)
            return

        async def resign() -> None:
            await room.resign(seat)

        self._table.ask(resign)
        self._narrator.note(translate("Type yes to give the game up."))

    async def do_draw(self, _: Command) -> None:
        await self._table.here().offer("draw", self._table.seat())

    async def do_takeback(self, _: Command) -> None:
        await self._table.here().offer("takeback", self._table.seat())

    async def do_pause(self, _: Command) -> None:
        await self._table.here().offer("pause", self._table.seat())

    async def do_continue(self, _: Command) -> None:
        await self._table.here().offer("continue", self._table.seat())

    async def do_addtime(self, _: Command) -> None:
        await self._table.here().add_time(self._table.seat())

    async def do_rematch(self, _: Command) -> None:
        await self._table.here().offer("rematch", self._table.seat())

    async def do_claim(self, command: Command) -> None:
        """The win, or a draw, from a side that stays away."""
        what = verbs.read_claim(command.words)
        await self._table.here().claim(what, self._table.seat())
