"""The fields of a sentence, and the sentences that need no translation."""

from __future__ import annotations

from functools import cache
from string import Formatter

from generate.translations import OUR_GAMES, is_translated, known


def fields_in(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


@cache
def not_asked_for(language: str) -> set[str]:
    """The sentences of games without a translated title; they are shown in English."""
    there = known(language)
    said_in_english = [
        game for game in OUR_GAMES if (title := there.get(game.title)) is None or not is_translated(title)
    ]
    return {each for game in said_in_english for each in (game.title, *game.refusals.values())}
