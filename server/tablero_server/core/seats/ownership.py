"""Commands of a table's owner before the game begins: seats, options, and the start.

Law: only the owner may use these commands, and only before the start.
"""

from __future__ import annotations

from tablero_protocol.messages import Begin, Clock, FreeSeat, SetOptions, SwapSeats

from ..command import Command
from ..meeting.invitations import Invitations
from ..people.session import Session
from ..refusal import Refusal
from ..room.setup import (
    check_ratable,
    clock_terms,
    options_json,
    read_options,
)
from ..room.state import WAITING
from .rooms import Rooms
from .views import Views


class Ownership:
    def __init__(self, rooms: Rooms, invitations: Invitations) -> None:
        self._rooms = rooms
        self._invitations = invitations

    def set_options(self, command: Command[SetOptions]) -> None:
        """Changes the settings. Missing ones stay the same. The options of the game count as one setting."""
        message = command.message
        self._rooms.bounds.check_may_begin()
        views = self._table(command.session, message.room)
        room, named = views.room, message.model_fields_set
        options = room.options
        if message.options is not None:
            options, _ = read_options(room.game, message.options, len(room.seats))
        clock = message.clock
        if "clock" not in named and room.clock_terms is not None:
            clock = Clock.model_validate(room.clock_terms)
        terms = clock_terms(clock, room.game, options)
        if room.rated:
            check_ratable(room.game, options, len(room.seats), terms, private=room.private)
        people = [shown["id"] for shown in room.seated if shown is not None and not shown["bot"]]
        if len(set(people)) < len(people) and room.game.one_seat_each(options):
            raise Refusal("twoSeatsTaken")
        if None not in room.seats and room.state is WAITING and room.game.needs_preparation(options):
            self._rooms.check_may_prepare(room.owner or "")
        watchers = room.lets_watch if message.watchers is None else message.watchers
        tell = self._rooms.listener_for(command, views)
        room.set_options(command.cause, options_json(options), terms, watchers, command.now, tell)
        self._rooms.start_if_full(views, command.now, tell, command.effects)

    def free_seat(self, command: Command[FreeSeat]) -> None:
        """Frees a seat: its player becomes a watcher, and an invitation to the seat ends."""
        session = command.session
        message = command.message
        views = self._table(session, message.room)
        room = views.room
        room.check_seat_exists(message.seat)
        if message.seat in self._invitations.kept(room.id):
            self._invitations.take_back(room.id, {message.seat}, command.effects)
            command.ok(room=room.id)
            return
        room.free(command.cause, message.seat, command.now, self._rooms.listener_for(command, views))

    def swap_seats(self, command: Command[SwapSeats]) -> None:
        message = command.message
        views = self._table(command.session, message.room)
        room = views.room
        for seat in message.seats:
            room.check_seat_exists(seat)
            self._invitations.check_not_kept(room.id, seat)
        room.swap_seats(command.cause, message.seats, command.now, self._rooms.listener_for(command, views))

    def begin(self, command: Command[Begin]) -> None:
        """Starts the game without the seats that are still empty."""
        self._rooms.bounds.check_may_begin()
        views = self._table(command.session, command.message.room)
        room = views.room
        if room.must_be_prepared:
            self._rooms.check_may_prepare(room.owner or "")
        tell = self._rooms.listener_for(command, views)
        room.begin(command.cause, command.now, tell)
        self._invitations.take_back(room.id, self._invitations.kept(room.id), command.effects)
        self._rooms.start_if_full(views, command.now, tell, command.effects)

    def _table(self, session: Session, room: str) -> Views:
        views, viewer = self._rooms.of(session, room)
        self._rooms.check_takes_more(views.room, viewer.player, sits=True)
        views.room.check_settles(viewer.player)
        return views
