"""Which of a machine's addresses are told to others."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path

import pytest

from tablero_server.reach.own_addresses import (
    OwnAddress,
    behind_a_bridge,
    leading_to,
    own_addresses,
    reachable,
    url_host,
)


def at(interface: str, text: str) -> OwnAddress:
    return OwnAddress(interface, ip_address(text))


LAPTOP = [
    at("lo", "127.0.0.1"),
    at("lo", "::1"),
    at("wlan0", "fe80::1"),
    at("wlan0", "fd00::2"),
    at("eth1", "169.254.9.9"),
    at("wlan0", "192.168.1.5"),
    at("docker0", "172.17.0.1"),
    at("br-0a1b", "172.18.0.1"),
]


def test_what_leads_nowhere_is_left_out_and_the_home_network_comes_first() -> None:
    told = [str(own.address) for own in reachable(LAPTOP)]
    assert told == ["192.168.1.5", "169.254.9.9", "fd00::2"]


@pytest.mark.parametrize(
    ("bound", "told"),
    [
        (["0.0.0.0"], ["192.168.1.5", "169.254.9.9"]),
        (["::"], ["fd00::2"]),
        (["0.0.0.0", "::"], ["192.168.1.5", "169.254.9.9", "fd00::2"]),
        (["127.0.0.1", "::1"], []),
        (["192.168.1.5"], ["192.168.1.5"]),
        (["203.0.113.7"], ["203.0.113.7"]),
    ],
)
def test_only_what_is_listened_on_is_told(bound: list[str], told: list[str]) -> None:
    assert [str(each) for each in leading_to(bound, reachable(LAPTOP))] == told


def test_this_machine_has_no_loopback_among_what_it_tells() -> None:
    assert not any(own.address.is_loopback for own in own_addresses())


def test_a_container_with_an_interface_of_the_machine_is_behind_no_bridge(tmp_path: Path) -> None:
    mark, interfaces = tmp_path / "dockerenv", tmp_path / "net"
    (interfaces / "eth0").mkdir(parents=True)
    assert not behind_a_bridge([str(mark)], interfaces)
    mark.touch()
    assert behind_a_bridge([str(mark)], interfaces)
    (interfaces / "eth0" / "device").mkdir()
    assert not behind_a_bridge([str(mark)], interfaces)


def test_an_address_with_colons_has_brackets_in_a_link() -> None:
    assert [url_host(ip_address(text)) for text in ("::1", "10.0.0.1")] == ["[::1]", "10.0.0.1"]
