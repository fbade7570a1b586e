"""Whom a sanction hits: a player everywhere, and newcomers or everybody from an address."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_server.core.alarms import Alarms
from tablero_server.core.entry import Sanction
from tablero_server.core.people.sanctions import (
    Sanctions,
    network_in,
    network_of,
    told,
)
from tablero_server.core.people.session import Account, Source

BEN = Account("ben", "Ben", False, created=50)
BEFORE = Account("cat", "cat", False, created=99)
AFTER = Account("dan", "dan", False, created=101)
HERE, THERE = Source("203.0.113.7", shared=False), Source("203.0.113.8", shared=False)


def made(**more: Any) -> Sanction:
    fields: dict[str, Any] = {"id": "s1", "kind": "out", "player": "ben", "name": "Ben", "network": None}
    fields |= {"until": None, "why": "because", "created": 100}
    return Sanction(**fields | more)


def book(*sanctions: Sanction) -> Sanctions:
    alarms = Alarms()
    kept = Sanctions(alarms)
    for sanction in sanctions:
        kept.add(sanction)
    return kept


@pytest.mark.parametrize(
    ("sanction", "account", "source", "hit"),
    [
        (made(), BEN, THERE, True),
        (made(), BEN, None, True),
        (made(), None, HERE, False),
        (made(network="203.0.113.7/32"), BEN, THERE, True),
        (made(network="203.0.113.7/32"), None, HERE, True),
        (made(network="203.0.113.7/32"), None, THERE, False),
        (made(network="203.0.113.7/32"), None, None, False),
        (made(network="203.0.113.7/32"), BEFORE, HERE, False),
        (made(network="203.0.113.7/32"), AFTER, HERE, True),
        (made(network="203.0.113.0/24", player=None), BEFORE, THERE, True),
        (made(network="2001:db8::/64"), None, Source("2001:db8::9", shared=False), True),
        (made(network="2001:db8::/64"), None, HERE, False),
    ],
)
def test_whom_a_sanction_hits(
    sanction: Sanction, account: Account | None, source: Source | None, hit: bool
) -> None:
    kept = book(sanction)
    assert (kept.against("out", account, source, 200) is not None) is hit
    assert kept.against("chat", account, source, 200) is None


def test_it_ends_in_its_own_time_and_the_longest_counts() -> None:
    short, long = made(id="s1", until=1_000), made(id="s2", until=2_000)
    kept = book(long, short)
    assert [kept.against("out", BEN, None, now) for now in (999, 1_000, 2_000)] == [long, long, None]
    kept.add(made(id="s3"))
    assert kept.against("out", BEN, None, 9_000) == made(id="s3")


@pytest.mark.parametrize("called", ["ben", "BEN", "Ben", "b-en", "s1", "203.0.113.7", "203.0.113.7/32"])
def test_it_is_found_by_whom_it_is_about(called: str) -> None:
    kept = book(made(network="203.0.113.7/32"))
    assert kept.called("out", called) == [made(network="203.0.113.7/32")]
    assert kept.called("chat", called) == kept.called("out", "203.0.113.0/24") == []


def test_what_was_removed_holds_for_nobody() -> None:
    kept = book(made(network="203.0.113.7/32", until=500))
    kept.remove(made())
    assert kept.against("out", BEN, HERE, 100) is None
    assert not kept.called("out", "ben")


@pytest.mark.parametrize(
    ("address", "shared", "network"),
    [
        ("203.0.113.7", False, "203.0.113.7/32"),
        ("192.168.1.23", True, "192.168.1.23/32"),
        ("2001:db8:1:2:3::9", False, "2001:db8:1:2::/64"),
        ("fe80::9", True, "fe80::9/128"),
    ],
)
def test_the_network_of_an_address_is_its_household_and_of_ones_own_network_that_machine(
    address: str, shared: bool, network: str
) -> None:
    assert network_of(Source(address, shared)) == network
    assert network_of(Source(address, shared)) is network_of(Source(address, shared)), "computed once"


def test_an_address_is_read_and_told_as_people_write_it() -> None:
    assert str(network_in("203.0.113.9/24")) == "203.0.113.0/24"
    assert network_in("ben") is network_in("1234") is network_in("10.0") is None
    assert [told(each) for each in ("203.0.113.7/32", "2001:db8::/64")] == ["203.0.113.7", "2001:db8::/64"]
