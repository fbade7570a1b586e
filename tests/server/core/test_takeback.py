"""Moves taken back by agreement: a ply of its own, after which everybody sees what was before."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_games.record.file import read, write
from tablero_games.record.verify import verify
from tablero_server.http.record_pages import export
from tests.harness.desk import Desk, Peer

ALL = ["nextPlayer", "chat", "members", "offers"]


def begun(*moves: str, **fields: Any) -> tuple[Desk, Peer, Peer, str]:
    """Ann and Bob at a table where these moves were played, by turns."""
    desk = Desk()
    ann, bob, room = desk.pair(subscribe=ALL, **fields)
    for ply, move in enumerate(moves):
        (ann, bob)[ply % 2].play(room, move)
    return desk, ann, bob, room


def takes_back(asker: Peer, other: Peer, room: str, seat: int) -> None:
    offer = asker.ask("offer", room=room, seat=seat, what="takeback")["offer"]
    assert other.ask("answer", room=room, seat=1 - seat, offer=offer, yes=True)["type"] == "answered"


def cells(peer: Peer) -> str:
    return str(peer.turns[-1]["view"]["cells"])


def test_ones_last_move_and_all_after_it_are_taken_back() -> None:
    desk, ann, bob, room = begun("b2", "a1", "c3", "a2")
    before = desk.room(room).play
    takes_back(ann, bob, room, 0)
    for peer in (ann, bob):
        turn = peer.turns[-1]
        assert (turn["last"], turn["seats"], turn["ply"]) == ({"seat": 0, "tookBack": 2}, [0], 5)
        assert cells(peer).count(".") == 7
    assert desk.entries(room)[-3:] == ["offered", "answered", "tookBack"]
    assert desk.journal[room][-1].body == {"plies": 2}
    assert before is not None
    ann.play(room, "a3")
    assert ann.ask("resign", room=room, seat=0)["type"] == "nextPlayer"


def test_who_was_not_to_move_takes_back_one_move_and_is_to_move() -> None:
    _, ann, bob, room = begun("b2")
    takes_back(ann, bob, room, 0)
    assert (ann.turns[-1]["seats"], ann.turns[-1]["last"]["tookBack"]) == ([0], 1)
    assert ann.play(room, "a1")["ply"] == 3


def test_a_no_changes_nothing_and_it_may_be_asked_again() -> None:
    desk, ann, bob, room = begun("b2")
    offer = ann.ask("offer", room=room, seat=0, what="takeback")["offer"]
    bob.ask("answer", room=room, seat=1, offer=offer, yes=False)
    assert desk.room(room).ply == 1
    takes_back(ann, bob, room, 0)


def test_both_may_ask_and_each_means_a_move_of_its_own() -> None:
    desk, ann, bob, room = begun("b2", "a1")
    of_ann = ann.ask("offer", room=room, seat=0, what="takeback")["offer"]
    of_bob = bob.ask("offer", room=room, seat=1, what="takeback")["offer"]
    assert of_ann != of_bob
    assert ann.refused("offer", room=room, seat=0, what="takeback") == "forbidden"
    ann.ask("answer", room=room, seat=0, offer=of_bob, yes=True)
    assert ann.turns[-1]["last"] == {"seat": 1, "tookBack": 1}
    assert bob.refused("answer", room=room, seat=1, offer=of_ann, yes=True) == "unknownOffer"
    assert desk.room(room).offers == {}


def test_a_turn_that_was_meant_for_before_is_stale_and_brings_what_was_missed() -> None:
    _, ann, bob, room = begun("b2")
    takes_back(ann, bob, room, 0)
    late = bob.ask("playTurn", room=room, seat=1, ply=1, move="a1")
    assert (late["code"], late["fields"]) == ("stale", {"ply": 1, "now": 2})
    [missed] = late["missed"]
    assert (missed["last"], missed["ply"], missed["seats"]) == ({"seat": 0, "tookBack": 1}, 2, [0])


def test_what_was_missed_is_counted_in_plies_with_those_taken_back() -> None:
    _, ann, bob, room = begun("b2", "a1")
    takes_back(ann, bob, room, 0)
    ann.play(room, "c3")
    late = ann.ask("playTurn", room=room, seat=0, ply=2, move="a2")
    assert [missed["ply"] for missed in late["missed"]] == [3, 4]
    assert [missed["last"] for missed in late["missed"]] == [
        {"seat": 0, "tookBack": 2},
        {"seat": 0, "move": "c3"},
    ]


def test_whoever_comes_back_sees_it_like_those_who_stayed() -> None:
    desk, ann, bob, room = begun("b2", "a1")
    desk.drop(bob)
    seq = bob.heads[room]
    bob = desk.back(bob)
    takes_back(ann, bob, room, 0)
    seen_by_ann = ann.play(room, "c3")["view"]
    cat = desk.peer("cat")
    cat.join(room, subscribe=["nextPlayer"])
    bob.ask("resume", room=room, epoch=desk.room(room).epoch, seq=seq)
    assert [turn["ply"] for turn in bob.turns] == [3, 4]
    assert cat.turns[-1]["view"] == bob.turns[-1]["view"] == seen_by_ann


def test_a_restart_changes_nothing_of_it() -> None:
    desk, ann, bob, room = begun("b2", "a1", "c3")
    takes_back(ann, bob, room, 0)
    play = desk.room(room).play
    desk.restart()
    assert desk.room(room).play == play
    ann = desk.back(ann)
    ann.join(room)
    assert ann.turns[-1]["last"] == {"seat": 0, "tookBack": 1}


def test_the_movers_time_runs_on() -> None:
    desk, ann, bob, room = begun("b2", "a1", clock={"base": 60, "increment": 0})
    offer = ann.ask("offer", room=room, seat=0, what="takeback")["offer"]
    desk.tick(5_000)
    bob.ask("answer", room=room, seat=1, offer=offer, yes=True)
    assert ann.turns[-1]["clocks"] == [55_000, 60_000]
    desk.tick(1_000)
    assert ann.play(room, "c3")["clocks"] == [54_000, 60_000]


def test_who_gets_the_turn_back_gets_it_with_its_own_time() -> None:
    desk, ann, bob, room = begun("b2", clock={"base": 60, "increment": 0})
    desk.tick(5_000)
    takes_back(ann, bob, room, 0)
    assert ann.turns[-1]["clocks"] == [60_000, 55_000]
    desk.tick(1_000)
    assert ann.play(room, "c3")["clocks"] == [59_000, 55_000]


def test_a_record_tells_it_and_is_valid() -> None:
    desk, ann, bob, room = begun("b2", "a1", clock={"base": 60, "increment": 0})
    takes_back(ann, bob, room, 0)
    for peer, move in ((ann, "a1"), (bob, "b2"), (ann, "a2"), (bob, "b1"), (ann, "a3")):
        peer.play(room, move)
    text = write(export(desk.room(room), ()))
    assert str(verify(text)) == "valid"
    assert [turn.took_back for turn in read(text).turns] == [None, None, 2, None, None, None, None, None]
    assert [turn.seat for turn in read(text).turns[:4]] == [0, 1, 0, 0]


def test_who_plays_both_sides_agrees_with_itself() -> None:
    desk = Desk()
    ann = desk.peer()
    room = ann.create()
    ann.join(room, seat=1)
    ann.play(room, "b2")
    ann.ask("offer", room=room, seat=0, what="takeback")
    assert desk.entries(room)[-2:] == ["offered", "tookBack"]


@pytest.mark.parametrize(("mode", "seats"), [("race", 2), ("coop", 2), ("solo", 1)])
def test_nothing_is_taken_back_where_something_is_hidden(mode: str, seats: int) -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    options = {"mode": mode, "width": 6, "height": 5, "mines": 5}
    room = ann.create("minesweeper", seats=seats, options=options)
    if seats == 2:
        bob.join(room)
    refused = ann.ask("offer", room=room, seat=0, what="takeback")
    assert (refused["code"], refused["reason"]) == ("noTakeback", "noTakebackHere")


def test_there_has_to_be_something_to_take_back() -> None:
    _, ann, bob, room = begun("b2")
    refused = bob.ask("offer", room=room, seat=1, what="takeback")
    assert (refused["code"], refused["reason"]) == ("noTakeback", "noMoveOfYours")
    takes_back(ann, bob, room, 0)
    assert ann.refused("offer", room=room, seat=0, what="takeback") == "noTakeback"


def test_a_player_takes_back_ten_times_in_a_game() -> None:
    _, ann, bob, room = begun()
    for _ in range(10):
        ann.play(room, "b2")
        takes_back(ann, bob, room, 0)
    ann.play(room, "b2")
    refused = ann.ask("offer", room=room, seat=0, what="takeback")
    assert (refused["code"], refused["reason"]) == ("noTakeback", "tookBackOften")
    bob.play(room, "a1")
    takes_back(bob, ann, room, 1)


def test_nothing_is_taken_back_before_or_after_the_game() -> None:
    desk = Desk()
    ann = desk.peer("zoe")
    assert ann.refused("offer", room=ann.create(), seat=0, what="takeback") == "notStarted"
    _, ann, bob, room = begun("b2")
    bob.ask("resign", room=room, seat=1)
    assert ann.refused("offer", room=room, seat=0, what="takeback") == "gameOver"


# Offers and the position they are made in


@pytest.mark.parametrize("what", ["draw", "takeback"])
@pytest.mark.parametrize("event", ["turn", "takeback", "the end", "a player leaves"])
def test_an_offer_is_over_with_its_position(what: str, event: str) -> None:
    desk, ann, bob, room = begun("b2", "a1")
    offer = ann.ask("offer", room=room, seat=0, what=what)["offer"]
    if event == "turn":
        ann.play(room, "c3")
    elif event == "takeback":
        takes_back(bob, ann, room, 1)
    elif event == "the end":
        ann.ask("resign", room=room, seat=0)
    else:
        ann.ask("leave", room=room)
    assert bob.refused("answer", room=room, seat=1, offer=offer, yes=True) == "unknownOffer"
    assert desk.room(room).offers == {}


def test_an_offer_is_not_over_with_what_is_said_meanwhile() -> None:
    desk, ann, bob, room = begun("b2")
    offer = ann.ask("offer", room=room, seat=0, what="takeback")["offer"]
    bob.ask("say", room=room, text="why?")
    desk.peer("cat").join(room)
    assert bob.ask("answer", room=room, seat=1, offer=offer, yes=True)["type"] == "answered"


def test_who_is_out_of_a_game_that_goes_on_offers_nothing_in_it() -> None:
    desk = Desk()
    peers = [desk.peer(name) for name in ("ann", "bob", "cat")]
    options = {"mode": "race", "width": 6, "height": 5, "mines": 5}
    room = peers[0].create("minesweeper", seats=3, options=options)
    for peer in peers[1:]:
        peer.join(room)
    peers[2].ask("resign", room=room, seat=2)
    refused = peers[2].ask("offer", room=room, seat=2, what="draw")
    assert (refused["code"], refused["reason"]) == ("gameOver", "seatIsOut")
