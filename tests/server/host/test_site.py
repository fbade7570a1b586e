"""The host's own address: what is there, and who is led there by nobody."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import ClientSession, UnixConnector
from structlog.testing import capture_logs

from tablero_server.app import Server
from tablero_server.host.site import PAGE, HostSite, NoHostPages, document
from tablero_server.settings import Settings
from tests.harness.host import a_host, a_server
from tests.harness.pages import Browser
from tests.harness.wire import a_wire


@asynccontextmanager
async def a_site(host: str = "127.0.0.1", admin: Path | None = None) -> AsyncIterator[HostSite]:
    server = Server(Settings(port=0, bots=False), admin=admin, host_pages=(host, 0))
    await server.start()
    try:
        yield server.host_site
    finally:
        await server.stop()


async def get(site: HostSite, path: str, **headers: str) -> tuple[int, str]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    async with (
        ClientSession() as session,
        session.get(f"http://127.0.0.1:{site.port}{path}", headers=named) as answer,
    ):
        return answer.status, await answer.text()


async def test_metrics_are_there_and_not_where_people_play() -> None:
    server = Server(Settings(port=0, bots=False), host_pages=("127.0.0.1", 0))
    await server.start()
    try:
        status, text = await get(server.host_site, "/metrics")
        assert (status, "tablero_connections 0.0" in text) == (200, True)
        assert (await Browser(server).get("/metrics"))[0] == 404
    finally:
        await server.stop()


@pytest.mark.parametrize("host", ["games.example.org", "evil.example:8471", "127.0.0.1.evil.example"])
async def test_a_strangers_name_for_this_machine_is_refused(host: str) -> None:
    async with a_site() as site:
        assert (await get(site, "/metrics", Host=host))[0] == 421
        assert (await get(site, "/metrics", Host="localhost:8471"))[0] == 200
        assert (await get(site, "/metrics", Host="game:8471"))[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:8470"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
async def test_another_sites_page_is_refused_that_of_the_game_too(headers: dict[str, str]) -> None:
    async with a_site() as site:
        assert (await get(site, "/metrics", **headers))[0] == 403
        own = f"http://127.0.0.1:{site.port}"
        assert (await get(site, "/metrics", Origin=own, Sec_Fetch_Site="same-origin"))[0] == 200


async def test_what_is_not_there_is_told_in_a_sentence_and_kept_by_nobody() -> None:
    async with a_site() as site, ClientSession() as session:
        wrong_way = await session.get(f"http://127.0.0.1:{site.port}/api/list")
        assert (wrong_way.status, wrong_way.headers["Allow"]) == (405, "POST")
        answer = await session.get(f"http://127.0.0.1:{site.port}/nothing")
        assert (answer.status, await answer.text()) == (404, "Not Found.\n")
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Server"] == "tablero"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_an_address_that_was_not_chosen_makes_way_for_another_server() -> None:
    async with a_site() as site:
        with capture_logs() as lines:
            other = Server(Settings(port=0, bots=False), host_pages=("127.0.0.1", site.port))
            await other.start()
            assert site.port < other.host_site.port <= site.port + 20
            assert other.host_site.address == f"http://127.0.0.1:{other.host_site.port}/"
            await other.stop()
        assert [line for line in lines if line["log_level"] == "warning"] == []


async def test_a_chosen_address_that_is_taken_ends_the_start() -> None:
    async with a_site() as site:
        settings = Settings(port=0, bots=False, admin_address=f"127.0.0.1:{site.port}")
        other = Server(settings, host_pages=settings.host_pages)
        with pytest.raises(
            NoHostPages, match=f"127.0.0.1:{site.port}: .* Choose another TABLERO_ADMIN_ADDRESS"
        ):
            await other.start()
        await other.stop()


async def test_an_address_that_cannot_be_opened_costs_a_warning_and_no_game() -> None:
    with capture_logs() as lines:
        server = Server(Settings(port=0, bots=False), host_pages=("192.0.2.1", 0))
        await server.start()
        assert (await Browser(server).get("/healthz"))[0] == 200
        assert server.host_site.address is None
        await server.stop()
    [line] = [line for line in lines if line["log_level"] == "warning"]
    assert line["event"] == "could not open the host's page"


async def test_a_socket_that_is_taken_costs_a_warning_and_no_game(folder: Path) -> None:
    async with a_server(folder / "admin"):
        with capture_logs() as lines:
            async with a_server(folder / "admin") as other:
                assert (await Browser(other).get("/healthz"))[0] == 200
        [line] = [line for line in lines if line["log_level"] == "warning"]
        assert (line["event"], line["why"]) == (
            "could not open the socket of tablero admin",
            "another server listens there",
        )


async def test_at_the_socket_there_is_the_same_without_a_token(folder: Path) -> None:
    async with (
        a_server(folder / "admin"),
        ClientSession(connector=UnixConnector(str(folder / "admin"))) as session,
    ):
        for path in ("/metrics", "/openapi.json", *PAGE):
            assert (await session.get(f"http://tablero{path}")).status == 200
        said = await session.post("http://tablero/api/announce", json={"text": "Tea!"})
        assert (said.status, (await said.json())["ok"]) == (200, True)
        answer = await (await session.post("http://tablero/api/audit")).json()
        assert [(line["by"], line["command"]) for line in answer["audit"]] == [("socket", "announce")]
        assert (await session.post("http://tablero/api/drain", data="{}")).status == 415


async def test_others_who_can_reach_it_are_worth_a_warning() -> None:
    with capture_logs() as lines:
        async with a_site("0.0.0.0") as site:
            assert (await get(site, "/metrics"))[0] == 200
    assert [line["see"] for line in lines if line["log_level"] == "warning"][-1] == "TABLERO_ADMIN_ADDRESS"


async def test_a_page_that_breaks_is_logged_and_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(network: object) -> bytes:
        raise RuntimeError("a secret")

    monkeypatch.setattr("tablero_server.host.site.page", broken)
    async with a_site() as site:
        with capture_logs() as lines:
            assert await get(site, "/metrics") == (500, "Something broke; the log says what.\n")
    assert [line["event"] for line in lines if line["log_level"] == "error"] == ["a request broke something"]


# The commands


async def test_a_command_is_carried_out_and_kept() -> None:
    async with a_host() as (host, server), a_wire(server) as ana:
        await ana.hello("ana")
        status, answer = await host.say("kick", '{"player": "ana", "why": "tea"}')
        assert (status, answer["ok"]) == (200, True)
        assert await ana.closed() == 4106
        status, answer = await host.say("audit")
        assert [line["by"] for line in answer["audit"]] == ["page from 127.0.0.1"]
        assert host.token not in str(answer)


async def test_a_refusal_is_told_with_its_reason() -> None:
    async with a_host() as (host, _):
        status, answer = await host.say("kick", '{"player": "nobody"}')
        assert (status, answer["reason"]) == (409, "nobodyCalledThat")


@pytest.mark.parametrize("authorization", ["", "Bearer wrong", "Basic {}", "Bearer {}x"])
async def test_without_the_token_nothing_is_done(authorization: str) -> None:
    async with a_host() as (host, server), a_wire(server) as ana:
        await ana.hello("ana")
        for command in host_commands(server):
            asked = authorization.format(host.token)
            status, _ = await host.say(command, '{"player": "ana"}', Authorization=asked)
            assert status == 401, command
        assert (await ana.ask("ping"))["type"] == "pong"
        assert not server.service.hub.authority.draining
        assert server.network.security.counts["wrong host token", "401"] == len(host_commands(server))


def host_commands(server: Server) -> list[str]:
    return list(server.host_site._commands.by_name)


async def test_the_token_in_an_address_opens_nothing() -> None:
    async with a_host() as (host, server):
        assert (await host.say(f"list?token={host.token}", Authorization=""))[0] == 401
        assert (await get(server.host_site, "/api/list"))[0] == 405


async def test_wrong_tokens_are_counted_and_keep_the_host_out_of_nothing() -> None:
    async with a_host() as (host, server):
        right, host.token = host.token, "wrong"
        assert [(await host.say("list"))[0] for _ in range(30)] == [401] * 30
        assert server.network.security.counts["wrong host token", "401"] == 30
        host.token = right
        assert (await host.say("list", ""))[0] == 200


async def test_the_right_token_opens_after_too_many_wrong_ones() -> None:
    async with a_host() as (host, server):
        limits, now = server.service.hub.rate_limits, server.service.now()
        for _ in range(400):
            limits.wrong_host_token("127.0.0.1", now + 60_000)
        right, host.token = host.token, "wrong"
        assert (await host.say("list"))[0] == 429
        assert server.network.security.counts["wrong host token", "429"] == 1
        host.token = right
        assert (await host.say("list"))[0] == 200


async def test_nobody_guesses_who_says_no_token() -> None:
    async with a_host() as (host, server):
        for _ in range(5):
            assert (await host.say("list", Authorization=""))[0] == 401
        now = server.service.now()
        wrong_token = server.service.hub.rate_limits.wrong_host_token
        assert [wrong_token("127.0.0.1", now) for _ in range(300)] == [0] * 300


FORGED = {
    "a form of another site": {"Origin": "https://evil.example", "Content_Type": "text/plain"},
    "a script of another site": {"Origin": "https://evil.example"},
    "a sandboxed frame": {"Origin": "null"},
    "the page of the game": {"Origin": "http://127.0.0.1:8470", "Sec_Fetch_Site": "same-site"},
    "a link": {"Sec_Fetch_Site": "cross-site"},
}


@pytest.mark.parametrize("headers", FORGED.values(), ids=FORGED.keys())
async def test_what_another_site_forges_is_refused_also_with_the_token(headers: dict[str, str]) -> None:
    async with a_host() as (host, server):
        assert (await host.say("drain", **headers))[0] == 403
        assert not server.service.hub.authority.draining


async def test_a_strangers_name_is_refused_also_with_the_token() -> None:
    async with a_host() as (host, server):
        assert (await host.say("drain", Host="evil.example"))[0] == 421
        assert not server.service.hub.authority.draining


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        ("{}", "text/plain", 415),
        ("{}", "application/x-www-form-urlencoded", 415),
        ("[]", "application/json", 400),
        ("{", "application/json", 400),
        ("\xff", "application/json", 400),
        ("[" * 60_000, "application/json", 400),
        ('{"stop": 1}', "application/json", 409),
        ('{"more": "x"}', "application/json", 409),
        ("x" * 70_000, "application/json", 413),
    ],
)
async def test_what_is_no_command_is_refused(body: str, content_type: str, status: int) -> None:
    async with a_host() as (host, server):
        assert (await host.say("drain", body, Content_Type=content_type))[0] == status
        assert not server.service.hub.authority.draining
        assert (await host.say("fly"))[0] == 404


async def test_nobody_may_frame_the_page_and_nothing_foreign_runs_in_it() -> None:
    async with a_site() as site, ClientSession() as session:
        for path in PAGE:
            answer = await session.get(f"http://127.0.0.1:{site.port}{path}")
            policy = answer.headers["Content-Security-Policy"]
            assert answer.status == 200
            assert "default-src 'none'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["X-Frame-Options"] == "DENY"
            assert "Access-Control-Allow-Origin" not in answer.headers
        text = await (await session.get(f"http://127.0.0.1:{site.port}/")).text()
    assert not re.search(r"<script(?! type=\"module\" src=)| on[a-z]+=|style=|https?:", text)


async def test_the_commands_are_described() -> None:
    async with a_site() as site:
        status, text = await get(site, "/openapi.json")
    assert (status, "/api/ban" in text) == (200, True)


async def test_every_command_is_there_with_what_it_takes() -> None:
    async with a_host() as (_, server):
        commands = server.host_site._commands.by_name
    told = document(commands)
    assert set(told["paths"]) == {f"/api/{name}" for name in commands}
    ban = told["paths"]["/api/ban"]["post"]
    body = ban["requestBody"]["content"]["application/json"]["schema"]
    assert (body["required"], body["additionalProperties"]) == (["player"], False)
    assert set(body["properties"]) == {"player", "time", "why", "address"}
    assert told["security"] == [{"token": []}]
    assert all(each["post"]["summary"] for each in told["paths"].values())
