"""The host's files: where they are, that only the host reads them, and what is in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from tablero_server.host import files
from tablero_server.host.files import SHOWN, Audit, NoToken, is_right_token, place, write_token
from tablero_server.settings import Settings


@pytest.mark.parametrize(
    ("settings", "end"),
    [
        ({"database": "sqlite:////tmp/games.db"}, "/tmp/games.db.admin"),
        ({"database": ""}, "/tablero/tablero.db.admin"),
        ({"database": "postgresql://u@h/n"}, "/tablero/postgresql-n-79b7645c.admin"),
        ({"database": "memory", "admin": "/run/tablero"}, "/run/tablero"),
    ],
)
def test_the_socket_is_beside_the_database(settings: dict[str, Any], end: str) -> None:
    assert str(place(Settings(**settings))).endswith(end)
    assert place(Settings(database="memory")) is None


def test_each_database_of_postgres_has_a_place_of_its_own_whoever_asks() -> None:
    databases = ("u@h/n", "u@h/other", "u@other/n", "u@h:5433/n", "u@h/n?search_path=s", "n@h")
    places = {each: place(Settings(database=f"postgresql://{each}")) for each in databases}
    assert len(set(places.values())) == len(databases) - 1, "n is the database of n"
    for same in ("other@h/n", "u:password@h/n", "u@h:5432/n", "u@h/n?password=p"):
        assert place(Settings(database=f"postgresql://{same}")) == places["u@h/n"]


def test_it_is_made_once_and_another_one_ends_the_first(tmp_path: Path) -> None:
    file = tmp_path / "made" / "token"
    assert write_token(file, new=False)
    first = file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    assert len(first.strip()) == 43
    assert not write_token(file, new=False)
    assert file.read_text() == first
    assert is_right_token(file, f"Bearer {first}")
    assert write_token(file, new=True)
    assert not is_right_token(file, f"Bearer {first}")
    assert is_right_token(file, f"bearer {file.read_text().strip()}")
    assert [path.name for path in file.parent.iterdir()] == ["token"]


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Bearer x", "Basic {}", "{}", "Bearer ü", "Bearer {}x"]
)
def test_nothing_else_opens(tmp_path: Path, header: str) -> None:
    write_token(tmp_path / "token", new=False)
    assert not is_right_token(tmp_path / "token", header.format((tmp_path / "token").read_text().strip()))


def test_a_file_that_others_may_read_or_that_is_empty_opens_nothing(tmp_path: Path) -> None:
    file = tmp_path / "token"
    assert not is_right_token(file, "Bearer ")
    assert not is_right_token(None, "Bearer ")
    write_token(file, new=False)
    header = f"Bearer {file.read_text()}"
    file.chmod(0o640)
    assert not is_right_token(file, header)
    with pytest.raises(NoToken, match="Others may read"):
        write_token(file, new=False)
    file.chmod(0o600)
    file.write_text("")
    assert not is_right_token(file, "Bearer ")
    with pytest.raises(NoToken, match="has no token"):
        write_token(file, new=False)


def test_a_command_has_a_line_with_who_what_and_whether_it_was_refused(tmp_path: Path) -> None:
    kept = Audit(tmp_path / "audit")
    assert kept.newest() == []
    with capture_logs() as logged:
        kept.note("socket", "ban", {"player": "ben"}, "")
        kept.note("page", "kick", {"player": "x"}, "nobodyCalledThat")
    lines = [json.loads(line) for line in kept.newest()]
    at = [line.pop("at") for line in lines]
    assert lines == [
        {"by": "socket", "command": "ban", "player": "ben"},
        {"by": "page", "command": "kick", "player": "x", "refused": "nobodyCalledThat"},
    ]
    assert all(text.endswith("+00:00") for text in at)
    assert [line["command"] for line in logged] == ["ban", "kick"]
    assert (tmp_path / "audit").stat().st_mode & 0o777 == 0o600


def test_it_fills_no_disk_and_shows_the_newest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Audit(tmp_path / "audit")
    for number in range(SHOWN + 1):
        kept.note("socket", str(number), {}, "")
    assert (len(kept.newest()), '"command": "1"' in kept.newest()[0]) == (SHOWN, True)
    monkeypatch.setattr(files, "_MOST_OF_AN_AUDIT", 10)
    kept.note("socket", "last", {}, "")
    assert len(kept.newest()) == 1
    assert len((tmp_path / "audit.old").read_text().splitlines()) == SHOWN + 1


def test_without_a_file_the_log_has_them_and_a_folder_that_is_gone_costs_a_warning(tmp_path: Path) -> None:
    with capture_logs() as logged:
        Audit(None).note("socket", "drain", {}, "")
        Audit(tmp_path / "gone" / "audit").note("socket", "drain", {}, "")
    assert [line["log_level"] for line in logged] == ["info", "info", "warning"]
    assert Audit(None).newest() == []
