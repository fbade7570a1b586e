"""Games that take long to make: nobody waits for the search, and whoever asked gets one answer."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_games import GAMES
from tablero_server.core.room import Room
from tests.harness.desk import Desk, Message, Peer

FIELD: Message = {"width": 6, "height": 5, "mines": 5, "noGuess": True}
ALL = ["nextPlayer", "chat", "members", "offers"]


def slow_desk(**limits: int) -> Desk:
    desk = Desk(**limits)
    desk.slow = True
    return desk


def ask(peer: Peer, id: str | None = None, **fields: Any) -> str:
    """Asks for a room without guesses; gives the command's id."""
    fields = {"options": FIELD, "subscribe": ["nextPlayer"], **fields}
    return peer.tell("createRoom", id, game="minesweeper", **fields)


# The answer


def test_there_is_no_room_before_its_field_is_found() -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    ask(ann)
    assert desk.hub.rooms.open == {}
    assert desk.journal == {}
    assert ann.ask("ping")["type"] == "pong", "and nobody waits for it"


def test_the_room_is_there_when_its_field_is_found() -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    id = ask(ann)
    desk.prepared()
    [joined] = ann.answers
    assert (joined["type"], joined["re"], joined["seat"]) == ("joined", id, 0)
    [turn] = ann.turns
    assert "0" in "".join(turn["view"]["cells"]), "one cell is open from the start"


def test_a_search_in_vain_is_refused_and_leaves_no_room() -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    id = ask(ann)
    desk.prepared(found=False)
    [refused] = ann.answers
    assert (refused["type"], refused["re"], refused["code"]) == ("refused", id, "noFieldFound")
    assert "fewer mines" in refused["message"]
    assert desk.hub.rooms.open == {}


def test_options_that_no_field_fits_are_refused() -> None:
    impossible = {"width": 2, "height": 2, "mines": 1, "firstDig": "cell", "noGuess": True}
    assert Desk().peer("ann").refused("createRoom", game="minesweeper", options=impossible) == "noFieldFound"


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


def test_no_field_is_made_while_the_hub_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    monkeypatch.setattr(GAMES["minesweeper"], "begin", None)
    monkeypatch.setattr(GAMES["minesweeper"], "prepare", None)
    ask(ann)


def test_what_needs_no_search_is_made_at_once() -> None:
    desk = slow_desk()
    desk.peer("ann").create("minesweeper", options=FIELD | {"noGuess": False})
    assert desk.asked == []


# Exactly once


def test_a_repeat_while_searching_starts_no_second_search() -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    id = ask(ann)
    ask(ann, id)
    assert len(desk.asked) == 1
    desk.prepared()
    assert [answer["re"] for answer in ann.answers] == [id]
    assert len(desk.hub.rooms.open) == 1


def test_a_repeat_after_the_answer_gets_it_again() -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    id = ask(ann)
    desk.prepared()
    [first] = ann.answers
    again = ann.ask("createRoom", id, game="minesweeper", options=FIELD, subscribe=["nextPlayer"])
    assert (again["room"], again["seq"]) == (first["room"], first["seq"])
    assert desk.asked == []


def test_a_refused_room_may_be_asked_for_again() -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    id = ask(ann)
    desk.prepared(found=False)
    ask(ann, id)
    desk.prepared()
    assert ann.answers[0]["type"] == "joined"


def test_an_id_that_waits_is_no_other_commands_id() -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    id = ask(ann)
    assert ann.refused("createRoom", id, game="tic-tac-toe") == "idReused"
    assert ann.refused("watchLobby", id) == "idReused"
    desk.prepared()
    assert ann.answers[0]["type"] == "joined"


def test_only_so_many_searches_a_player() -> None:
    desk = slow_desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    ask(ann)
    ask(ann)
    assert ann.refused("createRoom", game="minesweeper", options=FIELD) == "rateLimited"
    assert ann.answers[0]["retryAfterMs"] > 0
    ask(bob)
    desk.prepared()
    ask(ann)


def test_only_so_many_searches_in_all() -> None:
    desk = slow_desk(all_preparations=1)
    ann, bob = desk.peer("ann"), desk.peer("bob")
    ask(ann)
    assert bob.refused("createRoom", game="minesweeper", options=FIELD) == "retryLater"


def test_whoever_has_filled_its_rooms_meanwhile_gets_no_more() -> None:
    desk = slow_desk(rooms=1)
    ann = desk.peer("ann")
    ask(ann)
    ann.create()
    desk.prepared()
    assert ann.answers[0]["code"] == "tooManyRooms"
    assert len(desk.hub.rooms.open) == 1


# Gone meanwhile


def test_who_is_away_gets_no_room_and_may_ask_again() -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    id = ask(ann)
    desk.drop(ann)
    desk.prepared()
    assert desk.hub.rooms.open == {}
    back = desk.back(ann)
    ask(back, id)
    desk.prepared()
    assert back.answers[0]["re"] == id


@pytest.mark.parametrize("same_session", [True, False])
def test_who_comes_back_in_time_gets_the_answer_there(same_session: bool) -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    id = ask(ann)
    desk.drop(ann)
    back = desk.back(ann, same_session=same_session)
    ask(back, id)
    assert len(desk.asked) == 1
    desk.prepared()
    assert [answer["re"] for answer in back.answers] == [id]


def test_who_never_comes_back_leaves_nothing_behind() -> None:
    desk = slow_desk()
    ann = desk.peer("ann")
    ask(ann)
    desk.drop(ann)
    desk.tick(desk.hub.limits.session_memory_ms + desk.hub.limits.absence_ms)
    desk.prepared()
    assert desk.hub.rooms.open == {}
    assert len(desk.hub.rooms.searches) == 0


# The log


def test_the_field_is_in_record_0_and_is_never_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create("minesweeper", options=FIELD)
    monkeypatch.setattr(GAMES["minesweeper"], "prepare", None)
    log = desk.journal[room]
    *_, folded = Room.fold(log)
    assert folded.position == desk.room(room).position
    assert folded.position is not None
    assert log[0].body["prepared"] == folded.position.adjudicate("draw", "agreed").view(None)["field"]
    assert ann.ask("resume", room=room, epoch=desk.room(room).epoch, seq=0)["type"] == "ok"


# Playing again


def finished(desk: Desk, **fields: Any) -> tuple[Peer, Peer, str]:
    """Ann and Bob after a game together that both gave up, on a desk that is slow from then on."""
    ann, bob, room = desk.pair("minesweeper", options=FIELD | {"mode": "coop"}, seats=2, subscribe=ALL)
    for seat, peer in enumerate((ann, bob)):
        peer.ask("resign", room=room, seat=seat)
    desk.slow = True
    return ann, bob, room


def agree(ann: Peer, bob: Peer, room: str) -> None:
    ann.ask("offer", room=room, seat=0, what="rematch")
    assert bob.ask("offer", room=room, seat=1, what="rematch")["yes"] is True


def test_a_rematch_begins_when_its_own_field_is_found() -> None:
    desk = Desk()
    ann, bob, room = finished(desk)
    agree(ann, bob, room)
    ann.ask("say", room=room, text="and on?")
    assert len(desk.asked) == 1
    assert bob.of("rematch") == []
    desk.prepared()
    [rematch] = bob.of("rematch")
    next = desk.room(rematch["next"])
    assert next.log[0].body["prepared"] != desk.room(room).log[0].body["prepared"]
    assert next.seats == [bob.player, ann.player]
    assert [turn["seat"] for turn in bob.turns] == [0]


def test_a_rematch_without_a_field_is_called_off_and_may_be_offered_again() -> None:
    desk = Desk()
    ann, bob, room = finished(desk)
    agree(ann, bob, room)
    desk.prepared(found=False)
    for peer in (ann, bob):
        [answered] = peer.of("answered")
        assert (answered["seat"], answered["yes"]) == (0, False)
    agree(ann, bob, room)
    desk.prepared()
    assert len(ann.of("rematch")) == 1


@pytest.mark.parametrize("leaving", [["ann"], ["ann", "bob"]], ids=["one", "both"])
def test_no_rematch_begins_without_those_who_left_meanwhile(leaving: list[str]) -> None:
    desk = Desk()
    ann, bob, room = finished(desk)
    agree(ann, bob, room)
    for peer in (ann, bob):
        if peer.name in leaving:
            peer.ask("leave", room=room)
    desk.prepared()
    assert set(desk.hub.rooms.open) == {room} - ({room} if len(leaving) == 2 else set())


def test_the_rematch_of_a_rematch_that_was_dropped_searches_once() -> None:
    desk = Desk()
    ann, bob, room = finished(desk)
    agree(ann, bob, room)
    bob.ask("leave", room=room)
    bob.join(room, subscribe=ALL)
    bob.ask("takeSeat", room=room, seat=1)
    agree(ann, bob, room)
    assert len(desk.asked) == 1
    desk.prepared()
    assert len(ann.of("rematch")) == 1


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
