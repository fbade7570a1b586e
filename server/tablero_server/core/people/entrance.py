"""Arrivals, lost connections, returns, and the deletion of unused accounts.

Law: before `hello`, a peer can send nothing else.
"""

from __future__ import annotations

from functools import partial

from tablero_protocol.codes import Close
from tablero_protocol.messages import ClientMessage, Hello
from tablero_protocol.notices import notice

from ..alarms import Alarms
from ..effects import Effects, PeerId
from ..entry import Forgotten
from ..limits.limits import Limits
from ..limits.rate_limits import RateLimits
from ..meeting.invitations import Invitations
from ..meeting.pairing import Pairing
from ..meeting.television import Television
from ..refusal import Message, Refusal
from ..room.outline import own_rooms
from ..room.state import WAITING
from ..seats.rooms import Rooms
from ..seats.seating import Seating
from .accounts import Accounts
from .entry_policy import EntryPolicy
from .sanctions import Sanctions
from .session import Account, Session, Source
from .tokens import OpenHandOver

_FORGET_AGAIN_MS = 60_000
"""The delay before a failed deletion is tried again."""


class Entrance:
    def __init__(
        self,
        accounts: Accounts,
        rooms: Rooms,
        seating: Seating,
        invitations: Invitations,
        pairing: Pairing,
        television: Television,
        rate_limits: RateLimits,
        sanctions: Sanctions,
        alarms: Alarms,
        limits: Limits,
        entry_policy: EntryPolicy,
    ) -> None:
        self._accounts = accounts
        self._rooms = rooms
        self._seating = seating
        self._invitations = invitations
        self._pairing = pairing
        self._television = television
        self._rate_limits = rate_limits
        self._sanctions = sanctions
        self._alarms = alarms
        self._limits = limits
        self._entry_policy = entry_policy
        self.peers: dict[PeerId, Session] = {}
        """Peers that have said hello."""
        self._source: dict[PeerId, Source] = {}
        self._place_wanted = False
        """Whether a newcomer was refused since the last tick because the server was full."""
        self._in_vain: list[str] = []
        """Newcomers who could not be saved; they are forgotten soon."""
        self._closing: dict[PeerId, str] = {}
        """Peers that are about to be closed, with the reason; their messages are ignored."""

    def hello(self, peer: PeerId, message: ClientMessage, now: int, effects: Effects) -> None:
        self._rate_limits.before_hello(peer, now)
        if peer in self._closing:
            raise Refusal(self._closing[peer])
        if not isinstance(message, Hello):
            raise Refusal("noHello")
        session, text = self._let_in(peer, message, now, effects)
        session.account.is_silent = False
        self._open(peer, session, now, effects)
        effects.send(peer, self._welcome(message.id, session, text, now))
        if self._rooms.bounds.draining:
            effects.send(peer, {"type": "announcement", **notice("willStop")})
        self._seating.came(session.account, now, effects)

    def _let_in(self, peer: PeerId, message: Hello, now: int, effects: Effects) -> tuple[Session, str | None]:
        """Finds the player, or makes a new one; returns the session, and the text of a new token."""
        if message.hand_over is not None:
            self._rate_limits.guess("device", peer, None, now)
        self._check_let_in(message, self._source.get(peer), now)
        is_new = message.hand_over is None and message.token is None
        if is_new:
            if not self._accounts.is_of_the_host(message):
                self._rate_limits.guess("passphrase", peer, None, now)
                self._entry_policy.check(message.passphrase)
            self._rate_limits.new_guest(peer, now)
            self._check_place_for_one_more()
        if (renamed := self._accounts.renamed(message, now)) is not None:
            self._rate_limits.rename(renamed.id, now)
        before = None if renamed is None else renamed.name
        handed_over = self._accounts.hand_overs.find(message.hand_over or "", now)
        session, text = self._accounts.enter(message, now)
        is_beyond = is_new and len(self._accounts.by_id) > self._limits.players
        if is_beyond and (least := self._accounts.least_used()) is not None:
            self.forget_player(least.id, effects)
        account, tokens = session.account, self._accounts.tokens
        account.source = self._source.get(peer)
        if is_new:
            effects.undo += (lambda now: self._in_vain.append(account.id),)
        if before is not None:
            effects.undo += (partial(self._rename_back, account, before, account.name),)
        self._accounts.save(account, now, effects)
        if handed_over is not None:
            effects.undo += (partial(self._hand_back, session, handed_over),)
            self._accounts.keep(account, now, effects)
            session.takes_over = set(account.rooms)
        tokens.end([each for each in tokens.of(account.id) if tokens.is_old(each, now)], effects)
        if session.token is not None:
            tokens.use(session.token, now, effects, message.device)
        return session, text

    def _rename_back(self, account: Account, before: str, name: str, now: int) -> None:
        """Undoes a rename that could not be saved, unless the player was renamed again."""
        if account.name == name and account.id in self._accounts.by_id:
            self._accounts.rename(account, before, now)
            self._rooms.lobby.player_changed(account.id)

    def _hand_back(self, session: Session, handed_over: OpenHandOver, now: int) -> None:
        if session.account.id in self._accounts.by_id and session.token is not None:
            self._accounts.tokens.forget(session.token)
            self._accounts.hand_overs.put_back(handed_over)

    def forget_who_came_in_vain(self, effects: Effects) -> None:
        """Deletes newcomers who could not be saved, except those who are in a room by now."""
        came = [self._accounts.by_id[id] for id in self._in_vain if id in self._accounts.by_id]
        self._in_vain.clear()
        for account in [each for each in came if not each.rooms]:
            self._invitations.player_went(account, effects)
            for session in [self._accounts.sessions[name] for name in sorted(account.sessions)]:
                self.forget(session)
            for kind in ("absent", "guest"):
                self._alarms.cancel((kind, account.id))
            self._accounts.forget_account(account, Effects())
            self._rooms.lobby.player_changed(account.id)

    def _open(self, peer: PeerId, session: Session, now: int, effects: Effects) -> None:
        """Connects the session to this peer in place of its earlier connection."""
        replaced = session.hello(peer)
        if replaced is not None:
            del self.peers[replaced]
            self._pairing.connection_ended(session)
            self._closing[replaced] = "sessionReplaced"
            effects.close(replaced, Close.REPLACED)
        self.peers[peer] = session
        session.source = self._source.get(peer)
        session.here_since = session.here_since if replaced is not None else now
        account = session.account
        for alarm in (("session", session.id), ("absent", account.id), ("guest", account.id)):
            self._alarms.cancel(alarm)
        self._rooms.lobby.player_changed(account.id)

    def _welcome(self, re: str, session: Session, token: str | None, now: int) -> Message:
        account = session.account
        welcome: Message = {
            "type": "welcome",
            "re": re,
            "player": account.shown(),
            "session": session.id,
            "limits": self._limits.shown(),
            "now": now,
            "rooms": self.own_rooms(account, now),
        }
        if account.muted:
            welcome["muted"] = dict(account.muted)
        return welcome if token is None else {**welcome, "token": token}

    def own_rooms(self, account: Account, now: int) -> list[Message]:
        return own_rooms(self._rooms.outlines(account), account.id, now)

    def arrive(self, peer: PeerId, source: Source | None) -> None:
        if source is not None:
            self._source[peer] = source

    def dropped(self, peer: PeerId, now: int, effects: Effects) -> None:
        """Handles the end of a connection."""
        self._closing.pop(peer, None)
        self._source.pop(peer, None)
        self.part(peer, now, effects)

    def part(self, peer: PeerId, now: int, effects: Effects) -> None:
        """Handles a lost connection. The session keeps its seats until it expires."""
        session = self.peers.pop(peer, None)
        if session is None:
            return
        account = session.account
        session.drop()
        self._pairing.connection_ended(session)
        self._accounts.save(account, now, effects)
        if session.token is not None:
            self._accounts.tokens.use(session.token, now, effects)
        self._rooms.lobby.watchers.discard(session.id)
        self._television.unwatch(session)
        self._alarms.set(("session", session.id), now + self._limits.session_memory_ms)
        self._rooms.lobby.player_changed(account.id)
        if not self._accounts.open_sessions(account):
            account.gone_at = account.gone_at if account.is_silent else now
            account.is_silent = False
            self._seating.went(account, now, effects)
            self._invitations.player_went(account, effects)
            self._accounts.note_absence(account)
        else:
            for views in self._rooms.seen_by(session):
                self._rooms.absences.watch_no_more(views, account, now, effects)

    def fell_silent(self, session: Session, now: int, effects: Effects) -> None:
        """Treats a connection as lost after some seconds of silence, so that others start to wait."""
        session.is_silent = True
        account = session.account
        if all(each.is_silent for each in self._accounts.open_sessions(account)):
            account.is_silent, account.gone_at = True, now
            self._seating.went(account, now, effects)

    def heard_again(self, session: Session, now: int, effects: Effects) -> None:
        session.is_silent = False
        if session.account.is_silent:
            session.account.is_silent = False
            self._seating.came(session.account, now, effects)

    def send_away(self, session: Session, told: Message, why: Close, now: int, effects: Effects) -> None:
        """Says bye to a session, and ignores later messages of its connection."""
        if (peer := session.peer) is not None:
            effects.send(peer, {"type": "bye", "code": why.value, **told})
            effects.close(peer, why)
            self.part(peer, now, effects)
            self._closing[peer] = "sentAway"

    def expire(self, session: Session, now: int, effects: Effects) -> None:
        """Ends a session that was disconnected for too long."""
        self.forget(session)
        account = session.account
        if account.sessions:
            return
        self._seating.forgotten(account, now, effects)
        self._alarms.set(("guest", account.id), now + self._limits.memory_ms(kept=account.kept))

    def forgotten_by_the_rooms(self, account: Account, now: int, effects: Effects) -> None:
        if not account.sessions:
            self._seating.forgotten(account, now, effects)

    def forget(self, session: Session) -> None:
        """Ends a session. Its player may come back in another session."""
        if session.peer is not None:
            del self.peers[session.peer]
            session.drop()
            self._pairing.connection_ended(session)
        self._rooms.lobby.watchers.discard(session.id)
        self._television.unwatch(session)
        self._alarms.cancel(("session", session.id))
        for views in self._rooms.seen_by(session):
            del views.viewers[session.id]
        self._accounts.forget(session)

    def forget_player(self, id: str, effects: Effects) -> None:
        for kind in ("absent", "guest"):
            self._alarms.cancel((kind, id))
        for session in sorted(self._accounts.by_id[id].sessions):
            self.forget(self._accounts.sessions[session])
        account = self._accounts.by_id[id]
        self._accounts.forget_account(account, effects)
        effects.keep(Forgotten(id), undo=partial(self._forget_later, account))

    def _forget_later(self, account: Account, now: int) -> None:
        self._accounts.put_back(account, now)
        self._alarms.set(("guest", account.id), now + _FORGET_AGAIN_MS)

    def make_room(self, now: int, effects: Effects) -> None:
        """Makes room for a newcomer: closes waiting tables whose players are disconnected and not kept."""
        if not self._place_wanted:
            return
        self._place_wanted = False
        for views in [each for each in self._rooms.open.values() if each.room.state is WAITING]:
            members = [self._accounts.by_id[id] for id in views.room.members]
            if not any(each.kept or self._accounts.open_sessions(each) for each in members):
                for account in members:
                    tell = self._rooms.listener(views, effects)
                    views.room.leave(None, account.id, "gone", now, tell)
        self._invitations.forget_closed_rooms()

    def _check_let_in(self, hello: Hello, source: Source | None, now: int) -> None:
        """Refuses banned players, and newcomers from a banned address. The host's own bots may enter."""
        if self._accounts.is_of_the_host(hello):
            source = None
        self._sanctions.check_may_enter(self._accounts.known(hello, now), source, now)

    def _check_place_for_one_more(self) -> None:
        everybody, most = len(self._accounts.by_id), self._limits.players
        if everybody >= most and self._accounts.least_used() is None:
            self._place_wanted = True
            raise Refusal("tooManyPlayers", retry_after_ms=10_000)
