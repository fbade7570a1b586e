"""Measures the size and depth of a frame before a parser allocates memory for it.

Law: a scan only reads and counts bytes and values; it builds no value. It enforces all limits that the
parsers lack.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits for an accepted frame."""

    frame: int
    """All bytes of the frame."""
    depth: int
    """The depth of nested containers; the message itself has depth 1."""
    items: int
    """The number of values, with keys and containers."""
    array: int
    """The entries of one list."""
    map: int
    """The entries of one map."""


FROM_CLIENT = Bounds(frame=4_096, depth=8, items=512, array=64, map=32)
FROM_SERVER = Bounds(frame=1_048_576, depth=12, items=262_144, array=8_192, map=1_024)
"""Larger limits for frames of a server: a lobby lists many rooms, a snapshot contains whole boards."""

SMALL = 128
"""The size up to which the parsers' own limits are enough to bound memory."""


class FrameError(ValueError):
    """Raised for a frame beyond a limit, with a reason of `reasons.py`."""

    def __init__(self, reason: str, **fields: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.fields = fields


def _own_length(first: int) -> int:
    """The length of a msgpack value if its first byte determines it, else 0."""
    if first < 0x80 or first >= 0xE0 or first in (0xC0, 0xC2, 0xC3):  # small integer, nil, boolean
        return 1
    if 0xA0 <= first < 0xC0:  # short string
        return 1 + first - 0xA0
    return {0xCC: 2, 0xCD: 3, 0xCE: 5, 0xCF: 9, 0xD0: 2, 0xD1: 3, 0xD2: 5, 0xD3: 9}.get(first, 0)


def _inside(first: int) -> int:
    """The number of values in a short map or list, read from its first byte; -1 for any other value."""
    if 0x80 <= first <= 0x8F:
        return (first & 15) * 2
    return first & 15 if 0x90 <= first <= 0x9F else -1


_LENGTHS = bytes(map(_own_length, range(256)))
_INSIDE = tuple(map(_inside, range(256)))
_FLOAT32, _FLOAT64, _STR8, _STR16, _ARRAY16, _MAP16 = 0xCA, 0xCB, 0xD9, 0xDA, 0xDC, 0xDE


def scan_msgpack(frame: bytes, bounds: Bounds) -> None:
    """Raises FrameError unless `frame` is exactly one msgpack value within `bounds`."""
    if len(frame) > bounds.frame:
        raise FrameError("frameTooLong", most=bounds.frame)
    at, items, awaited = 0, 1, 1
    outer: list[int] = []  # the number of values that the surrounding containers still need
    try:
        while awaited or outer:
            if not awaited:
                awaited = outer.pop()
                continue
            awaited -= 1
            length = _LENGTHS[frame[at]]
            if length:
                at += length
                continue
            length, count = 1, _INSIDE[frame[at]]
            if count < 0:
                length, count = _long(frame, at)
            at += length
            if count < 0:
                continue
            items += count
            if items > bounds.items:
                raise FrameError("tooManyValues", most=bounds.items)
            outer.append(awaited)
            if len(outer) > bounds.depth:
                raise FrameError("tooDeep", most=bounds.depth)
            awaited = count
    except IndexError:
        at = -1
    if at != len(frame):
        raise FrameError("goesOn")


def _long(frame: bytes, at: int) -> tuple[int, int]:
    """The length of the value at `at`, and the number of values that follow inside it (-1: it is no
    container).
    """
    first = frame[at]
    if first == _STR8:
        return 2 + frame[at + 1], -1
    if first == _STR16:
        return 3 + _uint16(frame, at), -1
    if first == _ARRAY16:
        return 3, _uint16(frame, at)
    if first == _MAP16:
        return 3, _uint16(frame, at) * 2
    if first in (_FLOAT32, _FLOAT64):
        return _finite(frame, at), -1
    raise FrameError("notNeeded")


def _uint16(frame: bytes, at: int) -> int:
    return frame[at + 1] << 8 | frame[at + 2]


def _finite(frame: bytes, at: int) -> int:
    """The length of the float at `at`. Raises FrameError if the float is infinite or not a number."""
    length, ones = (5, 0x7F80) if frame[at] == _FLOAT32 else (9, 0x7FF0)
    if _uint16(frame, at) & ones == ones:
        raise FrameError("notFinite")
    return length


_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]|[^\s,:\[\]{}"]+', re.DOTALL)
"""A string, a bracket, or other text between separators. The pattern is possessive, so it never
backtracks.
"""


def scan_json(frame: bytes, bounds: Bounds) -> None:
    """Raises FrameError unless `frame` is within `bounds`; the parser decides whether it is valid JSON."""
    if len(frame) > bounds.frame:
        raise FrameError("frameTooLong", most=bounds.frame)
    items = 0
    inside = [0]  # the number of values so far in each open container
    for token in _TOKEN.finditer(frame):
        first = frame[token.start()]
        if first in b"]}":
            most = bounds.array if first == 0x5D else bounds.map * 2
            if inside.pop() > most or not inside:
                raise FrameError("longOrOpenList")
            continue
        items += 1
        inside[-1] += 1
        if items > bounds.items:
            raise FrameError("tooManyValues", most=bounds.items)
        if first in b"[{":
            inside.append(0)
            if len(inside) - 1 > bounds.depth:
                raise FrameError("tooDeep", most=bounds.depth)
