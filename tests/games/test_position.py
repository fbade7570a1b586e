"""What all games share: outcomes as JSON, options read strictly, seats counted."""

from __future__ import annotations

import json

import pytest
from pydantic import Field

from tablero_games import BadOptions, Game, IllegalMove, Options, Outcome
from tablero_games.position import Json


class ShelfOptions(Options):
    shelf_height: int = Field(3, ge=1, le=5)


class Shelf(Game):
    """No rules: enough of a game to see what `Game` itself does."""

    name = "shelf"
    title = "Shelf"
    options = ShelfOptions

    def seats(self, options: Options) -> range:
        return range(2, 5)


GAME = Shelf()


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome("win", frozenset({1}), "line"),
        Outcome("draw", frozenset(), "full", scores=(2, 2)),
        Outcome("win", frozenset({0, 2}), "cleared", scores=(5, 1, 5), ranking=((0, 2), (1,))),
        Outcome("loss", frozenset(), "mine", scores=()),
    ],
    ids=lambda outcome: outcome.reason,
)
def test_an_outcome_survives_json(outcome: Outcome) -> None:
    assert Outcome.from_json(json.loads(json.dumps(outcome.to_json()))) == outcome


def test_winners_are_told_in_order() -> None:
    assert Outcome("win", frozenset({3, 0, 2}), "cleared").to_json()["winners"] == [0, 2, 3]


def test_an_illegal_move_is_a_value_error_with_a_code() -> None:
    refusal = IllegalMove("Not there.")
    assert isinstance(refusal, ValueError)
    assert (refusal.code, refusal.sentence, str(refusal)) == ("illegalMove", "Not there.", "Not there.")
    assert IllegalMove("Over.", "gameOver").code == "gameOver"


@pytest.mark.parametrize("options", [{"shelfHeight": 4}, {"shelf_height": 4}], ids=str)
def test_options_are_read_in_the_spelling_of_the_wire_and_of_python(options: dict[str, Json]) -> None:
    read = GAME.read_options(options)
    assert read == ShelfOptions(shelf_height=4)
    assert read.model_dump(by_alias=True) == {"shelfHeight": 4}


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"shelfHeight": 0}, "shelfHeight"),
        ({"shelfHeight": 6}, "shelfHeight"),
        ({"shelfHeight": "3"}, "shelfHeight"),
        ({"shelfHeight": 3.0}, "shelfHeight"),
        ({"shelfHeight": True}, "shelfHeight"),
        ({"shelfHeight": None}, "shelfHeight"),
        ({"depth": 2}, "depth"),
    ],
    ids=str,
)
def test_a_bad_option_is_refused_by_name(options: dict[str, Json], option: str) -> None:
    with pytest.raises(BadOptions) as refused:
        GAME.read_options(options)
    assert refused.value.option == option
    assert option in refused.value.sentence


def test_an_unknown_option_is_answered_with_those_there_are() -> None:
    with pytest.raises(BadOptions, match=r"^Shelf has no option 'depth'; its options: shelfHeight\.$"):
        GAME.read_options({"depth": 2})


@pytest.mark.parametrize("seats", [-1, 0, 1, 5])
def test_a_game_is_not_started_with_other_seats_than_it_has(seats: int) -> None:
    with pytest.raises(BadOptions, match=rf"^Shelf is played with 2 to 4 seats, not {seats}\.$") as refused:
        GAME.start(seats=seats)
    assert refused.value.option == "seats"
