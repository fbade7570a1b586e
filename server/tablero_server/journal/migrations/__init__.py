"""From any older schema to the newest: the SQL files beside this one, one for each revision and database.

Law: a file never changes once a database was made with it; whatever comes later is a file of its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

FOLDER = Path(__file__).parent

Dialect = Literal["sqlite", "postgresql"]


def newest(folder: Path = FOLDER) -> str:
    return _revisions(folder)[-1]


def is_known(revision: str, folder: Path = FOLDER) -> bool:
    return revision in _revisions(folder)


def upgrade(dialect: Dialect, start: str | None, end: str | None = None, folder: Path = FOLDER) -> str:
    """The SQL that leads from revision `start` to `end`: from an empty database, to the newest."""
    end = end or newest(folder)
    steps = [revision for revision in _revisions(folder) if (start or "") < revision <= end]
    files = [(folder / f"{revision}.{dialect}.sql").read_text("utf-8") for revision in steps]
    # The table has the name that the first databases were made with.
    noted = f"DELETE FROM alembic_version;\nINSERT INTO alembic_version VALUES ('{end}');\n"  # noqa: S608
    return "\n".join([*files, noted])


def _revisions(folder: Path) -> list[str]:
    """All that there are, the oldest first."""
    return sorted({path.name.partition(".")[0] for path in folder.glob("*.sql")})
