"""Which command is told to open a port."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablero_server.reach.firewall import opened_by


@pytest.mark.parametrize(
    ("file", "text", "command"),
    [
        ("etc/ufw/ufw.conf", "# ENABLED=yes\nENABLED=no\n", None),
        ("etc/ufw/ufw.conf", "LOGLEVEL=low\nENABLED=yes\n", "sudo ufw allow 8470/tcp"),
        ("run/firewalld.pid", "77\n", "sudo firewall-cmd --add-port=8470/tcp"),
        ("nothing", "", None),
    ],
)
def test_a_firewall_that_is_on_is_told_with_its_command(
    tmp_path: Path, file: str, text: str, command: str | None
) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    assert opened_by(8470, tmp_path, "linux") == command


def test_windows_has_one_always(tmp_path: Path) -> None:
    assert "localport=8470" in (opened_by(8470, tmp_path, "win32") or "")
