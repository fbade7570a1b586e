"""nextPlayer, and who gets it: subscribe, unsubscribe, several seats, several sessions."""

from __future__ import annotations

import pytest

from tablero_protocol.state_hash import state_hash
from tests.harness.desk import Desk, Message


def test_the_event_is_the_acknowledgement() -> None:
    ann, bob, room = Desk().pair()
    answer = ann.play(room, "b2")
    assert (answer["type"], answer["seat"], answer["seats"]) == ("nextPlayer", 0, [1])
    assert answer["last"] == {"seat": 0, "move": "b2"}
    assert ann.seen == [], "one frame a move"
    turn = bob.turns[-1]
    assert "re" not in turn
    assert (turn["ply"], turn["seq"], turn["seat"]) == (1, answer["seq"], 1)


@pytest.mark.parametrize(
    ("game", "typed", "written"),
    [
        ("tic-tac-toe", " B2\n", "b2"),
        ("connect-four", "4\n", "4"),
        ("dots-and-boxes", "\x85A1H\x1c", "a1h"),
        ("quoridor", "\u2028E2\r", "e2"),
        ("minesweeper", " Dig\n\tC4 ", "dig c4"),
    ],
)
def test_a_move_is_shown_and_kept_in_the_one_way_it_is_written(game: str, typed: str, written: str) -> None:
    desk = Desk()
    ann, cat = desk.peer("ann"), desk.peer("cat")
    room = ann.create(game)
    if game != "minesweeper":
        desk.peer("bob").join(room)
    cat.join(room, watch=True)
    assert ann.play(room, typed)["last"]["move"] == written
    assert cat.turns[-1]["last"]["move"] == written
    assert desk.journal[room][-1].body == {"move": written}


def test_a_turn_repeated_as_it_was_typed_is_the_same_turn() -> None:
    ann, _, room = Desk().pair()
    first = ann.ask("playTurn", "once", room=room, seat=0, ply=0, move="B2\n")
    assert ann.ask("playTurn", "once", room=room, seat=0, ply=0, move="B2\n") == first


def test_an_author_who_is_not_subscribed_gets_ok() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(subscribe=[])
    answer = ann.play(room, "b2")
    assert answer == {"type": "ok", "re": answer["re"], "room": room, "seq": desk.room(room).head}
    assert bob.seen[-1] == {"type": "seq", "room": room, "seq": desk.room(room).head}


def test_who_is_not_subscribed_gets_the_bare_number() -> None:
    ann, bob, room = Desk().pair(subscribe=[])
    ann.ask("say", room=room, text="hello")
    assert [message["type"] for message in bob.seen] == ["seq", "seq"]


def test_a_late_subscriber_gets_the_position_as_it_is() -> None:
    desk = Desk()
    ann, _, room = desk.pair(subscribe=[])
    ann.play(room, "b2")
    answer = ann.ask("subscribe", room=room, event="nextPlayer")
    assert (answer["type"], answer["ply"], answer["seats"], answer["seat"]) == ("nextPlayer", 1, [1], 0)
    assert ann.seen == []


def test_before_the_game_subscribing_is_answered_by_ok() -> None:
    ann = Desk().peer()
    room = ann.create(subscribe=[])
    assert ann.ask("subscribe", room=room, event="nextPlayer")["type"] == "ok"


def test_after_the_game_subscribing_shows_how_it_ended() -> None:
    ann, bob, room = Desk().pair(subscribe=[])
    bob.ask("resign", room=room, seat=1)
    assert ann.ask("subscribe", room=room, event="nextPlayer")["outcome"]["winners"] == [0]


@pytest.mark.parametrize("event", ["nextPlayer", "chat", "members", "offers"])
def test_twice_is_once(event: str) -> None:
    desk = Desk()
    ann, bob, room = desk.pair(subscribe=[])
    first = ann.ask("subscribe", room=room, event=event)
    again = ann.ask("subscribe", room=room, event=event)
    assert {**first, "re": ""} == {**again, "re": ""}
    bob.play(room, "b2", seat=1)
    bob.ask("say", room=room, text="hello")
    assert len(ann.seen) == 1, "one message an entry"
    for _ in range(2):
        assert ann.ask("unsubscribe", room=room, event=event)["type"] == "ok"
    bob.ask("say", room=room, text="hello")
    assert [message["type"] for message in ann.seen] == ["seq"]


def test_unsubscribed_means_no_more_of_it() -> None:
    ann, bob, room = Desk().pair()
    bob.ask("unsubscribe", room=room, event="nextPlayer")
    ann.play(room, "b2")
    assert [message["type"] for message in bob.seen] == ["seq"]


def test_each_event_comes_alone() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(subscribe=[])
    cat = desk.peer("cat")
    cat.join(room, subscribe=["offers"])
    ann.play(room, "b2")
    bob.ask("say", room=room, text="hello")
    ann.ask("offer", room=room, seat=0, what="draw")
    bob.ask("leave", room=room)
    assert [message["type"] for message in cat.seen] == ["seq", "seq", "offered", "seq", "seq"]


# Legal moves


def test_legal_moves_only_for_those_who_asked_and_are_to_move() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    cat = desk.peer("cat")
    cat.join(room)
    first = ann.ask("subscribe", room=room, event="nextPlayer", legalMoves=True)
    assert first["legalMoves"] == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
    watched = cat.ask("subscribe", room=room, event="nextPlayer", legalMoves=True)
    assert "legalMoves" not in watched
    assert "legalMoves" not in ann.play(room, "b2"), "it is Bob's turn"
    assert "legalMoves" not in bob.turns[-1], "Bob did not ask"
    bob.play(room, "a1")
    assert "b2" not in ann.turns[-1]["legalMoves"]
    assert len(ann.turns[-1]["legalMoves"]) == 7


def test_who_wants_no_more_legal_moves_says_so() -> None:
    ann, _, room = Desk().pair()
    ann.ask("subscribe", room=room, event="nextPlayer", legalMoves=True)
    assert "legalMoves" not in ann.ask("subscribe", room=room, event="nextPlayer")


# Several seats


def test_one_next_player_for_each_seat_held() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create()
    bob.join(room, watch=True)
    ann.join(room, seat=1)
    assert [(turn["seat"], turn["seq"]) for turn in ann.turns] == [(0, 4), (1, 4)]
    assert len(bob.turns) == 1
    assert "seat" not in bob.turns[0]
    answer = ann.play(room, "b2")
    assert answer["seat"] == 0
    assert [turn["seat"] for turn in ann.turns] == [1]


def test_a_game_also_tells_the_same_seat_when_it_moves_again() -> None:
    desk = Desk()
    ann, bob, room = desk.pair("dots-and-boxes", options={"rows": 1, "columns": 2})
    for number, edge in enumerate(["a1h", "a2h", "a1v"]):
        (ann, bob)[number % 2].play(room, edge)
    assert bob.play(room, "b1v")["seats"] == [1], "who closes a box moves again"
    assert ann.turns[-1]["seats"] == [1]


# Several sessions of one player


def test_a_second_session_watches_and_does_not_play() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    second = desk.back(ann, same_session=False)
    second.join(room)
    [turn] = second.turns
    assert "seat" not in turn
    assert second.refused("playTurn", room=room, seat=0, ply=0, move="b2") == "forbidden"
    ann.play(room, "b2")
    assert second.turns[-1]["ply"] == 1


def test_take_seat_moves_the_seat() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    second = desk.back(ann, same_session=False)
    second.join(room)
    assert second.ask("takeSeat", room=room, seat=0)["type"] == "ok"
    assert [turn["seat"] for turn in second.turns] == [0]
    assert ann.refused("playTurn", room=room, seat=0, ply=0, move="b2") == "forbidden"
    assert second.play(room, "b2")["seat"] == 0
    assert "seat" not in ann.turns[-1], "the first session only watches now"


def test_take_seat_twice_is_once() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    for _ in range(2):
        assert ann.ask("takeSeat", room=room, seat=0)["type"] == "ok"
    assert ann.play(room, "b2")["seat"] == 0


def test_only_the_author_s_session_gets_the_answer() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    second = desk.back(ann, same_session=False)
    second.join(room)
    ann.play(room, "b2")
    assert "re" not in second.turns[-1]


def test_a_new_session_takes_the_seats_that_nobody_plays() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    desk.drop(ann)
    second = desk.back(ann, same_session=False)
    assert second.join(room)["seat"] == 0
    assert second.play(room, "b2")["seat"] == 0


def test_a_game_without_secrets_is_shown_to_all_by_one_object() -> None:
    """So that it is encoded once, however many watch."""
    desk = Desk()
    _, _, room = desk.pair()
    for name in ("cat", "dan"):
        desk.peer(name).join(room)
    desk.peers[1].play(room, "b2")
    assert desk.peers[3].turns[-1] is desk.peers[4].turns[-1]


def test_an_event_is_one_object_for_all_who_are_told_it_and_one_for_all_who_only_count() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(subscribe=["chat"])
    listening, counting = [desk.peer("cat") for _ in range(2)], [desk.peer("dan") for _ in range(2)]
    ann.ask("resign", room=room, seat=0)
    for peer in listening:
        peer.join(room, subscribe=["chat"])
    for peer in counting:
        peer.join(room, subscribe=[])
    for text in ("one", "two"):
        for peer in (bob, *listening, *counting):
            peer.seen.clear()
        ann.ask("say", room=room, text=text)
        assert [peer.seen[0]["text"] for peer in (bob, *listening)] == [text] * 3
        assert bob.seen[0] is listening[0].seen[0] is listening[1].seen[0]
        assert counting[0].seen[0] is counting[1].seen[0]


def checked_hashes(turns: list[Message]) -> list[str]:
    for turn in turns:
        assert turn.get("hash") in (None, state_hash(turn["seats"], turn["view"]))
    return [turn["hash"] for turn in turns if "hash" in turn]


def test_every_eighth_ply_has_a_hash_of_what_everybody_sees() -> None:
    ann, bob, room = (desk := Desk()).pair("connect-four")
    hashes = []
    for ply, move in enumerate("1234567123456712"):
        player = (ann, bob)[ply % 2]
        hashes.append(checked_hashes([player.play(room, move), *ann.turns, *bob.turns]))
    assert [len(each) for each in hashes] == [0, 0, 0, 0, 0, 0, 0, 2] * 2
    assert hashes[7][0] == hashes[7][1]
    assert desk.room(room).ply == 16


def test_in_a_race_the_hash_is_of_what_each_seat_sees() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    options = {"width": 9, "height": 9, "mines": 10, "mode": "race"}
    room = ann.create("minesweeper", options=options, seats=2)
    bob.join(room)
    position = desk.room(room).position
    assert position is not None
    cell, other = (move.split()[1] for move in position.legal_moves(0)[:2])
    for move in ["flag", "unflag"] * 3 + ["flag"]:
        ann.play(room, f"{move} {cell}", seat=0)
    turns = [ann.play(room, f"flag {other}", seat=0), bob.turns[-1]]
    assert len(set(checked_hashes(turns))) == 2


def test_who_subscribes_again_without_legal_moves_hears_them_no_more() -> None:
    ann, _, room = Desk().pair()
    assert "legalMoves" in ann.ask("subscribe", room=room, event="nextPlayer", legalMoves=True)
    assert "legalMoves" not in ann.ask("subscribe", room=room, event="nextPlayer")
