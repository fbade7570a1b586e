"""Games where several seats move at once, and where not everybody may know everything."""

from __future__ import annotations

import json

import pytest

from tests.harness.desk import Desk
from tests.harness.desk_games import COOP, RACE, race


def cells(desk: Desk, room: str, *, mined: bool) -> list[str]:
    """Covered cells of seat 0, by what the server alone knows of them."""
    position = desk.room(room).position
    assert position is not None
    found = []
    for move in position.legal_moves(0):
        if move.startswith("dig"):
            after = position.play(0, move)
            out = 0 not in after.to_move and (after.outcome is None or 0 not in after.outcome.winners)
            if out == mined:
                found.append(move)
    return found


def test_everybody_is_to_move_at_once() -> None:
    desk = Desk()
    (ann, bob), room = race(desk)
    [turn] = ann.turns
    assert (turn["seats"], turn["seat"], turn["ply"]) == ([0, 1], 0, 0)
    bob.play(room, cells(desk, room, mined=True)[0].replace("dig", "flag"), seat=1)
    play = desk.room(room).play
    assert play is not None
    assert play.plies == (0, 1)


def test_a_race_counts_the_plies_of_each_seat() -> None:
    desk = Desk()
    (ann, bob), room = race(desk)
    flags = [move.replace("dig", "flag") for move in cells(desk, room, mined=True)]
    assert ann.play(room, flags[0], seat=0)["ply"] == 1
    assert bob.turns[-1]["ply"] == 0, "which Bob has played none of"
    assert bob.play(room, flags[1], seat=1)["ply"] == 1
    assert ann.play(room, flags[1], seat=0)["ply"] == 2


def test_the_turn_of_another_seat_makes_no_turn_stale() -> None:
    desk = Desk()
    (ann, bob), room = race(desk)
    flags = [move.replace("dig", "flag") for move in cells(desk, room, mined=True)]
    ann.play(room, flags[0], seat=0)
    assert bob.ask("playTurn", room=room, seat=1, ply=0, move=flags[0])["type"] == "nextPlayer"
    assert bob.refused("playTurn", room=room, seat=1, ply=0, move=flags[1]) == "stale"


def test_together_on_one_board_no_ply_is_stale() -> None:
    desk = Desk()
    (ann, bob), room = race(desk, COOP)
    ann.ask("playTurn", room=room, seat=0, ply=0, move="flag a1")
    assert bob.ask("playTurn", room=room, seat=1, ply=77, move="flag a2")["type"] == "nextPlayer"


def test_nobody_learns_a_rivals_move_while_the_race_is_on() -> None:
    desk = Desk()
    (ann, bob), room = race(desk)
    watcher = desk.peer("dan")
    watcher.join(room)
    dig = cells(desk, room, mined=False)[0]
    assert ann.play(room, dig, seat=0)["last"] == {"seat": 0, "move": dig}
    for other in (bob, watcher):
        assert other.turns[-1]["last"] == {"seat": 0}, "who dug there and lived tells where no mine is"
    assert watcher.turns[-1]["view"]["cells"] is None
    assert watcher.turns[-1]["view"]["players"][0]["opened"] > 0


def test_what_was_missed_hides_a_rivals_moves_too() -> None:
    desk = Desk()
    (ann, bob), room = race(desk)
    dig = cells(desk, room, mined=False)[0]
    seq = desk.room(room).head
    ann.play(room, dig, seat=0)
    bob.ask("resume", room=room, epoch=desk.room(room).epoch, seq=seq)
    assert [turn["last"] for turn in bob.turns] == [{"seat": 0}]


def test_each_seat_gets_its_own_view() -> None:
    desk = Desk()
    (ann, bob), room = race(desk)
    before = bob.turns[-1]["view"]["cells"]
    answer = ann.play(room, cells(desk, room, mined=False)[0], seat=0)
    assert answer["view"]["cells"] != before
    assert bob.turns[-1]["view"]["cells"] == before


def test_no_field_leaves_the_server_before_the_end() -> None:
    desk = Desk()
    (ann, bob), room = race(desk)
    while (position := desk.room(room).position) and position.outcome is None:
        assert "field" not in json.dumps(ann.seen + bob.seen)
        ann.play(room, cells(desk, room, mined=False)[0], seat=0)
    assert "field" in ann.answers[0]["view"]
    assert "field" in bob.turns[-1]["view"]


def test_a_race_goes_on_without_a_seat_that_is_out() -> None:
    desk = Desk()
    (ann, bob, cat), room = race(desk, seats=3)
    answer = ann.play(room, cells(desk, room, mined=True)[0], seat=0)
    assert answer["seats"] == [1, 2]
    assert ann.refused("playTurn", room=room, seat=0, ply=1, move="dig a1") == "notYourTurn"
    assert bob.ask("resign", room=room, seat=1)["seats"] == [2]
    assert cat.turns[-1]["last"] == {"seat": 1, "withdrew": "resign"}


@pytest.mark.parametrize("command", ["leave", "resign"])
def test_who_is_out_by_a_mine_may_go(command: str) -> None:
    desk = Desk()
    (ann, _, _), room = race(desk, seats=3)
    ann.play(room, cells(desk, room, mined=True)[0], seat=0)
    if command == "leave":
        assert ann.ask("leave", room=room)["type"] == "left"
    else:
        assert ann.refused("resign", room=room, seat=0) == "gameOver"
    assert "withdrew" not in desk.entries(room)


def test_a_seat_that_is_out_has_no_say_in_a_draw() -> None:
    desk = Desk()
    (ann, bob, cat), room = race(desk, seats=3)
    ann.play(room, cells(desk, room, mined=True)[0], seat=0)
    bob.ask("offer", room=room, seat=1, what="draw")
    cat.ask("offer", room=room, seat=2, what="draw")
    assert desk.entries(room)[-1] == "drawn"


@pytest.mark.parametrize("again", ["with a seat", "invited"])
def test_a_person_has_one_seat_in_a_race(again: str) -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create("minesweeper", options=RACE, seats=3)
    if again == "invited":
        bob.join(room, seat=2)
        bob.ask("invite", room=room, seat=1, player=ann.player)
        [invited] = ann.of("invited")
        answer = ann.ask("join", room=room, seat=1, invite=invited["invite"])
    else:
        answer = ann.ask("join", room=room, seat=1)
    assert (answer["type"], answer["code"]) == ("refused", "oneSeatEach")
    assert desk.room(room).seats[1] is None


def test_together_on_one_board_a_person_may_have_several_seats() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create("minesweeper", options=COOP, seats=2)
    assert ann.join(room, seat=1)["seat"] == 1


def test_several_seats_of_one_bot_get_one_view_each() -> None:
    desk = Desk()
    ann = desk.bot("ann", "minesweeper:exact", capacity=2)
    room = ann.create("minesweeper", options=RACE, seats=2)
    ann.join(room, seat=1)
    assert [(turn["seat"], turn["seq"]) for turn in ann.turns] == [(0, 3), (1, 3)]
    answer = ann.play(room, cells(desk, room, mined=False)[0], seat=1)
    assert answer["seat"] == 1, "the answer goes with the seat that moved"
    assert [turn["seat"] for turn in ann.turns] == [0]
    assert [turn["ply"] for turn in (*ann.turns, answer)] == [0, 1]


def test_a_game_that_is_over_before_it_began_is_finished_at_once() -> None:
    desk = Desk()
    (ann, bob), room = race(desk, RACE | {"mines": 0})
    assert ann.turns[-1]["outcome"]["kind"] in ("win", "draw")
    assert bob.turns[-1]["seats"] == []
    assert desk.room(room).state.value == "finished"


def test_alone_at_the_table_the_game_begins_at_once() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create("minesweeper", options={"width": 5, "height": 5, "mines": 4})
    assert ann.turns[-1]["seats"] == [0]
    assert ann.ask("resign", room=room, seat=0)["outcome"]["kind"] == "loss"
