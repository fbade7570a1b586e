"""`tablero doctor`: checks whether a server can run here with these settings; one line for each check.

Law: the checks create, lock and change nothing.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import platform
import shutil
import socket
import sqlite3
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ..journal.journal import BadDatabase
from ..journal.opening import database_file
from ..reach.certificate import BadCertificate, Certificate
from ..reach.exposure import Exposed, check, listened_on, opened_by
from ..reach.own_addresses import OwnAddress, leading_to, own_addresses
from ..settings import Settings
from .configuration import WrongSettings, read_settings
from .database_state import DatabaseState, state_of
from .healthcheck import LOOPBACK, answers

Grade = Literal["ok", "warning", "error"]


class Diagnosis(NamedTuple):
    """One finding: whether it is good, its description, and the remedy."""

    grade: Grade
    about: str
    what: str
    do: str = ""

    def line(self) -> str:
        return f"{self.grade:7}  {self.about:9} {self.what}" + (f" {self.do}" if self.do else "")


def ok(about: str, what: str) -> Diagnosis:
    return Diagnosis("ok", about, what)


def warning(about: str, what: str, do: str) -> Diagnosis:
    return Diagnosis("warning", about, what, do)


def error(about: str, what: str, do: str) -> Diagnosis:
    return Diagnosis("error", about, what, do)


def check_reach(settings: Settings) -> list[Diagnosis]:
    """The findings about reach; none about a firewall that is absent or blocks nothing."""
    own = own_addresses()
    firewall = check_firewall(settings, own, opened_by(settings.port))
    return [check_tls(settings), check_network(settings, own), *([] if firewall is None else [firewall])]


def check_tls(settings: Settings) -> Diagnosis:
    if settings.tls_cert:
        certificate = Certificate(Path(settings.tls_cert), Path(settings.tls_key))
        try:
            certificate.context()
        except BadCertificate as bad:
            return error("tls", str(bad), "")
        return ok("tls", f"{certificate.chain} is good, and its fingerprint {certificate.fingerprint()}.")
    return ok("tls", "The server creates a certificate." if settings.tls == "auto" else "TLS is off.")


def check_network(settings: Settings, own: Sequence[OwnAddress]) -> Diagnosis:
    try:
        reached = check(settings, listened_on(settings.listen_on), own)
    except Exposed as exposed:
        return error("network", str(exposed), "")
    if reached:
        shown = ", ".join(map(str, reached))
        return warning(
            "network",
            f"Reached at {shown} without TLS: others on the way can read tokens and moves.",
            "That is fine in a network of people you trust; otherwise add --tls auto.",
        )
    return ok("network", "No one on the way can listen in, as far as this machine can tell.")


def check_firewall(settings: Settings, own: Sequence[OwnAddress], command: str | None) -> Diagnosis | None:
    if command is None or not leading_to(listened_on(settings.listen_on), own):
        return None
    return warning("firewall", f"A firewall is on and may block port {settings.port}.", f"Open it: {command}")


_MIB = 1 << 20
_TOO_LITTLE, _LITTLE = 100 * _MIB, 1024 * _MIB
_OLDEST_NOW = 1_767_225_600
"""The start of 2026, which is earlier than any correct clock."""
_SLACK_SECONDS = 5
_UNSYNCHRONISED = 5
"""The value of adjtimex for a clock that is not synchronised (TIME_ERROR)."""
_LONGEST_SOCKET = 107
"""The most bytes in the path of a Unix socket, with the final zero."""


def examine(settings: Settings, state: DatabaseState | None) -> list[Diagnosis]:
    """All findings, in the order in which a host would check."""
    clock = check_clock(time.time(), 0 if state is None else state.newest / 1000, _is_synchronised())
    return [
        check_versions(settings),
        check_port(settings),
        *check_disk(settings),
        clock,
        check_database(settings, state),
        check_proxy(settings),
        *check_reach(settings),
    ]


def found_with(settings: Settings) -> list[Diagnosis]:
    """All findings, after reading the database."""
    try:
        state = state_of(settings.database)
    except BadDatabase as bad:
        state = DatabaseState(settings.database, wrong=str(bad))
    return examine(settings, state)


def run(*, as_json: bool, **options: Any) -> tuple[int, str]:
    """Runs all checks. Returns the exit code (1 if a server can't run) and the output."""
    try:
        settings = read_settings(**options)
    except WrongSettings as wrong:
        found = [error("settings", sentence, "") for sentence in str(wrong).splitlines()]
    else:
        found = found_with(settings)
    exit_code = 1 if any(each.grade == "error" for each in found) else 0
    if as_json:
        return exit_code, json.dumps([each._asdict() for each in found])
    return exit_code, "\n".join(each.line().rstrip() for each in found)


def check_versions(settings: Settings) -> Diagnosis:
    python, sqlite = platform.python_version(), sqlite3.sqlite_version
    programs = f"Tablero {_version('tablero')}, Python {python}, SQLite {sqlite}."
    if settings.database.startswith("postgres") and not _version("asyncpg"):
        return error("versions", f"{programs} asyncpg is missing.", "Run: pip install 'tablero[cluster]'")
    if sys.platform != "win32" and not _version("uvloop"):
        return warning("versions", f"{programs} uvloop is missing.", "Run: pip install 'tablero[server]'")
    return ok("versions", programs)


def check_port(settings: Settings, is_ours: Callable[[str, int], bool] | None = None) -> Diagnosis:
    host, port = settings.listen_on, settings.port
    ours = is_ours or partial(answers, secure=settings.speaks_tls)
    where = f"{host}:{port}"
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            if sys.platform != "win32":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except socket.gaierror:
        return error("port", f"This machine has no address {host}.", "Choose another --host.")
    except OSError as wrong:
        if wrong.errno == errno.EADDRINUSE:
            if ours(LOOPBACK.get(host, host), port):
                return ok("port", f"A server answers at {where}.")
            return error("port", f"Another program has {where}.", "Stop it, or choose another --port.")
        if wrong.errno == errno.EACCES:
            return error("port", f"Only root may listen on {where}.", "Choose a --port above 1023.")
        return error("port", f"Cannot listen on {where}: {wrong.strerror}.", "Choose another --host.")
    return ok("port", f"{where} is free.")


def check_disk(settings: Settings) -> list[Diagnosis]:
    """Checks the disk of the database and of the socket of `tablero admin`."""
    found = []
    with suppress(BadDatabase):
        file = database_file(settings.database) if settings.database != "memory" else None
        if file is not None:
            found.append(_check_folder(file.parent))
            if len(os.fsencode(f"{file}.admin")) > _LONGEST_SOCKET and not settings.admin:
                found.append(
                    warning(
                        "disk",
                        f"The path {file}.admin is too long for a socket.",
                        "Choose a shorter one by TABLERO_ADMIN, or `tablero admin` will not work.",
                    )
                )
    return found


def _check_folder(folder: Path) -> Diagnosis:
    there = next(each for each in (folder, *folder.parents) if each.exists())
    if not os.access(there, os.W_OK | os.X_OK):
        me = os.geteuid() if hasattr(os, "geteuid") else "you"
        return error("disk", f"{there} cannot be written by uid {me}.", f"Run: chown -R {me} {there}")
    usage = shutil.disk_usage(there)
    free = f"{folder} has {usage.free // _MIB:,} MiB free."
    if usage.free < _TOO_LITTLE:
        return error("disk", free, "Free some space: on a full disk no game can go on.")
    if usage.free < _LITTLE:
        return warning("disk", free, "Free some space soon.")
    return ok("disk", free)


def check_clock(now: float, newest: float, synchronised: bool | None) -> Diagnosis:
    """Checks the clock; `newest` is the time of the database's last entry, or 0."""
    shown = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(now))
    if now < _OLDEST_NOW:
        return error("clock", f"It shows {shown}, which is in the past.", "Set it.")
    if newest > now + _SLACK_SECONDS:
        ahead = int(newest - now)
        return error(
            "clock",
            f"It shows {shown}, {ahead:,} s before the newest entry of the database.",
            "Set it, or wait: otherwise times of games go backwards.",
        )
    if synchronised is False:
        return warning(
            "clock", f"It shows {shown}, and is not synchronised.", "Run an NTP client such as timesyncd."
        )
    return ok("clock", f"It shows {shown}.")


def check_database(settings: Settings, state: DatabaseState | None) -> Diagnosis:
    if state is None:
        if settings.database == "memory":
            return warning(
                "database", "All data is lost when the server stops.", "Set TABLERO_DATABASE to keep it."
            )
        return ok("database", "There is none yet; the first start creates it.")
    if state.wrong:
        return error("database", state.wrong, state.do)
    what = f"{state.place} is {state.counts()}, schema {state.revision}."
    if state.outdated:
        return ok("database", f"{what} The next start brings the schema up to date{state.copied_before}.")
    return ok("database", what)


def check_proxy(settings: Settings) -> Diagnosis:
    if settings.names and not settings.trusted_proxies:
        return warning(
            "proxy",
            "TABLERO_NAMES is set, and no proxy is trusted: all visitors would count as one address.",
            "Set TABLERO_TRUSTED_PROXIES to the proxy's address.",
        )
    if settings.trusted_proxies and not settings.names:
        return warning(
            "proxy",
            f"{settings.trusted_proxies} is trusted, but no public name is set: its requests would get 421.",
            "Set TABLERO_NAMES to the name that visitors use.",
        )
    if settings.trusted_proxies:
        return ok("proxy", f"{settings.trusted_proxies} is trusted for {settings.names}.")
    return ok("proxy", "No proxy is trusted, and none is needed without a public name.")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _is_synchronised() -> bool | None:
    """Whether this machine's clock is synchronised; None if unknown."""
    if not sys.platform.startswith("linux"):
        return None
    asked = ctypes.create_string_buffer(512)  # struct timex with only zeros, so nothing is set
    try:
        state = ctypes.CDLL(None, use_errno=True).adjtimex(asked)
    except (OSError, AttributeError):
        return None
    return None if state < 0 else state != _UNSYNCHRONISED
