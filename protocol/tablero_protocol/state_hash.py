"""A checksum of what a viewer sees, by which a client notices that its state is wrong.

Law: it is computed from nothing but the message's own content, so it reveals nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
EVERY = 8
"""Plies from one event with a hash to the next."""


def state_hash(seats: Sequence[int], view: Mapping[str, Any]) -> str:
    """CRC-32, in eight hex digits, of `[seats, view]` as JSON with sorted keys and without spaces."""
    return f"{crc32(_CANONICAL.encode([list(seats), view]).encode()):08x}"
