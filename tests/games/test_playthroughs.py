"""The golden playthroughs say what the rules do today."""

from __future__ import annotations

import pytest

from tablero_games import GAMES, Game
from tests.harness.games.playthroughs import FOLDER, file_of, written


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_golden_playthrough_is_up_to_date(game: Game) -> None:
    # When this fails and the change is meant: python -m tests.harness.games.playthroughs
    assert file_of(game).read_text(encoding="utf-8") == written(game)


def test_no_playthrough_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GAMES)
