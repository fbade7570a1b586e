"""Whole games of all five at a real server: by keys alone, by the mouse alone, by typed moves alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablero_games import GAMES
from tests.harness.client import real_server
from tests.harness.screens import Shown, a_screen, a_table

SMALL: dict[str, dict[str, Any]] = {
    "tic-tac-toe": {},
    "connect-four": {"columns": 4, "rows": 4, "connect": 3},
    "dots-and-boxes": {"rows": 2, "columns": 2},
    "quoridor": {"size": 4, "walls": 1},
}
HANDS = ["keys", "mouse", "typed"]


async def to_target(ana: Shown, target: str) -> None:
    """Walks the cursor there with arrows, and in Quoridor with w."""
    table = ana.table.table
    assert table is not None
    if ana.table.table is not None and table.room.game == "quoridor":
        assert table.cursor is not None
        if (table.cursor[-1] in "hv") != (target[-1] in "hv"):
            await ana.press("w")
        if target[-1] in "hv" and table.cursor[-1] != target[-1]:
            await ana.press("r")
    board = table.board(0, 0, "ascii")
    for _ in range(40):
        if table.cursor == target:
            return
        here, there = board.area(table.cursor or ""), board.area(target)
        if table.room.game == "dots-and-boxes" and here[1] != there[1]:
            await ana.press("up" if here[1] > there[1] else "down")
        elif here[0] != there[0]:
            await ana.press("l" if here[0] < there[0] else "h")
        else:
            await ana.press("k" if here[1] > there[1] else "j")
    raise AssertionError(f"The cursor does not come to {target} from {table.cursor}.")


async def play(ana: Shown, hand: str, move: str) -> None:
    if hand == "typed":
        await ana.types(move)
    elif hand == "mouse":
        await ana.click_on(move.rpartition(" ")[2])
    elif ana.table.table is not None and ana.table.table.room.game == "connect-four":
        await ana.press(move)
    else:
        await to_target(ana, move.rpartition(" ")[2])
        await ana.press("enter")


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("game", SMALL)
async def test_a_whole_game(game: str, hand: str, tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, game, **SMALL[game]) as (ana, _):
        view = ana.table.table
        assert view is not None
        while not view.is_over:
            legal = view.legal()
            if legal:
                assert view.turn is not None
                ply = view.turn.ply
                await play(ana, hand, list(legal)[-1] if ply < 2 else next(iter(legal)))
                await ana.goes_beyond(ply)
            else:
                await ana.until(lambda: view.is_over or view.legal())
        await ana.shows("r: rematch")


@pytest.mark.parametrize("hand", HANDS)
async def test_a_whole_game_of_minesweeper(hand: str, tmp_path: Path) -> None:
    async with real_server() as url, a_screen(url, tmp_path) as ana:
        await ana.until(lambda: "Play the computer" in ana.text)
        assert ana.app.queue is not None
        ana.app.queue.type("create minesweeper width=6 height=5 mines=1")
        await ana.until(lambda: len(ana.app.screen_stack) > 2)
        await ana.until(lambda: ana.ply >= 0)
        view = ana.table.table
        assert view is not None
        rules = GAMES["minesweeper"]
        while not view.is_over:
            assert view.turn is not None
            digs = [move for move in rules.legal_moves(view.turn.view, 0) if move.startswith("dig")]
            ply = view.turn.ply
            await play(ana, hand, digs[0])
            await ana.goes_beyond(ply)
        assert "(cleared)" in ana.text or "(mine)" in ana.text
