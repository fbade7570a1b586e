"""What hosts have said is kept, for the host alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from tablero_server.host import audit
from tablero_server.host.audit import SHOWN, Audit


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
    monkeypatch.setattr(audit, "_MOST_BYTES", 10)
    kept.note("socket", "last", {}, "")
    assert len(kept.newest()) == 1
    assert len((tmp_path / "audit.old").read_text().splitlines()) == SHOWN + 1


def test_without_a_file_the_log_has_them_and_a_folder_that_is_gone_costs_a_warning(tmp_path: Path) -> None:
    with capture_logs() as logged:
        Audit(None).note("socket", "drain", {}, "")
        Audit(tmp_path / "gone" / "audit").note("socket", "drain", {}, "")
    assert [line["log_level"] for line in logged] == ["info", "info", "warning"]
    assert Audit(None).newest() == []
