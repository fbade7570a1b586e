"""A finished match, and its record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tablero.bot import Bot, Failure
from tablero_games import GAMES, Outcome, Seat
from tablero_games.record.file import Played, RecordedTurn, write


@dataclass(frozen=True)
class Match:
    """One finished game."""

    seed: int
    brains: tuple[type[Bot], ...]
    """The player on each seat."""
    opening: tuple[str, ...]
    """The moves that were played for the brains. They are also the first of `turns`."""
    turns: tuple[RecordedTurn, ...]
    outcome: Outcome
    failures: Mapping[Seat, Failure]
    thoughts: tuple[tuple[float, ...], ...] = ()
    """Seconds that each thought took, by seat; 0 without a clock."""

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(turn.move for turn in self.turns if turn.move is not None)

    def points(self, seat: Seat) -> float:
        """Points: 1 for a win, ½ for a draw. If only one player failed, that player loses."""
        others_failed = bool(self.failures.keys() - {seat})
        if (seat in self.failures) != others_failed:
            return float(others_failed)
        return 0.5 if self.outcome.kind == "draw" else float(seat in self.outcome.winners)


def record_of(match: Match, game: str, names: tuple[str, ...], options: Mapping[str, Any]) -> str:
    """The game as a record file, with `names` by seat. It has no times, so equal games give equal files."""
    rules = GAMES[game]
    return write(
        Played(
            game=rules,
            options=rules.read_options(dict(options)),
            names=names,
            seed=match.seed,
            turns=match.turns,
            outcome=match.outcome,
        )
    )
