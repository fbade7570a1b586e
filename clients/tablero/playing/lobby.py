"""Orders beyond the current table: other tables, players, bots, seeks, invitations and own games.

Law: as in sentences, text from the server is cleaned before it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tablero.catalogue.speech import sentence, translate, translate_plural
from tablero.client.client import Client
from tablero.client.room import Room
from tablero.errors import Disconnected, Refused
from tablero_games import Seat
from tablero_protocol.messages import (
    EVENTS,
    RATED_CLOCK,
    Held,
    LobbyList,
    Muting,
    OwnRooms,
    Player,
    Presence,
    RoomLine,
    SeekLine,
)
from tablero_protocol.text import clean

from . import sentences, words
from .current_table import CurrentTable
from .narrator import Narrator
from .news import ConnectionLost, Entered, News
from .sentences import clock_of, options_of, time_left, title_of
from .who import named, rated, seated
from .words import UsageError

_MOST_TABLES, _MOST_PLAYERS, _MOST_OFFERS = 30, 50, 30
STATES = {
    "waiting": sentence("waiting"),
    "preparing": sentence("preparing"),
    "playing": sentence("playing"),
    "finished": sentence("finished"),
}


@dataclass(frozen=True, kw_only=True)
class NewSeek:
    """A search for an opponent in one game or in any game."""

    game: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    clock: Mapping[str, int] | None = None
    rated: bool = False
    bots: bool | None = None
    """Whether a bot may join; None for the default."""


class LobbyOrders:
    """Orders about the lobby. They raise UsageError or Refused, and then change nothing."""

    def __init__(self, client: Client, table: CurrentTable, narrator: Narrator) -> None:
        self._client = client
        self._table = table
        self._narrator = narrator
        self.is_watched = False
        """Whether a screen shows the lobby and so keeps the subscription."""
        self._seeks: list[str] = []
        self._listed: list[str] = []
        """The tables of the last list, by their numbers."""

    def _hear(self, news: News) -> None:
        match news:
            case Entered(room) if room.seats:  # a player who sits down seeks no more
                self._client.start(self._cancel_quietly())
            case ConnectionLost():
                self._forget_seeks()
                self._narrator.note(
                    translate("Connection lost, so your search ended. Search again when you're back online.")
                )

    async def list_tables(self) -> None:
        lobby = await self.look()
        self._listed = [line.room for line in tables_of(lobby)]
        for line in lobby_lines(lobby):
            self._narrator.say(line)

    async def where(self, word: str) -> dict[str, str]:
        """The table for a word: its code, its id or the beginning of it, its number in the list, or
        a player there.
        """
        if words.names_one_table(word) or word in self._client.rooms:
            return words.where(word)
        if word.isdecimal():
            if not 1 <= int(word) <= len(self._listed):
                raise UsageError(translate("There is no table {number}. Type list.", number=word[:9]))
            return words.where(self._listed[int(word) - 1])
        lobby = await self.look()
        lines = tables_of(lobby)
        names = [line for line in lines if any(_is_called(player, word) for player in line.seats)]
        begun = names or [line for line in lines if line.room.startswith(word.lower())]
        if len(begun) > 1 and not names:
            raise UsageError(translate("Several tables match. Type list."))
        if not begun:
            unknown = sentence("No table or player {word} found.")
            raise UsageError(translate(unknown, word=clean(word)))
        return words.where(begun[0].room)

    async def seek(self, seek: NewSeek) -> None:
        """Look for an opponent for the same game, or for any game."""
        if not self._table.may_go:
            raise UsageError(translate("You're at a table. Leave it first."))
        name = await self._client.seek(
            seek.game, clock=seek.clock, bots=seek.bots, rated=seek.rated, subscribe=EVENTS, **seek.options
        )
        if self._table.may_go:  # otherwise an opponent was found at once
            self._seeks.append(name)
            self._table.news.subscribe(self._hear)
            self._narrator.note(_waiting(seek))

    async def cancel_seek(self) -> None:
        if not self._seeks:
            raise UsageError(translate("You're not looking for an opponent."))
        await self._cancel_quietly()
        self._narrator.note(translate("Search cancelled."))

    async def _cancel_quietly(self) -> None:
        for seek in self._forget_seeks():
            with suppress(Refused, Disconnected):
                await self._client.cancel_seek(seek)

    def _forget_seeks(self) -> list[str]:
        seeks, self._seeks = self._seeks, []
        self._table.news.unsubscribe(self._hear)
        return seeks

    async def list_games(self) -> None:
        for line in own_rooms(await self._client.list_rooms()):
            self._narrator.say(line)

    async def invite(self, called: str, seat: Seat | None = None) -> None:
        """Invite a player by name, or a bot by level or GAME:LEVEL."""
        room = self._table.here()
        seat = self._free_seat(room) if seat is None else seat
        if ":" in called:
            await self.invite_bot(room, seat, called)
            return
        lobby = await self.look()
        if (found := _by_name(lobby.players, called)) is not None:
            await self.invite_player(found, seat)
        elif called.lower() in _levels(lobby, room.game):
            await self.invite_bot(room, seat, f"{room.game}:{called.lower()}")
        else:
            raise UsageError(_not_here(called, lobby, room.game))

    async def invite_player(self, player: Player, seat: Seat | None = None) -> None:
        room = self._table.here()
        seat = self._free_seat(room) if seat is None else seat
        await self._client.invite(room, seat, player=player.id)
        self._narrator.say(translate("Invited {who} to seat {seat}.", who=named(player), seat=seat))

    async def invite_bot(self, room: Room, seat: Seat, bot: str) -> None:
        await self._client.invite(room, seat, bot=bot)
        self._narrator.say(translate("Invited {who} to seat {seat}.", who=clean(bot), seat=seat))

    @staticmethod
    def _free_seat(room: Room) -> Seat:
        if None not in room.table.seats:
            raise UsageError(translate("All seats are taken."))
        return room.table.seats.index(None)

    async def mute(self, called: str, what: Muting) -> None:
        """Mute a player by name: one at the table, or anyone in the lobby."""
        room = self._table.room
        members = [] if room is None else [member.player for member in room.table.members]
        if (player := _by_name(members, called)) is None:
            player = _by_name((await self.look()).players, called)
        if player is None:
            raise UsageError(translate("No player {name} here.", name=clean(called)))
        await self._client.mute(player.id, what)
        self._narrator.say(sentences.muted_line(player, what))

    async def look(self) -> LobbyList:
        """Return the current lobby."""
        lobby = await self._client.watch_lobby()
        if not self.is_watched:
            await self._client.unwatch_lobby()
        return lobby


def _waiting(seek: NewSeek) -> str:
    """The sentence about a waiting seek."""
    if seek.game is None and seek.rated:
        return translate("Looking for any rated game. Type cancel to stop.")
    if seek.game is None:
        return translate("Looking for a person or a bot to play any game. Type cancel to stop.")
    told = translate(
        "Looking for an opponent for {game}. Type cancel to stop.", game=sentences.title_of(seek.game)
    )
    if seek.rated and seek.clock is None:
        told += " " + translate("Rated, with clock {clock}.", clock=clock_of(RATED_CLOCK))
    return told


def _not_here(called: str, lobby: LobbyList, game: str) -> str:
    here = ", ".join(named(player) for player in lobby.players)
    levels = ", ".join(map(clean, _levels(lobby, game)))
    unknown = translate("No player {name} here. Players here: {here}.", name=clean(called), here=here)
    if levels:
        return f"{unknown} {translate('For a bot, give its level: {levels}.', levels=levels)}"
    return f"{unknown} {translate('No bot here plays this game.')}"


def _is_called(player: Player | None, name: str) -> bool:
    return player is not None and player.name.casefold() == name.casefold()


def _by_name(players: Sequence[Player], name: str) -> Player | None:
    return next((player for player in players if _is_called(player, name)), None)


def _levels(lobby: LobbyList, game: str) -> dict[str, bool]:
    """The levels at which bots here play this game, and for each whether a bot is free."""
    levels: dict[str, bool] = {}
    for player in lobby.players:
        for brain in player.card.brains if player.card else ():
            for level in brain.levels if brain.game == game else ():
                assert player.card is not None
                levels[level] = levels.get(level, False) or player.games < player.card.capacity
    return levels


def free_bot(lobby: LobbyList, game: str, word: str) -> str:
    """The level for `word`, if a bot here plays it and is free."""
    levels = _levels(lobby, game)
    if not levels:
        raise UsageError(translate("No bot here plays {game}.", game=sentences.title_of(game)))
    none = sentence("There is no bot {word} for {game}")
    bot = word.removeprefix(f"{game}:")
    level = words.choose(bot, list(levels), none, game=sentences.title_of(game))
    if not levels[level]:
        bot = f"{game}:{clean(level)}"
        raise UsageError(translate("Every bot that plays {bot} is busy; try again soon.", bot=bot))
    return level


def tables_of(lobby: LobbyList) -> list[RoomLine]:
    """The tables, those with a free seat first."""
    return sorted(lobby.rooms, key=lambda line: None not in line.seats)


def lobby_lines(lobby: LobbyList) -> list[str]:
    """The lines of the lobby: the first tables, with numbers for joining them."""
    tables_here = tables_of(lobby)
    tables = [f"{number}. {_table_line(line)}" for number, line in enumerate(tables_here[:_MOST_TABLES], 1)]
    tables = tables or [translate("No open tables. Create one and it will appear here.")]
    if more := len(tables_here[_MOST_TABLES:]):
        tables.append(translate_plural("And {number} more table.", "And {number} more tables.", more))
    tables += map(seek_line, lobby.seeks[:_MOST_TABLES])
    names = ", ".join(map(named, lobby.players[:_MOST_PLAYERS])) or translate("no one")
    if more := len(lobby.players[_MOST_PLAYERS:]):
        here = translate_plural(
            "Here: {names}, and {number} more.", "Here: {names}, and {number} more.", more, names=names
        )
    else:
        here = translate("Here: {names}.", names=names)
    offers = [line for player in lobby.players for line in _offer_lines(player)]
    return [*tables, here, *offers[:_MOST_OFFERS]]


def _offer_lines(player: Presence) -> list[str]:
    """The games of a bot, one line for each."""
    brains = player.card.brains if player.card else []
    return [
        translate(
            "{who} plays {game}: {levels}.",
            who=named(player),
            game=clean(brain.game),
            levels=clean(", ".join(brain.levels)),
        )
        for brain in brains
    ]


def _table_line(line: RoomLine) -> str:
    seats = ", ".join(seated(line))
    options = options_of(line.options)
    watching = ""
    if line.watchers is None:
        watching = f", {translate('no spectators')}"
    elif line.watchers:
        watching = ", " + translate_plural("{number} watching", "{number} watching", line.watchers)
    parts = [clean(line.room), clean(line.game), translate(STATES[line.state])]
    parts += [f"[{seats}]{watching}", options, translate("rated") if line.rated else ""]
    return "  ".join(part for part in parts if part)


def seek_line(seek: SeekLine) -> str:
    options = options_of(seek.options or {})
    clock = "" if seek.clock is None else f"clock={clock_of(seek.clock)}"
    stakes = translate("rated") if seek.rated else ""
    parts = clean(seek.game) if seek.game else translate("any game"), options, clock, stakes
    what = " ".join(part for part in parts if part)
    return translate("{who} wants to play {what}.", who=rated(seek.player, seek.rating), what=what)


def own_rooms(own: OwnRooms) -> list[str]:
    return list(map(_own_room_line, own.rooms)) or [translate("You have no games. To begin: create GAME")]


def _own_room_line(held: Held) -> str:
    rivals = ", ".join(map(named, held.rivals)) or translate("no one yet")
    line = f"{clean(held.room)}  "
    line += translate("{game} with {rivals}:", game=title_of(held.game), rivals=rivals) + " "
    ours = [seat for seat in held.to_move if seat in held.seats]
    if held.state != "playing":
        return line + translate(STATES[held.state])
    if not held.seats:
        line += translate("you watch")
    else:
        line += translate("your turn") if ours else translate("their turn")
    if held.clocks is not None and held.to_move:
        left = time_left(held.clocks[(ours or held.to_move)[0]])
        line += ", " + translate("{time} left", time=left)
    return line
