"""Pairs players who seek an opponent.

Law: no player is paired twice, with themselves, or without a connection. A seek ends with its connection.
When one of a player's seeks is paired, all seeks of that player end. Seeks are not stored. A new seek is
compared once with the open ones for the same game; no two open seeks match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from heapq import merge
from itertools import count
from typing import NamedTuple

from msgpack import packb

from tablero_games import GAMES
from tablero_games.position import Game, Options
from tablero_protocol.messages import RATED_CLOCK, CancelSeek, EventName, Seek

from ..alarms import Alarms
from ..command import Command
from ..effects import Effects, PeerId
from ..ids import Ids
from ..limits.limits import Limits
from ..people.session import Account, Session
from ..refusal import Message, Refusal
from ..room.clock import Terms, speed
from ..room.setup import (
    Plan,
    check_ratable,
    clock_terms,
    game_called,
    options_json,
    read_options,
)
from ..seats.rooms import Rooms
from ..seats.views import Views
from .invitations import Invitations
from .ratings import RatingKey

_SEATS = 2


@dataclass(frozen=True, slots=True)
class Wanted:
    """The wanted game and its settings; two seeks match if all of these are equal."""

    game: Game
    options: Options
    clock: Terms | None
    rated: bool

    def key(self) -> bytes:
        """A key that is equal for two seeks that match."""
        options, clock = sorted(options_json(self.options).items()), sorted((self.clock or {}).items())
        return bytes(packb([self.game.name, options, clock]))


class Place(NamedTuple):
    """The group of seeks that a seek is compared with."""

    rated: bool
    wanted: bytes | None
    """The key of the wanted game; None: any game."""


class _Turn(NamedTuple):
    number: int
    """The order of arrival: the lowest number has waited longest."""
    seek: StandingSeek


@dataclass(frozen=True, slots=True, eq=False)
class StandingSeek:
    id: str
    session: Session
    peer: PeerId | None
    """The connection that made the seek; the seek ends with it."""
    command: str
    """The id of the command that made the seek."""
    wanted: Wanted | None
    """The wanted game; None: any game."""
    place: Place
    bots: bool
    """Whether a bot is welcome after a while."""
    subscribe: tuple[EventName, ...]
    caller: str | None
    """The address for which the seek is counted, if the address is limited."""

    @property
    def account(self) -> Account:
        return self.session.account

    @property
    def rated(self) -> bool:
        return self.place.rated


class Pairing:
    def __init__(
        self,
        ids: Ids,
        rooms: Rooms,
        invitations: Invitations,
        alarms: Alarms,
        limits: Limits,
    ) -> None:
        self._ids = ids
        self._rooms = rooms
        self._invitations = invitations
        self._alarms = alarms
        self._limits = limits
        self.standing: dict[str, StandingSeek] = {}
        """The open seeks by id."""
        self._of: dict[str, dict[str, StandingSeek]] = {}
        """The open seeks by player."""
        self._callers: Counter[str] = Counter()
        """The number of open seeks of each address."""
        self._places: dict[Place, dict[str, _Turn]] = {}
        """Waiting seeks in order of arrival, except those whose player may not open a room now."""
        self._all: dict[bool, dict[str, _Turn]] = {False: {}, True: {}}
        """The seeks of all places: casual ones under False, rated ones under True."""
        self._unsure: set[str] = set()
        """The seeks that may match an open seek. They are compared again when their alarm rings."""
        self._turns = count(1)
        self._ended: dict[str, list[StandingSeek]] = {}
        """The seeks that ended when a player last got a table, by player id."""
        rooms.lobby.line_of["seeks"] = self._line

    def seek(self, command: Command[Seek], caller: str | None) -> None:
        """Pairs the player with an open seek, or opens a new seek, which counts for the address `caller`."""
        session, message, now, effects = command.session, command.message, command.now, command.effects
        seek = self._read(session, message, caller)
        self._rooms.check_may_open(session.account, on_days=_on_days(seek.wanted))
        if len(self.of(session.account)) >= self._limits.seeks:
            raise Refusal("tooManySeeks", seeks=self._limits.seeks)
        if caller is not None and self._callers[caller] >= self._limits.seeks_of_address:
            raise Refusal("seeksOfAddress", seeks=self._callers[caller])
        effects.send(session.peer, {"type": "ok", "re": message.id, "seek": seek.id})
        if (other := self._partner(seek, now)) is not None:
            self._meet(other, seek, now, effects)
        else:
            self._stand(seek)
            self._ring_later(seek, now)

    def cancel(self, command: Command[CancelSeek]) -> None:
        seek = self.standing.get(command.message.seek)
        if seek is None or seek.account is not command.session.account:
            raise Refusal("unknownSeek")
        self._end(seek)
        command.ok()

    def connection_ended(self, session: Session) -> None:
        """Ends the session's seeks. The same command, repeated on another connection, seeks again."""
        self._ended.pop(session.account.id, None)
        for seek in self.of(session.account):
            if seek.session is session:
                self._end(seek)
                session.answered.pop(seek.command, None)

    def ring(self, id: str, now: int, effects: Effects) -> None:
        """Compares a waiting seek again: another player may match by now. If none does, a bot may."""
        seek, other = self.standing[id], None
        if id in self._unsure and self._may_open(seek, seek.wanted):
            other = self._partner(seek, now)
            self._stand(seek)
        if other is not None:
            self._meet(seek, other, now, effects)
        elif not (seek.bots and self._meet_bot(seek, now, effects)):
            self._ring_later(seek, now - self._ids.below(self._limits.bot_after_ms // 2 + 1))

    def look_again(self, account: Account, now: int) -> None:
        """Compares the player's seeks again, because they may fit others now."""
        for seek in self.of(account):
            self._unsure.add(seek.id)
            if not seek.bots:  # a seek that allows bots has an alarm already
                self._alarms.set(("seek", seek.id), now)

    def _bring(self, account: Account, effects: Effects) -> None:
        """Ends the seeks of a player who got a table."""
        ended, before = self.of(account), self._ended.get(account.id)
        for each in ended:
            self._end(each)
        self._ended[account.id] = ended
        effects.undo += (partial(self._seek_again, account, ended, before),)

    def _seek_again(
        self, account: Account, ended: list[StandingSeek], before: list[StandingSeek] | None, now: int
    ) -> None:
        """Restores the seeks that ended for a table that could not be saved, unless a later table
        ended them.
        """
        latest = self._ended.get(account.id)
        if latest is not None and latest is not ended:
            latest += ended
            return
        self._ended.pop(account.id, None)
        if before is not None:
            self._ended[account.id] = before
        for seek in ended:
            self._put_back(seek, now)

    def _put_back(self, seek: StandingSeek, now: int) -> None:
        """Restores a seek if its connection is still open."""
        if seek.session.peer == seek.peer:
            self._stand(seek)
            self._unsure.add(seek.id)
            self._alarms.set(("seek", seek.id), now + 1_000)

    def _read(self, session: Session, message: Seek, caller: str | None) -> StandingSeek:
        wanted = None
        if message.game is not None:
            game = game_called(message.game)
            options, _ = read_options(game, message.options, _SEATS)
            clock = clock_terms(message.clock, game, options)
            if message.rated:
                check_ratable(game, options, _SEATS, clock, private=False)
            wanted = Wanted(game, options, clock, message.rated)
        elif message.options or message.clock is not None:
            raise Refusal("gameNotNamed")
        # By default the host's bots answer only unrated seeks for any game.
        bots = wanted is None and not message.rated if message.bots is None else message.bots
        place = Place(message.rated, None if wanted is None else wanted.key())
        events = tuple(message.subscribe)
        return StandingSeek(
            self._ids.key(), session, session.peer, message.id, wanted, place, bots, events, caller
        )

    def of(self, account: Account) -> list[StandingSeek]:
        return list(self._of.get(account.id, {}).values())

    def _stand(self, seek: StandingSeek) -> None:
        """Opens a seek, so that others are compared with it."""
        self._unsure.discard(seek.id)
        if seek.id not in self.standing:
            self.standing[seek.id] = self._of.setdefault(seek.account.id, {})[seek.id] = seek
            self._rooms.lobby.seek_changed(seek.id)
            if seek.caller is not None:
                self._callers[seek.caller] += 1
        turn = _Turn(next(self._turns), seek)
        self._places.setdefault(seek.place, {}).setdefault(seek.id, turn)
        self._all[seek.rated].setdefault(seek.id, turn)

    def _ring_later(self, seek: StandingSeek, now: int) -> None:
        if seek.bots or seek.id in self._unsure:
            self._alarms.set(("seek", seek.id), now + self._limits.bot_after_ms)

    def _pass_over(self, seek: StandingSeek, now: int) -> None:
        """Skips a seek whose player may not open a room, until its alarm rings."""
        self._unsure.add(seek.id)
        self._leave_place(seek)
        if not seek.bots:
            self._ring_later(seek, now)

    def _leave_place(self, seek: StandingSeek) -> None:
        self._all[seek.rated].pop(seek.id, None)
        place = self._places.get(seek.place, {})
        place.pop(seek.id, None)
        if not place:
            self._places.pop(seek.place, None)

    def _end(self, seek: StandingSeek) -> None:
        if self.standing.pop(seek.id, None) is None:
            return
        if seek.caller is not None:
            self._callers -= Counter([seek.caller])
        own = self._of[seek.account.id]
        del own[seek.id]
        if not own:
            del self._of[seek.account.id]
        self._leave_place(seek)
        self._unsure.discard(seek.id)
        self._alarms.cancel(("seek", seek.id))
        self._rooms.lobby.seek_changed(seek.id)

    def _partner(self, seek: StandingSeek, now: int) -> StandingSeek | None:
        """The matching seek that has waited longest."""
        found, unable = None, []
        for _, other in self._that_want(seek.place):
            if other.account is seek.account or not other.account.may_meet(seek.account):
                continue
            if not self._may_open(other, seek.wanted):
                unable.append(other)
            elif self._may_open(seek, other.wanted):
                found = other
                break
        for other in unable:
            self._pass_over(other, now)
        return found

    def _that_want(self, place: Place) -> Iterable[_Turn]:
        """The open seeks that a seek in `place` is compared with: all, or those for the same or for
        any game.
        """
        if place.wanted is None:
            return self._all[place.rated].values()
        any_game = Place(place.rated, None)
        return merge(*(self._places.get(each, {}).values() for each in (place, any_game)))

    def _may_open(self, seek: StandingSeek, others: Wanted | None) -> bool:
        """Whether the player of `seek` may open one more room and have its game prepared."""
        wanted = seek.wanted or others
        try:
            self._rooms.check_may_open(seek.account, on_days=_on_days(wanted))
            if wanted and wanted.game.needs_preparation(wanted.options):
                self._rooms.check_may_prepare(seek.account.id)
        except Refusal:
            return False
        return True

    def _meet(self, older: StandingSeek, newer: StandingSeek, now: int, effects: Effects) -> None:
        first = self._ids.below(_SEATS)
        wanted = older.wanted or newer.wanted or self._any(list(GAMES), rated=older.rated)
        assert wanted is not None
        self._open(wanted, {older: first, newer: 1 - first}, now, effects)

    def _meet_bot(self, seek: StandingSeek, now: int, effects: Effects) -> bool:
        """Opens a table for `seek` and an idle bot of the host, if there is one."""
        offered = self._invitations.bots_of_the_host()
        wanted = seek.wanted or self._any(sorted(offered), rated=seek.rated)
        if wanted is None or wanted.game.name not in offered or not self._may_open(seek, wanted):
            return False
        seat = self._ids.below(_SEATS)
        views = self._open(wanted, {seek: seat}, now, effects)
        self._invitations.ask(seek.account, views.room, 1 - seat, offered[wanted.game.name], now, effects)
        return True

    def _any(self, games: list[str], *, rated: bool) -> Wanted | None:
        """A random one of `games` that two can play, with default options, and with a clock if `rated`."""
        playable = [GAMES[name] for name in games if name in GAMES]
        playable = [game for game in playable if _SEATS in game.seats(game.read_options({}))]
        if not playable:
            return None
        game = playable[self._ids.below(len(playable))]
        options = game.read_options({})
        return Wanted(game, options, clock_terms(RATED_CLOCK if rated else None, game, options), rated)

    def _open(self, wanted: Wanted, seats: dict[StandingSeek, int], now: int, effects: Effects) -> Views:
        """Opens a room for these players; a game with all its players begins."""
        for seek in seats:
            self._bring(seek.account, effects)
        plan = Plan(
            wanted.game, wanted.options, _SEATS, private=False, watchers=True, clock=wanted.clock,
            seed=self._ids.seed(), rated=wanted.rated,
        )  # fmt: skip
        views = self._rooms.create(plan, now, effects)
        tell = self._rooms.listener(views, effects)
        for seek, seat in seats.items():
            views.room.join(None, seek.account.shown(), seat, now, tell)
        for seek, seat in seats.items():
            viewer = self._rooms.add_viewer(views, seek.session, [seat], seek.subscribe)
            joined = views.joined(viewer, views.room.head, seat, None)
            effects.send(seek.session.peer, {**joined, "seek": seek.id})
        self._rooms.start_if_full(views, now, tell, effects)
        return views

    def _line(self, id: str) -> Message | None:
        if (seek := self.standing.get(id)) is None:
            return None
        line: Message = {"seek": id, "player": seek.account.shown(), "bots": seek.bots}
        if seek.wanted is not None:
            line["game"] = seek.wanted.game.name
            line["options"] = options_json(seek.wanted.options)
            if seek.wanted.clock is not None:
                line["clock"] = seek.wanted.clock
            game, pace = seek.wanted.game.name, speed(seek.wanted.clock)
            rating = self._rooms.ratings.told(RatingKey(seek.account.id, game, pace))
            if rating is not None:
                line["rating"] = rating
        if seek.rated:
            line["rated"] = True
        return line


def _on_days(wanted: Wanted | None) -> bool:
    """Whether the wanted game is a correspondence game."""
    return wanted is not None and "days" in (wanted.clock or ())
