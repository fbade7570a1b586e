"""The numbers that bound what a client may ask: how long somebody is waited for, and what a welcome tells."""

from __future__ import annotations

import pytest

from tablero_protocol.messages import Limits as ShownLimits
from tablero_server.core.limits.limits import Limits, Rate


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [
        (None, 120),
        ({"base": 60, "increment": 0}, 30),
        ({"base": 240, "increment": 0}, 60),
        ({"base": 180, "increment": 2}, 65),
        ({"base": 3_600, "increment": 30}, 300),
    ],
)
def test_the_slower_a_game_is_the_longer_others_wait_for_a_player(
    clock: dict[str, int] | None, seconds: int
) -> None:
    assert Limits().absence(clock) == seconds * 1_000


@pytest.mark.parametrize("clock", [None, {"base": 60, "increment": 0}, {"base": 3_600, "increment": 0}])
def test_nobody_waits_longer_than_the_host_says(clock: dict[str, int] | None) -> None:
    assert Limits(absence_ms=10_000).absence(clock) == 10_000


def test_who_never_sat_down_is_forgotten_first_and_nobody_while_others_wait_for_them() -> None:
    limits = Limits(name_ms=2_000_000, newcomer_memory_ms=1_000_000, absence_ms=500_000)
    assert (limits.memory_ms(kept=True), limits.memory_ms(kept=False)) == (2_000_000, 1_000_000)
    waiting = Limits(name_ms=5, newcomer_memory_ms=5, absence_ms=500_000)
    assert waiting.memory_ms(kept=True) == waiting.memory_ms(kept=False) == 500_001


def test_a_welcome_tells_the_limits_in_the_words_of_the_protocol() -> None:
    limits = Limits(rooms=3, silence_ms=1_500, chat=Rate(2_500, 7))
    shown = limits.shown()
    ShownLimits.model_validate(shown, by_alias=True, by_name=False)
    assert (shown["rooms"], shown["silenceSeconds"]) == (3, 1.5)
    assert shown["rates"]["chat"] == {"everyMs": 2_500, "burst": 7}


def test_every_rate_that_is_told_is_the_rate_of_that_name() -> None:
    limits = Limits()
    names = {"newRooms": "new_rooms"}
    for name, told in limits.shown()["rates"].items():
        assert told == getattr(limits, names.get(name, name)).shown()
