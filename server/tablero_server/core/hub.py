"""Everything that clients may ask for: a table with a method for each message.

Law: each method is a plain function of (state, message, now, given randomness). Work outside the core is
returned as Effects. A Refusal means that nothing has changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any
from zlib import crc32

from msgpack import Packer

from tablero_games.position import Json
from tablero_protocol.codec import ProtocolError
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
    EndToken,
    FreeSeat,
    HandOver,
    Hello,
    Invite,
    Join,
    Leave,
    ListRooms,
    ListTokens,
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
    ShowPlayer,
    ShowQrCode,
    ShowRatings,
    ShowTable,
    ShowTimes,
    ShowTonight,
    Subscribe,
    SwapSeats,
    TakeSeat,
    Unsubscribe,
    UnwatchBest,
    UnwatchLobby,
    WatchBest,
    WatchLobby,
)

from .alarms import Alarms
from .authority import Authority, HostView
from .command import Command
from .effects import Asked, Effects, PeerId
from .entry import Cause
from .ids import Ids, RandomBytes
from .limits.limits import Limits
from .limits.rate_limits import Guess, RateLimits
from .meeting.invitations import Invitations
from .meeting.pairing import Pairing
from .meeting.television import Television
from .people.accounts import Accounts
from .people.devices import Devices, qr_code
from .people.entrance import Entrance
from .people.entry_policy import EntryPolicy
from .people.sanctions import Sanctions
from .people.session import Source
from .refusal import Message, Refusal
from .seats.ownership import Ownership
from .seats.packed_rooms import AtRest, Waiting
from .seats.playing import Playing
from .seats.resume import Missed, Newest, Repeats
from .seats.rooms import Rooms
from .seats.seating import Seating
from .seats.views import Views

_WRONG_GUESSES: dict[str, Guess] = {
    "wrongCode": "table",
    "wrongHandOver": "device",
    "wrongPassphrase": "passphrase",
}
"""The kind of guess that counts as wrong when a command is refused for this reason."""
_ENTRIES_LIKE_A_MESSAGE = 100
"""The number of entries of a packed game that cost as much as a message when a player joins the game."""
_new = tuple.__new__  # a named tuple's own constructor takes twice as long
_PACKER = Packer(default=vars)
"""Packs whole messages, nested models included, only to compare them."""


class Hub:
    def __init__(
        self,
        random_bytes: RandomBytes,
        limits: Limits | None = None,
        host_key: str = "",
        entry_policy: EntryPolicy | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self.ids = Ids(random_bytes)
        self.alarms = Alarms()
        self.accounts = Accounts(self.ids, self.limits, host_key)
        self.rooms = Rooms(self.ids, self.accounts, self.alarms, self.limits)
        self.invitations = Invitations(self.ids, self.accounts, self.rooms, self.alarms, self.limits)
        self.rate_limits = RateLimits(self.limits)
        self.seating = Seating(self.ids, self.rooms, self.invitations, self.rate_limits, self.limits)
        self.pairing = Pairing(self.ids, self.rooms, self.invitations, self.alarms, self.limits)
        self.rooms.ratings.when_moved = self._rating_moved
        self.ownership = Ownership(self.rooms, self.invitations)
        self.missed = Missed(self.rate_limits, self.limits)
        self.refusals: Counter[tuple[str, str]] = Counter()
        """The refusals by code and reason, since the start."""
        self.playing = Playing(self.ids, self.rooms, self.rate_limits, self.missed, self.limits)
        self.newest = Newest(self.rooms)
        self.television = Television(self.rooms, self.alarms)
        self.repeats = Repeats(self.rooms, self.seating, self.rate_limits, self.missed, self.limits)
        self.sanctions = Sanctions(self.alarms)
        self.entrance = Entrance(
            *(self.accounts, self.rooms, self.seating, self.invitations, self.pairing, self.television),
            *(self.rate_limits, self.sanctions, self.alarms, self.limits, entry_policy or EntryPolicy()),
        )
        self.peers = self.entrance.peers
        self.devices = Devices(self.accounts, self.entrance, self.limits)
        self.authority = Authority(
            self.ids, self.accounts, self.rooms, self.seating, self.entrance, self.sanctions
        )

        self.host_view = HostView(self.accounts, self.rooms, self.sanctions, self.authority)
        self._orders = self._all_orders()

    def _all_orders(self) -> dict[type[ClientMessage], Callable[[Command[Any]], None]]:
        """The method for each message that a client may send."""
        return {
            PlayTurn: self.playing.play_turn,
            Resign: self.playing.resign,
            Say: self._say,
            Offer: self.playing.offer,
            Answer: self.playing.answer,
            AddTime: self.playing.add_time,
            Claim: self.playing.claim,
            CreateRoom: self.seating.create_room,
            Join: self.seating.join,
            Leave: self.seating.leave,
            TakeSeat: self.seating.take_seat,
            Subscribe: self.seating.subscribe,
            Unsubscribe: self.seating.unsubscribe,
            SetOptions: self.ownership.set_options,
            FreeSeat: self.ownership.free_seat,
            SwapSeats: self.ownership.swap_seats,
            Begin: self.ownership.begin,
            Invite: self.invitations.invite,
            Decline: self.invitations.decline,
            Mute: self._mute,
            Seek: self._seek,
            CancelSeek: self.pairing.cancel,
            WatchLobby: self._watch_lobby,
            UnwatchLobby: self._unwatch_lobby,
            WatchBest: self.television.watch,
            UnwatchBest: self._unwatch_best,
            Resume: self._resume,
            ShowHistory: self._show_history,
            ShowTable: self.seating.show_table,
            ShowRatings: self._look_up,
            ShowTimes: self._look_up,
            ShowPlayer: self._look_up,
            ShowTonight: self._look_up,
            ShowQrCode: self._show_qr_code,
            ListRooms: self._list_rooms,
            ListTokens: self.devices.list_tokens,
            EndToken: self.devices.end_token,
            HandOver: self.devices.hand_over,
            Ping: self._pong,
            Hello: self._hello_again,
        }

    # Events

    def arrive(self, peer: PeerId, caller: str | None, address: str | None = None) -> None:
        """Notes a connection from `address`; `caller` is the address that rate limits use, or None without
        limits.
        """
        self.rate_limits.arrive(peer, caller, address)
        self.entrance.arrive(peer, None if address is None else Source(address, shared=caller is None))

    def receive(self, peer: PeerId, message: ClientMessage, now: int) -> Effects:
        """Carries out a command once: a repeat gets the first answer again."""
        effects = Effects()
        session = self.peers.get(peer)
        try:
            if session is None:
                self.entrance.hello(peer, message, now, effects)
                return effects
            # 32 bits are enough: the checksum finds a client's mistake, not an attack.
            content = crc32(_PACKER.pack(tuple(message.__dict__.values())))
            id, account = message.id, session.account
            cause = _new(Cause, (account.id, id, content))
            command = _new(Command, (session, message, cause, now, effects))
            is_turn, is_logged = type(message) is PlayTurn, id in account.logged
            if not is_turn or is_logged:  # turns have their own limit
                self.rate_limits.message(session, now)
            is_known = is_logged or id in session.answered
            if is_known and (first := self.repeats.first_answer(command)) is not None:
                self.repeats.answer_again(command, first)
                return effects
            self._orders[type(message)](command)
            if not is_turn:  # the log has the answer to a turn
                self.repeats.remember(command)
        except AtRest as wanted:
            assert session is not None
            self.rooms.unpacking.want(wanted.room, Waiting(peer, session, message))
        except Refusal as refusal:
            self._refuse(peer, message, refusal, now, effects)
        return effects

    def _refuse(
        self, peer: PeerId, message: ClientMessage, refusal: Refusal, now: int, effects: Effects
    ) -> None:
        """Refuses a command. Counts the refusal if it is of a kind that often means abuse."""
        self.refusals[refusal.code.value, refusal.reason] += 1
        effects.refuse(peer, refusal.message(message.id), refusal.about or getattr(message, "room", None))
        if refusal.code is Code.RATE_LIMITED:
            self.rate_limits.refused(peer, now, effects)
        if (guess := _WRONG_GUESSES.get(refusal.reason)) is not None:
            self.rate_limits.guessed_wrong(guess, peer, self.peers.get(peer), now)
        if refusal.code is Code.WRONG_PROTOCOL:
            effects.close(peer, Close.WRONG_PROTOCOL)
        if refusal.code is Code.BANNED:
            effects.close(peer, Close.BANNED)

    def dropped(self, peer: PeerId, now: int) -> Effects:
        """Handles a lost connection. The session keeps its seats until it expires."""
        effects = Effects()
        self.rate_limits.leave(peer)
        self.entrance.dropped(peer, now, effects)
        return effects

    def misread(self, peer: PeerId, error: ProtocolError, why: Close | None) -> Effects:
        """Handles a frame that is not a message. With `why`, the connection is closed."""
        effects = Effects()
        self.refusals[error.code.value, error.reason] += 1
        effects.send(peer, Refusal(error.reason, **error.fields).message(error.re))
        if why is not None:
            effects.close(peer, why)
        return effects

    def fell_silent(self, peer: PeerId, now: int) -> Effects:
        """Tells the tables of a player with a running clock that the player's line is silent, though still
        open.
        """
        effects = Effects()
        if self.plays_by_seconds(peer):
            self.entrance.fell_silent(self.peers[peer], now, effects)
        return effects

    def heard_again(self, peer: PeerId, now: int) -> Effects:
        effects = Effects()
        if (session := self.peers.get(peer)) is not None:
            self.entrance.heard_again(session, now, effects)
        return effects

    def plays_by_seconds(self, peer: PeerId) -> bool:
        """Whether this peer plays with a clock of seconds, where a slow line matters."""
        return peer in self.peers and self.playing.by_seconds(self.peers[peer])

    def measured(self, peer: PeerId, ms: int) -> None:
        """Notes the round-trip time of a message to `peer`."""
        if (session := self.peers.get(peer)) is not None:
            session.measured(ms)

    def tick(self, now: int) -> Effects:
        """Does everything that is due, and sends the lobby's watchers the changes."""
        effects = Effects()
        self.rooms.ratings.at = now
        for alarm in self.alarms.ring(now):
            match alarm:
                case "flag", room if room in self.rooms.packed:
                    self.rooms.unpacking.want(room)
                case "flag", room:
                    self._drop_flags(self.rooms.open[room], now, effects)
                case "pause", room:
                    self.playing.go_on(room, now, effects)
                case "away", room, player:
                    self.seating.stayed_away(room, player, now, effects)
                case "start", room:
                    self.rooms.end_countdown(room, now, effects)
                case "idle", room:
                    self.seating.close_idle(room, now, effects)
                case "pack", room:
                    self.rooms.pack_if_idle(room, now)
                case "seek", seek:
                    self.pairing.ring(seek, now, effects)
                case "invite", invitation:
                    self.invitations.ring(invitation, effects)
                case "session", session:
                    self.entrance.expire(self.accounts.sessions[session], now, effects)
                case "absent", player:
                    self.entrance.forgotten_by_the_rooms(self.accounts.by_id[player], now, effects)
                case "sanction", sanction:
                    self.authority.end(self.sanctions.all[sanction], effects)
                case ("best",):
                    self.television.choose(now, effects)
                case "closed", room:
                    self.rooms.closed.forget(room)
                case "guest", player if (account := self.accounts.by_id[player]).stays:
                    self.alarms.set(alarm, now + self.limits.memory_ms(kept=account.kept))
                case "guest", player:
                    self.entrance.forget_player(player, effects)
        self.entrance.make_room(now, effects)
        self._tell_lobby(effects)
        self.rooms.next_searches(effects)
        return effects

    def unpack(self, now: int) -> Iterator[Effects]:
        """Unpacks rooms step by step, then carries out the commands that waited for them."""
        if (done := self.rooms.unpacking.go_on()) is None:
            return
        (room, waiting), told, cost = done, Effects(), 0
        self.rooms.lobby.room_changed(room)
        if (views := self.rooms.open.get(room)) is not None:
            cost = len(views.room.log) // _ENTRIES_LIKE_A_MESSAGE
            self._drop_flags(views, now, told)
        yield told
        for peer, session, message in waiting:
            if self.peers.get(peer) is session:
                self.rate_limits.charge(session, -1, now)  # `receive` counts the message a second time
                yield self.receive(peer, message, now)
                self.rate_limits.charge(session, cost, now)

    def _drop_flags(self, views: Views, now: int, effects: Effects) -> None:
        self.playing.drop_flags(views, now, effects)
        self.rooms.alarms.set_clock(views.room, views.line_of)

    def _rating_moved(self, player: str) -> None:
        """Sends the lobby lines of a player's rooms and seeks again, because they show the rating."""
        if (account := self.accounts.by_id.get(player)) is not None:
            for room in account.rooms:
                self.rooms.lobby.tell_again("rooms", room)
            for seek in self.pairing.of(account):
                self.rooms.lobby.tell_again("seeks", seek.id)

    def _tell_lobby(self, effects: Effects) -> None:
        lobby = self.rooms.lobby
        if (changes := lobby.changes()) is not None:
            for watcher in sorted(lobby.watchers):
                effects.send(self.accounts.sessions[watcher].peer, changes)

    def found(self, ticket: int, found: Json | None, now: int) -> Effects:
        """Hands the result of a search to its room; None: the search failed."""
        effects = Effects()
        if (room := self.rooms.searches.end(ticket)) is not None:
            views = self.rooms.open[room]
            flagged = self.accounts.from_one_address(views.room.seats)
            tell, countdown_ms = self.rooms.listener(views, effects), self.limits.countdown_ms
            views.room.has_found(found, now, tell, flagged=flagged, countdown_ms=countdown_ms)
        self.rooms.next_searches(effects)
        return effects

    def stop(self) -> Effects:
        """Asks all players to reconnect after the restart."""
        effects = Effects()
        bye: Message = {"type": "bye", "code": Close.RESTARTING.value, "retryAfterMs": 500}
        bye["message"] = WHY_CLOSED[Close.RESTARTING]
        for peer in self.peers:
            effects.send(peer, bye)
            effects.close(peer, Close.RESTARTING)
        return effects

    def _say(self, command: Command[Say]) -> None:
        self.sanctions.check_may_speak(command.session, command.now)
        self.playing.say(command)

    def _show_qr_code(self, command: Command[ShowQrCode]) -> None:
        self.rate_limits.replay(command.session, command.now)
        command.answer(qr_code(self.rooms, self.accounts.hand_overs, command))

    def _mute(self, command: Command[Mute]) -> None:
        self.invitations.mute(command)
        if command.message.what != "all":
            self.pairing.look_again(command.session.account, command.now)

    def _resume(self, command: Command[Resume]) -> None:
        views, viewer = self.rooms.of(command.session, command.message.room)
        for event in self.missed.since(views, viewer, command.message, command.now):
            command.answer(event)

    def _show_history(self, command: Command[ShowHistory]) -> None:
        views, viewer = self.rooms.of(command.session, command.message.room)
        command.answer(self.missed.history(views, viewer, command.message))

    def _look_up(self, command: Command[ShowRatings | ShowTimes | ShowPlayer | ShowTonight]) -> None:
        session = command.session
        self.rate_limits.replay(session, command.now)
        assert session.peer is not None
        command.effects.asked += (Asked(session.peer, session.account.id, command.message),)

    def _seek(self, command: Command[Seek]) -> None:
        self.rate_limits.new_room(command.session, command.now)
        self.pairing.seek(command, self.rate_limits.caller(command.session.peer))

    def _watch_lobby(self, command: Command[WatchLobby]) -> None:
        page = self.rooms.lobby.watch(command.session.id, command.message.id, command.message.after)
        self.rate_limits.lobby(command.session, page, command.now)
        command.answer(page)

    def _unwatch_lobby(self, command: Command[UnwatchLobby]) -> None:
        self.rooms.lobby.watchers.discard(command.session.id)
        command.ok()

    def _unwatch_best(self, command: Command[UnwatchBest]) -> None:
        self.television.unwatch(command.session)
        command.ok()

    def _list_rooms(self, command: Command[ListRooms]) -> None:
        now = command.now
        own = self.entrance.own_rooms(command.session.account, now)
        command.answer({"type": "ownRooms", "re": command.message.id, "now": now, "rooms": own})

    def _pong(self, command: Command[Ping]) -> None:
        heads = {views.room.id: views.room.head for views in self.rooms.seen_by(command.session)}
        command.answer({"type": "pong", "re": command.message.id, "now": command.now, "heads": heads})

    def _hello_again(self, command: Command[Hello]) -> None:
        raise Refusal("helloTwice")
