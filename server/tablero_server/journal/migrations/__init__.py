"""From any older schema to the newest, by Alembic's revisions in `versions`, as SQL for either database.

The SQL is made without a connection, so that neither database needs a second driver.
"""

from __future__ import annotations

from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any, Literal

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory

FOLDER = Path(__file__).parent


@cache
def scripts(folder: Path = FOLDER) -> ScriptDirectory:
    return ScriptDirectory(folder, version_locations=[folder / "versions"])


def newest(folder: Path = FOLDER) -> str:
    head = scripts(folder).get_current_head()
    assert head is not None
    return head


def is_known(revision: str, folder: Path = FOLDER) -> bool:
    return revision in {script.revision for script in scripts(folder).walk_revisions()}


def upgrade(
    dialect: Literal["sqlite", "postgresql"],
    start: str | None,
    end: str = "head",
    folder: Path = FOLDER,
) -> str:
    """The SQL that leads from revision `start` to `end`; without `start`, from an empty database."""

    def steps(revision: Any, context: Any) -> Any:
        return scripts(folder)._upgrade_revs(end, revision)

    text = StringIO()
    environment = EnvironmentContext(
        Config(), scripts(folder), fn=steps, as_sql=True, starting_rev=start, destination_rev=end
    )
    with environment:
        environment.configure(dialect_name=dialect, output_buffer=text)
        environment.run_migrations()
    return text.getvalue()
