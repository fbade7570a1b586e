"""Commands of members in a room, such as to play, resign, chat, or offer a draw or a rematch."""

from __future__ import annotations

from math import ceil

from tablero_protocol.codes import Code
from tablero_protocol.messages import AddTime, Answer, Claim, Offer, PlayTurn, Resign, Say
from tablero_protocol.phrases import PHRASES

from ..command import Command
from ..effects import Effects
from ..ids import Ids
from ..limits.limits import Limits
from ..limits.rate_limits import RateLimits
from ..people.session import Session
from ..refusal import Refusal
from ..room.room import Room
from ..room.state import PLAYING
from .resume import Missed
from .rooms import Rooms
from .views import Viewer, Views


class Playing:
    def __init__(
        self, ids: Ids, rooms: Rooms, rate_limits: RateLimits, missed: Missed, limits: Limits
    ) -> None:
        self._ids = ids
        self._rooms = rooms
        self._rate_limits = rate_limits
        self._missed = missed
        self._limits = limits

    def play_turn(self, command: Command[PlayTurn]) -> None:
        session, message, cause, now, effects = command
        seat = message.seat
        try:
            views, viewer = self._rooms.of(session, message.room)
            if seat not in viewer.seats:
                self._check_holds(views, viewer, seat)
        except Refusal:
            self._rate_limits.message(session, now)
            raise
        room = views.room
        self._rate_limits.turn(viewer, room.id, seat, now)
        if room.clock is not None:
            self.drop_flags(views, now, effects)
        self._rooms.check_may_add(session.account)
        if len(room.log) > self._limits.room_turns and room.ply >= self._limits.room_turns:
            _refuse_more_turns(room)
        try:
            line_ms = 0 if room.clock is None else session.line_ms
            turn = room.play_turn(cause, seat, message.ply, message.move, now, line_ms)
        except Refusal as refusal:
            if refusal.code is Code.STALE:
                refusal.missed = self._missed.turns_after(views, viewer, message, now)
            raise
        self._rooms.written(views, session, effects, turn)

    def resign(self, command: Command[Resign]) -> None:
        views = self._at_seat(command)
        views.room.resign(
            command.cause, command.message.seat, command.now, self._rooms.listener_for(command, views)
        )

    def by_seconds(self, session: Session) -> bool:
        """Whether a slow line costs this session time in a game that it plays."""
        seen = self._rooms.seen_by(session)
        return any(views.room.runs_by_seconds and views.viewers[session.id].seats for views in seen)

    def go_on(self, room: str, now: int, effects: Effects) -> None:
        """Ends a pause that has lasted as long as allowed."""
        views = self._rooms.open[room]
        views.room.go_on(now, self._rooms.listener(views, effects))

    def add_time(self, command: Command[AddTime]) -> None:
        views = self._at_seat(command)
        self._rooms.check_takes_more(views.room, command.cause.player, sits=True)
        views.room.add_time(
            command.cause, command.message.seat, command.now, self._rooms.listener_for(command, views)
        )

    def claim(self, command: Command[Claim]) -> None:
        """Claims a win or a draw from rivals who were away for too long."""
        message = command.message
        views = self._at_seat(command)
        room = views.room
        room.check_may_claim(command.cause.player, message.seat)
        over = self._rooms.absences.over(views, command.now)
        rivals = room.rivals(command.cause.player)
        absent = [seat for seat in rivals if room.seats[seat] in over]
        if not absent or (message.what == "draw" and absent != rivals):
            raise _not_away(views, command.now)
        tell = self._rooms.listener_for(command, views)
        room.claim(command.cause, message.seat, absent, message.what, command.now, tell)

    def say(self, command: Command[Say]) -> None:
        message = command.message
        views, viewer = self._rooms.of(command.session, message.room)
        text = self._what_is_said(message)
        self._rooms.check_takes_more(views.room, viewer.player, sits=viewer.player in views.room.seats)
        self._rate_limits.say(viewer.player, command.now)
        tell = self._rooms.listener_for(command, views)
        views.room.say(command.cause, text, command.now, tell, message.phrase)

    def _what_is_said(self, message: Say) -> str:
        if (message.text is None) == (message.phrase is None):
            raise Refusal("textOrPhrase")
        if self._limits.talk == "off":
            raise Refusal("chatIsOff")
        if message.phrase is not None:
            return PHRASES[message.phrase]
        if self._limits.talk == "phrases":
            raise Refusal("onlyPhrases", phrases=list(PHRASES))
        return message.text or ""

    def offer(self, command: Command[Offer]) -> None:
        message = command.message
        if message.what == "rematch":
            self._rooms.bounds.check_may_begin()
        views = self._at_seat(command)
        self._rooms.check_takes_more(views.room, command.cause.player, sits=True)
        tell = self._rooms.listener_for(command, views)
        views.room.offer(command.cause, message.seat, message.what, self._ids.key(), command.now, tell)

    def answer(self, command: Command[Answer]) -> None:
        message = command.message
        views = self._at_seat(command)
        self._rooms.check_takes_more(views.room, command.cause.player, sits=True)
        tell = self._rooms.listener_for(command, views)
        views.room.answer(command.cause, message.seat, message.offer, message.yes, command.now, tell)

    def _at_seat(self, command: Command[Resign | AddTime | Claim | Offer | Answer]) -> Views:
        """The room of a command about a seat. Raises Refusal if the session does not hold the seat."""
        views, viewer = self._rooms.of(command.session, command.message.room)
        self._check_holds(views, viewer, command.message.seat)
        self.drop_flags(views, command.now, command.effects)
        return views

    def drop_flags(self, views: Views, now: int, effects: Effects) -> None:
        """Removes every seat whose time is over from the game. No command may profit from the wait for the
        next tick.
        """
        if views.room.clock is not None:
            views.room.flag(now, self._rooms.listener(views, effects), views.line_of)

    def _check_holds(self, views: Views, viewer: Viewer, seat: int) -> None:
        if seat not in viewer.seats and seat in views.room.seats_of(viewer.player):
            raise Refusal("playedElsewhere", seat=seat)


def _refuse_more_turns(room: Room) -> None:
    """Refuses further turns of a game with too many, so that its log stays bounded."""
    if room.state is PLAYING:
        raise Refusal("noTurnsLeft", turns=room.ply)


def _not_away(views: Views, now: int) -> Refusal:
    waits = [until - now for until in views.away.values() if until > now]
    if not waits:
        return Refusal("rivalIsHere")
    wait = max(waits)
    return Refusal("rivalMayComeBack", retry_after_ms=wait, seconds=ceil(wait / 1000))
