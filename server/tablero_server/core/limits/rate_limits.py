"""Rate limits: the only module that answers `rateLimited`.

Law: a player who is too fast never loses a game for it. A client that continues is disconnected, and may come
back.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, Literal, TypeAlias, TypeVar, get_args

from msgpack import Packer

from tablero_protocol.codes import Close

from ..effects import Effects, PeerId
from ..people.session import Session
from ..refusal import Message, Refusal
from ..seats.views import Viewer
from .limits import Limits, Rate

Key = TypeVar("Key", bound=Hashable)
Seat = tuple[str, int]
"""A room and a seat in it."""
Guess: TypeAlias = Literal["table", "device", "passphrase", "host"]
"""The kind of a secret that somebody may try to guess: the code of a table, the code for a device, a
passphrase, the host's token.
"""

LATELY_MS = 600_000
_SWEEP_MS = 60_000
_NOTHING = 1e-6
"""A wait of less than this, in milliseconds, is a rounding error."""
_LINES_LIKE_A_MESSAGE = 50
"""The number of lines in an answer that cost about as much as one command."""
_BYTES_LIKE_A_MESSAGE = 4_096
"""The bytes of an answer, other than lines, that cost about as much as one command."""
_PACK = Packer().pack


class TokenBuckets(Generic[Key]):
    """Token buckets, one for each key. Each bucket is stored as the time at which it will be full again.

    Law: within the rate, nothing is refused. Beyond the rate, the answer is how long to wait.
    """

    def __init__(self, rate: Rate) -> None:
        self._every_ms, self._burst_ms = rate.every_ms, rate.burst * rate.every_ms
        self._full_at: dict[Key, float] = {}
        self._sweep_at = 0.0

    def __len__(self) -> int:
        return len(self._full_at)

    def wait(self, key: Key, now: int, times: int = 1) -> int:
        """The milliseconds until `key` may take a token; 0: now. The bucket fills `times` times as fast as
        usual.
        """
        before = self._full_at.get(key)
        wait = self.take(key, now, times)
        if before is None:
            self.forget(key)
        else:
            self._full_at[key] = before
        return wait

    def take(self, key: Key, now: int, times: int = 1) -> int:
        """Takes a token from the bucket of `key`, or returns the milliseconds until the bucket has one."""
        full_at = self._full_at.get(key, now)
        after = (full_at if full_at > now else now) + self._every_ms / times
        wait = after - now - self._burst_ms
        if wait > _NOTHING:
            return int(wait) + 1
        self._full_at[key] = after
        if now >= self._sweep_at:
            self._sweep(now)
        return 0

    def charge(self, key: Key, now: int, cost: int, times: int = 1) -> None:
        """Takes the rest of a cost after `take` has taken one token; the bucket may go below zero."""
        full_at = max(self._full_at.get(key, now), now)
        self._full_at[key] = full_at + cost * self._every_ms / times

    def forget(self, key: Key) -> None:
        self._full_at.pop(key, None)

    def _sweep(self, now: int) -> None:
        """Removes full buckets: a missing bucket counts as full."""
        self._sweep_at = now + _SWEEP_MS
        self._full_at = {key: full_at for key, full_at in self._full_at.items() if full_at > now}


class CommonBucket:
    """One bucket shared by all callers. When it is empty, only callers who took a token lately must wait.

    So nobody can use it up for others, but many callers together can each take one token beyond its rate.
    """

    def __init__(self, rate: Rate) -> None:
        self._all: TokenBuckets[None] = TokenBuckets(rate)
        self._lately: TokenBuckets[str] = TokenBuckets(Rate(LATELY_MS, 1))

    def wait(self, names: Iterable[str], now: int) -> int:
        """The milliseconds until a caller with these names gets a token; 0: now."""
        return self._all.wait(None, now) if any(self._lately.wait(name, now) for name in names) else 0

    def take(self, names: Iterable[str], now: int) -> None:
        """Takes a token if the bucket has one, and notes the names that took it."""
        self._all.take(None, now)
        for name in names:
            self._lately.forget(name)
            self._lately.take(name, now)


class RateLimits:
    def __init__(self, limits: Limits) -> None:
        self._most_times = limits.rooms
        self._turns: TokenBuckets[Seat] = TokenBuckets(limits.turns)
        self._messages: TokenBuckets[str] = TokenBuckets(limits.messages)
        self._strangers: TokenBuckets[PeerId] = TokenBuckets(limits.messages)
        self._replays: TokenBuckets[str] = TokenBuckets(limits.replays)
        self._chat: TokenBuckets[str] = TokenBuckets(limits.chat)
        self._guests: TokenBuckets[str] = TokenBuckets(limits.guests)
        self._all_guests = CommonBucket(limits.all_guests)
        self._renames: TokenBuckets[str] = TokenBuckets(limits.renames)
        self._rooms: TokenBuckets[str] = TokenBuckets(limits.new_rooms)
        self._own_rooms: TokenBuckets[str] = TokenBuckets(limits.own_rooms)
        self._guesses: dict[Guess, CommonBucket] = {
            each: CommonBucket(limits.wrong_codes) for each in get_args(Guess)
        }
        self._own_guesses: TokenBuckets[tuple[Guess, str]] = TokenBuckets(limits.codes)
        """The wrong guesses by limited address and by player."""
        self._patience: TokenBuckets[PeerId] = TokenBuckets(limits.patience)
        self._callers: dict[PeerId, str] = {}
        """The address by which each limited peer is counted; peers from unlimited networks are missing."""
        self._sources: dict[PeerId, str] = {}
        """The address or /64 of each peer, limited or not."""

    def arrive(self, peer: PeerId, caller: str | None, address: str | None) -> None:
        if caller is not None:
            self._callers[peer] = caller
        self._sources[peer] = caller or address or ""

    def caller(self, peer: PeerId | None) -> str | None:
        """The address by which `peer` is limited, or None."""
        return None if peer is None else self._callers.get(peer)

    def leave(self, peer: PeerId) -> None:
        self._callers.pop(peer, None)
        self._sources.pop(peer, None)
        self._strangers.forget(peer)
        self._patience.forget(peer)

    def before_hello(self, peer: PeerId, now: int) -> None:
        check(self._strangers.take(peer, now))

    def message(self, session: Session, now: int) -> None:
        """Charges a command that is not a turn. The rate grows with the number of the player's rooms."""
        if wait := self._messages.take(session.id, now, self._times(session)):
            raise _too_fast(wait)

    def answered(self, session: Session, messages: Iterable[Message], now: int) -> None:
        """Charges the session for a large answer as for several messages."""
        size = sum(len(_PACK(message)) for message in messages)
        if size >= _BYTES_LIKE_A_MESSAGE:
            self.charge(session, size // _BYTES_LIKE_A_MESSAGE, now)

    def charge(self, session: Session, messages: int, now: int) -> None:
        """Charges the session for this number of messages."""
        self._messages.charge(session.id, now, messages, self._times(session))

    def may_replay(self, session: Session, now: int) -> bool:
        """Whether this session may be sent one more part of a room's past."""
        return not self._replays.take(session.id, now)

    def replay(self, session: Session, now: int) -> None:
        """Charges a session for a replay. Raises Refusal beyond the rate."""
        check(self._replays.take(session.id, now))

    def lobby(self, session: Session, page: Message, now: int) -> None:
        """Charges a page of the lobby as several messages, however many rooms the player is in."""
        lines = len(page["rooms"]) + len(page["players"]) + len(page["seeks"])
        self._messages.charge(session.id, now, lines // _LINES_LIKE_A_MESSAGE)

    def turn(self, viewer: Viewer, room: str, seat: int, now: int) -> None:
        """Charges a turn to its seat; only that seat's player is charged, so that others can't slow the
        player down.
        """
        if seat not in viewer.seats:
            self.message(viewer.session, now)
        elif wait := self._turns.take((room, seat), now):
            raise _too_fast(wait)

    def say(self, player: str, now: int) -> None:
        check(self._chat.take(player, now), "talksTooFast")

    def new_guest(self, peer: PeerId, now: int) -> None:
        source = (self._sources.get(peer, ""),)
        check(self._all_guests.wait(source, now), "guestsOfAddress")
        self._by_address(self._guests, peer, now, "guestsOfAddress")
        self._all_guests.take(source, now)

    def rename(self, player: str, now: int) -> None:
        check(self._renames.take(player, now), "renamesTooOften")

    def new_room(self, session: Session, now: int) -> None:
        self._by_address(self._rooms, session.peer, now, "roomsOfAddress")
        if not session.account.bot:
            check(self._own_rooms.take(session.account.id, now), "roomsOfPerson")

    def guess(self, kind: Guess, peer: PeerId, session: Session | None, now: int) -> None:
        """Refuses a guess by a sender with too many recent wrong guesses."""
        senders = self._senders(peer, session)
        own = (self._own_guesses.wait((kind, name), now) for name, limited in senders.items() if limited)
        check(max(self._guesses[kind].wait(senders, now), *own, 0), "tooManyWrongCodes")

    def guessed_wrong(self, kind: Guess, peer: PeerId, session: Session | None, now: int) -> None:
        senders = self._senders(peer, session)
        self._guesses[kind].take(senders, now)
        for name in [name for name, limited in senders.items() if limited]:
            self._own_guesses.take((kind, name), now)

    def wrong_host_token(self, address: str, now: int) -> int:
        """Counts a wrong token and returns 0. After too many from this address, returns the milliseconds to
        wait.
        """
        if not (wait := self._guesses["host"].wait((address,), now)):
            self._guesses["host"].take((address,), now)
        return wait

    def refused(self, peer: PeerId, now: int, effects: Effects) -> None:
        """Counts a warning to slow down; after too many, closes the connection."""
        effects.too_fast = True
        if self._patience.take(peer, now):
            effects.close(peer, Close.FLOODING)

    def _senders(self, peer: PeerId, session: Session | None) -> dict[str, bool]:
        """The names under which a sender's guesses are counted. True marks a name with a separate limit."""
        player = {} if session is None else {session.account.id: True}
        return {self._sources.get(peer, ""): peer in self._callers, **player}

    def _by_address(self, rates: TokenBuckets[str], peer: PeerId | None, now: int, reason: str) -> None:
        if peer in self._callers:
            check(rates.take(self._callers[peer], now), reason)

    def _times(self, session: Session) -> int:
        """The factor for the rate of messages: the number of the session's rooms. For a person, it is at most
        the limit of rooms.
        """
        most = len(session.rooms) if session.account.of_host else self._most_times
        return max(1, min(len(session.rooms), most))


def check(wait: int, reason: str = "tooFast") -> None:
    """Refuses a caller who has to wait."""
    if wait:
        raise _too_fast(wait, reason)


def _too_fast(wait: int, reason: str = "tooFast") -> Refusal:
    return Refusal(reason, seconds=round(wait / 1000, 1), retry_after_ms=wait)
