"""Refusals in the language spoken, and the server's own sentence where that cannot be made."""

from __future__ import annotations

from typing import Any

import pytest

from generate.translations import messages
from tablero.catalogue.refusals import in_words, reasons
from tablero.catalogue.speech import fields_of, speak
from tablero_games.record.complaints import COMPLAINTS
from tablero_games.refusals import SENTENCES
from tablero_protocol.notices import NOTICES
from tablero_protocol.reasons import REASONS
from tests.harness.sentences import not_asked_for


@pytest.fixture(autouse=True)
def french() -> None:
    speak("fr")


@pytest.mark.parametrize(
    ("reason", "fields", "said"),
    [
        ("occupied", {"cell": "b2"}, "La case b2 est occupée."),
        ("hostSays", {"text": "On ferme."}, "L'hôte dit : On ferme."),
        ("unknownGame", {"games": ["go", "hex"]}, "Ce jeu n'existe pas ici ; choisis parmi go, hex."),
        (
            "noPath",
            {"wall": "e3h", "seats": [0, 1]},
            "Le mur e3h fermerait le dernier chemin vers son but : place 0 et 1.",
        ),
        ("notAmong", {"option": "mode", "values": ["solo", "race"]}, "L'option mode doit être solo ou race."),
        (
            "wrongSeats",
            {"game": "Dots and Boxes", "allowed": [2], "seats": 3},
            "Petits carrés se joue avec 2 places, pas 3.",
        ),
    ],
)
def test_a_refusal_is_made_of_its_reason_and_fields(reason: str, fields: dict[str, Any], said: str) -> None:
    assert in_words(reason, fields, "In English.") == said


CHANGED = {
    "line": 5,
    "complaint": "This is not the line that followed line 4: one of the two was changed",
    "wrong": "lineChanged",
    "wrongFields": {"before": 4},
}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, "Ce n'est pas la ligne qui suivait la ligne 4 : une des deux fut changée"),
        ({"wrong": "occupied", "wrongFields": {"cell": "b2"}}, "La case b2 est occupée"),
        ({"wrong": "ofANewerServer"}, CHANGED["complaint"]),
        ({"wrongFields": {}}, CHANGED["complaint"]),
        ({"wrongFields": [4]}, CHANGED["complaint"]),
    ],
)
def test_what_is_wrong_with_a_record_is_said_within_its_refusal(changed: dict[str, Any], said: str) -> None:
    told = in_words("recordInvalid", {**CHANGED, **changed}, "In English.")
    assert told == f"La ligne 5 de l'enregistrement est fausse : {said}."


def test_no_two_tables_use_one_name() -> None:
    assert len(reasons()) == len(SENTENCES) + len(COMPLAINTS) + len(NOTICES) + len(REASONS)


@pytest.mark.parametrize(
    ("reason", "fields"),
    [
        ("ofANewerServer", {}),
        ("recordInvalid", {**CHANGED, "wrong": ["lineChanged"]}),
        ("recordInvalid", {"line": 5, "complaint": "It is so", "wrong": "lineChanged"}),
        ("", {}),
        ("occupied", {}),
        ("occupied", {"field": "b2"}),
        ("notAmong", {"option": "mode", "values": "solo"}),
    ],
)
def test_what_a_newer_server_says_stays_english(reason: str, fields: dict[str, Any]) -> None:
    assert in_words(reason, fields, "In English.") == "In English."


def test_in_english_the_server_has_its_own_words() -> None:
    speak("en")
    assert in_words("occupied", {"cell": "b2"}, "In its own words.") == "In its own words."


@pytest.mark.parametrize("language", ["fr", "es"])
def test_every_reason_has_a_sentence_in_every_language(language: str) -> None:
    speak(language)
    shown = messages()  # not those of games that other tests have made
    for reason, english in reasons().items():
        if english not in shown or english in not_asked_for(language):
            continue
        fields = {name: ["e2", "e3"] if ":" in english else "e2" for name in fields_of(english)}
        assert in_words(reason, fields, english) not in (english, ""), reason
