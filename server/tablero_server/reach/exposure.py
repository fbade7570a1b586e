"""Warnings, with remedies, about a server on the internet without TLS, or behind a firewall that blocks its
port.
"""

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
    """Raised for a public address without TLS; the message names the address and the remedies."""


def listened_on(host: str) -> list[str]:
    """The addresses of a host name; empty if the name is unknown, because listening then raises the error."""
    with suppress(OSError):
        return list({str(found[4][0]): None for found in socket.getaddrinfo(host, None)})
    return []


def check(settings: Settings, bound: Iterable[str], own: Sequence[OwnAddress]) -> list[Address]:
    """The addresses at which others could intercept traffic, for one warning. Raises Exposed for public
    addresses.
    """
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
    """The command that opens the port in the firewall. None if no firewall is known to be on.

    Only root can read a firewall's rules, so an open port is not recognised.
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
