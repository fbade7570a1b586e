"""Ends our side of a connection."""

from __future__ import annotations

import asyncio
from contextlib import suppress


def end_writing(transport: asyncio.Transport) -> None:
    """The peer may still finish reading. TLS has no half of an end: it closes, and reads on until it has."""
    if transport.can_write_eof():
        with suppress(OSError):  # asyncio's raises if the peer has reset just now; we hear of that anyway
            transport.write_eof()
    else:
        transport.close()
