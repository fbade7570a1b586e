"""The contract that every catalogued game keeps, checked on random games of many sizes."""

from __future__ import annotations

import re

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tablero_games import GAMES, Game
from tablero_games.position import Json, in_english
from tests.harness.games.contract import AGame, keep_every_promise
from tests.harness.games.variants import CASES, NAMES, Variant
from tests.harness.tiers import FULL

# The same examples in every run, and no search for smaller ones: a seed has no size.
AT_RANDOM = settings(max_examples=4 if FULL else 2, phases=[Phase.generate])


@pytest.mark.parametrize(("game", "variant"), CASES, ids=NAMES)
@settings(AT_RANDOM)
@given(seed=st.integers(0, 2**128), strings=st.lists(st.text(max_size=5), min_size=3, max_size=3))
def test_every_promise_is_kept(game: Game, variant: Variant, seed: int, strings: list[str]) -> None:
    keep_every_promise(game, variant, seed, strings)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
class TestAGame(AGame):
    pass


@pytest.mark.parametrize("name", GAMES)
def test_the_words_of_a_drawing_are_said_in_any_language(name: str) -> None:
    game = GAMES[name]
    view = game.start().view(0)

    def loud(sentence: str, /, **fields: Json) -> str:
        return in_english(sentence, **fields).upper()

    said, told = game.draw(view, "ascii", loud), game.draw(view, "ascii")
    assert said.lower() == told.lower()
    assert not re.findall("[a-z]{3}", said)
