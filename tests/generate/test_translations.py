"""Which sentences are found, and what becomes of a catalogue when they change."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from babel.messages import Catalog
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st

from generate import page_texts, translations
from generate.translations import forms_of, known, main, messages, said_in, unmarked_in, written
from tablero.catalogue.speech import translated_in
from tablero_protocol.reasons import REASONS


def test_what_is_marked_is_found_in_its_order() -> None:
    source = """
        def f(sentence_of):
            g(translate("Second, {name}.", name=translate("third")))
            return translate_plural("{number} cat", "{number} cats", 3), sentence("{x}"), translate(f), "no"
        """
    source = "FIRST = sentence('First')\n" + "if True:\n" + source.replace("\n        ", "\n ")
    assert list(said_in(source, "a.py")) == [
        ("First",),
        ("Second, {name}.",),
        ("third",),
        ("{number} cat", "{number} cats"),
        ("{x}",),
    ]


@pytest.mark.parametrize("text", ['f"You are {name}."', '"You are " + name', '"You are %s" % name'])
def test_a_sentence_is_a_plain_text(text: str) -> None:
    with pytest.raises(ValueError, match=r"a\.py:1: translate takes a plain text with \{fields\}"):
        list(said_in(f"translate({text})", "a.py"))


def test_all_that_clients_show_is_there_once_with_where_it_is_said() -> None:
    found = messages()
    assert all(why.sentence in found for why in REASONS.values())
    assert found["Seat {seat} is taken."].locations == [("tablero_protocol/reasons.py", 1)]
    assert [place for place, _ in found["You're at a table. Leave it first."].locations] == [
        "tablero/playing/lobby.py",
        "tablero/playing/orders.py",
    ]
    assert "walls left: {left}" in found
    assert found["{number} day"].string == ("", "")


def test_a_sentence_has_one_plural(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translations, "_TABLES", {"a.py": ["{number} day"]})
    with pytest.raises(ValueError, match=r"says with another plural than a\.py: \{number\} day"):
        messages()


KNOWN = r"""msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\n"

msgid "Kept \"here\"."
msgstr "Gardé « ici »."

msgid "Gone for good."
msgstr "Parti."

msgid "You have {n} apples left."
msgstr "Il te reste {n} pommes."

msgid "{number} day"
msgstr "{number} jour"
"""
WRITTEN = r"""#: a.py
msgid "Kept \"here\"."
msgstr "Gardé « ici »."

#: a.py
#, fuzzy
msgid "You have {n} pears left."
msgstr "Il te reste {n} pommes."

#: a.py
#, fuzzy
msgid "{number} day"
msgid_plural "{number} days"
msgstr[0] "{number} jour"
msgstr[1] ""

#: a.py
msgid "Quite new"
msgstr ""
"""
TOLD = """fr.po: 3 to translate
  You have {n} pears left.
  ('{number} day', '{number} days')
  Quite new
fr.po: 1 that nobody says any more
  Gone for good.
"""


def test_a_translation_is_kept_dropped_or_handed_to_a_translator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    days = ("{number} day", "{number} days")
    shown = [('Kept "here".',), ("You have {n} pears left.",), days, ("Quite new",)]
    monkeypatch.setattr(translations, "_said", lambda: [("a.py", forms) for forms in shown])
    monkeypatch.setattr(translations, "LANGUAGES", ["en", "fr"])
    monkeypatch.setattr(translations, "place_of", lambda language: tmp_path / f"{language}.po")
    monkeypatch.setattr(page_texts, "files_of", lambda language: {tmp_path / "page.json": language})
    (tmp_path / "fr.po").write_text(KNOWN, "utf-8")
    assert main(["--write"]) == 0
    file = (tmp_path / "fr.po").read_text("utf-8")
    assert file.partition("\n\n")[2] == WRITTEN
    assert (tmp_path / "page.json").read_text() == "fr"
    assert capsys.readouterr().out == TOLD
    assert dict(translated_in(file)) == {'Kept "here".': ("Gardé « ici ».",)}


def test_a_new_language_begins_with_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translations, "place_of", lambda language: tmp_path / f"{language}.po")
    assert [message.id for message in known("pt")] == [""]


letters = st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], include_characters='\n"\\')
texts = st.text(letters, min_size=1)


@given(st.dictionaries(texts, st.one_of(texts, st.tuples(texts, texts)), min_size=1))
def test_what_is_written_is_read_by_programs_and_translators(said: dict[str, str | tuple[str, str]]) -> None:
    catalog = Catalog()
    for english, told in said.items():
        catalog.add(english if isinstance(told, str) else (english, "several"), told)
    file = written("fr", catalog)
    assert dict(translated_in(file)) == {english: forms_of(told) for english, told in said.items()}
    assert [(each.id, each.string) for each in read_po(BytesIO(file.encode()))][1:] == [
        (each.id, each.string) for each in catalog
    ][1:]


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("def f():\n    'Says nothing to anybody.'", []),
        ("say(translate('You are here.'))", []),
        ("say(translate('You are here.' if x else 'So am I.'))", []),
        ("say('You are here.')", []),
        ("note('You are here.')", [(1, "You are here.")]),
        ("note(f'You are at {table}.')", [(1, "You are at ")]),
        ("x = {'a': 'is gone'}", [(1, "is gone")]),
        ("ask('playTurn', 'connect-four', 'a1 to c3', '300+5')", []),
    ],
)
def test_a_sentence_that_is_not_marked_is_found(source: str, texts: list[tuple[int, str]]) -> None:
    assert list(unmarked_in(source)) == texts


SPEAKING = ["terminal", "client/addresses.py", "client/unreachable.py"]
"""Where everything that looks like a sentence is shown to somebody."""


def test_nothing_is_shown_in_english_alone() -> None:
    clients = translations.CLIENTS
    unmarked = [
        f"{path.relative_to(clients.parent)}:{line} shows {text!r}"
        for place in SPEAKING
        for path in sorted([*(clients / place).rglob("*.py"), clients / place])
        if path.is_file()
        for line, text in unmarked_in(path.read_text("utf-8"))
    ]
    advice = 'write translate("…", name=value), or sentence("…") in a table: see CONTRIBUTING.md'
    assert not unmarked, f"{unmarked}: {advice}"
