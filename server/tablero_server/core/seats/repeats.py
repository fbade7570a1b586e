"""Each command is carried out once: a repeat gets the first answer again.

Law: what a log entries is known as long as its room is; all else the session remembers for a while.
"""

from __future__ import annotations

from tablero_protocol.messages import (
    ClientMessage,
    Join,
    ListRooms,
    ListTokens,
    Ping,
    PlayTurn,
    Resume,
    ShowHistory,
    ShowPlayer,
    ShowQrCode,
    ShowRatings,
    ShowTable,
    ShowTimes,
    ShowTonight,
    Subscribe,
    TakeSeat,
    WatchBest,
    WatchLobby,
)

from ..effects import Effects
from ..entry import Cause
from ..limits.limits import Limits
from ..limits.rate_limits import RateLimits
from ..people.session import EarlierAnswer, Session
from ..refusal import Refusal
from .resume import Missed
from .rooms import Rooms
from .seating import Seating

_DONE_ANEW = (
    *(Ping, ListRooms, ListTokens, WatchBest, WatchLobby, Subscribe, Resume, ShowHistory, TakeSeat),
    *(ShowRatings, ShowTimes, ShowPlayer, ShowTonight, ShowTable, ShowQrCode),
)
"""Their answer is how things are now."""
_SHOW_THE_ROOM = (ListRooms, Join, Resume, ShowHistory, Subscribe, TakeSeat)


class Repeats:
    def __init__(
        self, rooms: Rooms, seating: Seating, rate_limits: RateLimits, missed: Missed, limits: Limits
    ) -> None:
        self._rooms = rooms
        self._seating = seating
        self._rate_limits = rate_limits
        self._missed = missed
        self._limits = limits

    def was_done(
        self, session: Session, message: ClientMessage, cause: Cause, now: int, effects: Effects
    ) -> bool:
        """Whether a command's id was used: then its first answer again, or a refusal."""
        account = session.account
        logged = account.logged.get(message.id)
        if logged is not None or not isinstance(message, PlayTurn):
            self._rate_limits.message(session, now)
        if logged is not None:
            assert logged.cause is not None
            _check_same(cause, logged.cause.content)
            if not self._seating.comes_in_again(session, message, logged, effects):
                answer = self._missed.first_answer(*self._rooms.saw(session, logged), logged, message.id, now)
                effects.send(session.peer, answer)
            return True
        remembered = session.answered.get(message.id)
        if remembered is not None:
            _check_same(cause, remembered.content)
            for answer in remembered.messages or ():
                effects.send(session.peer, answer)
            return remembered.messages is not None
        return False

    def remember(
        self, session: Session, message: ClientMessage, cause: Cause, now: int, effects: Effects
    ) -> None:
        """How it was answered, unless a log says so."""
        if isinstance(message, _SHOW_THE_ROOM):
            shown = (each for to, each in effects.messages if to == session.peer)
            self._rate_limits.answered(session, shown, now)
        if cause.id in session.account.logged:
            return
        answers = None
        if not isinstance(message, _DONE_ANEW):
            answers = [answer for _, answer in effects.messages if answer.get("re") == cause.id]
        oldest = now - self._limits.session_memory_ms
        answered = EarlierAnswer(cause.content, now, answers)
        session.remember(cause.id, answered, oldest, self._limits.remembered_answers)


def _check_same(cause: Cause, first: int) -> None:
    if cause.content != first:
        raise Refusal("otherCommand")
