"""Dumps of PostgreSQL, put back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablero_server.operations.postgres_copies import _Place
from tests.server.journal.places import NOT_ON_POSTGRES, POSTGRES, a_schema
from tests.server.operations.test_copies import check_backup_and_restore, check_nothing_is_revived, done, said


@pytest.mark.skipif(POSTGRES is None, reason=NOT_ON_POSTGRES)
async def test_a_dump_of_postgres_under_load_is_restored_and_games_go_on_from_it(tmp_path: Path) -> None:
    async with a_schema() as place:
        await check_backup_and_restore(tmp_path, place.url, place.url)


@pytest.mark.skipif(POSTGRES is None, reason=NOT_ON_POSTGRES)
async def test_a_restore_of_postgres_revives_no_ended_token_and_no_ban(tmp_path: Path) -> None:
    async with a_schema() as place:
        await check_nothing_is_revived(place, tmp_path / "backup")


@pytest.mark.skipif(POSTGRES is None, reason=NOT_ON_POSTGRES)
async def test_a_dump_of_another_schema_is_refused_and_a_failed_restore_changes_nothing(
    tmp_path: Path,
) -> None:
    file = tmp_path / "dump"
    async with a_schema() as place, a_schema() as other:
        await (await place.open()).close()
        await done("backup", file, "--database", place.url)
        code, text = await said("restore", file, "--database", other.url)
        assert (code, f"of another schema than {other.schema}" in text) == (1, True), text
        await place.ask("CREATE VIEW seen AS SELECT id FROM player")
        await place.ask("ALTER TABLE room ADD COLUMN more INTEGER")
        file.write_bytes(file.read_bytes()[:-500])
        code, text = await said("restore", file, "--database", place.url, "--replace")
        assert (code, text.startswith("pg_restore says: ")) == (1, True), text
        assert await place.ask("SELECT more FROM room") == []
        code, text = await said("backup", tmp_path / "second", "--database", other.url)
        assert (code, "has nothing of Tablero yet" in text) == (1, True), text


def test_a_password_goes_into_no_command_line() -> None:
    place = _Place.of("postgresql://ann:pw@db:5433/games?search_path=x&sslmode=disable", "x")
    assert place.url == "postgresql://ann@db:5433/games?sslmode=disable"
    assert place.environment["PGPASSWORD"] == "pw"
    asked = _Place.of("postgresql://ann@db/games?password=pw", "x")
    assert (asked.url, asked.environment["PGPASSWORD"]) == ("postgresql://ann@db/games", "pw")
