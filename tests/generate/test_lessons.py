"""The lessons that the browser fetches: those of the clients, played by the rules, in each language."""

from __future__ import annotations

import gzip
import json

import pytest

from generate.lessons import FOLDER, as_json, files_of
from tablero.catalogue.speech import LANGUAGES, Catalogue
from tablero.games import Lesson
from tablero_games import GAMES

MOST_BYTES = 3_000
"""Of the lessons of a game, compressed: a table comes first."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lessons_of_a_language_are_as_they_are_written(language: str) -> None:
    kept = {place: place.read_text("utf-8") for place in FOLDER.glob(f"*.{language}.json")}
    assert kept == files_of(language), "run `make translations`"
    large = {place.name: size for place, text in kept.items() if (size := packed(text)) > MOST_BYTES}
    assert not large


def packed(text: str) -> int:
    return len(gzip.compress(text.encode(), 9))


def test_the_views_of_a_lesson_are_those_of_the_rules() -> None:
    lesson = Lesson("Told.", "Asked.", "Well done.", "No.", right="c.", moves=("a1", "b2"), by={"keys": "k"})
    told = as_json("tic-tac-toe", lesson, Catalogue("fr", {"Told.": ("Dit.",)}))
    assert told == {
        "told": "Dit.",
        "asked": "Asked.",
        "by": {},
        "praised": "Well done.",
        "otherwise": "No.",
        "view": {"cells": "0...1...."},
        "legal": ["b1", "c1", "a2", "c2", "a3", "b3", "c3"],
        "after": {
            "c1": {"cells": "0.0.1...."},
            "c2": {"cells": "0...10..."},
            "c3": {"cells": "0...1...0"},
        },
    }
    assert json.loads(json.dumps(told)) == told
    assert told["view"] == GAMES["tic-tac-toe"].start(2).play(0, "a1").play(1, "b2").view(0)
