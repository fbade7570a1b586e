"""The options shared by several commands of `tablero`."""

from __future__ import annotations

import codecs
import os
import sys
import unicodedata
from io import TextIOWrapper
from typing import Annotated, Final, NoReturn

import typer

from .catalogue.speech import UnknownLanguage, language_of, speak
from .client.addresses import websocket_url

Server = Annotated[
    str, typer.Option("--server", metavar="URL", envvar="TABLERO_SERVER", help="Where to play.")
]
Name = Annotated[str | None, typer.Option("--name", help="Your name.")]
Insecure = Annotated[bool, typer.Option("--insecure", help="Allow ws:// over a public network.")]


def _choose_language(asked: str | None) -> str:
    """Choose the language before other options are read, so that error messages use it."""
    try:
        language = language_of(asked, os.environ)
    except UnknownLanguage as unknown:
        stop(str(unknown), 2)
    speak(language)
    for out in (sys.stdout, sys.stderr):
        if isinstance(out, TextIOWrapper):  # only a real output, not a captured one
            out.reconfigure(errors=PLAIN)
    return language


Language = Annotated[
    str | None,
    typer.Option(
        "--lang",
        metavar="LANGUAGE",
        envvar="TABLERO_LANG",
        callback=_choose_language,
        is_eager=True,
        help="Language: en, es or fr (the locale's).",
    ),
]


def address(server: str) -> str:
    try:
        return websocket_url(server)
    except ValueError as wrong:
        stop(str(wrong), 2)


def chosen_name(name: str | None) -> str | None:
    return name or os.environ.get("TABLERO_NAME") or None


def player_name(name: str | None) -> str:
    from .client.identity import default_name

    return chosen_name(name) or default_name()


def no_hosting(missing: ModuleNotFoundError) -> str:
    return f"Hosting needs more packages ({missing.name}): pip install 'tablero[server]'"


def stop(sentence: str, exit_code: int) -> NoReturn:
    typer.echo(sentence, err=True)
    raise typer.Exit(exit_code)


# Letters that a terminal can't show lose their accents, or become "?"


PLAIN: Final = "tablero.plain"
_LIKE = {"«": '"', "»": '"', "¡": "", "¿": "", "’": "'", "…": "..."}


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(map(_without_accents, lost)), error.end


def _without_accents(letter: str) -> str:
    if letter in _LIKE:
        return _LIKE[letter]
    letters = (each for each in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(each))
    return "".join(each if each.isascii() else "?" for each in letters)


codecs.register_error(PLAIN, _plain)
