"""A checksum of a viewer's state, by which a client notices that its own state is wrong.

Law: the checksum is computed only from the message itself, so it reveals nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
EVERY = 8
"""The number of plies between two events with a hash."""


def state_hash(seats: Sequence[int], view: Mapping[str, Any]) -> str:
    """CRC-32, in eight hex digits, of `[seats, view]` as JSON with sorted keys and without spaces."""
    return f"{crc32(_CANONICAL.encode([list(seats), view]).encode()):08x}"
