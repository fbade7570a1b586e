"""Which sentences are found, and what becomes of a catalogue when they change."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablero.catalogue import extraction
from tablero.catalogue.extraction import main, messages, said_in, unmarked_in, updated
from tablero.catalogue.po import Message
from tablero_protocol.reasons import REASONS


def test_what_is_marked_is_found_in_its_order() -> None:
    source = """
        def f(sentence_of):
            g(translate("Second, {name}.", name=translate("third")))
            return translate_plural("{number} cat", "{number} cats", 3), sentence("{x}"), translate(f), "no"
        """
    source = "FIRST = sentence('First')\n" + "if True:\n" + source.replace("\n        ", "\n ")
    assert [(found.english, found.plural) for found in said_in(source, "a.py")] == [
        ("First", ""),
        ("Second, {name}.", ""),
        ("third", ""),
        ("{number} cat", "{number} cats"),
        ("{x}", ""),
    ]


@pytest.mark.parametrize("text", ['f"You are {name}."', '"You are " + name', '"You are %s" % name'])
def test_a_sentence_is_a_plain_text(text: str) -> None:
    with pytest.raises(ValueError, match=r"a\.py:1: translate takes a plain text with \{fields\}"):
        list(said_in(f"translate({text})", "a.py"))


def test_all_that_clients_show_is_there_once_with_where_it_is_said() -> None:
    found = messages()
    assert {why.sentence for why in REASONS.values()} <= found.keys()
    assert found["Seat {seat} is taken."].places == ("tablero_protocol/reasons.py",)
    assert found["You are at a table; leave it first."].places == (
        "tablero/terminal/commands.py",
        "tablero/terminal/in_lobby.py",
    )
    assert "walls left: {left}" in found
    assert found["{number} day"].forms == ("", "")


def test_a_sentence_has_one_plural(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extraction, "_TABLES", {"a.py": ["{number} day"]})
    with pytest.raises(ValueError, match=r"says with another plural than a\.py: \{number\} day"):
        messages()


def test_a_translation_is_kept_dropped_or_handed_to_a_translator() -> None:
    known = [
        Message("Kept.", forms=("Gardé.",)),
        Message("Gone for good.", forms=("Parti.",)),
        Message("You have {n} apples left.", forms=("Il te reste {n} pommes.",)),
    ]
    wanted = {
        "Kept.": Message("Kept.", places=("a.py",)),
        "You have {n} pears left.": Message("You have {n} pears left."),
        "Quite new": Message("Quite new"),
    }
    assert updated(wanted, known) == [
        Message("Kept.", forms=("Gardé.",), places=("a.py",)),
        Message("You have {n} pears left.", forms=("Il te reste {n} pommes.",), fuzzy=True),
        Message("Quite new"),
    ]


def test_a_plural_form_is_not_made_of_a_single_one() -> None:
    wanted = {"{number} day": Message("{number} day", "{number} days", ("", ""))}
    assert updated(wanted, [Message("{number} day", forms=("{number} jour",))]) == list(wanted.values())


def test_the_command_says_what_is_to_be_done(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert capsys.readouterr().out.startswith("es.po: ")


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
    clients = Path(extraction.__file__).parents[1]
    unmarked = [
        f"{path.relative_to(clients.parent)}:{line} shows {text!r}"
        for place in SPEAKING
        for path in sorted([*(clients / place).rglob("*.py"), clients / place])
        if path.is_file()
        for line, text in unmarked_in(path.read_text("utf-8"))
    ]
    advice = 'write translate("…", name=value), or sentence("…") in a table: see CONTRIBUTING.md'
    assert not unmarked, f"{unmarked}: {advice}"
