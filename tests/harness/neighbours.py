"""Servers that are announced in the network, without one."""

from __future__ import annotations

from ipaddress import IPv4Address

from zeroconf.asyncio import AsyncServiceInfo

from tablero_server.reach.neighbours import SERVICE


def announced(name: str, port: int, facts: dict[str, str], address: str = "127.0.0.1") -> AsyncServiceInfo:
    packed = [IPv4Address(address).packed]
    return AsyncServiceInfo(SERVICE, f"{name}.{SERVICE}", port=port, addresses=packed, properties=facts)
