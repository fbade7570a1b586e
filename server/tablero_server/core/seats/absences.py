"""Players who are away from a table, and the time that the others wait for them.

Law: the server decides no game because of an absence if a rival can do so. In a turn game, a rival who has
waited long enough may claim; the game ends without a claim only if all players stay away. In a race or a
cooperative game the others play on. In a correspondence game only the clock limits an absence. The absences
of a player in one game add up. A watcher is away, too, while none of the watcher's sessions shows the table.
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
"""The shortest wait for an absent player is the whole wait divided by this, however long earlier absences
were.
"""


class Absences:
    def __init__(self, accounts: Accounts, alarms: Alarms, limits: Limits) -> None:
        self._accounts = accounts
        self._alarms = alarms
        self._limits = limits

    def begin(self, views: Views, account: Account, now: int, effects: Effects) -> None:
        """Begins an absence of `account`, and tells the others at the table how long it may last."""
        room, player = views.room, account.id
        wait = self._wait(views, player)
        if wait is not None:
            since = _since(room, account) if player in room.seats else now
            until = views.away[player] = since + wait
            self._alarms.set(("away", room.id, player), until)
            views.tell("members", away(views, player), effects)

    def end(self, views: Views, account: Account, now: int, effects: Effects) -> None:
        """Ends an absence of `account`."""
        room, player = views.room, account.id
        if self._is_here(views, account) and self.forget(views, player):
            if room.state is PLAYING:
                views.was_away[player] += now - _since(room, account)
            message = {"type": "back", "room": room.id, "player": room.members[player]}
            views.tell("members", message, effects)

    def forget(self, views: Views, player: str) -> bool:
        """Stops waiting for `player` here. Returns whether somebody waited."""
        self._alarms.cancel(("away", views.room.id, player))
        return views.away.pop(player, None) is not None

    def left_in_vain(self, left: Entry) -> None:
        """Waits again for a player whose removal could not be saved."""
        account = self._accounts.by_id.get(left.body["player"]["id"])
        if account and not self._accounts.open_sessions(account):
            self._alarms.set(("absent", account.id), left.at + self._limits.session_memory_ms)

    def look_again(self, views: Views, now: int, effects: Effects) -> None:
        """Updates the absences of a room after a change."""
        for player in views.room.members:
            account = self._accounts.by_id.get(player)
            if account is None or self._is_here(views, account):
                continue
            self.forget(views, player)
            self.begin(views, account, now, effects)
            if player not in views.away:  # a player without a place to keep leaves when the session expires
                self._alarms.set(("absent", player), now + self._limits.session_memory_ms)

    def over(self, views: Views, now: int) -> set[str]:
        """The players who have been away for too long."""
        return {player for player, until in views.away.items() if until <= now}

    def watch_no_more(self, views: Views, account: Account, now: int, effects: Effects) -> None:
        """Handles the end of a session of `account` that saw this room. A player is away only without any
        session.
        """
        if not self._is_here(views, account):
            self.begin(views, account, now, effects)

    def _is_here(self, views: Views, account: Account) -> bool:
        """Whether a player has a session. A watcher who isn't the owner needs one that sees the room."""
        sessions = self._accounts.open_sessions(account)
        if account.id not in (*views.room.seats, views.room.owner):
            sessions = [each for each in sessions if each.id in views.viewers]
        return bool(sessions) and not account.is_silent

    def _wait(self, views: Views, player: str) -> int | None:
        """The time for which the place of `player` is kept; None if it is kept as long as the session."""
        room = views.room
        if room.state in (WAITING, PREPARING) and (player in room.seats or player == room.owner):
            return self._limits.waiting_ms
        if room.plays(player) and not room.is_correspondence:
            whole = self._limits.absence(room.clock_terms)
            return max(whole - views.was_away[player], whole // _LEAST_SHARE)
        return None if player in room.seats else self._limits.session_memory_ms


def _since(room: Room, account: Account) -> int:
    """The time when `account` went away, or the start of the game if that was later."""
    return max(account.gone_at, room.log[room.start_seq].at if room.state is PLAYING else 0)


def away(views: Views, player: str, *, claim: bool = False) -> Message:
    """The message about an absence; `claim` is set once the others may claim."""
    room = views.room
    message: Message = {"type": "away", "room": room.id, "player": room.members[player]}
    message |= {"seats": room.seats_of(player), "until": views.away[player]}
    return {**message, "claim": True} if claim else message
