"""Quoridor's start, goal, draws and views; all its moves against a slow search and known counts."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_games import BadOptions, IllegalMove
from tablero_games.quoridor.board import maze_of
from tablero_games.quoridor.rules import QuoridorPosition, goals_on
from tests.harness.games.perft import perft
from tests.harness.games.quoridor import QUORIDOR, drawn, ending, played, random_positions, start

VARIANTS = [{"size": 3, "walls": 2}, {"size": 5, "walls": 4}, {"size": 9}]
PLAYTHROUGH = {"size": 4, "walls": 1}  # a wall each, a straight jump, and a sideways one that wins

# The start and the goal


@pytest.mark.parametrize(
    ("size", "pawns"),
    [(3, ["b1", "b3"]), (4, ["c1", "c4"]), (6, ["d1", "d6"]), (9, ["e1", "e9"]), (15, ["h1", "h15"])],
)
def test_both_pawns_start_in_the_middle_column(size: int, pawns: list[str]) -> None:
    view = start(size=size, walls=7).view(0)
    assert view == {"size": size, "ply": 0, "pawns": pawns, "walls": [], "wallsLeft": [7, 7], "earlier": []}


@pytest.mark.parametrize(
    ("bad", "options"),
    [
        ("size", {"size": 2}),
        ("size", {"size": 16}),
        ("size", {"size": "9"}),
        ("walls", {"walls": -1}),
        ("walls", {"walls": 21}),
        ("fences", {"fences": 3}),
        ("seats", {"seats": 4}),
    ],
)
def test_impossible_options_are_refused_by_name(bad: str, options: dict[str, Any]) -> None:
    with pytest.raises(BadOptions) as refused:
        start(**options)
    assert refused.value.option == bad


@pytest.mark.parametrize("column", "abcde")
def test_any_cell_of_the_far_row_wins_at_once(column: str) -> None:
    view = start(size=5).view(None)
    last_but_one = QUORIDOR.from_view(view | {"pawns": [f"{column}4", "c3"]})
    over = last_but_one.play(0, f"{column}5")
    assert ending(over) == ("win", {0}, "goal")
    assert over.to_move == frozenset()
    assert over.legal_moves(1) == ()


def test_seat_1_wins_on_row_1_by_a_sideways_jump() -> None:
    position = drawn(
        """
        | .   .   . |
        |           |
        | .   O   . |
        |           |
        | .   X   . |
        """,
        seat=1,
    )
    assert ending(position.play(1, "c1")) == ("win", {1}, "goal")


def test_a_pawn_on_its_own_first_row_has_not_won() -> None:
    assert ending(played(start(), "e2 e8 e1 e9")) is None


# Draws


AROUND = "e2 e8 e1 e9"


def test_the_third_time_a_position_comes_about_is_a_draw() -> None:
    second_time = played(start(), AROUND)
    assert ending(second_time) is None
    before = played(second_time, "e2 e8 e1")
    assert ending(before) is None
    assert ending(played(before, "e9")) == ("draw", set(), "repetition")


def test_a_wall_makes_every_position_new() -> None:
    after_walls = played(start(), f"{AROUND} a1h c1h")
    assert after_walls.view(0)["earlier"] == []
    assert ending(played(after_walls, AROUND)) is None
    assert ending(played(after_walls, f"{AROUND} {AROUND}")) == ("draw", set(), "repetition")


def test_the_same_pawns_with_the_other_seat_to_move_are_another_position() -> None:
    around_each_other = "c4 b3 d4 a3 d3 b3 d2 c3 c2"
    there = QUORIDOR.from_view(start(size=5).view(0) | {"pawns": ["c2", "c3"]})
    back = played(there, around_each_other)
    assert back.view(0)["pawns"] == ["c2", "c3"]
    assert back.next_seat == 1
    shuffle = "b3 b2 c3 c2"
    again = played(back, shuffle)
    assert again.view(0)["pawns"] == ["c2", "c3"]
    assert ending(again) is None
    assert ending(played(again, shuffle)) == ("draw", set(), "repetition")


@pytest.mark.parametrize(
    ("move", "expected"),
    [("a3", ("draw", set(), "plies")), ("e5h", ("draw", set(), "plies")), ("a1", ("win", {1}, "goal"))],
)
def test_the_200th_ply_is_the_last(move: str, expected: tuple[str, set[int], str]) -> None:
    before_the_199th = QUORIDOR.from_view(start().view(0) | {"ply": 198, "pawns": ["e7", "a2"]})
    before_the_200th = before_the_199th.play(0, "e8")
    assert ending(before_the_200th) is None
    assert ending(before_the_200th.play(1, move)) == expected


# Views


def test_a_view_tells_everything() -> None:
    position = played(start(size=5, walls=2), "c2 b3v d4h c4 b2")
    assert position.view(None) == {
        "size": 5,
        "ply": 5,
        "pawns": ["b2", "c4"],
        "walls": ["d4h", "b3v"],
        "wallsLeft": [1, 1],
        "earlier": [["c2", "c5"], ["c2", "c4"]],
    }


@pytest.mark.parametrize("size", [3, 6, 9])
def test_a_view_gives_back_its_position(size: int) -> None:
    for position in random_positions(size, 2, size=size):
        assert QUORIDOR.from_view(position.view(None)) == position
        resigned = position.withdraw(1, "resign")
        assert QUORIDOR.from_view(resigned.view(0)) == resigned


@pytest.mark.parametrize(
    "change",
    [
        {"size": 2},
        {"size": None},
        {"ply": -1},
        {"ply": "4"},
        {"pawns": ["e1"]},
        {"pawns": ["e1", "e1"]},
        {"pawns": ["e1", "z9"]},
        {"pawns": ["e9", "e8"]},
        {"pawns": None},
        {"walls": ["e3"]},
        {"walls": ["e3h", "f3h"]},
        {"walls": ["e3v", "e4v"]},
        {"walls": ["e3h", "e3v"]},
        {"walls": ["a8h", "c8h", "e8h", "g8h", "h8v"]},
        {"wallsLeft": [10]},
        {"wallsLeft": [10, -1]},
        {"earlier": [["e1"]]},
        {"earlier": [["e1", "e9"], ["e1", "e8"]] * 2},
        {"outcome": {}},
    ],
    ids=str,
)
def test_a_view_that_cannot_be_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"Quoridor|size|outcome"):
        QUORIDOR.from_view(start().view(0) | {"ply": 5} | change)


# Against a slow and simple search

Edge = frozenset[tuple[int, int]]


def edges_of(wall: str) -> set[Edge]:
    """The two steps that a wall forbids, as pairs of cells (column, row)."""
    column, row = "abcdefghijklmno".index(wall[0]), int(wall[1:-1])
    right, up = (column + 1, row), (column, row + 1)
    both = (column + 1, row + 1)
    if wall[-1] == "h":
        return {frozenset({(column, row), up}), frozenset({right, both})}
    return {frozenset({(column, row), right}), frozenset({up, both})}


def can_reach(size: int, cell: str, row: int, forbidden: set[Edge]) -> bool:
    here = ("abcdefghijklmno".index(cell[0]), int(cell[1:]))
    seen, todo = {here}, [here]
    while todo:
        column, at = todo.pop()
        if at == row:
            return True
        for there in ((column + 1, at), (column - 1, at), (column, at + 1), (column, at - 1)):
            on_board = 0 <= there[0] < size and 1 <= there[1] <= size
            if on_board and there not in seen and frozenset({(column, at), there}) not in forbidden:
                seen.add(there)
                todo.append(there)
    return False


def slowly_legal(view: dict[str, Any], wall: str) -> bool:
    size, (first, second) = view["size"], view["pawns"]
    forbidden = set().union(*map(edges_of, view["walls"]))
    crossing = wall[:-1] + {"h": "v", "v": "h"}[wall[-1]]
    if forbidden & edges_of(wall) or crossing in view["walls"]:
        return False
    forbidden |= edges_of(wall)
    return can_reach(size, first, size, forbidden) and can_reach(size, second, 1, forbidden)


@pytest.mark.parametrize(("size", "games"), [(3, 20), (4, 10), (5, 6), (6, 3), (9, 1)])
def test_legal_walls_are_those_of_a_simple_search(size: int, games: int) -> None:
    for position in random_positions(size, games, size=size, walls=20):
        if position.ply > 40:
            continue
        view, board = position.view(0), position.maze.board
        legal = {move for move in position.legal_moves(position.next_seat) if move[-1] in "hv"}
        assert legal == {wall for wall in board.walls if slowly_legal(view, wall)}


@pytest.mark.parametrize("size", [3, 5, 9])
def test_a_wall_beside_a_shortest_way_leaves_it(size: int) -> None:
    for position in random_positions(size, 2, size=size):
        maze, goals = position.maze, goals_on(position.maze.board)
        for pawn, goal in zip(position.pawns, goals, strict=True):
            across = maze.walls_across_a_way(pawn, goal)
            beside = sum(wall for wall in maze.board.walls.values() if not wall & across)
            assert maze_of(maze.board, maze.walls | beside).has_way(pawn, goal)


@pytest.mark.parametrize(("size", "games"), [(3, 10), (5, 3), (9, 1)])
def test_legal_moves_are_all_that_play_accepts(size: int, games: int) -> None:
    def accepts(position: QuoridorPosition, move: str) -> bool:
        try:
            position.play(position.next_seat, move)
        except IllegalMove:
            return False
        return True

    for position in random_positions(size, games, size=size, walls=4):
        board = position.maze.board
        accepted = [move for move in (*board.cells, *board.walls) if accepts(position, move)]
        assert list(position.legal_moves(position.next_seat)) == accepted


@pytest.mark.parametrize(
    ("size", "walls", "counts"),
    [
        (9, 10, [131, 16_677, 2_062_264]),
        (5, 2, [35, 1_109, 31_540, 794_442]),
        (5, 3, [35, 1_109, 31_540]),
        pytest.param(5, 3, [35, 1_109, 31_540, 794_442], marks=pytest.mark.full),
        (3, 1, [11, 77, 316, 1_172, 3_452, 9_002]),
        (3, 2, [11, 77, 380, 1_528, 5_378]),
        (3, 0, [3, 9, 20, 48, 108, 266, 576]),
        (4, 1, [21, 363, 1_865, 9_492]),
        (6, 1, [53, 2_625, 14_934]),
    ],
)
def test_there_are_as_many_sequences_as_published_or_counted_elsewhere(
    size: int, walls: int, counts: list[int]
) -> None:
    """The small boards with one wall, two or none run out of walls on the way."""
    position = start(size=size, walls=walls)
    assert [perft(position, depth) for depth in range(1, len(counts) + 1)] == counts
