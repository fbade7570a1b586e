"""Records over real HTTP: of a room, of long games and all of a player; who gets them, and how often."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import cycle
from typing import Any

import pytest

from tablero_games.record.file import Record, read, write
from tablero_games.record.verify import verify
from tablero_protocol.codes import Code
from tablero_server.app import Server
from tablero_server.core.entry import Cause, Entry
from tablero_server.core.refusal import Refusal
from tablero_server.core.room.room import Room
from tablero_server.core.seats.packed_rooms import PackedRooms
from tablero_server.http import record_pages
from tablero_server.http.record_pages import Records, export
from tests.harness.desk import Desk, Peer
from tests.harness.desk_games import COOP, RACE, race
from tests.harness.journals import FailingJournal, WaitingJournal
from tests.harness.pages import Browser, a_browser, a_game, bearer, flag_of, three, to_the_end
from tests.harness.tiers import FULL
from tests.harness.wire import Wire, a_server, a_wire


async def record(browser: Browser, room: str, **headers: str) -> tuple[int, str]:
    return await browser.get(f"/api/rooms/{room}/record", **headers)


async def test_the_record_of_a_public_game_is_for_everybody() -> None:
    async with three() as (_, browser, ana, ben):
        room, _, _ = await a_game(ana, ben, "tic-tac-toe")
        await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
        status, text = await record(browser, room)
        assert status == 200
        assert str(verify(text)) == "valid so far"
        assert [turn.move for turn in read(text).turns] == ["b2"]
        assert await record(browser, room, **bearer("a stale one")) == (200, text)


async def test_the_record_of_a_private_game_is_for_its_members() -> None:
    async with three() as (server, browser, ana, ben):
        room, token, _ = await a_game(ana, ben, "tic-tac-toe", private=True)
        async with a_wire(server) as cleo:
            stranger = (await cleo.hello("cleo"))["token"]
        answers = [await record(browser, room)]
        answers.append(await record(browser, room, **bearer(stranger)))
        answers.append(await record(browser, room, Authorization=token))
        answers.append(await record(browser, "nowhere"))
        assert {status for status, _ in answers} == {404}
        [body] = {text for _, text in answers}
        assert json.loads(body)["code"] == "unknownRoom"
        assert (await record(browser, room, **bearer(token)))[0] == 200


async def test_the_record_of_a_game_that_nobody_may_watch_is_for_its_members_until_it_is_over() -> None:
    async with three() as (server, browser, ana, ben):
        room, token, other = await a_game(ana, ben, "tic-tac-toe", watchers=False)
        await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
        async with a_wire(server) as cleo:
            stranger = (await cleo.hello("cleo"))["token"]
        for headers, refused in (({}, 401), (bearer(stranger), 403)):
            status, text = await record(browser, room, **headers)
            assert (status, json.loads(text)["reason"]) == (refused, "noWatchers")
        for player in (token, other):
            assert (await record(browser, room, **bearer(player)))[0] == 200
        await ben.ask("resign", room=room, seat=1)
        assert (await record(browser, room))[0] == 200
        for wire in (ana, ben):
            await wire.ask("leave", room=room)
        assert (await record(browser, room))[0] == 200


async def test_a_token_opens_what_its_player_may_know() -> None:
    options = {"mode": "race", "width": 5, "height": 5, "mines": 8}
    async with three() as (server, browser, ana, ben):
        room, token, other = await a_game(ana, ben, "minesweeper", options=options, seats=2)
        move = flag_of(server, room)
        await ana.ask("playTurn", room=room, seat=0, ply=0, move=move)
        for headers, seen in ((bearer(token), move), (bearer(other), None), ({}, None)):
            _, text = await record(browser, room, **headers)
            assert verify(text).sealed
            assert [turn.move for turn in read(text).turns] == [seen]


@pytest.fixture
def packed(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Is set when a room is packed."""
    packed, pack = asyncio.Event(), PackedRooms.pack

    def packs(self: PackedRooms, room: Room) -> None:
        pack(self, room)
        packed.set()

    monkeypatch.setattr(PackedRooms, "pack", packs)
    return packed


@asynccontextmanager
async def a_packed_game(
    packed: asyncio.Event, *, private: bool = True, watchers: bool = True, **limits: Any
) -> AsyncIterator[tuple[Server, Browser, str, str, tuple[int, str]]]:
    """A game by correspondence: its room, Ana's token, and its record before it was packed."""
    fields = {"private": private, "watchers": watchers, "clock": {"days": 2}}
    async with a_server(session_seconds=0.05, **limits) as server, a_browser(server) as browser:
        async with a_wire(server) as ana, a_wire(server) as ben:
            room, token, _ = await a_game(ana, ben, "tic-tac-toe", **fields)
            await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
            await ben.ask("playTurn", room=room, seat=1, ply=1, move="a1")
            whole = await record(browser, room, **bearer(token))
        await packed.wait()
        packed.clear()
        yield server, browser, room, token, whole


async def test_a_game_by_correspondence_that_is_packed_has_its_record(packed: asyncio.Event) -> None:
    async with a_packed_game(packed) as (server, browser, room, token, whole):
        assert await record(browser, room, **bearer(token)) == whole
        assert whole[0] == 200
        async with a_wire(server) as ana:
            await ana.hello("ana", token=token)
            await ana.ask("join", room=room, id="back")
            await ana.ask("playTurn", room=room, seat=0, ply=2, move="c1", id="third")
        await packed.wait()
        _, text = await record(browser, room, **bearer(token))
        assert [turn.move for turn in read(text).turns] == ["b2", "a1", "c1"]


async def test_the_record_of_a_packed_game_leaves_it_packed_and_is_made_once(
    packed: asyncio.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    folded, folding = list[str](), PackedRooms.folding

    def counted(self: PackedRooms, id: str) -> Iterator[Room]:
        folded.append(id)
        return folding(self, id)

    monkeypatch.setattr(PackedRooms, "folding", counted)
    async with a_packed_game(packed) as (server, browser, room, token, _):
        assert (await record(browser, room))[0] == 404
        assert folded == [], "whoever may not read it costs nothing"
        for _ in range(3):
            assert (await record(browser, room, **bearer(token)))[0] == 200
        assert room in server.service.hub.rooms.packed
        assert folded == [room]


async def test_a_packed_game_that_nobody_may_watch_has_no_record_for_others(packed: asyncio.Event) -> None:
    async with a_packed_game(packed, private=False, watchers=False) as (server, browser, room, token, whole):
        assert (await record(browser, room))[0] == 401
        assert await record(browser, room, **bearer(token)) == whole
        assert room in server.service.hub.rooms.packed


async def test_to_unpack_a_game_for_its_record_counts_like_many_questions(
    packed: asyncio.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_pages, "_ENTRIES_LIKE_A_QUESTION", 1)
    limits: dict[str, Any] = {"messages_burst": 3, "messages_per_second": 0.01}
    async with a_packed_game(packed, **limits) as (_, browser, room, token, _):
        assert [(await record(browser, room, **bearer(token)))[0] for _ in range(2)] == [200, 429]


async def test_before_the_start_there_is_none() -> None:
    async with a_server() as server, a_browser(server) as browser, a_wire(server) as ana:
        await ana.hello()
        room = (await ana.ask("createRoom", game="quoridor"))["room"]
        status, text = await record(browser, room)
        assert (status, json.loads(text)["code"]) == (409, "notStarted")


@pytest.mark.parametrize("authorization", ["Bearer", "Bearer \xff\xfe", "Basic eDp5", "Bearer " + "x" * 4000])
async def test_nonsense_instead_of_a_token_is_nobodys(authorization: str) -> None:
    async with three() as (_, browser, ana, ben):
        room, _, _ = await a_game(ana, ben, "tic-tac-toe")
        assert (await record(browser, room, Authorization=authorization))[0] == 200


@asynccontextmanager
async def asked_while_a_move_waits(journal: WaitingJournal) -> AsyncIterator[asyncio.Task[tuple[int, str]]]:
    """Somebody asks for the record of a game whose first move is not durable yet."""
    for _ in range(2):
        journal.go_on()
    async with three(journal) as (server, browser, ana, ben):
        room, _, _ = await a_game(ana, ben, "tic-tac-toe")
        while not journal.asked.empty():
            journal.asked.get_nowait()
        await ana.tell("playTurn", room=room, seat=0, ply=0, move="b2")
        await journal.asked.get()
        asked = asyncio.create_task(record(browser, room))
        async with a_browser(server) as other:
            await other.get("/healthz")
            await other.get("/healthz")
        yield asked


async def test_nobody_reads_what_could_still_be_lost() -> None:
    journal = WaitingJournal()
    async with asked_while_a_move_waits(journal) as asked:
        assert not asked.done()
        for _ in range(9):
            journal.go_on()
        _, text = await asked
        assert [turn.move for turn in read(text).turns] == ["b2"]


async def test_the_record_of_a_closed_room_can_still_be_had_by_whoever_could_before() -> None:
    async with three() as (_, browser, ana, ben):
        room, _, _ = await a_game(ana, ben, "tic-tac-toe")
        hidden, token, _ = await a_game_in_private(ana, ben)
        for each in (room, hidden):
            for player in (ana, ben):
                await player.ask("leave", room=each)
        assert str(verify((await record(browser, room))[1])) == "valid"
        assert (await record(browser, hidden))[0] == 404
        assert (await record(browser, hidden, **bearer(token)))[0] == 200


async def a_game_in_private(ana: Wire, ben: Wire) -> tuple[str, str, str]:
    """One more game of two who have said hello."""
    joined = await ana.ask("createRoom", game="tic-tac-toe", private=True)
    await ben.ask("join", code=joined["code"])
    return joined["room"], ana.heard[0]["token"], ben.heard[0]["token"]


async def test_somebody_who_asks_too_often_is_told_to_wait() -> None:
    async with a_server(messages_burst=3) as server, a_browser(server) as browser:
        answers = [await record(browser, "nowhere") for _ in range(4)]
    assert [status for status, _ in answers] == [404, 404, 404, 429]
    assert json.loads(answers[-1][1])["code"] == "rateLimited"


async def test_what_is_taken_back_while_somebody_asks_is_not_in_the_record() -> None:
    journal = FailingJournal()
    async with asked_while_a_move_waits(journal) as asked:
        journal.failing = frozenset({0})
        for _ in range(9):
            journal.go_on()
        _, text = await asked
        assert read(text).turns == []


async def test_a_token_that_has_served_its_time_opens_no_private_record() -> None:
    async with (
        a_server(token_days=1e-12) as server,
        a_browser(server) as browser,
        a_wire(server) as ana,
        a_wire(server) as ben,
    ):
        room, token, _ = await a_game(ana, ben, "tic-tac-toe", private=True)
        assert (await record(browser, room, **bearer(token)))[0] == 404


def told(desk: Desk, room: str, *seats: int) -> Record:
    text = write(export(desk.room(room), seats))
    assert verify(text).valid, str(verify(text))
    return read(text)


def moves(record: Record) -> list[tuple[int | None, str | None]]:
    return [(turn.seat, turn.move) for turn in record.turns]


def dig(desk: Desk, peer: Peer, room: str, seat: int, *, mine: bool = False) -> str:
    """A safe dig, or one into a mine; gives the move."""
    position = desk.room(room).position
    assert position is not None
    digs = (move for move in position.legal_moves(seat) if move.startswith("dig"))
    move = next(move for move in digs if (seat not in position.play(seat, move).to_move) == mine)
    assert peer.play(room, move, seat)["type"] == "nextPlayer"
    return move


def test_a_game_is_told_to_its_end() -> None:
    ann, bob, room = (desk := Desk()).pair(clock={"base": 60, "increment": 0})
    for peer, move in ((ann, "A1"), (bob, "b1"), (ann, "a2"), (bob, "b2"), (ann, "a3")):
        desk.tick(1000)
        peer.play(room, move)
    record = told(desk, room)
    assert record.header.names == ["ann", "bob"]
    assert (record.header.room, record.header.epoch) == (room, desk.room(room).epoch)
    assert record.header.clock == {"base": 60, "increment": 0}
    assert moves(record) == [(0, "a1"), (1, "b1"), (0, "a2"), (1, "b2"), (0, "a3")]
    assert [turn.at for turn in record.turns] == [1000, 2000, 3000, 4000, 5000]
    assert all(len(turn.clocks or []) == 2 for turn in record.turns)
    assert (record.closing.outcome or {})["winners"] == [0]


def test_a_running_game_without_secrets_is_told_to_anybody() -> None:
    ann, _, room = (desk := Desk()).pair("quoridor")
    ann.play(room, "e2")
    record = told(desk, room)
    assert moves(record) == [(0, "e2")]
    assert not record.sealed


def test_a_resignation_and_an_agreed_draw_are_turns() -> None:
    ann, bob, room = (desk := Desk()).pair()
    bob.ask("resign", room=room, seat=1)
    assert [turn.withdrew for turn in told(desk, room).turns] == ["resign"]
    ann, bob, room = (desk := Desk()).pair()
    ann.ask("offer", room=room, seat=0, what="draw")
    bob.ask("offer", room=room, seat=1, what="draw")
    assert [turn.drawn for turn in told(desk, room).turns] == [True]


def test_a_pause_and_added_time_are_told() -> None:
    ann, bob, room = (desk := Desk()).pair(clock={"base": 60, "increment": 0})
    for what in ("pause", "continue"):
        desk.tick(1000)
        ann.ask("offer", room=room, seat=0, what=what)
        bob.ask("offer", room=room, seat=1, what=what)
    bob.ask("addTime", room=room, seat=1)
    ann.play(room, "a1")
    paused, continued, added, moved = told(desk, room).turns
    assert (paused.paused, paused.seat, paused.at, paused.clocks) == (900_000, None, 1000, [59_000, 60_000])
    assert (continued.continued, continued.seat, continued.at) == (True, None, 2000)
    assert (added.added_time, added.seat, added.clocks) == (15_000, 1, [74_000, 60_000])
    assert moved.deeds == ["move"]


def test_a_race_that_is_paused_is_sealed_like_any() -> None:
    desk = Desk()
    ann, bob, room = desk.pair("minesweeper", options=RACE, seats=2, clock={"base": 60})
    ann.ask("offer", room=room, seat=0, what="pause")
    bob.ask("offer", room=room, seat=1, what="pause")
    record = told(desk, room)
    assert record.sealed
    assert [turn.deeds for turn in record.turns] == [["paused"]]


def test_there_is_no_record_before_the_start() -> None:
    desk = Desk()
    room = desk.peer("ann").create()
    with pytest.raises(Refusal, match="notStarted"):
        export(desk.room(room), ())


def test_a_bot_is_named_with_its_level() -> None:
    desk = Desk()
    ann, house = desk.peer("ann"), desk.house("tic-tac-toe:hard")
    room = ann.create()
    ann.ask("invite", room=room, seat=1, bot="tic-tac-toe:hard")
    [invited] = house.of("invited")
    house.ask("join", room=room, seat=1, invite=invited["invite"])
    assert told(desk, room).header.names[0] == "ann"
    assert "house" in str(told(desk, room).header.names[1])
    assert "hard" in str(told(desk, room).header.names[1])


# What is hidden


def test_of_a_running_race_everybody_gets_their_own_moves_alone() -> None:
    desk = Desk()
    (ann, bob), room = race(desk)
    first, second = dig(desk, ann, room, 0), dig(desk, bob, room, 1)
    assert moves(told(desk, room, 0)) == [(0, first), (1, None)]
    assert moves(told(desk, room, 1)) == [(0, None), (1, second)]
    assert moves(told(desk, room)) == [(0, None), (1, None)]
    assert moves(told(desk, room, 0, 1)) == [(0, first), (1, second)]


def test_who_is_out_still_learns_nothing_that_is_of_use_to_the_others() -> None:
    desk = Desk()
    (ann, bob, _), room = race(desk, seats=3)
    lost = dig(desk, ann, room, 0, mine=True)
    dig(desk, bob, room, 1)
    record = told(desk, room, 0)
    assert record.sealed
    assert moves(record) == [(0, lost), (1, None)]


@pytest.mark.parametrize("options", [RACE, COOP], ids=["race", "coop"])
def test_a_running_minefield_is_never_in_its_record(options: dict[str, object]) -> None:
    desk = Desk()
    (ann, _), room = race(desk, options)
    dig(desk, ann, room, 0)
    for seats in ((), (0,), (1,), (0, 1)):
        text = write(export(desk.room(room), seats))
        seed = desk.room(room).seed
        for secret in (f"{seed >> 128:032x}", f"{seed % 2**128:032x}", f"{seed:x}", str(seed), '"prepared"'):
            assert secret not in text
        assert read(text).sealed


def test_together_every_move_is_seen_by_all() -> None:
    desk = Desk()
    (ann, _), room = race(desk, COOP)
    move = dig(desk, ann, room, 0)
    assert moves(told(desk, room)) == [(0, move)]


def test_after_the_end_all_is_open_to_all() -> None:
    desk = Desk()
    (ann, bob), room = race(desk)
    own = [(0, dig(desk, ann, room, 0)), (1, dig(desk, bob, room, 1))]
    own += [(0, dig(desk, ann, room, 0, mine=True)), (1, dig(desk, bob, room, 1, mine=True))]
    record = told(desk, room)
    assert moves(record) == own
    assert not record.sealed
    assert int(f"{record.closing.salt}{record.closing.seed}", 16) == desk.room(room).seed


def test_what_was_prepared_is_told_at_the_end() -> None:
    desk = Desk()
    (ann, _), room = race(desk, RACE | {"noGuess": True, "mode": "coop"})
    field = desk.room(room).prepared
    assert field is not None
    dig(desk, ann, room, 0)
    assert told(desk, room).closing.prepared is None
    dig(desk, ann, room, 0, mine=True)
    assert told(desk, room).closing.prepared == field


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
    monkeypatch.setattr(record_pages, "_KEPT_BYTES", 10)
    records = Records()
    for name in ("a", "b"):
        await records.make((name,), ["1234"])
    records.kept(("a",))
    await records.make(("c",), ["1234"])
    assert [records.kept((name,)) is not None for name in ("a", "b", "c")] == [True, False, True]


async def test_whoever_would_wait_for_too_many_is_told_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_pages, "_MOST_WAITING", 2)
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


PATH = "/api/players/ana/games"


def whole(chunks: str) -> str:
    """A body that came in chunks."""
    text = ""
    while chunks:
        size, _, rest = chunks.partition("\r\n")
        length = int(size, 16)
        text, chunks = text + rest[:length], rest[length + 2 :]
    return text


def records(file: str) -> list[str]:
    """The records in a file, each begun by a line that names its format."""
    starts = [at for at, line in enumerate(file.splitlines()) if "format" in json.loads(line)]
    lines = file.splitlines(keepends=True)
    return ["".join(lines[start:end]) for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)]


async def test_the_file_has_every_record_the_newest_first() -> None:
    async with three() as (_, browser, ana, ben):
        rooms = []
        for number in range(3):
            if not number:
                room, token, _ = await a_game(ana, ben, "tic-tac-toe", private=True)
            else:
                room = (await ana.ask("createRoom", game="tic-tac-toe"))["room"]
                await ben.ask("join", room=room)
            await to_the_end(ana, ben, room)
            rooms.append(room)
            if number == 1:
                for wire in (ana, ben):
                    await wire.ask("leave", room=room)
        status, file = await browser.get(PATH, **bearer(token))
        assert status == 200
        file = whole(file)
        assert [json.loads(record.splitlines()[0])["room"] for record in records(file)] == rooms[::-1]
        for room, record in zip(rooms[::-1], records(file), strict=True):
            assert verify(record).valid
            assert record == (await browser.get(f"/api/rooms/{room}/record", **bearer(token)))[1]


@pytest.mark.parametrize("whose", ["nobody", "another", "a wrong one"])
async def test_nobody_else_gets_it(whose: str) -> None:
    async with three() as (_, browser, ana, ben):
        room, _, bens = await a_game(ana, ben, "tic-tac-toe")
        await to_the_end(ana, ben, room)
        headers = {"nobody": {}, "another": bearer(bens), "a wrong one": bearer("wrong")}[whose]
        for path in (PATH, "/api/players/somebody/games"):
            status, body = await browser.get(path, **headers)
            expected = 403 if whose == "another" else 401
            assert (status, json.loads(body)["reason"]) == (expected, "notYourGames")
            assert room not in body


async def test_who_has_not_played_has_an_empty_file() -> None:
    async with a_server() as server, a_browser(server) as browser, a_wire(server) as ana:
        token = (await ana.hello("ana"))["token"]
        status, file = await browser.get(PATH, **bearer(token))
        assert (status, whole(file)) == (200, "")
