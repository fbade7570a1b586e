"""Opens the journal for a URL, or says why that is impossible."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from urllib.parse import unquote, urlsplit

from platformdirs import user_data_path

from .journal import BadDatabase, Journal


def data_folder() -> Path:
    """The folder for files of the server and of the user's clients; TABLERO_HOME names another folder."""
    return Path(os.environ.get("TABLERO_HOME") or user_data_path("tablero")).absolute()


async def open_journal(url: str) -> Journal:
    """Opens `memory`, `sqlite:///PATH` or `postgresql://…`; by default a file in the user's data folder."""
    from .sqlite import SqliteJournal

    if url == "memory":
        return SqliteJournal()
    owner = f"{os.getpid()}-{secrets.token_hex(4)}"
    scheme = url.partition(":")[0]
    if not url or scheme == "sqlite":
        file = database_file(url)
        assert file is not None
        return await SqliteJournal.opened(file, owner)
    if scheme in ("postgresql", "postgres"):
        try:
            from .postgres import PostgresJournal
        except ModuleNotFoundError as missing:
            raise without_packages(missing) from None
        return await PostgresJournal.opened(url, owner)
    raise BadDatabase(
        "The database has to be memory, sqlite:///PATH or postgresql://USER@HOST/NAME; "
        f"no database begins with {scheme}:."
    )


def without_packages(missing: ModuleNotFoundError) -> BadDatabase:
    return BadDatabase(f"PostgreSQL needs more packages ({missing.name}): pip install 'tablero[cluster]'")


def database_file(url: str) -> Path | None:
    """The file of an SQLite URL: sqlite:///name is in the working folder, sqlite:////name is absolute. None
    for other URLs.
    """
    if not url:
        return (data_folder() / "tablero.db").resolve()
    if url.partition(":")[0] != "sqlite":
        return None
    parts = urlsplit(url)
    path = unquote(parts.path)[1:]
    if parts.netloc or not path:
        raise BadDatabase(
            f"{url} names no file: write sqlite:///tablero.db or, with the whole path, sqlite:////data/tablero.db."
        )
    file = Path(path).resolve()  # WAL and lock are beside the file itself, not beside a link to it
    try:
        there = file.parent.is_dir()
    except OSError as error:
        raise BadDatabase(
            f"Cannot look into {file.parent}: {error.strerror}. Say this as the user whose database it is."
        ) from None
    if not there:  # a misspelt option would be ignored, and an empty database created
        whole = (
            ""
            if Path(path).is_absolute()
            else f", or write the whole path with four slashes: sqlite:////{path}"
        )
        raise BadDatabase(f"There is no folder {file.parent}: make it with `mkdir -p {file.parent}`{whole}.")
    return file
