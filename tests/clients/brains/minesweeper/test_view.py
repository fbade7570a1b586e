"""What the Minesweeper brains share, and that all of them play whatever a room may choose."""

from __future__ import annotations

import pickle

import pytest

from tablero import Bot
from tablero.arena.local import play_match
from tablero.brains.minesweeper.exact import Exact
from tablero.brains.minesweeper.pinv import Pinv, PinvStrict
from tablero.brains.minesweeper.view import GameParam
from tablero.dice import dice
from tablero_games import GAMES
from tablero_games.position import Json
from tests.harness.games.minesweeper_views import param_of, turn_of

BRAINS = [PinvStrict, Pinv, Exact]


def test_a_view_is_told_in_the_documents_words() -> None:
    game_param = param_of("#F1 ##1", 2)
    assert game_param == GameParam(2, 3, 2, b"##1#F1", frozenset({2, 5}), frozenset({4}))


@pytest.mark.parametrize("brain", BRAINS)
@pytest.mark.parametrize(
    "options",
    [
        {"width": 1, "height": 1, "mines": 0},
        {"width": 2, "height": 1, "mines": 1, "firstDig": "cell"},
        {"width": 1, "height": 20, "mines": 5},
        {"width": 50, "height": 2, "mines": 12},
        {"width": 12, "height": 9, "mines": 80, "firstDig": "cell"},
        {"level": "intermediate", "firstDig": "cell"},
        {"width": 9, "height": 9, "mines": 12, "noGuess": True},
        {"width": 28, "height": 6, "mines": 20},
    ],
    ids=str,
)
def test_every_brain_plays_legal_moves_to_the_end(brain: type[Bot], options: dict[str, Json]) -> None:
    match = play_match("minesweeper", [brain], 3, **options)
    assert match.failures == {}


@pytest.mark.parametrize("mode", ["race", "coop"])
def test_brains_play_together(mode: str) -> None:
    for seed in range(6):
        match = play_match("minesweeper", [Pinv, Exact, Pinv], seed, mode=mode)
        assert match.failures == {}
        assert match.outcome.reason in {"cleared", "mine", "out"}


@pytest.mark.parametrize("brain", BRAINS)
def test_equal_seeds_give_equal_games(brain: type[Bot]) -> None:
    first, again = (play_match("minesweeper", [brain], 5, level="intermediate") for _ in range(2))
    assert first.turns == again.turns


@pytest.mark.parametrize("brain", [Pinv, Exact])
def test_a_brain_thinks_on_where_it_was_sent(brain: type[Bot]) -> None:
    position = GAMES["minesweeper"].start(1, 5, level="intermediate")
    bot = brain()
    bot.random = dice(1)
    for _ in range(20):
        turn = turn_of(position.view(0))
        sent: Bot = pickle.loads(pickle.dumps(bot))
        move = bot.choose(turn)
        assert sent.choose(turn) == move
        bot = sent
        assert move is not None
        position = position.play(0, move)


@pytest.mark.full
@pytest.mark.parametrize(
    ("brain", "level", "games", "least", "most"),
    [
        (Pinv, "beginner", 1000, 94, 98.5),
        (Pinv, "intermediate", 400, 78, 91),
        (Pinv, "expert", 200, 24, 47),
        (Exact, "beginner", 4000, 95.9, 98),
        (Exact, "intermediate", 2000, 85, 91),
        (Exact, "expert", 500, 49, 61),
    ],
)
def test_a_brain_wins_as_often_as_the_page_says(
    brain: type[Bot], level: str, games: int, least: float, most: float
) -> None:
    matches = [play_match("minesweeper", [brain], seed, level=level) for seed in range(games)]
    won = sum(match.outcome.reason == "cleared" for match in matches)
    assert least <= 100 * won / games <= most
