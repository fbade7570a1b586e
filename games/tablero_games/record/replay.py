"""A record as the views after each turn, for a page that does not know the rules.

Law: a replay shows nothing that is not in the record. While a game hides something, its replay is refused, or
shows what certain seats saw after each turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from pydantic.alias_generators import to_camel

from ..play import Play
from ..position import Json, Position, Seat, View
from .file import Closing, Invalid, Record, RecordedTurn
from .verify import game_of, plays, positions

MOST_TURNS = 10_000
_TOLD = ("seat", "move", "withdrew", "took_back", "drawn", "aborted", "at", "clocks")
_GAP = 8
"""Two changed parts of a text are joined into one change if fewer equal letters than this are between them,
because that is shorter.
"""

Path: TypeAlias = list[str | int]
Change: TypeAlias = list[Json]
"""A change: `[path, value]` sets a value, `[path, at, letters]` replaces text from `at`, `[path]` deletes."""


class Sealed(Exception):
    """Raised for a game that hides something until it is over."""


@dataclass(frozen=True)
class SoFar:
    """The viewers of a replay while the game still hides something."""

    seats: Collection[Seat]
    """The seats of the viewer; empty for a watcher."""
    opened: Closing
    """The hidden information, which is needed to compute views and is not shown."""


def replay(record: Record, most_turns: int = MOST_TURNS, so_far: SoFar | None = None) -> dict[str, Json]:
    """The first views, and the changes by each turn. Raises Invalid at a wrong line, or Sealed.

    There is one view, or one for each seat if seats see different things, with a drawing in games that need
    one. Turns that change only the clocks are left out. With `so_far`, a sealed record is replayed as those
    seats saw the game.
    """
    if len(record.turns) > most_turns:
        raise Invalid(most_turns + 2, "manyTurns", most=most_turns)
    game, _ = game_of(record.header)
    if record.sealed and so_far is None:
        list(positions(record))  # raises Invalid for an invalid record
        raise Sealed
    header, closing = record.header, record.closing
    seats: Collection[Seat] = range(header.seats) if so_far is None else so_far.seats
    played = list(plays(record, closing if so_far is None else so_far.opened))
    (_, begun), (_, now) = played[0], played[-1]
    viewers = _viewers(seats, game.hidden, [begun.position, now.position])
    replayed: dict[str, Json] = {
        "game": header.game,
        "options": header.options,
        "names": list(header.names),
        "clock": header.clock,
        "room": header.room,
        "started": header.started,
        "outcome": closing.outcome,
    }
    if so_far is not None and viewers != [None]:
        replayed["seats"] = list(viewers)
    before = [begun.position.view(viewer) for viewer in viewers]
    replayed["views"] = list(before)
    if game.needs_drawing:
        replayed["drawings"] = [game.draw(view, "ascii") for view in before]
    turns: list[Json] = []
    for turn, play in played[1:]:
        if turn is None or (told := _told(turn, now, seats)) is None:
            continue
        after = [play.position.view(viewer) for viewer in viewers]
        if game.needs_drawing:
            told["drawings"] = [game.draw(view, "ascii") for view in after]
        turns.append({**told, "changes": [list(changes(*pair)) for pair in zip(before, after, strict=True)]})
        before = after
    return {**replayed, "turns": turns}


def _viewers(seats: Collection[Seat], hidden: bool, some: list[Position]) -> list[Seat | None]:
    """The viewers in a replay: only a watcher, or each seat if seats hide something from each other."""
    if hidden and any(position.view(seat) != position.view(None) for position in some for seat in seats):
        return list(seats)
    return [None]


def _told(turn: RecordedTurn, now: Play, seats: Collection[Seat]) -> dict[str, Json] | None:
    """The fields of a turn besides its changes; None if the player of `seats` was not told of it."""
    move = turn.move
    if move is not None and turn.seat is not None:
        move = now.heard(turn.seat, move, seats)
    if turn.leaves_position or (move is None and turn.move is not None):
        return None
    told = {to_camel(name): value for name in _TOLD if (value := getattr(turn, name)) is not None}
    return told if move is None else {**told, "move": move}


def changes(before: View, after: View) -> Iterator[Change]:
    """The changes that turn `before` into `after`, in order."""
    return _changes([], before, after)


def _changes(path: Path, before: Json, after: Json) -> Iterator[Change]:
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for gone in before.keys() - after.keys():
            yield [[*path, gone]]
        for name, value in after.items():
            if name in before:
                yield from _changes([*path, name], before[name], value)
            else:
                yield [[*path, name], value]
    elif isinstance(before, list) and isinstance(after, list):
        one_by_one: list[Change] = []
        for at, pair in enumerate(zip(before, after, strict=False)):
            one_by_one += _changes([*path, at], *pair)
        one_by_one += ([[*path, at]] for at in reversed(range(len(after), len(before))))
        one_by_one += ([[*path, at], after[at]] for at in range(len(before), len(after)))
        whole: list[Change] = [[path, after]]
        yield from min(one_by_one, whole, key=lambda each: len(str(each)))
    elif isinstance(before, str) and isinstance(after, str) and len(before) == len(after) > _GAP:
        for start, end in _runs(before, after):
            yield [path, start, after[start:end]]
    else:
        yield [path, after]


def _runs(before: str, after: str) -> Iterator[tuple[int, int]]:
    """The ranges in which two texts of the same length differ, as (first letter, end)."""
    start = end = -1
    for at, (old, new) in enumerate(zip(before, after, strict=True)):
        if old == new:
            continue
        if start >= 0 and at - end > _GAP:
            yield start, end
            start = at
        start, end = (at if start < 0 else start), at + 1
    yield start, end
