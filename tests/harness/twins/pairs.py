"""Two games of Minesweeper that differ only in what one seat may not know, played step by step in parallel.

The seat's knowledge is computed from the boards, not by `view`, because a `view` that shows too much would
hide the mistake. It is the seat's own board, and for each player the number of open cells and whether the
player is out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, TypeAlias

from tablero_games import GAMES
from tablero_games.minesweeper.board import revealed
from tablero_games.minesweeper.field import excluded_cells, generate_map, opening_cell
from tablero_games.minesweeper.grid import grid_of
from tablero_games.minesweeper.options import MinesweeperOptions
from tablero_games.minesweeper.rules import MinesweeperPosition

Json: TypeAlias = dict[str, Any]
Who: TypeAlias = int | Literal["watcher"]
"""A seat, or a watcher."""
Told: TypeAlias = dict[Who, list[bytes]]
"""All frames that each of them was sent."""
MODES = ("race", "race", "race", "coop", "solo")
_ATTEMPTS = 40


@dataclass(frozen=True)
class Step:
    """A step of `who` in both games: the same messages, unless `who` is a rival of the observer."""

    who: Who
    messages: tuple[Json, Json]


@dataclass
class Twins:
    options: Json
    seats: int
    observer: int
    """The seat that must not be able to distinguish the two games; in a race, neither must a watcher."""
    numbers: tuple[int, int]
    """The server's random numbers, with salt and seed."""
    fields: tuple[list[str], list[str]]
    steps: list[Step] = field(default_factory=list)
    hidden: int = 0
    """The number of different moves by rivals."""

    @property
    def may_not_tell(self) -> list[Who]:
        """Those who must not be able to distinguish the games. In a race rivals can, because their own boards
        differ.
        """
        if self.options["mode"] == "race":
            return [self.observer, "watcher"]
        return [*range(self.seats), "watcher"]

    @property
    def differ(self) -> bool:
        return self.fields[0] != self.fields[1] or self.hidden > 0


def known_to(position: MinesweeperPosition, seat: int) -> object:
    """Everything that this seat may know of a running game."""
    own = position.boards[seat if position.options.mode == "race" else 0]
    public = [
        (revealed(board), player.out)
        for board, player in zip(position.boards, position.players, strict=False)
        if position.options.mode == "race"
    ]
    return own, public, [player.out for player in position.players], position.outcome


def twins(seed: int) -> Twins:
    """A pair of different games, the same for the same seed."""
    mode = MODES[seed % len(MODES)]
    for attempt in range(1_000):
        pair = _Maker(Random(f"{seed} {attempt}"), mode).make()
        if pair is not None and pair.differ:
            return pair
    raise AssertionError(f"no pair for seed {seed}")


class _Maker:
    def __init__(self, random: Random, mode: str) -> None:
        self._random = random
        self._seats = 1 if mode == "solo" else random.randint(2, 4)
        width, height = random.randint(4, 8), random.randint(4, 8)
        self._json = {
            "mode": mode,
            "width": width,
            "height": height,
            "mines": random.randint(2, width * height // 4),
            "firstDig": random.choice(["zone", "cell"]),
            "noGuess": True,  # so that a test can give the field in place of the search
        }
        options = GAMES["minesweeper"].read_options(dict(self._json))
        assert isinstance(options, MinesweeperOptions)
        self._options = options
        self._observer = random.randrange(self._seats)

    def make(self) -> Twins | None:
        numbers, fields = self._two_fields()
        games = self._begin(numbers[0], fields[0]), self._begin(numbers[1], fields[1])
        if games[0].outcome is not None:
            return None
        pair = Twins(self._json, self._seats, self._observer, numbers, fields)
        plies = [0] * self._seats
        for _ in range(self._random.randint(4, 30)):
            if self._random.random() < 0.2:
                pair.steps.append(self._aside(len(pair.steps)))
                continue
            stepped = self._step(pair, (games[0], games[1]), plies)
            if stepped is None:
                break
            games = stepped
        return pair

    def _two_fields(self) -> tuple[tuple[int, int], tuple[list[str], list[str]]]:
        """Fields with equal openings, and numbers with different salts and, if found, different seeds."""
        random, options = self._random, self._options
        seeds = [random.getrandbits(128)] * 2
        opening = opening_cell(options, seeds[0])
        others = (random.getrandbits(128) for _ in range(2 * options.width * options.height))
        seeds[1] = next((seed for seed in others if opening_cell(options, seed) == opening), seeds[0])
        one, other = (random.getrandbits(128) << 128 | seed for seed in seeds)
        free = sorted(set(range(options.width * options.height)) - set(excluded_cells(options, opening)))
        bombs = random.sample(free, options.mines)
        field = self._field(bombs)
        changed = field
        if options.mode != "race" or random.random() < 0.7:  # otherwise only the rivals' moves will differ
            candidates = (self._field(self._moved(bombs, free)) for _ in range(_ATTEMPTS))
            changed = next((each for each in candidates if self._opens_alike(one, field, each)), field)
        return (one, other), (field, changed)

    def _moved(self, bombs: list[int], free: list[int]) -> list[int]:
        """The mines, some of them moved."""
        staying = self._random.sample(bombs, self._random.randrange(len(bombs)))
        others = [cell for cell in free if cell not in staying]
        return staying + self._random.sample(others, len(bombs) - len(staying))

    def _field(self, bombs: list[int]) -> list[str]:
        height, width = self._options.height, self._options.width
        return grid_of(height, width).rows(generate_map(height, width, bombs))

    def _opens_alike(self, number: int, one: list[str], other: list[str]) -> bool:
        first, second = self._begin(number, one), self._begin(number, other)
        return known_to(first, self._observer) == known_to(second, self._observer)

    def _begin(self, number: int, rows: list[str]) -> MinesweeperPosition:
        position = GAMES["minesweeper"].begin_prepared(self._seats, number, self._options, rows)
        assert isinstance(position, MinesweeperPosition)
        return position

    def _step(
        self, pair: Twins, games: tuple[MinesweeperPosition, MinesweeperPosition], plies: list[int]
    ) -> tuple[MinesweeperPosition, MinesweeperPosition] | None:
        """A move in each game after which the observer knows the same of both."""
        seat = self._random.choice(sorted(games[0].to_move))
        if len(games[0].to_move) > 2 and self._random.random() < 0.05:
            pair.steps.append(Step(seat, ({"type": "resign", "seat": seat},) * 2))
            return games[0].withdraw(seat, "resign"), games[1].withdraw(seat, "resign")
        one_for_all = seat == self._observer or self._options.mode != "race"
        for _ in range(_ATTEMPTS):
            first = self._random.choice(games[0].legal_moves(seat))
            after = games[0].play(seat, first)
            for second in [first] if one_for_all else self._shuffled(games[1].legal_moves(seat)):
                if second not in games[1].legal_moves(seat):
                    continue
                other = games[1].play(seat, second)
                if self._may_go_on(after, other):
                    ply = plies[seat] if self._options.mode == "race" else sum(plies)
                    plies[seat] += 1
                    first_turn, second_turn = (
                        {"type": "playTurn", "seat": seat, "ply": ply, "move": move}
                        for move in (first, second)
                    )
                    pair.steps.append(Step(seat, (first_turn, second_turn)))
                    pair.hidden += first != second
                    return after, other
        return None

    def _may_go_on(self, one: MinesweeperPosition, other: MinesweeperPosition) -> bool:
        if one.outcome is not None or other.outcome is not None:
            return False  # from then on everything is open to all
        return known_to(one, self._observer) == known_to(other, self._observer)

    def _shuffled(self, moves: Any) -> list[str]:
        return self._random.sample(moves, len(moves))

    def _aside(self, count: int) -> Step:
        """An additional step that produces more messages to compare."""
        who: Who = self._random.choice([self._observer, self._observer, "watcher"])
        aside: Json = self._random.choice(
            [
                {"type": "ping"},
                {"type": "showHistory", "after": self._random.randint(0, count + 1)},
                {"type": "resume", "seq": self._random.randint(1, count + 1)},
                {"type": "subscribe", "event": "nextPlayer", "legalMoves": self._random.random() < 0.5},
                {"type": "say", "text": "hello"},
                {"type": "playTurn", "seat": self._observer, "ply": 99, "move": "dig zz99"},
                {"type": "watchLobby"},
            ]
        )
        return Step(who, (aside, aside))


def differences(told: tuple[Told, Told], pair: Twins) -> Iterator[str]:
    """The differences in the messages to players who must not distinguish the games, also in their order."""
    for who in pair.may_not_tell:
        one, other = (b"\n".join(frames[who]) for frames in told)
        if one != other:
            pairs = enumerate(zip(one, other, strict=False))
            at = next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))
            near = slice(max(0, at - 40), at + 40)
            yield f"{who} could tell at byte {at}: {one[near]!r} from {other[near]!r}"
