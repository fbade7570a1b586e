"""Games that take long to make: the room is there at once, waits for its game, and says so to all."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_games import GAMES
from tablero_server.core.entry import Entry
from tablero_server.core.room.room import Room
from tests.harness.desk import Desk, Message, Peer

FIELD: Message = {"width": 6, "height": 5, "mines": 5, "noGuess": True}
TWO = FIELD | {"mode": "coop"}
ALL = ["nextPlayer", "chat", "members", "offers"]


def slow_desk(**limits: int) -> Desk:
    desk = Desk(**limits)
    desk.slow = True
    return desk


def solo(peer: Peer, **fields: Any) -> str:
    return peer.create("minesweeper", **{"options": FIELD, **fields})


def state(desk: Desk, room: str) -> str:
    return desk.room(room).state.value


# The room and its game


def test_the_room_is_there_at_once_and_nobody_waits_for_its_field(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    monkeypatch.setattr(GAMES["minesweeper"], "begin", None)
    monkeypatch.setattr(GAMES["minesweeper"], "prepare", None)
    room = solo(ann)
    assert [message["type"] for message in ann.seen] == ["preparing"]
    assert state(desk, room) == "preparing"
    assert ann.ask("ping")["type"] == "pong"
    assert ann.refused("playTurn", room=room, seat=0, ply=0, move="dig a1") == "notStarted"
    assert desk.entries(room) == ["created", "joined", "preparing"]


def test_the_game_starts_when_its_field_is_found() -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    room = solo(ann)
    desk.prepared()
    [turn] = ann.turns
    assert "0" in "".join(turn["view"]["cells"]), "one cell is open from the start"
    assert state(desk, room) == "playing"
    assert ann.play(room, desk.room(room).play.position.legal_moves(0)[0])["type"] == "nextPlayer"  # type: ignore[union-attr]


def test_a_search_begins_with_the_last_seat_and_all_are_told() -> None:
    desk = slow_desk()
    ann, bob, eve = desk.peer("ann"), desk.peer("bob"), desk.peer("eve")
    room = ann.create("minesweeper", options=TWO, seats=2, subscribe=[])
    eve.join(room, watch=True, subscribe=[])
    assert desk.asked == []
    bob.join(room, subscribe=[])
    assert len(desk.asked) == 1
    for peer in (ann, bob, eve):
        assert len(peer.of("preparing")) == 1, peer.name


def test_what_needs_no_search_starts_at_once() -> None:
    desk = slow_desk()
    room = solo(desk.peer("ann"), options=FIELD | {"noGuess": False})
    assert (desk.asked, state(desk, room)) == ([], "playing")


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"options": FIELD | {"mines": 99}}, "badOptions"),
        ({"seats": 2}, "badOptions"),
        ({"seat": 1}, "noSuchSeat"),
        ({"options": FIELD | {"hints": True}}, "badOptions"),
    ],
    ids=["mines", "seats", "seat", "unknown"],
)
def test_what_is_wrong_is_said_before_anything_is_searched(wrong: Message, code: str) -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    assert ann.refused("createRoom", **{"game": "minesweeper", "options": FIELD, **wrong}) == code
    assert desk.asked == []


def test_whoever_joins_meanwhile_watches_and_sees_the_table_as_it_is() -> None:
    desk = slow_desk()
    room = solo(desk.peer("ann"))
    eve = desk.peer("eve")
    assert eve.join(room)["table"]["state"] == "preparing"
    assert desk.peer("cat").refused("join", room=room, seat=0) == "seatTaken"
    desk.prepared()
    assert len(eve.turns) == 1


def test_a_repeat_is_answered_like_any_other_and_searches_nothing_again() -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    fields: Message = {"game": "minesweeper", "options": FIELD, "subscribe": ["nextPlayer"]}
    first = ann.ask("createRoom", "once", **fields)
    for _ in range(2):
        again = ann.ask("createRoom", "once", **fields)
        assert (again["room"], again["seq"]) == (first["room"], first["seq"])
        if desk.asked:
            desk.prepared()
    assert len(desk.hub.rooms.open) == 1


# No field


def in_vain(desk: Desk) -> tuple[Peer, Peer, str]:
    """Ann and Bob at a table for which no field was found."""
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create("minesweeper", options=TWO, seats=2)
    bob.join(room)
    desk.prepared(found=False)
    return ann, bob, room


def test_all_hear_that_none_was_found_and_keep_their_seats() -> None:
    desk = slow_desk()
    ann, bob, room = in_vain(desk)
    for peer in (ann, bob):
        [unprepared] = peer.of("unprepared")
        assert unprepared["code"] == "noFieldFound"
        assert "fewer mines" in unprepared["message"]
    assert desk.room(room).seats == [ann.player, bob.player]
    assert state(desk, room) == "waiting"
    assert ann.refused("playTurn", room=room, seat=0, ply=0, move="dig a1") == "noFieldFound"


def test_who_opened_the_room_sets_other_options_and_the_game_is_prepared_anew() -> None:
    desk = slow_desk()
    ann, bob, room = in_vain(desk)
    told = ann.ask("setOptions", room=room, options=TWO | {"mines": 3})
    assert (told["type"], told["options"]["mines"]) == ("optionsSet", 3)
    assert [message["type"] for message in bob.seen[-2:]] == ["optionsSet", "preparing"]
    desk.prepared()
    assert state(desk, room) == "playing"
    assert desk.views(room).table()["options"]["mines"] == 3


def test_other_options_may_need_no_search() -> None:
    desk = slow_desk()
    ann, bob, room = in_vain(desk)
    ann.ask("setOptions", room=room, options=TWO | {"noGuess": False})
    assert (state(desk, room), len(bob.turns)) == ("playing", 1)


def test_options_may_be_set_before_all_seats_are_taken_and_during_a_search() -> None:
    desk = slow_desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create("minesweeper", options=TWO, seats=2)
    ann.ask("setOptions", room=room, options=TWO | {"mines": 4})
    bob.join(room)
    ann.ask("setOptions", room=room, options=TWO | {"mines": 3})
    desk.prepared()
    assert state(desk, room) == "preparing", "what was found is for other options"
    desk.tick()
    desk.prepared()
    assert state(desk, room) == "playing"
    assert desk.room(room).options_json["mines"] == 3


@pytest.mark.parametrize(
    ("who", "options", "code"),
    [
        ("bob", TWO, "forbidden"),
        ("eve", TWO, "forbidden"),
        ("ann", TWO | {"mines": 99}, "badOptions"),
        ("ann", FIELD, "badOptions"),
    ],
    ids=["who only sits", "who watches", "mines", "one seat"],
)
def test_other_options_are_refused(who: str, options: Message, code: str) -> None:
    desk = slow_desk()
    ann, bob, room = in_vain(desk)
    eve = desk.peer("eve")
    eve.join(room, watch=True)
    by = {"ann": ann, "bob": bob, "eve": eve}[who]
    assert by.refused("setOptions", room=room, options=options) == code


def test_options_of_a_game_that_has_begun_stay_as_they_are() -> None:
    ann, _, room = Desk().pair()
    assert ann.refused("setOptions", room=room, options={}) == "forbidden"


def test_who_has_two_seats_makes_no_game_of_it_in_which_everybody_has_one() -> None:
    ann = Desk().peer("ann")
    room = ann.create("minesweeper", options={"mode": "coop"}, seats=3)
    ann.join(room, seat=1)
    assert ann.refused("setOptions", room=room, options={"mode": "race"}) == "oneSeatEach"


def test_once_who_opened_it_has_left_whoever_sits_sets_the_options() -> None:
    desk = slow_desk()
    ann, bob, room = in_vain(desk)
    ann.ask("leave", room=room)
    assert bob.ask("setOptions", room=room, options=TWO | {"mines": 3})["type"] == "optionsSet"
    assert state(desk, room) == "waiting", "a seat is free"


def test_a_seat_that_is_freed_and_taken_again_prepares_the_game_anew() -> None:
    desk = slow_desk()
    _, bob, room = in_vain(desk)
    bob.ask("leave", room=room)
    desk.peer("cat").join(room)
    assert len(desk.asked) == 1


# Who goes meanwhile


def test_nothing_starts_without_those_who_left_meanwhile() -> None:
    desk = slow_desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create("minesweeper", options=TWO, seats=2)
    bob.join(room)
    bob.ask("leave", room=room)
    assert state(desk, room) == "waiting"
    desk.prepared()
    assert state(desk, room) == "waiting"


def test_a_room_that_closed_meanwhile_gets_nothing() -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    ann.ask("leave", room=solo(ann))
    desk.prepared()
    assert desk.hub.rooms.open == {}
    assert len(desk.hub.rooms.searches) == 0


def test_who_lost_the_line_finds_the_game_begun() -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    room = solo(ann)
    desk.drop(ann)
    desk.prepared()
    back = desk.back(ann)
    back.ask("resume", room=room, epoch=desk.room(room).epoch, seq=1)
    assert [message["type"] for message in back.seen] == ["preparing", "nextPlayer"]


def test_who_never_comes_back_leaves_nothing_behind() -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    solo(ann)
    desk.drop(ann)
    desk.tick(desk.hub.limits.session_memory_ms)
    desk.prepared()
    desk.tick(desk.hub.limits.absence_ms)
    assert desk.hub.rooms.open == {}


# Limits


def test_only_so_many_games_of_one_person_are_prepared() -> None:
    desk = slow_desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    for _ in range(2):
        solo(ann)
    assert ann.refused("createRoom", game="minesweeper", options=FIELD) == "rateLimited"
    assert ann.answers[0]["retryAfterMs"] > 0
    solo(bob)
    desk.prepared()
    solo(ann)


def test_everyone_gets_one_place_and_a_second_one_only_while_there_are_few() -> None:
    desk = slow_desk(all_preparations=3)
    ann, bob = desk.peer("ann"), desk.peer("bob")
    for peer in (ann, ann, bob):
        solo(peer)
    assert bob.refused("createRoom", game="minesweeper", options=FIELD) == "retryLater"
    assert state(desk, solo(desk.peer("cat"))) == "preparing"


def test_a_newcomer_does_not_wait_for_all_who_come_from_another_address() -> None:
    desk = slow_desk()
    for number in range(5):
        solo(desk.peer(f"eve{number}", address="192.168.1.66", shared=True))
    room = solo(desk.peer("ann", address="192.168.1.7", shared=True))
    for _ in range(3):  # two were running, and one of these ends first
        desk.prepared()
    assert state(desk, room) == "playing"


@pytest.mark.parametrize("way", ["join", "setOptions"])
def test_the_limits_hold_however_a_game_comes_to_be_prepared(way: str) -> None:
    desk = slow_desk(all_preparations=1)
    ann, bob = desk.peer("ann"), desk.peer("bob")
    if way == "join":
        room = ann.create("minesweeper", options=TWO, seats=2)
        solo(ann)
        assert bob.refused("join", room=room) == "retryLater"
        assert desk.room(room).seats == [ann.player, None]
    else:
        ann, _, room = in_vain(desk)
        solo(ann)
        assert ann.refused("setOptions", room=room, options=TWO) == "retryLater"


# The log


def test_the_field_is_in_the_entry_that_starts_the_game_and_never_searched_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = solo(ann)
    monkeypatch.setattr(GAMES["minesweeper"], "prepare", None)
    log = desk.journal[room]
    *_, folded = Room.fold(log)
    assert folded.position == desk.room(room).position
    assert folded.position is not None
    [started] = [entry for entry in log if entry.kind == "started"]
    assert started.body == {"prepared": folded.position.adjudicate("draw", "agreed").view(None)["field"]}
    assert ann.ask("resume", room=room, epoch=desk.room(room).epoch, seq=0)["type"] == "ok"
    desk.restart()
    assert state(desk, room) == "playing"


@pytest.mark.parametrize("events", [[], ["nextPlayer"], ["chat", "members", "offers"], ALL])
def test_nobody_is_ever_sent_what_was_found(events: list[str]) -> None:
    desk = slow_desk()
    ann, eve = desk.peer("ann"), desk.peer("eve")
    room = solo(ann, subscribe=events)
    eve.join(room, subscribe=events)
    desk.prepared()
    told = [*ann.seen, *eve.seen]
    epoch = desk.room(room).epoch
    for peer in (ann, eve):
        for known in (0, 1, 2):
            told += [peer.ask("resume", room=room, epoch=epoch, seq=known), *peer.seen]
        told += [peer.ask("resume", room=room, epoch="?", seq=0), peer.ask("watchLobby")]
    told.append(desk.peer("cat").join(room))
    assert not any("prepared" in message or "field" in message.get("view", {}) for message in told)
    rows = desk.journal[room][-1].body["prepared"] if desk.entries(room)[-1] == "started" else None
    rows = rows or next(entry for entry in desk.journal[room] if entry.kind == "started").body["prepared"]
    assert not any("".join(rows) in "".join(map(str, _leaves(message))) for message in told)


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for inner in value.values() for leaf in _leaves(inner)]
    return [leaf for inner in value for leaf in _leaves(inner)] if isinstance(value, list) else [value]


def test_a_room_that_waited_for_its_field_searches_again_after_a_restart() -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    room = solo(ann)
    desk.restart()
    assert state(desk, room) == "preparing"
    desk.tick()
    desk.prepared()
    assert state(desk, room) == "playing"


def test_a_room_for_which_none_was_found_does_not() -> None:
    desk = slow_desk()
    _, _, room = in_vain(desk)
    desk.restart()
    desk.tick()
    assert (desk.asked, state(desk, room)) == ([], "waiting")


def test_a_log_that_has_its_field_at_its_beginning_goes_on() -> None:
    """As rooms were written before they waited for their field: a game under way, and a table for two."""
    desk = Desk()
    ann = desk.peer("ann")
    room = solo(ann)
    created, joined, _, started = desk.journal[room]
    body = {**created.body, **started.body}
    desk.journal[room] = [created._replace(body=body), joined, started._replace(seq=2, body={})]
    waiting = ann.create("minesweeper", options=TWO, seats=2)
    first = desk.journal[waiting][0]
    opened = GAMES["minesweeper"].prepare(int(first.body["seed"], 16), desk.room(waiting).options)
    desk.damage(waiting, 0, **first.body, prepared=opened)
    field = desk.room(room).prepared
    desk.slow = True
    desk.restart()
    back, bob = desk.back(ann), desk.peer("bob")
    back.join(room, watch=True)
    assert desk.room(room).prepared == field
    back.ask("resign", room=room, seat=0)
    assert state(desk, room) == "finished"
    bob.join(waiting)
    assert (state(desk, waiting), desk.asked) == ("playing", [])


def test_a_table_of_before_may_have_other_options_too() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create("minesweeper", options=TWO, seats=2)
    first = desk.journal[room][0]
    opened = GAMES["minesweeper"].prepare(int(first.body["seed"], 16), desk.room(room).options)
    desk.damage(room, 0, **first.body, prepared=opened)
    desk.restart()
    back = desk.back(ann)
    back.join(room, watch=True)
    back.ask("setOptions", room=room, options=TWO | {"mines": 2})
    desk.peer("bob").join(room)
    assert state(desk, room) == "playing"
    assert desk.room(room).prepared != opened


@pytest.mark.parametrize("lost", ["the last seat", "the field", "other options"])
def test_what_could_not_be_saved_has_not_happened(lost: str) -> None:
    desk = slow_desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create("minesweeper", options=TWO, seats=2)
    if lost == "the last seat":
        desk.failing = True
        assert bob.refused("join", room=room) == "retryLater"
        assert (state(desk, room), len(desk.hub.rooms.searches)) == ("waiting", 0)
    bob.join(room) if lost != "the last seat" else None
    if lost == "the field":
        desk.failing = True
        desk.prepared()
        assert state(desk, room) == "preparing"
    if lost == "other options":
        desk.failing = True
        assert ann.refused("setOptions", room=room, options=TWO | {"mines": 1}) == "retryLater"
        assert state(desk, room) == "preparing"
    desk.failing = False
    if lost == "the last seat":
        bob.join(room)
    desk.tick()
    while desk.asked:
        desk.prepared()
        desk.tick()
    assert state(desk, room) == "playing"
    assert desk.room(room).options_json["mines"] == 5


# Playing again


def finished(desk: Desk, **fields: Any) -> tuple[Peer, Peer, str]:
    """Ann and Bob after a game together that both gave up, on a desk that is slow from then on."""
    ann, bob, room = desk.pair("minesweeper", options=TWO, seats=2, subscribe=ALL)
    for seat, peer in enumerate((ann, bob)):
        peer.ask("resign", room=room, seat=seat)
    desk.slow = True
    return ann, bob, room


def agree(ann: Peer, bob: Peer, room: str) -> None:
    ann.ask("offer", room=room, seat=0, what="rematch")
    assert bob.ask("offer", room=room, seat=1, what="rematch")["yes"] is True


def started(log: list[Entry]) -> Message:
    return next(entry.body for entry in log if entry.kind == "started")


def test_a_rematch_takes_all_to_its_room_at_once_and_starts_when_its_own_field_is_found() -> None:
    desk = Desk()
    ann, bob, room = finished(desk)
    agree(ann, bob, room)
    [rematch] = bob.of("rematch")
    next = desk.room(rematch["next"])
    assert next.state.value == "preparing"
    assert len(ann.of("preparing")) == len(bob.of("preparing")) == 1
    desk.prepared()
    assert started(next.log)["prepared"] != started(desk.room(room).log)["prepared"]
    assert next.seats == [bob.player, ann.player]
    assert [turn["seat"] for turn in bob.turns] == [0]


def test_a_rematch_without_a_field_says_so_and_who_has_the_first_seat_sets_the_options() -> None:
    desk = Desk()
    ann, bob, room = finished(desk)
    eve = desk.peer("eve")
    eve.join(room, watch=True, subscribe=ALL)
    agree(ann, bob, room)
    [rematch] = bob.of("rematch")
    desk.prepared(found=False)
    for peer in (ann, bob, eve):
        assert len(peer.of("unprepared")) == 1
    for peer in (ann, eve):
        assert peer.refused("setOptions", room=rematch["next"], options=TWO) == "forbidden"
    assert bob.ask("setOptions", room=rematch["next"], options=TWO)["type"] == "optionsSet"


# Over at the start


@pytest.mark.parametrize("no_guess", [True, False])
@pytest.mark.parametrize("mode", ["race", "coop"])
@pytest.mark.parametrize("clock", [None, {"base": 60}])
def test_a_game_without_mines_is_over_at_its_start_or_one_dig_later(
    no_guess: bool, mode: str, clock: Message | None
) -> None:
    desk = Desk()
    options = {"width": 4, "height": 4, "mines": 0, "mode": mode, "noGuess": no_guess}
    ann, _, room = desk.pair("minesweeper", options=options, seats=2, clock=clock, subscribe=ALL)
    if desk.room(room).state.value == "playing":
        assert (mode, no_guess) == ("coop", False)
        ann.play(room, "dig a1", seat=0)
    assert desk.room(room).state.value == "finished"
    assert ann.refused("playTurn", room=room, seat=0, ply=1, move="dig a1") == "gameOver"
    desk.tick(120_000)


def test_a_rematch_of_a_game_that_is_over_at_its_start_is_over_too() -> None:
    desk = Desk()
    options = {"width": 4, "height": 4, "mines": 0, "noGuess": True}
    ann = desk.peer("ann")
    room = ann.create("minesweeper", options=options, subscribe=ALL)
    assert ann.turns[-1]["outcome"]["kind"] == "win"
    ann.ask("offer", room=room, seat=0, what="rematch")
    [rematch] = ann.of("rematch")
    assert desk.room(rematch["next"]).state.value == "finished"


# The countdown of a race

RACE: Message = {"mode": "race", "level": "beginner"}


def counting(options: Message = RACE, **fields: Any) -> tuple[Desk, Peer, Peer, str]:
    """Ann and Bob at a race that begins in three seconds."""
    desk = Desk(countdown_ms=3_000)
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create("minesweeper", options=options, seats=2, **fields)
    bob.join(room)
    return desk, ann, bob, room


def test_a_race_counts_down_and_nobody_digs_or_sees_the_board_before_its_start() -> None:
    desk, ann, bob, room = counting()
    starts = desk.now + 3_000
    for peer in (ann, bob):
        [preparing] = peer.of("preparing")
        assert preparing["starts"] == starts
        refused = peer.ask("playTurn", room=room, seat=0, ply=0, move="dig a1")
        assert (refused["code"], refused["reason"]) in (
            ("notStarted", "stillPreparing"),
            ("forbidden", "notYourSeat"),
        )
    desk.tick(2_999)
    assert (state(desk, room), ann.turns) == ("preparing", [])
    desk.tick(1)
    for peer in (ann, bob):
        [turn] = peer.turns
        assert (turn["began"], turn["seats"]) == (starts, [0, 1])


def test_who_joins_during_the_countdown_or_comes_back_hears_when_it_ends() -> None:
    desk, ann, _, room = counting()
    desk.tick(1_000)
    starts = desk.now + 2_000
    eve = desk.peer("eve")
    assert eve.join(room)["table"]["starts"] == starts
    desk.drop(ann)
    back = desk.back(ann)
    snapshot = back.ask("resume", room=room, epoch="?", seq=0)
    assert snapshot["table"]["starts"] == starts
    desk.tick(2_000)
    assert "starts" not in desk.views(room).table()
    assert [len(peer.turns) for peer in (back, eve)] == [1, 1]


@pytest.mark.parametrize("way", ["leave", "setOptions"])
def test_a_change_of_the_table_ends_the_countdown(way: str) -> None:
    desk, ann, bob, room = counting()
    desk.tick(2_000)
    if way == "leave":
        bob.ask("leave", room=room)
        desk.peer("cat").join(room)
    else:
        ann.ask("setOptions", room=room, options=RACE)
    desk.tick(2_000)
    assert state(desk, room) == "preparing", "it counts from three again"
    desk.tick(1_000)
    assert state(desk, room) == "playing"


def test_a_board_that_is_searched_for_is_found_before_the_countdown_and_told_to_nobody() -> None:
    desk = slow_desk(countdown_ms=3_000)
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create("minesweeper", options=FIELD | {"mode": "race"}, seats=2)
    bob.join(room)
    desk.tick(9_000)
    desk.prepared()
    [counts] = bob.of("preparing")
    assert counts.keys() == {"type", "room", "seq", "starts"}
    assert counts["starts"] == desk.now + 3_000
    desk.tick(3_000)
    assert (state(desk, room), desk.asked) == ("playing", [])


def test_a_countdown_begins_anew_after_a_restart() -> None:
    desk, _, _, room = counting()
    desk.now += 60_000
    desk.restart()
    assert desk.views(room).table()["starts"] == desk.now + 3_000
    desk.tick(3_000)
    assert state(desk, room) == "playing"


def test_bots_alone_need_no_countdown() -> None:
    desk = Desk(countdown_ms=3_000)
    one, other = desk.bot("one"), desk.bot("other")
    room = one.create("minesweeper", options=RACE, seats=2)
    other.join(room)
    assert state(desk, room) == "playing"
