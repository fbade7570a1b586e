"""The library for playing at a Tablero server or writing a bot: `from tablero import Bot, run, connect,
Event`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .bot import Bot, Resign, Turn
    from .bots.run_bot import run
    from .client.connection import connect
    from .errors import Disconnected, InsecureServer, Refused
    from .event import Event

__all__ = ["Bot", "Disconnected", "Event", "InsecureServer", "Refused", "Resign", "Turn", "connect", "run"]

_HOMES = {
    "Bot": "bot",
    "Disconnected": "errors",
    "Event": "event",
    "InsecureServer": "errors",
    "Refused": "errors",
    "Resign": "bot",
    "Turn": "bot",
    "connect": "client.connection",
    "run": "bots.run_bot",
}


def __getattr__(name: str) -> Any:
    """Import a public name at its first use, so that the command line starts quickly."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
