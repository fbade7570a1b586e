"""Ways of writing a move that games share."""

from __future__ import annotations

import pytest

from tablero.table_view.notation import direction_last


@pytest.mark.parametrize("typed", ["h e3", "h-e3", "e3 h", "e3h"])
def test_the_direction_may_come_first(typed: str) -> None:
    assert direction_last(typed) == "e3h"
