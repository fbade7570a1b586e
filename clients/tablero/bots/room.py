"""A room with a host's bots: the place where each bot thinks, and the time it has.

Law: no brain holds up another one. A brain that breaks a rule loses its own game, and the room is told.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tablero_games import Seat
from tablero_protocol.messages import Clock

from ..bot import Bot, Thought, Turn
from ..client.client import Client
from ..client.room import Room, TableInRoom, clocks_at, first_move_left
from ..errors import Refused
from .manners import Manners, goes_by_turns, noting, people_at
from .pace import Pace
from .pool import Pool

SHARE_OF_CLOCK = 1 / 16
CLOCK_MARGIN_SECONDS = 0.5
"""Seconds reserved for sending a move before the clock runs out."""


def seconds_for(turn: Turn, limit: float, clock: Clock | None, server_now: int) -> float:
    """Seconds to think: the limit, or less so that the clock lasts for the game.

    Before a first move no clock runs, but the time for it is limited.
    """
    if (first := first_move_left(turn.event, server_now)) is not None:
        return max(0.0, min(limit, first / 1000 - CLOCK_MARGIN_SECONDS))
    clocks = clocks_at(turn.event, server_now)
    if clock is None or clocks is None:
        return limit
    left = clocks[turn.seat] / 1000
    for_this_move = left if clock.base is None else left * SHARE_OF_CLOCK + clock.increment
    return max(0.0, min(limit, for_this_move, left - CLOCK_MARGIN_SECONDS))


def people_follow(room: Room, turn: Turn) -> bool:
    """Whether a person plays in the room and still moves, or watches a bot that plays alone.

    People who watch several bots, or are out of a race, do not count.
    """
    if len(room.table.seats) == 1:
        return any(not member.player.bot for member in room.table.members)
    people = people_at(room)
    return bool(people) and (goes_by_turns(room) or not people.isdisjoint(turn.event.seats))


class HostedSeat(TableInRoom):
    """One seat in a room. Its bot thinks in the pool, and moves at a pace that people can follow."""

    def __init__(self, client: Client, room: Room, bot: Bot, pool: Pool, pace: Pace) -> None:
        super().__init__(room)
        self._client = client
        self._bot = bot
        self._pool = pool
        self._pace = pace
        self._not_before: float | None = None
        """The earliest time of the bot's next move, set by its first thought about that move."""
        self._stopped = False

    def think(self, bot: Bot, turn: Turn, done: Callable[[Thought], None]) -> None:
        clock, now = self._room.table.clock, self._client.server_now
        turn.seconds = seconds_for(turn, bot.limit_seconds, clock, now)
        if self._not_before is None and people_follow(self._room, turn):
            least = seconds_for(turn, self._pace.seconds(bot), clock, now)
            self._not_before = self._client.now + least
        self._client.aside(partial(self._pool.think, bot, turn, bot.limit_seconds), partial(self._hold, done))

    def _hold(self, done: Callable[[Thought], None], thought: Thought) -> None:
        """Hold a thought back until the bot may move."""
        wait = 0.0 if self._not_before is None else self._not_before - self._client.now
        if wait <= 0:
            done(thought)
        else:
            self._client.after(wait, partial(self._release, done, thought))

    def _release(self, done: Callable[[Thought], None], thought: Thought) -> None:
        if not self._stopped:
            done(thought)

    def drop_token(self, seat: Seat, ply: int, move: str, done: Callable[[Refused | None], None]) -> None:
        def dropped(refused: Refused | None) -> None:
            if refused is None:
                self._not_before = None
            done(refused)

        super().drop_token(seat, ply, move, dropped)

    def stop_thinking(self) -> None:
        self._stopped = True
        self._pool.stop(self._bot)


class HostedRoom:
    """The bots in one room."""

    def __init__(self, client: Client, room: Room, pool: Pool, pace: Pace, *, greets: bool) -> None:
        self.room = room
        self.bots: dict[Seat, Bot] = {}
        self._client = client
        self._pool = pool
        self._pace = pace
        self._hosted_seats: list[HostedSeat] = []
        self.leaving = False
        self._manners = Manners(client, room, self.bots, greets=greets)
        room.members.subscribe(self.look_round)
        room.next_player.subscribe(self.look_round)
        room.rematch.subscribe(self.leave)
        room.closed.subscribe(self.get_up)

    @property
    def over(self) -> bool:
        return self.room.table.state in ("finished", "closed")

    def seat(self, bot: Bot, seat: Seat) -> None:
        hosted = HostedSeat(self._client, self.room, bot, self._pool, self._pace)
        self.bots[seat] = bot
        self._hosted_seats.append(hosted)
        bot.init(hosted, seat)

    def get_up_from(self, seat: Seat) -> None:
        """Remove the bot from a seat before the game begins. Another player may have this seat now."""
        self.bots.pop(seat).disconnect()

    def look_round(self, _: object) -> None:
        table = self.room.table
        if self.over:
            self._stop_thinking()
        if table.state != "playing" and all(member.player.bot for member in table.members):
            self._client.start(self.leave())

    async def leave(self, _: object = None) -> None:
        if self.leaving:
            return
        self.leaving = True
        with noting():
            await self.room.leave()

    def get_up(self, _: object) -> None:
        self._stop_thinking()
        for bot in self.bots.values():
            bot.disconnect()

    def _stop_thinking(self) -> None:
        for hosted in self._hosted_seats:
            hosted.stop_thinking()
