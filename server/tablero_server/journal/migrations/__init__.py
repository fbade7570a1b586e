"""Migrations from any older schema to the newest: one SQL file for each revision and database.

Law: once a released Tablero has a file, the file never changes. A later change of the tables gets a new file.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

FOLDER = Path(__file__).parent

_NOTED = {"sqlite": "PRAGMA user_version = {0};", "postgresql": "UPDATE meta SET revision = {0};"}


def newest() -> int:
    return max(_revisions(FOLDER))


def upgrade(dialect: Literal["sqlite", "postgresql"], start: int = 0, end: int | None = None) -> str:
    """The SQL from revision `start` (0 is an empty database) to `end`, or to the newest revision."""
    end = end or newest()
    steps = [revision for revision in _revisions(FOLDER) if start < revision <= end]
    files = [(FOLDER / f"{revision:04}.{dialect}.sql").read_text("utf-8") for revision in steps]
    return "\n".join([*files, _NOTED[dialect].format(end)])


@cache
def _revisions(folder: Path) -> list[int]:
    return sorted({int(path.name.partition(".")[0]) for path in folder.glob("*.sql")})
