"""The key by which a server knows its host's own bots: a file that the two share, made by the server.

Law: whoever has the key is asked first for a game, and has no other right.
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

_FEWEST_LETTERS = 32


class NoKey(Exception):
    """The sentence says why."""


@dataclass(frozen=True)
class BotKey:
    file: Path
    text: str


def read_or_make(place: str) -> BotKey:
    """The key in the file `place`, or in the user's data folder; a new one if there is none. Raises NoKey."""
    file = Path(place).absolute() if place else user_data_path("tablero") / "bot-key"
    try:
        if not place:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        text = _made(file) or file.read_text("ascii").strip()
    except (OSError, UnicodeError) as error:
        raise NoKey(f"The key of the host's bots cannot be kept in {file}: {error}.") from None
    if len(text) < _FEWEST_LETTERS:
        raise NoKey(f"{file} holds no key of bots; remove it, and the server makes a new one.")
    return BotKey(file, text)


def _made(file: Path) -> str | None:
    """A new key, written down; None if the file is there already."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return None
    text = secrets.token_urlsafe(32)
    with os.fdopen(descriptor, "w") as opened:
        opened.write(f"{text}\n")
    return text
