"""Planted bugs in a match: clocks, consent, people, pairing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any, NamedTuple

from tablero_games import Play
from tablero_protocol.messages import Say
from tablero_protocol.phrases import PHRASES
from tablero_server.core.entry import Cause, Entry
from tablero_server.core.meeting import television as television_module
from tablero_server.core.meeting.pairing import Pairing, StandingSeek
from tablero_server.core.room import room as room_module
from tablero_server.core.room.clock import (
    Clock,
    LineOf,
    each_move,
    no_line,
)
from tablero_server.core.room.room import Room
from tablero_server.core.seats.absences import Absences
from tablero_server.core.seats.playing import Playing
from tablero_server.core.seats.views import Viewer, Views
from tablero_server.service import ServerTime

Changes = list[tuple[type | ModuleType, str, Any]]
"""Changes of source code: the place, the text to replace, and its replacement."""


class Bug(NamedTuple):
    plant: Callable[[], Changes]
    breaks: str
    """The promise that the bug breaks."""


# In the clocks


def _outage_charged() -> Changes:
    def left(self: Room, clock: Clock, now: int) -> tuple[int, ...]:
        return clock.durable(self.head, self.log[-1].at).left(now)

    return [(Room, "_left_by_outage", left)]


def _clock_runs_before_the_commit() -> Changes:
    turned = Clock.turned

    def at_once(self: Clock, *given: Any) -> Clock:
        clock = turned(self, *given)
        return clock.durable(given[3], given[4])

    return [(Clock, "turned", at_once)]


def _pauses_charged() -> Changes:
    def paused(self: Clock, remaining: tuple[int, ...], now: int) -> Clock:
        return replace(self, remaining=remaining, since=max(now, self.since))

    return [(Clock, "paused", paused)]


def _lag_given_without_bounds() -> Changes:
    lag_of = Clock.lag_of

    def twice(self: Clock, seat: int, now: int, measured: int) -> int:
        return 2 * measured if lag_of(self, seat, now, measured) else 0

    return [(Clock, "lag_of", twice)]


def _stalls_charged() -> Changes:
    return [(ServerTime, "now", lambda self, serves=False: self._steady())]


def _flags_fall_early() -> Changes:
    def fallen(self: Clock, now: int, line_of: LineOf = no_line) -> int | None:
        left = self.left(now)
        return min((seat for seat in self.running if left[seat] <= 1_000), default=None)

    return [(Clock, "fallen", fallen)]


def _who_waits_runs_out_of_time() -> Changes:
    def fallen(self: Clock, now: int, line_of: LineOf = no_line) -> int | None:
        falls = self.flag_at()
        waits = (seat for seat in range(len(self.remaining)) if seat not in self.going)
        return None if falls is None or now < falls or self.common else next(waits, None)

    return [(Clock, "fallen", fallen)]


def _first_moves_charged() -> Changes:
    def left(self: Clock, now: int) -> tuple[int, ...]:
        spent = max(0, now - self.since)
        return tuple(
            max(0, have - spent) if seat in self.running else have for seat, have in enumerate(self.remaining)
        )

    return [(Clock, "left", left)]


def _outages_take_all_days() -> Changes:
    def through_outage(self: Clock, had: tuple[int, ...], ms: int) -> tuple[int, ...]:
        charged = self.going.difference(self.first) if self.each == each_move({"days": 1}) else ()
        return tuple(left - max(0, ms) if seat in charged else left for seat, left in enumerate(had))

    return [(Clock, "through_outage", through_outage)]


# In offers and their acceptance


def _offers_outlive_their_position() -> Changes:
    turned = Room._turned

    def kept(self: Room, entry: Entry) -> None:
        offers = dict(self.offers)
        turned(self, entry)
        self.offers.update(offers)

    return [(Room, "_turned", kept)]


def _takeback_turns_ply_back() -> Changes:
    take_back = Play.take_back

    def back(self: Play, seat: int) -> Play:
        return take_back(self, seat)._replace(ply=self.ply - self.moves_to_take_back(seat))

    return [(Play, "take_back", back)]


def _takeback_undoes_one_move() -> Changes:
    def one(self: Play, seat: int) -> int:
        return 0 if self.trail is None or self.position.outcome is not None else 1

    return [(Play, "moves_to_take_back", one)]


def _claims_are_never_too_early() -> Changes:
    return [(Absences, "over", lambda self, views, now: set(views.away))]


def _old_turns_fit_after_a_takeback() -> Changes:
    play_turn = Room.play_turn

    def any_ply(self: Room, cause: Cause, seat: int, ply: int, *others: Any) -> Entry:
        if self.play is not None and any(entry.kind == "tookBack" for entry in self.log):
            ply = self.play.expected_ply(seat) or 0
        return play_turn(self, cause, seat, ply, *others)

    return [(Room, "play_turn", any_ply)]


def _takebacks_hidden_from_watchers() -> Changes:
    messages_for = Views.messages_for

    def hidden(self: Views, entry: Entry, viewer: Viewer, re: str | None) -> list[dict[str, Any]]:
        if entry.kind == "tookBack" and not viewer.seats:
            return [self._shared(entry, bare=True)]
        return messages_for(self, entry, viewer, re)

    return [(Views, "messages_for", hidden)]


def _one_yes_is_enough() -> Changes:
    return [(room_module, "all_agree", lambda room, pending: True)]


def _moves_in_a_pause() -> Changes:
    play_turn = Room.play_turn

    def at_any_time(self: Room, *given: Any) -> Entry:
        until, self.paused_until = self.paused_until, None
        try:
            return play_turn(self, *given)
        finally:
            self.paused_until = until

    return [(Room, "play_turn", at_any_time)]


# Among people


def _correspondents_are_away() -> Changes:
    def wait(self: Absences, views: Views, player: str) -> int | None:
        room = views.room
        return self._limits.absence(room.clock_terms) if room.plays(player) else None

    return [(Absences, "_wait", wait)]


def _muted_are_heard() -> Changes:
    return [(Views, "_is_unheard", lambda self, said, viewer: self._is_apart(said, viewer))]


def _all_may_be_said() -> Changes:
    def say_it(self: Playing, message: Say) -> str:
        return message.text or PHRASES[message.phrase or "hello"]

    return [(Playing, "_what_is_said", say_it)]


def _private_games_on_television() -> Changes:
    shown = television_module._may_be_shown

    def any_game(views: Views, game: str | None) -> bool:
        private, views.room.private = views.room.private, False
        try:
            return shown(views, game)
        finally:
            views.room.private = private

    return [(television_module, "_may_be_shown", any_game)]


def _watchers_hear_players() -> Changes:
    return [(Views, "_is_apart", lambda self, said, viewer: False)]


# In pairing


def _seeks_outlive_connections() -> Changes:
    return [(Pairing, "connection_ended", lambda self, session: None)]


def _paired_with_oneself() -> Changes:
    def anyone(self: Pairing, seek: StandingSeek, now: int) -> StandingSeek | None:
        return next((other for _, other in self._that_want(seek.place) if other is not seek), None)

    return [(Pairing, "_partner", anyone)]


def _other_seeks_stand_on() -> Changes:
    return [(Pairing, "of", lambda self, account: [])]


MATCH_BUGS: dict[str, Bug] = {
    "outage-charged": Bug(_outage_charged, "clock time is conserved"),
    "clock-runs-before-the-commit": Bug(_clock_runs_before_the_commit, "clock time is conserved"),
    "pauses-charged": Bug(_pauses_charged, "clock time is conserved"),
    "stalls-charged": Bug(_stalls_charged, "time stands still while nothing can be saved"),
    "lag-given-without-bounds": Bug(_lag_given_without_bounds, "no more is given back"),
    "flags-fall-early": Bug(_flags_fall_early, "no flag falls before its time"),
    "who-waits-runs-out-of-time": Bug(_who_waits_runs_out_of_time, "no flag falls while no time runs"),
    "first-moves-charged": Bug(_first_moves_charged, "no clock runs before a first move"),
    "outages-take-all-days": Bug(
        _outages_take_all_days, "days pass without a server, and leave time to come back"
    ),
    "offers-outlive-their-position": Bug(
        _offers_outlive_their_position, "an offer never survives its position"
    ),
    "takeback-turns-ply-back": Bug(_takeback_turns_ply_back, "ply counts the turns"),
    "takeback-undoes-one-move": Bug(_takeback_undoes_one_move, "a takeback undoes so many moves"),
    "claims-are-never-too-early": Bug(
        _claims_are_never_too_early, "players who may come back are waited for"
    ),
    "old-turns-fit-after-a-takeback": Bug(
        _old_turns_fit_after_a_takeback, "a turn is played at the ply it was meant for"
    ),
    "takebacks-hidden-from-watchers": Bug(
        _takebacks_hidden_from_watchers, "no event is hidden from who subscribed to it"
    ),
    "one-yes-is-enough": Bug(_one_yes_is_enough, "what is agreed to has everybody's yes"),
    "moves-in-a-pause": Bug(_moves_in_a_pause, "nobody moves during a pause"),
    "correspondents-are-away": Bug(_correspondents_are_away, "nobody is away from a game of days"),
    "muted-are-heard": Bug(_muted_are_heard, "who is muted is not heard"),
    "all-may-be-said": Bug(_all_may_be_said, "nobody says what the host does not let them say"),
    "private-games-on-television": Bug(_private_games_on_television, "what all may watch is public"),
    "watchers-hear-players": Bug(_watchers_hear_players, "players and watchers are apart while they play"),
    "seeks-outlive-connections": Bug(_seeks_outlive_connections, "nobody is paired without a connection"),
    "paired-with-oneself": Bug(_paired_with_oneself, "nobody is paired with themselves"),
    "other-seeks-stand-on": Bug(_other_seeks_stand_on, "nobody is paired twice"),
}
