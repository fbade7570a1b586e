"""The trial of the pages: it needs a tool, says so without it, and passes on what that found."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from trials.api import JUDGED, main


def tool(folder: Path, exits: int) -> Path:
    """Stands in for Schemathesis: notes how it was called."""
    program = folder / "tool"
    program.write_text(
        f'#!/bin/sh\necho "$@" >> {folder}/called\n'
        f'env | grep -E "^(SCHEMATHESIS|TABLERO_TRIAL)_" >> {folder}/known\n'
        f"test -s $TABLERO_TRIAL_RECORD && exit {exits}\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


def test_without_the_tool_it_says_where_to_get_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--program", "no-such-tool"]) == 2
    assert "pip install schemathesis" in capsys.readouterr().err


@pytest.mark.parametrize(("exits", "expected"), [(0, 0), (1, 1)])
def test_what_the_tool_finds_fails_the_trial(tmp_path: Path, exits: int, expected: int) -> None:
    assert main(["--program", str(tool(tmp_path, exits)), "--examples", "3"]) == expected
    stranger, player, other, host = (tmp_path / "called").read_text().splitlines()
    assert "/api/openapi.json --checks all" in stranger
    assert "Authorization" not in stranger
    assert "Authorization: Bearer " in player
    assert "/openapi.json --checks all" in other
    assert "/api/openapi.json" not in other
    assert "--exclude-path /api/drain" in host
    assert len(host.rpartition("Authorization: Bearer ")[2]) == 43
    assert all(call.startswith(f"--config-file {JUDGED} run ") for call in (stranger, player, other, host))
    assert "SCHEMATHESIS_HOOKS=trials.api_hooks\n" in (tmp_path / "known").read_text()
