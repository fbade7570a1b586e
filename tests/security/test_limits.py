"""S8: every limit holds once at the limit and once beyond it; a new one without a check fails."""

from __future__ import annotations

import socket
from dataclasses import asdict, fields
from typing import Any

import pytest

from tablero_server.core.limits import rate_limits
from tablero_server.core.limits.limits import Limits, Rate
from tablero_server.settings import Settings
from tests.harness.desk import Desk
from tests.harness.limit_checks import LIMITS, SETTINGS
from tests.harness.raw import a_raw, request
from tests.harness.wire import a_server, a_wire

ON_SOCKETS = {"hello_seconds", "silence_seconds"}
ON_SOCKETS |= {"connections", "sockets_per_address", "handshakes_per_minute"}
"""Checked below, and in test_connecting.py."""
WHERE_LIMITS_HOLD = {"unlimited_nets", "trusted_proxies"}
"""Not limits themselves: tests/server/wire/test_addresses.py and test_address_limits.py."""
NO_LIMITS = {
    "admin_address",
    "base_path",
    "database_password_file",
    "host",
    "insecure",
    "lan",
    "tls",
    "tls_cert",
    "tls_key",
    "port",
    "bots",
    "log",
    "log_level",
    "database",
    "origins",
    "names",
    "bot_key",
    "bot_pace",
    "bot_greetings",
    "entry",
    "passphrase",
    "passphrase_file",
    "public_pages",
    "admin",
}


@pytest.mark.parametrize("name", [*SETTINGS, *LIMITS])
def test_s08_a_limit_holds_at_it_and_not_beyond(name: str) -> None:
    assert (SETTINGS | LIMITS)[name]() == (True, False)


def test_s08_every_setting_is_checked_or_is_no_limit() -> None:
    assert set(Settings.model_fields) == SETTINGS.keys() | ON_SOCKETS | WHERE_LIMITS_HOLD | NO_LIMITS


def test_s08_every_limit_of_the_core_is_a_setting_or_checked() -> None:
    """Whether a setting drives it: another value of each setting gives other limits."""
    driven: set[str] = set()
    for name, field in Settings.model_fields.items():
        if isinstance(field.default, int | float) and not isinstance(field.default, bool) and name != "port":
            other = asdict(Settings.model_validate({name: field.default * 2 + 1}).limits)
            driven |= {key for key, value in asdict(Settings().limits).items() if other[key] != value}
    assert {field.name for field in fields(Limits)} == driven | LIMITS.keys()


async def test_s08_connections_from_one_address() -> None:
    async with a_server(unlimited_nets="", sockets_per_address=2) as server, a_wire(server), a_wire(server):
        assert await status(server) == 429


async def test_s08_handshakes_from_one_address() -> None:
    async with a_server(unlimited_nets="", handshakes_per_minute=2) as server:
        assert [await status(server) for _ in range(3)] == [101, 101, 429]


async def test_s08_a_connection_may_be_silent_for_so_long_and_no_longer() -> None:
    async with a_server(silence_seconds=0.3) as server, a_wire(server) as ana:
        await ana.hello()
        assert await ana.closed() == 4002


async def status(server: Any) -> int:
    async with a_raw(server) as raw:
        await raw.send(request())
        return await raw.status()


def test_s08_what_a_stale_turn_missed_is_bounded_like_what_resume_brings() -> None:
    desk = Desk(replay_bytes=500)
    ann, bob, room = desk.pair("connect-four")
    for ply in range(6):
        (ann, bob)[ply % 2].play(room, str(ply + 1))
    [snapshot] = ann.ask("playTurn", room=room, seat=0, ply=0, move="1")["missed"]
    assert snapshot["type"] == "snapshot"


def test_s08_a_large_lobby_counts_like_several_messages() -> None:
    def lobbies(rooms: int) -> int:
        desk = Desk(messages=Rate(100, 40), rooms=10_000, all_rooms=10_000, lobby_bytes=65_536)
        host, ann = desk.bot("rob", capacity=1_000), desk.peer("ann")
        for _ in range(rooms):
            desk.now += 1_000
            host.create()
            desk.tick()
        return next(count for count in range(99) if ann.ask("watchLobby")["type"] == "refused")

    assert lobbies(10) == 40
    assert lobbies(200) == 40 // (1 + 200 // 50)


def test_a_lobby_that_costs_more_than_all_at_once_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "_LINES_LIKE_A_MESSAGE", 1)
    desk = Desk(messages=Rate(100, 5))
    for number in range(8):
        desk.peer(f"olga{number}").create()
    assert len(desk.peer("ann").ask("watchLobby")["rooms"]) == 8


async def test_what_somebody_does_not_read_does_not_pile_up_in_the_kernel_either() -> None:
    async with a_server() as server, a_wire(server) as ana:
        await ana.hello()
        [connection] = server.network._connections.values()
        accepted = connection._transport.get_extra_info("socket")
        assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 2 * 65_536, "Linux doubles it"


def test_s08_who_asks_for_the_lobby_makes_no_work_for_those_who_watch_it() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    ann.ask("watchLobby")
    for _ in range(5):
        bob.create()
        bob.ask("watchLobby")
    assert ann.of("lobbyChanged") == []
    desk.tick()
    assert len(ann.of("lobbyChanged")) == 1, "once a tick, however often it changed"
