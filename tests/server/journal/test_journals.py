"""What every journal promises and what it refuses: one suite for both databases."""

from __future__ import annotations

import asyncio

from tablero_server.core.effects import Effects
from tablero_server.core.entry import (
    Cause,
    EndedToken,
    Entry,
    Forgotten,
    Lifted,
    Rerated,
    Sanction,
    Saved,
    SavedMute,
    SavedPlayer,
    SavedToken,
)
from tablero_server.core.limits.limits import CLOSED_ROOMS
from tablero_server.core.room.room import Room
from tests.harness.databases import Place, Postgres, Sqlite, commands
from tests.harness.desk import Desk
from tests.harness.journal_entries import ANN, begin, came_out, lengths, refused, said

ROB = SavedPlayer("rob0", "rob", True, 1_700_000_000_001, 1_700_000_000_001)

PHONE = SavedToken(b"\x00\xff" * 16, "ann0", "Ann's phone – 好", 1_700_000_000_000, 1_700_000_000_500)
DESK = SavedToken(b"\x01" * 32, "ann0", "", 1_700_000_000_001, 1_700_000_000_001)


# What comes back


async def test_a_new_journal_is_empty(database: Place) -> None:
    journal = await database.open()
    assert await journal.load() == Saved([], [], [], [], {})
    assert await journal.log("nowhere") == []
    await journal.close()


async def test_logs_come_back_as_they_were(database: Place) -> None:
    desk, journal = Desk(), await database.open()
    ann, bob, room = desk.pair(clock={"base": 60, "increment": 2})
    ann.play(room, "b2")
    bob.ask("say", room=room, text="Olé — 好 🎲")
    bob.ask("resign", room=room, seat=1)
    options = {"level": "beginner", "mode": "coop", "noGuess": True}
    prepared = ann.create("minesweeper", seats=2, options=options)
    for each in (room, prepared):
        await journal.append(commands(desk, each))
    loaded = (await journal.load()).logs
    assert loaded == [desk.journal[room], desk.journal[prepared]]
    assert [await journal.log(each) for each in (room, prepared)] == loaded
    assert type(loaded[0][1].cause) is Cause
    assert {type(entry.clocks) for entry in loaded[0]} == {tuple, type(None)}
    *_, folded = Room.fold(loaded[0])
    assert folded.position == desk.room(room).position
    await journal.close()


async def test_a_body_of_any_json_comes_back(database: Place) -> None:
    journal = await database.open()
    body = {"game": "x", "deep": [{"a": [None, True, 1.5, -(2**63), "é\u0000"]}, {}, []]}
    log = [begin("a")._replace(body=body)]
    await journal.append([Effects(log)])
    assert await journal.log("a") == log
    await journal.close()


async def test_a_closed_room_is_kept_and_not_loaded(database: Place) -> None:
    desk, journal = Desk(), await database.open()
    ann = desk.peer()
    room = ann.create()
    ann.ask("leave", room=room)
    await journal.append(commands(desk, room))
    assert (await journal.load()).logs == []
    assert await journal.log(room) == desk.journal[room]
    await journal.close()


async def test_a_room_that_closes_later_is_not_loaded_any_more(database: Place) -> None:
    journal = await database.open()
    await journal.append([Effects([begin("a"), said("a", 1)]), Effects([begin("b")])])
    await journal.append([Effects([Entry("a", 2, "closed", 5, None, None, {})])])
    assert await lengths(journal) == {"b": 1}
    await journal.close()


async def test_what_closed_lately_is_loaded_when_asked_for(database: Place) -> None:
    """Lately: within some time of what closed last, however long ago that was."""
    journal = await database.open()
    for room, at in (("a", 1_000), ("b", 900), ("c", 3_000), ("d", 0)):
        await journal.append([Effects([begin(room, 5), said(room, 1)])])
        if at:
            await journal.append([Effects([Entry(room, 2, "closed", at, None, None, {})])])
    for within, closed in ((0, []), (2_000, ["c"]), (2_001, ["a", "c"]), (9_000, ["b", "a", "c"])):
        saved = await journal.load(within)
        assert [log[0].room for log in saved.closed] == closed
        assert saved.closed == [await journal.log(room) for room in closed]
        assert [log[0].room for log in saved.logs] == ["d"]
    await journal.close()


async def test_only_so_much_of_what_closed_is_loaded(database: Place) -> None:
    journal = await database.open()
    rooms = [f"room-{number}" for number in range(CLOSED_ROOMS + 2)]
    ends = [Entry(room, 1, "closed", at, None, None, {}) for at, room in enumerate(rooms, 1)]
    await journal.append([Effects([begin(end.room), end]) for end in ends])
    assert [log[0].room for log in (await journal.load(10**9)).closed] == rooms[2:]
    await journal.close()


async def test_any_number_of_records_fits_into_one_append(database: Place) -> None:
    journal = await database.open()
    rooms = [f"room-{number}" for number in range(1343)]
    await journal.append([Effects([begin(room), said(room, 1)]) for room in rooms])
    await journal.append([Effects([said(room, 2)]) for room in reversed(rooms)])
    assert await lengths(journal) == dict.fromkeys(rooms, 3)
    await journal.close()


async def test_one_command_may_write_in_several_rooms(database: Place) -> None:
    journal = await database.open()
    await journal.append([Effects([begin("a")])])
    rematch = Entry("a", 1, "rematch", 6, None, None, {"next": "b"})
    await journal.append([Effects([begin("b"), rematch, said("b", 1)])])
    assert await lengths(journal) == {"a": 2, "b": 2}
    await journal.close()


async def test_appends_that_overlap_keep_their_order(database: Place) -> None:
    journal = await database.open()
    await journal.append([Effects([begin("a")])])
    await asyncio.gather(*(journal.append([Effects([said("a", seq)])]) for seq in range(1, 20)))
    assert [entry.seq for entry in await journal.log("a")] == list(range(20))
    await journal.close()


async def test_players_are_kept_changed_and_forgotten(database: Place) -> None:
    journal = await database.open()
    await journal.append([Effects(kept=[ANN]), Effects(kept=[ROB])])
    later = ANN._replace(name="anna", seen=ANN.seen + 1)
    await journal.append([Effects(kept=[later])])
    assert (await journal.load()).players == [later, ROB]
    await journal.append([Effects(kept=[Forgotten("ann0"), Forgotten("nobody")])])
    assert (await journal.load()).players == [ROB]
    await journal.close()


async def test_of_what_happens_to_a_player_in_one_append_the_last_counts(database: Place) -> None:
    journal = await database.open()
    await journal.append(
        [Effects(kept=[ANN]), Effects(kept=[Forgotten("ann0")]), Effects(kept=[ANN._replace(seen=9)])]
    )
    await journal.append([Effects(kept=[ROB]), Effects(kept=[Forgotten("rob0")])])
    assert (await journal.load()).players == [ANN._replace(seen=9)]
    await journal.close()


async def test_tokens_are_kept_changed_and_ended(database: Place) -> None:
    journal = await database.open()
    await journal.append([Effects(kept=[ANN, PHONE]), Effects(kept=[DESK])])
    later = PHONE._replace(device="phone", used=PHONE.used + 1)
    await journal.append([Effects(kept=[later])])
    assert (await journal.load()).tokens == [later, DESK]
    await journal.append([Effects(kept=[EndedToken(later.hash), EndedToken(b"unknown")])])
    assert (await journal.load()).tokens == [DESK]
    await journal.append([Effects(kept=[PHONE]), Effects(kept=[EndedToken(PHONE.hash)])])
    await journal.append([Effects(kept=[EndedToken(DESK.hash)]), Effects(kept=[DESK._replace(used=9)])])
    assert (await journal.load()).tokens == [DESK._replace(used=9)], "the last counts"
    await journal.close()


async def test_whom_a_player_does_not_hear_is_kept_until_it_is_taken_back_or_one_is_forgotten(
    database: Place,
) -> None:
    bob, cat = SavedMute("ann", "bob", "chat"), SavedMute("ann", "cat", "all")
    journal = await database.open()
    await journal.append([Effects(kept=[bob]), Effects(kept=[cat])])
    assert (await journal.load()).mutes == (bob, cat)
    more = bob._replace(what="all")
    await journal.append([Effects(kept=[more]), Effects(kept=[cat._replace(what="none")])])
    assert (await journal.load()).mutes == (more,)
    await journal.append([Effects(kept=[SavedMute("cat", "ann", "chat"), SavedMute("bob", "cat", "chat")])])
    await journal.append([Effects(kept=[Forgotten("bob")])])
    assert (await journal.load()).mutes == (SavedMute("cat", "ann", "chat"),)
    await journal.close()


async def test_what_the_host_decides_is_kept_until_it_is_lifted(database: Place) -> None:
    out = Sanction("s1", "out", "ann0", "ann", "203.0.113.7/32", 1_800_000_000_000, "swearing", 1)
    chat = Sanction("s2", "chat", None, "", None, None, "shouting", 2)
    journal = await database.open()
    await journal.append([Effects(kept=[out]), Effects(kept=[chat])])
    assert (await journal.load()).sanctions == (out, chat)
    await journal.append([Effects(kept=[Lifted(out)])])
    assert (await journal.load()).sanctions == (chat,)
    await journal.append([Effects(kept=[Lifted(out), Lifted(chat)])])
    assert (await journal.load()).sanctions == ()
    await journal.close()


async def test_a_result_is_kept_with_the_record_that_ended_the_game(database: Place) -> None:
    journal = await database.open()
    both = came_out("a", 0), came_out("a", 1)
    await journal.append([Effects([begin("a")]), Effects([said("a", 1)], kept=both)])
    assert await database.placings() == list(both)
    await journal.close()


async def test_what_is_loaded_of_ratings_is_the_newest_game_of_each(database: Place) -> None:
    journal = await database.open()
    await journal.append([Effects([begin("a")])])
    rows = [
        came_out("r1", 0, games=1, rival="rob0"),
        came_out("r2", 0, games=2, rival="eve0", at=1_700_000_000_001),
        came_out("r3", 0, games=3, rival="rob0", at=1_700_000_000_001),
        came_out("r4", 0, games=1, level="", rival="rob0", value=1400.5),
        came_out("r5", 0, games=1, speed="slow", rival="rob0", value=1400.25),
        came_out("r6", 0, value=None, deviation=None, volatility=None, games=None, rival="dan0"),
    ]
    await journal.append([Effects([said("a", 1)], kept=rows)])
    loaded = await journal.load()
    assert sorted(loaded.rated) == sorted([rows[2], rows[3], rows[4]])
    who = ("ann0", "tic-tac-toe")
    assert list(loaded.rivals) == [
        (*who, "blitz", "", "rob0"),
        (*who, "blitz", "hard", "eve0"),
        (*who, "blitz", "hard", "rob0"),
        (*who, "slow", "hard", "rob0"),
    ]
    await journal.close()


async def test_results_get_other_ratings_and_the_numbers_of_others(database: Place) -> None:
    journal = await database.open()
    rows = [came_out(f"r{number:03}", 0, games=number, at=number) for number in range(1, 100)]
    await journal.append([Effects([begin("a")]), Effects([said("a", 1)], kept=rows)])
    struck = rows[0]._replace(course=None, flagged=False, value=None, deviation=None, volatility=None)
    others = [row._replace(value=1600.5, games=(row.games or 0) - 1) for row in rows[1:]]
    rerated = (struck._replace(games=None), *others)
    await journal.append([Effects(kept=map(Rerated, rerated[::-1]))])
    assert await database.placings() == list(rerated)
    assert (await journal.load()).rated == (rerated[-1],)
    await journal.close()


async def test_no_results_but_those_there_are_get_other_ratings(database: Place) -> None:
    journal = await database.open()
    assert await refused(journal, Effects(kept=[Rerated(came_out("nowhere", 0))])) == [0]
    await journal.close()


# What is refused


async def test_a_record_that_does_not_follow_the_last_one_is_refused(database: Place) -> None:
    journal = await database.open()
    await journal.append([Effects([begin("a"), said("a", 1)])])
    assert await refused(journal, Effects([said("a", 3)])) == [0]
    assert await refused(journal, Effects([said("a", 1, "again")])) == [0]
    assert await refused(journal, Effects([said("a", 2), said("a", 4)])) == [0]
    assert await refused(journal, Effects([said("nowhere", 1)])) == [0]
    assert await refused(journal, Effects([begin("a")])) == [0]
    assert await lengths(journal) == {"a": 2}
    await journal.close()


async def test_only_the_refused_command_is_lost_and_what_builds_on_it(database: Place) -> None:
    journal = await database.open()
    await journal.append([Effects([begin("a")]), Effects([begin("b")]), Effects([begin("c"), said("c", 1)])])
    repeated = said("b", 1, "c-1")
    batch = [
        Effects([said("a", 1)], kept=[ANN]),
        Effects([repeated], kept=[ROB]),
        Effects([said("b", 2)]),
        Effects([said("c", 2)]),
        Effects([said("a", 2), said("b", 1, "other")]),
        Effects([said("b", 3)]),
    ]
    assert await refused(journal, *batch) == [1, 2, 5]
    assert await lengths(journal) == {"a": 3, "b": 2, "c": 3}
    assert (await journal.load()).players == [ANN]
    await journal.append([Effects([said("b", 2)])])
    await journal.close()


async def test_a_command_lasts_as_a_whole_or_not_at_all(database: Place) -> None:
    journal = await database.open()
    await journal.append([Effects([begin("a")]), Effects([begin("b")])])
    whole = Effects([said("a", 1), begin("c"), said("b", 2)], kept=[ANN, came_out("a", 0)])
    assert await refused(journal, whole) == [0]
    assert await lengths(journal) == {"a": 1, "b": 1}
    assert (await journal.load()).players == []
    assert await database.placings() == []
    await journal.close()


async def test_player_and_id_are_unique_also_after_a_room_has_closed(database: Place) -> None:
    journal = await database.open()
    closed = Entry("a", 2, "closed", 5, None, None, {})
    await journal.append([Effects([begin("a"), said("a", 1, "once"), closed]), Effects([begin("b")])])
    again, late = Effects([said("b", 1, "once")]), Effects([said("b", 4)])
    assert await refused(journal, again, late) == [0, 1]
    assert (again.repeats, late.repeats) == (True, False), "one is told apart from what merely fails"
    await journal.append([Effects([said("b", 1, "once", player="rob0")])])
    await journal.close()


async def test_a_closed_room_takes_nothing_more(database: Place) -> None:
    journal = await database.open()
    await journal.append([Effects([begin("a"), Entry("a", 1, "closed", 5, None, None, {})])])
    assert await refused(journal, Effects([said("a", 2)])) == [0]
    await journal.close()


async def test_a_rating_goes_on_from_each_of_its_games_once(database: Place) -> None:
    journal = await database.open()
    await journal.append([Effects([begin("a"), begin("b")])])
    await journal.append([Effects([said("a", 1)], kept=[came_out("a", 0, games=7)])])
    assert await refused(journal, Effects([said("b", 1)], kept=[came_out("b", 0, games=7)])) == [0]
    await journal.append([Effects([said("b", 1)], kept=[came_out("b", 0, games=8)])])
    await journal.close()


async def test_a_seat_comes_out_of_a_game_once(database: Place) -> None:
    journal = await database.open()
    await journal.append([Effects([begin("a"), said("a", 1)], kept=[came_out("a", 0)])])
    assert await refused(journal, Effects([said("a", 2)], kept=[came_out("a", 0)])) == [0]
    assert await lengths(journal) == {"a": 2}
    await journal.close()


# After a restart


async def test_everything_is_there_after_a_restart_and_goes_on(database: Place) -> None:
    journal = await database.open()
    await journal.append([Effects([begin("a"), said("a", 1)], kept=[ANN])])
    await journal.close()
    for seq in (2, 3):
        journal = await database.open()
        await journal.append([Effects([said("a", seq)])])
        assert await lengths(journal) == {"a": seq + 1}
        assert (await journal.load()).players == [ANN]
        await journal.close()


async def test_the_database_keeps_its_lineage(database: Place) -> None:
    await (await database.open()).close()
    [(lineage,)] = await database.ask("SELECT lineage FROM meta")
    await (await database.open()).close()
    assert await database.ask("SELECT lineage FROM meta") == [(lineage,)]


async def test_an_older_server_can_write_nothing_once_a_newer_one_has_its_rooms(
    database: Sqlite | Postgres,
) -> None:
    older = await database.open()
    await older.append([Effects([begin("a")]), Effects([begin("b"), said("b", 1)])])
    database.forget_lock()
    newer = await database.open()
    assert await refused(older, Effects([said("a", 1)]), Effects([said("b", 2)])) == [0, 1]
    await newer.append([Effects([said("a", 1)]), Effects([said("b", 2)])])
    assert await refused(older, Effects([said("a", 2)])) == [0]
    assert await lengths(newer) == {"a": 2, "b": 3}
    owners = await database.ask("SELECT DISTINCT owner_epoch, owner FROM room")
    assert [epoch for epoch, _ in owners] == [2]
    await older.close()
    await newer.close()
