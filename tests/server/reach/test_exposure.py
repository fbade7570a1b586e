"""Without TLS no server starts that the internet reaches; and the command that opens a port is told."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from tablero_server.reach.exposure import Exposed, check, listened_on, opened_by
from tablero_server.reach.own_addresses import OwnAddress
from tablero_server.settings import Settings

HOME = OwnAddress("eth0", ip_address("192.168.1.5"))
PROVIDER = OwnAddress("eth0", ip_address("100.64.0.9"))
PUBLIC = OwnAddress("eth1", ip_address("8.8.4.4"))
PUBLIC_V6 = OwnAddress("eth1", ip_address("2a00:1450::1"))


@pytest.mark.parametrize(("bound", "own"), [("0.0.0.0", PUBLIC), ("::", PUBLIC_V6), ("8.8.4.4", PUBLIC)])
def test_a_public_address_is_refused_and_what_to_do_is_told(bound: str, own: OwnAddress) -> None:
    with pytest.raises(Exposed) as exposed:
        check(Settings(), [bound], [HOME, own])
    for way in (str(own.address), "--tls auto", "--host 127.0.0.1", "TABLERO_TRUSTED_PROXIES", "--insecure"):
        assert way in str(exposed.value)


@pytest.mark.parametrize(
    "said",
    [{"tls": "auto"}, {"insecure": True}, {"trusted_proxies": "10.0.0.0/8"}],
    ids=lambda said: str(said),
)
def test_tls_a_proxy_or_a_word_of_the_host_lets_it_start_without_a_warning(said: dict[str, Any]) -> None:
    assert check(Settings(**said), ["0.0.0.0"], [PUBLIC]) == []


def test_addresses_of_a_network_of_ones_own_are_warned_of() -> None:
    assert check(Settings(), ["0.0.0.0"], [HOME, PROVIDER]) == [HOME.address, PROVIDER.address]


@pytest.mark.parametrize("bound", ["127.0.0.1", "192.168.1.5"])
def test_what_is_not_listened_on_does_not_matter(bound: str) -> None:
    assert PUBLIC.address not in check(Settings(), [bound], [HOME, PUBLIC])


def test_a_name_stands_for_its_addresses_and_an_unknown_one_for_none() -> None:
    assert "127.0.0.1" in listened_on("localhost")
    assert listened_on("no-such-host.invalid") == []


@pytest.mark.parametrize(
    ("file", "text", "command"),
    [
        ("etc/ufw/ufw.conf", "# ENABLED=yes\nENABLED=no\n", None),
        ("etc/ufw/ufw.conf", "LOGLEVEL=low\nENABLED=yes\n", "sudo ufw allow 8470/tcp"),
        ("run/firewalld.pid", "77\n", "sudo firewall-cmd --add-port=8470/tcp"),
        ("nothing", "", None),
    ],
)
def test_a_firewall_that_is_on_is_told_with_its_command(
    tmp_path: Path, file: str, text: str, command: str | None
) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    assert opened_by(8470, tmp_path, "linux") == command


def test_windows_has_one_always(tmp_path: Path) -> None:
    assert "localport=8470" in (opened_by(8470, tmp_path, "win32") or "")
