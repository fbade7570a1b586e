"""A contest at a real server: two clients for each game, in their own private room.

Law: the server decides what is legal and how a game ends. The arena chooses only the opening. Each seat plays
its part of the opening as ordinary moves, before its bot is asked for the first time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from functools import partial
from time import perf_counter

from tablero.bot import Bot, Failure, Thought, Turn
from tablero.bots.host import card
from tablero.bots.pool import Pool
from tablero.client.client import Client
from tablero.client.connection import connect
from tablero.client.room import Room, TableInRoom
from tablero.dice import dice
from tablero.errors import Disconnected
from tablero_games import GAMES, Outcome, Seat
from tablero_games.record.file import RecordedTurn
from tablero_protocol.messages import NextPlayer

from .match import Match
from .plan import Contest, Task, WrongContest, find_brains
from .result import Result


def check(contest: Contest, *, keeps_records: bool) -> None:
    """Raise WrongContest if the contest asks for something that only a local arena can do."""
    if contest.solo:
        raise WrongContest("A server lays its own fields, so those who play alone cannot be compared there.")
    if keeps_records and GAMES[contest.game].hidden:
        raise WrongContest("Only the server knows what this game hides; `tablero record` fetches its record.")


def play_online(result: Result, server: str, concurrency: int, *, insecure: bool = False) -> None:
    """Play the contest of `result` at `server`. Raises Refused, Disconnected or InsecureServer."""
    asyncio.run(play_at(result, server, concurrency, insecure))


async def play_at(result: Result, server: str, concurrency: int, insecure: bool = False) -> None:
    brains = find_brains(result.contest.specs)
    tasks = result.contest.tasks()
    slots = [asyncio.create_task(_slot(result, tasks, brains, server, insecure)) for _ in range(concurrency)]
    try:
        await asyncio.gather(*slots)
    finally:
        for slot in slots:
            slot.cancel()
        await asyncio.gather(*slots, return_exceptions=True)


async def _slot(
    result: Result, tasks: Iterator[Task], brains: list[type[Bot]], server: str, insecure: bool
) -> None:
    """Play one game after the other, with new clients: a hanging thought delays no other game."""
    for task in tasks:
        if result.decided:
            return
        async with AsyncExitStack() as stack:
            clients = []
            for each in task.seats:
                brain = brains[each]
                line = connect(server, name=brain.level, bot=card([brain], 1), insecure=insecure)
                clients.append(await stack.enter_async_context(line))
            result.add(
                task, await _play(result.contest, task, [brains[each] for each in task.seats], clients)
            )


async def _play(contest: Contest, task: Task, brains: list[type[Bot]], clients: list[Client]) -> Match:
    over: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
    failures: dict[Seat, Failure] = {}
    turns: list[RecordedTurn] = []

    def note(event: NextPlayer) -> None:
        if event.last is not None:
            turns.append(RecordedTurn.model_validate(event.last.model_dump(exclude_none=True) | {"at": 0}))
        if event.outcome is not None and not over.done():
            over.set_result(Outcome.from_json(event.outcome))

    made = await clients[0].create_room(contest.game, private=True, seat=0, **contest.options)
    rooms = [made] + [
        await client.join(code=made.code, seat=seat) for seat, client in enumerate(clients) if seat
    ]

    def closed(why: str) -> None:
        if not over.done():
            over.set_exception(Disconnected(why))

    made.next_player.subscribe(note)
    made.closed.subscribe(closed)
    watched, bots = [], []
    for seat, (brain, room) in enumerate(zip(brains, rooms, strict=True)):
        watched.append(WatchedRoom(clients[seat], room, task.opening, failures))
        try:
            bot = brain()
            bots.append(bot)
            bot.random = dice(f"{task.seed}/{seat}")
            bot.budget = contest.budget
            bot.init(watched[-1], seat)
        except Exception as error:
            watched[-1].give_up(seat, Failure.crash(error))
    try:
        outcome = await over
    finally:
        for bot in bots:
            bot.disconnect()
    thoughts = tuple(tuple(room.thoughts) for room in watched)
    return Match(task.seed, tuple(brains), task.opening, tuple(turns), outcome, failures, thoughts)


class WatchedRoom(TableInRoom):
    """A room that plays the opening itself, and notes its bot's thoughts and failures."""

    def __init__(
        self, client: Client, room: Room, opening: tuple[str, ...], failures: dict[Seat, Failure]
    ) -> None:
        super().__init__(room)
        self._client = client
        self._opening = opening
        self._failures = failures
        self._pool = Pool()
        self.thoughts: list[float] = []

    def think(self, bot: Bot, turn: Turn, done: Callable[[Thought], None]) -> None:
        if turn.ply < len(self._opening):
            done(self._opening[turn.ply])
            return
        began, limit = perf_counter(), bot.limit_seconds

        def thought(move: Thought) -> None:
            self.thoughts.append(perf_counter() - began)
            if self.thoughts[-1] > limit:
                self.give_up(turn.seat, Failure.late(limit))
            elif move is None and turn.event.seats == [turn.seat]:
                self.give_up(turn.seat, Failure.illegal("It waited, and nobody else was to move."))
            else:
                done(move)

        self._client.aside(partial(self._pool.think, bot, turn, limit), thought)

    def give_up(self, seat: Seat, failure: Failure | None) -> None:
        if failure is None or self._failures.setdefault(seat, failure) is failure:
            super().give_up(seat, failure)
