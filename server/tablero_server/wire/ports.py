"""The port to listen on: the chosen port, otherwise the first free port from the usual port on."""

from __future__ import annotations

import errno
from collections.abc import Awaitable, Callable
from typing import TypeVar

_TRIED = 20
_Listening = TypeVar("_Listening")


async def open_free(usual: int, chosen: bool, open_at: Callable[[int], Awaitable[_Listening]]) -> _Listening:
    """Opens the port. If the port is taken and was not chosen by the host, opens the next free port. Raises
    OSError.
    """
    last = usual if chosen or not usual else min(usual + _TRIED, 65_535)
    for port in range(usual, last):
        try:
            return await open_at(port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    return await open_at(last)
