"""Positions one after the other."""

from __future__ import annotations

from typing import Any

from tablero.table_view.timeline import Timeline
from tablero_protocol.messages import NextPlayer, PastTurn
from tests.harness.rig import turn


def past(ply: int, seat: int, **deed: Any) -> PastTurn:
    return PastTurn(seq=ply + 2, ply=ply, at=0, seat=seat, **deed)


def heard(seq: int, cells: str, **more: Any) -> NextPlayer:
    told = turn(seq, cells, **more)
    assert isinstance(told, NextPlayer)
    return told


def test_what_was_played_before_we_came_is_worked_out() -> None:
    line = Timeline()
    line.hear(heard(6, "01.0.....", last={"seat": 0, "move": "a2"}))
    line.fill_in(
        "tic-tac-toe", {}, 2, [past(1, 0, move="a1"), past(2, 1, move="b1"), past(3, 0, move="a2")], 0
    )
    assert [(moment.ply, moment.move, moment.view["cells"]) for moment in line.moments] == [
        (0, None, "........."),
        (1, "a1", "0........"),
        (2, "b1", "01......."),
        (3, "a2", "01.0....."),
    ]


def test_what_was_heard_stays() -> None:
    line = Timeline()
    line.hear(heard(4, "0........", last={"seat": 0, "move": "a1"}))
    kept = line.moments[0]
    line.fill_in("tic-tac-toe", {}, 2, [past(1, 0, move="a1")], 0)
    assert line.moments[1] is kept


def test_a_takeback_is_a_position_of_its_own() -> None:
    line = Timeline()
    line.fill_in("tic-tac-toe", {}, 2, [past(1, 0, move="a1"), past(2, 0, took_back=1)], 0)
    assert [moment.view["cells"] for moment in line.moments] == [".........", "0........", "........."]


def test_what_cannot_be_worked_out_is_left_out() -> None:
    line = Timeline()
    line.fill_in("minesweeper", {}, 1, [past(1, 0, move="dig a1")], 0)
    line.fill_in("go", {}, 2, [past(1, 0, move="a1")], 0)
    line.fill_in("tic-tac-toe", {"size": 4}, 2, [past(1, 0, move="a1")], 0)
    assert line.moments == []
    line.fill_in("tic-tac-toe", {}, 2, [past(1, 0, withdrew="resign"), past(1, 0, move="z9")], 0)
    assert len(line.moments) == 1
