"""What the host says to a running server: a line of JSON in, a line of JSON out, over a socket of its own.

Law: only the user who runs the server can open the socket, and whoever can may do everything here.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import stat
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import structlog
from platformdirs import user_data_path

from ..core.refusal import Message
from ..journal.opening import database_file
from ..journal.trouble import BadDatabase
from ..operations.configuration import WrongSettings, read_settings
from ..settings import Settings
from . import token as host_token
from .commands import HostConversation
from .decisions import tables

log = structlog.get_logger("tablero.admin")

_SECONDS = 10.0
"""How long a line may take to come, and an answer to be read."""
_MOST_BYTES = 65_536
_PRIVATE = 0o600


class NoServer(Exception):
    """The sentence says why nobody answers."""


def place(settings: Settings) -> Path | None:
    """Where the socket is: beside the database, whose one server it belongs to. None: a server in memory."""
    if settings.admin:
        return Path(settings.admin).absolute()
    if settings.database == "memory":
        return None
    file = database_file(settings.database) or user_data_path("tablero") / _name_of(settings.database)
    return file.with_name(f"{file.name}.admin")


def _name_of(database: str) -> str:
    """Of a PostgreSQL database and its schema, whoever asks for it and by which password."""
    parts = urlsplit(database)
    name = parts.path.lstrip("/") or parts.username or ""
    asked = sorted((key, text) for key, text in parse_qsl(parts.query) if key != "password")
    place = parts.netloc.rpartition("@")[2].removesuffix(":5432").lower()
    whole = repr((place, name, asked))
    readable = re.sub(r"\W", "", name, flags=re.ASCII)[:20]
    return f"postgresql-{readable}-{sha256(whole.encode()).hexdigest()[:8]}"


def beside(place: Path | None, what: str) -> Path | None:
    """A file of the host's, with its name from that of the socket."""
    return None if place is None else place.with_name(f"{place.name}-{what}")


class Admin:
    """The server's end."""

    def __init__(self, conversation: HostConversation, place: Path) -> None:
        self._conversation = conversation
        self._place = place
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """A host can do without; so whatever is in the way costs a warning."""
        if sys.platform == "win32":
            return
        listening = socket.socket(socket.AF_UNIX)
        try:
            self._place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._clear()
            listening.bind(str(self._place))
            self._place.chmod(_PRIVATE)  # nobody can connect before it listens
            self._server = await asyncio.start_unix_server(
                self._converse, sock=listening, limit=_MOST_BYTES, backlog=8
            )
        except OSError as error:
            listening.close()
            log.warning("tablero admin cannot reach this server", socket=str(self._place), why=str(error))

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            self._place.unlink(missing_ok=True)

    def _clear(self) -> None:
        """Removes what a server that was killed has left."""
        with suppress(FileNotFoundError):
            if not stat.S_ISSOCK(self._place.lstat().st_mode):
                raise FileExistsError(f"{self._place} is there and no socket")
            with socket.socket(socket.AF_UNIX) as other:
                try:
                    other.connect(str(self._place))
                except ConnectionRefusedError:
                    self._place.unlink()
                else:
                    raise FileExistsError("another server listens there")

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_SECONDS):
                answer = await self._answer(await reader.readline())
                writer.write(json.dumps(answer).encode() + b"\n")
                await writer.drain()
        except (TimeoutError, ValueError, ConnectionError):
            pass  # nothing that ends, or nobody who listens
        finally:
            writer.close()

    async def _answer(self, line: bytes) -> Message:
        try:
            asked = json.loads(line)
            name = asked.pop("command", None)
        except (ValueError, AttributeError, TypeError, RecursionError):
            name, asked = None, {}
        return await self._conversation.answer(name, asked, "socket")


def ask(place: Path, command: str, **arguments: str) -> Message:
    """What the server there answers. Raises NoServer."""
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(_SECONDS)
            line.connect(str(place))
            line.sendall(json.dumps({"command": command, **arguments}).encode() + b"\n")
            with line.makefile("r", encoding="utf-8") as answers:
                answer: Message = json.loads(answers.readline())
                return answer
    except PermissionError:
        raise NoServer(f"{place} is not yours; say this as the user who runs the server.") from None
    except AttributeError:
        raise NoServer("Windows has no such sockets; stop the server instead.") from None
    except (FileNotFoundError, ConnectionRefusedError):
        raise NoServer(
            f"No server listens at {place}. Say this on its machine, with the TABLERO_DATABASE that it has."
        ) from None
    except (OSError, ValueError) as error:
        raise NoServer(f"The server at {place} does not answer: {error}.") from None


def run(command: str, as_json: bool, **arguments: str) -> tuple[int, str]:
    """The exit code, and what to print."""
    try:
        where = place(read_settings())
    except (WrongSettings, BadDatabase) as wrong:
        raise NoServer(str(wrong)) from None
    if where is None:
        raise NoServer("A server in memory has no socket for this unless TABLERO_ADMIN names one.")
    answer = ask(where, command, **arguments)
    exit_code = 0 if answer["ok"] else 1
    if as_json:
        return exit_code, json.dumps(answer)
    return exit_code, str(answer["message"]) if "message" in answer else tables(answer)


def make_token(*, new: bool) -> str:
    """What `tablero admin token` prints: where it is, never what it is. Raises NoServer."""
    try:
        settings = read_settings()
        file = beside(place(settings), "token")
    except (WrongSettings, BadDatabase) as wrong:
        raise NoServer(str(wrong)) from None
    if file is None:
        raise NoServer("A server in memory has no place for a token unless TABLERO_ADMIN names one.")
    try:
        made = host_token.write(file, new=new)
    except host_token.NoToken as none:
        raise NoServer(str(none)) from None
    page = (
        "" if settings.host_pages is None else f"\nOpen http://{settings.admin_address}/ and paste it there."
    )
    return f"The token of the host's pages is {'now ' if made else ''}in {file}.{page}"
