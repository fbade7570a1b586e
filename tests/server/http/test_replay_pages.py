"""Replays over real HTTP: of rooms, to whom their record is shown, and of files, which are kept nowhere."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from threading import Thread, current_thread
from typing import Any

import pytest

from tablero_games import GAMES
from tablero_games.record.file import write
from tablero_server.core.limits.limits import Rate
from tablero_server.core.refusal import Refusal
from tablero_server.http import replay_pages
from tablero_server.http.record_pages import for_replay
from tablero_server.http.replay_pages import Replays, WantedReplay
from tablero_server.processes import replay_process
from tablero_server.processes.replay_process import shown_by
from tablero_server.wire.http import MOST_BODY_BYTES
from tests.harness.databases import Postgres, Sqlite
from tests.harness.games.records import play
from tests.harness.pages import (
    HEAD,
    RECORD,
    Browser,
    a_browser,
    a_game,
    answer_to,
    bearer,
    flag_of,
    post,
    three,
)
from tests.harness.wire import PATIENCE, a_server, a_wire


async def replay(browser: Browser, room: str, **headers: str) -> tuple[int, Any]:
    status, text = await browser.get(f"/api/rooms/{room}/replay", **headers)
    return status, json.loads(text)


# Of a room


async def test_the_replay_of_a_public_game_is_for_everybody_while_it_goes_on() -> None:
    async with three() as (_, browser, ana, ben):
        room, _, _ = await a_game(ana, ben, "tic-tac-toe")
        await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
        status, told = await replay(browser, room)
        assert (status, told["names"], told["room"]) == (200, ["ana", "ben"], room)
        assert [turn["move"] for turn in told["turns"]] == ["b2"]
        assert told["views"] == [{"cells": "........."}]
        await ben.ask("playTurn", room=room, seat=1, ply=1, move="a1")
        assert len((await replay(browser, room))[1]["turns"]) == 2


async def test_the_replay_of_a_private_game_is_for_its_members() -> None:
    async with three() as (_, browser, ana, ben):
        room, token, _ = await a_game(ana, ben, "tic-tac-toe", private=True)
        status, told = await replay(browser, room)
        assert (status, told["code"]) == (404, "unknownRoom")
        assert (await replay(browser, room, **bearer(token)))[0] == 200


SEVERAL = 6 * PATIENCE
"""For as many processes that have to start, one after the other."""
RACE: dict[str, Any] = {"mode": "race", "width": 9, "height": 9, "mines": 30}


async def test_so_far_each_player_of_a_race_gets_what_that_seat_was_shown() -> None:
    async with three(seconds=SEVERAL) as (server, browser, ana, ben):
        room, token, other = await a_game(ana, ben, "minesweeper", options=RACE, seats=2)
        async with a_wire(server) as cleo:
            stranger = (await cleo.hello("cleo"))["token"]
        begun = server.service.hub.rooms.open[room].room.position
        assert begun is not None
        flag = flag_of(server, room)
        for ply, move in enumerate((flag, flag.replace("flag", "unflag"))):
            await ana.ask("playTurn", room=room, seat=0, ply=ply, move=move)
        for headers, seat, moves in (
            (bearer(token), 0, [flag, flag.replace("flag", "unflag")]),
            (bearer(other), 1, []),
            (bearer(stranger), None, []),
            ({}, None, []),
        ):
            status, told = await replay(browser, room, **headers)
            assert (status, told["views"]) == (200, [begun.view(seat)])
            assert [turn["move"] for turn in told["turns"]] == moves
            assert told["outcome"] is None
        assert told.keys().isdisjoint({"seats", "commitment", "opening", "salt", "seed", "prepared"})


async def test_who_may_not_watch_gets_no_replay_until_the_game_is_over() -> None:
    async with three() as (server, browser, ana, ben):
        room, token, _ = await a_game(ana, ben, "tic-tac-toe", watchers=False)
        await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
        async with a_wire(server) as cleo:
            stranger = (await cleo.hello("cleo"))["token"]
        for headers, refused in (({}, 401), (bearer(stranger), 403), (bearer("a stale one"), 401)):
            status, told = await replay(browser, room, **headers)
            assert (status, told["code"], told["reason"]) == (refused, "forbidden", "noWatchers")
        assert (await replay(browser, room, **bearer(token)))[0] == 200
        await ben.ask("resign", room=room, seat=1)
        assert (await replay(browser, room))[0] == 200


async def test_before_the_start_there_is_none() -> None:
    async with a_server() as server, a_browser(server) as browser, a_wire(server) as ana:
        token = (await ana.hello())["token"]
        room = (await ana.ask("createRoom", game="minesweeper", seats=2, options=RACE))["room"]
        status, told = await replay(browser, room, **bearer(token))
        assert (status, told["code"], told["reason"]) == (409, "notStarted", "noRecordYet")


async def test_a_running_game_whose_log_is_damaged_is_refused_without_a_word_of_what_is_hidden() -> None:
    async with three() as (server, browser, ana, ben):
        room, token, _ = await a_game(ana, ben, "minesweeper", options=RACE, seats=2)
        await ben.ask("playTurn", room=room, seat=1, ply=0, move=flag_of(server, room))
        log = server.service.hub.rooms.open[room].room.log
        log[-1] = log[-1]._replace(body={"move": "flag z99"})
        status, told = await replay(browser, room, **bearer(token))
        assert (status, told["code"], told["reason"], told["fields"]) == (
            500,
            "damagedRoom",
            "damagedLog",
            {},
        )


async def test_what_was_shown_survives_a_restart_of_the_server(database: Sqlite | Postgres) -> None:
    options = {**RACE, "mines": 8, "noGuess": True}
    told = []
    async with three(await database.open(), SEVERAL) as (server, browser, ana, ben):
        events = ["nextPlayer"]
        room, token, _ = await a_game(ana, ben, "minesweeper", options=options, seats=2, subscribe=events)
        while (await ana.hear())["type"] != "nextPlayer":
            pass  # its field is searched for
        await ana.ask("playTurn", room=room, seat=0, ply=0, move=flag_of(server, room))
        told.append(await replay(browser, room, **bearer(token)))
    async with a_server(await database.open()) as server, a_browser(server) as browser:
        told.append(await replay(browser, room, **bearer(token)))
        revived = server.service.hub.rooms.open[room].room
        opened = shown_by(for_replay(revived, [0]).so_far).opened
        assert opened.prepared == revived.prepared is not None, "its field is not searched for again"
    assert told[0] == told[1]
    assert (told[0][0], len(told[0][1]["turns"])) == (200, 1)


async def test_a_game_that_hides_something_is_replayed_for_everybody_when_it_is_over() -> None:
    async with three(seconds=SEVERAL) as (_, browser, ana, ben):
        room, token, _ = await a_game(ana, ben, "minesweeper", options=RACE, seats=2)
        assert len((await replay(browser, room, **bearer(token)))[1]["views"]) == 1
        await ana.ask("resign", room=room, seat=0)
        await ben.ask("resign", room=room, seat=1)
        status, told = await replay(browser, room)
        assert (status, len(told["views"]), told["turns"][0]["withdrew"]) == (200, 2, "resign")


async def test_a_replay_is_made_once_for_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bytes] = []
    make = Replays.make

    async def counted(self: Replays, asker: str, record: bytes, so_far: bytes) -> bytes:
        made.append(record)
        return await make(self, asker, record, so_far)

    monkeypatch.setattr(Replays, "make", counted)
    async with three() as (server, browser, ana, ben):
        room, _, _ = await a_game(ana, ben, "tic-tac-toe")
        async with a_browser(server) as other:
            first, same = await asyncio.gather(replay(browser, room), replay(other, room))
        assert first == same == await replay(browser, room)
        assert len(made) == 1
        monkeypatch.setattr(replay_pages, "_KEPT_BYTES", 0)
        await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
        for _ in range(2):
            assert (await replay(browser, room))[0] == 200
        assert len(made) == 3


# Of a file


async def test_a_record_that_is_sent_comes_back_as_a_replay_without_a_token() -> None:
    async with a_server() as server:
        status, headers, told = await post(server, RECORD)
        assert (status, told["game"], headers["cache-control"]) == (200, "quoridor", "no-store")
        status, headers, packed = await post(server, RECORD, Accept_Encoding="gzip")
        assert (status, headers["content-encoding"], packed) == (200, "gzip", told)


async def test_a_record_that_comes_in_pieces_is_read_to_its_end() -> None:
    async with a_server() as server:
        head = f"{HEAD}Content-Length: {len(RECORD)}\r\n\r\n"
        pieces = [
            head[:50],
            head[50:],
            *(RECORD[at : at + 999] for at in range(0, len(RECORD), 999)),
            "and more",
        ]
        status, _, told = await answer_to(server, *pieces)
        assert (status, told["game"]) == (200, "quoridor")


@pytest.mark.parametrize(
    ("record", "line"), [("", 1), ("{}\n{}\n", 1), (RECORD.replace('"at":1400', '"at":1'), 5)]
)
async def test_what_is_no_record_is_refused_with_its_line(record: str, line: int) -> None:
    async with a_server() as server:
        status, _, told = await post(server, record)
        assert (status, told["code"], told["reason"], told["fields"]["line"]) == (
            400,
            "badMessage",
            "recordInvalid",
            line,
        )
        assert told["message"].startswith(f"Line {line} of the record is wrong: ")


async def test_a_record_that_is_too_long_is_refused_before_it_has_come() -> None:
    async with a_server() as server:
        status, _, told = await answer_to(server, f"{HEAD}Content-Length: {MOST_BODY_BYTES + 1}\r\n\r\n")
        assert (status, told["reason"], told["fields"]) == (413, "recordTooLong", {"most": 262_144})
        assert (await post(server, "x" * MOST_BODY_BYTES))[0] == 400


async def test_a_replay_is_unpacked_off_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    async def make(self: Replays, asker: str, record: bytes) -> bytes:
        return gzip.compress(b"{}")

    threads, decompress = list[Thread](), gzip.decompress

    def unpack(packed: bytes) -> bytes:
        threads.append(current_thread())
        return decompress(packed)

    monkeypatch.setattr(Replays, "make", make)
    monkeypatch.setattr(gzip, "decompress", unpack)
    async with a_server() as server:
        assert (await post(server, RECORD))[0] == 200
    assert len(threads) == 1
    assert threads[0] is not current_thread()


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://evil.example", 403),
        ("null", 403),
        ("https://friend.example", 200),
        ("http://127.0.0.1", 200),
    ],
)
async def test_a_page_of_another_site_may_not_have_its_visitors_send_records(
    origin: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def make(self: Replays, asker: str, record: bytes) -> bytes:
        return gzip.compress(b"{}")

    monkeypatch.setattr(Replays, "make", make)
    async with a_server(origins="https://friend.example") as server:
        got, _, told = await post(server, RECORD, Origin=origin)
        assert (got, told.get("reason")) == (status, "foreignPage" if status == 403 else None)


async def test_one_address_sends_one_at_a_time_and_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_pages, "_FILES", Rate(60_000, 3))
    async with a_server() as server:
        answers = await asyncio.gather(post(server, RECORD), post(server, RECORD))
        assert sorted(status for status, _, _ in answers) == [200, 429]
        assert (await post(server, RECORD))[0] == 200
        status, headers, told = await post(server, RECORD)
        assert (status, told["reason"]) == (429, "asksTooOften")
        assert int(headers["retry-after"]) > 5


async def test_it_only_takes_records() -> None:
    async with a_server() as server:
        status, headers, text = await answer_to(
            server, "GET /api/replay HTTP/1.1\r\nHost: h\r\n\r\n".replace(": h", ": 127.0.0.1")
        )
        assert (status, headers["allow"], text) == (405, "post", b"This page takes a record by POST.\n")


A_RECORD = write(play(GAMES["quoridor"], {"size": 5})).encode()


def children_of(pid: int) -> set[int]:
    """Asked of each process by itself: threads that start some may end meanwhile."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            if (process / "stat").read_text().rpartition(")")[2].split()[1] == str(pid):
                found.add(int(process.name))
    return found


@asynccontextmanager
async def replays(seconds: float = 20, most_waiting: int = 1) -> AsyncIterator[Replays]:
    """Whose processes are gone with it."""
    before, made = children_of(os.getpid()), Replays(seconds, most_waiting)
    try:
        yield made
    finally:
        await made.stop()
        assert children_of(os.getpid()) <= before


def helper_of(replays: Replays) -> int:
    assert replays._helper is not None
    return replays._helper._process.pid


async def test_one_helper_makes_all_of_them_and_keeps_no_process_of_any() -> None:
    async with replays() as ours:
        made = await ours.make("a", A_RECORD)
        helper = helper_of(ours)
        assert json.loads(gzip.decompress(made))["game"] == "quoridor"
        assert await ours.make("b", A_RECORD) == made
        assert (helper_of(ours), children_of(helper)) == (helper, set())


async def test_what_the_process_refuses_is_a_refusal() -> None:
    async with replays() as ours:
        with pytest.raises(Refusal, match="Line 1 of") as caught:
            await ours.make("a", b"{}\n")
        assert caught.value.fields["line"] == 1


def instead(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str) -> None:
    """Something else is done with each record that does not say so itself."""
    (folder / "instead.py").write_text(
        "import json, os, sys\n"
        "from tablero_server.processes import replay_process\n"
        f"def replayed(record, so_far):\n    {text}\n"
        "replay_process.replayed = replayed\n"
        "replay_process.main()\n"
    )
    paths = (str(folder), os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    monkeypatch.setattr(replay_process, "MODULE", "instead")


async def test_one_that_takes_too_long_is_ended_and_the_next_is_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    instead(monkeypatch, tmp_path, "while record == b'long': pass\n    return 0, record")
    async with replays(0.05) as ours:
        with pytest.raises(Refusal, match="takes longer than"):
            await ours.make("a", b"long")
        helper, ours._seconds = helper_of(ours), 20
        assert await ours.make("a", b"short") == b"short"
        assert helper_of(ours) == helper


@pytest.mark.parametrize("how", ["raise SystemExit(7)", f"os.kill(os.getpid(), {signal.SIGKILL:d})"])
async def test_one_that_breaks_is_no_replay_and_the_next_is_made(
    how: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    instead(monkeypatch, tmp_path, f"if record == b'bad': {how}\n    return 0, record")
    async with replays() as ours:
        with pytest.raises(RuntimeError, match="a replay ended with"):
            await ours.make("a", b"bad")
        assert ours._helper is None, "a part of the record may be left on its line"
        assert await ours.make("a", b"good") == b"good"


async def test_a_helper_that_was_killed_is_started_again() -> None:
    async with replays() as ours:
        await ours.make("a", A_RECORD)
        os.kill(helper_of(ours), signal.SIGKILL)
        with pytest.raises(RuntimeError, match="has ended"):
            await ours.make("a", A_RECORD)
        assert await ours.make("a", A_RECORD)


async def test_the_process_is_told_no_setting_of_the_server(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TABLERO_DATABASE", "postgresql://a:secret@b/c")
    told = "json.dumps([name for name in os.environ if name.startswith('TABLERO')]).encode()"
    instead(monkeypatch, tmp_path, f"return 0, {told}")
    async with replays() as ours:
        assert await ours.make("a", A_RECORD) == b"[]"


# Who has to wait


class Order(Replays):
    """Makes one when the test says so, and remembers which."""

    def __init__(self, most_waiting: int) -> None:
        super().__init__(1, most_waiting)
        self.made: list[bytes] = []
        self.may_make = asyncio.Semaphore(0)

    async def _make(self, asked: WantedReplay) -> bytes:
        await self.may_make.acquire()
        self.made.append(asked.record)
        return asked.record

    async def ask(self, *records: str) -> list[asyncio.Task[bytes]]:
        """By whoever is called like the first letter; the first of all is begun."""
        asked = [asyncio.create_task(self.make(each[0], each.encode())) for each in records]
        for _ in range(3):
            await asyncio.sleep(0)
        return asked

    async def make_all(self) -> list[bytes]:
        while self._waiting or (self._making and not self._making.done()):
            self.may_make.release()
            await asyncio.sleep(0)
        return self.made


async def refused(asked: asyncio.Task[bytes]) -> Refusal:
    await asyncio.sleep(0)
    assert asked.done()
    with pytest.raises(Refusal, match="Many replays") as caught:
        await asked
    return caught.value


async def test_whoever_had_a_turn_lets_the_others_go_first() -> None:
    order = Order(8)
    await order.ask("a1", "a2", "a3", "b1")
    assert await order.make_all() == [b"a1", b"b1", b"a2", b"a3"]


async def test_who_asks_while_too_many_wait_is_told_to_come_back() -> None:
    order = Order(1)
    await order.ask("a1")
    _, late = await order.ask("b1", "c1")
    assert (await refused(late)).retry_after_ms
    assert await order.make_all() == [b"a1", b"b1"]


async def test_whoever_has_most_waiting_makes_place_for_a_newcomer() -> None:
    order = Order(2)
    await order.ask("a1")
    _, newest = await order.ask("b1", "b2")
    await order.ask("c1")
    await refused(newest)
    assert await order.make_all() == [b"a1", b"b1", b"c1"]


async def test_whoever_had_a_turn_makes_place_for_a_newcomer() -> None:
    order = Order(1)
    await order.ask("a1")
    order.may_make.release()
    await order.ask("b1")
    [again] = await order.ask("a2")
    await order.ask("c1")
    await refused(again)
    assert await order.make_all() == [b"a1", b"b1", b"c1"]


async def test_nothing_is_made_for_whoever_has_gone() -> None:
    order = Order(8)
    begun, waiting, _ = await order.ask("a1", "b1", "c1")
    begun.cancel()
    waiting.cancel()
    assert await order.make_all() == [b"a1", b"c1"], "what was begun is made to its end"
