"""Ends our side of a connection."""

from __future__ import annotations

import asyncio
from contextlib import suppress


def end_writing(transport: asyncio.Transport) -> None:
    """Ends this side; the peer may still read the rest. TLS can't end one side only, so the connection closes
    after the last write.
    """
    if transport.can_write_eof():
        # asyncio raises if the peer has just reset the connection, which is reported anyway
        with suppress(OSError):
            transport.write_eof()
    else:
        transport.close()
