"""Who one is at a server: the token, kept from one start to the next.

Law: a token is written for its owner alone (mode 600), and two running programs are never the same player.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from getpass import getuser
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import IO

from tablero_protocol.text import is_good_name

from .addresses import websocket_url


def home() -> Path:
    """The user's data folder; TABLERO_HOME names another."""
    if own := os.environ.get("TABLERO_HOME"):
        return Path(own)
    from platformdirs import user_data_path

    return user_data_path("tablero")


def default_name() -> str:
    try:
        name = getuser()
    except (OSError, KeyError, ImportError):
        name = ""
    return name if is_good_name(name) else "guest"


def stored_token(server: str, name: str) -> str | None:
    """What proves to be the person called `name` at `server`, also while another program is that player."""
    try:
        token = json.loads(_place(server, "person", name).read_text("utf-8"))["token"]
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return token if isinstance(token, str) else None


_MOST_AT_ONCE = 16
"""So many programs with one name at one server are remembered."""


class Identity:
    """The player called `name` at `server`. While another program is that player, the second of that name.

    The second is remembered like the first: started again beside the first, it is itself again.
    """

    def __init__(self, server: str, name: str, *, bot: bool = False) -> None:
        self.token: str | None = None
        self._server = websocket_url(server)
        self._name = name
        self._kind = "bot" if bot else "person"
        self._place = _place(self._server, self._kind, name)
        self._file: IO[str] | None = None

    def __enter__(self) -> Identity:
        self._file = file = self._open()
        if file is None:
            return self
        try:
            stored = json.load(file)
            self.token = stored["token"]
        except (ValueError, TypeError, KeyError):
            self.token = None  # a new file, or not one of ours
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        file, self._file = self._file, None
        if file is None:
            return
        if os.fstat(file.fileno()).st_size == 0:  # no server has told us who we are
            with suppress(OSError):  # Windows keeps what is open
                self._place.unlink()
        file.close()

    def keep(self, token: str | None) -> None:
        if self._file is None or token is None or token == self.token:
            return
        self.token = token
        self._file.seek(0)
        self._file.truncate()
        json.dump({"server": self._server, "name": self._name, "token": token}, self._file)
        self._file.flush()

    def _open(self) -> IO[str] | None:
        """The first file that is for us alone; None for a passing player: there is no place."""
        for number in range(1, _MOST_AT_ONCE + 1):
            self._place = _place(self._server, self._kind, self._name, number)
            if (file := _own(self._place)) is not None:
                return file
        return None


def _own(place: Path) -> IO[str] | None:
    """The file, for us alone; None if it is somebody else's, or there is no place."""
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(place, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None
    os.chmod(descriptor if os.chmod in os.supports_fd else place, 0o600)
    file = os.fdopen(descriptor, "r+", encoding="utf-8")
    if not _lock(file):
        return None
    with suppress(FileNotFoundError):
        if os.path.samestat(os.fstat(file.fileno()), os.stat(place)):
            return file
    file.close()  # whoever had it has just taken it away
    return _own(place)


def _place(server: str, kind: str, name: str, number: int = 1) -> Path:
    who = f"{server} {kind} {name}" + (f" {number}" if number > 1 else "")
    key = sha256(who.encode()).hexdigest()[:24]
    return home() / "players" / f"{key}.json"


if sys.platform == "win32":

    def _lock(file: IO[str]) -> bool:
        return True

else:
    import fcntl

    def _lock(file: IO[str]) -> bool:
        """Whether this program now has the file to itself, for as long as it is open."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return False
        return True
