"""What is asked first."""

from __future__ import annotations

import pytest

from tablero.full_screen.table_questions import is_playing
from tests.harness.rig import ANA, BEN, Rig


@pytest.mark.parametrize(
    ("seats", "state", "playing"),
    [((ANA, BEN), "playing", True), ((ANA, BEN), "finished", False), ((BEN, BEN), "playing", False)],
)
def test_only_a_game_of_ours_that_goes_on_is_asked_about(
    seats: tuple[dict[str, str], dict[str, str]], state: str, playing: bool
) -> None:
    assert is_playing(Rig().room(*seats, state=state)) is playing
    assert not is_playing(None)
