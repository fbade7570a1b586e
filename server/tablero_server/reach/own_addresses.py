"""The addresses at which others can reach this machine, and whether it is a container behind a bridge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

import ifaddr

Address = IPv4Address | IPv6Address

_AMONG_CONTAINERS = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "cni", "podman")
"""Networks between containers; other machines can't see their members."""
_MARKS = ("/.dockerenv", "/run/.containerenv")
_INTERFACES = Path("/sys/class/net")


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """One address of one interface."""

    interface: str
    address: Address


def own_addresses() -> list[OwnAddress]:
    """All addresses that others may reach; those of a home network come first."""
    found = [
        OwnAddress(adapter.nice_name, ip_address(ip.ip if isinstance(ip.ip, str) else ip.ip[0]))
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
    ]
    return reachable(found)


def reachable(found: Iterable[OwnAddress]) -> list[OwnAddress]:
    """The addresses in `found` that other machines can reach. Link-local IPv6 is left out: it
    needs a zone.
    """
    known = [
        own
        for own in found
        if not (own.address.is_loopback or (own.address.is_link_local and own.address.version == 6))
        and not own.interface.startswith(_AMONG_CONTAINERS)
    ]
    return sorted(known, key=lambda own: (own.address.version, own.address.is_link_local))


def leading_to(bound: Iterable[str], own: Iterable[OwnAddress]) -> list[Address]:
    """The addresses at which others reach a socket that listens on `bound`."""
    own, found = list(own), dict[Address, None]()
    for text in bound:
        address = ip_address(text.partition("%")[0])
        if address.is_unspecified:
            found |= {each.address: None for each in own if each.address.version == address.version}
        elif not address.is_loopback:
            found[address] = None
    return list(found)


def behind_a_bridge(marks: Iterable[str] = _MARKS, interfaces: Path = _INTERFACES) -> bool:
    """Whether this is a container without an interface of its machine, so that others can't reach its
    addresses.
    """
    if not any(Path(mark).exists() for mark in marks):
        return False
    return not any(each.joinpath("device").exists() for each in interfaces.glob("*"))


def url_host(address: Address | str) -> str:
    """The address as written in a link."""
    text = str(address)
    return f"[{text}]" if ":" in text else text
