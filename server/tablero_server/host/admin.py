"""`tablero admin`: sends a command to the running server, over the host's socket."""

from __future__ import annotations

import json
import socket
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from ..core.refusal import Message
from ..journal.journal import BadDatabase
from ..operations.configuration import WrongSettings, read_settings
from .decisions import tables
from .files import NoToken, beside, place, write_token

_SECONDS = 10.0
"""The longest wait for the server, in seconds."""


class NoServer(Exception):
    """The error when no server answers; its sentence says why."""


class _Socket(HTTPConnection):
    """HTTP over the Unix socket at `place`."""

    def __init__(self, place: Path) -> None:
        super().__init__("localhost", timeout=_SECONDS)
        self._place = place

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._place))


def ask(place: Path, command: str, **arguments: str) -> Message:
    """Sends a command to the server at `place` and returns its answer. Raises NoServer."""
    line = _Socket(place)
    try:
        line.request("POST", f"/api/{command}", json.dumps(arguments), {"Content-Type": "application/json"})
        answer = line.getresponse()
        said = answer.read().decode()
        is_json = answer.headers.get_content_type() == "application/json"
        return json.loads(said) if is_json else {"ok": False, "message": said.strip()}
    except PermissionError:
        raise NoServer(f"{place} is not yours; say this as the user who runs the server.") from None
    except AttributeError:
        raise NoServer("Windows has no such sockets; stop the server instead.") from None
    except (FileNotFoundError, ConnectionRefusedError):
        raise NoServer(
            f"No server listens at {place}. Say this on its machine, with the TABLERO_DATABASE that it has."
        ) from None
    except (OSError, HTTPException, ValueError) as error:
        raise NoServer(f"The server at {place} does not answer: {error}.") from None
    finally:
        line.close()


def running_port(database: str | None) -> int | None:
    """The port of the server that runs with this database; None if no server runs, or the host chose the
    port.
    """
    try:
        settings = read_settings(database=database)
        where = None if "port" in settings.model_fields_set else place(settings)
        port: int | None = None if where is None else ask(where, "settings").get("port")
    except (NoServer, WrongSettings, BadDatabase):
        return None
    return port


def run(command: str, as_json: bool, **arguments: str) -> tuple[int, str]:
    """Runs a command. Returns the exit code and the output."""
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
    """The output of `tablero admin token`: the path of the file, never the token. Raises NoServer."""
    try:
        settings = read_settings()
        file = beside(place(settings), "token")
    except (WrongSettings, BadDatabase) as wrong:
        raise NoServer(str(wrong)) from None
    if file is None:
        raise NoServer("A server in memory has no place for a token unless TABLERO_ADMIN names one.")
    try:
        made = write_token(file, new=new)
    except NoToken as none:
        raise NoServer(str(none)) from None
    where = f"http://{settings.admin_address}/ unless the server printed another address"
    page = "" if settings.host_pages is None else f"\nPaste it on the host's page: {where}."
    return f"The token of the host's pages is {'now ' if made else ''}in {file}.{page}"
