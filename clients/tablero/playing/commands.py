"""What the verbs do, one method a verb: ways to a table, answers to questions, and moves.

Law: whatever is refused has changed nothing. Nobody here leaves a table for another: the current table does,
when the other one is there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from tablero.brains import LEVEL_WORDS
from tablero.catalogue.refusals import in_words
from tablero.catalogue.speech import sentence, translate
from tablero.client.addresses import is_this_machine, page
from tablero.client.channel import Channel
from tablero.client.client import Client
from tablero.client.room import Room
from tablero.errors import Refused
from tablero_games import GAMES
from tablero_games.minesweeper.options import LEVELS
from tablero_protocol.codes import Code
from tablero_protocol.messages import EVENTS, Invited, Offered
from tablero_protocol.text import clean

from ..table_view.notation import read_move
from ..terminal import minesweeper_menu
from ..terminal.minesweeper_menu import View
from . import sentences, verbs
from .at_table import AtTable
from .current_table import NO_TABLE, CurrentTable
from .in_lobby import InLobby, free_bot
from .in_results import InResults
from .narrator import Narrator
from .own_devices import OwnDevices
from .verbs import Command, NewTable, UsageError

Ask = Callable[[str, Callable[[], bool]], Awaitable[str]]
"""Gives what is typed to a question; ends the command that asks when the question stands no more."""
MENU = sentence("Answer by number until the game is over; any command ends the menu.")


class Commands:
    """Every method raises UsageError for what makes no sense, and Refused for what the server refuses."""

    def __init__(
        self, client: Client, table: CurrentTable, narrator: Narrator, ask: Ask, *carriers: object
    ) -> None:
        """`carriers` carry out what needs this terminal."""
        self._client = client
        self._table = table
        self._narrator = narrator
        self._ask = ask
        self._channel = Channel(client, subscribe=EVENTS)
        self._lobby = InLobby(client, table, narrator)
        table_and_more = (AtTable(client, table, narrator), OwnDevices(client, table, narrator))
        self._carriers = (self, self._lobby, *table_and_more, InResults(client, narrator), *carriers)

    async def carry_out(self, line: str) -> None:
        room = self._table.room
        command = verbs.read_line(line, "" if room is None else room.game)
        if command is None:
            await self._move(line)
        else:
            name = f"do_{command.verb}"
            carrier = next((each for each in self._carriers if hasattr(each, name)), None)
            if carrier is None:
                raise UsageError(translate("Here a key does that: ? lists them all."))
            await getattr(carrier, name)(command)

    # Ways to a table

    async def do_create(self, command: Command) -> None:
        table = verbs.read_create(command.words, list(GAMES))
        self._check_may_go()
        level = None
        if table.bot is not None:  # only where there is such a bot now, a table is opened for it
            level = free_bot(await self._lobby.look(), table.game, table.bot)
        await self._or_leave_first(partial(self._create, table, level))

    async def _create(self, table: NewTable, level: str | None) -> None:
        room = await self._come(
            partial(self._client.create_room, table.game, **table.fields, **table.options)
        )
        if level is None and self._narrator.display.asks:
            self._tell_how_a_friend_comes(room)
        for seat, player in enumerate(room.table.seats):
            if player is None and level is not None:
                await self._lobby.invite_bot(room, seat, f"{table.game}:{level}")

    def _tell_how_a_friend_comes(self, room: Room) -> None:
        if None not in room.table.seats or room.code is None:
            return
        link = page(self._client.address, clean(room.code))
        self._narrator.note(translate("Send this to your friend, for a browser: {link}", link=link))
        self._narrator.note(
            translate("For a terminal: {command}", command=" ".join(("tablero", "play", link)))
        )
        if is_this_machine(self._client.address):
            self._narrator.note(
                translate("From another machine, use this machine's address in your network.")
            )

    async def do_join(self, command: Command) -> None:
        words = command.words
        if not words:
            raise UsageError(translate("Say which table: {usage}", usage=verbs.VERBS["join"].shown))
        seat = verbs.read_seat(words[1]) if len(words) > 1 else None
        here = self._table.room
        if here is None or not verbs.is_same_table(words[0], here.id, here.code):
            self._check_may_go()
        await self._join(**await self._lobby.where(words[0]), seat=seat)

    async def do_watch(self, command: Command) -> None:
        if not command.words:
            raise UsageError(translate("Say which table: {usage}", usage=verbs.VERBS["watch"].shown))
        self._check_may_go()
        await self._join(**await self._lobby.where(command.words[0]), watch=True)

    async def _join(self, **where: Any) -> None:
        await self._or_leave_first(partial(self._come, partial(self._client.join, **where)))

    async def do_tv(self, command: Command) -> None:
        """What the server chooses, as long as nothing of ours is under way."""
        if [word.lower() for word in command.words] == ["off"]:
            if not self._channel.is_on:
                raise UsageError(translate("You do not watch what is on: type tv"))
            await self._channel.switch_off()
            return
        game = verbs.choose(command.words[0], list(GAMES), verbs.NO_GAME) if command.words else None
        self._check_may_go()
        await self._channel.switch_on(game)
        self._narrator.note(translate("You watch the best public game, and then the next: tv off ends it."))

    async def do_leave(self, _: Command) -> None:
        room = self._table.here()
        if room is self._channel.room:
            await self._channel.switch_off()
        elif self._narrator.display.asks and self._table.is_playing:
            self._table.ask(self._leave_here)
            self._narrator.note(translate("You are playing: type yes to leave and give the game up."))
        else:
            await room.leave()

    async def _leave_here(self) -> None:
        await self._table.here().leave()

    async def _come(self, arrive: Callable[..., Awaitable[Room]]) -> Room:
        """Whoever comes hears all from the first moment on: a fast table is told from its first move."""
        await self._channel.switch_off(leave=False)  # the table in hand is left when the other is there
        here, known = self._table.room, set(self._client.rooms)
        seats = [] if here is None else here.seats
        room = await arrive(subscribe=EVENTS)
        if room is here and room.seats == seats:
            self._narrator.note(translate("You are at this table already."))
        elif room.id in known:
            self._table.go_to(room)
        return room

    async def _or_leave_first(self, come: Callable[[], Awaitable[object]]) -> None:
        """Where the table in hand is the one too many, only who says so leaves it, and with it a rematch."""
        here = self._table.room

        async def leave_first() -> None:
            assert here is not None
            await here.leave()
            await come()

        try:
            await come()
        except Refused as refused:
            if refused.code != Code.TOO_MANY_ROOMS or here is None or not self._table.may_go:
                raise
            self._table.question = leave_first
            why = in_words(refused.reason, refused.fields, refused.sentence)
            advice = translate("This table is one of them: type yes to leave it and try again.")
            raise Refused(refused.code, f"{why} {advice}") from refused

    def _check_may_go(self) -> None:
        """A game that is over, or is not ours, is left for another; what is under way only by who says so."""
        if not self._table.may_go:
            raise UsageError(translate("You are at a table; leave it first."))

    # Questions

    async def do_yes(self, _: Command) -> None:
        await self._reply(True)

    async def do_no(self, _: Command) -> None:
        await self._reply(False)

    async def _reply(self, yes: bool) -> None:
        question = self._table.question
        if question is None:
            raise UsageError(translate("Nobody has asked you anything."))
        if isinstance(question, Invited) and yes:
            here = self._table.room
            if here is None or here.id != question.room:
                self._check_may_go()  # else the question stays
        self._table.question = None
        if isinstance(question, Invited):
            await self._answer_invitation(question, yes)
        elif isinstance(question, Offered):
            await self._table.here().answer(question.offer, yes, self._table.seat())
        elif yes:
            await question()

    async def _answer_invitation(self, invited: Invited, yes: bool) -> None:
        if yes:
            await self._join(room=invited.room, seat=invited.seat, invite=invited.invite)
        else:
            await self._client.decline(invited.invite)
            self._narrator.say(translate("{you} say no.", you=translate("You")))

    # Moves

    async def do_menu(self, _: Command) -> None:
        """A level, if no game is under way here, and then moves until the game is over."""
        room = self._table.room
        if room is None or room.table.state == "finished":
            self._narrator.note(translate(MENU))
            level = await minesweeper_menu.get_level(LEVELS, lambda prompt: self._ask(prompt, lambda: True))
            await self._or_leave_first(partial(self._create, NewTable("minesweeper", options=level), None))
            room = self._table.here()
            await self._begun(room)
        elif room.game != "minesweeper":
            raise UsageError(
                translate("Only moves of Minesweeper are chosen by number; type this game's moves.")
            )
        else:
            self._table.seat()
            self._table.position()
            self._narrator.note(translate(MENU))
        await self._play_by_number(room)

    async def _begun(self, room: Room) -> None:
        while self._table.room is room and self._table.latest is None:
            await self._client.next_of(self._table.changed)

    async def _play_by_number(self, room: Room) -> None:
        def our_turn() -> bool:
            return self._table.room is room and self._table.own_turn is not None

        async def play(move: str) -> View:
            try:
                await self._play(room, move)
            except Refused as refused:
                self._narrator.refused(refused)
            return self._table.position().view

        def show_map(_: View) -> None:
            if not self._narrator.display.boards and not self._narrator.display.quiet:
                self._narrator.show_board(room, self._table.position())

        await minesweeper_menu.run(
            self._table.position().view, lambda prompt: self._ask(prompt, our_turn), play, show_map
        )

    async def _move(self, line: str) -> None:
        room = self._table.room
        if room is None:
            raise UsageError(_unknown(line, translate(NO_TABLE)))
        if not verbs.looks_like_move(line, room.game):
            moves = sentences.how_to_move(room.game)
            raise UsageError(
                _unknown(line, translate("Type help for the commands, or {a_move}.", a_move=moves))
            )
        latest = self._table.latest
        await self._play(room, read_move(room.game, line, None if latest is None else latest.view))

    async def _play(self, room: Room, move: str) -> None:
        """The server is the judge, but for what a script typed ahead and the game was too short for."""
        seat, ply = self._table.seat(), self._table.position().ply
        if self._narrator.display.moves_wait and room.table.state == "finished":
            raise UsageError(translate("The game is over; {move} was not played.", move=clean(move)))
        await room.play(move, seat, ply)

    # Help

    async def do_help(self, _: Command) -> None:
        self.help()

    def help(self) -> None:
        width = max(len(verb.shown) for verb in verbs.VERBS.values())
        for verb in verbs.VERBS.values():
            self._narrator.note(f"{verb.shown:<{width}}  {translate(verb.help)}")
        for line in self._more_help():
            self._narrator.note(line)

    def _more_help(self) -> list[str]:
        levels = ", ".join(LEVEL_WORDS)
        lines = [translate("TABLE is a code, an id or how it begins, a number of list, or who sits there.")]
        lines += [translate("Bots of every game: {levels}; list shows the others.", levels=levels)]
        options = translate(verbs.OPTIONS)
        lines.append(translate("Options of create: {options}, and those of the game.", options=options))
        if (room := self._table.room) is not None:
            lines.append(translate("Anything else is {a_move}.", a_move=sentences.how_to_move(room.game)))
        else:
            games = translate("The games are {games}.", games=", ".join(GAMES))
            lines.append(f"{games} {translate('To begin: create tic-tac-toe bot=easy')}")
        return lines


def _unknown(line: str, otherwise: str) -> str:
    verb = verbs.nearest_verb(line)
    unknown = translate("Unknown: {line}.", line=f"{clean(line)!r:.60}")
    meant = translate("Did you mean: {usage}", usage=verb.shown) if verb else otherwise
    return f"{unknown} {meant}"
