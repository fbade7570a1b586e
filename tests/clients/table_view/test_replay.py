"""A record as positions one after the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablero.table_view.replay import ReplayView, scenes_of
from tablero_games.record.file import Invalid, read
from tests.harness.command_line import a_record

OLDER = sorted((Path(__file__).parents[2] / "games" / "record" / "older").glob("*.record"))
SEALED = "minesweeper-race-running"
"""Its game is not over, and hides something."""


@pytest.mark.parametrize("file", [file for file in OLDER if file.stem != SEALED], ids=lambda file: file.stem)
def test_a_record_is_stepped_through(file: Path) -> None:
    replay = ReplayView.of_record(file.read_bytes().decode("latin-1"))
    assert len(replay.scenes) > 2
    for _ in replay.scenes:
        board = replay.board(80, 24, "safe")
        assert board.draw(replay.marks(board)).text()
        replay.step(1)
    assert replay.is_at_end
    assert replay.view.get("outcome") is not None
    replay.step(-100_000)
    assert (replay.at, replay.last_move) == (0, None)
    replay.point_at("a1")
    assert replay.cursor is None


def test_a_game_that_is_not_over_is_not_shown() -> None:
    [sealed] = [file for file in OLDER if file.stem == SEALED]
    with pytest.raises(Invalid):
        ReplayView.of_record(sealed.read_bytes().decode("latin-1"))


def test_what_is_no_record_is_refused() -> None:
    with pytest.raises(Invalid):
        ReplayView.of_record("nonsense\n")


def test_every_turn_is_a_scene_and_a_pause_none_that_is_stepped_to() -> None:
    record = a_record("tic-tac-toe", "a1", "pause", "continue", "b1")
    scenes = list(scenes_of(read(record)))
    assert [scene.is_new for scene in scenes] == [True, True, False, False, True]
    assert [scene.turn and scene.turn.move for scene in scenes] == [None, "a1", None, None, "b1"]
    stepped = ReplayView.of_record(record).scenes
    assert stepped == [scene for scene in scenes if scene.is_new]
