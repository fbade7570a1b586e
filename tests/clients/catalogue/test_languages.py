"""Which language is spoken: by what was asked for, or by the locale."""

from __future__ import annotations

import pytest

from tablero.catalogue.languages import UnknownLanguage, language_of


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
