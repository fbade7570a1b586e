"""The language of this program: sentences, plurals, and refusals.

Law: the English sentence is the key, and is shown if there is no translation. This module contains no
sentences.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, Final

LANGUAGES: Final = ("en", "es", "fr")
PLURAL_RULES: Final = {"en": "n != 1", "es": "n != 1", "fr": "n > 1"}
"""The plural rule of each language, as in a catalogue file. In French zero is singular: 0 coup."""
_SECOND_FORM: Final[dict[str, Callable[[int], bool]]] = {
    "n != 1": lambda number: number != 1,
    "n > 1": lambda number: number > 1,
}

_ENTRY = re.compile(r'^(msg\S+) (".*"(?:\n".*")*)', re.MULTILINE)


@dataclass(frozen=True)
class Catalogue:
    """The translations into one language, by English sentence."""

    language: str
    messages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def form(self, english: tuple[str, str], number: int) -> str:
        """The form of a sentence for this number."""
        forms = self.messages.get(english[0], ())
        if len(forms) != len(english):
            return english[_is_several("en", number)]
        return forms[_is_several(self.language, number)]


def _is_several(language: str, number: int) -> bool:
    return _SECOND_FORM[PLURAL_RULES[language]](number)


class _Speech:
    """The catalogue in use. A program uses one language from start to end."""

    catalogue = Catalogue("en")


def speak(language: str) -> None:
    """Choose one of LANGUAGES for everything that is said from now on."""
    _Speech.catalogue = catalogue(language)


def spoken() -> str:
    return _Speech.catalogue.language


def translate(english: str, /, **fields: Any) -> str:
    """The sentence in the chosen language, with its fields filled in.

    Without fields a sentence is shown as it is: it may come from a server, and contain braces.
    """
    forms = _Speech.catalogue.messages.get(english, ())
    said = forms[0] if len(forms) == 1 else english
    return filled(said, fields) if fields else said


def translate_plural(one: str, several: str, number: int, /, **fields: Any) -> str:
    """Translate with the plural form for this number; `{number}` is filled in, too."""
    return filled(_Speech.catalogue.form((one, several), number), {"number": number, **fields})


def sentence(english: str) -> str:
    """Mark a sentence that is translated when it is shown."""
    return english


def filled(said: str, fields: Mapping[str, Any]) -> str:
    # The games come with pydantic: a program that fills nothing in starts without both.
    from tablero_games.refusals import Listed

    told = {
        name: Listed(value, translate("none")) if isinstance(value, list) else value
        for name, value in fields.items()
    }
    return said.format_map(told)


def fields_of(said: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(said) if name is not None}


@cache
def catalogue(language: str) -> Catalogue:
    """Load the translations; a sentence without one, or with a fuzzy one, is shown in English."""
    if language == "en":
        return Catalogue("en")
    text = files(__package__).joinpath(f"{language}.po").read_text("utf-8")
    return Catalogue(language, dict(translated_in(text)))


def translated_in(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The content of a catalogue file, laid out as `make translations` writes it."""
    for entry in text.split("\n\n")[1:]:  # the first is the header
        said = {name: "".join(map(json.loads, quoted.split("\n"))) for name, quoted in _ENTRY.findall(entry)}
        english, _ = said.pop("msgid"), said.pop("msgid_plural", None)
        if all(said.values()) and "\n#, fuzzy" not in entry:
            yield english, tuple(said.values())


_LOCALE = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables with the locale, in gettext's order: the first that is set counts."""


class UnknownLanguage(ValueError):
    """The language that was asked for does not exist here."""


def language_of(asked: str | None, environment: Mapping[str, str]) -> str:
    """The language for `asked`, a language or locale such as "fr" or "fr_CA.UTF-8". Raises
    UnknownLanguage.
    """
    if asked:
        if (language := _language(asked)) is None:
            known = ", ".join(LANGUAGES)
            raise UnknownLanguage(f"There is no language {asked!r:.40} here; there are {known}.")
        return language
    said = next((environment[name] for name in _LOCALE if environment.get(name)), "")
    return next(filter(None, map(_language, said.split(":"))), "en")


def _language(locale: str) -> str | None:
    language = locale.replace("-", "_").partition("_")[0].partition(".")[0].lower()
    return language if language in LANGUAGES else None
