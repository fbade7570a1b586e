"""Bugs that are planted in the real classes: the simulation must find each, or it does not look closely
enough.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tablero.client.connection import Connection
from tablero.client.room_progress import RoomMessage, RoomProgress
from tablero_server.core.effects import Effects, Search
from tablero_server.core.entry import Cause, Entry
from tablero_server.core.meeting.ratings import RatingBook
from tablero_server.core.room.room import Room
from tablero_server.core.seats.resume import Repeats
from tablero_server.core.seats.rooms import RecentlyClosed, Rooms
from tablero_server.core.seats.views import Views
from tablero_server.journal.committer import Committer
from tablero_server.journal.roll_back import dependents_of
from tablero_server.service import Service
from trials.simulation.match_bugs import MATCH_BUGS, Bug, Changes

_AGAIN_SECONDS = 1.0


def _ack_before_commit() -> Changes:
    submit = Committer.submit

    def eager(self: Committer, effects: Effects) -> None:
        self._deliver([effects])
        effects.messages, effects.closes = [], ()
        submit(self, effects)

    return [(Committer, "submit", eager)]


def _no_dedup() -> Changes:
    return [(Repeats, "first_answer", lambda self, command: None)]


def _seq_off_by_one() -> Changes:
    shown_to = Views._shown_to

    def ahead(self: Views, seat: int | None) -> dict[str, Any]:
        message = shown_to(self, seat)
        return {**message, "seq": message["seq"] + 1}

    return [(Views, "_shown_to", ahead)]


def _partial_resume() -> Changes:
    told = Views.told

    def partial(self: Views, *args: Any) -> Any:
        missed = told(self, *args)
        return missed[:-1] if len(missed) > 1 else missed

    return [(Views, "told", partial)]


def _stale_accepted() -> Changes:
    play_turn = Room.play_turn

    def any_ply(self: Room, cause: Cause, seat: int, ply: int, *others: Any) -> Entry:
        if self.play is not None and seat < len(self.seats):
            ply = self.play.expected_ply(seat) or 0
        return play_turn(self, cause, seat, ply, *others)

    return [(Room, "play_turn", any_ply)]


def _everybody_sees_all() -> Changes:
    shown_to = Views._shown_to
    return [(Views, "_shown_to", lambda self, seat: shown_to(self, 0 if self.room.game.hidden else seat))]


def _client_skips_gaps() -> Changes:
    hear_event = RoomProgress.hear_event

    def without_gaps(self: RoomProgress, message: RoomMessage) -> bool:
        self.seq = max(self.seq, message.seq - 1)
        return hear_event(self, message)

    return [(RoomProgress, "hear_event", without_gaps)]


def _closed_rooms_forgotten() -> Changes:
    return [(RecentlyClosed, "add", lambda self, room, now: self._accounts.forget_commands(room.log))]


def _closed_rooms_not_loaded() -> Changes:
    return [(Rooms, "adopt_closed", lambda self, log, now: None)]


# In the code between the hub and its journal, searches and viewers


def _lost_kept_in_the_queue() -> Changes:
    def without_lost(self: Committer, batch: list[Effects], failed: set[Effects]) -> list[Effects]:
        lost = dependents_of(failed, batch)
        return [*(effects for effects in batch if effects not in lost), self._roll_back(list(lost))]

    return [(Committer, "_without_lost", without_lost)]


def _found_games_not_told() -> Changes:
    async def search(self: Service, asked: Search) -> None:
        found = await self.searcher.find(asked)
        self.hub.found(asked.ticket, found, self.now())

    return [(Service, "_search", search)]


def _who_left_goes_on_listening() -> Changes:
    return [(Rooms, "_remove_viewers", lambda self, views, player, effects: None)]


# In the client's loop between a session and its socket


def _lost_line_not_told() -> Changes:
    one_socket = Connection._one_socket

    async def again_and_again(self: Connection) -> int | None:
        close_code = await one_socket(self)
        while self._greeted.is_set():
            await asyncio.sleep(_AGAIN_SECONDS)
            close_code = await one_socket(self)
        return close_code

    return [(Connection, "_one_socket", again_and_again)]


def _silence_not_noticed() -> Changes:
    made = Connection.__init__

    def without_heartbeat(self: Connection, *given: Any, heartbeat: float, **named: Any) -> None:
        made(self, *given, heartbeat=float("inf"), **named)

    return [(Connection, "__init__", without_heartbeat)]


# In ratings


def _lost_games_move_ratings() -> Changes:
    """Keeps the ratings that a lost commit had changed, and does not tell the lobby."""
    return [
        (RatingBook, "_take_back", lambda self, key, before, now: None),
        (RatingBook, "told", lambda self, key: None),
    ]


def _lost_ratings_told_in_the_lobby() -> Changes:
    return [(RatingBook, "_take_back", lambda self, key, before, now: None)]


def _ratings_not_loaded() -> Changes:
    return [(RatingBook, "load", lambda self, newest, rivals: None)]


BUGS: dict[str, Bug] = {
    "ack-before-commit": Bug(_ack_before_commit, "what is shown is durable"),
    "no-dedup": Bug(_no_dedup, "a repeat gets the first answer again"),
    "seq-off-by-one": Bug(_seq_off_by_one, "what is shown is durable"),
    "partial-resume": Bug(_partial_resume, "no event is hidden from who subscribed to it"),
    "stale-accepted": Bug(_stale_accepted, "a turn is played at the ply it was meant for"),
    "everybody-sees-all": Bug(_everybody_sees_all, "a view is what its seat may know"),
    "client-skips-gaps": Bug(_client_skips_gaps, "seq moves by one"),
    "closed-rooms-forgotten": Bug(_closed_rooms_forgotten, "a repeat gets the first answer again"),
    "closed-rooms-not-loaded": Bug(_closed_rooms_not_loaded, "a repeat gets the first answer again"),
    "lost-kept-in-the-queue": Bug(_lost_kept_in_the_queue, "what is shown is durable"),
    "found-games-not-told": Bug(_found_games_not_told, "what is shown is durable"),
    "who-left-goes-on-listening": Bug(_who_left_goes_on_listening, "client and server agree on rooms"),
    "lost-line-not-told": Bug(_lost_line_not_told, "every command has an answer"),
    "silence-not-noticed": Bug(_silence_not_noticed, "every command has an answer"),
    "lost-games-move-ratings": Bug(_lost_games_move_ratings, "a rating moves once a game"),
    "lost-ratings-told-in-the-lobby": Bug(
        _lost_ratings_told_in_the_lobby, "a rating that the lobby tells is durable"
    ),
    "ratings-not-loaded": Bug(_ratings_not_loaded, "the book says what is durable"),
    **MATCH_BUGS,
}


@contextmanager
def planted(name: str) -> Iterator[None]:
    """Plants the bug in the code while the block runs."""
    changes = BUGS[name].plant()
    originals = [(where, what, where.__dict__[what]) for where, what, _ in changes]
    for where, what, wrong in changes:
        setattr(where, what, wrong)
    try:
        yield
    finally:
        for where, what, original in originals:
            setattr(where, what, original)
