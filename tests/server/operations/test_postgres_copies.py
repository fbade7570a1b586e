"""Dumps of PostgreSQL, put back."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import tracemalloc
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest

from tablero_server.core.effects import Effects
from tablero_server.journal import migrations
from tablero_server.operations import postgres_copies
from tablero_server.operations.copies import NoCopy
from tablero_server.operations.postgres_copies import Lines, Tools, back_up_postgres, put_back_postgres
from tests.harness.copies import check_backup_and_restore, check_nothing_is_revived
from tests.harness.databases import NOT_ON_POSTGRES, NOT_OURS, POSTGRES, Postgres, a_schema
from tests.harness.journal_entries import ANN, begin
from tests.harness.processes import done, said

pytestmark = [
    pytest.mark.skipif(POSTGRES is None, reason=NOT_ON_POSTGRES),
    pytest.mark.skipif(shutil.which("pg_dump") is None, reason="needs PostgreSQL's pg_dump"),
]


async def test_a_dump_of_postgres_under_load_is_restored_and_games_go_on_from_it(tmp_path: Path) -> None:
    async with a_schema() as place:
        await check_backup_and_restore(tmp_path, place.url, place.url)


async def test_a_dump_under_load_is_restored_under_another_schema_and_games_go_on_from_it(
    tmp_path: Path,
) -> None:
    async with a_schema() as place, a_schema() as other:
        await check_backup_and_restore(tmp_path, place.url, other.url)


async def test_a_dump_is_restored_in_another_database(tmp_path: Path) -> None:
    name, file = f"tablero_test_{token_hex(6)}", tmp_path / "dump"
    async with a_schema() as place:
        await fill(place)
        made = await done("backup", file, "--database", place.url)
        await place.ask(f"CREATE DATABASE {name}")
        try:
            url = urlunsplit(urlsplit(place.url)._replace(path=f"/{name}", query=""))
            restored = await done("restore", file, "--database", url)
            again = await done("backup", tmp_path / "again", "--database", url)
        finally:
            await place.ask(f"DROP DATABASE {name} WITH (FORCE)")
    assert restored["unknown"] is True
    assert {made["fingerprint"], restored["fingerprint"], again["fingerprint"]} == {made["fingerprint"]}


async def test_a_restore_of_postgres_revives_no_ended_token_and_no_ban(tmp_path: Path) -> None:
    async with a_schema() as place:
        await check_nothing_is_revived(place, tmp_path / "backup")


async def test_rooms_are_counted_on_from_those_of_the_dump(tmp_path: Path) -> None:
    file = tmp_path / "dump"
    async with a_schema() as place, a_schema() as other:
        await fill(place, "r1", "r2", "r3")
        await back_up_postgres(place.url, file)
        await put_back_postgres(file, other.url, replace=False)
        journal = await other.open()
        await journal.append([Effects([begin("r9")])])
        await journal.close()
        assert await other.ask("SELECT id FROM room ORDER BY number DESC LIMIT 1") == [("r9",)]


async def test_a_newer_dump_is_refused_and_an_older_one_may_replace_a_newer_database(tmp_path: Path) -> None:
    """The way back after an update."""
    older, newer = tmp_path / "older", tmp_path / "newer"
    async with a_schema() as place:
        await fill(place)
        await back_up_postgres(place.url, older)
        await place.ask("UPDATE meta SET revision = 9999")
        await back_up_postgres(place.url, newer)
        code, text = await said("restore", newer, "--database", place.url, "--replace")
        assert (code, f"{newer} was written by a newer Tablero (schema 9999)" in text) == (1, True), text
        assert await place.ask("SELECT revision FROM meta") == [(9999,)]
        assert (await done("restore", older, "--database", place.url, "--replace"))["unknown"]
        assert await place.ask("SELECT revision FROM meta") == [(migrations.newest(),)]


async def test_what_is_not_ours_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    file, theirs = tmp_path / "dump", tmp_path / "theirs"
    async with a_schema() as place, a_schema() as other:
        await fill(place)
        await back_up_postgres(place.url, file)
        await other.script(NOT_OURS)
        dump = [
            "pg_dump",
            "--format=custom",
            f"--schema={other.schema}",
            f"--file={theirs}",
            Tools.of(other.url).url,
        ]
        await asyncio.to_thread(subprocess.run, dump, check=True)
        for arguments in (("backup", tmp_path / "copy"), ("restore", file, "--replace")):
            code, text = await said(*arguments, "--database", other.url)
            assert (code, "has tables of another program" in text) == (1, True), text
        assert await other.ask("SELECT id FROM player") == [("ann0",)]
        code, text = await said("restore", theirs, "--database", place.url, "--replace")
        assert (code, f"{theirs} is no backup: another program or an unreleased Tablero made it" in text) == (
            1,
            True,
        ), text
        assert await place.ask("SELECT id FROM room") == [("r1",)]


async def test_a_failed_restore_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "dump"
    async with a_schema() as place, a_schema() as other:
        code, text = await said("backup", file, "--database", other.url)
        assert (code, "has nothing of Tablero yet" in text) == (1, True), text
        await fill(place)
        await done("backup", file, "--database", place.url)
        await place.ask("CREATE VIEW seen AS SELECT id FROM player")
        await place.ask("ALTER TABLE room ADD COLUMN more INTEGER")
        file.write_bytes(file.read_bytes()[:-500])
        code, text = await said("restore", file, "--database", place.url, "--replace")
        assert (code, text.startswith("pg_restore says: ")) == (1, True), text
        assert await place.ask("SELECT more FROM room") == [(None,)]
        code, text = await said("restore", file, "--database", f"{place.url}_none")
        assert (code, text.startswith("pg_restore says: ")) == (1, True), text


async def test_what_the_database_refuses_is_told_and_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "dump"
    async with a_schema() as place:
        await fill(place)
        await place.ask("ALTER TABLE room ADD COLUMN more INTEGER")
        await back_up_postgres(place.url, file)
        code, text = await said("restore", file, "--database", place.url, "--replace")
        assert (code, text.count("\n")) == (1, 1), text
        assert 'PostgreSQL says: column "more" of relation "room" does not exist.' in text
        assert await place.ask("SELECT id, more FROM room") == [("r1", None)]
        code, text = await said("restore", file, "--database", f"{place.url}_none")
        assert (code, "lacks the schema of its search_path" in text) == (1, True), text


async def test_neither_a_backup_nor_a_restore_holds_the_dump_in_memory(tmp_path: Path) -> None:
    file = tmp_path / "dump"
    async with a_schema() as place, a_schema() as other:
        await fill(place)
        await place.ask(
            "INSERT INTO record (room, seq, kind, at, body) SELECT 1, n, 'said', 1, "
            "decode(repeat(md5(n::text), 64), 'hex') FROM generate_series(100, 16099) n"
        )
        tracemalloc.start()
        made = await back_up_postgres(place.url, file)
        await put_back_postgres(file, other.url, replace=False)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert made["record"].count > 16_000
    assert most < 6_000_000, "33 MB of rows"


async def test_what_is_not_what_the_dump_holds_is_rolled_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, load = tmp_path / "dump", postgres_copies._load

    async def lose_one(connection: Any, tools: Tools, file: Path, table: str) -> None:
        await load(connection, tools, file, table)
        await connection.execute("DELETE FROM player")

    async with a_schema() as place:
        await fill(place)
        await back_up_postgres(place.url, file)
        monkeypatch.setattr(postgres_copies, "_load", lose_one)
        with pytest.raises(NoCopy, match="What was read back differs"):
            await put_back_postgres(file, place.url, replace=True)
        assert await place.ask("SELECT id FROM player") == [("ann0",)]


async def fill(place: Postgres, *rooms: str) -> None:
    journal = await place.open()
    await journal.append([Effects(list(map(begin, rooms or ("r1",))), kept=[ANN])])
    await journal.close()


def test_a_password_goes_into_no_command_line() -> None:
    tools = Tools.of("postgresql://ann:pw@db:5433/games?search_path=x&sslmode=disable")
    assert tools.url == "postgresql://ann@db:5433/games?sslmode=disable"
    assert tools.environment["PGPASSWORD"] == "pw"
    asked = Tools.of("postgresql://ann@db/games?password=pw")
    assert (asked.url, asked.environment["PGPASSWORD"]) == ("postgresql://ann@db/games", "pw")


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_lines_are_whole_wherever_pieces_end(size: int) -> None:
    text, lines = b"one\n\nthree\nfour", Lines()
    cut = [line for at in range(0, len(text), size) for line in lines.of(text[at : at + size])]
    assert cut == [b"one", b"", b"three"]


def speaking(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> Tools:
    """Tools of which pg_restore is a script."""
    program = folder / "pg_restore"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return Tools.of("postgresql://db/games")


async def test_rows_are_those_of_the_table_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = ("SET a = 1;", 'COPY "My s".room (id, "at") FROM stdin;', "r1\t1", "r2\t2", "\\.", "SET b = 2;")
    script = "\n".join(f"printf '%s\\n' '{line}'" for line in told)
    tools, columns = speaking(tmp_path, monkeypatch, script), list[str]()
    rows = [row async for some in tools.rows(tmp_path, "room", columns.extend) for row in some]
    assert (columns, rows) == (["id", "at"], [b"r1\t1", b"r2\t2"])


async def test_what_a_tool_complains_of_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = speaking(tmp_path, monkeypatch, "echo first >&2; echo last >&2; exit 1")
    with pytest.raises(NoCopy, match=r"^pg_restore says: last$"):
        [row async for row in tools.rows(tmp_path, "room", print)]


async def test_a_tool_that_is_missing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoCopy, match=r"^pg_restore is missing: install PostgreSQL's client programs"):
        [row async for row in Tools.of("postgresql://db/games").rows(tmp_path, "room", print)]
