"""Warnings about reach: the internet without TLS, or a firewall that blocks the port; and remedies."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from ..settings import Settings
from .own_addresses import Address, OwnAddress, leading_to

_ROOT = Path("/")


class Exposed(Exception):
    """The sentence says by which address, and what to do."""


def listened_on(host: str) -> list[str]:
    """The addresses that a host stands for; none if it is unknown. Listening on it then gives the error."""
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
            f"The internet reaches this machine at {', '.join(public)}, and without TLS anyone on the way "
            "can read tokens and moves. Add --tls auto, or --tls-cert and --tls-key with your own files; "
            "or --host 127.0.0.1 and put a proxy in front (TABLERO_TRUSTED_PROXIES); or --insecure if you "
            "want this."
        )
    return reached


def opened_by(port: int, root: Path = _ROOT, platform: str = sys.platform) -> str | None:
    """The command that lets others in. None: no firewall is known to be on.

    What a firewall lets through only root may read; so this tells of one that is on, and claims no more.
    """
    if platform == "win32":
        rule = f"name=Tablero dir=in action=allow protocol=TCP localport={port}"
        return f"netsh advfirewall firewall add rule {rule}"
    try:
        settings = root.joinpath("etc/ufw/ufw.conf").read_text("utf-8", "replace").lower()
    except OSError:
        settings = ""
    if "enabled=yes" in settings.replace(" ", "").split():
        return f"sudo ufw allow {port}/tcp"
    if root.joinpath("run/firewalld.pid").exists():
        return f"sudo firewall-cmd --add-port={port}/tcp"
    return None
