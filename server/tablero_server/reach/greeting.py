"""The start messages of a server: its address, its audience, and links for others."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

import segno

from .own_addresses import Address, url_host

_BLACK_ON_WHITE = "\x1b[38;5;231;48;5;16m", "\x1b[0m"
"""ANSI colours for a QR code: the light squares are painted, so the code is readable on any background."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """The facts for the start messages."""

    here: str
    """The address on this machine, as HOST:PORT."""
    others: Sequence[Address]
    """The addresses for others, the likeliest first."""
    port: int
    path: str = "/"
    secure: bool = False
    bridged: bool = False
    """Whether this is a container whose addresses may be unreachable for others."""
    host_page: str | None = None
    """The address of the host's page."""
    lan: bool = False
    """Whether the host opened the server to the local network; a container then uses its machine's
    network.
    """

    @property
    def scheme(self) -> str:
        return "https" if self.secure else "http"

    @property
    def links(self) -> list[str]:
        """The links for others, one for each address."""
        if self.bridged and not self.lan:
            return []
        return [f"{self.scheme}://{url_host(each)}:{self.port}{self.path}" for each in self.others]


def lines(where: Where, program: str) -> list[str]:
    """The start messages; the first line has the address for a browser on this machine."""
    own = f"{where.scheme}://{where.here}{where.path}"
    told = [f"Tablero is at {own}"]
    if where.bridged and not where.lan:
        told.append(
            "This is a container: others open the address of the machine that it runs on, with the port that "
            f"is published for {where.port}."
        )
    label = "Others in your network open:  "
    for number, link in enumerate(where.links):
        told.append(f"{' ' * len(label) if number else label}{link}")
    plain = where.path == "/" and not where.secure
    told.append(f"Play from a second terminal:  {program} play {where.here if plain else own}")
    if where.host_page and not where.bridged:
        told.append(f"Manage it on the host's page:  {where.host_page}")
    return told


def lan_lines(where: Where, firewall: str | None) -> list[str]:
    """The additional messages for a server that is open to the local network."""
    told = []
    if where.bridged:
        told.append(
            "This looks like a container with its own network: others can't find this server or open these "
            "links. Run it in the network of its machine (--network host, on Linux), or give them the "
            "machine's address."
        )
    elif not where.others:
        told.append("This machine has no address that others can open; is it in a network?")
    if firewall is not None:
        told.append(f"If others can't connect, open this machine's firewall:  {firewall}")
    return told


def qr_code(link: str, encoding: str, *, coloured: bool) -> list[str]:
    """The link as a QR code for a phone's camera; empty if the terminal can't show the characters."""
    drawn = io.StringIO()
    segno.make(link, error="l", micro=False).terminal(drawn, compact=True, border=2)
    rows = drawn.getvalue().splitlines()
    try:
        "".join(rows).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return []
    begin, end = _BLACK_ON_WHITE if coloured else ("", "")
    return [f"{begin}{row}{end}" for row in rows]
