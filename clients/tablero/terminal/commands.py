"""The ways to a table, and the ways to get others there: create, join, watch, accept, invite.

Law: whatever is refused has changed nothing. The table in hand is left by the narrator, when the next one is
there; nobody here leaves it before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from tablero.client.client import Client
from tablero.client.room import Room
from tablero_games import GAMES
from tablero_protocol.codes import Code
from tablero_protocol.messages import EVENTS, Invited, LobbyList, Refused, ServerMessage
from tablero_protocol.text import clean

from . import sentences, verbs
from .narrator import Narrator
from .verbs import UsageError

Then = Callable[[ServerMessage], None]
Otherwise = Callable[[Refused], None]


class Ask(Protocol):
    """Sends a command; `then` gets its answer, `otherwise` a refusal that has been told already."""

    def __call__(
        self, type: str, then: Then, otherwise: Otherwise | None = None, /, **fields: Any
    ) -> None: ...


class Commands:
    def __init__(self, client: Client, narrator: Narrator, ask: Ask) -> None:
        self._client = client
        self._narrator = narrator
        self._ask = ask

    def create(self, words: list[str]) -> None:
        table = verbs.read_create(words, list(GAMES))
        self._check_may_go()
        if table.bot is None:
            self._open(table, None)
            return

        def found(lobby: LobbyList) -> None:
            """Only where there is such a bot now, a table is opened for it."""
            try:
                level = _free_bot(lobby, table.game, table.bot or "")
            except UsageError as wrong:
                self._narrator.note(str(wrong))
            else:
                self._open(table, level)

        self.with_lobby(found)

    def _open(self, table: verbs.NewTable, level: str | None) -> None:
        def opened(room: Room) -> None:
            for seat, player in enumerate(room.table.seats):
                if player is None and level is not None:
                    self._invite_bot(room, seat, f"{table.game}:{level}")

        self._come("createRoom", opened, game=table.game, **table.fields)

    def join(self, words: list[str], otherwise: Otherwise | None = None) -> None:
        if not words:
            raise UsageError(f"Say which table: {verbs.VERBS['join'].usage}")
        seat = {"seat": verbs.read_seat(words[1])} if len(words) > 1 else {}
        here = self._narrator.room
        if here is None or not verbs.is_same_table(words[0], here.id, here.code):
            self._check_may_go()
        self._come("join", _nothing_more, otherwise, **verbs.where(words[0]), **seat)

    def watch(self, words: list[str]) -> None:
        if not words:
            raise UsageError(f"Say which table: {verbs.VERBS['watch'].usage}")
        self._check_may_go()
        self._come("join", _nothing_more, **verbs.where(words[0]), watch=True)

    def accept(self, invited: Invited) -> None:
        here = self._narrator.room
        if here is None or here.id != invited.room:
            self._check_may_go()
        place: dict[str, Any] = {"room": invited.room, "seat": invited.seat, "invite": invited.invite}
        self._come("join", _nothing_more, **place)

    def invite(self, room: Room, words: list[str]) -> None:
        if not words:
            raise UsageError(f"Say whom: {verbs.VERBS['invite'].usage}")
        free = [seat for seat, player in enumerate(room.table.seats) if player is None]
        if len(words) > 1:
            seat = verbs.read_seat(words[1])
        elif free:
            seat = free[0]
        else:
            raise UsageError("Every seat is taken.")
        if ":" in words[0]:
            self._invite_bot(room, seat, words[0])
        else:
            self.with_lobby(lambda lobby: self._invite_by_name(lobby, room, seat, words[0]))

    def with_lobby(self, use: Callable[[LobbyList], None]) -> None:
        """Looks at the lobby once."""

        def arrived(answer: ServerMessage) -> None:
            self._client.command("unwatchLobby", nothing)
            if isinstance(answer, LobbyList):
                use(answer)

        self._ask("watchLobby", arrived)

    def _check_may_go(self) -> None:
        """A game that is over, or is not ours, is left for another; what is under way only by who says so."""
        if not self._narrator.may_go:
            raise UsageError("You are at a table; leave it first.")

    def _come(
        self, type: str, then: Callable[[Room], None], otherwise: Otherwise | None = None, /, **fields: Any
    ) -> None:
        here, known = self._narrator.room, set(self._client.rooms)
        seats = [] if here is None else here.seats

        def there(answer: ServerMessage) -> None:
            room = self._client.rooms.get(getattr(answer, "room", ""))
            if room is None:
                return  # closed already
            if room is here and room.seats == seats:
                self._narrator.note("You are at this table already.")
            elif room.id in known:
                self._narrator.go_to(room)
            if room is self._narrator.room:
                then(room)

        def not_there(refused: Refused) -> None:
            if refused.code == Code.TOO_MANY_ROOMS and here is not None and self._narrator.may_go:
                self._offer_to_leave(here, again)
            if otherwise is not None:
                otherwise(refused)

        def again() -> None:
            self._come(type, then, otherwise, **fields)

        # At once, so that a fast table is told from its first move.
        self._ask(type, there, not_there, **fields, subscribe=list(EVENTS))

    def _offer_to_leave(self, here: Room, again: Callable[[], None]) -> None:
        """It was the table in hand that made them too many; but only who says so gives up a rematch."""

        def leave_first() -> None:
            self._ask("leave", lambda _: again(), room=here.id)

        self._narrator.question = leave_first
        self._narrator.note("This table is one of them. Type yes to leave it and try again.")

    def _invite_bot(self, room: Room, seat: int, bot: str) -> None:
        told = f"Invited {clean(bot)} to seat {seat}."
        self._ask("invite", lambda _: self._narrator.say(told), room=room.id, seat=seat, bot=bot)

    def _invite_by_name(self, lobby: LobbyList, room: Room, seat: int, name: str) -> None:
        """A player, or else a bot by its level."""
        found = [player for player in lobby.players if player.name.casefold() == name.casefold()]
        if found:
            told = f"Invited {sentences.named(found[0])} to seat {seat}."
            self._ask(
                "invite", lambda _: self._narrator.say(told), room=room.id, seat=seat, player=found[0].id
            )
        elif name.lower() in _levels(lobby, room.game):
            self._invite_bot(room, seat, f"{room.game}:{name.lower()}")
        else:
            here = ", ".join(sentences.named(player) for player in lobby.players)
            levels = ", ".join(map(clean, _levels(lobby, room.game)))
            bots = f" For a bot say its level: {levels}." if levels else " No bot here plays this game."
            self._narrator.note(f"Nobody here is called {clean(name)}; here are: {here}.{bots}")


def nothing(_: ServerMessage) -> None:
    """The event that answers a command speaks for itself."""


def _nothing_more(_: Room) -> None:
    """To be there was all."""


def _levels(lobby: LobbyList, game: str) -> dict[str, bool]:
    """The levels at which bots here play this game, and whether one of them has time."""
    levels: dict[str, bool] = {}
    for player in lobby.players:
        for brain in player.card.brains if player.card else ():
            for level in brain.levels if brain.game == game else ():
                assert player.card is not None
                levels[level] = levels.get(level, False) or player.games < player.card.capacity
    return levels


def _free_bot(lobby: LobbyList, game: str, word: str) -> str:
    """The level that `word` means, if a bot here plays it and has time."""
    levels = _levels(lobby, game)
    if not levels:
        raise UsageError(f"No bot here plays {game}.")
    level = verbs.choose(word.removeprefix(f"{game}:"), list(levels), f"bot for {game}")
    if not levels[level]:
        raise UsageError(f"Every bot that plays {game}:{clean(level)} is busy; try again soon.")
    return level
