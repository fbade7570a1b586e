"""Mistakes put into the real classes on purpose: each has to be found, or the simulation looks away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from tablero.client.connection import Connection
from tablero.client.room_progress import RoomProgress
from tablero_games import Play
from tablero_server.core.absences import Absences
from tablero_server.core.clock import Clock
from tablero_server.core.effects import Effects, Search
from tablero_server.core.entry import Cause, Entry, Tell
from tablero_server.core.folded_room import FoldedRoom
from tablero_server.core.pairing import Pairing
from tablero_server.core.recently_closed import RecentlyClosed
from tablero_server.core.repeats import Repeats
from tablero_server.core.room import Room
from tablero_server.core.rooms import Rooms
from tablero_server.core.server_time import ServerTime
from tablero_server.core.views import Views
from tablero_server.journal.committer import Committer
from tablero_server.journal.roll_back import building_on
from tablero_server.service import Service

Changes = list[tuple[type, str, Callable[..., Any]]]
_AGAIN_SECONDS = 1.0


def _ack_before_commit() -> Changes:
    submit = Committer.submit

    def eager(self: Committer, effects: Effects) -> None:
        self._deliver([effects])
        effects.messages, effects.closes = [], ()
        submit(self, effects)

    return [(Committer, "submit", eager)]


def _no_dedup() -> Changes:
    return [(Repeats, "was_done", lambda self, session, message, cause, now, effects: False)]


def _seq_off_by_one() -> Changes:
    position_now = Views._position_now

    def ahead(self: Views) -> dict[str, Any]:
        message = position_now(self)
        return {**message, "seq": message["seq"] + 1}

    return [(Views, "_position_now", ahead)]


def _partial_resume() -> Changes:
    told = Views.told

    def partial(self: Views, *args: Any) -> Any:
        missed = told(self, *args)
        return missed[:-1] if len(missed) > 1 else missed

    return [(Views, "told", partial)]


def _stale_accepted() -> Changes:
    play_turn = Room.play_turn

    def any_ply(self: Room, cause: Cause, seat: int, ply: int, move: str, now: int, tell: Tell) -> None:
        if self.play is not None and seat < len(self.seats):
            ply = self.play.expected_ply(seat) or 0
        play_turn(self, cause, seat, ply, move, now, tell)

    return [(Room, "play_turn", any_ply)]


def _outage_charged() -> Changes:
    def revive(self: Room, grace: int, now: int, tell: Tell) -> None:
        if self.clock is not None and self.state.value == "playing":
            clock = self.clock.durable(self.head, self.log[-1].at)
            self._write(tell, "revived", now, clocks=clock.left(now), grace=grace)

    return [(Room, "revive", revive)]


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
    return [(Clock, "lag_of", lambda self, seat, now, measured: measured)]


def _stalls_charged() -> Changes:
    return [(ServerTime, "now", lambda self: self._steady())]


def _everybody_sees_all() -> Changes:
    shown_to = Views._shown_to
    return [(Views, "_shown_to", lambda self, seat: shown_to(self, 0 if self.room.game.hidden else seat))]


def _client_skips_gaps() -> Changes:
    def hear(self: RoomProgress, seq: int) -> bool:
        new = seq > self.seq
        self.seq = max(self.seq, seq)
        return new

    return [(RoomProgress, "hear", hear)]


def _closed_rooms_forgotten() -> Changes:
    return [(RecentlyClosed, "add", lambda self, room, now: self._accounts.forget_commands(room.log))]


def _closed_rooms_not_loaded() -> Changes:
    return [(Rooms, "adopt_closed", lambda self, log, now: None)]


def _offers_outlive_their_position() -> Changes:
    turned = FoldedRoom._turned

    def kept(self: FoldedRoom, entry: Entry) -> None:
        offers = dict(self.offers)
        turned(self, entry)
        self.offers.update(offers)

    return [(FoldedRoom, "_turned", kept)]


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


# In the glue: what joins the hub to its journal, its searches and its viewers


def _lost_kept_in_the_queue() -> Changes:
    def without_lost(self: Committer, batch: list[Effects], failed: set[Effects]) -> list[Effects]:
        lost = building_on(failed, batch)
        return [*(effects for effects in batch if effects not in lost), self._roll_back(list(lost))]

    return [(Committer, "_without_lost", without_lost)]


def _found_games_not_told() -> Changes:
    async def search(self: Service, asked: Search) -> None:
        found = await self.searcher.find(asked)
        self.hub.found(asked.ticket, found, self.now())

    return [(Service, "_search", search)]


def _who_left_goes_on_listening() -> Changes:
    return [(Rooms, "_remove_viewers", lambda self, views, player, effects: None)]


def _watchers_hear_players() -> Changes:
    return [(Views, "_is_apart", lambda self, said, viewer: False)]


# In the client's own loop: what joins a session to its socket


def _lost_line_not_told() -> Changes:
    async def connect_again_and_again(self: Connection) -> None:
        while True:
            close_code = await self._one_socket()
            greeted = self._greeted.is_set()
            wait = _AGAIN_SECONDS if greeted else self.client.lost(close_code)
            if wait is None:
                return
            await asyncio.sleep(wait)

    return [(Connection, "_connect_again_and_again", connect_again_and_again)]


def _silence_not_noticed() -> Changes:
    made = Connection.__init__

    def without_heartbeat(self: Connection, *given: Any, heartbeat: float, **named: Any) -> None:
        made(self, *given, heartbeat=float("inf"), **named)

    return [(Connection, "__init__", without_heartbeat)]


# In pairing


def _seeks_outlive_connections() -> Changes:
    return [(Pairing, "connection_ended", lambda self, session: None)]


def _paired_with_oneself() -> Changes:
    return [(Pairing, "_fit", lambda self, one, other: one.wanted == other.wanted)]


def _other_seeks_stand_on() -> Changes:
    return [(Pairing, "_of", lambda self, account: [])]


BUGS: dict[str, Callable[[], Changes]] = {
    "ack-before-commit": _ack_before_commit,
    "no-dedup": _no_dedup,
    "seq-off-by-one": _seq_off_by_one,
    "partial-resume": _partial_resume,
    "stale-accepted": _stale_accepted,
    "outage-charged": _outage_charged,
    "clock-runs-before-the-commit": _clock_runs_before_the_commit,
    "pauses-charged": _pauses_charged,
    "lag-given-without-bounds": _lag_given_without_bounds,
    "stalls-charged": _stalls_charged,
    "everybody-sees-all": _everybody_sees_all,
    "client-skips-gaps": _client_skips_gaps,
    "closed-rooms-forgotten": _closed_rooms_forgotten,
    "closed-rooms-not-loaded": _closed_rooms_not_loaded,
    "offers-outlive-their-position": _offers_outlive_their_position,
    "takeback-turns-ply-back": _takeback_turns_ply_back,
    "takeback-undoes-one-move": _takeback_undoes_one_move,
    "claims-are-never-too-early": _claims_are_never_too_early,
    "lost-kept-in-the-queue": _lost_kept_in_the_queue,
    "found-games-not-told": _found_games_not_told,
    "seeks-outlive-connections": _seeks_outlive_connections,
    "paired-with-oneself": _paired_with_oneself,
    "other-seeks-stand-on": _other_seeks_stand_on,
    "who-left-goes-on-listening": _who_left_goes_on_listening,
    "lost-line-not-told": _lost_line_not_told,
    "silence-not-noticed": _silence_not_noticed,
    "watchers-hear-players": _watchers_hear_players,
}


@contextmanager
def planted(name: str) -> Iterator[None]:
    """The mistake is in the code for as long as this lasts."""
    changes = BUGS[name]()
    originals = [(where, what, where.__dict__[what]) for where, what, _ in changes]
    for where, what, wrong in changes:
        setattr(where, what, wrong)
    try:
        yield
    finally:
        for where, what, original in originals:
            setattr(where, what, original)
