"""What several commands take and say alike."""

from __future__ import annotations

import pytest
import typer

from tablero.cli_options import address, player_name


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
