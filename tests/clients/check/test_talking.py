"""A zoo of engines, each with one thing wrong: the check finds it, under its own id."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablero.check.findings import Report, Severity
from tablero.check.talking import Patience, Talk
from tests.harness.engines import GOOD, changed, command

PLAY = "play(legal[0])"
BYE = '    elif kind == "bye":'
COUNT = """    elif kind == "joined":
        games += 1
        if games == 2:
            1 / 0
"""
HURRIED = Patience(late=5, ending=10)
"""Never waited for, where the engine answers."""
SHORT = Patience(late=0.2, ending=0.2, hello=5)


def found(source: str, patience: Patience = HURRIED) -> dict[str, Severity]:
    """What is not fine."""
    report = Report("zoo")
    Talk(command(source), report, patience).run()
    return {each.id: each.verdict for each in report.findings if each.verdict is not Severity.OK}


def test_a_good_engine_has_nothing_wrong() -> None:
    assert found(GOOD) == {}


ZOO = {
    "ends at once": ("", {"hello": Severity.FAIL}),
    "ends without a word": ("import os; os._exit(3)", {"hello": Severity.FAIL}),
    "plays nothing": (changed(('"tic-tac-toe", "connect-four"', '"chess"')), {"game": Severity.FAIL}),
    "plays something unknown": (changed(('"connect-four"', '"chess"')), {"game": Severity.WARN}),
    "has no name": (changed((', name="Zoo animal"', "")), {"hello": Severity.WARN}),
    "crashes at what it does not know": (
        changed((BYE, f'    elif kind == "xyzzy":\n        1 / 0\n{BYE}')),
        {"unknown": Severity.FAIL},
    ),
    "crashes in its second game": (
        changed(("for line", "games = 0\nfor line"), (BYE, COUNT + BYE)),
        {"games": Severity.FAIL},
    ),
    "chatters": (changed((PLAY, f'print("hmm"); {PLAY}')), {"stdout": Severity.WARN}),
    "plays twice": (changed((PLAY, f"{PLAY}; {PLAY}")), {"untimely": Severity.WARN}),
    "plays at another ply first": (
        changed((PLAY, f'play("1", ply=77); {PLAY}')),
        {"untimely": Severity.WARN},
    ),
    "crashes at once": (changed(("legal[0]", "legal[999]")), {"crash": Severity.FAIL}),
    "plays what is not legal": (changed(("legal[0]", '"z9"')), {"turn": Severity.FAIL}),
    "writes moves otherwise": (changed(("legal[0]", "legal[0].upper()")), {"notation": Severity.WARN}),
    "ends with an error": (changed(("        break", "        sys.exit(3)")), {"bye": Severity.WARN}),
    "prints and prints": (
        "while True: print('x')",
        {"hello": Severity.FAIL, "stdout": Severity.WARN},
    ),
}


@pytest.mark.parametrize(("source", "wrong"), ZOO.values(), ids=ZOO)
def test_what_is_wrong_with_an_engine_is_found(source: str, wrong: dict[str, Severity]) -> None:
    assert found(source) == wrong


SLOW = {
    "never moves": (changed((PLAY, "pass")), {"turn": Severity.FAIL}),
    "moves once": (changed((PLAY, f'event["ply"] > 1 or {PLAY}')), {"turn": Severity.FAIL}),
    "ignores bye": (
        changed(("        break", "        pass")) + "while True: pass\n",
        {"bye": Severity.FAIL, "eof": Severity.FAIL},
    ),
    "never ends a line": (
        "while True: print('x', end='')",
        {"hello": Severity.FAIL},
    ),
}


@pytest.mark.parametrize(("source", "wrong"), SLOW.values(), ids=SLOW)
def test_what_an_engine_does_not_do_in_time_is_found(source: str, wrong: dict[str, Severity]) -> None:
    patience = replace(SHORT, hello=0.5) if "hello" in wrong else SHORT
    assert wrong.items() <= found(source, patience).items()


def test_a_silent_engine_is_told_what_to_print() -> None:
    report = Report("silent")
    Talk(command("import sys; sys.stdin.read()"), report, Patience(hello=0.2)).run()
    [_, hello] = report.findings
    assert (hello.id, hello.verdict) == ("hello", Severity.FAIL)
    assert hello.sentence.endswith(" s. Print `hello` as a line of JSON, and flush.")


@pytest.mark.parametrize("line", ["/nowhere/engine", "'", ""])
def test_a_command_that_cannot_start_is_explained(line: str) -> None:
    report = Report(line)
    assert Talk(line, report, HURRIED).run() is None
    [finding] = report.findings
    assert (finding.id, finding.verdict) == ("found", Severity.FAIL)


def test_one_game_of_several_is_tried_alone() -> None:
    report = Report("zoo")
    assert Talk(command(GOOD), report, HURRIED).run("connect-four")
    assert report.exit_code == 0
    report = Report("zoo")
    Talk(command(GOOD), report, HURRIED).run("quoridor")
    assert [each.id for each in report.findings if each.verdict is Severity.FAIL] == ["game"]
