"""Creates a file with a random password for services that share it."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

_SHARED = 0o444
"""Readable for all: the services have different users, and only they mount the volume."""


def make(file: Path) -> None:
    """Writes the file completely or not at all. An existing file stays."""
    if not file.exists():
        new = file.with_name(f".{file.name}-new")
        new.unlink(missing_ok=True)
        with open(
            os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _SHARED), "w", encoding="ascii"
        ) as opened:
            opened.write(f"{secrets.token_urlsafe(32)}\n")
        new.chmod(_SHARED)
        new.rename(file)


if __name__ == "__main__":
    make(Path(sys.argv[1]))
