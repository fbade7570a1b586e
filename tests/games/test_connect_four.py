"""Connect Four, counted and checked on drawn positions (top row first, seat 0 is X) of many sizes."""

from __future__ import annotations

import random

import pytest

from tablero_games import BadOptions, Outcome
from tablero_games.connect_four import ConnectFour, ConnectFourPosition
from tablero_games.position import Json, View
from tests.harness.games.perft import perft
from tests.harness.games.refusals import assert_refused
from tests.harness.tiers import FULL

GAME = ConnectFour()
START = GAME.from_view(GAME.start().view(None))
VARIANTS: list[dict[str, Json]] = [
    {},
    {"columns": 4, "rows": 4, "connect": 3},
    {"columns": 4, "rows": 12, "connect": 5},
    {"columns": 12, "rows": 4, "connect": 12},
    {"columns": 12, "rows": 12, "connect": 5},
]
LINE = [Outcome("win", frozenset({seat}), "line") for seat in (0, 1)]
DRAW = Outcome("draw", frozenset(), "full")


def position(drawing: str, connect: int = 4) -> ConnectFourPosition:
    return GAME.from_view(view_of(drawing, connect))


def view_of(drawing: str, connect: int = 4) -> View:
    rows = drawing.split()
    stacks = ["".join(reversed(column)).rstrip(".") for column in zip(*rows, strict=True)]
    return {
        "columns": len(rows[0]),
        "rows": len(rows),
        "connect": connect,
        "stacks": [stack.replace("X", "0").replace("O", "1") for stack in stacks],
    }


def played(moves: str, start: ConnectFourPosition = START) -> ConnectFourPosition:
    reached = start
    for move in moves.split():
        reached = reached.play(reached.next_seat, move)
    return reached


def test_sequences_by_depth() -> None:
    known = [7, 49, 343, 2401, 16807, 117649, 823536]
    known += [5673234] if FULL else []
    assert [perft(START, depth) for depth in range(1, len(known) + 1)] == known


@pytest.mark.parametrize(
    ("drawing", "move", "outcome"),
    [
        (".... .... OOO. XXX.", "4", LINE[0]),
        (".... XO.. XO.. XO..", "1", LINE[0]),
        (".... XO.. XO.. XOX.", "2", LINE[1]),
        (".... OOXX OXXO XOOX", "4", LINE[0]),
        (".... XXOO OXXO XOOX", "1", LINE[0]),
        (".OXX XXOO OOXX XXOO", "1", DRAW),
        ("....... ....... ....... ....... ....... ...X...", "4", None),
    ],
)
def test_how_a_move_ends_the_game(drawing: str, move: str, outcome: Outcome | None) -> None:
    before = position(drawing)
    assert before.play(before.next_seat, move).outcome == outcome


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_a_game_is_won_exactly_when_a_line_is_there_on_boards_of_any_size(options: dict[str, Json]) -> None:
    choose = random.Random(4)
    for _ in range(2):
        here = GAME.from_view(GAME.start(**options).view(None))
        while here.outcome is None:
            before, seat = here, here.next_seat
            here = before.play(seat, choose.choice(before.legal_moves(seat)))
            assert has_line(here.view(None), str(seat)) == (here.outcome == LINE[seat])


def has_line(view: View, digit: str) -> bool:
    """The same question asked cell by cell."""
    mine = {(x, y) for x, stack in enumerate(view["stacks"]) for y, on in enumerate(stack) if on == digit}
    steps = range(view["connect"])
    return any(
        all((x + dx * step, y + dy * step) in mine for step in steps)
        for x, y in mine
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


def test_a_token_falls_to_the_lowest_free_cell() -> None:
    assert played("4 4 5") == position("....... ....... ....... ....... ...O... ...XX..")


@pytest.mark.parametrize("written", ["4", " 4", "4 ", "4\n"])
def test_a_move_is_read_leniently(written: str) -> None:
    assert START.play(0, written) == played("4")


@pytest.mark.parametrize(
    ("moves", "seat", "move", "code", "sentence"),
    [
        ("3 3 3 3 3 3", 0, "3", "illegalMove", "Column 3 is full."),
        ("", 0, "8", "illegalMove", "There is no column '8'; the columns are 1 to 7."),
        ("", 0, "0", "illegalMove", "There is no column '0'; the columns are 1 to 7."),
        ("", 0, "04", "illegalMove", "There is no column '04'; the columns are 1 to 7."),
        ("", 0, "٤", "illegalMove", "There is no column '٤'; the columns are 1 to 7."),
        ("", 0, "d", "illegalMove", "There is no column 'd'; the columns are 1 to 7."),
        ("", 1, "4", "notYourTurn", "It is not your turn; seat 0 is to move."),
        ("4", 0, "4", "notYourTurn", "It is not your turn; seat 1 is to move."),
        ("1 2 1 2 1 2 1", 1, "2", "gameOver", "The game is over."),
    ],
)
def test_a_refusal_says_why(moves: str, seat: int, move: str, code: str, sentence: str) -> None:
    assert_refused(played(moves), seat, move, code, sentence)


def test_a_full_column_is_no_legal_move() -> None:
    assert played("3 3 3 3 3 3").legal_moves(0) == ["1", "2", "4", "5", "6", "7"]


def test_the_view_shows_the_columns_from_the_bottom_and_tells_the_outcome() -> None:
    sizes = {"columns": 7, "rows": 6, "connect": 4}
    assert played("4 4 5").view(0) == sizes | {"stacks": ["", "", "", "01", "0", "", ""]}
    over = played("1 2 1 2 1 2 1").view(None)
    assert over == sizes | {"stacks": ["0000", "111", "", "", "", "", ""], "outcome": LINE[0].to_json()}


@pytest.mark.parametrize(
    "spoiled",
    [
        {"columns": None},
        {"columns": 6},
        {"rows": 99},
        {"connect": 2},
        {"stacks": None},
        {"stacks": "0"},
        {"stacks": ["", "", ""]},
        {"stacks": ["", "", "", 0, "", "", ""]},
        {"stacks": ["", "", "", "x", "", "", ""]},
        {"stacks": ["", "", "", "1_0", "", "", ""]},
        {"stacks": ["", "", "", "0101010", "", "", ""]},
        {"stacks": ["1", "", "", "", "", "", ""]},
        {"stacks": ["0", "0", "", "", "", "", ""]},
        {"stacks": ["0000", "1111", "", "", "", "", ""]},
        {"stacks": ["0000", "1111", "", "", "", "", ""], "outcome": LINE[1].to_json()},
        {"stacks": ["0000", "111", "", "", "", "", ""]},
        {"stacks": ["0000", "111", "", "", "", "", ""], "outcome": DRAW.to_json()},
        {"outcome": LINE[0].to_json()},
        {"outcome": []},
    ],
    ids=str,
)
def test_a_view_that_cannot_be_is_refused(spoiled: dict[str, Json]) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        GAME.from_view(START.view(None) | spoiled)


@pytest.mark.parametrize(
    ("options", "option", "sentence"),
    [
        ({"columns": 3}, "columns", "Option columns must be at least 4."),
        ({"rows": 13}, "rows", "Option rows must be at most 12."),
        ({"connect": 2}, "connect", "Option connect must be at least 3."),
        ({"connect": 9}, "connect", "Option connect: 9 is too long for this board; use at most 7."),
        (
            {"columns": 5, "rows": 5, "connect": 6},
            "connect",
            "Option connect: 6 is too long for this board; use at most 5.",
        ),
        (
            {"columns": 0, "connect": 12},
            "columns",
            "Option columns must be at least 4.",
        ),
        ({"columns": "7"}, "columns", "Option columns must be a whole number."),
        ({"rows": True}, "rows", "Option rows must be a whole number."),
        (
            {"gravity": 1},
            "gravity",
            "Connect Four has no option 'gravity'; its options: columns, rows, connect.",
        ),
        ({"seats": 3}, "seats", "Connect Four is played with 2 seats, not 3."),
    ],
)
def test_impossible_options_are_refused_by_name(options: dict[str, Json], option: str, sentence: str) -> None:
    with pytest.raises(BadOptions) as refused:
        GAME.start(**options)
    assert (refused.value.option, refused.value.sentence) == (option, sentence)


def test_drawings() -> None:
    view = position(".... .... .O.. XOX.", connect=3).view(None)
    assert GAME.draw(view, "ascii").splitlines() == [
        "4 | . . . . |",
        "3 | . . . . |",
        "2 | . O . . |",
        "1 | X O X . |",
        "    1 2 3 4",
    ]
    assert GAME.draw(view).splitlines() == [
        "4 ⎢ ⋅ ⋅ ⋅ ⋅ ⎥",
        "3 ⎢ ⋅ ⋅ ⋅ ⋅ ⎥",
        "2 ⎢ ⋅ ◉ ⋅ ⋅ ⎥",
        "1 ⎢ ✕ ◉ ✕ ⋅ ⎥",
        "    1 2 3 4",
    ]
