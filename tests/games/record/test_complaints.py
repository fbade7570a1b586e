"""What can be wrong with a record: every complaint is made by its name, with the fields of its sentence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import tablero
import tablero_games
from tablero_games.record.complaints import COMPLAINTS, sentence_about
from tablero_games.record.file import Invalid
from tablero_games.refusals import SENTENCES
from tests.harness.sentences import fields_in

FOLDERS = [Path(str(package.__file__)).parent for package in (tablero_games, tablero)]
SOURCES = {path: path.read_text("utf-8") for folder in FOLDERS for path in sorted(folder.rglob("*.py"))}


def made() -> Iterator[tuple[str, set[str], set[str]]]:
    """Where one is made by a name that stands there, the names, and the fields that come with it."""
    for path, text in SOURCES.items():
        for node in ast.walk(ast.parse(text)) if "Invalid(" in text else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Invalid":
                named = [each for each in ast.walk(node.args[1]) if isinstance(each, ast.Constant)]
                names = {str(each.value) for each in named}
                if names:
                    yield f"{path.name}:{node.lineno}", names, {str(each.arg) for each in node.keywords}


def test_a_complaint_is_made_by_its_name_and_with_its_fields() -> None:
    found = list(made())
    assert len(found) > 30
    assert [
        each for each in found if any(fields_in(sentence_about(name)) != each[2] for name in each[1])
    ] == []


def test_every_complaint_is_made_somewhere() -> None:
    text = "".join(text for path, text in SOURCES.items() if path.name != "complaints.py")
    assert [name for name in COMPLAINTS if f'"{name}"' not in text] == []


def test_a_complaint_is_one_word_that_no_rule_uses_and_its_sentence_ends() -> None:
    for name, sentence in COMPLAINTS.items():
        assert re.fullmatch(r"[a-z]+([A-Z][a-z]*)*", name)
        assert sentence.endswith(".")
    assert not COMPLAINTS.keys() & SENTENCES.keys()
    assert len(set(COMPLAINTS.values())) == len(COMPLAINTS)


def test_what_is_wrong_is_told_by_name_with_its_fields_and_in_english() -> None:
    invalid = Invalid(3, "noSeatOfGame", "a board", last=1)
    assert str(invalid) == "line 3: The seats of this game are 0 to 1."
    assert (invalid.complaint, invalid.fields) == ("noSeatOfGame", {"last": 1})
    assert Invalid(3, "occupied", cell="{b2}").reason == "Cell {b2} is occupied."
