"""What the browser client says: found in its module, translated, and written for it as it is here."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tablero.catalogue import browser
from tablero.catalogue.browser import PLACE, as_json, texts, texts_in
from tablero.catalogue.speech import LANGUAGES, Catalogue, catalogue
from tablero_games import GAMES
from tablero_protocol.phrases import PHRASES

TRANSLATED = [language for language in LANGUAGES if language != "en"]
FAMILIES = (
    "closed_",
    "how_",
    "level:",
    "mine_",
    "mode_",
    "offered_",
    "out_",
    "phrase_",
    "speed_",
    "why_",
    *(f"{game}:" for game in GAMES),
)
"""How names begin that the page puts together of a word and what a server says."""
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`|/\*.*?\*/|(?<!:)//[^\n]*', re.DOTALL)
_SENTENCE = re.compile(r"^[A-Z][a-z]+,? [a-z]|[a-z]{2,}[.!?…]$")

SOURCE = """
export const ENGLISH = {
  yes: "Yes",
  "a:b": "Say \\"{word}\\", {name}.",
  cats: ["{number} cat", "{number} cats"],
};
const REFUSALS = {
  gone: "It has gone.",
};
const GAMES = {
  go: "Go",
};
"""


def test_the_sentences_of_the_page_are_found_by_name() -> None:
    assert texts_in(SOURCE) == {
        "texts": {
            "yes": ("Yes",),
            "a:b": ('Say "{word}", {name}.',),
            "cats": ("{number} cat", "{number} cats"),
        },
        "refusals": {"gone": ("It has gone.",)},
        "games": {"go": ("Go",)},
    }


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("no: 'No',", r"web/texts\.js:3: write on one line name: \"One \{field\}\.\".*, not no: 'No',"),
        ('no: "N" + "o",', "web/texts.js:3: write on one line"),
        ("no: `No`,", "web/texts.js:3: write on one line"),
        ('yes: "Yes, again",', "web/texts.js:4: ENGLISH has yes a second time"),
    ],
)
def test_what_is_no_sentence_with_a_name_is_named(line: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        texts_in(SOURCE.replace('  yes: "Yes",', f'  {line}\n  yes: "Yes",'))


def test_a_table_that_is_missing_is_named() -> None:
    with pytest.raises(ValueError, match=r"web/texts\.js has no table GAMES"):
        texts_in(SOURCE.replace("GAMES", "TITLES"))


def test_a_language_has_what_the_page_says_by_name_and_refusals_by_reason() -> None:
    french = as_json(catalogue("fr"))
    assert french["texts"]["won_other"] == "{name} gagne"
    assert french["texts"]["days"] == ["{number} jour par coup", "{number} jours par coup"]
    assert french["texts"].keys() == texts()["texts"].keys()
    assert french["games"]["tic-tac-toe"] == "Morpion"
    assert french["phrases"].keys() == PHRASES.keys()
    assert french["refusals"]["seatNotFree"] == "La place {seat} est prise."
    assert french["refusals"]["occupied"] == "La case {cell} est occupée."
    assert french["refusals"]["noSuchRoom"] == "Cette table a fermé.", "the page has a sentence of its own"


def test_what_is_not_translated_is_left_out() -> None:
    some = Catalogue("fr", {"You win": ("Tu gagnes",), "{number} day a move": ("of one form alone",)})
    assert as_json(some) == {"texts": {"won_you": "Tu gagnes"}, "refusals": {}, "games": {}, "phrases": {}}


@pytest.mark.parametrize("page", [browser.WEB, browser.HOST])
@pytest.mark.parametrize("language", TRANSLATED)
def test_the_file_of_a_language_is_as_it_is_written(language: str, page: Path) -> None:
    place = page / "languages" / f"{language}.json"
    text = browser.files_of(language)[place]
    known = json.loads(place.read_text("utf-8")) if place.exists() else {}
    wanted = json.loads(text)
    other = [
        f"{table} {name}"
        for table in wanted.keys() | known.keys()
        for name in wanted.get(table, {}).keys() | known.get(table, {}).keys()
        if wanted.get(table, {}).get(name) != known.get(table, {}).get(name)
    ]
    advice = f"run `make translations`, translate in {language}.po what it lists, and run it again"
    assert not other, f"{place} is not as texts.js beside it and the catalogue: {other}: {advice}"
    assert place.read_text("utf-8") == text, "run `make translations`"


def test_the_page_says_every_sentence_that_it_has() -> None:
    modules = (
        "\n".join(path.read_text("utf-8") for path in browser.WEB.rglob("*.js") if path.name != "texts.js")
        + browser.WEB.joinpath("texts.js").read_text("utf-8").partition("export const LANGUAGES")[2]
    )
    unused = [
        name for name in texts()["texts"] if f'"{name}"' not in modules and not name.startswith(FAMILIES)
    ]
    assert not unused, (
        f"no module says {unused}: take them out of clients/{PLACE}, then run `make translations`"
    )


def test_the_hosts_page_says_every_sentence_that_it_has_and_no_other() -> None:
    said = "".join(browser.HOST.joinpath(name).read_text("utf-8") for name in ("page.js", "index.html"))
    said += browser.HOST.joinpath("texts.js").read_text("utf-8").partition("const LANGUAGES")[2]
    unused = [
        name for name in browser.host_texts() if f'"{name}"' not in said and not name.startswith("state_")
    ]
    assert not unused
    page = browser.HOST.joinpath("index.html").read_text("utf-8")
    shown = re.sub(r"<title>.*</title>|<[^>]*>|Tablero", "", page).split()
    assert not shown, "a text of its own is in no language but one"
    assert set(re.findall(r'data-say[a-z-]*="(\w+)"', page)) <= browser.host_texts().keys()
    assert not sentences_in(browser.HOST.joinpath("page.js").read_text("utf-8"))


def sentences_in(module: str) -> list[str]:
    """What looks like a sentence in a module of the page."""
    strings = [each[1] or each[2] or "" for each in _STRING.finditer(module)]
    return [text for text in strings if _SENTENCE.search(re.sub(r"\$\{[^}]*\}", "", text).strip())]


def test_a_sentence_in_a_module_is_found() -> None:
    module = (
        'f("Take it", `${n} is left.`, "Enter", "page wide", `a1 ${b}`, "It is\\"."); '
        '// No "Code of it"\n/* "So it" */'
    )
    assert sentences_in(module) == ["Take it", "${n} is left.", 'It is\\".']


def test_the_page_says_nothing_that_is_not_among_its_sentences() -> None:
    found = [
        f"{path.relative_to(browser.WEB)} shows {text!r}"
        for path in sorted(browser.WEB.rglob("*.js"))
        if path.name != "texts.js"
        for text in sentences_in(path.read_text("utf-8"))
    ]
    advice = f'write say("name"), put the sentence into clients/{PLACE}, then run `make translations`'
    assert not found, f"{found}: {advice}"


def test_the_games_have_the_titles_that_the_catalogue_of_games_has() -> None:
    assert texts()["games"] == {name: (game.title,) for name, game in GAMES.items()}
