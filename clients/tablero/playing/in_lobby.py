"""What the verbs do that look beyond the table: who is here, what they play, how to get them to a seat."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from tablero.catalogue.speech import sentence, translate
from tablero.client.client import Client
from tablero.client.room import Room
from tablero.errors import Disconnected, Refused
from tablero_games import GAMES
from tablero_protocol.messages import EVENTS, RATED_CLOCK, LobbyList, Player
from tablero_protocol.text import clean

from . import lobby_lines, sentences, verbs
from .current_table import CurrentTable, Entered
from .narrator import Narrator
from .setup_lines import clock_of
from .verbs import Command, UsageError
from .who import named


class InLobby:
    """As in Commands, every method raises UsageError or Refused, and has changed nothing then."""

    def __init__(self, client: Client, table: CurrentTable, narrator: Narrator) -> None:
        self._client = client
        self._table = table
        self._narrator = narrator
        self._seeks: list[str] = []
        self._listed: list[str] = []
        """The tables that were listed last, by their numbers."""
        table.entered.subscribe(self._found)
        client.disconnected.subscribe(self._lost)

    async def do_list(self, _: Command) -> None:
        lobby = await self.look()
        self._listed = [line.room for line in lobby_lines.tables_of(lobby)]
        for line in lobby_lines.lobby(lobby):
            self._narrator.say(line)

    async def where(self, word: str) -> dict[str, str]:
        """A table by its code, its id or how that begins, its number in the list, or who sits there."""
        if verbs.names_one_table(word) or word in self._client.rooms:
            return verbs.where(word)
        if word.isdecimal():
            if not 1 <= int(word) <= len(self._listed):
                raise UsageError(translate("There is no table {number}: type list.", number=word[:9]))
            return verbs.where(self._listed[int(word) - 1])
        lobby = await self.look()
        lines = lobby_lines.tables_of(lobby)
        names = [line for line in lines if any(_is_called(player, word) for player in line.seats)]
        begun = names or [line for line in lines if line.room.startswith(word.lower())]
        if len(begun) > 1 and not names:
            raise UsageError(translate("More than one table begins so: type list."))
        if not begun:
            unknown = sentence("There is no table {word}, and nobody called so sits at one.")
            raise UsageError(translate(unknown, word=clean(word)))
        return verbs.where(begun[0].room)

    async def do_seek(self, command: Command) -> None:
        if verbs.is_rated_alone(command.words):
            await self._seek_any(translate("You wait for any rated game: cancel ends it."), rated=True)
            return
        table, bots = verbs.read_seek(command.words, list(GAMES))
        self._check_may_seek()
        terms = {**table.fields, **table.options}
        seek = await self._client.seek(table.game, bots=bots, subscribe=EVENTS, **terms)
        told = translate(
            "You wait for somebody to play {game}: cancel ends it.", game=sentences.title_of(table.game)
        )
        if table.fields.get("rated") and "clock" not in table.fields:
            told += " " + translate("It is rated, with the clock {clock}.", clock=clock_of(RATED_CLOCK))
        self._waits(seek, told)

    async def do_play(self, _: Command) -> None:
        """Any game, with whoever comes first; after ten seconds alone with a bot."""
        await self._seek_any(
            translate("You wait for somebody to play any game, or else for a bot: cancel ends it.")
        )

    async def _seek_any(self, told: str, *, rated: bool = False) -> None:
        self._check_may_seek()
        self._waits(await self._client.seek(rated=rated, subscribe=EVENTS), told)

    async def do_cancel(self, _: Command) -> None:
        if not self._seeks:
            raise UsageError(translate("You seek nobody."))
        await self._cancel_quietly()
        self._narrator.note(translate("You seek nobody any more."))

    def _waits(self, seek: str, told: str) -> None:
        if self._table.may_go:  # else there was somebody who sought the same
            self._seeks.append(seek)
            self._narrator.note(told)

    def _check_may_seek(self) -> None:
        if not self._table.may_go:
            raise UsageError(translate("You are at a table; leave it first."))

    def _found(self, entered: Entered) -> None:
        """Who is paired, or goes to a table of their own, waits for nobody more."""
        if self._seeks and entered.room.seats:
            self._client.start(self._cancel_quietly())

    async def _cancel_quietly(self) -> None:
        seeks, self._seeks = self._seeks, []
        for seek in seeks:
            with suppress(Refused, Disconnected):
                await self._client.cancel_seek(seek)

    def _lost(self, _: object) -> None:
        if self._seeks:
            self._seeks.clear()
            self._narrator.note(
                translate("With the connection you seek nobody any more; seek again when it is back.")
            )

    async def do_games(self, _: Command) -> None:
        for line in lobby_lines.own_rooms(await self._client.list_rooms()):
            self._narrator.say(line)

    async def do_invite(self, command: Command) -> None:
        room, words = self._table.here(), command.words
        if not words:
            raise UsageError(translate("Say whom: {usage}", usage=verbs.VERBS["invite"].shown))
        free = [seat for seat, player in enumerate(room.table.seats) if player is None]
        if len(words) > 1:
            seat = verbs.read_seat(words[1])
        elif free:
            seat = free[0]
        else:
            raise UsageError(translate("Every seat is taken."))
        if ":" in words[0]:
            await self.invite_bot(room, seat, words[0])
        else:
            await self._invite_by_name(room, seat, words[0])

    async def _invite_by_name(self, room: Room, seat: int, name: str) -> None:
        """A player, or else a bot by its level."""
        lobby = await self.look()
        if (found := _by_name(lobby.players, name)) is not None:
            await self._client.invite(room, seat, player=found.id)
            self._narrator.say(translate("Invited {who} to seat {seat}.", who=named(found), seat=seat))
        elif name.lower() in _levels(lobby, room.game):
            await self.invite_bot(room, seat, f"{room.game}:{name.lower()}")
        else:
            here = ", ".join(named(player) for player in lobby.players)
            levels = ", ".join(map(clean, _levels(lobby, room.game)))
            unknown = translate(
                "Nobody here is called {name}; here are: {here}.", name=clean(name), here=here
            )
            if levels:
                bots = translate("For a bot say its level: {levels}.", levels=levels)
            else:
                bots = translate("No bot here plays this game.")
            raise UsageError(f"{unknown} {bots}")

    async def do_mute(self, command: Command) -> None:
        """Of those at the table, or else of all who are here."""
        name, what = verbs.read_mute(command.words)
        player = await self._find(name)
        await self._client.mute(player.id, what)
        self._narrator.say(sentences.muted_line(player, what))

    async def _find(self, name: str) -> Player:
        room = self._table.room
        members = [] if room is None else [member.player for member in room.table.members]
        if (found := _by_name(members, name)) is None:
            found = _by_name((await self.look()).players, name)
        if found is None:
            raise UsageError(translate("Nobody here is called {name}.", name=clean(name)))
        return found

    async def invite_bot(self, room: Room, seat: int, bot: str) -> None:
        await self._client.invite(room, seat, bot=bot)
        self._narrator.say(translate("Invited {who} to seat {seat}.", who=clean(bot), seat=seat))

    async def look(self) -> LobbyList:
        """The lobby as it is now."""
        lobby = await self._client.watch_lobby()
        await self._client.unwatch_lobby()
        return lobby


def _is_called(player: Player | None, name: str) -> bool:
    return player is not None and player.name.casefold() == name.casefold()


def _by_name(players: Sequence[Player], name: str) -> Player | None:
    return next((player for player in players if _is_called(player, name)), None)


def _levels(lobby: LobbyList, game: str) -> dict[str, bool]:
    """The levels at which bots here play this game, and whether one of them has time."""
    levels: dict[str, bool] = {}
    for player in lobby.players:
        for brain in player.card.brains if player.card else ():
            for level in brain.levels if brain.game == game else ():
                assert player.card is not None
                levels[level] = levels.get(level, False) or player.games < player.card.capacity
    return levels


def free_bot(lobby: LobbyList, game: str, word: str) -> str:
    """The level that `word` means, if a bot here plays it and has time."""
    levels = _levels(lobby, game)
    if not levels:
        raise UsageError(translate("No bot here plays {game}.", game=sentences.title_of(game)))
    none = sentence("There is no bot {word} for {game}")
    bot = word.removeprefix(f"{game}:")
    level = verbs.choose(bot, list(levels), none, game=sentences.title_of(game))
    if not levels[level]:
        bot = f"{game}:{clean(level)}"
        raise UsageError(translate("Every bot that plays {bot} is busy; try again soon.", bot=bot))
    return level
