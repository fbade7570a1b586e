"""Games by correspondence that nobody looks at take little memory, and are as if they had never been away."""

from __future__ import annotations

import gc
import random
import tracemalloc
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tablero_games import GAMES, Play
from tablero_protocol.messages import CLIENT_MESSAGE
from tablero_server.core import hub
from tablero_server.core.effects import Effects
from tablero_server.core.entry import Entry
from tablero_server.core.hub import Hub
from tablero_server.core.limits.limits import Rate
from tablero_server.core.room.clock import COME_BACK_MS, DAY_MS
from tablero_server.core.room.outline import Outline
from tablero_server.core.room.replay import fold
from tablero_server.core.room.room import Room
from tablero_server.journal.recovery import restore
from tests.harness.desk import Desk, Message, Peer
from tests.harness.desk_games import DAYS, MEMORY, all_go, is_packed, moved, table

TAKE_TURNS = [game for game in GAMES if game != "minesweeper"]


@pytest.mark.parametrize("game", TAKE_TURNS)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_unpacked_is_what_was_packed(game: str, seed: int) -> None:
    desk = Desk(first_move_ms=30_000)
    ann, bob, room = desk.pair(game, **DAYS)
    moved((ann, bob), room, 30, seed)
    bob.ask("say", room=room, text="take your time")
    before = desk.room(room)
    all_go(desk)
    assert is_packed(desk, room)
    views = desk.hub.rooms.unpacked(room)
    assert views is not None
    assert not is_packed(desk, room)
    after = views.room
    assert after is not before
    for name in Room.__slots__:
        if name not in ("marks", "play"):
            assert getattr(after, name) == getattr(before, name), name
    assert (after.play, [count for count, _ in after.marks]) == (
        before.play,
        [count for count, _ in before.marks],
    )


def test_the_game_goes_on_when_somebody_joins_and_everybody_hears_it() -> None:
    desk = Desk()
    ann, bob, room = table(desk)
    all_go(desk)
    ann, bob = desk.back(ann), desk.back(bob)
    assert is_packed(desk, room)
    ann.join(room)
    assert not is_packed(desk, room)
    bob.join(room)
    moved((ann, bob), room, 1)
    assert (bob.turns or ann.turns)[-1]["ply"] == 3
    all_go(desk)
    assert is_packed(desk, room)


WAYS: dict[str, Callable[[Desk, str, str], object]] = {
    "by its id": lambda desk, room, code: desk.peer("cat").join(room),
    "by its code": lambda desk, room, code: desk.peer("cat").ask("join", code=code),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_whoever_wants_to_watch_finds_it(way: Callable[[Desk, str, str], object]) -> None:
    desk = Desk()
    _, _, room = table(desk)
    code = desk.room(room).code or ""
    all_go(desk)
    way(desk, room, code)
    assert not is_packed(desk, room)
    desk.tick(2 * MEMORY)
    assert not is_packed(desk, room), "somebody looks at it"


def test_what_strangers_are_refused_unpacks_nothing() -> None:
    desk = Desk()
    _, _, private = table(desk, private=True)
    _, _, public = table(desk)
    all_go(desk)
    cat = desk.peer("cat")
    assert cat.refused("join", room=private) == "unknownRoom"
    for room, code in ((private, "unknownRoom"), (public, "forbidden")):
        assert cat.refused("playTurn", room=room, seat=0, ply=2, move="a1") == code
        assert cat.refused("leave", room=room) == code
        assert is_packed(desk, room)


def test_its_code_tells_of_the_table_and_unpacks_nothing() -> None:
    desk = Desk()
    _, _, room = table(desk, private=True)
    code = desk.room(room).code
    before = desk.peer("cat").ask("showTable", code=code)
    all_go(desk)
    after = desk.peer("cat").ask("showTable", code=code)
    assert {**after, "re": ""} == {**before, "re": ""}
    assert is_packed(desk, room)


def test_the_qr_code_of_its_link_unpacks_nothing() -> None:
    desk = Desk()
    ann, _, room = table(desk)
    link = f"http://192.168.1.20:8470/watch/{room}"
    all_go(desk)
    assert desk.back(ann).ask("showQrCode", link=link)["type"] == "qrCode"
    assert desk.peer("cat").refused("showQrCode", link=link) == "forbidden"
    assert is_packed(desk, room)


def test_the_code_of_a_finished_game_leads_to_the_packed_rematch() -> None:
    desk = Desk(idle_ms=10 * MEMORY)
    ann, bob, room = table(desk)
    code = desk.room(room).code
    ann.ask("resign", room=room, seat=0)
    for seat, peer in enumerate((ann, bob)):
        peer.ask("offer", room=room, seat=seat, what="rematch")
    rematch = str(desk.room(room).next)
    moved((ann, bob), rematch, 2)
    newest = desk.room(rematch).code
    desk.drop(ann)
    desk.drop(bob)
    ann = desk.back(ann, same_session=False)
    ann.join(room)
    for _ in range(3):
        desk.tick(MEMORY)
    assert is_packed(desk, rematch)
    told = desk.peer("cat").ask("showTable", code=code)
    assert (told["room"], told["next"]) == (room, newest)
    assert is_packed(desk, rematch)


# What keeps a room as it is


def test_a_game_that_somebody_looks_at_is_not_packed() -> None:
    desk = Desk()
    _, bob, room = table(desk)
    desk.drop(bob)
    for _ in range(5):
        desk.tick(MEMORY)
    assert not is_packed(desk, room)


def test_a_room_is_kept_for_as_long_as_commands_may_be_repeated() -> None:
    desk = Desk()
    ann, _, room = desk.pair(**DAYS)
    moved((ann, _), room, 1)
    said = ann.ask("say", id="twice", room=room, text="hello")
    moved((ann, _), room, 1)
    for peer in (ann, _):
        peer.ask("ping")
        desk.drop(peer)
    desk.tick(MEMORY - 1)
    assert not is_packed(desk, room)
    ann = desk.back(ann, same_session=False)
    assert ann.ask("say", id="twice", room=room, text="hello")["seq"] == said["seq"]


def pause(desk: Desk, ann: Peer, bob: Peer, room: str) -> None:
    ann.ask("offer", room=room, seat=0, what="pause")
    bob.ask("offer", room=room, seat=1, what="pause")
    assert desk.entries(room)[-1] == "paused"


KEPT: dict[str, tuple[int, Message, Callable[[Desk, Peer, Peer, str], object]]] = {
    "one has not moved": (1, DAYS, lambda *_: None),
    "paused": (2, DAYS, pause),
    "no correspondence": (2, {"clock": {"base": 3_600, "increment": 0}}, lambda *_: None),
    "no clock": (2, {"clock": None}, lambda *_: None),
}


@pytest.mark.parametrize(("moves", "fields", "then"), KEPT.values(), ids=KEPT)
def test_other_rooms_are_not_packed(
    moves: int, fields: Message, then: Callable[[Desk, Peer, Peer, str], object]
) -> None:
    desk = Desk(first_move_ms=30_000, absence_ms=3_600_000)
    ann, bob, room = table(desk, moves=moves, **fields)
    then(desk, ann, bob, room)
    all_go(desk)
    assert room not in desk.hub.rooms.packed
    table(desk)
    desk.restart()
    assert room not in desk.hub.rooms.packed


def test_a_start_packs_no_room_that_a_watcher_may_have_to_be_taken_out_of() -> None:
    desk = Desk()
    ann, bob, room = table(desk)
    watched = ann.create(**DAYS)
    bob.ask("join", room=watched, subscribe=["nextPlayer"])
    moved((ann, bob), watched, 2)
    desk.peer("eve").join(watched, watch=True)
    desk.now += MEMORY
    ann.create()
    desk.restart()
    assert (is_packed(desk, room), is_packed(desk, watched)) == (True, False)


def test_beyond_what_all_packed_rooms_may_hold_a_room_stays_as_it_is() -> None:
    desk = Desk(packed_entries=10)
    rooms = [table(desk)[2] for _ in range(3)]
    assert len(desk.room(rooms[0]).log) == 6
    all_go(desk)
    assert [is_packed(desk, room) for room in rooms].count(True) == 1


def test_a_long_log_stays_as_it_is() -> None:
    desk = Desk(packed_log=6)
    short, long = table(desk, "quoridor", 2)[2], table(desk, "quoridor", 3)[2]
    assert [len(desk.room(room).log) for room in (short, long)] == [6, 7]
    all_go(desk)
    assert [is_packed(desk, room) for room in (short, long)] == [True, False]
    table(desk)
    desk.restart()
    assert [is_packed(desk, room) for room in (short, long)] == [True, False]


# Clocks


def test_the_flag_of_a_packed_room_falls_on_time() -> None:
    desk = Desk()
    ann, bob, room = table(desk)
    moved_at = desk.now
    all_go(desk)
    desk.tick(moved_at + 3 * DAY_MS - 1 - desk.now)
    assert is_packed(desk, room)
    desk.tick(1)
    assert desk.entries(room)[-1] == "withdrew"
    lost, won = desk.placings[-2:]
    assert (lost.player, won.player, lost.reason) == (ann.player, bob.player, "time")
    assert (won.place, lost.place) == (1, 2)


def test_the_flag_falls_on_time_after_a_restart_too() -> None:
    desk = Desk()
    _, _, room = table(desk)
    all_go(desk)
    table(desk)  # somebody else plays until the end
    desk.restart()
    assert is_packed(desk, room)
    desk.now += 1
    left = 3 * DAY_MS - (desk.now - 1 - desk.journal[room][-1].at)
    desk.tick(20_000 + left - 2)
    assert is_packed(desk, room)
    desk.tick(1)
    assert desk.entries(room)[-1] == "withdrew"


def test_after_a_restart_the_alarm_is_that_of_whose_clock_runs() -> None:
    """Ann moved a day after Bob, so that his clock alone would fall first if it ran."""
    desk = Desk()
    ann, bob, room = desk.pair("connect-four", **DAYS)
    moved((ann, bob), room, 2)
    desk.now += DAY_MS
    moved((ann,), room, 1)
    assert [left // DAY_MS for left in desk.journal[room][-1].clocks or ()] == [3, 3]
    desk.now += DAY_MS
    ann.ask("say", room=room, text="hello")
    assert [left // DAY_MS for left in desk.journal[room][-1].clocks or ()] == [3, 2]
    all_go(desk)
    table(desk)
    desk.restart()
    assert is_packed(desk, room)
    began, said = desk.now, desk.journal[room][-1]
    desk.tick(2 * DAY_MS - (began - said.at) + 20_000 - 1)
    assert is_packed(desk, room)
    desk.tick(1)
    assert (desk.entries(room)[-1], desk.journal[room][-1].seat) == ("withdrew", 1)


def test_after_a_restart_the_clock_is_what_it_is_in_a_room_that_was_loaded() -> None:
    """Two games alike, but that something was said in one, so that it was not packed."""
    desk = Desk()
    one, two = table(desk), table(desk)
    desk.tick(3_600_000)
    two[0].ask("say", room=two[2], text="hello")
    desk.restart()
    assert (is_packed(desk, one[2]), is_packed(desk, two[2])) == (True, False)
    desk.tick(7_200_000)
    left = []
    for ann, _, room in (one, two):
        [line] = [line for line in desk.back(ann).welcome["rooms"] if line["room"] == room]
        assert line["toMove"] == [0]
        left.append(line["clocks"])
    assert left[0] == pytest.approx(left[1], abs=2_000)
    assert left[0][0] == pytest.approx(3 * DAY_MS - 10_800_000 + 20_000, abs=2_000)


def test_a_long_outage_leaves_a_packed_room_time_to_come_back() -> None:
    desk = Desk()
    _, _, room = table(desk)
    all_go(desk)
    table(desk)
    desk.now += 30 * DAY_MS
    desk.restart()
    desk.tick(COME_BACK_MS + 20_000 - 1)
    assert is_packed(desk, room)
    desk.tick(1)
    assert desk.entries(room)[-1] == "withdrew"


# A start


def test_a_start_plays_no_packed_game_again(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    rooms = {table(desk, "quoridor", 8)[2] for _ in range(20)}
    all_go(desk)
    fresh = table(desk, "connect-four", 5)[2]
    turn, played = Play.turn, Counter[str]()

    def counted(play: Play, seat: int, move: str) -> Play:
        played[play.game.name] += 1
        return turn(play, seat, move)

    monkeypatch.setattr(Play, "turn", counted)
    hub = Hub(random.Random(1).randbytes)
    restore(hub, desk.saved(), desk.now)
    assert (set(hub.rooms.packed), set(hub.rooms.open)) == (rooms, {fresh})
    assert played == {"connect-four": 5}


def takes_back(ann: Peer, bob: Peer, room: str) -> None:
    ann.ask("offer", room=room, seat=0, what="takeback")
    [offer] = ann.desk.room(room).offers
    bob.ask("answer", room=room, seat=1, offer=offer, yes=True)


@pytest.mark.parametrize("last", [lambda *_: None, takes_back], ids=["a turn", "a takeback"])
@pytest.mark.parametrize("game", TAKE_TURNS)
def test_a_start_knows_what_the_game_played_again_would_tell(
    game: str, last: Callable[[Peer, Peer, str], object]
) -> None:
    desk = Desk(first_move_ms=30_000)
    ann, bob, room = table(desk, game, 5, options={})
    desk.now += 5_000
    last(ann, bob, room)
    played = desk.room(room)
    table(desk)
    desk.now += MEMORY
    desk.drop(ann)
    table(desk)
    desk.restart()
    assert is_packed(desk, room)
    assert desk.hub.rooms.packed.outline(room) == Outline.of(played)
    assert desk.hub.rooms.packed.clock(room) == fold(played.log).clock_since(desk.now, 20_000)


def test_a_start_plays_an_older_log_that_does_not_say_whose_turn_it_is() -> None:
    desk = Desk()
    _, _, room = table(desk)
    all_go(desk)
    table(desk)
    last = desk.journal[room][-1]
    assert last.body["toMove"] == [0]
    desk.damage(room, last.seq, move=last.body["move"])
    desk.restart()
    assert not is_packed(desk, room)


def test_who_comes_back_after_a_restart_is_told_whose_turn_it_is() -> None:
    desk = Desk()
    ann, _, room = table(desk, moves=3)
    all_go(desk)
    table(desk)
    desk.restart()
    assert is_packed(desk, room)
    desk.tick(20_000)
    welcome = desk.back(ann).welcome
    assert [(line["room"], line["toMove"]) for line in welcome["rooms"]] == [(room, [1])]
    desk.tick(1)
    assert desk.back(ann).welcome["rooms"] == [
        {**welcome["rooms"][0], "clocks": [3 * DAY_MS, welcome["rooms"][0]["clocks"][1] - 1]}
    ]
    assert is_packed(desk, room)


def test_a_restored_backup_loads_every_room_for_each_needs_a_new_epoch() -> None:
    desk = Desk()
    _, _, room = table(desk)
    all_go(desk)
    table(desk)
    desk.restart(restored=True)
    assert desk.entries(room)[-1] == "restored"


def test_what_is_damaged_is_found_when_it_is_unpacked() -> None:
    desk = Desk()
    ann, _, room = table(desk, moves=3)
    all_go(desk)
    _, _, other = table(desk)
    turns = [entry.seq for entry in desk.journal[room] if entry.kind == "turn"]
    desk.damage(room, turns[1], move="z9")
    desk.restart()
    assert is_packed(desk, room)
    back = desk.back(ann)
    assert [line["room"] for line in back.welcome["rooms"]] == [room]
    assert desk.hub.rooms.unpacked(room) is None
    assert list(desk.hub.rooms.damaged) == [room]
    assert back.refused("join", room=room) == "damagedRoom"
    assert back.ask("listRooms")["rooms"] == []
    assert not is_packed(desk, other)


# What is told of it, and what it counts


def test_the_lobby_and_ones_own_rooms_tell_the_same_of_it() -> None:
    desk = Desk()
    ann, bob, room = table(desk)
    table(desk, private=True)
    cat = desk.peer("cat")
    before = [cat.ask("watchLobby")["rooms"], ann.ask("listRooms")["rooms"][0]["toMove"]]
    cat.ask("unwatchLobby")
    for peer in (ann, bob, cat):
        desk.drop(peer)
    all_go(desk)
    assert is_packed(desk, room)
    after = [desk.peer("dan").ask("watchLobby")["rooms"], desk.back(ann).welcome["rooms"][0]["toMove"]]
    assert after == before
    assert is_packed(desk, room)


def test_packed_rooms_count_as_games_by_correspondence_alone() -> None:
    desk = Desk(rooms=1, correspondence=1, all_rooms=1, all_correspondence=2)
    ann, _, room = table(desk)
    all_go(desk)
    ann = desk.back(ann)
    assert is_packed(desk, room)
    assert ann.refused("createRoom", game="tic-tac-toe", **DAYS) == "tooManyRooms"
    ann.create()
    assert ann.refused("createRoom", game="tic-tac-toe") == "tooManyRooms"
    cat = desk.peer("cat")
    cat.create(**DAYS)
    assert desk.peer("dan").refused("createRoom", game="tic-tac-toe", **DAYS) == "retryLater"


def test_what_somebody_has_made_in_packed_rooms_counts_on() -> None:
    desk = Desk(entries_per_player=6)
    ann, _, room = table(desk, "quoridor", 6)
    all_go(desk)
    ann = desk.back(ann)
    assert is_packed(desk, room)
    fast = ann.create()
    assert desk.hub.accounts.by_id[ann.player].packed_entries == 4
    ann.ask("say", room=fast, text="one")
    assert ann.refused("say", room=fast, text="two") == "roomFull"


def test_whose_token_is_revoked_loses_packed_games_too() -> None:
    desk = Desk()
    ann, bob, room = table(desk)
    all_go(desk)
    desk.end_tokens(ann.player)
    assert desk.entries(room)[-2:] == ["aborted", "left"]
    desk.back(bob)


def traced() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def test_memory_falls_when_rooms_are_packed() -> None:
    desk, count = Desk(), 10
    tracemalloc.start()
    try:
        for _ in range(count):
            table(desk, "quoridor", 20)
        for peer in desk.peers.values():
            desk.drop(peer)
        desk.forget()
        loaded = traced()
        for _ in range(3):
            desk.tick(MEMORY)
        assert len(desk.hub.rooms.packed) == count
        packed = traced()
        desk.hub.rooms.packed._rooms.clear()
        without = traced()
    finally:
        tracemalloc.stop()
    a_room, a_packed_room = (loaded - without) // count, (packed - without) // count
    assert a_packed_room < 3_000, (a_room, a_packed_room)
    assert a_room > 7 * a_packed_room, (a_room, a_packed_room)
    print(f"a room of 20 moves: {a_room} bytes loaded, {a_packed_room} packed")


def asks_to_join(peer: Peer, room: str, id: str = "j", **fields: Any) -> Effects:
    """What comes of it at once."""
    message = {"type": "join", "id": id, "room": room, **fields}
    command = CLIENT_MESSAGE.validate_python(message, by_alias=True, by_name=False)
    return peer.desk.hub.receive(peer.number, command, peer.desk.now)


def unpacked(desk: Desk) -> list[tuple[int, str]]:
    """Who is answered, and for which room, when all that is wanted is unpacked."""
    told: list[tuple[int, str]] = []
    while desk.hub.rooms.unpacking.wanted:
        for effects in desk.hub.unpack(desk.now):
            told += [(to, each["room"]) for to, each in effects.messages if "re" in each]
    return told


def test_a_room_is_unpacked_a_few_entries_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    _, _, room = table(desk, "quoridor", 40)
    all_go(desk)
    cat = desk.peer("cat")
    assert asks_to_join(cat, room).messages == []
    applied, apply = list[int](), Room.apply

    def counted(self: Room, entry: Entry, after: Play | None = None) -> None:
        applied.append(entry.seq)
        apply(self, entry, after)

    monkeypatch.setattr(Room, "apply", counted)
    steps = []
    while desk.hub.rooms.unpacking.wanted:
        assert is_packed(desk, room)
        told = list(desk.hub.unpack(desk.now))
        steps.append(len(applied))
        applied.clear()
    assert (max(steps) <= 17, len(steps)) == (True, 3), "the last one writes that somebody joined"
    assert [message["type"] for effects in told for _, message in effects.messages] == ["joined"]


def test_a_room_that_its_player_wants_is_unpacked_before_those_of_watchers() -> None:
    desk = Desk()
    rooms = [table(desk)[2] for _ in range(2)]
    ann, _, own = table(desk)
    all_go(desk)
    cat, ann = desk.peer("cat"), desk.back(ann)
    for number, room in enumerate((*rooms, own)):
        asks_to_join(cat, room, f"j{number}", watch=True)
    asks_to_join(ann, own)
    asked = [(cat.number, own), (ann.number, own), *((cat.number, room) for room in rooms)]
    assert unpacked(desk) == asked


def test_whoever_hung_up_meanwhile_is_not_answered() -> None:
    desk = Desk()
    ann, _, room = table(desk)
    all_go(desk)
    ann = desk.back(ann)
    asks_to_join(ann, room)
    desk.drop(ann)
    assert unpacked(desk) == []


def test_what_the_host_has_unpacked_meanwhile_is_there() -> None:
    desk = Desk()
    _, _, room = table(desk, "quoridor", 40)
    all_go(desk)
    cat = desk.peer("cat")
    asks_to_join(cat, room)
    list(desk.hub.unpack(desk.now))
    assert is_packed(desk, room)
    desk.hub.rooms.unpacked(room)
    assert unpacked(desk) == [(cat.number, room)]


def test_whoever_wants_a_damaged_room_is_told_so() -> None:
    desk = Desk()
    _, _, room = table(desk)
    all_go(desk)
    table(desk)
    desk.damage(room, desk.journal[room][-1].seq, move="z9", toMove=[0])
    desk.restart()
    assert is_packed(desk, room)
    cat = desk.peer("cat")
    assert room in [line["room"] for line in cat.ask("watchLobby")["rooms"]]
    assert cat.refused("join", room=room) == "damagedRoom"
    assert list(desk.hub.rooms.damaged) == [room]
    desk.tick(1)
    assert cat.of("lobbyChanged")[0]["gone"] == [room]


STRANGERS: dict[str, tuple[Message, Message, Message, str]] = {
    "a seat that is taken": ({}, {}, {"seat": 1}, "seatTaken"),
    "a seat that is not there": ({}, {}, {"seat": 2}, "noSuchSeat"),
    "a table for its players alone": ({}, {"watchers": False}, {"watch": True}, "forbidden"),
    "who is in too many rooms": ({"correspondence": 1}, {}, {"watch": True}, "tooManyRooms"),
    "who has done too much": ({"entries_per_player": 2}, {}, {"watch": True}, "roomFull"),
}


@pytest.mark.parametrize(("limits", "made", "asked", "code"), STRANGERS.values(), ids=STRANGERS)
def test_for_a_stranger_who_may_not_come_in_nothing_is_unpacked(
    limits: Message, made: Message, asked: Message, code: str
) -> None:
    desk = Desk(**limits)
    _, _, room = table(desk, **made)
    all_go(desk)
    cat = desk.peer("cat")
    cat.ask("say", room=cat.create(**DAYS), text="hm")
    assert cat.refused("join", room=room, **asked) == code
    assert is_packed(desk, room)


@pytest.mark.parametrize(("entries", "left"), [(1_000, 9), (2, 6)])
def test_to_unpack_a_long_game_counts_like_more_messages(
    entries: int, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "_ENTRIES_LIKE_A_MESSAGE", entries)
    desk = Desk(messages=Rate(1_000, 10))
    _, _, room = table(desk)
    all_go(desk)
    cat = desk.peer("cat")
    cat.join(room, watch=True)
    assert sum(cat.ask("ping")["type"] == "pong" for _ in range(10)) == left
