"""PostgreSQL's own pg_dump and pg_restore, read piece by piece: a dump may be larger than the memory.

Law: no password stands on a command line, where others on the machine could read it.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from .copies import NoCopy

_PIECE = 1 << 18
_OURS_ALONE = {"search_path", "password"}
"""What an address says that the tools would not understand, or must not show."""
_COPY = re.compile(rb"COPY .+ \((.+)\) FROM stdin;")
_END = b"\\."


class Lines:
    """Whole lines out of pieces that end anywhere."""

    def __init__(self) -> None:
        self._rest = b""

    def of(self, piece: bytes) -> list[bytes]:
        *whole, self._rest = (self._rest + piece).split(b"\n")
        return whole


@dataclass(frozen=True)
class Tools:
    """A database as the tools take it."""

    url: str
    environment: dict[str, str]

    @classmethod
    def of(cls, url: str) -> Tools:
        parts = urlsplit(url)
        asked = dict(parse_qsl(parts.query))
        password = parts.password or asked.get("password", "")
        kept = urlencode({name: value for name, value in asked.items() if name not in _OURS_ALONE})
        user, _, host = parts.netloc.rpartition("@")
        netloc = f"{user.partition(':')[0]}@{host}" if user else host
        environment = {**os.environ, **({"PGPASSWORD": password} if password else {})}
        return cls(urlunsplit(parts._replace(netloc=netloc, query=kept)), environment)

    async def dump(self, file: Path, snapshot: str, schema: str, tables: tuple[str, ...]) -> None:
        """The tables as they were at a moment that a transaction has exported."""
        quoted = schema.replace('"', '""')
        arguments = [f'--table="{quoted}".{table}' for table in tables]
        async for _ in self._said(
            *("pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={file}"),
            *("--encoding=UTF8", "--no-owner", "--no-privileges", *arguments, f"--dbname={self.url}"),
        ):
            pass

    async def rows(
        self, file: Path, table: str, columns: Callable[[list[str]], None]
    ) -> AsyncGenerator[list[bytes], None]:
        """A table's rows in a dump, as COPY writes them, some at a time; `columns` is told its names."""
        lines, inside = Lines(), False
        said = self._said("pg_restore", "--data-only", f"--table={table}", "--file=-", file)
        async with aclosing(said):
            async for piece in said:
                rows = lines.of(piece)
                if not inside:
                    begins = next((n for n, line in enumerate(rows) if _COPY.fullmatch(line)), None)
                    if begins is None:
                        continue
                    found = _COPY.fullmatch(rows[begins])
                    assert found is not None
                    columns([name.strip('"') for name in found[1].decode().split(", ")])
                    rows, inside = rows[begins + 1 :], True
                if _END in rows:
                    rows, inside = rows[: rows.index(_END)], False
                yield rows

    async def _said(self, program: str, *arguments: str | Path) -> AsyncGenerator[bytes, None]:
        """What a program writes. Raises NoCopy with what it complains of."""
        if shutil.which(program) is None:
            raise NoCopy(f"{program} is missing: install PostgreSQL's client programs.")
        with TemporaryFile() as complaints:
            process = await asyncio.create_subprocess_exec(
                *(program, *map(str, arguments)),
                env=self.environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=complaints,
            )
            assert process.stdout is not None
            try:
                while piece := await process.stdout.read(_PIECE):
                    yield piece
                if await process.wait():
                    raise NoCopy(f"{program} says: {_last_line(complaints)}")
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()


def _last_line(complaints: IO[bytes]) -> str:
    complaints.seek(0)
    said = complaints.read().decode(errors="replace").strip()
    return said.splitlines()[-1] if said else "?"
