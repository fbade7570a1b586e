"""The current lobby: tables, seeks, players, and the games of bots.

Law: the last line about each of them counts.
"""

from __future__ import annotations

from tablero_protocol.messages import LobbyChanged, LobbyList, Presence, RoomLine, SeekLine


class LobbyView:
    def __init__(self) -> None:
        self._rooms: dict[str, RoomLine] = {}
        self._players: dict[str, Presence] = {}
        self._seeks: dict[str, SeekLine] = {}

    def hear(self, news: LobbyList | LobbyChanged) -> None:
        if isinstance(news, LobbyList):
            for lines in (self._rooms, self._players, self._seeks):
                lines.clear()
        self._rooms.update((line.room, line) for line in news.rooms)
        self._players.update((player.id, player) for player in news.players)
        self._seeks.update((line.seek, line) for line in news.seeks)
        if isinstance(news, LobbyChanged):
            for id in news.gone:
                self._rooms.pop(id, None)
                self._players.pop(id, None)
                self._seeks.pop(id, None)

    def rooms(self, game: str | None = None) -> list[RoomLine]:
        """The tables: those with a free seat first, then running games, then finished ones."""
        order = {"waiting": 0, "preparing": 1, "playing": 2}
        rooms = [line for line in self._rooms.values() if game in (None, line.game)]
        return sorted(rooms, key=lambda line: (order.get(line.state, 3), None not in line.seats))

    def seeks(self, game: str | None = None) -> list[SeekLine]:
        return [line for line in self._seeks.values() if game is None or line.game in (None, game)]

    def players(self) -> list[Presence]:
        """The players: people first, sorted by name."""
        return sorted(self._players.values(), key=lambda player: (player.bot, player.name.casefold()))

    def room(self, id: str) -> RoomLine | None:
        return self._rooms.get(id)

    def seek(self, id: str) -> SeekLine | None:
        return self._seeks.get(id)

    def player(self, id: str) -> Presence | None:
        return self._players.get(id)

    def people_beside(self, id: str) -> list[Presence]:
        """The people here except the one with this id."""
        return [player for player in self.players() if not player.bot and player.id != id]

    def has_bot(self, game: str, level: str) -> bool:
        """Whether a free bot here plays this level."""
        return any(
            level in brain.levels and player.games < player.card.capacity
            for player in self._players.values()
            if player.card is not None
            for brain in player.card.brains
            if brain.game == game
        )
