"""trials/attacks.py: guests who keep to every rate get what they want, or the trial would prove nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tablero_server.app import Server
from tablero_server.core.effects import Search
from tablero_server.core.room.room import Room
from tablero_server.core.seats.packed_rooms import PackedRooms
from tablero_server.host.listener import HostListener
from tablero_server.http.replay_pages import Replays
from tablero_server.processes.search_pool import SearchPool
from tablero_server.settings import Settings
from tests.harness.wire import PATIENCE, a_server
from trials import attacks
from trials.crowding import EACH, guests_called, open_rooms, packed_games

Heard = list[dict[str, Any]]


class Enough(Exception):
    pass


def of(heard: Heard, type: str) -> Heard:
    return [message for message in heard if message["type"] == type]


async def told_to(kind: str, port: int, wanted: str, count: int, monkeypatch: pytest.MonkeyPatch) -> Heard:
    """All that one attacker is told, until so many of these messages have come."""
    hear = attacks.hear
    heard: Heard = []

    async def remembering(reader: asyncio.StreamReader) -> dict[str, Any]:
        heard.append(await hear(reader))
        if len(of(heard, wanted)) == count:
            raise Enough
        return heard[-1]

    monkeypatch.setattr(attacks, "hear", remembering)
    attacking = attacks.again_and_again(attacks.attack_called(kind), port, asyncio.Semaphore(0))
    with pytest.raises(Enough):
        await asyncio.wait_for(attacking, PATIENCE)
    return heard


async def test_the_lobby_is_read_and_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_server() as server, open_rooms(server.port, EACH):
        heard = await told_to("lobby", server.port, "lobby", 5, monkeypatch)
        assert len(of(heard, "joined")) == len(of(heard, "left")) == 4


async def test_a_newcomer_comes_back_under_other_names(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_server() as server:
        await guests_called("ana", server.port, 20)
        heard = await told_to("namesakes", server.port, "refused", 1, monkeypatch)
        first, *others = [welcome["player"]["name"] for welcome in of(heard, "welcome")]
        assert first == "ana", "who only passed by has given it up"
        assert len(set(others)) == attacks.RENAMES_AT_ONCE - 1
        assert heard[-1]["reason"] == "renamesTooOften"


async def test_codes_are_guessed_until_the_guesser_has_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_server(wrong_codes_per_minute=2) as server:
        heard = await told_to("wrong-codes", server.port, "refused", 3, monkeypatch)
        assert [refused["reason"] for refused in of(heard, "refused")] == [
            "wrongCode",
            "wrongCode",
            "tooManyWrongCodes",
        ]


async def test_one_newcomer_follows_the_other_and_each_opens_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_server() as server:
        heard = await told_to("passers-by", server.port, "welcome", 3, monkeypatch)
        assert len({welcome["player"]["id"] for welcome in of(heard, "welcome")}) == 3
        assert len(of(heard, "left")) == 2


async def test_two_fields_are_searched_for_that_there_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    async def finds_none(pool: SearchPool, asked: Search) -> None: ...

    monkeypatch.setattr(SearchPool, "find", finds_none)
    async with a_server() as server:
        heard = await told_to("searches", server.port, "unprepared", 3, monkeypatch)
        assert len({preparing["room"] for preparing in of(heard, "preparing")}) == 3


async def test_the_hosts_own_port_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    server, arrived = Server(Settings(port=0, bots=False), host_pages=("127.0.0.1", 0)), asyncio.Event()
    await server.start()
    monkeypatch.setattr(HostListener, "arrived", lambda *given: arrived.set())
    attack = attacks.attack_called(f"host-port@{server.host_site.port}")
    attacking = asyncio.create_task(attacks.again_and_again(attack, server.port, asyncio.Semaphore(0)))
    try:
        await asyncio.wait_for(arrived.wait(), PATIENCE)
    finally:
        attacking.cancel()
        await asyncio.gather(attacking, return_exceptions=True)
        await server.stop()


async def test_a_long_record_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    made, make = asyncio.Event(), Replays.make

    async def makes(self: Replays, *asked: Any) -> bytes:
        made.set()
        return await make(self, *asked)

    monkeypatch.setattr(Replays, "make", makes)
    async with a_server() as server:
        attacking = asyncio.create_task(
            attacks.again_and_again(attacks.attack_called("replays"), server.port, asyncio.Semaphore(0))
        )
        await asyncio.wait_for(made.wait(), PATIENCE)
        attacking.cancel()
        await asyncio.gather(attacking, return_exceptions=True)


async def test_packed_games_are_looked_at_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    packed, pack = asyncio.Semaphore(0), PackedRooms.pack

    def packs(self: PackedRooms, room: Room) -> None:
        pack(self, room)
        packed.release()

    monkeypatch.setattr(PackedRooms, "pack", packs)
    async with a_server(session_seconds=0.05) as server:
        rooms = await packed_games(server.port, games=2, plies=3)
        for _ in rooms:
            await packed.acquire()
        kind = f"packed-watchers@{','.join(rooms)}"
        heard = await told_to(kind, server.port, "left", 2, monkeypatch)
        assert sorted(joined["room"] for joined in of(heard, "joined")) == sorted(rooms)


async def test_the_records_of_packed_games_are_asked_for_from_another_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = list[tuple[str, str]]()

    async def asking(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, room: str) -> None:
        asked.append((room, writer.get_extra_info("sockname")[0]))
        if len(asked) == 2:
            raise Enough

    monkeypatch.setattr(attacks, "records", asking)
    async with a_server() as server:
        attack = attacks.attack_called("packed-records@one,two")
        with pytest.raises(Enough):
            await asyncio.wait_for(
                attacks.again_and_again(attack, server.port, asyncio.Semaphore(0)), PATIENCE
            )
    assert {room for room, _ in asked} == {"one", "two"}
    assert len({address for _, address in asked} | {"127.0.0.1"}) == 2


async def test_three_seeks_stand_each_for_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_server() as server:
        heard = await told_to("seekers", server.port, "ok", 3, monkeypatch)
        assert len({ok["seek"] for ok in of(heard, "ok")}) == 3
        assert of(heard, "joined") == []


async def test_a_bot_gets_snapshots_of_all_that_it_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_server() as server, open_rooms(server.port, EACH):
        heard = await told_to("snapshots", server.port, "snapshot", 3 * EACH, monkeypatch)
        assert len(of(heard, "joined")) == EACH
