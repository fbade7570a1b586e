"""The servers in this network: found by multicast DNS, listed, and one chosen."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from select import select
from urllib.parse import urlsplit

from tablero.catalogue.speech import translate, translate_plural
from tablero.client.addresses import typed, websocket_url
from tablero.client.dns_answers import FoundServer, question, servers_in
from tablero_protocol.text import clean

_GROUP = ("224.0.0.251", 5353)
_AGAIN_SECONDS = 0.5
"""Seconds until the question is sent again, because the first may be lost."""
_CONNECT_SECONDS = 0.7
_BYTES = 9_000


def find(seconds: float, group: tuple[str, int] = _GROUP) -> list[FoundServer]:
    """Find all servers that answer within `seconds`, in every network of this machine."""
    found: dict[tuple[str, int], FoundServer] = {}
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as line:
        now = time.monotonic()
        end, ask_at = now + seconds, now
        while (now := time.monotonic()) < end:
            if now >= ask_at:
                _ask_everywhere(line, group)
                ask_at = now + _AGAIN_SECONDS
            ready, _, _ = select([line], [], [], min(end, ask_at) - now)
            if ready:
                with suppress(OSError):  # an answer that can't be delivered
                    for server in servers_in(line.recv(_BYTES)):
                        found[(server.name, server.port)] = server
    return sorted(found.values())


def _ask_everywhere(line: socket.socket, group: tuple[str, int]) -> None:
    """Ask from a separate port, so that answers come only here. No one has to listen on port 5353."""
    asked = False
    for index, _ in socket.if_nameindex():
        with suppress(OSError):  # an interface that is down, or has no IPv4
            line.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, struct.pack("=4s4si", b"", b"", index))
            line.sendto(question(), group)
            asked = True
    if not asked:
        with suppress(OSError):  # no network at all
            line.sendto(question(), group)


def answers(url: str) -> bool:
    """Whether a program listens at the address of a socket."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "wss" else 80)
    with suppress(OSError), socket.create_connection((parts.hostname or "", port), _CONNECT_SECONDS):
        return True
    return False


def addresses_of(
    found: Sequence[FoundServer], reachable: Callable[[str], bool] = answers
) -> list[tuple[str, str]]:
    """The name of each server, and the first of its addresses that answers, or else its first address."""
    chosen = []
    for server in found:
        urls = [websocket_url(url) for url in server.urls]
        url = next((each for each in urls if len(urls) == 1 or reachable(each)), urls[0])
        chosen.append((clean(server.name), typed(url)))
    return chosen


def lines(found: Sequence[tuple[str, str]]) -> list[str]:
    """The numbered list of servers."""
    count = len(found)
    told = translate_plural("{number} server in your network:", "{number} servers in your network:", count)
    return [told, *(f"  {number}  {address}  {name}" for number, (name, address) in enumerate(found, 1))]


def nobody() -> list[str]:
    """The lines when no server was found, with advice."""
    return [
        translate("No server found on your network."),
        translate("To be found, start a server with: tablero serve --lan"),
        translate("Containers and guest networks often hide servers: ask the host for the address."),
    ]


def choose(found: Sequence[tuple[str, str]], ask: Callable[[str], str]) -> str | None:
    """Return the address of the server that the person chose, or None."""
    while True:
        said = ask(translate("Which server? Enter a number, or nothing to cancel:") + " ").strip()
        if not said:
            return None
        if said.isdecimal() and 1 <= int(said) <= len(found):
            return found[int(said) - 1][1]
