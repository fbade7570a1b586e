"""What the prompt says of the connections: that ours is broken, or who at the table has none."""

from __future__ import annotations

from collections.abc import Callable

from tablero.catalogue.speech import translate, translate_plural
from tablero.client.client import Client

from .current_table import CurrentTable
from .who import listed, named


class Prompt:
    """Calls `show` with some words, or none where everybody is here, whenever they have changed."""

    def __init__(self, client: Client, table: CurrentTable, show: Callable[[str], None]) -> None:
        self._client = client
        self._table = table
        self._show = show
        self._shown = ""
        client.connected.subscribe(self._look)
        client.disconnected.subscribe(self._look)
        table.changed.subscribe(self._look)
        table.members.subscribe(self._look)

    def _look(self, _: object) -> None:
        words = self._words()
        if words != self._shown:
            self._shown = words
            self._show(words)

    def _words(self) -> str:
        if not self._client.is_open:
            return translate("no connection")
        members = self._table.room.away if self._table.room is not None else []
        names = [named(member.player) for member in members if member.player != self._client.player]
        if not names:
            return ""
        return translate_plural("{who} is away", "{who} are away", len(names), who=listed(names))
