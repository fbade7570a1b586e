"""What a server says of its host's doing, as a sentence and as fields."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from tablero_protocol.notices import NOTICES, notice
from tablero_protocol.reasons import REASONS


@pytest.mark.parametrize("reason", NOTICES)
def test_a_notice_is_made_of_its_fields_alone(reason: str) -> None:
    names = [name for _, name, _, _ in Formatter().parse(NOTICES[reason]) if name is not None]
    told = notice(reason, **{name: f"a {name}" for name in names})
    assert set(told) == {"reason", "fields", "message"}
    assert all(f"a {name}" in told["message"] for name in names)
    assert re.match(r"[A-Z]", told["message"])


def test_no_reason_means_two_things() -> None:
    assert not NOTICES.keys() & REASONS.keys()
