"""Texts of the browser pages: the sentences of `clients/web` and of the host's page, with their translations.

Law: a page uses names for its sentences. In the catalogues, which all clients share, the key is the English
sentence, so a sentence of two clients is translated once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tablero.catalogue.refusals import reasons
from tablero.catalogue.speech import Catalogue, catalogue

WEB: Final = Path(__file__).parents[1] / "clients" / "web"
FIRST: Final = "texts.js"
LATER: Final = "later-texts.js"
REFUSALS: Final = "refusals.js"
MODULES: Final = {
    FIRST: {"texts": "ENGLISH", "games": "GAMES"},
    LATER: {"texts": "LATER"},
    REFUSALS: {"refusals": "REFUSALS"},
}
"""The modules with tables of sentences: their names in a translation, by module. Each table ends with a line
`};`.
"""
HOST: Final = Path(__file__).parents[1] / "server" / "tablero_server" / "host" / "page"
HOST_PLACE: Final = "host/page/texts.js"
PLACES: Final = (*(f"web/{module}" for module in MODULES), HOST_PLACE)
_SENTENCE = r'"(?:[^"\\]|\\.)*"'
_ENTRY = re.compile(
    rf'(?:"(?P<quoted>[^"]+)"|(?P<name>\w+)): '
    rf"(?:(?P<only>{_SENTENCE})|\[(?P<one>{_SENTENCE}), (?P<several>{_SENTENCE})\]),"
)

Texts = dict[str, tuple[str, ...]]
"""The English forms of each sentence by its name: one form, or singular and plural."""


def texts() -> dict[str, Texts]:
    """All sentences of the page, by table."""
    found: dict[str, Texts] = {}
    for module in MODULES:
        for table, sentences in texts_of(module).items():
            known = found.setdefault(table, {})
            if twice := known.keys() & sentences.keys():
                raise ValueError(f"web/{module}: another module of the page has {min(twice)} already.")
            known |= sentences
    return found


def texts_of(module: str) -> dict[str, Texts]:
    """The sentences of one module of the page, by table."""
    return texts_in((WEB / module).read_text("utf-8"), module)


def host_texts() -> Texts:
    """All sentences of the host's page."""
    return _table(HOST.joinpath("texts.js").read_text("utf-8"), "ENGLISH", HOST_PLACE)


def texts_in(source: str, module: str) -> dict[str, Texts]:
    """The sentences of each table, by name. Raises ValueError for a line without a named sentence, and for a
    repeated name.
    """
    return {table: _table(source, name, f"web/{module}") for table, name in MODULES[module].items()}


def _table(source: str, name: str, place: str) -> Texts:
    before, begun, rest = source.partition(f"const {name} = {{\n")
    if not begun:
        raise ValueError(f"{place} has no table {name}.")
    found: Texts = {}
    for number, line in enumerate(rest.partition("\n};")[0].split("\n"), start=before.count("\n") + 2):
        entry = _ENTRY.fullmatch(line.strip())
        if entry is None:
            raise ValueError(
                f'{place}:{number}: write on one line name: "One {{field}}.", '
                f'or name: ["{{number}} thing", "{{number}} things"], not {line.strip():.60}'
            )
        key = entry["quoted"] or entry["name"]
        if key in found:
            raise ValueError(f"{place}:{number}: {name} has {key} a second time.")
        forms = (entry["only"],) if entry["only"] else (entry["one"], entry["several"])
        found[key] = tuple(map(json.loads, forms))
    return found


def said() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The sentences of the pages that need a translation, each as (place, English forms)."""
    of_the_client = [(f"web/{module}", texts_of(module)) for module in MODULES]
    for place, tables in (*of_the_client, (HOST_PLACE, {"texts": host_texts()})):
        for table in tables.values():
            yield from ((place, forms) for forms in table.values())


def as_json(spoken: Catalogue) -> dict[str, Any]:
    """The texts of the client's page in this language, without untranslated ones.

    They include the refusals of all reasons for which the page has no sentence.
    """
    english = texts()
    english["refusals"] = {reason: (said,) for reason, said in reasons().items()} | english["refusals"]
    return _spoken(english, spoken)


def parts(spoken: Catalogue) -> dict[str, dict[str, Any]]:
    """The texts by the file in which they are loaded: at once, later, or with a refusal."""
    told = as_json(spoken)
    later = texts_of(LATER)["texts"]
    first = {name: said for name, said in told["texts"].items() if name not in later}
    return {
        "": {"texts": first, "games": told["games"]},
        "later": {"texts": {name: said for name, said in told["texts"].items() if name in later}},
        "refusals": {"refusals": told["refusals"]},
    }


def host_as_json(spoken: Catalogue) -> dict[str, Any]:
    """The texts of the host's page; the server's answers stay English."""
    return _spoken({"texts": host_texts()}, spoken)


def _spoken(english: dict[str, Texts], spoken: Catalogue) -> dict[str, Any]:
    return {
        table: {
            name: said[0] if len(said) == 1 else list(said)
            for name, forms in sentences.items()
            if (said := spoken.messages.get(forms[0])) and len(said) == len(forms)
        }
        for table, sentences in english.items()
    }


def files_of(language: str) -> dict[Path, str]:
    """The files of this language, with the contents that they should have."""
    spoken = catalogue(language)
    told = {WEB / "languages" / part / f"{language}.json": some for part, some in parts(spoken).items()}
    told[HOST / "languages" / f"{language}.json"] = host_as_json(spoken)
    return {place: json.dumps(some, ensure_ascii=False, indent=1) + "\n" for place, some in told.items()}
