"""Contests between brains, in this process, in separate processes, or at a server."""

from __future__ import annotations

from typing import Any

from tablero.bot import Bot
from tablero.brains import find_brain

from .local import play_many
from .plan import WrongContest
from .score import Score

__all__ = ["Score", "WrongContest", "play"]


def play(
    brain: type[Bot] | str,
    other: type[Bot] | str,
    *,
    games: int = 100,
    seed: int = 0,
    opening_plies: int = 0,
    **options: Any,
) -> Score:
    """Play `brain` against `other` in this process, on each seat in turn. Each brain is a class or a spec.

    The same seed gives the same games. The score is the score of `brain`. A brain that never returns blocks
    this call; the command `tablero arena` uses a separate process. Raises UnknownBrain and WrongContest.
    """
    first, second = (find_brain(each) if isinstance(each, str) else each for each in (brain, other))
    return play_many(first, second, games, seed, (opening_plies, opening_plies), **options)
