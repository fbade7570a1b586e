"""What all games share: outcomes as JSON, options read strictly, seats counted."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from pydantic import Field

from tablero_games import BadOptions, Game, IllegalMove, Options, Outcome
from tablero_games.position import Json


class ShelfOptions(Options):
    shelf_height: int = Field(3, ge=1, le=5)
    wood: Literal["oak", "pine"] | None = None
    doors: bool = False
    label: str = ""


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
    refusal = IllegalMove("occupied", cell="b2")
    assert isinstance(refusal, ValueError)
    assert (refusal.code, refusal.reason, refusal.fields) == ("illegalMove", "occupied", {"cell": "b2"})
    assert IllegalMove("gameOver").code == "gameOver"


@pytest.mark.parametrize("options", [{"shelfHeight": 4}, {"shelf_height": 4}], ids=str)
def test_options_are_read_in_the_spelling_of_the_wire_and_of_python(options: dict[str, Json]) -> None:
    read = GAME.read_options(options)
    assert read == ShelfOptions(shelf_height=4)
    assert read.model_dump(by_alias=True)["shelfHeight"] == 4


@pytest.mark.parametrize(
    ("options", "reason", "fields"),
    [
        ({"shelfHeight": 0}, "tooSmall", {"least": 1}),
        ({"shelfHeight": 6}, "tooLarge", {"most": 5}),
        ({"shelfHeight": "3"}, "notWhole", {}),
        ({"shelfHeight": 3.0}, "notWhole", {}),
        ({"shelfHeight": True}, "notWhole", {}),
        ({"shelfHeight": None}, "notWhole", {}),
        ({"wood": "iron"}, "notAmong", {"values": ["oak", "pine"]}),
        ({"doors": 1}, "notTrueOrFalse", {}),
        ({"label": 1}, "notAllowed", {}),
        (
            {"depth": 2},
            "unknownOption",
            {"game": "Shelf", "options": ["shelfHeight", "wood", "doors", "label"]},
        ),
    ],
    ids=str,
)
def test_a_bad_option_is_refused_by_name(
    options: dict[str, Json], reason: str, fields: dict[str, Json]
) -> None:
    [option] = options
    with pytest.raises(BadOptions) as refused:
        GAME.read_options(options)
    assert refused.value.option == option
    assert (refused.value.reason, refused.value.fields) == (reason, {"option": option, **fields})
    assert option in refused.value.sentence


def test_an_unknown_option_is_answered_with_those_there_are() -> None:
    with pytest.raises(
        BadOptions, match=r"^Shelf has no option 'depth'; its options: shelfHeight, wood, doors, label\.$"
    ):
        GAME.read_options({"depth": 2})


@pytest.mark.parametrize("seats", [-1, 0, 1, 5])
def test_a_game_is_not_started_with_other_seats_than_it_has(seats: int) -> None:
    with pytest.raises(
        BadOptions, match=rf"^Shelf is played with 2, 3 or 4 seats, not {seats}\.$"
    ) as refused:
        GAME.start(seats=seats)
    assert refused.value.option == "seats"
