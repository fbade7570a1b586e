"""What the browser client says: found in its modules, translated, and written for it as it is here."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from generate import page_texts
from generate.page_texts import (
    FIRST,
    LATER,
    MODULES,
    REFUSALS,
    as_json,
    parts,
    texts,
    texts_in,
    texts_of,
)
from tablero.catalogue.speech import LANGUAGES, Catalogue, catalogue
from tablero_games import GAMES
from tablero_protocol.phrases import PHRASES

TRANSLATED = [language for language in LANGUAGES if language != "en"]
FAMILIES = (
    "closed_",
    "how_",
    "lost_",
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
const GAMES = {
  go: "Go",
};
"""


def test_the_sentences_of_the_page_are_found_by_name() -> None:
    assert texts_in(SOURCE, FIRST) == {
        "texts": {
            "yes": ("Yes",),
            "a:b": ('Say "{word}", {name}.',),
            "cats": ("{number} cat", "{number} cats"),
        },
        "games": {"go": ("Go",)},
    }
    assert texts_in('const REFUSALS = {\n  gone: "It has gone.",\n};', REFUSALS) == {
        "refusals": {"gone": ("It has gone.",)}
    }


def test_a_name_stands_in_one_module_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for module in MODULES:
        shutil.copy(page_texts.WEB / module, tmp_path)
    monkeypatch.setattr(page_texts, "WEB", tmp_path)
    assert texts()["texts"]
    later = tmp_path.joinpath(LATER).read_text("utf-8")
    tmp_path.joinpath(LATER).write_text(later.replace("  theme:", '  title: "Again",\n  theme:'), "utf-8")
    with pytest.raises(
        ValueError, match=r"web/later-texts\.js: another module of the page has title already"
    ):
        texts()


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
        texts_in(SOURCE.replace('  yes: "Yes",', f'  {line}\n  yes: "Yes",'), FIRST)


def test_a_table_that_is_missing_is_named() -> None:
    with pytest.raises(ValueError, match=r"web/texts\.js has no table GAMES"):
        texts_in(SOURCE.replace("GAMES", "TITLES"), FIRST)


def test_a_language_has_what_the_page_says_by_name_and_refusals_by_reason() -> None:
    french = as_json(catalogue("fr"))
    assert french["texts"]["won_other"] == "{name} gagne"
    assert french["texts"]["days"] == ["{number} jour par coup", "{number} jours par coup"]
    assert french["texts"].keys() == texts()["texts"].keys()
    assert french["games"]["tic-tac-toe"] == "Morpion"
    assert {name for name in french["texts"] if name.startswith("phrase_")} == {
        f"phrase_{name}" for name in PHRASES
    }
    assert french["texts"]["phrase_thanks"] == "Merci !"
    assert french["refusals"]["seatNotFree"] == "La place {seat} est prise."
    assert french["refusals"]["occupied"] == "La case {cell} est occupée."
    assert french["refusals"]["noSuchRoom"] == "Cette table est fermée.", "the page has a sentence of its own"


@pytest.mark.parametrize("language", TRANSLATED)
def test_each_sentence_of_a_language_comes_in_one_part_of_it(language: str) -> None:
    whole, told = as_json(catalogue(language)), parts(catalogue(language))
    assert told["later"]["texts"].keys() == texts_of(LATER)["texts"].keys()
    assert told["refusals"] == {"refusals": whole["refusals"]}
    assert told[""]["texts"] | told["later"]["texts"] == whole["texts"]
    assert not told[""]["texts"].keys() & told["later"]["texts"].keys()
    assert told[""] == {"texts": told[""]["texts"], "games": whole["games"]}


def test_what_is_not_translated_is_left_out() -> None:
    some = Catalogue("fr", {"You win": ("Tu gagnes",), "{number} day a move": ("of one form alone",)})
    assert as_json(some) == {"texts": {"won_you": "Tu gagnes"}, "refusals": {}, "games": {}}


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_page_has_another_file_of_a_language(language: str) -> None:
    kept = {place for page in (page_texts.WEB, page_texts.HOST) for place in page.rglob(f"{language}.json")}
    assert kept == page_texts.files_of(language).keys()


FILES = [(language, place) for language in TRANSLATED for place in page_texts.files_of(language)]


@pytest.mark.parametrize(
    ("language", "place"),
    FILES,
    ids=[str(place.relative_to(page_texts.WEB.parents[1])) for _, place in FILES],
)
def test_the_file_of_a_language_is_as_it_is_written(language: str, place: Path) -> None:
    text = page_texts.files_of(language)[place]
    known = json.loads(place.read_text("utf-8")) if place.exists() else {}
    wanted = json.loads(text)
    other = [
        f"{table} {name}"
        for table in wanted.keys() | known.keys()
        for name in wanted.get(table, {}).keys() | known.get(table, {}).keys()
        if wanted.get(table, {}).get(name) != known.get(table, {}).get(name)
    ]
    advice = f"run `make translations`, translate in {language}.po what it lists, and run it again"
    assert not other, f"{place} is not as the page's sentences and the catalogue: {other}: {advice}"
    assert place.read_text("utf-8") == text, "run `make translations`"


def test_the_page_says_every_sentence_that_it_has() -> None:
    modules = (
        "\n".join(
            path.read_text("utf-8") for path in page_texts.WEB.rglob("*.js") if path.name not in MODULES
        )
        + page_texts.WEB.joinpath(FIRST).read_text("utf-8").partition("export const LANGUAGES")[2]
    )
    unused = [
        name for name in texts()["texts"] if f'"{name}"' not in modules and not name.startswith(FAMILIES)
    ]
    assert not unused, f"no module says {unused}: take them out, then run `make translations`"


def test_what_only_later_screens_say_comes_with_them() -> None:
    """The other way round, types see to it: only `say` of the later module knows the later names."""
    sources = {
        path: path.read_text("utf-8") for path in page_texts.WEB.rglob("*.js") if path.name not in MODULES
    }
    imports = re.compile(rf'^import .*/{LATER}";$', re.MULTILINE)
    later = [source for source in sources.values() if imports.search(source)]
    others = [source for source in sources.values() if not imports.search(source)]
    others.append(page_texts.WEB.joinpath(FIRST).read_text("utf-8").partition("export const LANGUAGES")[2])
    too_early = [
        name
        for name in texts_of(FIRST)["texts"]
        if not name.startswith(FAMILIES)
        and any(f'"{name}"' in source for source in later)
        and not any(f'"{name}"' in source for source in others)
    ]
    assert not too_early, f"only modules that import {LATER} say {too_early}: put them there"


def test_the_hosts_page_says_every_sentence_that_it_has_and_no_other() -> None:
    said = "".join(page_texts.HOST.joinpath(name).read_text("utf-8") for name in ("page.js", "index.html"))
    said += page_texts.HOST.joinpath("texts.js").read_text("utf-8").partition("const LANGUAGES")[2]
    unused = [
        name for name in page_texts.host_texts() if f'"{name}"' not in said and not name.startswith("state_")
    ]
    assert not unused
    page = page_texts.HOST.joinpath("index.html").read_text("utf-8")
    shown = re.sub(r"<title>.*</title>|<[^>]*>|Tablero", "", page).split()
    assert not shown, "a text of its own is in no language but one"
    assert set(re.findall(r'data-say[a-z-]*="(\w+)"', page)) <= page_texts.host_texts().keys()
    assert not sentences_in(page_texts.HOST.joinpath("page.js").read_text("utf-8"))


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
        f"{path.relative_to(page_texts.WEB)} shows {text!r}"
        for path in sorted(page_texts.WEB.rglob("*.js"))
        if path.name not in MODULES
        for text in sentences_in(path.read_text("utf-8"))
    ]
    advice = f'write say("name"), put the sentence into clients/web/{FIRST}, then run `make translations`'
    assert not found, f"{found}: {advice}"


def test_the_games_have_the_titles_that_the_catalogue_of_games_has() -> None:
    drawn = {name: game for name, game in GAMES.items() if not game.needs_drawing}
    assert texts()["games"] == {name: (game.title,) for name, game in drawn.items()}
