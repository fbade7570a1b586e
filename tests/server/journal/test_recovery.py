"""After a restart everything durable is back; after a failed commit nothing else was ever there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tablero_server.core.effects import Effects
from tablero_server.core.entry import Cause, Saved
from tablero_server.journal import open_journal
from tablero_server.journal.committer import NotBegun
from tablero_server.journal.journal import NotWritten
from tablero_server.journal.sqlite import SqliteJournal
from tests.harness.desk import Desk, Peer
from tests.harness.wire import a_server, a_wire


def come_back(desk: Desk, gone: Peer, room: str) -> Peer:
    """The same player after a restart, back in its room as its client does it."""
    back = desk.back(gone)
    back.join(room, watch=True)
    return back


# After a restart


def test_a_running_game_goes_on_where_it_was() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    ann.play(room, "b2")
    desk.restart()
    ann, bob = come_back(desk, ann, room), come_back(desk, bob, room)
    answer = bob.play(room, "a1")
    assert (answer["type"], answer["ply"]) == ("nextPlayer", 2)
    assert ann.turns[-1]["ply"] == 2


def test_a_welcome_names_the_rooms_that_are_still_there() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    desk.restart()
    assert [(held["room"], held["seats"]) for held in desk.back(ann).welcome["rooms"]] == [(room, [0])]


def test_a_client_resumes_by_epoch_and_seq_as_if_nothing_had_happened() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    epoch, seq = desk.room(room).epoch, desk.room(room).head
    ann.play(room, "b2")
    desk.restart()
    bob = come_back(desk, bob, room)
    bob.ask("resume", room=room, epoch=epoch, seq=seq)
    assert [(turn["seq"], turn["ply"]) for turn in bob.turns] == [(seq + 1, 1)]


def test_after_a_restored_backup_every_client_gets_the_room_as_it_is() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock={"base": 60, "increment": 0})
    ann.play(room, "b2")
    backup = list(desk.journal[room])
    bob.play(room, "a1")
    epoch, seq = desk.room(room).epoch, desk.room(room).head
    left = desk.room(room).clock
    desk.journal[room] = backup
    desk.now += 90_000
    desk.restart(restored=True)
    assert desk.room(room).epoch != epoch
    ann, bob = come_back(desk, ann, room), come_back(desk, bob, room)
    for behind in range(3):
        answer = bob.ask("resume", room=room, epoch=epoch, seq=seq - behind)
        assert (answer["type"], answer["table"]["epoch"]) == ("snapshot", desk.room(room).epoch)
    assert (bob.play(room, "c3")["type"], ann.turns[-1]["ply"]) == ("nextPlayer", 2)
    clock = desk.room(room).clock
    assert left is not None
    assert clock is not None
    assert clock.remaining == left.remaining


def test_a_restored_backup_is_told_once_and_then_its_rooms_are_as_any_others() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    desk.restart(restored=True)
    epoch, seq = desk.room(room).epoch, desk.room(room).head
    ann = come_back(desk, ann, room)
    ann.play(room, "b2")
    desk.restart()
    ann = come_back(desk, ann, room)
    ann.ask("resume", room=room, epoch=epoch, seq=seq)
    assert [(turn["seq"], turn["ply"]) for turn in ann.turns] == [(seq + 1, 1)]


def test_a_move_sent_again_after_the_restart_gets_its_first_answer() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    first = ann.ask("playTurn", "mine", room=room, seat=0, ply=0, move="b2")
    desk.restart()
    ann = come_back(desk, ann, room)
    assert ann.ask("playTurn", "mine", room=room, seat=0, ply=0, move="b2") == first
    assert ann.refused("playTurn", "mine", room=room, seat=0, ply=0, move="c2") == "idReused"
    assert desk.entries(room).count("turn") == 1


def test_players_come_back_with_their_tokens_names_and_kind() -> None:
    desk = Desk()
    ann, rob = desk.peer("ann"), desk.bot("rob", "tic-tac-toe:easy")
    desk.restart()
    assert desk.back(ann).welcome["player"] == {"id": ann.player, "name": "ann", "bot": False}
    assert desk.peer("ann").name == "ann-2"
    back = desk.peer(None, token=rob.token, bot={"brains": [], "capacity": 1})
    assert back.welcome["player"]["bot"]


def test_a_new_name_outlives_a_restart() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    desk.peer("anna", token=ann.token)
    desk.restart()
    assert desk.back(ann).name == "anna"


def test_no_token_is_kept_as_it_is() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    assert ann.token is not None
    assert ann.token not in repr((desk.players, desk.tokens))


def test_somebody_away_for_longer_than_guests_are_remembered_is_forgotten_for_good() -> None:
    desk = Desk(session_memory_ms=1_000, newcomer_memory_ms=10_000, absence_ms=2_000)
    ann = desk.peer("ann")
    desk.drop(ann)
    desk.restart()
    desk.tick(10_001)
    assert desk.players == {}
    assert desk.connect().refused("hello", protocol=1, client="test", token=ann.token) == "badToken"


def test_a_waiting_room_of_people_who_never_return_closes() -> None:
    desk = Desk()
    room = desk.peer("ann").create()
    desk.restart()
    assert room in desk.hub.rooms.open
    desk.tick(desk.hub.limits.waiting_ms)
    assert desk.hub.rooms.open == {}


def test_a_private_room_is_found_by_its_code_again() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    code = ann.ask("createRoom", game="tic-tac-toe", private=True)["code"]
    desk.restart()
    assert desk.peer("bob").ask("join", code=code)["type"] == "joined"


def test_a_rematch_that_waited_for_its_field_begins_after_the_restart() -> None:
    desk = Desk()
    desk.slow = True
    options = {"level": "beginner", "mode": "coop", "noGuess": True}
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create("minesweeper", seats=2, options=options)
    bob.join(room)
    desk.prepared()
    ann.ask("resign", room=room, seat=0)
    bob.ask("resign", room=room, seat=1)
    ann.ask("offer", room=room, seat=0, what="rematch")
    bob.ask("offer", room=room, seat=1, what="rematch")
    next = desk.room(room).next or ""
    desk.restart()
    assert desk.room(next).state.value == "preparing"
    desk.tick()
    desk.prepared()
    assert desk.room(next).state.value == "playing"


# Clocks


def test_nobody_is_charged_for_the_time_without_a_server() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock={"base": 60, "increment": 0})
    desk.now += 5_000
    ann.ask("say", room=room, text="hm")  # the last that is known of the server
    desk.now += 3_600_000
    desk.restart()
    ann, bob = come_back(desk, ann, room), come_back(desk, bob, room)
    desk.tick(desk.hub.limits.grace_ms)
    answer = ann.play(room, "b2")
    assert answer["clocks"] == [55_000, 60_000]


def test_after_a_restart_no_flag_falls_while_people_come_back() -> None:
    desk = Desk()
    ann, _, room = desk.pair(clock={"base": 1, "increment": 0})
    desk.restart()
    ann = come_back(desk, ann, room)
    desk.tick(desk.hub.limits.grace_ms + 999)
    assert desk.room(room).state.value == "playing"
    desk.tick(1)
    assert ann.turns[-1]["last"] == {"seat": 0, "withdrew": "time"}


def test_a_wall_clock_that_was_set_back_meanwhile_harms_nobody() -> None:
    desk = Desk()
    ann, _, room = desk.pair(clock={"base": 60, "increment": 0})
    desk.now -= 3_600_000
    desk.restart()
    desk.tick(desk.hub.limits.grace_ms)
    assert come_back(desk, ann, room).play(room, "b2")["clocks"] == [60_000, 60_000]


def test_after_a_second_restart_clocks_are_as_after_the_first() -> None:
    desk = Desk()
    ann, _, room = desk.pair(clock={"base": 60, "increment": 0})
    for _ in range(2):
        desk.now += 100_000
        desk.restart()
    desk.tick(desk.hub.limits.grace_ms)
    assert come_back(desk, ann, room).play(room, "b2")["clocks"] == [60_000, 60_000]


def test_a_start_with_nothing_to_write_down_needs_no_room() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    desk.failing = True
    desk.restart()
    assert [(held["room"], held["seats"]) for held in desk.back(ann).welcome["rooms"]] == [(room, [0])]


async def test_a_process_that_cannot_begin_ends_before_it_tells_anybody_anything() -> None:
    desk = Desk()
    desk.pair(clock={"base": 60, "increment": 0})

    class Full(SqliteJournal):
        async def load(self, closed_within_ms: int = 0) -> Saved:
            players, tokens = list(desk.players.values()), list(desk.tokens.values())
            return Saved(players, tokens, list(desk.journal.values()), [], {})

        async def append(self, effects: Sequence[Effects]) -> None:
            raise NotWritten("database or disk is full", frozenset(range(len(effects))))

    async with a_server(Full()) as server:
        with pytest.raises(NotBegun):
            await server.broken()


async def test_a_server_answers_for_a_room_that_closed_before_it_began(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.db'}"
    async with a_server(await open_journal(url)) as server, a_wire(server) as ana:
        token = (await ana.hello())["token"]
        room = (await ana.ask("createRoom", id="make", game="tic-tac-toe"))["room"]
        first = await ana.ask("leave", id="bye", room=room)
    async with a_server(await open_journal(url)) as server, a_wire(server) as ana:
        await ana.hello(token=token)
        assert await ana.ask("leave", id="bye", room=room) == first
        assert (await ana.ask("createRoom", id="make", game="tic-tac-toe"))["room"] == room
        assert server.service.hub.rooms.open == {}


@pytest.mark.parametrize("database", ["memory", "sqlite"])
async def test_a_server_opens_no_second_room_for_a_command_that_its_journal_alone_knows(
    database: str, tmp_path: Path
) -> None:
    url = database if database == "memory" else f"sqlite:///{tmp_path / 'games.db'}"
    async with a_server(await open_journal(url)) as server, a_wire(server) as ana:
        await ana.hello()
        room = (await ana.ask("createRoom", id="make", game="tic-tac-toe"))["room"]
        await ana.ask("leave", room=room)
        server.service.hub.rooms.closed.forget(room)
        assert (await ana.ask("createRoom", id="make", game="tic-tac-toe"))["code"] == "idReused"
        assert server.service.hub.rooms.open == {}
        assert (await ana.ask("createRoom", game="tic-tac-toe"))["type"] == "joined"


# After a commit that failed (the desk itself checks that nothing is left of what was lost)


def test_a_lost_move_is_refused_and_may_be_played_again_with_the_same_id() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    bob.ask("ping")
    desk.failing = True
    assert ann.refused("playTurn", "mine", room=room, seat=0, ply=0, move="b2") == "retryLater"
    assert bob.seen == []
    desk.failing = False
    answer = ann.ask("playTurn", "mine", room=room, seat=0, ply=0, move="b2")
    assert (answer["type"], answer["ply"]) == ("nextPlayer", 1)
    assert [turn["ply"] for turn in bob.turns] == [1]


def test_while_nothing_can_be_saved_reading_goes_on() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    desk.failing = True
    assert ann.ask("subscribe", room=room, event="nextPlayer")["type"] == "nextPlayer"
    assert ann.ask("ping")["type"] == "pong"
    assert ann.ask("watchLobby")["type"] == "lobby"


def test_a_result_is_kept_once_with_the_move_that_made_it() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    for move in ("a1", "a2", "b1", "b2"):
        ann.desk.peers[1 + desk.room(room).ply % 2].play(room, move)
    assert desk.placings == []
    desk.failing = True
    assert ann.refused("playTurn", room=room, seat=0, ply=4, move="c1") == "retryLater"
    assert desk.placings == []
    desk.failing = False
    ann.play(room, "c1")
    ann.ask("say", room=room, text="gg")
    assert [(each.room, each.seat, each.player, each.place) for each in desk.placings] == [
        (room, 0, ann.player, 1),
        (room, 1, bob.player, 2),
    ]


def test_a_record_tells_who_caused_it_by_player_and_id() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    ann.ask("say", "mine", room=room, text="hello")
    cause = desk.journal[room][-1].cause
    assert isinstance(cause, Cause)
    assert (cause.player, cause.id) == (ann.player, "mine")
