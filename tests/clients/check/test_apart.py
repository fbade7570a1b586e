"""Bots that end or hold up the process that checks them: somebody is left to say so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablero.check.apart import check_apart
from tablero.check.findings import Severity

BOT = """
import os, re
from tablero import Bot

class Mine(Bot):
    game = "tic-tac-toe"
    limit_seconds = 0.1

    def choose(self, turn):
        print("not for the report")
        if turn.ply > 2:
            LAST
        return turn.legal_moves[0]
"""


def found(folder: Path, last: str) -> tuple[str, str]:
    path = folder / "mine.py"
    path.write_text(BOT.replace("LAST", last))
    [worst] = [each for each in check_apart(f"{path}:Mine", 20).findings if each.verdict is Severity.FAIL]
    return worst.id, worst.sentence


def test_a_bot_that_ends_its_process_is_told_with_where_and_how(tmp_path: Path) -> None:
    id, sentence = found(tmp_path, "os._exit(3)")
    assert id == "crash"
    assert sentence.startswith("tic-tac-toe, seat 0, ply ")
    assert sentence.endswith(": it ended its process, with exit code 3. Raise an error.")


def test_a_bot_that_lets_nothing_else_run_is_ended(tmp_path: Path) -> None:
    id, sentence = found(tmp_path, "re.match(r'(a+)+$', 'a' * 60 + 'b')")
    assert id == "time"
    assert "nothing else could run for 6.1 s" in sentence


def test_a_file_that_ends_its_process_cannot_be_imported(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("import os; os._exit(0)")
    [finding] = check_apart(f"{path}:Mine", 20).findings
    assert (finding.id, finding.verdict) == ("found", Severity.FAIL)
    assert finding.sentence == "It cannot be imported: it ended its process, with exit code 0."


def test_what_a_bot_prints_is_not_in_the_report(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.py"
    path.write_text(BOT.replace("LAST", "pass"))
    report = check_apart(f"{path}:Mine", 20)
    assert report.exit_code == 0, str(report)
    assert "not for the report" not in capfd.readouterr().out
