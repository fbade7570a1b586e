"""The token of the host's pages: in a file of the host alone, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablero_server.host.admin import beside
from tablero_server.host.token import NoToken, is_right, write
from tests.harness.command_line import tablero


def test_it_is_made_once_and_another_one_ends_the_first(tmp_path: Path) -> None:
    file = tmp_path / "made" / "token"
    assert write(file, new=False)
    first = file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    assert len(first.strip()) == 43
    assert not write(file, new=False)
    assert file.read_text() == first
    assert is_right(file, f"Bearer {first}")
    assert write(file, new=True)
    assert not is_right(file, f"Bearer {first}")
    assert is_right(file, f"bearer {file.read_text().strip()}")
    assert [path.name for path in file.parent.iterdir()] == ["token"]


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Bearer x", "Basic {}", "{}", "Bearer ü", "Bearer {}x"]
)
def test_nothing_else_opens(tmp_path: Path, header: str) -> None:
    write(tmp_path / "token", new=False)
    assert not is_right(tmp_path / "token", header.format((tmp_path / "token").read_text().strip()))


def test_a_file_that_others_may_read_or_that_is_empty_opens_nothing(tmp_path: Path) -> None:
    file = tmp_path / "token"
    assert not is_right(file, "Bearer ")
    assert not is_right(None, "Bearer ")
    write(file, new=False)
    header = f"Bearer {file.read_text()}"
    file.chmod(0o640)
    assert not is_right(file, header)
    with pytest.raises(NoToken, match="Others may read"):
        write(file, new=False)
    file.chmod(0o600)
    file.write_text("")
    assert not is_right(file, "Bearer ")
    with pytest.raises(NoToken, match="has no token"):
        write(file, new=False)


def test_the_command_says_where_it_is_and_never_what(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_ADMIN", str(tmp_path / "admin"))
    file = beside(tmp_path / "admin", "token")
    assert file is not None
    code, text = tablero("admin", "token")
    page = "Open http://127.0.0.1:8471/ and paste it there.\n"
    assert (code, text) == (0, f"The token of the host's pages is now in {file}.\n{page}")
    assert file.read_text().strip() not in text
    assert tablero("admin", "token")[1].startswith(f"The token of the host's pages is in {file}.")
    monkeypatch.delenv("TABLERO_ADMIN")
    monkeypatch.setenv("TABLERO_DATABASE", "memory")
    assert tablero("admin", "token")[0] == 2
