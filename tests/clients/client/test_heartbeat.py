"""Heartbeat: pings, and how long to stay away."""

from __future__ import annotations

from random import Random

from tablero.client.heartbeat import LONGEST_IN_A_GAME, NEVER, Backoff, Heartbeat


class NoWait:
    """Randomness that always gives the least."""

    def uniform(self, a: float, b: float) -> float:
        return a


def test_a_ping_is_due_every_five_seconds_of_an_open_line() -> None:
    heartbeat = Heartbeat(NoWait())
    assert heartbeat.ping_at == NEVER
    heartbeat.opened(100)
    assert heartbeat.ping_at == 105
    heartbeat.pinged(106)
    assert heartbeat.ping_at == 111
    heartbeat.lost(112)
    assert heartbeat.ping_at == NEVER


def test_the_server_says_once_how_long_to_stay_away() -> None:
    heartbeat = Heartbeat(NoWait())
    heartbeat.return_after(1500)
    assert [heartbeat.lost(0), heartbeat.lost(0)] == [1.5, 0]
    heartbeat.return_after(None)
    assert heartbeat.lost(0) == 0


class HighestRoll:
    """Randomness that always gives the most."""

    def uniform(self, a: float, b: float) -> float:
        assert a == 0
        return b


def test_waits_double_up_to_ten_seconds_and_start_again_after_thirty_seconds_up() -> None:
    backoff = Backoff(HighestRoll())
    assert [backoff.after(0) for _ in range(8)] == [0.25, 0.5, 1, 2, 4, 8, 10, 10]
    assert backoff.after(29.9) == 10
    assert backoff.after(30) == 0.25


def test_whoever_plays_waits_three_seconds_at_most() -> None:
    backoff = Backoff(HighestRoll())
    assert [backoff.after(0, LONGEST_IN_A_GAME) for _ in range(6)] == [0.25, 0.5, 1, 2, 3, 3]


def test_many_clients_come_back_spread_out() -> None:
    waits = [Backoff(Random(seed)).after(0) for seed in range(200)]
    assert 0 < min(waits) < 0.02
    assert 0.23 < max(waits) <= 0.25
