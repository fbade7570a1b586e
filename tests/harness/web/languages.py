"""The browser client in a language, and the text on it that comes from no sentence of that language."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from generate.page_texts import as_json, texts
from tablero.catalogue.speech import catalogue
from tests.harness.browser import Browsers

LOCALES = {"fr": "fr-CA", "es": "es-MX"}
Say = Callable[..., str]


def speaking(language: str) -> Say:
    """A function that returns the page's sentence by its name, with these fields."""
    spoken = as_json(catalogue(language))["texts"] if language != "en" else texts()["texts"]

    def say(text: str, /, **fields: Any) -> str:
        forms = spoken[text]
        said = forms if isinstance(forms, str) else forms[min(fields.get("number", 1), len(forms)) - 1]
        return str(said).format(**fields).strip()

    return say


def title_of(language: str, game: str) -> str:
    """The page's title for a game."""
    return str(as_json(catalogue(language))["games"].get(game, texts()["games"][game][0]))


_SHOWN = """() => {
    const shown = new Set([document.title]);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL);
    while (walker.nextNode()) {
        const node = walker.currentNode;
        if (node instanceof Text && node.parentElement.checkVisibility()) shown.add(node.data);
        if (!(node instanceof Element) || !node.checkVisibility()) continue;
        for (const name of ["aria-label", "aria-description", "placeholder", "title", "alt"])
            shown.add(node.getAttribute(name) ?? "");
    }
    return [...shown].map((text) => text.trim()).filter(Boolean);
}"""
"""A script that returns all text that is visible or read out."""

_DATA = r"ana|ben|Bot-\S+|[\d.,:\s×]+|[a-z]?\d*[hv]?|http://\S+|[0-9A-Z]{4}-[0-9A-Z]{4}|Hi!|English|Español|Français|…|–|●|\?|pinv-strict"
"""Texts that need no translation: people, places, numbers, addresses, languages."""

_FIELDS = ("beginner", "intermediate", "expert")


async def foreign(page: Any, language: str) -> list[str]:
    """The text on the page that comes from no sentence of this language."""
    spoken = as_json(catalogue(language))
    forms = [
        form
        for table in spoken.values()
        for said in table.values()
        for form in (said if isinstance(said, list) else [said])
    ]
    named = "|".join(
        [
            _DATA,
            *map(re.escape, spoken["games"].values()),
            *(said for name, said in spoken["texts"].items() if name.startswith(("level:", *_FIELDS))),
        ]
    )
    ended = "|".join(
        re.escape(said).replace(r"\{name\}", "(?:ana|ben)")
        for name, said in spoken["texts"].items()
        if name.startswith(("won_", "why_"))
    )
    sentences = [
        re.sub(r"\\\{\w+\\\}", lambda _: f"(?:{named}|{ended})", re.escape(form.strip())) for form in forms
    ]
    known = re.compile("|".join([named, *sentences]))
    return [
        text
        for text in await page.evaluate(_SHOWN)
        if not known.fullmatch(text)
        and not all(
            known.fullmatch(part.removeprefix("● ").strip(".")) for part in re.split(r" [·–] |\. ", text)
        )
    ]


async def in_a_language(people: Browsers, url: str, language: str, **options: Any) -> Any:
    return await people.page(url, locale=LOCALES.get(language, language), **options)
