"""A record as what there was to see after each turn: for a page that knows no rules.

Law: it tells nothing that the record does not, and of a game that still hides something nothing at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from pydantic.alias_generators import to_camel

from ..position import Json, Position, Seat, View
from .file import Invalid, Record, RecordedTurn
from .verify import game_of, positions

MOST_TURNS = 10_000
_TOLD = ("seat", "move", "withdrew", "took_back", "drawn", "aborted", "at", "clocks")
_GAP = 8
"""Letters between two that differ: with fewer, both go into one change, which is shorter."""

Path: TypeAlias = list[str | int]
Change: TypeAlias = list[Json]
"""`[path, value]`: there it is now. `[path, at, letters]`: from `at` on it reads so. `[path]`: it is gone."""


class Sealed(Exception):
    """Something is hidden until the game is over."""


def replay(record: Record, most_turns: int = MOST_TURNS) -> dict[str, Json]:
    """The first views, and what each turn changed in them. Raises Invalid at a wrong line, or Sealed.

    There is one view, or one a seat where each sees another. What changes the clocks alone is left out.
    """
    if len(record.turns) > most_turns:
        raise Invalid(most_turns + 2, "A replay has at most {most} turns.", most=most_turns)
    game, _ = game_of(record.header)
    if record.sealed:
        list(positions(record))  # raises Invalid, if it is
        raise Sealed
    told = [(turn, position) for turn, position in positions(record) if not (turn and turn.leaves_position)]
    header, seats = record.header, _viewers(record, game.hidden, [told[0][1], told[-1][1]])
    replayed: dict[str, Json] = {
        "game": header.game,
        "options": header.options,
        "names": list(header.names),
        "clock": header.clock,
        "room": header.room,
        "started": header.started,
        "outcome": record.closing.outcome,
    }
    before = [told[0][1].view(seat) for seat in seats]
    replayed["views"] = list(before)
    turns: list[Json] = []
    for turn, position in told[1:]:
        assert turn is not None
        after = [position.view(seat) for seat in seats]
        turns.append(
            {**_told(turn), "changes": [list(changes(*pair)) for pair in zip(before, after, strict=True)]}
        )
        before = after
    return {**replayed, "turns": turns}


def _viewers(record: Record, hidden: bool, some: list[Position]) -> list[Seat | None]:
    """Whose views are told: all see what a watcher sees, unless something is hidden from each other."""
    seats = range(record.header.seats)
    if hidden and any(position.view(seat) != position.view(None) for position in some for seat in seats):
        return list(seats)
    return [None]


def _told(turn: RecordedTurn) -> dict[str, Json]:
    return {to_camel(name): value for name in _TOLD if (value := getattr(turn, name)) is not None}


def changes(before: View, after: View) -> Iterator[Change]:
    """What makes `after` of `before`, in order."""
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
    """Where two texts of one length differ, from a letter up to another."""
    start = end = -1
    for at, (old, new) in enumerate(zip(before, after, strict=True)):
        if old == new:
            continue
        if start >= 0 and at - end > _GAP:
            yield start, end
            start = at
        start, end = (at if start < 0 else start), at + 1
    yield start, end
