"""The public game most worth watching, for clients that let the server choose.

Law: the chosen room is never private, and always allows watchers. The choice changes at most every ten
seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tablero_games import GAMES
from tablero_protocol.messages import WatchBest

from ..alarms import Alarms
from ..command import Command
from ..effects import Effects
from ..people.session import Session
from ..refusal import Message, Refusal
from ..room.state import PLAYING
from ..seats.rooms import Rooms
from ..seats.views import Views

CHOOSE_EVERY_MS = 10_000
LIVELY_MS = 60_000
"""A game without a move for this long is chosen only if there is no other."""


@dataclass(slots=True)
class _Channel:
    game: str | None
    """The game that the viewers want; None: any game."""
    room: str | None
    sessions: dict[str, Session] = field(default_factory=dict)

    def told(self) -> Message:
        shown = {"game": self.game, "room": self.room}
        return {"type": "best", **{key: value for key, value in shown.items() if value is not None}}


class Television:
    def __init__(self, rooms: Rooms, alarms: Alarms) -> None:
        self._rooms = rooms
        self._alarms = alarms
        self._channels: dict[str | None, _Channel] = {}

    def watch(self, command: Command[WatchBest]) -> None:
        """Sends `session` the room to watch, and every later choice."""
        session = command.session
        game = command.message.game
        if game is not None and game not in GAMES:
            raise Refusal("unknownGame", games=list(GAMES))
        command.ok()
        self.unwatch(session)
        if not self._channels:
            self._alarms.set(("best",), command.now + CHOOSE_EVERY_MS)
        if (channel := self._channels.get(game)) is None:
            channel = self._channels[game] = _Channel(game, self._best(game, None, command.now))
        elif channel.room not in self._rooms.open:  # the room was closed, or could not be saved
            channel.room = self._best(game, None, command.now)
        channel.sessions[session.id] = session
        command.answer(channel.told())

    def unwatch(self, session: Session) -> None:
        for game, channel in list(self._channels.items()):
            channel.sessions.pop(session.id, None)
            if not channel.sessions:
                del self._channels[game]

    def choose(self, now: int, effects: Effects) -> None:
        """Compares all games again, if anybody watches."""
        if not self._channels:
            return
        self._alarms.set(("best",), now + CHOOSE_EVERY_MS)
        for channel in self._channels.values():
            best = self._best(channel.game, channel.room, now)
            if best != channel.room:
                channel.room = best
                message = channel.told()
                for session in channel.sessions.values():
                    effects.send(session.peer, message)

    def _best(self, game: str | None, shown: str | None, now: int) -> str | None:
        """The best room. Of equally good rooms, `shown` wins, then the room with the latest move."""
        followers = {
            each.account.id for channel in self._channels.values() for each in channel.sessions.values()
        }
        ranked = [
            (*_worth(views, followers, now), room == shown, _moved_at(views), room)
            for room, views in self._rooms.open.items()
            if _may_be_shown(views, game)
        ]
        return max(ranked)[-1] if ranked else None


def _may_be_shown(views: Views, game: str | None) -> bool:
    room = views.room
    public = room.lets_watch and not room.private
    return public and room.state is PLAYING and game in (None, room.game.name)


def _worth(views: Views, followers: set[str], now: int) -> tuple[bool, int, int]:
    """The sort key of a room: whether moves are recent, how many people play, how many watch by their own
    choice.
    """
    room = views.room
    people = {shown["id"] for shown in room.seated if shown is not None and not shown["bot"]}
    watchers = sum(member not in room.seats and member not in followers for member in room.members)
    return now - _moved_at(views) < LIVELY_MS, len(people & room.members.keys()), watchers


def _moved_at(views: Views) -> int:
    return views.room.log[views.room.turn_seq].at
