"""The search's view of Quoridor against the rules: candidates, what they lead to, and which walls count."""

from __future__ import annotations

import pytest

from tablero.brains.quoridor import state as quoridor_state
from tablero.brains.quoridor.state import (
    STRATEGIC_WALLS,
    Move,
    apply_move,
    earlier_states,
    get_all_possible_moves,
    move_name,
    rings_around,
    state_of,
    strategic_walls,
)
from tablero_games.quoridor.board import board_of
from tablero_games.quoridor.rules import QuoridorPosition
from tests.harness.games.quoridor import drawn, played, random_positions, start

SIZES = [(3, 10), (4, 5), (5, 4), (6, 2), (9, 1)]


def told(position: QuoridorPosition, moves: list[Move]) -> str:
    return " ".join(move_name(position.maze.board, move) for move in moves)


def walls_of(position: QuoridorPosition) -> str:
    return told(position, strategic_walls(state_of(position)))


@pytest.mark.parametrize(("size", "games"), SIZES)
def test_every_candidate_is_legal_and_every_step_a_candidate(size: int, games: int) -> None:
    for position in random_positions(size, games, size=size, walls=8):
        legal = position.legal_moves(position.next_seat)
        candidates = told(position, get_all_possible_moves(state_of(position))).split()
        assert len(candidates) == len(set(candidates))
        assert set(candidates) <= set(legal)
        assert {move for move in legal if move[-1] not in "hv"} <= set(candidates)
        walls = [move for move in legal if move[-1] in "hv"]
        assert len([move for move in candidates if move[-1] in "hv"]) == min(len(walls), STRATEGIC_WALLS)


@pytest.mark.parametrize(("size", "games"), SIZES)
def test_without_their_limit_the_strategic_walls_are_all_legal_walls(
    size: int, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quoridor_state, "STRATEGIC_WALLS", 1000)
    for position in random_positions(size, games, size=size, walls=8):
        legal = {move for move in position.legal_moves(position.next_seat) if move[-1] in "hv"}
        assert set(walls_of(position).split()) == legal


@pytest.mark.parametrize(("size", "games"), SIZES)
def test_a_move_leads_where_the_rules_say(size: int, games: int) -> None:
    for position in random_positions(size, games, size=size, walls=8):
        if position.ply % 5:
            continue
        state = state_of(position)
        for move in get_all_possible_moves(state):
            after = position.play(position.next_seat, move_name(position.maze.board, move))
            reached, expected = apply_move(state, move), state_of(after)
            assert reached.ways.maze == expected.ways.maze
            assert reached[1:] == expected[1:]
            assert reached.is_over is (after.outcome is not None and after.outcome.reason == "goal")


def test_states_reached_by_other_ways_are_equal() -> None:
    position = start(size=5)
    state = state_of(position)
    by_name = {told(position, [move]): move for move in get_all_possible_moves(state)}
    one = apply_move(apply_move(state, by_name["c3h"]), by_name["c2h"])
    other = apply_move(apply_move(state, by_name["c2h"]), by_name["c3h"])
    assert one == other
    assert hash(one) == hash(other)
    assert one != apply_move(apply_move(state, by_name["c3h"]), by_name["b2h"])


def test_the_earlier_states_are_those_since_the_last_wall() -> None:
    moves = ["e2", "a1h", "e3", "e8", "e2", "e9"]
    position = played(start(), " ".join(moves))
    root = state_of(position)
    expected = []
    for count in (2, 3, 4, 5):
        before = played(start(), " ".join(moves[:count]))
        expected.append(state_of(before)._replace(ways=root.ways))
    assert earlier_states(position, root) == frozenset(expected)
    assert root in earlier_states(position, root)  # it came about before
    assert earlier_states(start(), state_of(start())) == frozenset()


def test_steps_come_first_and_the_nearest_to_the_goal_first_of_all() -> None:
    position = played(start(size=5, walls=1), "c2 c4")
    moves = told(position, get_all_possible_moves(state_of(position))).split()
    assert moves[0] == "c3"
    assert set(moves[1:3]) == {"b2", "d2"}
    assert moves[3] == "c1"
    assert all(move[-1] in "hv" for move in moves[4:])


def test_walls_across_the_others_way_come_before_those_across_the_own_and_the_nearest_first() -> None:
    position = drawn(
        """
        | .   .   .   .   O |
        |                   |
        | .   .   .   .   . |
        |                   |
        | .   .   .   .   . |
        |                   |
        | .   .   .   .   . |
        |                   |
        | X   .   .   .   . |
        """
    )
    walls = walls_of(position).split()
    assert walls[:4] == ["d4h", "d3h", "d2h", "d1h"]
    assert sorted(walls[4:8]) == ["a1h", "a2h", "a3h", "a4h"]
    assert walls[4] == "a4h"
    assert walls[8] == "d4v"
    assert len(walls) == 20


def test_a_wall_that_would_close_a_way_is_no_candidate() -> None:
    position = drawn(
        """
        | .   O   .   . |
        |               |
        | .   .   .   . |
        |=======        |
        | .   .   .   . |
        |               |
        | .   .   X   . |
        """
    )
    assert "c2h" not in walls_of(position).split()
    assert "c3h" in walls_of(position).split()


def test_without_walls_left_there_are_only_steps() -> None:
    position = start(size=3, walls=0)
    assert told(position, get_all_possible_moves(state_of(position))) == "b2 a1 c1"


def test_there_are_no_more_candidates_than_legal_walls() -> None:
    position = start(size=3, walls=1)
    walls = walls_of(position).split()
    assert sorted(walls) == sorted(move for move in position.legal_moves(0) if move[-1] in "hv")


def test_rings_hold_every_wall_once_by_its_distance() -> None:
    board = board_of(4)
    rings = rings_around(board.cells["a1"], 4)
    named = [" ".join(name for name, wall in board.walls.items() if wall & ring) for ring in rings]
    assert named[1] == "a1h a1v"
    assert named[2] == "b1h a2h b1v a2v"
    assert named[5] == "c3h c3v"
    assert sum(rings) == sum(board.walls.values())
