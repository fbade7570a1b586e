"""Addresses of callers: the key by which each is limited, and its limits.

Law: a forwarded address counts only if a listed proxy sent it, so callers cannot choose whose limits they
use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from ..core.limits.limits import Rate
from ..core.limits.rate_limits import TokenBuckets

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

LOCAL_NETWORKS = (
    "127.0.0.0/8,::1/128,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,169.254.0.0/16,fc00::/7,fe80::/10"
)


def read_networks(text: str) -> tuple[Network, ...]:
    """Networks or single addresses, separated by commas. Raises ValueError."""
    return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())


def is_local(address: str) -> bool:
    """Whether the address belongs to this machine or a private network."""
    return is_in(read_address(address), read_networks(LOCAL_NETWORKS))


def caller_of(socket: str, forwarded: Sequence[str], proxies: Sequence[Network]) -> Address:
    """The caller's address. If the socket is a listed proxy's, it is the last address in `X-Forwarded-For`
    that is not a listed proxy.
    """
    address = read_address(socket)
    hops = ",".join(forwarded).split(",")
    while hops and is_in(address, proxies):
        try:
            address = read_address(hops.pop())
        except ValueError:
            break  # an entry that is no address ends the part that can be trusted
    return address


def limit_key(address: Address) -> str:
    """The key of an address: the address itself, but for IPv6 its /64, because one owner has the
    whole /64.
    """
    return str(IPv6Network((address, 64), strict=False) if address.version == 6 else address)


def household_of(text: str) -> str:
    """The key of an address given as text; any other text stays the same."""
    try:
        return limit_key(read_address(text))
    except ValueError:
        return text


class AddressLimits:
    def __init__(self, unlimited: Sequence[Network], sockets: int, handshakes: Rate) -> None:
        self._unlimited = unlimited
        self._sockets = sockets
        self._handshakes: TokenBuckets[str] = TokenBuckets(handshakes)
        self._open: Counter[str] = Counter()

    def limited(self, address: Address) -> str | None:
        """The key by which `address` is limited; None if it has no limits."""
        if is_in(address, self._unlimited):
            return None
        return limit_key(address)

    def arrive(self, name: str | None) -> bool:
        """Counts one more connection of any kind. Returns whether it may stay open."""
        if name is None:
            return True
        if self._open[name] >= self._sockets:
            return False
        self._open[name] += 1
        return True

    def handshake(self, name: str | None, now: int) -> int:
        """The milliseconds until the address may open another WebSocket; 0: now."""
        return 0 if name is None else self._handshakes.take(name, now)

    def leave(self, name: str | None) -> None:
        if name is not None:
            self._open[name] -= 1
            if not self._open[name]:
                del self._open[name]


def read_address(text: str) -> Address:
    address = ip_address(text.strip().partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def is_in(address: Address, networks: Sequence[Network]) -> bool:
    return any(address.version == each.version and address in each for each in networks)
