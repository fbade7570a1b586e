"""Answers of multicast DNS as bytes, and the server that they announce."""

from __future__ import annotations

import struct
from ipaddress import IPv4Address

from tablero.client.dns_answers import SERVICE, FoundServer

INSTANCE = f"Tablero on party.{SERVICE}"
HOST = "party-8470.local"


def name(text: str) -> bytes:
    labels = [text.partition(f".{SERVICE}")[0], *SERVICE.split(".")] if text == INSTANCE else text.split(".")
    return b"".join(bytes([len(label)]) + label.encode() for label in labels) + b"\0"


def record(owner: str, kind: int, rest: bytes) -> bytes:
    return name(owner) + struct.pack("!HHIH", kind, 1, 120, len(rest)) + rest


def answer(*records: bytes, flags: int = 0x8400) -> bytes:
    return struct.pack("!6H", 0, flags, 0, len(records), 0, 0) + b"".join(records)


def fact(text: str) -> bytes:
    return bytes([len(text)]) + text.encode()


def told(
    port: int = 8470, facts: bytes = fact("path=/") + fact("tls=0"), address: str = "192.168.1.5"
) -> list[bytes]:
    return [
        record(SERVICE, 12, name(INSTANCE)),
        record(INSTANCE, 33, struct.pack("!3H", 0, 0, port) + name(HOST)),
        record(INSTANCE, 16, facts),
        record(HOST, 1, IPv4Address(address).packed),
        record(HOST, 28, bytes(16)),
    ]


PARTY = FoundServer("Tablero on party", 8470, ("192.168.1.5",), "/", False)
