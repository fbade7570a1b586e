"""Token buckets: at the limit all is well, one more is too many, and waiting as long as told helps."""

from __future__ import annotations

from tablero_server.core.limits.token_buckets import (
    LATELY_MS,
    CommonBucket,
    Rate,
    TokenBuckets,
)


def test_a_burst_goes_through_and_one_more_does_not() -> None:
    rates: TokenBuckets[str] = TokenBuckets(Rate(every_ms=100, burst=5))
    assert [rates.take("ann", 1_000) for _ in range(5)] == [0] * 5
    assert rates.take("ann", 1_000) > 0


def test_after_the_wait_that_it_names_exactly_one_more_goes_through() -> None:
    rates: TokenBuckets[str] = TokenBuckets(Rate(100, 5))
    for _ in range(5):
        rates.take("ann", 0)
    wait = rates.take("ann", 0)
    assert 100 <= wait <= 101
    assert rates.take("ann", wait - 2) > 0
    assert rates.take("ann", wait) == 0
    assert rates.take("ann", wait) > 0


def test_a_refusal_costs_nothing() -> None:
    rates: TokenBuckets[str] = TokenBuckets(Rate(100, 1))
    rates.take("ann", 0)
    waits = {rates.take("ann", 0) for _ in range(50)}
    assert len(waits) == 1


def test_the_steady_rate_is_never_refused() -> None:
    rates: TokenBuckets[str] = TokenBuckets(Rate(50, 3))
    assert not any(rates.take("ann", now) for now in range(0, 100_000, 50))


def test_one_is_not_slowed_down_by_another() -> None:
    rates: TokenBuckets[str] = TokenBuckets(Rate(100, 1))
    rates.take("ann", 0)
    assert rates.take("bob", 0) == 0


def test_whoever_is_many_may_as_many_times() -> None:
    rates: TokenBuckets[str] = TokenBuckets(Rate(100, 4))
    assert sum(not rates.take("bots", 0, times=3) for _ in range(100)) == 12
    assert rates.take("bots", 100, times=3) == 0


def test_full_buckets_are_forgotten() -> None:
    rates: TokenBuckets[int] = TokenBuckets(Rate(100, 4))
    for key in range(1_000):
        rates.take(key, 0)
    rates.take(0, 120_000)
    assert len(rates) == 1


def test_what_something_has_cost_is_paid_afterwards() -> None:
    rates: TokenBuckets[str] = TokenBuckets(Rate(100, 5))
    assert rates.take("ann", 0) == 0
    rates.charge("ann", 0, 8)
    wait = rates.take("ann", 0)
    assert 500 <= wait <= 501, "nine of five are taken, and one has to be there again"
    assert rates.take("ann", wait) == 0


def test_whoever_is_many_pays_as_many_times_as_fast() -> None:
    rates: TokenBuckets[str] = TokenBuckets(Rate(100, 5))
    rates.charge("bots", 0, 12, times=3)
    assert sum(not rates.take("bots", 0, times=3) for _ in range(100)) == 3


def test_a_common_bucket_is_never_empty_for_someone_who_took_nothing_lately() -> None:
    bucket = CommonBucket(Rate(10_000, 3))
    for _ in range(5):
        bucket.take(["eve"], 0)
    assert bucket.wait(["eve"], 0) > 0
    assert bucket.wait(["ann"], 0) == 0


def test_one_of_several_names_is_enough_to_be_known_by() -> None:
    bucket = CommonBucket(Rate(10_000, 1))
    bucket.take(["eve's address", "eve"], 0)
    assert bucket.wait(["eve's address", "another player"], 0) > 0
    assert bucket.wait(["another address", "eve"], 0) > 0


def test_whoever_took_something_from_a_common_bucket_is_forgotten_after_a_while() -> None:
    bucket = CommonBucket(Rate(10 * LATELY_MS, 1))
    bucket.take(["eve"], 0)
    bucket.take(["eve"], 1_000)
    assert bucket.wait(["eve"], LATELY_MS + 999) > 0
    assert bucket.wait(["eve"], LATELY_MS + 1_000) == 0


def test_a_common_bucket_fills_up_for_all_alike() -> None:
    bucket = CommonBucket(Rate(100, 1))
    for name in ("eve", "mallory"):
        bucket.take([name], 0)
    assert bucket.wait(["eve"], 99) == bucket.wait(["mallory"], 99) > 0
    assert bucket.wait(["mallory"], 100) == 0
    bucket.take(["eve"], 100)
    assert bucket.wait(["mallory"], 100) > 0
