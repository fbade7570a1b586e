"""Public rooms and connected players, told to whoever watches: once whole, then what changed."""

from __future__ import annotations

from collections.abc import Callable

from .refusal import Message

Line = Message
_MOST_UNTOLD = 10_000


class Lobby:
    """Collects what changed until the next tick, so that a busy evening costs a watcher one frame a tick.

    `room_line` and `player_line` give the line of an id as it is now, or None if it is not shown.
    """

    def __init__(
        self, room_line: Callable[[str], Line | None], player_line: Callable[[str], Line | None]
    ) -> None:
        self._room_line = room_line
        self._player_line = player_line
        self._rooms: dict[str, Line] = {}
        self._players: dict[str, Line] = {}
        self._touched_rooms: dict[str, None] = {}
        self._touched_players: dict[str, None] = {}
        self.watchers: set[str] = set()
        """Sessions."""

    def is_due(self) -> bool:
        """Without watchers, what changed may wait for the first one, as long as it does not pile up."""
        return bool(self.watchers) or len(self._touched_rooms) + len(self._touched_players) > _MOST_UNTOLD

    def room_changed(self, room: str) -> None:
        self._touched_rooms[room] = None

    def room_never_was(self, room: str) -> None:
        """Its creation was lost, before anybody was told of it."""
        self._rooms.pop(room, None)

    def player_changed(self, player: str) -> None:
        self._touched_players[player] = None

    def snapshot(self, re: str) -> Message:
        """The lobby as watchers have been told so far; what changed since comes with the next change."""
        return {
            "type": "lobby",
            "re": re,
            "rooms": list(self._rooms.values()),
            "players": list(self._players.values()),
        }

    def changes(self) -> Message | None:
        """What is new or different since the last time, or None."""
        rooms, gone_rooms = self._settle(self._touched_rooms, self._room_line, self._rooms)
        players, gone_players = self._settle(self._touched_players, self._player_line, self._players)
        if not (rooms or players or gone_rooms or gone_players):
            return None
        return {
            "type": "lobbyChanged",
            "rooms": rooms,
            "players": players,
            "gone": gone_rooms + gone_players,
        }

    @staticmethod
    def _settle(
        touched: dict[str, None], line_of: Callable[[str], Line | None], told: dict[str, Line]
    ) -> tuple[list[Line], list[str]]:
        changed: list[Line] = []
        gone: list[str] = []
        for key in touched:
            line = line_of(key)
            if line is None:
                if told.pop(key, None) is not None:
                    gone.append(key)
            elif told.get(key) != line:
                told[key] = line
                changed.append(line)
        touched.clear()
        return changed, gone
