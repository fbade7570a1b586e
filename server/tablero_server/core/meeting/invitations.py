"""Seats reserved for invited players, until they join, decline or leave, or the time runs out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tablero_protocol import messages

from ..alarms import Alarms
from ..command import Command
from ..effects import Effects
from ..ids import Ids
from ..limits.limits import Limits
from ..limits.rate_limits import TokenBuckets, check
from ..people.accounts import Accounts
from ..people.session import Account, Session
from ..refusal import Message, Refusal
from ..room.room import Room
from ..room.state import WAITING
from ..seats.rooms import Rooms


@dataclass(frozen=True, slots=True)
class Invitation:
    id: str
    room: str
    seat: int
    player: str
    by: str
    level: str | None
    """The level that a bot was asked to play, as "GAME:LEVEL"."""
    until: int


class Invitations:
    def __init__(self, ids: Ids, accounts: Accounts, rooms: Rooms, alarms: Alarms, limits: Limits) -> None:
        self._ids = ids
        self._accounts = accounts
        self._rooms = rooms
        self._alarms = alarms
        self._limits = limits
        self._rates: TokenBuckets[str] = TokenBuckets(limits.invitations)
        self._open: dict[str, Invitation] = {}

    def invite(self, command: Command[messages.Invite]) -> None:
        """Reserves a seat, and asks one player, or the least busy bot of that kind, to take it."""
        host = command.session
        asked = command.message
        self._rooms.bounds.check_may_begin()
        views, _ = self._rooms.of(host, asked.room)
        room = views.room
        room.check_seat_exists(asked.seat)
        if host.account.id not in (*room.seats, room.owner):
            raise Refusal("mayNotInvite")
        if room.state is not WAITING or room.seats[asked.seat] is not None:
            raise Refusal("seatNotFree", seat=asked.seat)
        self.check_not_kept(room.id, asked.seat)
        if (asked.player is None) == (asked.bot is None):
            raise Refusal("playerOrBot")
        if asked.bot is not None:
            guests = [self._idle_bot(asked.bot, room)]
        else:
            guests = self._sessions_of(asked.player or "", host.account)
            self._check_may_be_asked(guests[0].account, host.account, command.now)
        check(self._rates.take(host.account.id, command.now), "invitesTooMany")
        self._ask(guests, host.account, room, asked.seat, asked.bot, command.now, command.effects)
        command.ok()

    def ask(self, host: Account, room: Room, seat: int, spec: str, now: int, effects: Effects) -> None:
        """Reserves `seat` for an idle bot that plays "GAME:LEVEL"; such a bot must exist."""
        self._ask([self._idle_bot(spec, room)], host, room, seat, spec, now, effects)

    def bots_of_the_host(self) -> dict[str, str]:
        """For each game, the middle level of a bot of the host that is free."""
        offered: dict[str, str] = {}
        for account in self._accounts.of_host.values():
            if not self._accounts.open_sessions(account) or self._busy(account) >= 1:
                continue
            assert account.card is not None
            for brain in account.card.brains:
                if levels := brain.levels:
                    level = "normal" if "normal" in levels else levels[len(levels) // 2]
                    offered.setdefault(brain.game, f"{brain.game}:{level}")
        return offered

    def _ask(
        self,
        guests: list[Session],
        host: Account,
        room: Room,
        seat: int,
        level: str | None,
        now: int,
        effects: Effects,
    ) -> None:
        account = guests[0].account
        until = now + (self._limits.invite_ms if level is None else self._limits.bot_invite_ms)
        invitation = Invitation(self._ids.key(), room.id, seat, account.id, host.id, level, until)
        self._open[invitation.id] = invitation
        self._alarms.set(("invite", invitation.id), invitation.until)
        if level is None and account.shuns(host.id):
            return  # the inviting player is not told of the mute, and waits in vain
        message = self._message(invitation, room, host)
        for guest in guests:
            effects.send(guest.peer, message)

    def accepted(self, id: str, account: Account, room: str) -> Invitation:
        """The invitation that a `join` names. Raises Refusal if it is not for this player and room."""
        invitation = self._open.get(id)
        if invitation is None or invitation.player != account.id or invitation.room != room:
            raise Refusal("unknownInvite")
        return invitation

    def decline(self, command: Command[messages.Decline]) -> None:
        invitation = self._open.get(command.message.invite)
        if invitation is None or invitation.player != command.session.account.id:
            raise Refusal("unknownInvite")
        self.end(invitation, "declined", command.effects)
        command.ok()

    def mute(self, command: Command[messages.Mute]) -> None:
        """Mutes or unmutes a player; with "all" it also declines their invitations."""
        message = command.message
        account = command.session.account
        most = self._limits.muted
        self._accounts.mute(account, message.player, message.what, most, command.effects)
        if account.shuns(message.player):
            for invitation in self.to(account.id):
                if invitation.by == message.player:
                    self.end(invitation, "declined", command.effects)
        command.ok()

    def end(self, invitation: Invitation, reason: str | None, effects: Effects) -> None:
        """Ends an invitation and frees its seat. With a `reason`, the members of the room are told."""
        del self._open[invitation.id]
        self._alarms.cancel(("invite", invitation.id))
        effects.undo += (partial(self._keep_again, invitation),)
        guest = self._accounts.by_id[invitation.player]
        guest.failed_to_come = reason is not None
        if reason is None:
            return
        message = {
            "type": "declined",
            "room": invitation.room,
            "seat": invitation.seat,
            "player": guest.shown(invitation.level),
            "reason": reason,
        }
        self._rooms.open[invitation.room].tell("members", message, effects)

    def _keep_again(self, invitation: Invitation, now: int) -> None:
        """Restores an invitation if its end could not be saved."""
        if invitation.player in self._accounts.by_id:
            self._open[invitation.id] = invitation
            self._alarms.set(("invite", invitation.id), max(invitation.until, now))

    def take_back(self, room: str, seats: set[int], effects: Effects) -> None:
        """Withdraws the invitations to these seats."""
        for invitation in [each for each in self._open.values() if each.room == room and each.seat in seats]:
            self.end(invitation, "freed", effects)

    def ring(self, id: str, effects: Effects) -> None:
        self.end(self._open[id], "expired", effects)

    def player_went(self, account: Account, effects: Effects) -> None:
        for invitation in self.to(account.id):
            self.end(invitation, "gone", effects)

    def forget_closed_rooms(self) -> None:
        for invitation in [each for each in self._open.values() if each.room not in self._rooms.open]:
            del self._open[invitation.id]
            self._alarms.cancel(("invite", invitation.id))

    def to(self, player: str) -> list[Invitation]:
        return [each for each in self._open.values() if each.player == player]

    def kept(self, room: str) -> set[int]:
        return {each.seat for each in self._open.values() if each.room == room}

    def check_not_kept(self, room: str, seat: int) -> None:
        if seat in self.kept(room):
            raise Refusal("seatKept", seat=seat)

    def check_is_wanted(
        self, account: Account, room: Room, seat: int | None, invitation: Invitation | None
    ) -> None:
        """Refuses a player if the owner or a seated member has muted this player with "all" and did not
        invite them.

        Other players get the same refusal, so it does not reveal the mute.
        """
        hosts = {room.owner, *room.seats}.intersection(room.members)
        if invitation is not None:
            hosts.discard(invitation.by)
        if self._accounts.is_shunned(account.id, hosts):
            if seat is None:
                raise Refusal("noWatchers")
            raise Refusal("seatTaken" if room.seats[seat] is not None else "seatKept", seat=seat)

    def _check_may_be_asked(self, guest: Account, host: Account, now: int) -> None:
        """Refuses a second open invitation from the same player to `guest`, and too many invitations to
        `guest` from all players together.
        """
        waiting = self.to(guest.id)
        if again := [each.until for each in waiting if each.by == host.id]:
            raise _wait_for_an_answer("askedAlready", guest, min(again) - now)
        told = [each for each in waiting if not guest.shuns(each.by)]
        if len(told) >= self._limits.invitations_to:
            soonest = min(each.until for each in told)
            raise _wait_for_an_answer("manyAskThem", guest, soonest - now)

    def _sessions_of(self, player: str, host: Account) -> list[Session]:
        account = self._accounts.by_id.get(player)
        sessions = [] if account is None else self._accounts.open_sessions(account)
        if not sessions or account is host:
            raise Refusal("unknownPlayer")
        return sessions

    def _idle_bot(self, spec: str, room: Room) -> Session:
        """The session of the best bot that offers "GAME:LEVEL". Bots that ignored their last invitation come
        last. Of the others, the host's own bots come first, then the least busy.
        """
        game, _, level = spec.partition(":")
        if game != room.game.name:
            raise Refusal("otherGame", game=room.game.name)
        free: list[tuple[bool, bool, float, str]] = []
        offered = False
        for account in self._accounts.by_id.values():
            if not _offers(account, game, level) or not self._accounts.open_sessions(account):
                continue
            offered = True
            busy = self._busy(account)
            if busy < 1:
                free.append((account.failed_to_come, not account.of_host, busy, account.id))
        if not free:
            raise Refusal("botsBusy" if offered else "noSuchBot", bot=spec)
        return self._accounts.open_sessions(self._accounts.by_id[min(free)[-1]])[0]

    def _busy(self, account: Account) -> float:
        """The share of a bot's capacity that is in use."""
        assert account.card is not None
        return (self._rooms.bounds.games_of(account) + len(self.to(account.id))) / account.card.capacity

    @staticmethod
    def _message(invitation: Invitation, room: Room, host: Account) -> Message:
        message: Message = {
            "type": "invited",
            "invite": invitation.id,
            "room": room.id,
            "seat": invitation.seat,
            "game": room.game.name,
            "options": room.options_json,
            "by": host.shown(),
            "until": invitation.until,
        }
        if room.rated:
            message["rated"] = True
        return message if invitation.level is None else {**message, "level": invitation.level}


def _wait_for_an_answer(reason: str, guest: Account, milliseconds: int) -> Refusal:
    return Refusal(
        reason, player=guest.name, seconds=round(milliseconds / 1000, 1), retry_after_ms=milliseconds
    )


def _offers(account: Account, game: str, level: str) -> bool:
    brains = [] if account.card is None else account.card.brains
    return any(brain.game == game and level in brain.levels for brain in brains)
