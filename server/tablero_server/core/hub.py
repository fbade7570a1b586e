"""All that clients may ask for: one `match` arm a message, one method for what it does.

Law: plain functions of (state, message, now, randomness handed in). What must be done outside is returned as
Effects; a Refusal means that nothing has changed.
"""

from __future__ import annotations

from typing import assert_never
from zlib import crc32

from msgpack import Packer

from tablero_games.position import Json
from tablero_protocol.codes import WHY_CLOSED, Close, Code
from tablero_protocol.messages import (
    AddTime,
    Answer,
    Begin,
    CancelSeek,
    Claim,
    ClientMessage,
    CreateRoom,
    Decline,
    FreeSeat,
    Hello,
    Invite,
    Join,
    Leave,
    ListRooms,
    Mute,
    Offer,
    Ping,
    PlayTurn,
    Resign,
    Resume,
    Say,
    Seek,
    SetOptions,
    ShowHistory,
    Subscribe,
    SwapSeats,
    TakeSeat,
    Unsubscribe,
    UnwatchBest,
    UnwatchLobby,
    WatchBest,
    WatchLobby,
)

from .accounts import Accounts
from .alarms import Alarms
from .effects import Effects, PeerId
from .entry import Cause
from .ids import Ids, RandomBytes
from .invitations import Invitations
from .limits import Limits
from .newest import Newest
from .own_rooms import own_rooms
from .ownership import Ownership
from .pairing import Pairing
from .playing import Playing
from .rate_limits import RateLimits
from .refusal import Message, Refusal
from .repeats import Repeats
from .resume import Missed
from .rooms import Rooms
from .seating import Seating
from .session import Account, Session
from .television import Television

_PACKER = Packer(default=vars)
"""Of whole messages, models within models included: only to tell one from another."""


class Hub:
    def __init__(self, random_bytes: RandomBytes, limits: Limits | None = None, host_key: str = "") -> None:
        self.limits = limits or Limits()
        self.ids = Ids(random_bytes)
        self.alarms = Alarms()
        self.accounts = Accounts(self.ids, host_key)
        self.rooms = Rooms(self.ids, self.accounts, self.alarms, self.limits)
        self.invitations = Invitations(self.ids, self.accounts, self.rooms, self.alarms, self.limits)
        self.seating = Seating(self.ids, self.accounts, self.rooms, self.invitations, self.limits)
        self.pairing = Pairing(
            self.ids, self.accounts, self.rooms, self.invitations, self.alarms, self.limits
        )
        self.ownership = Ownership(self.rooms, self.invitations)
        self.rate_limits = RateLimits(self.limits)
        self.missed = Missed(self.rate_limits, self.limits)
        self.playing = Playing(self.ids, self.rooms, self.rate_limits, self.missed, self.limits)
        self.newest = Newest(self.rooms)
        self.television = Television(self.rooms, self.alarms)
        self.repeats = Repeats(self.rooms, self.seating, self.rate_limits, self.missed, self.limits)
        self.peers: dict[PeerId, Session] = {}
        """Peers that have said hello."""
        self._replaced: set[PeerId] = set()
        """Peers whose session came back on a newer one, and that are about to be closed."""

    # What happens to the hub

    def arrive(self, peer: PeerId, caller: str | None) -> None:
        """A connection began; `caller` is the address by which it is limited, if it is."""
        self.rate_limits.arrive(peer, caller)

    def receive(self, peer: PeerId, message: ClientMessage, now: int) -> Effects:
        effects = Effects()
        session = self.peers.get(peer)
        try:
            if session is None:
                self._hello(peer, message, now, effects)
            else:
                # 32 bits will do: they guard against a client's mistake, not against an adversary.
                content = crc32(_PACKER.pack(message.__dict__))
                cause = Cause(session.account.id, message.id, content)
                if not self.repeats.was_done(session, message, cause, now, effects):
                    self._dispatch(session, message, cause, now, effects)
                    if not isinstance(message, PlayTurn):  # the log has its answer
                        self.repeats.remember(session, message, cause, now, effects)
        except Refusal as refusal:
            effects.refuse(peer, refusal.message(message.id), refusal.about or getattr(message, "room", None))
            if refusal.code is Code.RATE_LIMITED:
                self.rate_limits.refused(peer, now, effects)
            if refusal.code is Code.WRONG_PROTOCOL:
                effects.close(peer, Close.WRONG_PROTOCOL)
        self.rooms.next_searches(effects)
        return effects

    def dropped(self, peer: PeerId, now: int) -> Effects:
        """A connection ended. Its session may come back; nobody loses a seat yet."""
        effects = Effects()
        self.rate_limits.leave(peer)
        self._replaced.discard(peer)
        session = self.peers.pop(peer, None)
        if session is not None:
            session.drop()
            self.pairing.connection_ended(session)
            effects.players = self.accounts.save(session.account, now, self.limits)
            self.rooms.lobby.watchers.discard(session.id)
            self.television.unwatch(session)
            self.alarms.set(("session", session.id), now + self.limits.session_memory_ms)
            account = session.account
            self.rooms.lobby.player_changed(account.id)
            if not self.accounts.open_sessions(account):
                account.gone_at = now
                self.seating.went(account, effects)
                self.invitations.player_went(account, effects)
        return effects

    def measures(self, peer: PeerId) -> bool:
        """Whether the line to `peer` counts: it plays by a clock that is a matter of seconds."""
        return peer in self.peers and self.playing.by_seconds(self.peers[peer])

    def measured(self, peer: PeerId, ms: int) -> None:
        """So long did a message take to `peer` and back."""
        if (session := self.peers.get(peer)) is not None:
            session.measured(ms)

    def tick(self, now: int) -> Effects:
        """Does what has become due, and tells the lobby's watchers what changed."""
        effects = Effects()
        for alarm in self.alarms.ring(now):
            match alarm:
                case "flag", room:
                    self.playing.drop_flags(self.rooms.open[room], now, effects)
                case "pause", room:
                    self.playing.go_on(room, now, effects)
                case "away", room, player:
                    self.seating.stayed_away(room, player, now, effects)
                case "idle", room:
                    self.seating.close_idle(room, now, effects)
                case "seek", seek:
                    self.pairing.ring(seek, now, effects)
                case "invite", invitation:
                    self.invitations.ring(invitation, effects)
                case "session", session:
                    self._expire(self.accounts.sessions[session], now, effects)
                case "absent", player:
                    self._forgotten_by_the_rooms(self.accounts.by_id[player], now, effects)
                case ("best",):
                    self.television.choose(now, effects)
                case "closed", room:
                    self.rooms.closed.forget(room)
                case "guest", player if self.accounts.by_id[player].rooms:  # a game waits for it
                    self.alarms.set(alarm, now + self.limits.guest_memory_ms)
                case "guest", player:
                    self._forget_player(player, effects)
        self._tell_lobby(effects)
        self.rooms.next_searches(effects)
        return effects

    def _tell_lobby(self, effects: Effects) -> None:
        lobby = self.rooms.lobby
        if lobby.is_due() and (changes := lobby.changes()) is not None:
            for watcher in sorted(lobby.watchers):
                effects.send(self.accounts.sessions[watcher].peer, changes)

    def found(self, ticket: int, found: Json | None, now: int) -> Effects:
        """A search that some effects asked for has ended; None: in vain."""
        effects = Effects()
        if (room := self.rooms.searches.end(ticket)) is not None:
            views = self.rooms.open[room]
            views.room.has_found(found, now, self.rooms.listener(views, None, effects))
        self.rooms.next_searches(effects)
        return effects

    def revoke(self, player: str, now: int) -> Effects:
        """The host ends a player's token: it opens nothing more, and what it opened is closed for good."""
        effects, account = Effects(), self.accounts.by_id[player]
        effects.players = (self.accounts.revoke(account, now),)
        self.seating.expelled(account, now, effects)
        peers = [peer for peer, session in self.peers.items() if session.account is account]
        effects.closes = tuple((peer, Close.REVOKED) for peer in peers)
        return effects

    def stop(self) -> Effects:
        """Everybody is told to come back when the server does."""
        effects = Effects()
        bye: Message = {"type": "bye", "code": Close.RESTARTING.value, "retryAfterMs": 500}
        bye["message"] = WHY_CLOSED[Close.RESTARTING]
        for peer in self.peers:
            effects.send(peer, bye)
            effects.close(peer, Close.RESTARTING)
        return effects

    # Coming in

    def _hello(self, peer: PeerId, message: ClientMessage, now: int, effects: Effects) -> None:
        """Nothing else is heard of somebody who has not said it."""
        self.rate_limits.before_hello(peer, now)
        if peer in self._replaced:
            raise Refusal("sessionReplaced")
        if not isinstance(message, Hello):
            raise Refusal("noHello")
        if message.token is None:
            self.rate_limits.new_guest(peer, now)
            self._check_place_for_one_more()
        elif (renamed := self.accounts.renamed(message)) is not None:
            self.rate_limits.rename(renamed.id, now)
            effects.renamed = renamed.id, renamed.name
        session, token = self.accounts.enter(message, now, self.limits)
        if len(self.accounts.by_id) > self.limits.players:
            oldest = self.accounts.oldest_absent_newcomer()
            assert oldest is not None
            self._forget_player(oldest, effects)
        replaced = session.hello(peer)
        if replaced is not None:
            del self.peers[replaced]
            self.pairing.connection_ended(session)
            self._replaced.add(replaced)
            effects.close(replaced, Close.REPLACED)
        self.peers[peer] = session
        account = session.account
        effects.players = self.accounts.save(account, now, self.limits)
        for alarm in (("session", session.id), ("absent", account.id), ("guest", account.id)):
            self.alarms.cancel(alarm)
        self.rooms.lobby.player_changed(account.id)
        welcome: Message = {
            "type": "welcome",
            "re": message.id,
            "player": account.shown(),
            "session": session.id,
            "limits": self.limits.shown(),
            "now": now,
            "rooms": self._own_rooms(account, now),
        }
        if account.muted:
            welcome["muted"] = dict(account.muted)
        effects.send(peer, welcome if token is None else {**welcome, "token": token})
        self.seating.came(account, effects)

    def _own_rooms(self, account: Account, now: int) -> list[Message]:
        return own_rooms((self.rooms.open[room].room for room in account.rooms), account.id, now)

    def _check_place_for_one_more(self) -> None:
        if len(self.accounts.by_id) >= self.limits.players and self.accounts.oldest_absent_newcomer() is None:
            raise Refusal("tooManyPlayers", retry_after_ms=60_000)

    def _forget_player(self, id: str, effects: Effects) -> None:
        for kind in ("absent", "guest"):
            self.alarms.cancel((kind, id))
        self.accounts.forget_account(self.accounts.by_id[id])
        effects.forgotten += (id,)

    def _expire(self, session: Session, now: int, effects: Effects) -> None:
        self.forget(session)
        account = session.account
        if account.sessions:
            return
        self.seating.forgotten(account, now, effects)
        self.alarms.set(("guest", account.id), now + self.limits.memory_ms(sat=account.sat))

    def _forgotten_by_the_rooms(self, account: Account, now: int, effects: Effects) -> None:
        if not account.sessions:
            self.seating.forgotten(account, now, effects)

    def forget(self, session: Session) -> None:
        """It does not come back. Its player may, in another one."""
        if session.peer is not None:
            del self.peers[session.peer]
            session.drop()
            self.pairing.connection_ended(session)
        self.rooms.lobby.watchers.discard(session.id)
        self.television.unwatch(session)
        self.alarms.cancel(("session", session.id))
        for views in self.rooms.watched_by(session):
            del views.viewers[session.id]
        self.accounts.forget(session)

    def _dispatch(
        self, session: Session, message: ClientMessage, cause: Cause, now: int, effects: Effects
    ) -> None:
        match message:
            case PlayTurn():
                self.playing.play_turn(session, message, cause, now, effects)
            case CreateRoom():
                self.rate_limits.new_room(session, now)
                self.seating.create_room(session, message, cause, now, effects)
            case Join():
                if message.code is not None:
                    self.rate_limits.code(session, now)
                try:
                    self.seating.join(session, message, cause, now, effects)
                except Refusal as refusal:
                    if refusal.code is Code.WRONG_CODE:
                        self.rate_limits.wrong_code(now)
                    raise
            case Leave():
                self.seating.leave(session, message, cause, now, effects)
            case Invite():
                self.invitations.invite(session, message, now, effects)
            case Decline():
                self.invitations.decline(session, message, effects)
            case Subscribe():
                self.seating.subscribe(session, message, effects)
            case Unsubscribe():
                self.seating.unsubscribe(session, message, effects)
            case Resign():
                self.playing.resign(session, message, cause, now, effects)
            case Say():
                self.playing.say(session, message, cause, now, effects)
            case Offer():
                self.playing.offer(session, message, cause, now, effects)
            case AddTime():
                self.playing.add_time(session, message, cause, now, effects)
            case Claim():
                self.playing.claim(session, message, cause, now, effects)
            case Answer():
                self.playing.answer(session, message, cause, now, effects)
            case Mute():
                self.invitations.mute(session, message, effects)
            case Resume():
                for event in self.missed.since(*self.rooms.of(session, message.room), message, now):
                    effects.send(session.peer, event)
            case ShowHistory():
                page = self.missed.history(*self.rooms.of(session, message.room), message)
                effects.send(session.peer, page)
            case Seek():
                self.rate_limits.new_room(session, now)
                self.pairing.seek(session, message, now, effects)
            case CancelSeek():
                self.pairing.cancel(session, message, effects)
            case SetOptions():
                self.ownership.set_options(session, message, cause, now, effects)
            case FreeSeat():
                self.ownership.free_seat(session, message, cause, now, effects)
            case SwapSeats():
                self.ownership.swap_seats(session, message, cause, now, effects)
            case Begin():
                self.ownership.begin(session, message, cause, now, effects)
            case TakeSeat():
                self.seating.take_seat(session, message, effects)
            case WatchLobby():
                page = self.rooms.lobby.watch(session.id, message.id, message.after)
                self.rate_limits.lobby(session, page, now)
                effects.send(session.peer, page)
            case UnwatchLobby():
                self.rooms.lobby.watchers.discard(session.id)
                effects.send(session.peer, {"type": "ok", "re": message.id})
            case WatchBest():
                self.television.watch(session, message, now, effects)
            case UnwatchBest():
                self.television.unwatch(session)
                effects.send(session.peer, {"type": "ok", "re": message.id})
            case ListRooms():
                own = self._own_rooms(session.account, now)
                effects.send(session.peer, {"type": "ownRooms", "re": message.id, "now": now, "rooms": own})
            case Ping():
                heads = {views.room.id: views.room.head for views in self.rooms.watched_by(session)}
                effects.send(session.peer, {"type": "pong", "re": message.id, "now": now, "heads": heads})
            case Hello():
                raise Refusal("helloTwice")
            case _:
                assert_never(message)
