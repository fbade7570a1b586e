"""The player's identity at a server: the token, stored from one start to the next.

Law: only the owner can read a token (mode 600), and two running programs are never the same player.
"""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from getpass import getuser
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import IO
from unicodedata import normalize

from tablero_protocol.text import is_good_name

from ..catalogue.speech import sentence, translate
from .addresses import one_spelling, websocket_url


def home() -> Path:
    """The user's data folder, or the folder in TABLERO_HOME."""
    if own := os.environ.get("TABLERO_HOME"):
        return Path(own)
    from platformdirs import user_data_path

    return user_data_path("tablero")


GUEST = "guest"
"""The name of a player who chose none and whose login name is not allowed there."""


def default_name() -> str:
    """The player's default name on this machine, reduced to letters that a name may have."""
    try:
        name = getuser()
    except (OSError, KeyError, ImportError):
        return GUEST
    bare = normalize("NFKD", name).encode("ascii", "ignore").decode()
    fitting = _NO_LETTER.sub("-", bare)[:_LONGEST_NAME].strip("-_")
    return fitting if is_good_name(fitting) else GUEST


_NO_LETTER = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_NAME = 20


def stored_token(server: str, name: str) -> str | None:
    """The stored token of the player called `name` at `server`, even if another program uses it now."""
    try:
        token = json.loads(_place(server, "person", name).read_text("utf-8"))["token"]
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return token if isinstance(token, str) else None


_KINDS = ("person", "bot")
_MOST_AT_ONCE = 16
"""Maximum number of identities stored with one name at one server."""


class Identity:
    """The player called `name` at `server`. If another program is that player now, this is a second player
    with that name.

    The second player is stored like the first. A program that is started again beside the first one gets the
    second player again.
    """

    def __init__(self, server: str, name: str, *, bot: bool = False) -> None:
        self.token: str | None = None
        self.called = name
        """The player's name at the server, which may differ."""
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
            self.called = stored.get("called", self._name)
        except (ValueError, TypeError, KeyError):
            self.token = None  # the file is new, or not ours
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        file, self._file = self._file, None
        if file is None:
            return
        if os.fstat(file.fileno()).st_size == 0:  # no server has given us a token yet
            with suppress(OSError):  # Windows can't remove an open file
                self._place.unlink()
        file.close()

    def keep(self, token: str | None, called: str | None = None) -> None:
        called = called or self.called
        if self._file is None or token is None or (token, called) == (self.token, self.called):
            return
        self.token, self.called = token, called
        self._file.seek(0)
        self._file.truncate()
        about = {"server": self._server, "name": self._name, "called": called, "token": token}
        json.dump(about, self._file)
        self._file.flush()

    def _open(self) -> IO[str] | None:
        """Open the first free file. Returns None if there is none; then the player isn't stored."""
        for number in range(1, _MOST_AT_ONCE + 1):
            self._place = _place(self._server, self._kind, self._name, number)
            if (file := _own(self._place)) is not None:
                return file
        return None


@dataclass(frozen=True)
class SavedIdentity:
    """A stored player of this device."""

    server: str
    name: str
    kind: str
    token: str
    called: str
    """The player's name at the server. `name` is the name it is stored under."""


class NotImported(Exception):
    """The identity was not imported. The sentence says why; this device is unchanged."""


def saved_identities() -> list[SavedIdentity]:
    """All stored identities, by server and name."""
    found = []
    for place in sorted((home() / "players").glob("*.json")):
        try:
            stored = json.loads(place.read_text("utf-8"))
            server, name, token = (str(stored[field]) for field in ("server", "name", "token"))
            called = str(stored.get("called", name))
        except (OSError, ValueError, TypeError, KeyError):
            continue  # no token yet, or not our file
        numbers = range(1, _MOST_AT_ONCE + 1)
        kinds = [kind for kind in _KINDS for n in numbers if _place(server, kind, name, n) == place]
        found += [SavedIdentity(server, name, kind, token, called) for kind in kinds]
    return sorted(found, key=lambda each: (each.server, each.kind, each.name))


def write_identities(file: Path) -> None:
    """Write a new file that only its owner can read. Never overwrites a file. Raises OSError."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        out.write(identities_as_text())


def identities_as_text() -> str:
    players = [asdict(each) for each in saved_identities()]
    return json.dumps({"tablero": "identities", "players": players}, indent=1) + "\n"


def read_identities(text: str) -> list[SavedIdentity]:
    """Parse the text that `identities_as_text` wrote. Raises ValueError."""
    try:
        read = json.loads(text)
        if read["tablero"] != "identities":
            raise ValueError
        found = [SavedIdentity(**player) for player in read["players"]]
        for each in found:
            if each.kind not in _KINDS or not all(isinstance(text, str) for text in vars(each).values()):
                raise ValueError
            websocket_url(each.server)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ValueError(translate("This is not an identity file.")) from None
    return found


def import_identity(player: SavedIdentity, *, replace: bool = False) -> bool:
    """Store `player`. Returns False if it was stored already. Raises NotImported."""
    if player in saved_identities():
        return False
    place = _place(player.server, player.kind, player.name)
    file = _own(place)
    about = {"name": player.called, "server": player.server}
    if file is None:
        raise NotImported(
            translate("Another program plays as {name} at {server}. Close that program first.", **about)
        )
    with file:
        if os.fstat(file.fileno()).st_size and not replace:
            told = sentence("This device has another {name} at {server}. --replace deletes that player.")
            raise NotImported(translate(told, **about))
        file.truncate()
        kept = asdict(player)
        del kept["kind"]
        json.dump(kept, file)
    return True


def _own(place: Path) -> IO[str] | None:
    """Open the file for this program only; None if another program has it, or it can't be made."""
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
    file.close()  # its owner has just removed the file
    return _own(place)


def _place(server: str, kind: str, name: str, number: int = 1) -> Path:
    who = f"{one_spelling(server)} {kind} {name}" + (f" {number}" if number > 1 else "")
    key = sha256(who.encode()).hexdigest()[:24]
    return home() / "players" / f"{key}.json"


if sys.platform == "win32":

    def _lock(file: IO[str]) -> bool:
        return True

else:
    import fcntl

    def _lock(file: IO[str]) -> bool:
        """Lock the file until it is closed. Returns whether that worked."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return False
        return True
