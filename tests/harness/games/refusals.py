"""A check of refused moves, shared by all games."""

from __future__ import annotations

from copy import deepcopy

import pytest

from tablero_games import IllegalMove, Position


def assert_refused(position: Position, seat: int, move: str, code: str, sentence: str) -> None:
    """Checks that the move is refused with this code and sentence, and changes nothing."""
    before = deepcopy(position)
    with pytest.raises(IllegalMove) as refused:
        position.play(seat, move)
    assert (refused.value.code, refused.value.sentence) == (code, sentence)
    assert position == before
