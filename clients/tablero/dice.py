"""Randomness for playing, from a seed; never for secrets."""

from __future__ import annotations

from random import Random


def dice(seed: int | str | None = None) -> Random:
    """Dice with the same rolls for the same seed on every machine; random without a seed."""
    return Random(seed)  # noqa: S311 - games may be predictable, and arenas must be
