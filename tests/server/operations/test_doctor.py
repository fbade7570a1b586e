"""`tablero doctor`: what it finds wrong, and what it says to do about it."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
from collections import namedtuple
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from tablero_server.journal import open_journal
from tablero_server.operations import doctor
from tablero_server.operations.database_state import DatabaseState
from tablero_server.operations.doctor import Diagnosis, check_firewall, check_network, check_reach, check_tls
from tablero_server.reach.certificate import of_our_own
from tablero_server.reach.own_addresses import OwnAddress
from tablero_server.settings import Settings
from tests.harness.certificates import of_the_past
from tests.harness.command_line import tablero
from tests.harness.wire import a_server

NOON = 1_800_000_000.0


def of(**settings: Any) -> Settings:
    return Settings(**{"database": "memory", "port": 0, **settings})


def graded(found: Diagnosis, grade: str, what: str, do: str = "") -> None:
    assert (found.grade, what in found.what, do in found.do) == (grade, True, True), found


def test_a_line_says_how_it_is_what_was_found_and_what_to_do() -> None:
    assert doctor.ok("disk", "It is empty.").line() == "ok       disk      It is empty."
    assert doctor.warning("disk", "It is full.", "Make room.").line() == (
        "warning  disk      It is full. Make room."
    )
    assert doctor.error("port", "It is taken.", "Take another.").line() == (
        "error    port      It is taken. Take another."
    )


def test_a_free_port_is_well_and_a_taken_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        found = doctor.check_port(of(port=port), is_ours=lambda host, port: False)
        graded(found, "error", f"Another program has 127.0.0.1:{port}.", "choose another --port")
    graded(doctor.check_port(of(port=port)), "ok", "is free")


async def test_a_port_that_our_own_server_has_is_well() -> None:
    async with a_server() as server:
        found = await asyncio.to_thread(doctor.check_port, of(port=server.port))
    graded(found, "ok", f"A server answers at 127.0.0.1:{server.port}.")


@pytest.mark.parametrize("host", ["203.0.113.7", "no-such-host.invalid"])
def test_an_address_of_another_machine_is_told(host: str) -> None:
    graded(doctor.check_port(of(host=host)), "error", host, "Choose another --host.")


Usage = namedtuple("Usage", "total used free")


@pytest.mark.parametrize(
    ("free", "grade", "do"),
    [
        (99 << 20, "error", "Free some space: on a full disk no game can go on."),
        (200 << 20, "warning", "Free some space soon."),
        (5 << 30, "ok", ""),
    ],
)
def test_little_room_on_the_disk_is_told(
    free: int, grade: str, do: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(free * 2, free, free))
    [found] = doctor.check_disk(of(database=f"sqlite:///{folder}/games.db"))
    graded(found, grade, f"{folder} has {free >> 20:,} MiB free.", do)


def test_a_folder_of_somebody_elses_is_told_with_the_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    [found] = doctor.check_disk(of(database=f"sqlite:///{folder}/games.db"))
    graded(found, "error", f"{folder} cannot be written", f"chown -R {os.geteuid()} {folder}")


def test_a_path_too_long_for_a_socket_is_told(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 100)
    folder.mkdir()
    found = doctor.check_disk(of(database=f"sqlite:///{folder}/games.db"))
    graded(found[-1], "warning", "too long for a socket", "TABLERO_ADMIN")
    assert len(doctor.check_disk(of(database=f"sqlite:///{folder}/games.db", admin="/run/t"))) == 1


@pytest.mark.parametrize(
    ("now", "newest", "synchronised", "grade", "what"),
    [
        (0.0, 0.0, True, "error", "which is in the past"),
        (NOON, NOON + 60, True, "error", "60 s before the newest entry"),
        (NOON, NOON + 4, True, "ok", "2027-01-15"),
        (NOON, 0.0, False, "warning", "is not synchronised"),
        (NOON, NOON - 5, None, "ok", "2027-01-15"),
    ],
)
def test_a_clock_that_cannot_be_right_is_told(
    now: float, newest: float, synchronised: bool | None, grade: str, what: str
) -> None:
    graded(doctor.check_clock(now, newest, synchronised), grade, what)


STATE = DatabaseState("games.db", 1, 5, {"player": 1, "room": 2})


@pytest.mark.parametrize(
    ("state", "grade", "what"),
    [
        (None, "warning", "All data is lost when the server stops."),
        (DatabaseState("games.db", wrong="It is damaged.", do="Mend it."), "error", "It is damaged."),
        (DatabaseState("d", 0), "ok", "The next start brings the schema up to date"),
    ],
)
def test_what_a_database_is_like_is_told(state: DatabaseState | None, grade: str, what: str) -> None:
    graded(doctor.check_database(of(), state), grade, what)


def test_a_sound_database_is_counted() -> None:
    found = doctor.check_database(of(database="sqlite:///x"), STATE)
    graded(found, "ok", f"games.db is 1 player, 2 rooms, schema {STATE.revision}.")
    graded(doctor.check_database(of(database=""), None), "ok", "There is none yet")


@pytest.mark.parametrize(
    ("settings", "grade", "do"),
    [
        ({}, "ok", ""),
        ({"names": "games.example.org"}, "warning", "Set TABLERO_TRUSTED_PROXIES"),
        ({"trusted_proxies": "127.0.0.1"}, "warning", "Set TABLERO_NAMES"),
        ({"names": "games.example.org", "trusted_proxies": "127.0.0.1"}, "ok", ""),
    ],
)
def test_half_a_proxy_is_told(settings: dict[str, str], grade: str, do: str) -> None:
    graded(doctor.check_proxy(of(**settings)), grade, "", do)


def test_postgres_without_its_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_version", lambda package: "" if package == "asyncpg" else "1")
    settings = of(database="postgresql://u@h/n")
    graded(doctor.check_versions(settings), "error", "asyncpg is missing", "tablero[cluster]")
    graded(doctor.check_versions(of()), "ok", "Tablero 1, Python ")


def test_the_command_says_a_line_a_thing_and_ends_with_1_if_something_is_wrong(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = f"sqlite:///{folder}/games.db"
    asyncio.run(_made(database))
    code, text = tablero("doctor", "--database", database, "--port", "0")
    about = [line.split()[1] for line in text.splitlines()]
    known = ["versions", "port", "disk", "clock", "database", "proxy", "tls", "network"]
    assert (code, about) == (0, known)
    assert "games.db is 0 players, 0 tokens, 0 rooms, 0 entries" in text
    (folder / "games.db").write_bytes(b"no database" * 1000)
    code, text = tablero("doctor", "--database", database, "--port", "0", "--json")
    wrong = [each for each in json.loads(text) if each["grade"] == "error"]
    assert (code, [each["about"] for each in wrong]) == (1, ["database"])
    assert "is not a sound database" in wrong[0]["what"]
    code, text = tablero("doctor", "--database", "sqlite:////no/folder/games.db", "--port", "0")
    assert (code, "mkdir -p /no/folder" in text) == (1, True)
    monkeypatch.setenv("TABLERO_PROT", "1")
    assert tablero("doctor") == (
        1,
        "error    settings  TABLERO_PROT: there is no such setting. Did you mean TABLERO_PORT?\n",
    )


async def _made(database: str) -> None:
    await (await open_journal(database)).close()


HOME = OwnAddress("eth0", ip_address("192.168.1.5"))
PUBLIC = OwnAddress("eth1", ip_address("8.8.4.4"))


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
def test_a_certificate_is_good_or_it_is_said_why_not(tmp_path: Path) -> None:
    made = of_our_own(tmp_path / "new", [])
    found = check_tls(Settings(tls_cert=str(made.chain), tls_key=str(made.key)))
    assert (found.grade, made.fingerprint() in found.what) == ("ok", True)
    old = of_the_past(tmp_path / "new")
    found = check_tls(Settings(tls_cert=str(old.chain), tls_key=str(old.key)))
    assert (found.grade, "certificate has expired. Renew it" in found.what) == ("error", True)


@pytest.mark.parametrize(
    ("tls", "what"), [("off", "TLS is off."), ("auto", "The server creates a certificate.")]
)
def test_without_files_it_looks_at_none(tls: str, what: str) -> None:
    assert check_tls(Settings.model_validate({"tls": tls})).what == what


def test_what_a_start_would_refuse_is_an_error() -> None:
    found = check_network(Settings(host="0.0.0.0"), [HOME, PUBLIC])
    assert (found.grade, "--tls auto" in found.what) == ("error", True)


def test_a_network_of_ones_own_is_a_warning_and_this_machine_alone_none() -> None:
    found = check_network(Settings(lan=True), [HOME])
    assert (found.grade, "192.168.1.5" in found.what) == ("warning", True)
    assert check_network(Settings(), [HOME, PUBLIC]).grade == "ok"


def test_a_firewall_matters_to_others_alone() -> None:
    found = check_firewall(Settings(lan=True, port=9000), [HOME], "sudo ufw allow 9000/tcp")
    assert found is not None
    assert (found.grade, found.do) == ("warning", "Open it: sudo ufw allow 9000/tcp")
    assert check_firewall(Settings(), [HOME], "sudo ufw allow 8470/tcp") is None
    assert check_firewall(Settings(lan=True), [HOME], None) is None


def test_there_is_a_line_for_each() -> None:
    assert [each.about for each in check_reach(Settings())][:2] == ["tls", "network"]
