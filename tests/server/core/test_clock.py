"""Thinking time: the clock by itself, and at the table."""

from __future__ import annotations

import pytest

from tablero_server.core.clock import Clock
from tests.harness.desk import Desk, Message

MINUTE = {"base": 60, "increment": 2}


# By itself


def running(*seats: int, remaining: tuple[int, ...] = (5_000, 5_000), since: int = 100) -> Clock:
    return Clock(remaining, 1_000, since, frozenset(seats))


def test_it_starts_with_the_base_for_everybody_and_runs_for_nobody() -> None:
    clock = Clock.start(3, 60, 2, now=7)
    assert clock == Clock((60_000, 60_000, 60_000), 2_000, 7)
    assert clock.left(1_000_000) == (60_000, 60_000, 60_000)
    assert clock.flag_at() is None
    assert clock.fallen(1_000_000) is None


@pytest.mark.parametrize(
    ("now", "left", "fallen"),
    [
        (100, (5_000, 5_000), None),
        (1_100, (4_000, 5_000), None),
        (5_099, (1, 5_000), None),
        (5_100, (0, 5_000), 0),
        (9_999, (0, 5_000), 0),
    ],
)
def test_time_runs_for_who_is_to_move(now: int, left: tuple[int, ...], fallen: int | None) -> None:
    assert running(0).left(now) == left
    assert running(0).fallen(now) == fallen


def test_a_move_earns_the_increment() -> None:
    assert running(0).credited(0, 1_100) == (5_000, 5_000)


def test_the_first_flag_to_fall_is_known() -> None:
    assert running(0, 1, remaining=(5_000, 3_000)).flag_at() == 3_100
    assert running(1).flag_at() == 5_100


def test_of_two_fallen_flags_the_lower_seat_is_named() -> None:
    assert running(0, 1, remaining=(3_000, 2_000)).fallen(9_000) == 0
    assert running(0, 1, remaining=(3_000, 2_000)).fallen(2_100) == 1


def test_a_clock_waits_until_it_is_durable_who_is_to_move() -> None:
    clock = running(0).turned((5_000, 5_000), frozenset({1}), 0, 7, 200)
    assert (clock.running, clock.going) == (frozenset(), frozenset({1}))
    assert clock.left(9_000) == (5_000, 5_000)
    assert clock.flag_at() is None
    assert clock.durable(6, 300) == clock
    assert clock.durable(7, 300).left(1_300) == (5_000, 4_000)


def test_in_a_race_an_entry_on_its_way_to_the_disk_stops_its_authors_clock_alone() -> None:
    clock = running(0, 1).turned((4_000, 4_000), frozenset({0, 1}), 0, 7, 200)
    assert clock.left(1_200) == (4_000, 3_000)
    assert clock.durable(7, 1_200).left(2_200) == (3_000, 2_000)


def test_the_turns_of_others_do_not_make_a_seat_wait_longer() -> None:
    clock = running(0, 1).turned((4_000, 4_000), frozenset({0, 1}), 0, 7, 200)
    clock = clock.turned((4_000, 4_000), frozenset({0, 1}), 1, 8, 200)
    assert clock.durable(7, 200).left(1_200) == (3_000, 4_000)


def test_after_what_could_not_be_saved_it_runs_on_for_who_was_to_move() -> None:
    clock = Clock((5_000, 5_000), 50, 100, frozenset(), {1: 3}).resumed((5_000, 2_050), 1, 900)
    assert clock.left(1_900) == (5_000, 1_000)


# At the table


def test_no_clock_runs_while_a_seat_is_free() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create(clock=MINUTE)
    desk.tick(1_000_000)
    bob = desk.peer("bob")
    bob.join(room)
    assert bob.turns[-1]["clocks"] == [60_000, 60_000]
    assert desk.room(room).state.value == "playing"


def test_without_a_clock_nobody_is_ever_late() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    desk.tick(10**9)
    assert "clocks" not in ann.play(room, "b2")
    assert desk.journal[room][-1].clocks is None


def test_time_is_charged_and_the_increment_credited() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock=MINUTE)
    desk.now += 10_000
    assert ann.play(room, "b2")["clocks"] == [52_000, 60_000]
    desk.now += 5_000
    assert bob.play(room, "a1")["clocks"] == [52_000, 57_000]
    assert ann.turns[-1]["clocks"] == [52_000, 57_000]


def test_every_record_of_a_running_game_says_what_everybody_has_left() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock=MINUTE)
    desk.now += 1_000
    bob.ask("say", room=room, text="think!")
    desk.now += 1_000
    ann.play(room, "b2")
    desk.now += 3_000
    ann.ask("offer", room=room, seat=0, what="draw")
    bob.ask("resign", room=room, seat=1)
    kinds = {entry.kind: entry.clocks for entry in desk.journal[room][-4:]}
    assert kinds == {
        "said": (59_000, 60_000),
        "turn": (60_000, 60_000),
        "offered": (60_000, 57_000),
        "withdrew": (60_000, 57_000),
    }


def test_talking_stops_no_clock() -> None:
    desk = Desk()
    ann, _, room = desk.pair(clock=MINUTE)
    for _ in range(3):
        desk.now += 1_000
        ann.ask("say", room=room, text="hm")
    assert ann.play(room, "b2")["clocks"] == [59_000, 60_000]


def test_a_flag_falls_at_the_tick() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock=MINUTE)
    desk.tick(59_999)
    assert len(ann.turns) == 1
    desk.tick(1)
    for peer in (ann, bob):
        last = peer.turns[-1]
        assert last["last"] == {"seat": 0, "withdrew": "time"}
        assert (last["outcome"]["winners"], last["clocks"]) == ([1], [0, 60_000])
    assert desk.journal[room][-1].clocks == (0, 60_000)


def test_a_late_move_loses_even_before_the_tick() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock=MINUTE)
    desk.now += 60_000
    assert ann.refused("playTurn", room=room, seat=0, ply=0, move="b2") == "gameOver"
    assert bob.turns[-1]["last"] == {"seat": 0, "withdrew": "time"}
    desk.tick()
    assert desk.entries(room).count("withdrew") == 1


def test_a_move_just_in_time_counts() -> None:
    desk = Desk()
    ann, _, room = desk.pair(clock=MINUTE)
    desk.now += 59_999
    assert ann.play(room, "b2")["clocks"] == [2_001, 60_000]


def test_the_flag_follows_the_turn() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock=MINUTE)
    desk.tick(30_000)
    ann.play(room, "b2")
    desk.tick(59_999)
    assert desk.room(room).state.value == "playing"
    desk.tick(1)
    assert bob.turns[-1]["outcome"]["winners"] == [0]


def test_after_the_end_no_flag_falls() -> None:
    desk = Desk()
    ann, _, room = desk.pair(clock=MINUTE)
    ann.ask("resign", room=room, seat=0)
    desk.tick(1_000_000)
    assert desk.entries(room).count("withdrew") == 1


def test_who_is_away_loses_on_time_too() -> None:
    desk = Desk()
    ann, bob, _ = desk.pair(clock=MINUTE)
    desk.drop(ann)
    desk.tick(60_000)
    assert bob.turns[-1]["last"] == {"seat": 0, "withdrew": "time"}


def test_in_a_race_the_clocks_of_all_run_and_those_who_are_late_are_out() -> None:
    desk = Desk()
    options: Message = {"mode": "race", "width": 5, "height": 5, "mines": 4}
    peers = [desk.peer(name) for name in ("ann", "bob", "cat")]
    room = peers[0].create("minesweeper", options=options, seats=3, clock=MINUTE)
    for peer in peers[1:]:
        peer.join(room)
    desk.now += 30_000
    position = desk.room(room).position
    assert position is not None
    flag = next(move for move in position.legal_moves(2) if move.startswith("flag"))
    answer = peers[2].play(room, flag, seat=2)
    assert answer["clocks"] == [30_000, 30_000, 32_000]
    desk.tick(30_000)
    assert desk.entries(room)[-2:] == ["withdrew", "withdrew"], "and who moved plays on"
    position = desk.room(room).position
    assert position is not None
    assert position.playing == {2}
