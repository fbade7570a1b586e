"""The orders of a person: enter and leave tables, answer, move, offer, and change the table.

Law: a refused order changes nothing. No order leaves a table for another; the current table does that, when
the other one is there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

from tablero.catalogue.refusals import in_words
from tablero.catalogue.speech import translate
from tablero.client.addresses import is_this_machine, page
from tablero.client.channel import Channel
from tablero.client.client import Client
from tablero.client.room import Room
from tablero.errors import Disconnected, Refused
from tablero_games import GAMES, BadOptions, Seat
from tablero_protocol.codes import Code
from tablero_protocol.messages import EVENTS, Invited, Offered, OfferKind
from tablero_protocol.text import clean

from . import sentences, words
from .current_table import CurrentTable
from .devices import DeviceOrders
from .lobby import LobbyOrders, free_bot
from .narrator import Narrator
from .words import UsageError


@dataclass(frozen=True, kw_only=True)
class NewTable:
    """A table to create, and the level of the bots to invite to its free seats, if any."""

    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options of the game."""
    seats: int | None = None
    private: bool = False
    watchers: bool = True
    rated: bool = False
    clock: Mapping[str, int] | None = None
    seat: Seat | None = 0
    level: str | None = None


@dataclass(frozen=True, kw_only=True)
class TableChanges:
    """The changes of a table. None means unchanged."""

    options: Mapping[str, Any] = field(default_factory=dict)
    clock: Mapping[str, int] | Literal["none"] | None = None
    watchers: bool | None = None


class Orders:
    """The orders. Each raises UsageError for nonsense, and Refused if the server refuses."""

    def __init__(self, client: Client, table: CurrentTable, narrator: Narrator) -> None:
        self.client = client
        self.table = table
        self.narrator = narrator
        self.lobby = LobbyOrders(client, table, narrator)
        self.devices = DeviceOrders(client, table, narrator)
        self._channel = Channel(client, subscribe=EVENTS)

    async def carry_out(self, order: Callable[[], Awaitable[object]]) -> bool:
        """Carry the order out. Return whether it succeeded; if not, the person is told why."""
        try:
            try:
                await order()
            except Refused as refused:
                await self._take_seat(refused)
                await order()
        except ValueError as wrong:  # UsageError above all
            self.narrator.note(str(wrong))
        except Refused as refused:
            self.narrator.refused(refused)
        except Disconnected:
            pass
        else:
            return True
        return False

    async def _take_seat(self, refused: Refused) -> None:
        """Move the needed seat here from another device of ours."""
        if refused.reason != "playedElsewhere" or self.table.room is None:
            raise refused
        await self.table.room.take_seat(self.table.seat())

    # Ways to a table

    async def create(self, table: NewTable) -> None:
        self._check_may_go()
        level = None
        if table.level is not None:  # a table for a bot is created only if such a bot is here now
            level = free_bot(await self.lobby.look(), table.game, table.level)
            if _has_one_seat(table):
                table = replace(table, seat=None)
                self.narrator.note(translate("The bot plays alone, and you watch."))
        await self._or_leave_first(partial(self._create, table, level))

    async def _create(self, table: NewTable, level: str | None) -> None:
        opened = partial(
            self.client.create_room,
            table.game,
            seats=table.seats,
            private=table.private,
            watchers=table.watchers,
            rated=table.rated,
            clock=table.clock,
            seat=table.seat,
            **table.options,
        )
        room = await self._come(opened)
        if level is None and self.narrator.display.asks:
            self._tell_how_a_friend_comes(room)
        for seat, player in enumerate(room.table.seats):
            if player is None and level is not None:
                await self.lobby.invite_bot(room, seat, f"{table.game}:{level}")

    def _tell_how_a_friend_comes(self, room: Room) -> None:
        if None not in room.table.seats or room.code is None:
            return
        link = page(self.client.address, clean(room.code))
        self.narrator.note(translate("Link for your friend's browser: {link}", link=link))
        self.narrator.note(
            translate("For a terminal: {command}", command=" ".join(("tablero", "play", link)))
        )
        if is_this_machine(self.client.address):
            told = translate("The server answers only this computer. For other devices, start it with --lan.")
            self.narrator.note(told)

    async def join(self, table: str, seat: Seat | None = None) -> None:
        """Sit down, or watch if the table is full. `table` is a word for `LobbyOrders.where`."""
        here = self.table.room
        if here is None or not words.is_same_table(table, here.id, here.code):
            self._check_may_go()
        await self._join(**await self.lobby.where(table), seat=seat)

    async def watch(self, table: str) -> None:
        self._check_may_go()
        await self._join(**await self.lobby.where(table), watch=True)

    async def _join(self, **where: Any) -> None:
        await self._or_leave_first(partial(self._come, partial(self.client.join, **where)))

    async def watch_best(self, game: str | None = None) -> None:
        """Watch the game that the server chooses, unless a game of ours is running."""
        self._check_may_go()
        await self._channel.switch_on(game)
        self.narrator.note(translate("Watching the best public games. Type tv off to stop."))

    async def stop_watching_best(self) -> None:
        if not self._channel.is_on:
            raise UsageError(translate("TV is off. Type tv to watch public games."))
        await self._channel.switch_off()

    async def leave(self) -> None:
        room = self.table.here()
        if room is self._channel.room:
            await self._channel.switch_off()
        elif self.narrator.display.asks and self.table.is_playing:
            self.table.ask(room.leave)
            self.narrator.note(translate("You're playing. Type yes to leave and lose the game."))
        else:
            await room.leave()

    async def _come(self, arrive: Callable[..., Awaitable[Room]]) -> Room:
        """Enter a room with all events subscribed from the start, so that no first move is missed."""
        await self._channel.switch_off(leave=False)  # the current table is left when the new one is there
        here, known = self.table.room, set(self.client.rooms)
        seats = [] if here is None else here.seats
        room = await arrive(subscribe=EVENTS)
        if room is here and room.seats == seats:
            self.narrator.note(translate("You're already at this table."))
        elif room.id in known:
            self.table.go_to(room)
        return room

    async def _or_leave_first(self, come: Callable[[], Awaitable[object]]) -> None:
        """Enter a room. At the limit of tables, ask whether to leave the current one, or its rematch."""
        here = self.table.room

        async def leave_first() -> None:
            assert here is not None
            await here.leave()
            await come()

        try:
            await come()
        except Refused as refused:
            if refused.code != Code.TOO_MANY_ROOMS or here is None or not self.table.may_go:
                raise
            self.table.question = leave_first
            why = in_words(refused.reason, refused.fields, refused.sentence)
            advice = translate("You can leave this table. Type yes to leave it and try again.")
            raise Refused(refused.code, f"{why} {advice}") from refused

    def _check_may_go(self) -> None:
        """Raise UsageError if a running game of ours would be left. Only the order `leave` may leave one."""
        if not self.table.may_go:
            raise UsageError(translate("You're at a table. Leave it first."))

    # Questions

    async def answer(self, yes: bool) -> None:
        """Answer the last question."""
        question = self.table.question
        if question is None:
            raise UsageError(translate("You have no invitation or offer to answer."))
        if isinstance(question, Invited) and yes:
            here = self.table.room
            if here is None or here.id != question.room:
                self._check_may_go()  # otherwise the question stays
        self.table.question = None
        if isinstance(question, Invited):
            await self._answer_invitation(question, yes)
        elif isinstance(question, Offered):
            await self.table.here().answer(question.offer, yes, self.table.seat())
        elif yes:
            await question()

    async def _answer_invitation(self, invited: Invited, yes: bool) -> None:
        if yes:
            await self._join(room=invited.room, seat=invited.seat, invite=invited.invite)
        else:
            await self.client.decline(invited.invite)
            self.narrator.say(translate("{you} decline.", you=translate("You")))

    # At the table

    async def play(self, move: str) -> None:
        """Play a move, which the server judges. In a script, a move after the end is refused here."""
        room, seat, ply = self.table.here(), self.table.seat(), self.table.position().ply
        if self.narrator.display.moves_wait and room.table.state == "finished":
            raise UsageError(translate("The game is over. {move} was not played.", move=clean(move)))
        await room.play(move, seat, ply)

    async def offer(self, what: OfferKind) -> None:
        await self.table.here().offer(what, self.table.seat())

    async def add_time(self) -> None:
        await self.table.here().add_time(self.table.seat())

    async def claim(self, what: Literal["win", "draw"]) -> None:
        """Claim a win or a draw because the other side stays away."""
        await self.table.here().claim(what, self.table.seat())

    async def resign(self) -> None:
        resign = partial(self.table.here().resign, self.table.seat())
        if self.narrator.display.asks and self.table.is_playing:
            self.table.ask(resign)
            self.narrator.note(translate("Resign? Type yes."))
        else:
            await resign()

    async def say(self, text: str) -> None:
        """Say `text` to the table. If only phrases are allowed, say the phrase that it means."""
        room, welcome = self.table.here(), self.client.session.welcome
        only_phrases = welcome is not None and welcome.limits.chat == "phrases"
        phrase = words.find_phrase(text) if only_phrases else None
        if phrase is not None:
            await room.say_phrase(phrase)
        else:
            await room.say(text)

    async def change(self, changes: TableChanges) -> None:
        """Change the table before its game begins."""
        room = self.table.here()
        options = {**room.options, **changes.options} if changes.options else {}
        await room.set_options(clock=changes.clock, watchers=changes.watchers, **options)

    # Printed information

    def tell(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.narrator.say(line)

    async def show_board(self) -> None:
        self.narrator.show_board(self.table.here(), self.table.position())

    async def show_clocks(self) -> None:
        told = sentences.clocks_line(self.table.here(), self.table.position(), self.client.server_now)
        self.narrator.note(told or translate("There are no clocks in this game."))

    async def show_history(self) -> None:
        room = self.table.here()
        for line in sentences.history_lines(room, await room.history()):
            self.narrator.note(line)


def _has_one_seat(table: NewTable) -> bool:
    """Whether only one can play at this table. Wrong options are left to the server."""
    game = GAMES.get(table.game)
    if game is None:
        return False
    try:
        return game.count_seats(table.seats, game.read_options(dict(table.options))) == 1
    except BadOptions:
        return False
