"""The token of the host's pages: a file that only its user may read, made by `tablero admin token`.

Law: it stands in that file and in one header, and in no address, answer or log.
"""

from __future__ import annotations

import hmac
import os
import secrets
from pathlib import Path

_BYTES = 32
_OF_OTHERS = 0o077


class NoToken(Exception):
    """The sentence says why there is none."""


def write(file: Path, *, new: bool) -> bool:
    """Whether it was made just now. With `new`, the old one opens nothing any more. Raises NoToken."""
    try:
        if file.exists() and not new:
            _read(file)
            return False
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = file.with_name(f"{file.name}.{os.getpid()}")
        opened = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(opened, "w", encoding="ascii") as text:
            text.write(f"{secrets.token_urlsafe(_BYTES)}\n")
        unfinished.replace(file)
    except OSError as error:
        raise NoToken(f"Cannot write {file}: {error.strerror}.") from None
    return True


def is_right(file: Path | None, authorization: str) -> bool:
    """Whether a header `Authorization: Bearer …` has the token that is in the file now."""
    scheme, _, given = authorization.partition(" ")
    if file is None or scheme.lower() != "bearer" or not given.isascii():
        return False
    try:
        return hmac.compare_digest(_read(file).encode(), given.strip().encode())
    except NoToken:
        return False


def _read(file: Path) -> str:
    try:
        if os.name == "posix" and file.stat().st_mode & _OF_OTHERS:
            raise NoToken(f"Others may read {file}. Say `tablero admin token --new` for another one.")
        text = file.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise NoToken(f"Cannot read {file}: {getattr(error, 'strerror', None) or error}.") from None
    if len(text) < _BYTES:
        raise NoToken(f"{file} has no token. Say `tablero admin token --new` for another one.")
    return text
