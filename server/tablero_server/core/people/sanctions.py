"""Bans and mutes by the host: of players, addresses, and newcomers from the address of a player.

Law: an expired ban or mute has no effect, even while it is still in the list.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Literal, TypeAlias

from tablero_protocol.text import skeleton

from ..alarms import Alarms
from ..entry import Sanction
from ..refusal import Refusal
from .durations import in_words
from .session import Account, Session, Source

Kind: TypeAlias = Literal["out", "chat"]
Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network


class Sanctions:
    def __init__(self, alarms: Alarms) -> None:
        self._alarms = alarms
        self.all: dict[str, Sanction] = {}
        self._networks: dict[str, Network] = {}

    def add(self, sanction: Sanction) -> None:
        self.all[sanction.id] = sanction
        if sanction.network is not None:
            self._networks[sanction.id] = ip_network(sanction.network)
        if sanction.until is not None:
            self._alarms.set(("sanction", sanction.id), sanction.until)

    def remove(self, sanction: Sanction) -> None:
        self.all.pop(sanction.id, None)
        self._networks.pop(sanction.id, None)
        self._alarms.cancel(("sanction", sanction.id))

    def against(
        self, kind: Kind, account: Account | None, source: Source | None, now: int
    ) -> Sanction | None:
        """The longest ban or mute of this kind for an account at `source`; an account of None is a
        newcomer.
        """
        address = None if source is None else ip_address(source.address)
        held = [
            each for each in self.all.values() if each.kind == kind and self._hits(each, account, address)
        ]
        held = [each for each in held if each.until is None or each.until > now]
        for each in held:
            if each.until is None:
                return each
        return max(held, key=lambda each: each.until or 0, default=None)

    def check_may_enter(self, account: Account | None, source: Source | None, now: int) -> None:
        if (held := self.against("out", account, source, now)) is None:
            return
        if held.until is None:
            raise Refusal("keptOut", why=held.why)
        raise Refusal("keptOutFor", time=in_words(held.until - now), why=held.why)

    def check_may_speak(self, session: Session, now: int) -> None:
        if (held := self.against("chat", session.account, session.source, now)) is None:
            return
        if held.until is None:
            raise Refusal("hostMuted", why=held.why)
        raise Refusal("hostMutedFor", time=in_words(held.until - now), why=held.why)

    def called(self, kind: Kind, text: str) -> list[Sanction]:
        """The bans or mutes about `text`: a player's name or id, or an address."""
        network = network_in(text)
        return [
            each
            for each in self.all.values()
            if each.kind == kind
            and (
                text in (each.id, each.player)
                or (each.name and skeleton(each.name) == skeleton(text))
                or (network is not None and self._networks.get(each.id) == network)
            )
        ]

    def _hits(self, sanction: Sanction, account: Account | None, address: Address | None) -> bool:
        if account is not None and account.id == sanction.player:
            return True
        network = self._networks.get(sanction.id)
        if network is None or address is None or address not in network:
            return False
        return sanction.player is None or account is None or account.created > sanction.created


@lru_cache(maxsize=4_096)
def network_of(source: Source) -> str:
    """The network to ban so that a player cannot come back from `source`.

    In the host's own network that is one address. Elsewhere the owner of one IPv6 address has its whole /64.
    """
    address = ip_address(source.address)
    if address.version == 4 or source.shared:
        return str(ip_network(address))
    return str(IPv6Network((address, 64), strict=False))


def network_in(text: str) -> Network | None:
    """The network that `text` names, or None."""
    try:
        return ip_network(text.strip(), strict=False)
    except ValueError:
        return None


def told(network: str) -> str:
    """The network as people write it: a single address without its prefix length."""
    return network.removesuffix("/32").removesuffix("/128")


def networks(sources: Iterable[Source]) -> list[str]:
    """The networks of these sources, each once."""
    return list(dict.fromkeys(map(network_of, sources)))
