"""What the host has said to the server, kept as lines of JSON in a file that only its user may read.

Law: whatever changed something, or was refused, has a line; no token is ever in one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import structlog

from ..journal.sqlite_lock import begin_private

log = structlog.get_logger("tablero.host")

_MOST_BYTES = 1_000_000
SHOWN = 50
"""The newest lines."""


class Audit:
    def __init__(self, file: Path | None) -> None:
        """None: only the log of the server has them."""
        self._file = file

    def note(self, by: str, command: str, arguments: Mapping[str, str], refused: str) -> None:
        """`refused` is the reason, or nothing."""
        line = {"by": by, "command": command, **arguments, **({"refused": refused} if refused else {})}
        log.info("the host has said", **line)
        if self._file is None:
            return
        try:
            if self._file.exists() and self._file.stat().st_size > _MOST_BYTES:
                self._file.replace(self._file.with_name(f"{self._file.name}.old"))
            begin_private(self._file)
            with self._file.open("a", encoding="utf-8") as lines:
                lines.write(
                    json.dumps({"at": datetime.now(UTC).isoformat(timespec="seconds"), **line}) + "\n"
                )
        except OSError as error:
            log.warning("the host's commands are not kept", file=os.fspath(self._file), why=error.strerror)

    def newest(self) -> list[str]:
        """Oldest first."""
        if self._file is None or not self._file.exists():
            return []
        return self._file.read_text("utf-8").splitlines()[-SHOWN:]
