"""What those in a room do there: play to the end, give up, talk; and what they may not do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.desk import Desk


def test_a_full_board_ends_the_game_and_keeps_the_room() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    moves = ["a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3"]
    for number, move in enumerate(moves):
        (ann, bob)[number % 2].play(room, move)
    [last] = bob.turns
    assert (last["seats"], last["outcome"]["kind"], last["ply"]) == ([], "draw", 9)
    assert ann.refused("playTurn", room=room, seat=0, ply=9, move="a1") == "gameOver"
    assert desk.room(room).state.value == "finished"


def test_resigning_ends_the_game_for_both() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    answer = bob.ask("resign", room=room, seat=1)
    assert answer["last"] == {"seat": 1, "withdrew": "resign"}
    assert ann.turns[-1]["outcome"] == answer["outcome"]
    assert answer["outcome"]["winners"] == [0]


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("  hello   there ", "hello there"),
        ("\x1b[2Jboo", "[2Jboo"),
        ("a\u202eb\n", "a b"),
        ("good ♥", "good ♥"),
    ],
)
def test_chat_is_cleaned_for_everybody(text: str, heard: str) -> None:
    desk = Desk()
    ann, bob, room = desk.pair(subscribe=["chat"])
    assert ann.ask("say", room=room, text=text)["text"] == heard
    [said] = bob.of("said")
    assert (said["text"], said["player"]["name"]) == (heard, "ann")
    assert desk.journal[room][-1].body["text"] == heard


def test_nothing_is_nothing_to_say() -> None:
    ann, _, room = Desk().pair()
    assert ann.refused("say", room=room, text=" \x07\u200b ") == "badMessage"


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("playTurn", {"ply": 0, "move": "b2"}),
        ("resign", {}),
        ("offer", {"what": "draw"}),
        ("answer", {"offer": "none", "yes": True}),
    ],
)
def test_a_seat_that_another_session_plays_is_left_alone(command: str, fields: dict[str, Any]) -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    second = desk.back(ann, same_session=False)
    second.join(room, watch=True)
    assert second.refused(command, room=room, seat=0, **fields) == "forbidden"
    second.ask("takeSeat", room=room, seat=0)
    assert ann.refused(command, room=room, seat=0, **fields) == "forbidden"


@pytest.mark.parametrize(
    ("command", "fields"),
    [("resign", {}), ("offer", {"what": "draw"}), ("answer", {"offer": "x", "yes": True})],
)
def test_a_clock_that_ran_out_counts_before_whatever_is_asked_next(
    command: str, fields: dict[str, Any]
) -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock={"base": 1, "increment": 0})
    desk.now += 1_000
    bob.ask(command, room=room, seat=1, **fields)
    assert ann.turns[-1]["last"] == {"seat": 0, "withdrew": "time"}
