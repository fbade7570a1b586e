"""Records of long games: made a little at a time, one after the other, and kept."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest

from tablero_protocol.codes import Code
from tablero_server.app import Server
from tablero_server.core.entry import Cause, Entry
from tablero_server.core.refusal import Refusal
from tablero_server.http import records as records_module
from tablero_server.http.records import Records
from tests.harness.desk import Desk
from tests.harness.pages import a_browser
from tests.harness.tiers import FULL
from tests.harness.wire import a_server, a_wire


def slow_lines(count: int) -> Iterator[str]:
    for number in range(count):
        until = time.perf_counter() + 0.0005
        while time.perf_counter() < until:
            pass
        yield f"{number}\n"


TURNS = 10_000 if FULL else 2_000


async def test_others_have_the_loop_between_two_slices() -> None:
    made = asyncio.create_task(Records().make(("a",), slow_lines(40)))
    turns = 0
    while not made.done():
        await asyncio.sleep(0)
        turns += 1
    assert (await made).count(b"\n") == 40
    assert turns > 10


async def test_one_is_made_at_a_time_and_only_once() -> None:
    records, order = Records(), list[str]()

    def lines(name: str) -> Iterator[str]:
        order.append(f"{name} begins")
        yield from slow_lines(10)
        order.append(f"{name} ends")

    keys = ["a", "b", "a"]
    await asyncio.gather(*(records.make((key,), lines(key)) for key in keys))
    assert order == ["a begins", "a ends", "b begins", "b ends"]
    assert records.kept(("a",)) is not None


async def test_the_longest_unused_is_dropped_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_module, "_KEPT_BYTES", 10)
    records = Records()
    for name in ("a", "b"):
        await records.make((name,), ["1234"])
    records.kept(("a",))
    await records.make(("c",), ["1234"])
    assert [records.kept((name,)) is not None for name in ("a", "b", "c")] == [True, False, True]


async def test_whoever_would_wait_for_too_many_is_told_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_module, "_MOST_WAITING", 2)
    records = Records()
    making = [asyncio.create_task(records.make((name,), slow_lines(5))) for name in ("a", "b")]
    await asyncio.sleep(0)
    with pytest.raises(Refusal) as refused:
        await records.make(("c",), [])
    assert refused.value.code is Code.RETRY_LATER
    await asyncio.gather(*making)
    assert await records.make(("c",), ["x"]) == b"x"


async def test_a_closed_room_is_loaded_once_and_after_whoever_asked_before() -> None:
    desk, loaded = Desk(), list[str]()
    rooms = []
    for _ in range(2):
        ann = desk.peer()
        rooms.append(ann.create())
        ann.ask("leave", room=rooms[-1])

    async def load(id: str) -> list[Entry]:
        loaded.append(f"{id} begins")
        await asyncio.sleep(0)
        loaded.append(f"{id} ends")
        return desk.journal.get(id, [])

    records = Records()
    found = await asyncio.gather(*(records.closed_room(id, load) for id in (*rooms, "nowhere")))
    assert [room and room.id for room in found] == [*rooms, None]
    assert loaded == [f"{id} {when}" for id in (*rooms, "nowhere") for when in ("begins", "ends")]
    assert await records.closed_room(rooms[0], load) is found[0]
    assert len(loaded) == 6


async def a_long_game(server: Server, turns: int) -> tuple[str, Any]:
    """A room with a game of so many turns, played past the sockets; and who sits there."""
    service = server.service
    async with a_wire(server) as ana:
        player = (await ana.hello())["player"]["id"]
        room = (await ana.ask("createRoom", game="minesweeper"))["room"]
        found = service.hub.rooms.open[room].room
        for number, move in zip(range(turns), cycle(("flag a1", "unflag a1")), strict=False):
            found.play_turn(Cause(player, f"c{number}", 0), 0, found.ply, move, number)
    return room, found


async def test_the_record_of_a_long_game_is_made_between_the_questions_of_others() -> None:
    async with a_server() as server, a_browser(server) as browser, a_wire(server) as ana:
        await ana.hello()
        room, _ = await a_long_game(server, TURNS)
        asked = asyncio.create_task(browser.get(f"/api/rooms/{room}/record"))
        answered = 0
        while not asked.done():
            await ana.ask("ping")
            answered += 1
        status, text = await asked
        assert (status, text.count("\n")) == (200, TURNS + 2)
        assert answered > TURNS / 200, "others are answered between the slices"


async def test_a_record_that_was_made_is_not_made_again_until_something_happens() -> None:
    async with a_server(messages_burst=30) as server, a_browser(server) as browser:
        room, found = await a_long_game(server, 2_000)
        path = f"/api/rooms/{room}/record"
        first = await browser.get(path)
        assert first[0] == 200
        assert [await browser.get(path) for _ in range(10)] == [first] * 10
        found.play_turn(Cause(found.seats[0], "later", 0), 0, found.ply, "flag b2", 9_999)
        assert (await browser.get(path))[1] != first[1]


async def test_a_long_record_counts_like_many_questions() -> None:
    async with a_server(messages_burst=10, messages_per_second=0.01) as server, a_browser(server) as browser:
        room, _ = await a_long_game(server, 2_000)
        assert (await browser.get(f"/api/rooms/{room}/record"))[0] == 200
        status, text = await browser.get(f"/api/rooms/{room}/record")
        assert (status, json.loads(text)["code"]) == (429, "rateLimited")


def through(address: str) -> dict[str, str]:
    return {"X_Forwarded_For": address}


async def test_those_behind_a_listed_proxy_ask_each_for_themselves() -> None:
    v4, v6 = ("203.0.113.1", "203.0.113.2", "203.0.113.1"), ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1")
    limits: dict[str, Any] = {"messages_burst": 1, "messages_per_second": 0.01}
    async with a_server(trusted_proxies="127.0.0.1", **limits) as server, a_browser(server) as browser:
        answers = [(await browser.get("/api/rooms/x/record", **through(each)))[0] for each in v4 + v6]
    assert answers == [404, 404, 429, 404, 429, 404]


@pytest.mark.parametrize("id", ["a%00b", "a%2Fb", "%ff", "a b", "x" * 65])
async def test_an_id_that_no_room_can_have_is_unknown(id: str) -> None:
    async with a_server() as server, a_browser(server) as browser:
        status, _ = await browser.get(f"/api/rooms/{id.replace(' ', '%20')}/record")
    assert status == 404
