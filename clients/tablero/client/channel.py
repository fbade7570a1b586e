"""The channel: watches the public game that the server names as the best, and changes to the next one."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING

from tablero_protocol.messages import Best, EventName

from ..errors import Disconnected, Refused

if TYPE_CHECKING:
    from .client import Client
    from .room import Room


class Channel:
    """A channel that joins the best game and leaves the one before. `client.room_opened` reports
    each game.
    """

    def __init__(self, client: Client, *, subscribe: Collection[EventName] = ()) -> None:
        self.is_on = False
        self.room: Room | None = None
        """The current table."""
        self._client = client
        self._subscribe = subscribe
        self._game: str | None = None

    async def switch_on(self, game: str | None = None) -> None:
        """Show the best of all public games, or of the games of `game`."""
        self._game = game
        self._listen()  # the first choice comes before the answer
        try:
            await self._client.watch_best(game)
        except Refused:
            self._listen_no_more()
            raise

    async def switch_off(self, *, leave: bool = True) -> None:
        """Stop showing games. Without `leave`, the player stays in the current room."""
        if not self.is_on:
            return
        self._listen_no_more()
        room, self.room = self.room, None
        await self._client.unwatch_best()
        if leave and room is not None:
            await self._leave(room)

    def _listen(self) -> None:
        self.is_on = True
        self._client.best.subscribe(self._show)
        self._client.connected.subscribe(self._ask_again)

    def _listen_no_more(self) -> None:
        self.is_on = False
        self._client.best.unsubscribe(self._show)
        self._client.connected.unsubscribe(self._ask_again)

    async def _ask_again(self, _: object) -> None:
        """Subscribe again, because a subscription ends with its connection."""
        with suppress(Refused, Disconnected):
            await self._client.watch_best(self._game)

    async def _show(self, best: Best) -> None:
        if best.room is None or best.room in self._client.rooms:
            return
        try:
            room = await self._client.join(room=best.room, watch=True, subscribe=self._subscribe)
        except (Refused, Disconnected):
            return  # the game is over or full; the server names the next one
        before, self.room = self.room, room
        if before is not None:
            await self._leave(before)
        if not self.is_on:  # switched off meanwhile
            self.room = None
            await self._leave(room)

    async def _leave(self, room: Room) -> None:
        if room.id in self._client.rooms:
            with suppress(Refused, Disconnected):
                await room.leave()
