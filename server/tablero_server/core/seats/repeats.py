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

from ..command import Command
from ..entry import Entry
from ..limits.limits import Limits
from ..limits.rate_limits import RateLimits
from ..people.session import EarlierAnswer
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

    def first_answer(self, command: Command[ClientMessage]) -> Entry | EarlierAnswer | None:
        """What the same command led to before. Raises a Refusal if its id was another command's."""
        account, session = command.session.account, command.session
        first = account.logged.get(command.cause.id) or session.answered.get(command.cause.id)
        if first is None:
            return None
        content = first.content if isinstance(first, EarlierAnswer) else first.cause and first.cause.content
        if command.cause.content != content:
            raise Refusal("otherCommand")
        return None if isinstance(first, EarlierAnswer) and first.messages is None else first

    def answer_again(self, command: Command[ClientMessage], first: Entry | EarlierAnswer) -> None:
        session = command.session
        if isinstance(first, EarlierAnswer):
            for answer in first.messages or ():
                command.answer(answer)
        elif self._seating.may_rejoin(command, first):
            self._seating.rejoin(command, self._rooms.open[first.room])
        else:
            views, viewer = self._rooms.saw(session, first)
            answer = self._missed.first_answer(views, viewer, first, command.message.id, command.now)
            command.answer(answer)

    def remember(self, command: Command[ClientMessage]) -> None:
        """How it was answered, unless a log says so."""
        session = command.session
        if isinstance(command.message, _SHOW_THE_ROOM):
            shown = (each for to, each in command.effects.messages if to == session.peer)
            self._rate_limits.answered(session, shown, command.now)
        if command.cause.id in session.account.logged:
            return
        answers = None
        if not isinstance(command.message, _DONE_ANEW):
            answers = [
                answer for _, answer in command.effects.messages if answer.get("re") == command.cause.id
            ]
        oldest = command.now - self._limits.session_memory_ms
        answered = EarlierAnswer(command.cause.content, command.now, answers)
        session.remember(command.cause.id, answered, oldest, self._limits.remembered_answers)
