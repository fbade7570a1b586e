"""The pace of a bot's moves against people, so that they can follow the bot and race against it.

Law: a pace only delays a move, and never beyond the bot's clock. There is no pace between bots, or for a bot
that plays alone and unwatched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from random import Random

from ..bot import Bot

SPREAD = 0.3
"""Random part of the pace: a move comes up to this share sooner or later, like a person's move."""

_WORD = re.compile(r"(?:(?P<level>[^=]+)=)?(?P<factor>\d{1,3}(?:\.\d{1,3})?)")


class Pace:
    """The factors for one host's bots: 1 is the usual pace, 0 means no delay."""

    def __init__(self, random: Random, factors: Mapping[str, float]) -> None:
        """Take the factors by "GAME:LEVEL", by level, and by "" for all others."""
        self._random = random
        self._factors = factors

    def seconds(self, bot: Bot) -> float:
        """The minimum time for the next move of `bot`."""
        names = (f"{bot.game}:{bot.level}", bot.level, "")
        factor = next((self._factors[name] for name in names if name in self._factors), 1.0)
        return bot.pace_seconds * factor * self._random.uniform(1 - SPREAD, 1 + SPREAD)


def read_pace(words: Iterable[str]) -> dict[str, float]:
    """The factors given by "2", "LEVEL=0.5" and "GAME:LEVEL=3". Raises ValueError."""
    factors = {}
    for word in words:
        read = _WORD.fullmatch(word)
        if read is None:
            raise ValueError(
                f"{word!r:.80} is no pace; write 1 for the usual one, 0 for none, 2 for twice as slow, "
                "or LEVEL=0.5 for one level."
            )
        factors[read["level"] or ""] = float(read["factor"])
    return factors
