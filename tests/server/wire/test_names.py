"""By which names this server is reached, and by which it is not, however a page came to it."""

from __future__ import annotations

import pytest
import structlog

from tablero_server.wire.names import Names, is_name
from tests.harness.raw import a_raw, request
from tests.harness.wire import a_server

NAMES = Names(["games.example.org"], "Den.fritz.box")


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:8470",
        "192.168.1.20",
        "203.0.113.9:80",
        "[::1]:8470",
        "[2001:db8::1]",
        "localhost:8470",
        "tablero.localhost",
        "game:8470",  # a service in Compose
        "den.local:8470",
        "DEN.local",
        "den.lan",
        "den.fritz.box:8470",  # the machine's own
        "games.example.org",
        "Games.Example.ORG.:443",
    ],
)
def test_it_answers_to_addresses_to_names_at_home_and_to_listed_ones(host: str) -> None:
    assert NAMES.answer_to(host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "games.example.org.evil.example",
        "evil-games.example.org",
        "sub.games.example.org",
        "127.0.0.1.evil.example",
        "evil.example:8470",
        "local.evil.example",
        "notlocal.evil",
        "other.fritz.box",
        "<script>",
        "a b",
        "",
        "localhost:port",
        "user@localhost",
    ],
)
def test_it_does_not_answer_to_a_name_that_a_stranger_can_give_it(host: str) -> None:
    assert not NAMES.answer_to(host)


def test_a_listed_name_has_no_scheme_port_or_capitals() -> None:
    assert [is_name(text) for text in ("a.example", "https://a.example", "a.example:1", "A.example")] == [
        True,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize("path", ["/", "/healthz", "/api/rooms/x/record", "/ws"])
async def test_a_page_that_leads_its_visitors_browsers_here_reads_nothing(path: str) -> None:
    forged = request(path=path, Host="evil.example:8470", Origin="http://evil.example:8470")
    with structlog.testing.capture_logs() as logged:
        async with a_server() as server, a_raw(server) as raw:
            await raw.send(forged)
            answer = (await raw.reader.read()).decode()
    assert answer.startswith("HTTP/1.1 421 ")
    assert "evil" not in answer
    assert "TABLERO_NAMES" in answer
    [line] = logged
    assert (line["code"], line["host"]) == (421, "evil.example:8470")


async def test_a_listed_name_and_its_page_may_connect() -> None:
    async with a_server(names="games.example.org") as server, a_raw(server) as raw:
        await raw.send(request(Host="games.example.org", Origin="https://games.example.org"))
        assert await raw.status() == 101


@pytest.mark.parametrize(("trusted", "status"), [("127.0.0.1", 101), ("192.0.2.1", 421)])
async def test_a_proxy_that_is_listed_says_by_which_name_it_was_called(trusted: str, status: int) -> None:
    asked = request(
        Host="upstream.example", X_Forwarded_Host="games.example.org", Origin="https://games.example.org"
    )
    async with a_server(names="games.example.org", trusted_proxies=trusted) as server, a_raw(server) as raw:
        await raw.send(asked)
        assert await raw.status() == status


async def test_a_proxy_cannot_be_used_to_call_the_server_otherwise() -> None:
    asked = request(Host="games.example.org", X_Forwarded_Host="evil.example")
    async with (
        a_server(names="games.example.org", trusted_proxies="127.0.0.1") as server,
        a_raw(server) as raw,
    ):
        await raw.send(asked)
        assert await raw.status() == 421
