"""A zoo of engines, each with one thing wrong: the check finds it, under its own id."""

from __future__ import annotations

import pytest

from tablero.check.findings import Report, Verdict
from tablero.check.talking import Patience, Talk
from tests.clients.engine.scripts import GOOD, changed, command

BESTMOVE = 'print("bestmove", legal[0])'
QUIT = '    elif word == "quit":'
COUNT = """    elif word == "newgame":
        games += 1
        if games == 2:
            1 / 0
"""
THREADED = """
import sys, threading
lock, stopped, legal = threading.Lock(), threading.Event(), []
def say(text):
    with lock:
        print(text, flush=True)
def think(move):
    stopped.wait(60)
    say("bestmove " + move)
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ubgi":
        say("id name Patient\\nid games tic-tac-toe\\nubgiok")
    elif word == "isready":
        say("readyok")
    elif word == "legal":
        legal = rest
    elif word == "go":
        stopped.clear()
        if rest[1] == "100":
            stopped.set()
        thinker = threading.Thread(target=think, args=(legal[0],), daemon=True)
        thinker.start()
    elif word == "stop":
        stopped.set()
    elif word == "quit":
        thinker.join()
        break
"""
HURRIED = Patience(ready=5, at_once=5, thinking=20, late=5, ending=10)
"""Never waited for, where the engine answers."""
SHORT = Patience(ready=0.2, at_once=0.2, thinking=0.3, late=0.2, ending=0.2, handshake=5)


def found(source: str, patience: Patience = HURRIED) -> dict[str, Verdict]:
    """What is not fine."""
    report = Report("zoo")
    Talk(command(source), report, patience).run()
    return {each.id: each.verdict for each in report.findings if each.verdict is not Verdict.OK}


@pytest.mark.parametrize("source", [GOOD, THREADED], ids=["answers at once", "thinks in a thread"])
def test_a_good_engine_has_nothing_wrong(source: str) -> None:
    assert found(source) == {}


ZOO = {
    "ends at once": ("", {"handshake": Verdict.FAIL}),
    "plays nothing": (changed(("tic-tac-toe connect-four", "chess")), {"game": Verdict.FAIL}),
    "plays something unknown": (changed(("connect-four", "chess")), {"game": Verdict.WARN}),
    "has no name": (changed(("id name Zoo animal", "")), {"handshake": Verdict.WARN}),
    "crashes at what it does not know": (
        changed((QUIT, '    elif word == "xyzzy":\n        1 / 0\n' + QUIT)),
        {"unknown": Verdict.FAIL},
    ),
    "crashes in its second game": (
        changed(("legal = []", "legal, games = [], 0"), (QUIT, COUNT + QUIT)),
        {"games": Verdict.FAIL},
    ),
    "chatters": (changed((BESTMOVE, f'print("hmm"); {BESTMOVE}')), {"stdout": Verdict.WARN}),
    "crashes at once": (changed(("legal[0]", "legal[999]")), {"crash": Verdict.FAIL}),
    "plays what is not legal": (changed(("legal[0]", '"z9"')), {"bestmove": Verdict.FAIL}),
    "writes moves otherwise": (changed(("legal[0]", "legal[0].upper()")), {"notation": Verdict.WARN}),
    "ends with an error": (changed(("        break", "        sys.exit(3)")), {"quit": Verdict.WARN}),
}


@pytest.mark.parametrize(("source", "wrong"), ZOO.values(), ids=ZOO)
def test_what_is_wrong_with_an_engine_is_found(source: str, wrong: dict[str, Verdict]) -> None:
    assert found(source) == wrong


SLOW = {
    "is not ready": (changed(('print("readyok")', "pass")), {"ready": Verdict.FAIL}),
    "never moves": (changed((BESTMOVE, "pass")), {"bestmove": Verdict.FAIL}),
    "ignores quit": (changed(("        break", "        pass")), {"quit": Verdict.FAIL}),
    "stays for ever": (
        GOOD + "    if not line: break\nif word != 'quit':\n    while True: pass\n",
        {"eof": Verdict.FAIL},
    ),
    "thinks and does not listen": (
        changed((BESTMOVE, f'import time; time.sleep(0 if rest[1] == "100" else 0.3); {BESTMOVE}')),
        {"thinking": Verdict.WARN},
    ),
    "ignores stop": (THREADED.replace('"stop"', '"halt"'), {"stop": Verdict.FAIL}),
}


@pytest.mark.parametrize(("source", "wrong"), SLOW.values(), ids=SLOW)
def test_what_an_engine_does_not_do_in_time_is_found(source: str, wrong: dict[str, Verdict]) -> None:
    assert wrong.items() <= found(source, SHORT).items()


def test_a_silent_engine_is_told_what_to_print() -> None:
    report = Report("silent")
    Talk(command("import sys; sys.stdin.read()"), report, Patience(handshake=0.2)).run()
    [_, handshake] = report.findings
    assert (handshake.id, handshake.verdict) == ("handshake", Verdict.FAIL)
    assert handshake.sentence.endswith("Print `id` lines and `ubgiok`, with newlines, and flush.")


@pytest.mark.parametrize("line", ["/nowhere/engine", "'", ""])
def test_a_command_that_cannot_start_is_explained(line: str) -> None:
    report = Report(line)
    assert Talk(line, report, HURRIED).run() is None
    [finding] = report.findings
    assert (finding.id, finding.verdict) == ("found", Verdict.FAIL)


def test_one_game_of_several_is_tried_alone() -> None:
    report = Report("zoo")
    assert Talk(command(GOOD), report, HURRIED).run("connect-four")
    assert report.exit_code == 0
    report = Report("zoo")
    Talk(command(GOOD), report, HURRIED).run("quoridor")
    assert [each.id for each in report.findings if each.verdict is Verdict.FAIL] == ["game"]
