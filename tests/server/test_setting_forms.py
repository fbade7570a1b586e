"""Settings that are read as something else than they are written."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from tablero_server.setting_forms import read_first_line
from tablero_server.settings import Settings


def test_of_a_file_the_first_line_counts(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text(" one \ntwo\n")
    assert read_first_line(str(file)) == "one"


@pytest.mark.parametrize(
    ("said", "path"), [("/", "/"), ("", "/"), ("games", "/games/"), ("/our/games.v2/", "/our/games.v2/")]
)
def test_a_path_has_a_slash_at_both_ends(said: str, path: str) -> None:
    assert Settings(base_path=said).base_path == path


@pytest.mark.parametrize("said", ["/a b/", "/ga?mes/", "/../", "https://games.example.org/x", "/ä/"])
def test_what_is_no_path_is_refused(said: str) -> None:
    with pytest.raises(ValidationError, match="is no path; write it as /games/"):
        Settings(base_path=said)


@pytest.mark.parametrize(
    ("url", "whole"),
    [
        ("postgresql://ann@db/games", "postgresql://ann:s%2Fcr%40t@db/games"),
        (
            "postgresql://ann@db:99/games?sslmode=disable",
            "postgresql://ann:s%2Fcr%40t@db:99/games?sslmode=disable",
        ),
        ("postgresql://ann:own@db/games", "postgresql://ann:own@db/games"),
        ("sqlite:///games.db", "sqlite:///games.db"),
    ],
)
def test_a_database_without_a_password_has_that_of_a_file(tmp_path: Path, url: str, whole: str) -> None:
    file = tmp_path / "password"
    file.write_text("s/cr@t\n")
    assert Settings(database=url, database_password_file=str(file)).database == whole


def test_a_password_that_cannot_be_read_matters_to_postgresql_alone(tmp_path: Path) -> None:
    file = str(tmp_path / "none")
    assert Settings(database="memory", database_password_file=file).database == "memory"
    with pytest.raises(ValidationError, match=r"Cannot read its password from .*none: No such file"):
        Settings(database="postgresql://ann@db/games", database_password_file=file)
