"""`tablero bot-check`: from a name to a verdict, as text, as JSON and as an exit code."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tablero import cli
from tablero.check.check import check, check_apart
from tablero.check.findings import Severity
from tests.harness.engines import GOOD, changed, command

SOURCE = """
from tablero import Bot

class Mine(Bot):
    game = "tic-tac-toe"
    def choose(self, turn):
        return turn.legal_moves[-1]

class Lost(Bot):
    pass

class Elsewhere(Bot):
    game = "chess"
"""


def bot_check(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli.app, ["bot-check", *arguments])
    return result.exit_code, result.output


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    return path


def test_a_good_bot_is_fine(file: Path) -> None:
    code, text = bot_check(f"{file}:Mine")
    assert (code, text.splitlines()[-1]) == (0, f"{file}:Mine is fine.")
    assert "ok   legal      Every move was legal: " in text


def test_a_bundled_level_can_be_checked_as_json() -> None:
    code, text = bot_check("tic-tac-toe:perfect", "--json", "--seconds", "20")
    report = json.loads(text)
    assert (code, report["bot"], report["verdict"]) == (0, "tic-tac-toe:perfect", "ok")
    assert [each["id"] for each in report["findings"]][:2] == ["found", "game"]


def test_an_engine_is_talked_to_and_played() -> None:
    code, text = bot_check("--", *shlex.split(command(GOOD)))
    assert code == 0, text
    assert {line.split()[1] for line in text.splitlines()[:-1] if line.startswith("ok ")} >= {"eof", "legal"}


def test_an_engine_that_cannot_talk_is_not_played() -> None:
    report = check(f"cmd:{command(changed(('legal[0]', '0')))}")
    assert [each.id for each in report.findings if each.verdict is Severity.FAIL] == ["turn"]
    assert "legal" not in [each.id for each in report.findings]


def test_an_engine_is_checked_for_one_of_its_games() -> None:
    report = check(f"connect-four:cmd:{command(GOOD)}")
    assert report.exit_code == 0
    assert ", 6 tables." in str(report)


@pytest.mark.parametrize(
    ("name", "id", "sentence"),
    [
        ("Other", "found", "its bots: Mine, Lost, Elsewhere."),
        ("Lost", "game", 'Write game = "tic-tac-toe"'),
        ("Elsewhere", "game", "There is no game 'chess'"),
    ],
)
def test_what_is_missing_is_said(file: Path, name: str, id: str, sentence: str) -> None:
    code, text = bot_check(f"{file}:{name}")
    assert code == 1
    [line] = [line for line in text.splitlines() if line.startswith("fail")]
    assert (line.split()[1], sentence in line) == (id, True)


@pytest.mark.parametrize("source", ["import nowhere", "def", "raise SystemExit(3)", "1 / 0"])
def test_a_file_that_does_not_load_is_said(tmp_path: Path, source: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(source)
    code, text = bot_check(f"{path}:Mine")
    assert (code, "fail found      It cannot be imported: " in text) == (1, True)


def test_wrong_use_is_explained() -> None:
    code, text = bot_check("greedy.py")
    assert (code, "-- python3 greedy.py" in text) == (2, True)
    assert bot_check()[0] == 2


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
