"""Distances to the goals, and what a wall changes, against a slow search from every cell."""

from __future__ import annotations

import pytest

from tablero.brains.quoridor.ways import Distances, Ways
from tablero_games.quoridor.board import Cells, Maze, Walls, each
from tablero_games.quoridor.rules import QuoridorPosition, goals_on
from tests.harness.games.quoridor import drawn, random_positions, start

SIZES = [(3, 6), (4, 3), (6, 2), (9, 1)]


def slow_distances(maze: Maze, goal: Cells) -> dict[Cells, int]:
    """From each cell that has a way, forwards, one cell at a time."""
    found = {}
    for cell in each(maze.board.all_cells):
        seen, reached, distance = {cell}, {cell}, 0
        while reached and not any(here & goal for here in reached):
            reached = {there for here in reached for there in maze.beside(here) if there} - seen
            seen |= reached
            distance += 1
        if reached:
            found[cell] = distance
    return found


def told(distances: Distances) -> tuple[list[Cells], tuple[Cells, ...], Cells]:
    return list(distances.waves), distances.nearer, distances.closed


def names(position: QuoridorPosition, walls: Walls) -> str:
    """Those of `walls` that fit."""
    walls &= position.maze.walls_that_fit()
    return " ".join(name for name, wall in position.maze.board.walls.items() if wall & walls)


def some_positions(size: int, games: int) -> list[QuoridorPosition]:
    return [found for found in random_positions(size, games, size=size) if found.ply % 5 == 2][:40]


@pytest.mark.parametrize(("size", "games"), SIZES)
def test_one_search_backwards_finds_the_distance_of_every_cell(size: int, games: int) -> None:
    for position in some_positions(size, games):
        for goal, distances in zip(
            goals_on(position.maze.board), Ways.of(position.maze).distances, strict=True
        ):
            expected = slow_distances(position.maze, goal)
            cells = [cell for cell in each(position.maze.board.all_cells) if not cell & distances.closed]
            assert {cell: distances.of(cell) for cell in cells} == expected


def test_a_cell_without_a_way_has_no_distance() -> None:
    position = drawn(
        """
        | .   .   O |
        |=======    |
        | .   . # . |
        |       #   |
        | .   . # X |
        """
    )
    distances = Distances.to(position.maze.board.top, position.maze)
    assert position.maze.board.listed(distances.closed) == ["a1", "b1", "a2", "b2"]
    with pytest.raises(ValueError, match="without a way"):
        distances.of(position.maze.board.cells["a1"])


@pytest.mark.parametrize(("size", "games"), SIZES)
def test_a_shortest_way_begins_with_a_step_to_a_cell_that_is_one_nearer(size: int, games: int) -> None:
    for position in some_positions(size, games):
        for goal, distances in zip(
            goals_on(position.maze.board), Ways.of(position.maze).distances, strict=True
        ):
            expected = slow_distances(position.maze, goal)
            for cell, distance in expected.items():
                nearer = [
                    there for there in position.maze.beside(cell) if expected.get(there) == distance - 1
                ]
                assert distances.shortest_steps(cell) == len(nearer)


@pytest.mark.parametrize(("size", "games"), SIZES)
def test_a_wall_changes_a_distance_exactly_when_it_is_a_lengthening_one(size: int, games: int) -> None:
    for position in some_positions(size, games):
        for goal, distances in zip(
            goals_on(position.maze.board), Ways.of(position.maze).distances, strict=True
        ):
            for wall in each(position.maze.walls_that_fit()):
                after = Distances.to(goal, position.maze.with_wall(wall))
                assert (after.waves != distances.waves) is bool(wall & distances.lengthening)


@pytest.mark.parametrize(("size", "games"), SIZES)
def test_ways_with_one_more_wall_are_those_of_a_new_search(size: int, games: int) -> None:
    for position in some_positions(size, games):
        ways = Ways.of(position.maze)
        for wall in each(ways.fitting):
            after, fresh = ways.with_wall(wall), Ways.of(position.maze.with_wall(wall))
            assert after.maze == fresh.maze
            assert list(map(told, after.distances)) == list(map(told, fresh.distances))
            pawns = (position.pawns[0], position.pawns[1])
            assert ways.leave_a_way(wall, pawns) is not bool(
                fresh.maze.closed(position.pawns, goals_on(fresh.maze.board))
            )


def test_walls_in_any_order_are_the_same_ways() -> None:
    ways = Ways.of(start(size=5).maze)
    one, other = (ways.maze.board.walls[name] for name in ("a1h", "c3v"))
    assert ways.with_wall(one).with_wall(other) is ways.with_wall(other).with_wall(one)


@pytest.mark.parametrize(("size", "games"), SIZES)
def test_a_wall_that_is_not_across_the_current_way_leaves_its_length(size: int, games: int) -> None:
    for position in some_positions(size, games):
        ways = Ways.of(position.maze)
        for pawn, distances, goal in zip(
            position.pawns, ways.distances, goals_on(position.maze.board), strict=True
        ):
            for wall in each(ways.fitting & ~distances.walls_across_the_way(pawn)):
                assert Distances.to(goal, position.maze.with_wall(wall)).of(pawn) == distances.of(pawn)


def test_the_current_way_goes_up_then_right_then_down_then_left() -> None:
    position = drawn(
        """
        | .   .   .   .   . |
        |=======     =======|
        | .   .   .   .   . |
        |                   |
        | X   .   .   .   O |
        |                   |
        | .   .   .   .   . |
        |                   |
        | .   .   .   .   . |
        """
    )
    first, second = Ways.of(position.maze).distances
    x, o = position.pawns
    # X: a3, a4, b4, c4, c5
    assert names(position, first.walls_across_the_way(x)) == "a3h a3v b3v b4v"
    # O: e3, e2, e1
    assert names(position, second.walls_across_the_way(o)) == "d1h d2h"
