"""Answers about the past: events that a viewer missed, the turns of a game, and answers to repeated commands.

Law: a viewer gets all missed events or a snapshot, never a part. Events that are certainly too large are not
replayed. A page is bounded in bytes and in turns, and shows no more of a running game than `Play.told` does.
Each command is carried out once, and a repeat gets the first answer again. A command in a log is remembered
as long as its room; the session remembers others for a while.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from msgpack import Packer

from tablero_games import Play, Seat
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

from ..command import Command
from ..effects import Effects
from ..entry import Entry, Kind
from ..limits.limits import Limits
from ..limits.rate_limits import RateLimits
from ..people.session import EarlierAnswer, Session
from ..refusal import Message, Refusal
from ..room.replay import ply_after
from ..room.room import PLIES, Room
from .rooms import Rooms
from .seating import Seating
from .views import EVENT_OF, Viewer, Views

TURNS: frozenset[Kind] = frozenset({"turn", "withdrew", "tookBack", "drawn", "aborted"})
"""The kinds of entries that are listed in a history or a record."""
_MOST_TURNS = 500
"""The most turns on one page, which takes about a millisecond."""
_ENVELOPE_BYTES = 256
_PACK = Packer().pack
_DONE_ANEW = (
    *(Ping, ListRooms, ListTokens, WatchBest, WatchLobby, Subscribe, Resume, ShowHistory, TakeSeat),
    *(ShowRatings, ShowTimes, ShowPlayer, ShowTonight, ShowTable, ShowQrCode),
)
"""Commands that are carried out again when repeated, because their answer is the current state."""
_SHOW_THE_ROOM = (ListRooms, Join, Resume, ShowHistory, Subscribe, TakeSeat)


def history(room: Room, seats: Collection[Seat], after: int, most_bytes: int) -> Message:
    """A page of the turns after entry `after`, with the parts that the player of `seats` may see."""
    told: Message = {"type": "history", "room": room.id, "turns": []}
    turns, size, newest = told["turns"], _ENVELOPE_BYTES, after
    if room.play is None:
        return told
    ply = ply_after(room, min(after, room.head))
    for seq in range(after + 1, room.head + 1):
        entry = room.log[seq]
        if entry.kind not in TURNS:
            continue
        ply += entry.kind in PLIES
        turn = _turn(room.play, entry, ply, seats)
        size += len(_PACK(turn))
        if size > most_bytes or len(turns) == _MOST_TURNS:
            return {**told, "more": newest}
        turns.append(turn)
        newest = entry.seq
    return told


def heard(play: Play, turn: Entry, seats: Collection[Seat]) -> str | None:
    """The move as the player of `seats` may see it, or None."""
    assert turn.seat is not None
    return play.heard(turn.seat, turn.body["move"], seats)


def _turn(play: Play, entry: Entry, ply: int, seats: Collection[Seat]) -> Message:
    turn: Message = {"seq": entry.seq, "ply": ply, "at": entry.at}
    if entry.clocks is not None:
        turn["clocks"] = list(entry.clocks)
    match entry.kind:
        case "turn" if (move := heard(play, entry, seats)) is not None:
            turn["move"] = move
        case "withdrew":
            turn["withdrew"] = entry.body["reason"]
        case "tookBack":
            turn["tookBack"] = entry.body["plies"]
        case "drawn":
            turn["drawn"] = entry.body.get("reason", "agreed")
        case "aborted":
            turn["aborted"] = entry.body["reason"]
    of_nobody = entry.kind in ("drawn", "aborted") or entry.seat is None
    return turn if of_nobody else {**turn, "seat": entry.seat}


class Newest:
    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms

    def is_enough(self, session: Session | None, room: str) -> bool:
        """Whether this session has no seat in a room, so that it needs only the newest position."""
        views = self._rooms.open.get(room)
        if session is None or views is None or session.id not in views.viewers:
            return False
        return session.account.id not in views.room.seats

    def show(self, session: Session | None, rooms: Iterable[str], lines: Iterable[str]) -> Effects:
        """Sends these rooms and lines of the lobby in their current state."""
        effects = Effects()
        if session is None:
            return effects
        for room in sorted(session.rooms.intersection(rooms)):
            views = self._rooms.open[room]
            effects.send(session.peer, views.snapshot(views.viewers[session.id], None))
        if session.id in self._rooms.lobby.watchers:
            for changed in self._rooms.lobby.again(lines):
                effects.send(session.peer, changed)
        return effects


_PACK = Packer().pack


class Missed:
    def __init__(self, rate_limits: RateLimits, limits: Limits) -> None:
        self._rate_limits = rate_limits
        self._limits = limits
        self.answers = Counter(events=0, snapshot=0)
        """The number of answers by kind."""

    def since(self, views: Views, viewer: Viewer, message: Resume, now: int) -> list[Message]:
        """The messages that a client missed, then the answer. If these messages cannot be sent, a snapshot
        instead.
        """
        room, missed = views.room, None
        if message.epoch == room.epoch and 0 <= room.head - message.seq <= self._limits.replay_events:
            missed = self._told(views, viewer, room.log[message.seq + 1 :], now)
        self.answers["snapshot" if missed is None else "events"] += 1
        if missed is None:
            return [views.snapshot(viewer, message.id)]
        ok: Message = {"type": "ok", "re": message.id, "room": room.id, "seq": room.head}
        if views.away:  # `away` and `rated` are in no entry
            ok["away"] = dict(views.away)
        if views.rated is not None and "members" in viewer.events:
            missed.append(views.rated)
        return [*missed, ok]

    def turns_after(self, views: Views, viewer: Viewer, stale: PlayTurn, now: int) -> list[Message]:
        """The missed turns, for a player who sent a move for another ply. They are charged as a message."""
        session = viewer.session
        self._rate_limits.message(session, now)
        room, missed = views.room, None
        seq = seq_after_ply(room, stale.seat, stale.ply, self._limits.replay_events)
        if seq is not None and "nextPlayer" in viewer.events:
            turns = [entry for entry in room.log[seq + 1 :] if EVENT_OF[entry.kind] == "nextPlayer"]
            missed = self._told(views, viewer, turns, now)
        if missed is None:
            missed = [views.snapshot(viewer, None)]
        self._rate_limits.answered(session, missed, now)
        return missed

    def history(self, views: Views, viewer: Viewer, message: ShowHistory) -> Message:
        """A page of the game's turns."""
        seats = views.room.seats_of(viewer.player)
        page = history(views.room, seats, message.after, self._limits.replay_bytes)
        return {**page, "re": message.id}

    def first_answer(self, views: Views, viewer: Viewer, entry: Entry, re: str, now: int) -> Message:
        """The first answer to the command that caused `entry`."""
        if views.needs_past(entry, viewer, re):
            self._rate_limits.replay(viewer.session, now)
        return views.answer(entry, viewer, re)

    def _told(self, views: Views, viewer: Viewer, entries: Sequence[Entry], now: int) -> list[Message] | None:
        """The messages of `entries` for a viewer; None if they are too large, or if a rate limit allows no
        replay now.
        """
        most = self._limits.replay_bytes
        if past := sum(views.needs_past(entry, viewer) for entry in entries):
            # positions of one game have about the same size
            size = past * len(_PACK(views.next_player(viewer)))
            if size > most or not self._rate_limits.may_replay(viewer.session, now):
                return None
        told = views.told(entries, viewer)
        return None if len(_PACK(told)) > most else told


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
        """The result of an earlier command with the same id, or None. Raises Refusal if that command was
        different.
        """
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
        """Stores the answer to a command, unless the command is in a log."""
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


def seq_after_ply(room: Room, seat: int, ply: int, most: int) -> int | None:
    """The entry after which `seat` was to play `ply`. None if that is long ago or has not happened."""
    expected = None if room.play is None else room.play.expected_ply(seat)
    if room.play is None or expected is None or not 0 <= expected - ply <= most:
        return None
    own = room.play.counts == "own"
    turns = (
        entry.seq
        for entry in islice(reversed(room.log), most + 1)
        if entry.kind in ("started", "tookBack") or (entry.kind == "turn" and (not own or entry.seat == seat))
    )
    return next(islice(turns, expected - ply, None), None)
