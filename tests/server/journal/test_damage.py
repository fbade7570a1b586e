"""A room of which something else is stored than was written is set aside, and all the others are served."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from tablero_server.core.effects import Effects
from tablero_server.core.entry import Damaged
from tablero_server.journal import open_journal
from tests.harness.databases import Place, Sqlite
from tests.harness.desk import Desk
from tests.harness.journal_entries import begin, said
from tests.harness.pages import a_browser
from tests.harness.wire import a_server, a_wire

OF_A = "room = (SELECT number FROM room WHERE id = 'a')"
DAMAGES = {
    "no msgpack": (f"UPDATE record SET body = '' WHERE {OF_A} AND seq = 1", "entry 1 cannot be read"),
    "the first is missing": (f"DELETE FROM record WHERE {OF_A} AND seq = 0", "entry 0 of 3 is missing"),
    "one is missing": (f"DELETE FROM record WHERE {OF_A} AND seq = 1", "entry 1 of 3 is missing"),
    "the last is missing": (f"DELETE FROM record WHERE {OF_A} AND seq = 3", "entry 3 of 3 is missing"),
    "all are missing": (f"DELETE FROM record WHERE {OF_A}", "entry 0 of 3 is missing"),
    "there are too many": ("UPDATE room SET head = 2 WHERE id = 'a'", "go on after the last one, 2"),
}


@pytest.mark.parametrize(("sql", "what"), DAMAGES.values(), ids=DAMAGES.keys())
async def test_a_log_that_is_not_as_it_was_written_is_named_and_the_others_are_read(
    database: Place, sql: str, what: str
) -> None:
    journal = await database.open()
    for room in ("a", "b"):
        await journal.append([Effects([begin(room), *(said(room, seq) for seq in (1, 2, 3))])])
    await journal.close()
    binary = "x'c1'" if isinstance(database, Sqlite) else "'\\xc1'"
    await database.ask(sql.replace("body = ''", f"body = {binary}"))
    journal = await database.open()
    saved = await journal.load()
    assert [log[0].room for log in saved.logs] == ["b"]
    assert list(saved.damaged) == ["a"]
    assert what in saved.damaged["a"]
    with pytest.raises(Damaged, match=what):
        await journal.log("a")
    await journal.append([Effects([said("b", 4)])])
    await journal.close()


BODIES: dict[str, tuple[int, dict[str, Any]]] = {
    "an unknown game": (0, {"game": "chess"}),
    "an illegal move": (4, {"move": "b9"}),
    "a move twice": (5, {"move": "b2"}),
    "nothing": (1, {}),
}


@pytest.mark.parametrize(("seq", "body"), BODIES.values(), ids=BODIES.keys())
def test_a_log_that_the_rules_cannot_play_is_set_aside_and_its_players_are_told(
    seq: int, body: dict[str, Any]
) -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    ann.play(room, "b2")
    bob.play(room, "a1")
    other = ann.create()
    if seq == 0:
        body = desk.journal[room][0].body | body
    desk.damage(room, seq, **body)
    before = list(desk.journal[room])
    desk.restart()
    assert list(desk.hub.rooms.damaged) == [room]
    back = desk.back(ann)
    assert [(held["room"], held["seats"]) for held in back.welcome["rooms"]] == [(other, [0])]
    for type, fields in (("join", {}), ("say", {"text": "hi"}), ("resume", {"epoch": "e", "seq": 1})):
        assert back.refused(type, room=room, **fields) == "damagedRoom"
    desk.back(bob).join(other)
    desk.tick(10 * desk.hub.limits.absence_ms)
    assert desk.journal[room] == before


async def test_the_host_and_whoever_asks_are_told_which_room_is_damaged(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    async with a_server(await place.open()) as server, a_wire(server) as ana:
        token = (await ana.hello())["token"]
        room = (await ana.ask("createRoom", game="tic-tac-toe"))["room"]
    await place.ask("UPDATE record SET body = x'c1' WHERE seq = 1")
    with capture_logs() as lines:
        async with (
            a_server(await open_journal(place.url)) as server,
            a_wire(server) as ana,
            a_browser(server) as browser,
        ):
            await ana.hello(token=token)
            assert (await ana.ask("join", room=room))["code"] == "damagedRoom"
            status, text = await browser.get(f"/api/rooms/{room}/record")
            assert (status, "damagedRoom" in text) == (500, True)
            assert (await ana.ask("createRoom", game="tic-tac-toe"))["type"] == "joined"
    [line] = [line for line in lines if "damaged" in line["event"]]
    assert (line["log_level"], line["room"]) == ("error", room)
    assert "entry 1 cannot be read" in line["what"]
