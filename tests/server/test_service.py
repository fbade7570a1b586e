"""Nobody pays by the clock for a server that is slow, full or stopped; time is a number here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from random import Random
from typing import Any

from tablero_games.position import Json
from tablero_protocol.codes import Close
from tablero_protocol.messages import CLIENT_MESSAGE
from tablero_server.core.effects import Effects, Search
from tablero_server.core.entry import Entry
from tablero_server.core.hub import Hub
from tablero_server.core.limits.limits import Limits
from tablero_server.core.room.room import Room
from tablero_server.journal.journal import NotWritten
from tablero_server.journal.sqlite import SqliteJournal
from tablero_server.service import LATE_MS, ServerTime, Service
from tests.harness.simulated_loop import SimLoop, run

TICK = 0.1


class Disk(SqliteJournal):
    """Takes `seconds` for a commit, and may be full."""

    seconds = 0.0
    full = False

    async def append(self, effects: Sequence[Effects]) -> None:
        await asyncio.sleep(self.seconds)
        await self.check(len(effects))
        await super().append(effects)

    async def check(self, count: int = 0) -> None:
        if self.full:
            raise NotWritten("database or disk is full", frozenset(range(count)))


class EndlessSearches:
    waited_for = False

    async def find(self, asked: Search) -> Json | None:
        await asyncio.sleep(3_600)
        return None

    def others_wait(self, waiting: bool) -> None:
        self.waited_for = waiting

    async def stop(self) -> None: ...


class Table:
    """Ana, peer 1, and Ben, peer 2, at tic-tac-toe with ten seconds each."""

    def __init__(self, loop: SimLoop) -> None:
        self.loop = loop
        self.disk = Disk()
        self.heard: list[tuple[int, dict[str, Any]]] = []
        hub = Hub(Random(1).randbytes, Limits(first_move_ms=0))
        self.searches = EndlessSearches()
        self.service = Service(hub, self.disk, self.searches, lambda: round(loop.time() * 1000), self)
        self._ids = count(1)

    def deliver(self, messages: Sequence[tuple[int, dict[str, Any]]]) -> None:
        self.heard += messages

    def close(self, peer: int, why: Close) -> None: ...

    def says(self, peer: int, type: str, **fields: Any) -> str:
        message = {"id": f"i{next(self._ids)}", "type": type, **fields}
        self.service.receive(peer, CLIENT_MESSAGE.validate_python(message, by_alias=True, by_name=False))
        return str(message["id"])

    def plays(self, seat: int, move: str) -> None:
        self.says(seat + 1, "playTurn", room=self.room.id, seat=seat, ply=self.room.ply, move=move)

    async def begins(self) -> None:
        self.service.start(await self.disk.load())
        self._ticks()
        for peer, name in ((1, "ana"), (2, "ben")):
            self.service.arrive(peer, None)
            self.says(peer, "hello", protocol=1, client="test", name=name)
        self.says(1, "createRoom", game="tic-tac-toe", clock={"base": 10}, subscribe=["nextPlayer"])
        self.says(2, "join", room=self.room.id, subscribe=["nextPlayer"])
        await self.service.settled()

    def _ticks(self) -> None:
        self.service.tick()
        self.loop.call_later(TICK, self._ticks)

    @property
    def room(self) -> Room:
        [views] = self.service.hub.rooms.open.values()
        return views.room

    @property
    def last(self) -> Entry:
        return self.room.log[-1]

    @property
    def kinds(self) -> list[str]:
        return [entry.kind for entry in self.room.log]

    def codes(self, peer: int) -> list[str]:
        return [message["code"] for to, message in self.heard if to == peer and message["type"] == "refused"]


@asynccontextmanager
async def a_table() -> AsyncIterator[Table]:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SimLoop)
    table = Table(loop)
    await table.begins()
    yield table
    await table.service.stop()


def simulated(test: Any) -> Any:
    """Runs a coroutine in time that does not wait."""

    def runs() -> None:
        run(SimLoop(Random(0), fifo=True), test())

    runs.__name__, runs.__doc__ = test.__name__, test.__doc__
    return runs


@simulated
async def test_time_is_charged_while_all_goes_well() -> None:
    async with a_table() as table:
        await asyncio.sleep(3)
        table.plays(0, "b2")
        assert table.last.clocks == (7_000, 10_000)


@simulated
async def test_a_rivals_clock_starts_when_the_turn_is_durable() -> None:
    async with a_table() as table:
        table.disk.seconds = 0.2
        table.plays(0, "b2")
        await table.service.settled()
        await asyncio.sleep(1)
        table.plays(1, "a1")
        assert table.last.clocks == (10_000, 9_000)


@simulated
async def test_nobody_is_charged_for_a_commit_that_takes_longer_than_the_clock() -> None:
    async with a_table() as table:
        await asyncio.sleep(9)
        table.disk.seconds = 65.0
        table.says(2, "say", room=table.room.id, text="hm")
        await table.service.settled()
        table.plays(0, "b2")
        assert table.kinds[-2:] == ["said", "turn"]
        left, _ = table.last.clocks or (0, 0)
        assert 700 <= left <= 1_000


@simulated
async def test_no_flag_falls_while_the_disk_is_full_and_the_turn_counts_afterwards() -> None:
    async with a_table() as table:
        await asyncio.sleep(7)
        table.disk.full = True
        table.plays(0, "b2")
        await asyncio.sleep(60)
        assert table.codes(1) == ["retryLater"]
        table.disk.full = False
        await asyncio.sleep(1)
        table.plays(0, "b2")
        await table.service.settled()
        assert (table.kinds[-1], table.room.ply) == ("turn", 1)


@simulated
async def test_a_turn_that_was_not_saved_leaves_its_author_the_time_that_it_had() -> None:
    async with a_table() as table:
        await asyncio.sleep(4)
        table.disk.full = True
        table.plays(0, "b2")
        await asyncio.sleep(0.01)
        clock = table.room.clock
        assert clock is not None
        assert (clock.remaining, clock.running) == ((6_000, 10_000), frozenset({0}))


@simulated
async def test_time_goes_on_by_itself_once_the_disk_has_room() -> None:
    async with a_table() as table:
        table.disk.full = True
        table.plays(0, "b2")
        await asyncio.sleep(30)
        table.disk.full = False
        await asyncio.sleep(15)
        assert table.kinds[-1] == "withdrew"


@simulated
async def test_a_command_that_was_carried_out_before_stops_no_clock() -> None:
    async with a_table() as table:
        room, account = table.room, table.service.hub.peers[1].account
        account.logged.clear()  # as long after its room has closed
        table.says(1, "createRoom", id="i3", game="tic-tac-toe")
        await asyncio.sleep(12)
        assert table.codes(1) == ["idReused"]
        assert room.log[-1].kind == "withdrew"


@simulated
async def test_a_process_that_was_stopped_charges_nobody() -> None:
    async with a_table() as table:
        await asyncio.sleep(5)
        table.loop.jump(80)  # as SIGSTOP does
        table.plays(0, "b2")
        assert table.last.clocks == (5_000, 10_000)


@simulated
async def test_a_late_tick_drops_no_flag() -> None:
    async with a_table() as table:
        await asyncio.sleep(5)
        table.loop.jump(80)
        await asyncio.sleep(4)
        assert table.kinds[-1] == "started"
        await asyncio.sleep(1.2)
        assert table.kinds[-1] == "withdrew"


@simulated
async def test_searches_hear_that_someone_waits_for_them() -> None:
    async with a_table() as table:
        table.service.arrive(3, None)
        table.says(3, "hello", protocol=1, client="test", name="cat")
        waited_for = []
        for peer in (1, 2, 3):
            table.says(peer, "createRoom", game="minesweeper", options={"noGuess": True})
            await asyncio.sleep(2 * TICK)
            waited_for.append(table.searches.waited_for)
        assert waited_for == [False, False, True]


@simulated
async def test_a_packed_game_is_unpacked_for_who_joins_and_for_its_flag() -> None:
    async with a_table() as table:
        rooms = table.service.hub.rooms
        table.says(1, "createRoom", game="tic-tac-toe", clock={"days": 1})
        *_, room = rooms.open
        table.says(2, "join", room=room)
        for seat, move in ((0, "b2"), (1, "a1")):
            table.says(seat + 1, "playTurn", room=room, seat=seat, ply=seat, move=move)
        for peer in (1, 2):
            table.service.dropped(peer)
        await asyncio.sleep(300)
        table.says(3, "hello", protocol=1, client="test", name="cat")
        assert room in rooms.packed
        table.says(3, "join", room=room)
        assert table.heard[-1][1]["type"] != "joined"
        await asyncio.sleep(0.01)
        assert table.heard[-1][1]["type"] == "joined"
        table.says(3, "leave", room=room)
        await asyncio.sleep(150)
        assert room in rooms.packed
        rooms.alarms.set_at("flag", room, table.service.now())
        loaded = False
        for _ in range(20):
            await asyncio.sleep(TICK / 10)
            loaded = loaded or room in rooms.open
        assert loaded


class Steady:
    def __init__(self) -> None:
        self.now = 1_000

    def __call__(self) -> int:
        return self.now


def test_it_passes_while_the_server_shows_that_it_serves() -> None:
    steady = Steady()
    time = ServerTime(steady)
    for _ in range(100):
        steady.now += LATE_MS
        assert time.now(serves=True) == steady.now
        assert time.now() == steady.now


def test_what_passes_before_the_server_is_heard_of_late_is_given_back_whole() -> None:
    steady = Steady()
    time = ServerTime(steady)
    steady.now += 100
    time.now(serves=True)
    steady.now += 8_000
    assert time.now() == 1_100
    time.now(serves=True)
    steady.now += 70
    assert time.now() == 1_170


def test_it_stands_still_until_the_server_serves_again_however_often_it_is_asked_for() -> None:
    steady = Steady()
    time = ServerTime(steady)
    told = []
    for _ in range(30):
        steady.now += 100
        told.append(time.now())
    assert told == [1_100, 1_200] + [1_200] * 28


def test_it_never_goes_back() -> None:
    steady = Steady()
    time = ServerTime(steady)
    last = time.now()
    for step in (10, 300, 1, 260, 249, 5_000, 0, 100):
        steady.now += step
        assert time.now() >= last
        last = time.now(serves=True) if step % 2 else time.now()
