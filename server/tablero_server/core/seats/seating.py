"""Commands about tables: look, join, return, change seats and leave."""

from __future__ import annotations

from typing import TypeGuard

from tablero_protocol.messages import (
    ClientMessage,
    CreateRoom,
    Join,
    Leave,
    ShowTable,
    Subscribe,
    TakeSeat,
    Unsubscribe,
)

from ..command import Command
from ..effects import Effects
from ..entry import Entry
from ..ids import Ids, read_code
from ..limits.limits import Limits
from ..limits.rate_limits import RateLimits
from ..meeting.invitations import Invitations
from ..people.session import Account, Session, SessionState
from ..refusal import Message, Refusal
from ..room.outline import Outline
from ..room.room import Room
from ..room.setup import (
    Plan,
    check_ratable,
    clock_terms,
    game_called,
    read_options,
)
from ..room.state import (
    FINISHED,
    PLAYING,
    PREPARING,
    WAITING,
)
from .absences import away
from .rooms import Rooms
from .views import Viewer, Views


class Seating:
    def __init__(
        self, ids: Ids, rooms: Rooms, invitations: Invitations, rate_limits: RateLimits, limits: Limits
    ) -> None:
        self._ids = ids
        self._rooms = rooms
        self._invitations = invitations
        self._rate_limits = rate_limits
        self._limits = limits

    def create_room(self, command: Command[CreateRoom]) -> None:
        session = command.session
        message = command.message
        self._rate_limits.new_room(session, command.now)
        plan = _plan(message, self._ids.seed())
        self._rooms.check_may_open(session.account, on_days="days" in (plan.clock or ()))
        if message.seat is not None and message.seat >= plan.seats:
            raise Refusal("seatNotHere", seat=message.seat, last=plan.seats - 1)
        if plan.seats == 1 and message.seat is not None and plan.game.needs_preparation(plan.options):
            self._rooms.check_may_prepare(session.account.id)
        views = self._rooms.create(plan, command.now, command.effects)
        self._come_in(command, views, message.seat, None)

    def join(self, command: Command[Join]) -> None:
        session = command.session
        message = command.message
        account = session.account
        if message.code is not None:
            self._guess_a_code(command)
        invitation = None
        if message.invite is not None:
            invitation = self._invitations.accepted(message.invite, account, message.room or "")
        views = self._rooms.to_join(session, message, invited=invitation is not None)
        room = views.room
        seat = message.seat if invitation is None else invitation.seat
        wants_a_seat = not message.watch and not room.seats_of(account.id)
        if seat is None and wants_a_seat:
            seat = room.free_seat(self._invitations.kept(room.id))
        if account.id in room.members and seat is None:
            self.rejoin(command, views)
            return
        self._rooms.check_takes_more(room, account.id, sits=seat is not None)
        if seat is not None:
            self._rooms.bounds.check_may_begin()
        if account.id not in room.members:
            self._rooms.bounds.check_may_enter(account, on_days=room.is_correspondence)
        if invitation is None and seat is not None:
            room.check_seat_exists(seat)
            self._invitations.check_not_kept(room.id, seat)
        self._invitations.check_is_wanted(account, room, seat, invitation)
        if seat is None:
            self._check_may_watch(room)
        if seat is not None:
            _check_may_sit_twice(account, room)
            if room.seats.count(None) == 1 and room.must_be_prepared:
                self._rooms.check_may_prepare(room.owner or "")
        level = None if invitation is None else invitation.level
        self._come_in(command, views, seat, level)
        if invitation is not None:
            self._invitations.end(invitation, None, command.effects)

    def may_rejoin(
        self, command: Command[ClientMessage], entry: Entry
    ) -> TypeGuard[Command[CreateRoom | Join]]:
        """Whether a new session repeats the command by which its player joined, so that it may rejoin."""
        views, account = self._rooms.open.get(entry.room), command.session.account
        if views is None or not isinstance(command.message, CreateRoom | Join):
            return False
        if account.id not in views.room.members:  # perhaps taken out while the client was offline
            raise Refusal("leftSince")
        if not self._rooms.is_new_to(command.session, entry):
            return False
        if views.room.has_left_since(entry.seq, account.id):
            raise Refusal("leftSince")
        return True

    def leave(self, command: Command[Leave]) -> None:
        session = command.session
        views, _ = self._rooms.of(session, command.message.room)
        room, player = views.room, session.account.id
        tell = self._rooms.listener_for(command, views)
        if room.plays(player) and room.takes_turns:
            rivals = {room.seats[seat] for seat in room.rivals(player)}
            over = self._rooms.absences.over(views, command.now)
            if rivals <= over:  # leaving is no defeat if the player could claim the game
                room.abort("left", command.now, tell)
        room.leave(command.cause, session.account.id, "left", command.now, tell)
        self._invitations.forget_closed_rooms()

    def went(self, account: Account, now: int, effects: Effects) -> None:
        """Begins the absence of a player whose last connection ended; the others are told how long
        to wait.
        """
        for views in self._rooms_of(account):
            self._rooms.absences.begin(views, account, now, effects)

    def came(self, account: Account, now: int, effects: Effects) -> None:
        """Ends the absences of a player who connected again."""
        for views in self._rooms_of(account):
            self._rooms.absences.end(views, account, now, effects)

    def stayed_away(self, room: str, player: str, now: int, effects: Effects) -> None:
        """Handles an absence that lasts too long: the player leaves the room, or the others may claim."""
        views = self._rooms.open[room]
        tell = self._rooms.listener(views, effects)
        watched = player not in views.room.seats
        if watched or views.room.state in (WAITING, PREPARING) or not views.room.takes_turns:
            views.room.leave(None, player, "gone", now, tell)
            self._invitations.forget_closed_rooms()
        elif self._rooms.absences.over(views, now).issuperset(views.room.playing()):
            views.room.abort("away", now, tell)
        else:
            views.tell("members", away(views, player, claim=True), effects)

    def expelled(self, account: Account, now: int, effects: Effects) -> None:
        """Takes a banned player out of every room. The player's turn games do not count."""
        for id in list(account.rooms):
            self._rooms.unpacked(id)
        for views in self._rooms_of(account):
            room, tell = views.room, self._rooms.listener(views, effects)
            if room.plays(account.id) and room.takes_turns:
                room.abort("kicked", now, tell)
            room.leave(None, account.id, "kicked", now, tell)
        self._invitations.forget_closed_rooms()

    def forgotten(self, account: Account, now: int, effects: Effects) -> None:
        """Takes a player without sessions out of every room where nobody waits for the player."""
        for views in self._rooms_of(account):
            on_days = views.room.is_correspondence and views.room.plays(account.id)
            if account.id not in views.away and not on_days:
                tell = self._rooms.listener(views, effects)
                views.room.leave(None, account.id, "gone", now, tell)
        self._invitations.forget_closed_rooms()

    def close(self, views: Views, now: int, effects: Effects) -> None:
        """Takes all members out of a room. A running game does not count."""
        room, tell = views.room, self._rooms.listener(views, effects)
        if room.state is PLAYING:
            room.abort("closed", now, tell)
        for player in list(room.members):
            room.leave(None, player, "closed", now, tell)
        self._invitations.forget_closed_rooms()

    def close_idle(self, room_id: str, now: int, effects: Effects) -> None:
        """Takes all members out of a room whose game is over, unless the room was used lately."""
        views = self._rooms.open[room_id]
        room = views.room
        if now < room.log[-1].at + self._limits.idle_ms:
            self._rooms.alarms.set_idle(room)
            return
        for player in list(room.members):
            room.leave(None, player, "idle", now, self._rooms.listener(views, effects))

    def _rooms_of(self, account: Account) -> list[Views]:
        """The player's rooms except packed ones, which no one enters or leaves."""
        return [self._rooms.open[room] for room in sorted(account.rooms) if room in self._rooms.open]

    def take_seat(self, command: Command[TakeSeat]) -> None:
        session = command.session
        message = command.message
        views, viewer = self._rooms.of(session, message.room)
        views.room.check_seat_exists(message.seat)
        if views.room.seats[message.seat] != viewer.player:
            raise Refusal("notYourSeat", seat=message.seat)
        views.free(message.seat)
        viewer.seats.add(message.seat)
        command.ok(room=message.room)
        self.show_position(session, views, viewer, command.effects)

    def subscribe(self, command: Command[Subscribe]) -> None:
        session = command.session
        message = command.message
        views, viewer = self._rooms.of(session, message.room)
        viewer.events.add(message.event)
        if message.event == "nextPlayer":
            viewer.legal_moves = message.legal_moves
        if message.event == "nextPlayer" and views.room.position is not None:
            self.show_position(session, views, viewer, command.effects, message.id)
        else:
            command.ok(room=message.room)

    def unsubscribe(self, command: Command[Unsubscribe]) -> None:
        message = command.message
        _, viewer = self._rooms.of(command.session, message.room)
        viewer.events.discard(message.event)
        command.ok(room=message.room)

    @staticmethod
    def show_position(
        session: Session, views: Views, viewer: Viewer, effects: Effects, re: str | None = None
    ) -> None:
        """Sends the current position to a viewer that subscribed to it, if the game has begun."""
        if "nextPlayer" in viewer.events:
            for message in views.next_player(viewer, re):
                effects.send(session.peer, message)

    def _come_in(
        self, command: Command[CreateRoom | Join], views: Views, seat: int | None, level: str | None
    ) -> None:
        session = command.session
        tell = self._rooms.listener_for(command, views)
        views.room.join(command.cause, session.account.shown(level), seat, command.now, tell)
        viewer = views.viewers[session.id]
        viewer.events.update(command.message.subscribe)
        if views.room.state is FINISHED:  # a player who left after the end gets the same seats back
            viewer.seats.update(views.room.seats_of(session.account.id))
        self.show_position(session, views, viewer, command.effects)
        self._rooms.start_if_full(views, command.now, tell, command.effects)

    def rejoin(self, command: Command[CreateRoom | Join], views: Views) -> None:
        """Adds a member's new session to a room. The session gets the member's seats that no other session
        holds, or all of them if it takes over.
        """
        session = command.session
        room = views.room
        takes_over = room.id in session.takes_over
        session.takes_over.discard(room.id)
        seats = room.seats_of(session.account.id)
        idle = [seat for seat in seats if takes_over or not self._is_held(views, seat)]
        for seat in idle:
            views.free(seat)
        viewer = self._rooms.add_viewer(views, session, idle, command.message.subscribe)
        self._rooms.absences.end(views, session.account, command.now, command.effects)
        first = min(viewer.seats, default=None)
        command.answer(views.joined(viewer, room.head, first, command.message.id))
        self.show_position(session, views, viewer, command.effects)

    def show_table(self, command: Command[ShowTable]) -> None:
        """Sends the table as anyone with its code sees it: like a watcher, but without the position.

        Raises Refusal if the code is unknown; that counts as a wrong guess.
        """
        self._guess_a_code(command)
        room = _room_with(self._rooms, command.message.code)
        outline = room if isinstance(room, Outline) else Outline.of(room)
        page: Message = {"type": "tablePage", "re": command.message.id, **outline.told()}
        if outline.private:
            page["private"] = True
        if isinstance(room, Room) and room.play is not None and (outcome := room.play.position.outcome):
            page["outcome"] = outcome.to_json()
            page["here"] = [seat for seat, player in enumerate(room.seats) if player in room.members]
            if (code := _newest_code(self._rooms, room)) != room.code:
                page["next"] = code
        command.answer(page)

    def _guess_a_code(self, command: Command[Join | ShowTable]) -> None:
        """Refuses a sender who has lately sent too many wrong codes."""
        if (peer := command.session.peer) is not None:
            self._rate_limits.guess("table", peer, command.session, command.now)

    def _check_may_watch(self, room: Room) -> None:
        if not room.lets_watch:
            raise Refusal("noWatchers")
        if room.watchers() >= self._limits.watchers:
            raise Refusal("tooManyWatchers", most=self._limits.watchers)

    def _is_held(self, views: Views, seat: int) -> bool:
        holder = views.holder(seat)
        return holder is not None and holder.session.state is SessionState.OPEN


def _check_may_sit_twice(account: Account, room: Room) -> None:
    """Refuses a second seat to a person, and to anyone in a rated game. A bot may play several seats, because
    everybody sees that.
    """
    if account.id in room.seats and room.rated:
        raise Refusal("ratedRival")
    if account.id in room.seats and not account.bot and room.game.one_seat_each(room.options):
        raise Refusal("oneSeatEach")


def _plan(message: CreateRoom, seed: int) -> Plan:
    """The plan for a new room. Raises Refusal if its game, options or clock are impossible."""
    game = game_called(message.game)
    options, seats = read_options(game, message.options, message.seats)
    clock = clock_terms(message.clock, game, options)
    if message.rated:
        check_ratable(game, options, seats, clock, private=message.private)
    return Plan(game, options, seats, message.private, message.watchers, clock, seed, message.rated)


def _room_with(rooms: Rooms, code: str) -> Room | Outline:
    """The table with this code, also one that closed recently; the outline if the room is packed."""
    id = rooms.with_code(code)
    if id is None:
        closed = rooms.closed.with_code(read_code(code))
        if closed is None:
            raise Refusal("wrongCode")
        return rooms.closed.room(closed)
    return rooms.packed.outline(id) if id in rooms.packed else rooms.open[id].room


def _newest_code(rooms: Rooms, room: Room) -> str | None:
    """The code of the latest open rematch of this room."""
    while room.next is not None and (views := rooms.open.get(room.next)) is not None:
        room = views.room
    packed = room.next is not None and room.next in rooms.packed
    return rooms.packed.code(room.next or "") if packed else room.code
