"""What a server prints when it has started: where it is, for whom, and how others come in."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

import segno

from .own_addresses import Address, url_host

_BLACK_ON_WHITE = "\x1b[38;5;231;48;5;16m", "\x1b[0m"
"""The light squares are drawn, so a QR code is one on every background."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """What there is to tell."""

    here: str
    """This machine's own way, as HOST:PORT."""
    others: Sequence[Address]
    """By which everybody else comes, the likeliest first."""
    port: int
    path: str = "/"
    secure: bool = False
    bridged: bool = False
    """Whether this is a container whose addresses may be nobody else's."""
    lan: bool = False
    """Whether the host wants everybody in the network to come, and so has seen to the container's network."""

    @property
    def scheme(self) -> str:
        return "https" if self.secure else "http"

    @property
    def links(self) -> list[str]:
        """For others, one for each address."""
        if self.bridged and not self.lan:
            return []
        return [f"{self.scheme}://{url_host(each)}:{self.port}{self.path}" for each in self.others]


def lines(where: Where, program: str) -> list[str]:
    """The first one is where a browser of this machine finds it."""
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
    return told


def lan_lines(where: Where, firewall: str | None) -> list[str]:
    """What else to know where everybody in the network is to find the server."""
    told = []
    if where.bridged:
        told.append(
            "This looks like a container with a network of its own: others then neither find this server nor "
            "open these links. Run it in the network of its machine (--network host, on Linux), or tell them "
            "the address of the machine."
        )
    elif not where.others:
        told.append("This machine has no address that others could open; is it in a network?")
    if firewall is not None:
        told.append(f"If others get no answer, a firewall of this machine is in the way:  {firewall}")
    return told


def qr_code(link: str, encoding: str, *, coloured: bool) -> list[str]:
    """The link as a picture to hold a phone's camera to; nothing where the letters for it are missing."""
    drawn = io.StringIO()
    segno.make(link, error="l", micro=False).terminal(drawn, compact=True, border=2)
    rows = drawn.getvalue().splitlines()
    try:
        "".join(rows).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return []
    begin, end = _BLACK_ON_WHITE if coloured else ("", "")
    return [f"{begin}{row}{end}" for row in rows]
