"""Sentences in the language spoken: fields, numbers, and English where there is nothing else."""

from __future__ import annotations

import pytest

from generate.translations import known
from tablero.catalogue import speech
from tablero.catalogue.speech import (
    Catalogue,
    UnknownLanguage,
    language_of,
    sentence,
    speak,
    spoken,
    translate,
    translate_plural,
)


def test_english_is_spoken_until_a_language_is_chosen() -> None:
    assert spoken() == "en"
    assert translate("{who} wins", who="Ana") == "Ana wins"
    speak("fr")
    assert spoken() == "fr"
    assert translate("{who} wins", who="Ana") == "Ana gagne"
    assert translate(sentence("Your turn.")) == "À toi de jouer."
    speak("es")
    assert translate("{who} wins", who="Ana") == "Ana gana"


def test_what_is_not_translated_is_said_in_english() -> None:
    speak("fr")
    assert translate("Somebody said {what}.", what="this") == "Somebody said this."
    assert translate_plural("{number} cat", "{number} cats", 0) == "0 cats"
    assert translate_plural("{number} cat", "{number} cats", 1) == "1 cat"


@pytest.mark.parametrize("text", ["{who} wins", "{", "{}", "100 {0.__class__}"])
def test_a_text_without_fields_is_shown_as_it_is(text: str) -> None:
    assert translate(text) == text


@pytest.mark.parametrize(
    ("language", "number", "said"),
    [
        ("en", 0, "0 days"),
        ("en", 1, "1 day"),
        ("en", 2, "2 days"),
        ("fr", 0, "0 jour"),
        ("fr", 1, "1 jour"),
        ("fr", 2, "2 jours"),
        ("es", 0, "0 días"),
        ("es", 1, "1 día"),
        ("es", 2, "2 días"),
    ],
)
def test_a_number_of_things_takes_the_form_of_the_language(language: str, number: int, said: str) -> None:
    speak(language)
    assert translate_plural("{number} day", "{number} days", number) == said


@pytest.mark.parametrize(
    ("language", "moves", "said"),
    [
        ("en", ["e2"], "a move, for example e2"),
        ("en", ["e2", "e3h", "e3v"], "a move, for example e2, e3h or e3v"),
        ("fr", ["e2", "e3h"], "un coup, par exemple e2 ou e3h"),
        ("es", [], "una jugada, por ejemplo nada"),
    ],
)
def test_a_list_is_told_with_the_word_of_the_language(language: str, moves: list[str], said: str) -> None:
    speak(language)
    assert translate("a move, for example {moves:or}", moves=moves) == said


def test_a_sentence_that_became_a_plural_is_english_until_it_is_translated() -> None:
    catalogue = Catalogue("fr", {"a day": ("un jour",)})
    assert catalogue.form(("a day", "{number} days"), 3) == "{number} days"


def test_one_form_of_a_plural_is_no_translation_of_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    plural = Catalogue("fr", {"a day": ("un jour", "{number} jours")})
    monkeypatch.setattr(speech._Speech, "catalogue", plural)
    assert translate("a day") == "a day"


@pytest.mark.parametrize("language", ["fr", "es"])
def test_the_rule_for_numbers_is_that_of_the_file(language: str) -> None:
    rule = known(language).plural_expr
    assert rule == f"({speech.PLURAL_RULES[language]})"
    chosen = [Catalogue(language, {"a": ("0", "1")}).form(("a", "as"), number) for number in range(20)]
    assert chosen == [str(int(eval(rule, {"n": number}))) for number in range(20)]


@pytest.mark.parametrize(
    ("asked", "environment", "language"),
    [
        (None, {}, "en"),
        ("fr", {}, "fr"),
        ("ES", {"LANG": "fr_FR.UTF-8"}, "es"),
        ("fr_CA.UTF-8", {}, "fr"),
        ("es-AR", {}, "es"),
        ("", {"LANG": "fr_FR.UTF-8"}, "fr"),
        (None, {"LANG": "fr_FR.UTF-8"}, "fr"),
        (None, {"LANG": "de_DE.UTF-8"}, "en"),
        (None, {"LANG": "C"}, "en"),
        (None, {"LC_ALL": "C", "LANG": "fr_FR.UTF-8"}, "en"),
        (None, {"LC_ALL": "", "LANG": "fr_FR.UTF-8"}, "fr"),
        (None, {"LC_MESSAGES": "es_ES", "LANG": "fr_FR"}, "es"),
        (None, {"LANGUAGE": "de:es:fr", "LANG": "fr_FR"}, "es"),
        (None, {"LANG": "fréquent"}, "en"),
    ],
)
def test_what_is_asked_for_comes_before_the_locale(
    asked: str | None, environment: dict[str, str], language: str
) -> None:
    assert language_of(asked, environment) == language


def test_a_language_that_is_not_here_is_no_language() -> None:
    with pytest.raises(UnknownLanguage, match=r"There is no language 'de' here; there are en, es, fr\."):
        language_of("de", {"LANG": "fr_FR"})
