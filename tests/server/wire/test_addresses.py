"""By which address a connection is limited (S11: only listed proxies may say for whom they call)."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from tablero_server.core.limits.limits import Rate
from tablero_server.wire.addresses import LOCAL_NETWORKS, AddressLimits, caller_of, read_networks

PROXIES = read_networks("192.0.2.1, 198.51.100.0/24, 2001:db8::/64")


def some_callers(sockets: int = 2, burst: int = 100) -> AddressLimits:
    return AddressLimits(read_networks(LOCAL_NETWORKS), sockets, Rate(1_000, burst))


@pytest.mark.parametrize(
    ("socket", "forwarded", "caller"),
    [
        ("203.0.113.9", [], "203.0.113.9"),
        ("203.0.113.9", ["1.2.3.4"], "203.0.113.9"),  # forged: it is no listed proxy
        ("192.0.2.1", ["1.2.3.4"], "1.2.3.4"),
        ("192.0.2.1", ["6.6.6.6, 1.2.3.4"], "1.2.3.4"),  # what a client wrote itself lies further away
        ("192.0.2.1", ["1.2.3.4, 198.51.100.7"], "1.2.3.4"),
        ("192.0.2.1", ["1.2.3.4", "198.51.100.7"], "1.2.3.4"),
        ("192.0.2.1", [], "192.0.2.1"),
        ("192.0.2.1", ["what?"], "192.0.2.1"),
        ("::ffff:192.0.2.1", ["::ffff:1.2.3.4"], "1.2.3.4"),
        ("2001:db8::1", ["2001:db8:1::5"], "2001:db8:1::5"),
        ("fe80::1%eth0", [], "fe80::1"),
    ],
)
def test_a_forwarded_address_counts_only_from_a_listed_proxy(
    socket: str, forwarded: list[str], caller: str
) -> None:
    assert str(caller_of(socket, forwarded, PROXIES)) == caller


@pytest.mark.parametrize("local", ["127.0.0.1", "::1", "192.168.1.20", "10.9.8.7", "172.20.0.3", "fd00::5"])
def test_a_games_night_behind_one_local_address_is_not_limited(local: str) -> None:
    assert some_callers().limited(ip_address(local)) is None
    callers = some_callers()
    assert all(callers.arrive(None) and callers.handshake(None, 0) == 0 for _ in range(1_000))


def test_a_whole_ipv6_network_counts_as_one() -> None:
    callers = some_callers()
    first, second = ip_address("2a00:1:2:3::1"), ip_address("2a00:1:2:3:ffff::9")
    assert callers.limited(first) == callers.limited(second) == "2a00:1:2:3::/64"
    assert callers.limited(ip_address("2a00:1:2:4::1")) != callers.limited(first)


def test_one_connection_more_than_allowed_has_to_wait_until_another_ends() -> None:
    callers = some_callers(sockets=2)
    assert [callers.arrive("a"), callers.arrive("a"), callers.arrive("a")] == [True, True, False]
    assert callers.arrive("b")
    callers.leave("a")
    assert callers.arrive("a")


def test_one_handshake_more_than_allowed_has_to_wait() -> None:
    callers = some_callers(burst=3)
    assert [callers.handshake("a", 0) for _ in range(3)] == [0, 0, 0]
    wait = callers.handshake("a", 0)
    assert wait > 0
    assert callers.handshake("b", 0) == 0
    assert callers.handshake("a", wait) == 0


def test_what_is_no_network_is_refused() -> None:
    with pytest.raises(ValueError, match="does not appear"):
        read_networks("10.0.0.0/8, home")
