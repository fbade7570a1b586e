"""A password that services share is made once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tablero_server.operations.new_secret import make


def test_it_is_made_once_for_everybody_who_has_the_volume(tmp_path: Path) -> None:
    file = tmp_path / "postgres"
    tmp_path.joinpath(".postgres-new").write_text("half a password")
    make(file)
    made = file.read_text()
    assert len(made.strip()) >= 40
    assert file.stat().st_mode & 0o777 == 0o444
    make(file)
    assert file.read_text() == made
    assert list(tmp_path.iterdir()) == [file]


def test_two_are_never_alike_and_nothing_is_printed(tmp_path: Path) -> None:
    for name in ("a", "b"):
        command = [sys.executable, "-m", "tablero_server.operations.new_secret", str(tmp_path / name)]
        assert subprocess.run(command, check=True, capture_output=True).stdout == b""
    assert (tmp_path / "a").read_text() != (tmp_path / "b").read_text()
