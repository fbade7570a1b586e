"""Whole matches between random players at real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from random import Random
from typing import Any, Literal

from tablero import Refused, connect
from tablero.client.room import Room
from tablero_games import GAMES, Game, Seat
from tablero_games.position import Counts
from tablero_protocol.messages import NextPlayer
from tests.harness.wire import PATIENCE, a_server

Codec = Literal["msgpack", "json"]
EXCUSED: dict[Counts, set[str]] = {"all": set(), "own": {"gameOver"}, "none": {"gameOver", "illegalMove"}}
"""Refusals that can be caused by another player's move at the same moment."""


class Table:
    """One member's view of a game, with random moves for each of their seats."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.seen: list[NextPlayer] = []
        self._news = asyncio.Event()
        room.next_player.subscribe(self._look)

    def _look(self, turn: NextPlayer) -> None:
        self.seen.append(turn)
        self._news.set()

    async def until(self, there: Callable[[NextPlayer], bool], seat: Seat | None) -> NextPlayer:
        """The newest turn of `seat`, once `there` accepts it or the game is over."""
        while (turn := self.room.turns.get(seat)) is None or not (turn.outcome or there(turn)):
            self._news.clear()
            await self._news.wait()
        return turn

    async def watch(self) -> NextPlayer:
        return await self.until(lambda turn: False, None)

    async def play(self, seat: Seat, random: Random) -> NextPlayer:
        """Plays random legal moves until the game ends. Returns the last turn."""
        game = GAMES[self.room.game]
        excused = EXCUSED[game.counts(game.read_options(self.room.options))]
        while (turn := await self.until(lambda turn: seat in turn.seats, seat)).outcome is None:
            move = random.choice(game.legal_moves(turn.view, seat))
            try:
                await self.room.play(move, seat)
            except Refused as refused:
                if refused.code not in excused:
                    raise
        return turn


def matches(game: Game) -> list[tuple[str, int, dict[str, Any]]]:
    """The game's small tables, and a table with three seats if more than the default is possible."""
    options = [dict(each) for each in game.tables[1:] or game.tables]
    seats = [game.seats(game.read_options(each)) for each in options]
    return [
        (game.name, 3 if 3 in allowed else allowed[0], each)
        for allowed, each in zip(seats, options, strict=True)
    ]


async def play_a_match(game: str, seats: int, options: dict[str, Any], codec: Codec) -> None:
    """Plays a match with a separate socket for each player, and a spectator."""
    async with AsyncExitStack() as stack, asyncio.timeout(PATIENCE):
        server = await stack.enter_async_context(a_server())
        url = f"ws://127.0.0.1:{server.port}/ws"
        names = ["cleo", "ana", "ben", "dora", "eva"][: seats + 1]
        watcher, first, *others = [
            await stack.enter_async_context(connect(url, name=name, codec=codec)) for name in names
        ]
        # A table for one starts at once, before a watcher could join. So its player sits down last.
        room = await watcher.create_room(game, seats=seats, seat=None, **options)
        watching = Table(room)
        players = [Table(await each.join(room=room.id)) for each in (first, *others)]
        ends = await asyncio.gather(
            watching.watch(),
            *(table.play(seat, Random(seat)) for seat, table in enumerate(players)),
        )
        assert [end.outcome for end in ends] == [ends[0].outcome] * (seats + 1)
        assert [end.seats for end in ends] == [[]] * (seats + 1)
        [log] = (await server.journal.load()).logs
        assert [end.seq for end in ends] == [log[-1].seq] * (seats + 1)
        check_what_was_seen(watching, sum(record.kind == "turn" for record in log))


def check_what_was_seen(watching: Table, turns: int) -> None:
    """Checks that no turn was missed or repeated, and that each turn is the one that was played."""
    played = [turn.last.move for turn in watching.seen if turn.last is not None]
    assert len(played) == turns
    seqs = [turn.seq for turn in watching.seen]
    assert seqs == sorted(set(seqs))
