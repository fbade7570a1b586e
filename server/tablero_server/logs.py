"""The server's logs: JSON for machines, readable lines for people; never a token or a chat message."""

from __future__ import annotations

import logging
import sys
from typing import Literal

import structlog
from structlog.typing import EventDict, WrappedLogger

from tablero_protocol.text import without_controls


def set_up(form: Literal["auto", "json", "pretty"], level: str = "info") -> None:
    pretty = form == "pretty" or (form == "auto" and sys.stderr.isatty())
    renderer = (
        structlog.dev.ConsoleRenderer(pad_event_to=0, pad_level=False)
        if pretty
        else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper("%H:%M:%S" if pretty else "iso", utc=not pretty),
            structlog.processors.format_exc_info,
            _printable,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def _printable(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Removes control characters, so that text from strangers can't control the reader's terminal."""
    return {key: without_controls(value) if isinstance(value, str) else value for key, value in event.items()}
