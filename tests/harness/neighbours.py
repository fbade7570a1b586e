"""Announcements of servers that do not exist."""

from __future__ import annotations

from ipaddress import IPv4Address

from zeroconf.asyncio import AsyncServiceInfo

from tablero_server.reach.neighbours import SERVICE


def announced(name: str, port: int, facts: dict[str, str], address: str = "127.0.0.1") -> AsyncServiceInfo:
    packed = [IPv4Address(address).packed]
    return AsyncServiceInfo(SERVICE, f"{name}.{SERVICE}", port=port, addresses=packed, properties=facts)


REACH = [
    ("192.168.1.7", True),
    ("10.91.17.1", True),
    ("169.254.3.4", True),
    ("127.0.0.1", False),
    ("0.0.0.0", False),
    ("8.8.8.8", False),
    ("224.0.0.251", False),
    ("255.255.255.255", False),
]
"""Addresses, and whether each can be in the same network, for clients and servers."""
