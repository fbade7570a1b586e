"""The orders of a person at the screen, carried out one after the other, and their messages.

Law: the screen sends nothing itself. Keys, mouse and forms give orders here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from typing import ParamSpec

from ..client.client import Client
from ..playing import verbs
from ..playing.current_table import CurrentTable
from ..playing.narrator import Display, Narrator
from ..playing.news import Told
from ..playing.orders import Orders

_MOST_LINES = 500
P = ParamSpec("P")


class OrderQueue:
    def __init__(self, client: Client) -> None:
        self.client = client
        self.table = CurrentTable(client)
        self.news = self.table.news
        self.lines: deque[str] = deque(maxlen=_MOST_LINES)
        """The messages so far."""
        note = partial(self._tell, is_note=True)
        narrator = Narrator(client, self.table, self._tell, note, Display(boards=False))
        self.orders = Orders(client, self.table, narrator)
        self._waiting: deque[Callable[[], Awaitable[object]]] = deque()
        self._is_busy = False

    def give(self, order: Callable[P, Awaitable[object]], *args: P.args, **kwargs: P.kwargs) -> None:
        """Carry the order out after all earlier ones."""
        self._waiting.append(partial(order, *args, **kwargs))
        if not self._is_busy:
            self._is_busy = True
            self.client.start(self._work())

    def type(self, line: str) -> None:
        """Give the order of a typed line: a verb's order, or a move in any notation."""
        room = self.table.room
        typed = verbs.read_line(line, "" if room is None else room.game)
        if typed is not None:
            self.give(typed.carry_out, self.orders)
        elif line.strip():
            self.give(verbs.play_typed, self.orders, line)

    async def _work(self) -> None:
        try:
            while self._waiting:
                await self.orders.carry_out(self._waiting.popleft())
        finally:
            self._is_busy = False

    def _tell(self, line: str, *, is_note: bool = False) -> None:
        self.lines.append(line)
        self.news.emit(Told(line, is_note))
