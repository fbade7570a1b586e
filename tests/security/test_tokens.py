"""S3, S4 and S17: what a token is, where it is, how long it is good for, and where chance comes from."""

from __future__ import annotations

import ast
import json
import secrets
from pathlib import Path
from typing import Any

import pytest
import structlog

import tablero_server
from tablero_protocol.codes import Close
from tablero_server.app import Server
from tablero_server.core.hub import Hub
from tablero_server.core.ids import Ids
from tablero_server.core.limits.limits import Rate
from tablero_server.journal.sqlite import SqliteJournal
from tablero_server.settings import Settings
from tests.harness.desk import Desk, Peer
from tests.harness.raw import TEXT, a_raw, frame, request
from tests.harness.wire import a_server, a_wire

DAY = 24 * 3_600_000
SOURCES = sorted(Path(tablero_server.__file__).parent.rglob("*.py"))


def knocks(desk: Desk, peer: Peer) -> str:
    """The code with which the player's token is refused, or its name."""
    newcomer = desk.connect()
    answer = newcomer.ask("hello", protocol=1, client="test", token=peer.token)
    return str(answer["code"] if answer["type"] == "refused" else answer["player"]["id"])


# S3


def test_s03_a_token_has_256_bits_of_chance() -> None:
    drawn: list[int] = []

    def random_bytes(count: int) -> bytes:
        drawn.append(count)
        return secrets.token_bytes(count)

    tokens = {Ids(random_bytes).token() for _ in range(100)}
    assert len(tokens) == 100
    assert drawn == [32] * 100


def test_s03_only_the_hash_of_a_token_is_kept_anywhere() -> None:
    desk = Desk()
    ann, bob, _ = desk.pair()
    kept = repr((desk.players, desk.tokens, desk.journal, desk.placings))
    accounts = desk.hub.accounts
    known = repr([vars(accounts), vars(accounts.tokens), list(map(repr, accounts.by_id.values()))])
    for peer in (ann, bob):
        assert peer.token is not None
        assert peer.token not in kept + known
        assert [len(token.hash) for token in accounts.tokens.of(peer.player)] == [32], "SHA-256"


@pytest.mark.parametrize("path", ["/ws?token={}", "/ws/{}", "/?token={}", "/api/rooms/{}/record"])
async def test_s03_a_token_in_an_address_opens_nothing_and_is_not_logged(path: str) -> None:
    with structlog.testing.capture_logs() as logged:
        async with a_server() as server, a_wire(server) as ana:
            token = (await ana.hello())["token"]
            async with a_raw(server) as raw:
                await raw.send(request(path=path.format(token)))
                if await raw.status() == 101:
                    await raw.send(frame(TEXT, json.dumps({"type": "ping", "id": "p"}).encode()))
                    assert await raw.hear(1) == ["helloFirst"]
    assert token not in json.dumps(logged, default=repr)


async def test_s03_a_token_comes_once_and_is_in_no_answer_after() -> None:
    async with a_server() as server, a_wire(server) as ana:
        token = (await ana.hello())["token"]
        room = (await ana.ask("createRoom", game="tic-tac-toe"))["room"]
        await ana.ask("watchLobby")
        await ana.ask("say", room=room, text="hello")
        async with a_wire(server) as again:
            welcome = await again.hello(token=token)
        told = json.dumps([*ana.heard[1:], *again.heard])
    assert "token" not in welcome
    assert token not in told


def test_s03_tokens_cannot_be_tried_at_any_speed() -> None:
    desk = Desk(messages=Rate(100, 5))
    eve = desk.connect()
    codes = [eve.refused("hello", protocol=1, client="test", token=f"guess-{at}") for at in range(7)]
    assert codes == ["badToken"] * 5 + ["rateLimited"] * 2


# S4


def test_s04_a_guest_is_remembered_for_90_days_without_a_visit_and_no_longer() -> None:
    for days, remembered in ((89.9, True), (90.1, False)):
        desk = Desk()
        ann, _, room = desk.pair()
        ann.ask("resign", room=room, seat=0)
        ann.ask("leave", room=room)
        desk.drop(ann)
        desk.tick(desk.hub.limits.session_memory_ms)
        desk.tick(round(days * DAY))
        assert knocks(desk, ann) == (ann.player if remembered else "badToken")


def visit_daily(desk: Desk, peer: Peer, days: int) -> str:
    """Comes and goes once a day; gives how the last visit went."""
    last = ""
    for _ in range(days):
        desk.tick(DAY)
        last = knocks(desk, peer)
        desk.drop(desk.peers[len(desk.peers)])
    return last


def test_s04_a_token_is_good_for_90_days_after_it_was_last_used() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    desk.drop(ann)
    assert visit_daily(desk, ann, 200) == ann.player
    desk.tick(90 * DAY)
    assert knocks(desk, ann) == "badToken"
    assert desk.peer("ann").player != ann.player, "and comes as somebody new"


def test_s04_its_days_are_counted_across_a_restart() -> None:
    desk = Desk(token_ms=2 * DAY)
    ann = desk.peer("ann")
    desk.drop(ann)
    desk.tick(DAY)
    desk.restart()
    assert knocks(desk, ann) == ann.player
    desk.tick(2 * DAY - 1)
    desk.restart()
    assert knocks(desk, ann) == ann.player
    desk.tick(2 * DAY)
    desk.restart()
    assert knocks(desk, ann) == "badToken"


def test_s04_a_revoked_token_opens_nothing_and_closes_what_it_opened() -> None:
    desk = Desk()
    ann, bob, _ = desk.pair()
    second = desk.back(ann, same_session=False)
    away = desk.back(ann, same_session=False)
    desk.drop(away)
    desk.end_tokens(ann.player)
    assert [ann.closed, second.closed, bob.closed] == [Close.REVOKED.value] * 2 + [None]
    assert 4100 <= Close.REVOKED <= 4199, "clients do not come back by themselves"
    assert knocks(desk, ann) == "badToken"
    assert bob.ask("ping")["type"] == "pong"


def test_s04_a_session_cannot_be_returned_to_once_its_token_is_revoked() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    desk.end_tokens(ann.player)
    desk.drop(ann)
    assert desk.peer(None, token=bob.token, session=ann.session).session != ann.session


def test_s04_the_game_of_a_revoked_player_counts_for_nobody() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    desk.end_tokens(ann.player)
    assert bob.turns[-1]["outcome"]["reason"] == "kicked"
    assert ann.player not in desk.room(room).members


def test_s04_a_token_stays_revoked_after_a_restart() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    desk.end_tokens(ann.player)
    desk.restart()
    assert knocks(desk, ann) == "badToken"


def test_s04_a_revoked_player_is_forgotten_in_the_end_as_others_are() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    desk.end_tokens(ann.player)
    desk.drop(ann)
    desk.tick(desk.hub.limits.session_memory_ms)
    desk.tick(91 * DAY)
    assert desk.hub.accounts.by_id == {}
    assert len(desk.hub.accounts.tokens) == 0


async def test_s04_a_socket_is_closed_as_soon_as_its_token_is_revoked() -> None:
    async with a_server() as server, a_wire(server) as ana:
        player = (await ana.hello())["player"]["id"]
        service = server.service
        authority = service.hub.authority
        service.submit(authority.end_tokens(authority.player(player), service.now()))
        assert await ana.closed() == 4105


# S17


def test_s17_a_server_draws_from_the_systems_own_source() -> None:
    server = Server(Settings(port=0, bots=False), SqliteJournal())
    assert server.service.hub.ids._random_bytes is secrets.token_bytes


def calls(name: str) -> list[tuple[str, ast.Call]]:
    found = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == name:
                found.append((path.name, node))
    return found


def test_s17_a_hub_is_made_in_one_place_and_nothing_chooses_its_chance() -> None:
    [(where, made)] = calls(Hub.__name__)
    assert where == "app.py"
    assert ast.unparse(made.args[0]) == "secrets.token_bytes"
    assert not [name for name in Settings.model_fields if "seed" in name or "random" in name]


def test_s17_nothing_on_the_server_imports_a_generator_that_can_be_predicted() -> None:
    imported: set[str] = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                imported |= {name.name.split(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                imported.add(str(node.module).split(".")[0])
    assert imported.isdisjoint({"random", "numpy", "uuid"})
    assert "secrets" in imported


def test_s17_two_servers_draw_differently() -> None:
    hubs: list[Any] = [Hub(secrets.token_bytes), Hub(secrets.token_bytes)]
    assert hubs[0].ids.seed() != hubs[1].ids.seed()
