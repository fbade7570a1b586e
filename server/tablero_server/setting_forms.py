"""What some settings look like once they are read: a path, an address of a database with its password.

Law: what is wrong is a ValueError whose sentence says how to write it.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote, urlsplit

_PATH = re.compile(r"/([A-Za-z0-9_~-][A-Za-z0-9._~-]*/)*")


def as_path(text: str) -> str:
    """With a slash at both ends."""
    path = f"/{text.strip('/')}/".replace("//", "/")
    if not _PATH.fullmatch(path):
        raise ValueError(
            f"{text!r:.80} is no path; write it as /games/, of letters, digits and - . _ ~ alone"
        )
    return path


def with_password(url: str, file: str | None) -> str:
    """The address of a PostgreSQL that has no password in it, with that of the file."""
    if not file or not url.startswith("postgres"):
        return url
    parts = urlsplit(url)
    if parts.password is not None:
        return url
    try:
        password = read_first_line(file)
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise ValueError(f"Cannot read its password from {file}: {why}") from None
    user, _, where = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{user}:{quote(password, safe='')}@{where}").geturl()


def read_first_line(file: str) -> str:
    return Path(file).read_text("utf-8").partition("\n")[0].strip()
