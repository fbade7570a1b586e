"""What several commands take and say alike."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from tablero import cli
from tablero.catalogue.speech import catalogue, spoken
from tablero.cli_options import PLAIN, Language, address, player_name


def test_an_address_is_made_whole() -> None:
    assert address("localhost:9000") == "ws://localhost:9000/ws"


def test_what_is_no_address_ends_the_program_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended:
        address("ftp://x")
    assert ended.value.exit_code == 2
    assert "is not an address" in capsys.readouterr().err


def test_a_name_is_said_or_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_NAME", "Ben")
    assert (player_name("Ana"), player_name(None)) == ("Ana", "Ben")


@pytest.mark.parametrize(
    ("arguments", "environment", "language"),
    [
        ([], {}, "en"),
        ([], {"LANG": "es_ES.UTF-8"}, "es"),
        ([], {"LANG": "es_ES.UTF-8", "TABLERO_LANG": "fr"}, "fr"),
        (["--lang", "es"], {"TABLERO_LANG": "fr"}, "es"),
    ],
)
def test_a_language_is_said_or_in_the_environment_or_in_the_locale(
    arguments: list[str], environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TABLERO_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    app = typer.Typer()

    @app.command()
    def hello(lang: Language = None) -> None:
        typer.echo(f"{lang} {spoken()}")

    assert CliRunner().invoke(app, arguments).output == f"{language} {language}\n"


def test_an_unknown_language_ends_the_program_with_a_sentence() -> None:
    result = CliRunner().invoke(cli.app, ["verify", "--lang", "de", __file__])
    assert result.exit_code == 2
    assert "There is no language 'de' here" in result.output


def test_a_terminal_without_accents_is_shown_plain_letters() -> None:
    record = Path(__file__).parents[1] / "games" / "record" / "older" / "tic-tac-toe.record"
    command = [sys.executable, "-m", "tablero", "verify", "--lang", "es", str(record)]
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    assert subprocess.run(command, capture_output=True, env=ascii_only, check=True).stdout == b"valido\n"


@pytest.mark.parametrize(
    ("text", "encoding", "shown"),
    [
        ("À toi, bientôt : déjà « là ».", "ascii", 'A toi, bientot : deja " la ".'),
        ("¿Querías decir «año»?", "ascii", 'Querias decir "ano"?'),
        ("✕ à ½", "ascii", "? a 1?2"),
        ("À toi ✕", "latin-1", "À toi ?"),
        ("À toi ✕", "utf-8", "À toi ✕"),
    ],
)
def test_a_letter_that_is_missing_loses_its_accent(text: str, encoding: str, shown: str) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors=PLAIN)
    out.write(text)
    out.seek(0)
    assert out.read() == shown


@pytest.mark.parametrize("language", ["fr", "es"])
def test_all_that_is_translated_can_be_read_in_any_terminal(language: str) -> None:
    for forms in catalogue(language).messages.values():
        for form in forms:
            assert form.encode("ascii", PLAIN).count(b"?") <= form.count("?"), form
