"""What the tools of PostgreSQL are told, and how what they say is cut into rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablero_server.operations.copies import NoCopy
from tablero_server.operations.postgres_tools import Lines, Tools


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
