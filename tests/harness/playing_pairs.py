"""Pairs of people with the real client library, who play game after game and note what they were told.

Law: everything a client was told is in the log, once, at the place that it was told. `Book.compare` checks
that.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any, NamedTuple

from tablero import Refused, connect
from tablero.client.client import Client
from tablero.client.room import Room
from tablero_games import GAMES
from tablero_protocol.messages import NextPlayer, Ok, ServerMessage, Welcome
from tablero_server.core.entry import Entry

GAMES_TO_PLAY: tuple[tuple[str, dict[str, Any]], ...] = (
    ("tic-tac-toe", {}),
    ("connect-four", {}),
    ("minesweeper", {"mode": "race", "width": 9, "height": 9, "mines": 10}),
)


class Acknowledged(NamedTuple):
    """A move whose author has an answer."""

    room: str
    seq: int | None
    """The number of the entry; None if the answer does not have it."""
    player: str
    id: str
    seat: int
    move: str


@dataclass
class Findings:
    acknowledged: int = 0
    rooms: int = 0
    lost: int = 0
    """The acknowledged moves that are not in the log, or at another place, and rooms that are missing."""
    doubled: int = 0
    """The commands that are in the log twice, and moves with the same ply."""
    shown_only: int = 0
    """The moves that a player saw and that are missing in the log, or different."""
    disordered: int = 0
    """The logs with a gap, and answers that came before earlier ones."""
    unheard: int = 0
    """The turns of finished games that a player was never told of."""
    heard_twice: int = 0

    @property
    def kept(self) -> bool:
        broken = self.lost, self.doubled, self.shown_only, self.disordered, self.unheard, self.heard_twice
        return not any(broken)


@dataclass
class Book:
    """The messages that each player received."""

    acknowledged: list[Acknowledged] = field(default_factory=list)
    shown: dict[tuple[str, int], tuple[int | None, str]] = field(default_factory=dict)
    """The move that a player saw, by room and seq."""
    rooms: dict[str, str] = field(default_factory=dict)
    """The game of each room."""
    contradictions: int = 0
    heard_turns: dict[tuple[str, str], Counter[int]] = field(default_factory=dict)
    """The number of times that a player was told of each turn, by room and player."""
    finished: list[tuple[str, str]] = field(default_factory=list)
    """The rooms, each with a player who saw the end of its game."""
    refused: Counter[str] = field(default_factory=Counter)
    games: int = 0
    """The number of finished games."""
    connected: dict[str, float] = field(default_factory=dict)
    """The time of each player's last welcome."""
    last: dict[str, float] = field(default_factory=dict)
    """The time of each player's last answer."""
    heard: Callable[[], object] = lambda: None
    """A function that is called at every answer."""

    def is_back(self, player: str, since: float) -> bool:
        """Whether the player was welcomed and got an answer after `since`; older answers do not count."""
        return since < self.connected[player] < self.last.get(player, 0)

    def welcomed(self, welcome: Welcome) -> None:
        self.connected[welcome.player.id] = monotonic()

    def answered(self, room: Room, player: str, seat: int, move: str, answer: ServerMessage) -> None:
        assert isinstance(answer, NextPlayer | Ok), answer
        assert answer.re is not None
        self.acknowledged.append(Acknowledged(room.id, answer.seq, player, answer.re, seat, move))
        self.last[player] = monotonic()
        self.heard()

    def saw(self, player: str, turn: NextPlayer) -> None:
        self.heard_turns.setdefault((turn.room, player), Counter())[turn.seq] += 1
        if turn.last is not None and turn.last.move is not None:
            seen = (turn.last.seat, turn.last.move)
            self.contradictions += self.shown.setdefault((turn.room, turn.seq), seen) != seen

    def compare(self, logs: Mapping[str, Sequence[Entry]]) -> Findings:
        """Compares the book with `logs`, the saved entries of every room in the book."""
        found = Findings(len(self.acknowledged), len(self.rooms))
        found.lost += sum(not logs.get(room) for room in self.rooms)
        found.disordered += sum(
            [record.seq for record in log] != list(range(len(log))) for log in logs.values()
        )
        found.shown_only += self.contradictions
        causes = Counter(record.cause[:2] for log in logs.values() for record in log if record.cause)
        found.doubled += sum(times - 1 for times in causes.values())
        found.doubled += len(self.acknowledged) - len({each[2:4] for each in self.acknowledged})
        turns = {
            (room, record.seq): record
            for room, log in logs.items()
            for record in log
            if record.kind == "turn"
        }
        by_cause = {record.cause[:2]: record for record in turns.values() if record.cause}
        told: dict[tuple[str, str], int] = {}
        for each in self.acknowledged:
            there = by_cause.get((each.player, each.id))
            if there is None or not _is_it(each, there):
                found.lost += 1
            else:
                found.disordered += there.seq <= told.get((each.room, each.player), -1)
                told[each.room, each.player] = there.seq
        found.heard_twice += sum(sum(heard.values()) - len(heard) for heard in self.heard_turns.values())
        for room, player in self.finished:
            there_were = {record.seq for record in logs.get(room, ()) if record.kind == "turn"}
            found.unheard += len(there_were - self.heard_turns[room, player].keys())
        for (room, seq), seen in self.shown.items():
            shown = turns.get((room, _turn_before(logs.get(room, ()), seq)))
            found.shown_only += shown is None or _played(shown)[1:] != seen
        return found


def _turn_before(log: Sequence[Entry], seq: int) -> int:
    """The ply before an entry. A start shows the last turn again, with the number of a later entry."""
    while 0 < seq < len(log) and log[seq].kind == "revived":
        seq -= 1
    return seq


def _is_it(move: Acknowledged, record: Entry) -> bool:
    return (move.room, move.seat, move.move) == _played(record) and move.seq in (None, record.seq)


def _played(record: Entry) -> tuple[str, int | None, str]:
    return record.room, record.seat, record.body["move"]


class Player:
    """A player of a pair, in one room, who plays a random legal move at each turn."""

    def __init__(self, client: Client, room: Room, random: Random, book: Book) -> None:
        self._client = client
        self._room = room
        self._random = random
        self._book = book
        self._changed = asyncio.Event()
        self._turn: NextPlayer | None = None
        room.next_player.subscribe(self._hear)
        room.closed.subscribe(lambda _: self._changed.set())

    def _hear(self, turn: NextPlayer) -> None:
        self._book.saw(self._client.player.id, turn)
        self._turn = turn
        self._changed.set()

    async def play(self) -> None:
        """Plays to the end of the game, even if the line breaks."""
        while self._room.id in self._client.rooms:
            await self._changed.wait()
            self._changed.clear()
            turn = self._turn
            if turn is None:
                continue
            if turn.outcome is not None:
                self._book.finished.append((self._room.id, self._client.player.id))
                return
            if turn.seat is not None and turn.seat in turn.seats:
                await self._move(turn, turn.seat)

    async def _move(self, turn: NextPlayer, seat: int) -> None:
        move = self._random.choice(GAMES[self._room.game].legal_moves(turn.view, seat))
        try:
            answer = await self._room.play(move, seat, turn.ply)
        except Refused as no:  # as in a race that has ended meanwhile
            self._book.refused[f"{self._room.game}: {no.code}"] += 1
            await asyncio.sleep(0.05)
            return
        self._book.answered(self._room, self._client.player.id, seat, move, answer)


async def play_for_ever(url: str, number: int, seed: int, book: Book) -> None:
    """Runs a pair until it is cancelled; every third pair plays each of the games."""
    game, options = GAMES_TO_PLAY[number % len(GAMES_TO_PLAY)]
    random = Random(seed * 1_000 + number)
    async with (
        connect(url, name=f"ana{number}", patient=True) as ana,
        connect(url, name=f"ben{number}", patient=True) as ben,
    ):
        for client in (ana, ben):
            book.connected[client.player.id] = monotonic()
            client.connected.subscribe(book.welcomed)
        while True:
            try:
                await play_once(ana, ben, game, options, random, book)
            except Refused as no:  # a room is gone; the log shows whether that is right
                book.refused[f"{game}: {no.code}"] += 1


async def play_once(
    ana: Client, ben: Client, game: str, options: Mapping[str, Any], random: Random, book: Book
) -> None:
    seats = 2 if options.get("mode") == "race" else None
    table = await ana.create_room(game, seats=seats, rated=seats is None, **options)
    book.rooms[table.id] = game
    other = await ben.join(room=table.id)
    await asyncio.gather(Player(ana, table, random, book).play(), Player(ben, other, random, book).play())
    book.games += 1
    for room in (table, other):
        try:
            await room.leave()
        except Refused as no:  # the room was left and closed, and the server killed before its answer
            book.refused[f"leave: {no.code}"] += 1
