"""Multicast DNS (RFC 6762, 6763): the question for servers in a network, and the reading of answers.

Law: an answer comes from a stranger. Errors in it only mean that fewer servers are found; they never raise an
exception.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address
from typing import NamedTuple

SERVICE = "_tablero._tcp.local"
_A, _PTR, _TXT, _SRV = 1, 12, 16, 33
_IN = 1
_HEADER = struct.Struct("!6H")
_RECORD = struct.Struct("!HHIH")
_MOST_RECORDS = 100
_MOST_JUMPS = 16
_PATH = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/")


class _Damaged(Exception):
    """The bytes are not a DNS message."""


@dataclass(frozen=True, slots=True, order=True)
class FoundServer:
    """A server announced in the network."""

    name: str
    port: int
    addresses: tuple[str, ...]
    path: str
    secure: bool

    @property
    def urls(self) -> tuple[str, ...]:
        """Addresses for a browser or `tablero play`, one for each network address."""
        scheme = "https" if self.secure else "http"
        return tuple(f"{scheme}://{address}:{self.port}{self.path}" for address in self.addresses)


def within_reach(address: IPv4Address) -> bool:
    """Whether the address can be another machine in this network. Servers use the same rule for
    their lists.
    """
    return address.is_private and not (
        address.is_loopback or address.is_unspecified or address.is_multicast or address.is_reserved
    )


def question() -> bytes:
    labels = b"".join(bytes([len(label)]) + label.encode() for label in SERVICE.split("."))
    return _HEADER.pack(0, 0, 1, 0, 0, 0) + labels + b"\0" + struct.pack("!HH", _PTR, _IN)


def servers_in(message: bytes) -> list[FoundServer]:
    """The servers in one answer."""
    try:
        records = list(_records(message))
    except (_Damaged, struct.error, IndexError):
        return []
    found = []
    for instance in {each.target for each in records if each.kind == _PTR and each.name == SERVICE}:
        places = [each for each in records if each.kind == _SRV and each.name == instance.lower()]
        if places and (server := _server(instance, places[0], records)) is not None:
            found.append(server)
    return sorted(found)


class _Record(NamedTuple):
    name: str
    kind: int
    rest: bytes
    target: str
    """The name to which a record points."""


def _server(instance: str, place: _Record, records: list[_Record]) -> FoundServer | None:
    told = [
        IPv4Address(each.rest)
        for each in records
        if each.kind == _A and each.name == place.target.lower() and len(each.rest) == 4
    ]
    addresses = tuple(map(str, filter(within_reach, told)))
    port = int.from_bytes(place.rest[4:6], "big")
    if not (addresses and port):
        return None
    facts: dict[str, str] = {}
    for each in records:
        if each.kind == _TXT and each.name == instance.lower():
            facts |= dict(_facts(each.rest))
    path = facts.get("path", "/")
    if not (path.startswith("/") and _PATH.issuperset(path)):
        path = "/"
    name = instance[: -len(SERVICE) - 1]
    return FoundServer(name, port, addresses, path, facts.get("tls") == "1")


def _records(message: bytes) -> Iterator[_Record]:
    _, flags, questions, *counts = _HEADER.unpack_from(message)
    if not flags & 0x8000:
        return
    at = _HEADER.size
    for _ in range(questions):
        at = _name(message, at)[1] + 4
    for _ in range(min(sum(counts), _MOST_RECORDS)):
        name, at = _name(message, at)
        kind, _, _, length = _RECORD.unpack_from(message, at)
        start, at = at + _RECORD.size, at + _RECORD.size + length
        if at > len(message):
            raise _Damaged
        skipped = {_PTR: 0, _SRV: 6}.get(kind)
        target = "" if skipped is None else _name(message, start + skipped)[0]
        yield _Record(name.lower(), kind, message[start:at], target)


def _name(message: bytes, at: int) -> tuple[str, int]:
    """The name at byte `at`, and the position after it."""
    labels, end, jumps = [], 0, 0
    while (length := message[at]) != 0:
        if length >= 0xC0:  # a pointer to the rest of the name
            end = end or at + 2
            jumps += 1
            if jumps > _MOST_JUMPS:
                raise _Damaged
            at = (length & 0x3F) << 8 | message[at + 1]
            continue
        if length > 63 or at + 1 + length > len(message):
            raise _Damaged
        labels.append(message[at + 1 : at + 1 + length].decode("utf-8", "replace"))
        at += 1 + length
    return ".".join(labels), end or at + 1


def _facts(text: bytes) -> Iterator[tuple[str, str]]:
    """The strings KEY=VALUE of a TXT record."""
    while text:
        piece, text = text[1 : 1 + text[0]], text[1 + text[0] :]
        key, _, value = piece.decode("utf-8", "replace").partition("=")
        yield key.lower(), value
