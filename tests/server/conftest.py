"""The databases that the journal's one suite runs on, and a folder for the host's socket."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.harness.databases import NOT_ON_POSTGRES, POSTGRES, Postgres, Sqlite, a_schema

ON_POSTGRES = pytest.param("postgres", marks=pytest.mark.skipif(POSTGRES is None, reason=NOT_ON_POSTGRES))


@pytest.fixture(params=["sqlite", ON_POSTGRES])
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Sqlite | Postgres]:
    """One that outlives its journal, and guards what is in it."""
    if request.param == "sqlite":
        yield Sqlite(tmp_path)
    else:
        async with a_schema() as schema:
            yield schema


@pytest.fixture
async def postgres() -> AsyncIterator[Postgres]:
    if POSTGRES is None:
        pytest.skip(NOT_ON_POSTGRES)
    async with a_schema() as schema:
        yield schema


@pytest.fixture
def folder() -> Iterator[Path]:
    """With a short name: the path of a socket has few letters."""
    with TemporaryDirectory() as name:
        yield Path(name)
