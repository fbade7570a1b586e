"""The host's files beside the database: their places, and the contents of the token file and the audit.

Law: only the user who runs the server may read these files. The token is only in its file and in one request
header, never in an address, an answer or a log. Each command that changed something or was refused has a line
in the audit.
"""

from __future__ import annotations

import hmac
import json
import os
import re
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import structlog

from ..journal.opening import data_folder, database_file
from ..journal.sqlite_lock import begin_private
from ..settings import Settings

log = structlog.get_logger("tablero.host")

_TOKEN_BYTES = 32
_OF_OTHERS = 0o077
_MOST_OF_AN_AUDIT = 1_000_000
SHOWN = 50
"""The number of newest audit lines that are shown."""


def place(settings: Settings) -> Path | None:
    """The path of the socket: beside the database, which only one server uses. None for a server
    in memory.
    """
    if settings.admin:
        return Path(settings.admin).absolute()
    if settings.database == "memory":
        return None
    file = database_file(settings.database) or data_folder() / _name_of(settings.database)
    return file.with_name(f"{file.name}.admin")


def _name_of(database: str) -> str:
    """A name for a PostgreSQL database and its schema, the same for any user and password."""
    parts = urlsplit(database)
    name = parts.path.lstrip("/") or parts.username or ""
    asked = sorted((key, text) for key, text in parse_qsl(parts.query) if key != "password")
    place = parts.netloc.rpartition("@")[2].removesuffix(":5432").lower()
    whole = repr((place, name, asked))
    readable = re.sub(r"\W", "", name, flags=re.ASCII)[:20]
    return f"postgresql-{readable}-{sha256(whole.encode()).hexdigest()[:8]}"


def beside(place: Path | None, what: str) -> Path | None:
    """The path of another file of the host, named after the socket."""
    return None if place is None else place.with_name(f"{place.name}-{what}")


class NoToken(Exception):
    """Raised if there is no usable token; the message says why."""


def write_token(file: Path, *, new: bool) -> bool:
    """Writes a token if there is none. With `new`, replaces an old token, which then ends. Returns whether a
    token was written. Raises NoToken.
    """
    try:
        if file.exists() and not new:
            _read_token(file)
            return False
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = file.with_name(f"{file.name}.{os.getpid()}")
        opened = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(opened, "w", encoding="ascii") as text:
            text.write(f"{secrets.token_urlsafe(_TOKEN_BYTES)}\n")
        unfinished.replace(file)
    except OSError as error:
        raise NoToken(f"Cannot write {file}: {error.strerror}.") from None
    return True


def is_right_token(file: Path | None, authorization: str) -> bool:
    """Whether a header `Authorization: Bearer …` has the token that is now in the file."""
    scheme, _, given = authorization.partition(" ")
    if file is None or scheme.lower() != "bearer" or not given.isascii():
        return False
    try:
        return hmac.compare_digest(_read_token(file).encode(), given.strip().encode())
    except NoToken:
        return False


def _read_token(file: Path) -> str:
    try:
        if os.name == "posix" and file.stat().st_mode & _OF_OTHERS:
            raise NoToken(f"Others may read {file}. Say `tablero admin token --new` for another one.")
        text = file.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise NoToken(f"Cannot read {file}: {getattr(error, 'strerror', None) or error}.") from None
    if len(text) < _TOKEN_BYTES:
        raise NoToken(f"{file} has no token. Say `tablero admin token --new` for another one.")
    return text


class Audit:
    def __init__(self, file: Path | None) -> None:
        """Takes the file for the audit. If it is None, the commands are only in the server's log."""
        self._file = file

    def note(self, by: str, command: str, arguments: Mapping[str, str], refused: str) -> None:
        """Adds a command; `refused` is the reason of a refusal, or empty."""
        line = {"by": by, "command": command, **arguments, **({"refused": refused} if refused else {})}
        log.info("host command", **line)
        if self._file is None:
            return
        try:
            if self._file.exists() and self._file.stat().st_size > _MOST_OF_AN_AUDIT:
                self._file.replace(self._file.with_name(f"{self._file.name}.old"))
            begin_private(self._file)
            with self._file.open("a", encoding="utf-8") as lines:
                lines.write(
                    json.dumps({"at": datetime.now(UTC).isoformat(timespec="seconds"), **line}) + "\n"
                )
        except OSError as error:
            log.warning("could not write the audit log", file=os.fspath(self._file), why=error.strerror)

    def newest(self) -> list[str]:
        """The newest lines, oldest first."""
        if self._file is None or not self._file.exists():
            return []
        return self._file.read_text("utf-8").splitlines()[-SHOWN:]
