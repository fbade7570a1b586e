"""Limits on the rooms of a player and of the server.

Law: correspondence games last for weeks and are counted separately. They take no place from other games.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..people.accounts import Accounts
from ..people.session import Account
from ..refusal import Refusal
from ..room.outline import Outline
from ..room.room import Room
from ..room.state import PLAYING, PREPARING, WAITING
from ..seats.views import Views
from .limits import Limits


class RoomBounds:
    def __init__(
        self, accounts: Accounts, rooms: Mapping[str, Views], packed: Collection[str], limits: Limits
    ) -> None:
        self._accounts = accounts
        self._open = rooms
        self._packed = packed
        """Correspondence games that no one has open."""
        self._limits = limits
        self.draining = False
        """Whether new games are blocked because the server is about to stop."""

    def check_may_begin(self) -> None:
        if self.draining:
            raise Refusal("draining")

    def is_full(self, *, on_days: bool) -> bool:
        """Whether the server has no place for one more room; with `on_days`, for one more correspondence
        game.
        """
        most = self._limits.all_correspondence if on_days else self._limits.all_rooms
        packed = len(self._packed) if on_days else 0
        if len(self._open) + packed < most:
            return False
        loaded = sum(views.room.is_correspondence is on_days for views in self._open.values())
        return loaded + packed >= most

    def check_may_enter(self, account: Account, *, on_days: bool) -> None:
        """Refuses a player who is already in too many rooms. A bot may play as many games as it declared,
        with any clock.
        """
        most = self._limits.correspondence if on_days else self._limits.rooms
        if account.card is None and len(account.rooms) < most:
            return  # few enough even if all of them had this kind of clock
        rooms = self._loaded(account)
        count = sum(room.is_correspondence is on_days for room in rooms)
        count += on_days * (len(account.rooms) - len(rooms))
        if account.card is not None:  # a bot declares how many games it plays; finished ones don't count
            if (idle := sum(_is_idle(account, room) for room in rooms)) >= self._limits.rooms:
                raise Refusal("tooManyIdleRooms", rooms=idle)
            count, most = self.games_of(account), account.card.capacity
        if count >= most:
            raise Refusal("tooManyRooms", rooms=count)

    def check_may_watch(self, account: Account, game: Outline, seat: int | None) -> None:
        """Refuses a player who may not watch this running correspondence game, or asks for a seat in it."""
        if seat is not None and not 0 <= seat < len(game.seated):
            raise Refusal("seatNotHere", seat=seat, last=len(game.seated) - 1)
        if seat is not None:
            raise Refusal("seatTaken", seat=seat)
        players = (shown["id"] for shown in game.seated if shown is not None)
        if game.watchers is None or self._accounts.is_shunned(account.id, players):
            raise Refusal("noWatchers")
        self.check_may_enter(account, on_days=True)

    def games_of(self, account: Account) -> int:
        """The number of unfinished games in which this player has a seat."""
        loaded = map(self._open.get, account.rooms)
        # packed games are unfinished
        return sum(views is None or _plays(account, views.room) for views in loaded)

    def _loaded(self, account: Account) -> list[Room]:
        """The player's rooms except packed ones."""
        return [self._open[room].room for room in account.rooms if room not in self._packed]


def _is_idle(account: Account, room: Room) -> bool:
    """Whether this bot only watches, or sits without a person at a finished game, so that nobody waits for a
    rematch.
    """
    if account.id not in room.seats:
        return True
    return not _plays(account, room) and all(member["bot"] for member in room.members.values())


def _plays(account: Account, room: Room) -> bool:
    """Whether this player has a seat in an unfinished game."""
    return room.state in (PLAYING, WAITING, PREPARING) and account.id in room.seats
