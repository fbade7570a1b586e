"""Whether the internet would reach this server without TLS, and what to do instead."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Sequence
from contextlib import suppress

from ..settings import Settings
from .own_addresses import Address, OwnAddress, leading_to


class Exposed(Exception):
    """The sentence says by which address, and what to do."""


def listened_on(host: str) -> list[str]:
    """The addresses that a host stands for; none if it is not known, which listening on it says better."""
    with suppress(OSError):
        return list({str(found[4][0]): None for found in socket.getaddrinfo(host, None)})
    return []


def check(settings: Settings, bound: Iterable[str], own: Sequence[OwnAddress]) -> list[Address]:
    """The addresses at which others could listen in on players; to be warned of once. Raises Exposed."""
    if settings.speaks_tls or settings.trusted_proxies or settings.insecure:
        return []
    reached = leading_to(bound, own)
    public = [str(address) for address in reached if address.is_global]
    if public:
        raise Exposed(
            f"The internet reaches this machine at {', '.join(public)}, and without TLS everybody on the way "
            "could read tokens and moves. Say --tls auto, or --tls-cert and --tls-key with files of yours; "
            "or --host 127.0.0.1 and put a proxy in front (TABLERO_TRUSTED_PROXIES); or --insecure if you "
            "want this."
        )
    return reached
