"""Server time passes while the server serves, and stands still while it cannot."""

from __future__ import annotations

from tablero_server.core.server_time import LATE_MS, ServerTime


class Steady:
    def __init__(self) -> None:
        self.now = 1_000

    def __call__(self) -> int:
        return self.now


def test_it_passes_while_the_server_shows_that_it_serves() -> None:
    steady = Steady()
    time = ServerTime(steady)
    for _ in range(100):
        steady.now += LATE_MS
        assert time.goes_on() == steady.now
        assert time.now() == steady.now


def test_what_passes_before_the_server_is_heard_of_late_is_given_back_whole() -> None:
    steady = Steady()
    time = ServerTime(steady)
    steady.now += 100
    time.goes_on()
    steady.now += 8_000
    assert time.now() == 1_100
    time.goes_on()
    steady.now += 70
    assert time.now() == 1_170


def test_it_stands_still_until_the_server_serves_again_however_often_it_is_asked_for() -> None:
    steady = Steady()
    time = ServerTime(steady)
    told = []
    for _ in range(30):
        steady.now += 100
        told.append(time.now())
    assert told == [1_100, 1_200] + [1_200] * 28


def test_it_never_goes_back() -> None:
    steady = Steady()
    time = ServerTime(steady)
    last = time.now()
    for step in (10, 300, 1, 260, 249, 5_000, 0, 100):
        steady.now += step
        assert time.now() >= last
        last = time.goes_on() if step % 2 else time.now()
