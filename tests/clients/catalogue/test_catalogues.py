"""Every sentence that clients show is in every language: translated, with the same fields, and short enough.

What fails here says which sentence, and in which file to mend it; `make translations` writes it there.
"""

from __future__ import annotations

import re
from functools import cache
from unicodedata import east_asian_width

import pytest
from babel.messages import Catalog, Message

from generate import page_texts, translations
from generate.translations import forms_of, is_translated, messages, place_of, updated, written
from tablero.catalogue.speech import LANGUAGES, fields_of, filled
from tablero.playing import verbs
from tests.harness.sentences import not_asked_for

TRANSLATED = [language for language in LANGUAGES if language != "en"]
COLUMNS = 80
OF_ANY_LENGTH = {
    "actions", "allowed", "games", "here", "known", "left", "levels", "likeness", "moves", "names", "opened",
    "options", "phrases", "rivals", "sentence", "text", "values", "what", "why", "words",
}  # fmt: skip
"""Fields that hold a list, or another sentence: the line is folded for them, so they count as nothing."""
USUAL = {
    "choice": ["d3", "e2"],
    "key": "ABCD-EFGH",
    "number": "12",
    "seconds": "30",
    "seats": ["0", "1"],
    "time": "30 s",
    "to_move": "Ben to move.",
    "usage": "create GAME [OPTION=VALUE ...]",
    "word": "connect-4",
    "you": "You",
    "ply": "12",
}
"""What stands in the others. All else has four letters."""


@cache
def shown() -> Catalog:
    return messages()


@cache
def known(language: str) -> Catalog:
    return translations.known(language)


def sentences(catalog: Catalog) -> list[Message]:
    """All but the header."""
    return [message for message in catalog if message.id]


def translated(language: str, english: str) -> tuple[str, ...]:
    message = known(language).get(english)
    assert message is not None
    return forms_of(message.string)


def advice(language: str) -> str:
    return f"run `make translations`, then mend it in clients/tablero/catalogue/{place_of(language).name}"


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_is_translated(language: str) -> None:
    missing = [
        f"{message.locations[0][0]}: {message.id!r}"
        for message in sentences(shown())
        if message.id not in not_asked_for(language)
        and ((there := known(language).get(message.id)) is None or not is_translated(there))
    ]
    assert not missing, f"no {language} for {missing}: {advice(language)}"


@pytest.mark.parametrize("language", TRANSLATED)
def test_nothing_is_translated_that_nobody_says(language: str) -> None:
    unused = [message.id for message in sentences(known(language)) if message.id not in shown()]
    assert not unused, f"nobody says {unused} any more: {advice(language)}"


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_file_is_as_it_is_written(language: str) -> None:
    file = place_of(language).read_text("utf-8")
    assert file == written(language, updated(language)), advice(language)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_has_the_fields_of_its_sentence(language: str) -> None:
    wrong = {
        form: sorted(fields_of(form) ^ fields_of(forms_of(message.id)[0]))
        for message in sentences(known(language))
        for form in forms_of(message.string)
        if form and fields_of(form) not in allowed_fields(message, form)
    }
    assert not wrong, f"fields differ in {wrong}: {advice(language)}"


def allowed_fields(message: Message, form: str) -> list[set[str]]:
    """The form for one may say "a move" as English does, or "1 move"; that for several says how many."""
    one, several = fields_of(forms_of(message.id)[0]), fields_of(forms_of(message.id)[-1])
    return [several] if form == forms_of(message.string)[-1] else [several, one]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_fits_a_line(language: str) -> None:
    lines = [
        forms_of(message.id)
        for message in sentences(shown())
        if not {place for place, _ in message.locations} <= set(page_texts.PLACES)  # a page folds its own
    ]
    spoken = lines if language == "en" else [translated(language, english) for english, *_ in lines]
    forms = [form for each in spoken for form in each]
    long = {form: columns(usually(form)) for form in forms if columns(usually(form)) > COLUMNS}
    assert not long, f"more than {COLUMNS} columns: {long}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_of_help_fits(language: str) -> None:
    def told(english: str) -> str:
        return english if language == "en" or english not in shown() else translated(language, english)[0]

    width = max(len(told(verb.usage)) for verb in verbs.VERBS.values())
    long = [told(verb.help) for verb in verbs.VERBS.values() if width + 2 + len(told(verb.help)) > COLUMNS]
    assert not long, f"beside {width} columns of commands {long} are too long"


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_command_is_typed_alike_in_every_language(language: str) -> None:
    for verb in verbs.VERBS.values():
        if verb.usage in known(language) and " " in verb.usage:
            assert translated(language, verb.usage)[0].split()[0] == verb.name


def usually(form: str) -> str:
    values = {name: [""] if name in OF_ANY_LENGTH else USUAL.get(name, "xxxx") for name in fields_of(form)}
    return filled(form, values)


def columns(text: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


@pytest.mark.parametrize(
    ("language", "formal"),
    [
        ("fr", r"\b(?:vous|vos|votre)\b|\b(?!(?:assez|chez)\b)\w+ez\b"),
        ("es", r"\b(?:usted|ustedes|vosotros|\w+elo|pida|espere|escriba|pruebe|diga)\b"),
    ],
)
def test_a_reader_is_told_tu(language: str, formal: str) -> None:
    told = [form for message in sentences(known(language)) for form in forms_of(message.string)]
    assert [form for form in told if re.search(formal, form, re.IGNORECASE)] == [], advice(language)
