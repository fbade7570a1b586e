"""What is asked first, and what may be typed."""

from __future__ import annotations

import pytest

from tablero.full_screen.table_questions import is_ahead, is_playing, verb_lines
from tablero.playing.verbs import VERBS
from tablero.table_view.table import TableView
from tests.harness.rig import ANA, BEN, Rig, turn


@pytest.mark.parametrize(
    ("seats", "state", "playing"),
    [((ANA, BEN), "playing", True), ((ANA, BEN), "finished", False), ((BEN, BEN), "playing", False)],
)
def test_only_a_game_of_ours_that_goes_on_is_asked_about(
    seats: tuple[dict[str, str], dict[str, str]], state: str, playing: bool
) -> None:
    assert is_playing(Rig().room(*seats, state=state)) is playing
    assert not is_playing(None)


@pytest.mark.parametrize(
    ("line", "ahead"), [("b2", True), ("5", True), ("say hi", False), ("frobnicate", False)]
)
def test_a_move_before_our_turn_is_played_ahead(line: str, ahead: bool) -> None:
    rig = Rig()
    view = TableView(rig.room())
    rig.client.rooms["r1"].next_player.subscribe(lambda turn: view.hear(turn))
    assert not is_ahead(view, line)
    rig.tell(turn(2, "0........"))
    assert is_ahead(view, line) is ahead
    assert not is_ahead(None, line)


def test_every_command_has_its_line() -> None:
    assert len(verb_lines()) == len(VERBS)
