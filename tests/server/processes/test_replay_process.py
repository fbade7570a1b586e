"""What a replay is made of: any bytes at all come to a replay or to a refusal, within bounds."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablero_games import GAMES
from tablero_games.record.commitment import opening
from tablero_games.record.complaints import sentence_about
from tablero_games.record.file import write
from tablero_games.refusals import SENTENCES, filled
from tablero_server.processes import replay_process
from tablero_server.processes.replay_process import REFUSED, replayed
from tests.harness.games.records import SEED, lines_of, play, sealed_of
from tests.harness.games.variants import Variant

RACE: Variant = {"mode": "race", "width": 5, "height": 5, "mines": 4, "seats": 2}
VARIANTS: dict[str, Variant] = {
    "quoridor": {"size": 5},
    "minesweeper": RACE,
    "dots-and-boxes": {},
    "connect-four": {},
}
RECORDS = {name: write(play(GAMES[name], variant, seed=7)) for name, variant in VARIANTS.items()}
MUTATED = 400
"""Records, each forged anew in one or two places."""


def outcome_of(text: bytes) -> tuple[int, Any]:
    code, out = replayed(text)
    return code, json.loads(gzip.decompress(out) if code == 0 else out)


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_comes_to_its_replay(name: str) -> None:
    code, told = outcome_of(RECORDS[name].encode())
    assert (code, told["game"]) == (0, name)
    assert len(told["turns"]) == len(lines_of(RECORDS[name])) - 2


def test_a_wrong_line_is_named() -> None:
    text = RECORDS["quoridor"].replace('"at":1400', '"at":1401')
    assert outcome_of(text.encode()) == (
        REFUSED,
        {
            "reason": "recordInvalid",
            "fields": {
                "line": 5,
                "complaint": "This is not the line that followed line 4: one of the two was changed",
                "wrong": "lineChanged",
                "wrongFields": {"before": 4},
            },
        },
    )


def test_what_the_rules_refuse_is_told_by_their_reason() -> None:
    lines = lines_of(RECORDS["quoridor"])
    lines[1]["move"] = "z9"
    fields = outcome_of(sealed_of(lines).encode())[1]["fields"]
    assert (fields["line"], fields["wrong"]) == (2, "noCellOrWall")
    assert fields["complaint"] == filled(SENTENCES[fields["wrong"]], fields["wrongFields"]).removesuffix(".")


def test_a_game_that_hides_something_is_not_replayed() -> None:
    text = write(play(GAMES["minesweeper"], RACE, 0))
    assert outcome_of(text.encode()) == (REFUSED, {"reason": "replaySealed", "fields": {}})


def so_far(text: str, **seed: str) -> tuple[bytes, Any]:
    """What the process gets of a running game for seat 0, and what comes of it."""
    opened = {**opening(SEED), **seed}
    line = json.dumps({"seats": [0], "opened": opened}).encode() + b"\n"
    [(code, told)] = answers_to((line, text.encode()))
    assert code in (0, REFUSED)
    return line + text.encode(), told


def answers_to(*asked: tuple[bytes, bytes]) -> list[tuple[int, Any]]:
    """What one helper says to these lines and records."""
    command, answers = (
        [sys.executable, "-m", "tablero_server.processes.replay_process"],
        list[tuple[int, Any]](),
    )
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as helper:
        assert helper.stdin is not None
        assert helper.stdout is not None
        for line, text in asked:
            helper.stdin.write(b"+20000 %d %d\n" % (len(line), len(text)) + line + text)
            helper.stdin.flush()
            code, length = map(int, helper.stdout.readline().split())
            out = helper.stdout.read(length)
            answers.append((code, json.loads(out if code else gzip.decompress(out))))
        helper.stdin.close()
        assert helper.wait() == 0
    return answers


def test_whom_it_is_for_and_what_is_hidden_go_before_a_running_game_of_this_server() -> None:
    text = write(play(GAMES["minesweeper"], RACE, 0))
    sent, told = so_far(text)
    assert (told["seats"], len(told["views"]), told["turns"]) == ([0], 1, [])
    assert outcome_of(sent)[1]["reason"] == "recordInvalid", "what a stranger sends is a record, and no more"


@pytest.mark.parametrize("seed", [{}, {"seed": "0" * 32}], ids=["turn", "seed"])
def test_of_a_running_game_that_is_wrong_no_line_is_told(seed: dict[str, str]) -> None:
    lines = lines_of(write(play(GAMES["minesweeper"], RACE, 0)))
    if not seed:
        lines.insert(1, {"seat": 1, "move": "dig z99", "at": 0})
    _, told = so_far(sealed_of(lines), **seed)
    assert told == {"reason": "damagedLog", "fields": {}}


def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_process, "MOST_BYTES", 1_000)
    assert outcome_of(RECORDS["quoridor"].encode())[1]["reason"] == "replayTooLarge"


def test_one_helper_makes_one_replay_after_the_other() -> None:
    (made, told), (refused, _) = answers_to((b"", RECORDS["quoridor"].encode()), (b"", b"{}"))
    assert (made, told["game"], refused) == (0, "quoridor", REFUSED)


@pytest.mark.skipif(not hasattr(os, "sched_setscheduler"), reason="needs Linux's schedulers")
def test_what_it_makes_comes_after_the_games_also_beside_a_server_with_real_time_priority() -> None:
    program = (
        "import os\nfrom tablero_server.processes.replay_process import step_back\n"
        "try:\n    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))\n"
        "except PermissionError:\n    pass\n"
        "step_back()\nprint(os.sched_getscheduler(0), os.nice(0))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.split() == [b"0", b"10"]


# Whatever comes


def is_refused(text: bytes) -> None:
    code, told = outcome_of(text)
    assert code in (0, REFUSED)
    if code == REFUSED:
        assert told["reason"] in ("recordInvalid", "replaySealed")
        assert told["fields"].get("line", 1) >= 1
        if told["reason"] == "recordInvalid":
            is_said_in_english(told["fields"])


def is_said_in_english(fields: Any) -> None:
    said = filled(sentence_about(fields["wrong"]), fields["wrongFields"])
    assert fields["complaint"] == said.removesuffix(".")
    assert len(said) < 500


@given(st.binary(max_size=2_000))
def test_any_bytes_come_to_a_refusal(text: bytes) -> None:
    is_refused(text)


SOMETHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=300)
@given(st.data())
def test_a_forged_line_comes_to_a_refusal_or_a_replay(data: st.DataObject) -> None:
    lines = lines_of(RECORDS[data.draw(st.sampled_from(sorted(RECORDS)))])
    line = data.draw(st.sampled_from(lines))
    name = data.draw(
        st.sampled_from([*line, "move", "withdrew", "tookBack", "drawn", "paused", "prepared", "salt"])
    )
    line[name] = data.draw(SOMETHING)
    is_refused(sealed_of(lines).encode())


@pytest.mark.parametrize("seed", range(4))
def test_mutated_records_come_to_a_refusal_or_a_replay(seed: int) -> None:
    random = Random(seed)
    values = [
        None,
        True,
        0,
        1,
        -1,
        2**70,
        1e300,
        "",
        "a1",
        "x" * 300,
        [],
        {},
        [[1]],
        {"a": [None]},
        "resign",
        "\ud800",
    ]
    for _ in range(MUTATED // 4):
        lines = lines_of(random.choice(list(RECORDS.values())))
        for _ in range(random.choice([1, 1, 2])):
            at = random.randrange(len(lines))
            match random.choice(["field", "field", "deep", "drop", "double", "swap", "cut"]):
                case "field":
                    lines[at][random.choice([*lines[at], "move", "withdrew", "tookBack"])] = random.choice(
                        values
                    )
                case "deep" if lines[0].get("options"):
                    options: Any = lines[0]["options"]
                    if isinstance(options, dict) and options:
                        options[random.choice(sorted(options))] = random.choice(values)
                case "drop" if len(lines) > 2:
                    del lines[at]
                case "double":
                    lines.insert(at, dict(lines[at]))
                case "swap":
                    other = random.randrange(len(lines))
                    lines[at], lines[other] = lines[other], lines[at]
                case _:
                    del lines[max(2, at) :]
        is_refused(sealed_of(lines).encode())
