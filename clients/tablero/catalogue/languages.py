"""Which language a program speaks: the one asked for, else that of the user's locale, else English."""

from __future__ import annotations

from collections.abc import Mapping

from .speech import LANGUAGES

_LOCALE = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where a locale is said, as gettext looks for it: the first that is set counts."""


class UnknownLanguage(ValueError):
    """A language was asked for that is not here."""


def language_of(asked: str | None, environment: Mapping[str, str]) -> str:
    """`asked` is a language or a locale: "fr", "fr_CA.UTF-8". Raises UnknownLanguage for one unknown here."""
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
