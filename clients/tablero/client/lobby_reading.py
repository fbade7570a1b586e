"""The lobby while its pages arrive. Changes that come meanwhile are included, and the whole lobby is
reported.

Law: for each room and player the last line counts, from a page or from a change.
"""

from __future__ import annotations

from tablero_protocol.messages import LobbyChanged, LobbyList, Presence, RoomLine, SeekLine, ServerMessage

from .commands import PendingCommand, PendingCommands
from .session_events import Received, SessionEvent, Settled


class LobbyReading:
    def __init__(self, commands: PendingCommands) -> None:
        self._commands = commands
        self._watches = False
        self._pages: _Pages | None = None
        """The pages received so far; None if no more are expected."""
        self._next: str | None = None
        """The id of the command that asked for the next page."""
        self._wanted: list[str] = []
        """The application's commands that are answered with the whole lobby."""

    def connected(self, now: float) -> None:
        """Ask again for a lobby that was watched or incomplete when the connection broke."""
        if self._watches or self._wanted:
            self._commands.give("watchLobby", {}, now, own=True)

    def disconnected(self) -> None:
        self._pages = self._next = None

    def abandon(self) -> list[str]:
        """The application's commands that will get no answer."""
        return self._wanted

    def changed(self, message: LobbyChanged) -> list[SessionEvent]:
        if self._pages is None:
            return [Received(message)]
        self._pages.add(message)
        return []

    def unwatched(self) -> None:
        self._watches = False

    def answered(self, command: PendingCommand, answer: ServerMessage, now: float) -> list[SessionEvent]:
        """Handle an answer to `watchLobby`, and ask for the next page if there is one."""
        if "after" not in command.wire:
            self._watches, self._pages = True, _Pages()
            if not command.own:
                self._wanted.append(command.id)
        elif command.id != self._next:
            return []  # the lobby has been asked for again from its beginning
        pages = self._pages
        assert pages is not None
        events: list[SessionEvent] = []
        if isinstance(answer, LobbyList):
            pages.add(answer)
            if answer.more is not None:
                self._next = self._commands.give("watchLobby", {"after": answer.more}, now, own=True).id
                return []
            answer = pages.whole()
            events.append(Received(answer))
        events += [Settled(id, answer) for id in self._wanted]
        self._wanted.clear()
        self._pages = self._next = None
        return events


class _Pages:
    def __init__(self) -> None:
        self._rooms: dict[str, RoomLine] = {}
        self._players: dict[str, Presence] = {}
        self._seeks: dict[str, SeekLine] = {}

    def add(self, message: LobbyList | LobbyChanged) -> None:
        self._rooms.update((line.room, line) for line in message.rooms)
        self._players.update((player.id, player) for player in message.players)
        self._seeks.update((line.seek, line) for line in message.seeks)
        if isinstance(message, LobbyChanged):
            for id in message.gone:
                self._rooms.pop(id, None)
                self._players.pop(id, None)
                self._seeks.pop(id, None)

    def whole(self) -> LobbyList:
        rooms, players, seeks = self._rooms.values(), self._players.values(), self._seeks.values()
        return LobbyList(rooms=list(rooms), players=list(players), seeks=list(seeks))
