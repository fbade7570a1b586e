"""Our rules agree with OpenSpiel's on random games, and would not go unnoticed if they did not."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tablero_games import GAMES, Outcome
from tablero_games.tic_tac_toe import TicTacToePosition
from tests.harness.games.oracle import ORACLES, Disagreement, Oracle, compare, compare_position
from tests.harness.games.variants import Variant, named

pytest.importorskip("pyspiel", reason="open_spiel has no wheel for this machine")

PLIES = 20_000
"""At least so many are compared for each game."""
CASES = [(game, variant) for game, oracle in ORACLES.items() for variant in oracle.variants]


@pytest.mark.parametrize(
    ("game", "variant"), CASES, ids=[named(GAMES[game], variant) for game, variant in CASES]
)
def test_moves_turns_results_and_scores_are_those_of_open_spiel(game: str, variant: Variant) -> None:
    share = -(-PLIES // len(ORACLES[game].variants))
    assert compare(game, variant, share).plies >= share


@dataclass(frozen=True)
class State:
    """What OpenSpiel says about some position."""

    actions: tuple[int, ...] = tuple(range(9))
    player: int = 0
    result: tuple[float, float] = (0.0, 0.0)
    over: bool = False
    drawing: str = ""

    def legal_actions(self) -> list[int]:
        return list(self.actions)

    def current_player(self) -> int:
        return self.player

    def returns(self) -> list[float]:
        return list(self.result)

    def is_terminal(self) -> bool:
        return self.over

    def __str__(self) -> str:
        return self.drawing


ORACLE = ORACLES["tic-tac-toe"]
START = TicTacToePosition()
OVER = TicTacToePosition("000.11...", outcome=Outcome("win", frozenset({0}), "line"))


@pytest.mark.parametrize(
    ("position", "state"),
    [
        (START, State(actions=(0, 1, 2, 3, 4, 5, 6, 7))),
        (START, State(actions=(*range(9), 9))),
        (START, State(player=1)),
        (START, State(player=-4, over=True)),
        (OVER, State(actions=(0, 1, 2, 3, 8), player=1)),
        (OVER, State(over=True, result=(0.0, 0.0))),
        (OVER, State(over=True, result=(-1.0, 1.0))),
    ],
)
def test_every_difference_is_noticed(position: TicTacToePosition, state: State) -> None:
    with pytest.raises(Disagreement):
        compare_position(ORACLE, position, state, "here")


def test_agreement_goes_on_until_the_end() -> None:
    assert compare_position(ORACLE, START, State(), "here")
    assert not compare_position(ORACLE, OVER, State(over=True, result=(1.0, -1.0)), "here")


def test_other_scores_are_noticed() -> None:
    boxes = ORACLES["dots-and-boxes"]
    start = GAMES["dots-and-boxes"].start(rows=1, columns=1)
    assert compare_position(boxes, start, State(actions=(0, 1, 2, 3)), "here")
    with pytest.raises(Disagreement, match=r"scores: ours \[0, 0\], theirs \[0, 1\]"):
        compare_position(boxes, start, State(actions=(0, 1, 2, 3), drawing="| 2 |"), "here")


@pytest.mark.parametrize("state", [State(over=True), State(player=1)])
def test_a_game_with_other_draw_rules_is_compared_until_the_first_draw(state: State) -> None:
    lenient = Oracle("tic_tac_toe", ({},), ORACLE.parameters, ORACLE.action, ORACLE.returns, same_draws=False)
    position = START if state.over else START.adjudicate("draw", "agreed")
    assert not compare_position(lenient, position, state, "here")
