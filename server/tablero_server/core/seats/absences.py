"""Players who are away from a table, and how long the others wait for them.

Law: an absence decides no game by itself where the rival can. In a turn game, a rival who waited long enough
may claim; only a game from which all stay away ends by itself. In a race or a coop the others play on. In a
correspondence game no one is away: only its clock decides. The absences of a player in one game add up.
"""

from __future__ import annotations

from ..alarms import Alarms
from ..effects import Effects
from ..entry import Entry
from ..limits.limits import Limits
from ..people.accounts import Accounts
from ..people.session import Account
from ..refusal import Message
from ..room.room import Room
from ..room.state import PLAYING, PREPARING, WAITING
from .views import Views

_LEAST_SHARE = 4
"""However long a player was away before, each absence may last that part of the whole wait."""


class Absences:
    def __init__(self, accounts: Accounts, alarms: Alarms, limits: Limits) -> None:
        self._accounts = accounts
        self._alarms = alarms
        self._limits = limits

    def begin(self, views: Views, account: Account, effects: Effects) -> None:
        """Begins an absence of `account`; the others at the table are told how long it may last."""
        room, player = views.room, account.id
        wait = self._wait(views, player)
        if wait is not None:
            until = views.away[player] = _since(room, account) + wait
            self._alarms.set(("away", room.id, player), until)
            views.tell("members", away(views, player), effects)

    def end(self, views: Views, account: Account, now: int, effects: Effects) -> None:
        """`account` is back."""
        room, player = views.room, account.id
        if self.forget(views, player):
            if room.state is PLAYING:
                views.was_away[player] += now - _since(room, account)
            message = {"type": "back", "room": room.id, "player": room.members[player]}
            views.tell("members", message, effects)

    def forget(self, views: Views, player: str) -> bool:
        """Stops waiting for `player` here; returns whether anyone waited."""
        self._alarms.cancel(("away", views.room.id, player))
        return views.away.pop(player, None) is not None

    def left_in_vain(self, left: Entry) -> None:
        """Waits again for a player whose removal could not be saved."""
        account = self._accounts.by_id.get(left.body["player"]["id"])
        if account and not self._accounts.open_sessions(account):
            self._alarms.set(("absent", account.id), left.at + self._limits.session_memory_ms)

    def look_again(self, views: Views, now: int, effects: Effects) -> None:
        """Updates who is away from this room, and until when, after a change."""
        for player in views.room.members:
            account = self._accounts.by_id.get(player)
            if account is None or (self._accounts.open_sessions(account) and not account.is_silent):
                continue
            self.forget(views, player)
            self.begin(views, account, effects)
            if player not in views.away:  # who is not waited for leaves with its session
                self._alarms.set(("absent", player), now + self._limits.session_memory_ms)

    def over(self, views: Views, now: int) -> set[str]:
        """The players that have been away for too long."""
        return {player for player, until in views.away.items() if until <= now}

    def _wait(self, views: Views, player: str) -> int | None:
        """The time a place is kept for `player`; None: as long as its session."""
        room = views.room
        if room.state in (WAITING, PREPARING) and (player in room.seats or player == room.owner):
            return self._limits.waiting_ms
        if room.plays(player) and not room.is_correspondence:
            whole = self._limits.absence(room.clock_terms)
            return max(whole - views.was_away[player], whole // _LEAST_SHARE)
        return None


def _since(room: Room, account: Account) -> int:
    """The time since when the others have waited for `account`: never before the start of the game."""
    return max(account.gone_at, room.log[room.start_seq].at if room.state is PLAYING else 0)


def away(views: Views, player: str, *, claim: bool = False) -> Message:
    """The message about an absence; with `claim` once the others may claim."""
    room = views.room
    message: Message = {"type": "away", "room": room.id, "player": room.members[player]}
    message |= {"seats": room.seats_of(player), "until": views.away[player]}
    return {**message, "claim": True} if claim else message
