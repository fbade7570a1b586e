"""Games over lines that misbehave: whoever is cut off comes back, and nothing is lost or comes twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from random import Random
from time import monotonic

import pytest

from tablero import connect
from tablero.client import connection as connection_module
from tablero.client import heartbeat as heartbeat_module
from tablero.client import session as session_module
from tablero.client.client import Client
from tablero_server.app import Server
from tablero_server.core.effects import Effects
from tablero_server.journal.sqlite import SqliteJournal
from tablero_server.settings import Settings
from tablero_server.wire import network as network_module
from tests.harness import wire as wire_module
from tests.harness.playing_pairs import Book, play_once
from tests.harness.tiers import FULL
from tests.harness.wire import PATIENCE, a_server, a_wire
from trials.fault_proxy import FaultProxy, Faults

MOVES_MEASURED = 60 if FULL else 6


class Witnessed(SqliteJournal):
    """Something happens at every turn just when it is durable, and before anybody is told."""

    def __init__(self) -> None:
        super().__init__()
        self.turns = 0
        self.at_turn: Callable[[int], object] = lambda turns: None

    async def append(self, effects: Sequence[Effects]) -> None:
        await super().append(effects)
        kinds = [record.kind for each in effects for record in each.entries]
        for _ in range(kinds.count("turn")):
            self.turns += 1
            self.at_turn(self.turns)


@asynccontextmanager
async def a_line(journal: SqliteJournal | None = None) -> AsyncIterator[tuple[FaultProxy, Server]]:
    async with a_server(journal) as server, FaultProxy("127.0.0.1", server.port) as proxy:
        yield proxy, server


@asynccontextmanager
async def two_people(proxy: FaultProxy, server: Server) -> AsyncIterator[tuple[Client, Client]]:
    """Ana behind the proxy, Ben beside the server."""
    async with (
        connect(f"ws://127.0.0.1:{proxy.port}/ws", name="ana") as ana,
        connect(f"ws://127.0.0.1:{server.port}/ws", name="ben") as ben,
    ):
        yield ana, ben


async def is_kept(book: Book, server: Server) -> bool:
    logs = {room: await server.journal.log(room) for room in book.rooms}
    found = book.compare(logs)
    assert found.kept, found
    assert not book.refused
    return found.acknowledged == sum(record.kind == "turn" for log in logs.values() for record in log)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients that notice and try again within fractions of a second."""
    monkeypatch.setattr(heartbeat_module, "PING_EVERY", 0.1)
    monkeypatch.setattr(session_module, "PATIENCE", 0.3)
    monkeypatch.setattr(connection_module, "PATIENCE", 0.3)
    monkeypatch.setattr(connection_module, "HEARTBEAT", 0.05)
    monkeypatch.setattr(heartbeat_module, "LONGEST", 0.05)
    monkeypatch.setattr(heartbeat_module, "LONGEST_IN_A_GAME", 0.05)


@pytest.mark.parametrize(
    "faults",
    [
        Faults(one_byte=True),
        Faults(latency=0.005, jitter=0.02),
        Faults(rate=30_000),
        Faults(latency=0.002, jitter=0.002, one_byte=True),
    ],
)
async def test_a_game_over_a_bad_line_goes_to_its_end(faults: Faults) -> None:
    book = Book()
    async with a_line() as (proxy, server), two_people(proxy, server) as (ana, ben):
        proxy.faults = faults
        await play_once(ana, ben, "tic-tac-toe", {}, Random(1), book)
        assert await is_kept(book, server)
        assert proxy.connections == 1


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four"])
async def test_who_is_reset_in_the_middle_of_a_game_goes_on_with_it(game: str) -> None:
    """The line goes between a move and its answer: to its author, or to the one who is to move next."""
    book, journal = Book(), Witnessed()
    async with a_line(journal) as (proxy, server), two_people(proxy, server) as (ana, ben):
        journal.at_turn = lambda turns: turns % 3 == 1 and proxy.reset()
        await play_once(ana, ben, game, {}, Random(2), book)
        assert proxy.connections > 2
        assert await is_kept(book, server)


@pytest.mark.usefixtures("impatient")
async def test_a_race_goes_on_over_resets() -> None:
    book, journal = Book(), Witnessed()
    async with a_line(journal) as (proxy, server), two_people(proxy, server) as (ana, ben):
        journal.at_turn = lambda turns: turns % 4 == 1 and proxy.reset()
        options = {"mode": "race", "width": 9, "height": 9, "mines": 3}
        await play_once(ana, ben, "minesweeper", options, Random(3), book)
        logs = {room: await server.journal.log(room) for room in book.rooms}
        assert book.compare(logs).kept
        assert set(book.refused) <= {"minesweeper: gameOver", "minesweeper: stale"}, book.refused


@pytest.mark.usefixtures("impatient")
async def test_what_a_blackhole_swallowed_is_heard_after_it() -> None:
    """Ana notices by herself, and comes back on a new line while the old one still looks alive."""
    book, cut_off = Book(), asyncio.Event()
    async with a_line() as (proxy, server), two_people(proxy, server) as (ana, ben):

        def go_dark() -> None:
            if len(book.acknowledged) == 2:
                proxy.blackhole = True

        book.heard = go_dark
        ana.disconnected.subscribe(lambda _: cut_off.set())
        game = asyncio.create_task(play_once(ana, ben, "tic-tac-toe", {}, Random(4), book))
        await asyncio.wait_for(cut_off.wait(), PATIENCE)
        assert not game.done()
        proxy.blackhole = False
        await game
        assert proxy.connections > 1
        assert await is_kept(book, server)


async def test_a_rate_is_kept() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(bytes(2_000))
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server, FaultProxy("127.0.0.1", server.sockets[0].getsockname()[1]) as proxy:
        proxy.faults = Faults(rate=20_000)
        began = monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        assert len(await reader.read(-1)) == 2_000
        assert monotonic() - began >= 0.1
        writer.close()
        await writer.wait_closed()


@pytest.mark.full
async def test_half_a_minute_of_blackhole_is_over_three_seconds_after_it() -> None:
    """With the patience that clients really have."""
    book, back = Book(), asyncio.Event()
    server = Server(Settings(port=0, bots=False))
    await server.start()
    async with FaultProxy("127.0.0.1", server.port) as proxy, two_people(proxy, server) as (ana, ben):

        def go_dark() -> None:
            if len(book.acknowledged) == 2:
                proxy.blackhole = True

        book.heard = go_dark
        game = asyncio.create_task(play_once(ana, ben, "tic-tac-toe", {}, Random(5), book))
        await asyncio.sleep(30)
        ana.connected.subscribe(lambda _: back.set())
        proxy.blackhole = False
        healed = monotonic()
        await asyncio.wait_for(back.wait(), PATIENCE)
        print(f"resumed {monotonic() - healed:.2f} s after it was light again")
        assert monotonic() - healed <= 3
        await game
        assert await is_kept(book, server)
    await server.stop()


async def test_a_slow_line_costs_hardly_any_time_on_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network_module, "_MEASURED_EVERY", 1)
    monkeypatch.setattr(wire_module, "PATIENCE", 30.0)
    base = 300_000
    table = {"game": "dots-and-boxes", "options": {"rows": 12, "columns": 12}, "clock": {"base": 300}}
    edges = [f"{column}{row}v" for row in range(1, 13) for column in "abcdefghijklm"]  # none closes a box
    async with a_server(first_move_seconds=0) as server, FaultProxy("127.0.0.1", server.port) as proxy:
        proxy.faults = Faults(latency=0.05, jitter=0.05)
        async with a_wire(proxy) as ana, a_wire(server) as ben, asyncio.timeout(60):
            await ana.hello("ana")
            await ben.hello("ben")
            room = (await ana.ask("createRoom", **table))["room"]
            await ben.ask("join", room=room)
            session = next(iter(server.service.hub.accounts.sessions.values()))
            while len(session.round_trips) < 5:
                await ana.ask("ping")
            for wire in (ana, ben):
                await wire.ask("subscribe", room=room, event="nextPlayer")
            begun, ply = 0, 0
            while ply < 2 * MOVES_MEASURED + 1:
                wire, seat = ((ana, 0), (ben, 1))[ply % 2]
                turn = await wire.ask("playTurn", room=room, seat=seat, ply=ply, move=edges[ply])
                assert turn["type"] == "nextPlayer", turn
                begun, ply = begun or turn["clocks"][0], ply + 1
                other = (ben, ana)[seat]
                while other.heard[-1].get("ply") != ply:
                    await other.hear()
            lost = (begun - turn["clocks"][0]) / MOVES_MEASURED
            print(f"{lost:.1f} ms of clock a move, over {MOVES_MEASURED} moves")
            assert begun <= base
            assert lost <= (20 if MOVES_MEASURED >= 60 else 60)
