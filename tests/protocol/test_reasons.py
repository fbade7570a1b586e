"""The catalogue of what a server refuses: its reasons, each with a code and a sentence made of its fields."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import tablero
import tablero_protocol
import tablero_server
from tablero_games.refusals import SENTENCES
from tablero_protocol.codec import ProtocolError
from tablero_protocol.codes import WHAT_TO_DO
from tablero_protocol.reasons import REASONS, sentence_of
from tests.harness.sentences import fields_in

FOLDERS = [Path(str(package.__file__)).parent for package in (tablero_protocol, tablero_server, tablero)]
SOURCES = {
    path: path.read_text(encoding="utf-8") for folder in FOLDERS for path in sorted(folder.rglob("*.py"))
}
MADE_BY = {"Refusal", "FrameError", "_refuse"}
NO_FIELDS = {"retry_after_ms", "missed", "about"}


def refusals() -> Iterator[tuple[str, set[str], set[str]]]:
    """Where one is made for reasons that stand there, the reasons, and the fields that come with it."""
    for path, text in SOURCES.items():
        for node in ast.walk(ast.parse(text)) if any(name in text for name in MADE_BY) else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in MADE_BY:
                words = [
                    each for given in node.args for each in ast.walk(given) if isinstance(each, ast.Constant)
                ]
                reasons = {each.value for each in words if isinstance(each.value, str)}
                if reasons:
                    fields = {str(each.arg) for each in node.keywords} - NO_FIELDS
                    yield f"{path.name}:{node.lineno}", reasons, fields


def test_a_refusal_is_made_for_a_reason_of_the_catalogue_and_with_its_fields() -> None:
    made = list(refusals())
    assert len(made) > 70
    known = {reason: fields_in(why.sentence) for reason, why in REASONS.items()}
    assert [each for each in made if any(known.get(reason) != each[2] for reason in each[1])] == []


def test_every_reason_is_given_somewhere() -> None:
    text = "".join(text for path, text in SOURCES.items() if path.name != "reasons.py")
    assert [reason for reason in REASONS if f'"{reason}"' not in text] == []


def test_every_code_has_reasons_here_but_those_of_the_games() -> None:
    of_games = {"illegalMove", "notYourTurn"}
    assert {why.code for why in REASONS.values()} == {code for code in WHAT_TO_DO if code not in of_games}


def test_a_reason_is_one_word_that_no_game_uses_and_its_sentence_says_what_to_read() -> None:
    for reason, why in REASONS.items():
        assert re.fullmatch(r"[a-z]+([A-Z0-9][a-z0-9]*)*", reason)
        assert re.search(r"[.?]$", why.sentence)
    assert not REASONS.keys() & SENTENCES.keys()


def test_a_list_is_told_in_a_row() -> None:
    assert (
        sentence_of("unknownGame", {"games": ["go", "hex"]})
        == "There is no such game here; choose one of go, hex."
    )


def test_a_frame_that_is_no_message_has_a_reason_too() -> None:
    error = ProtocolError("fieldTooLarge", {"field": "seat", "most": 7}, "a1")
    assert (error.code.value, error.sentence, error.re) == ("badMessage", "seat must be at most 7.", "a1")
