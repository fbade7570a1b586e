"""Thinking time: the clock by itself, and at the table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablero_server.core.room.clock import (
    DAY_MS,
    LAG_OF_A_GAME_MS,
    Clock,
    Terms,
    speed,
)
from tests.harness.desk import Desk, Message

MINUTE = {"base": 60, "increment": 2}


# By itself


def running(*seats: int, remaining: tuple[int, ...] = (5_000, 5_000), since: int = 100) -> Clock:
    return Clock(remaining, 1_000, since, frozenset(seats))


def test_it_starts_with_the_base_for_everybody_and_runs_for_nobody() -> None:
    clock = Clock.start(3, MINUTE, 7)
    assert clock == Clock((60_000, 60_000, 60_000), 2_000, 7, given=(0, 0, 0), most_given=3_000)
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


def test_so_much_for_each_move_is_there_again_with_every_move() -> None:
    clock = Clock.start(2, {"perMove": 10}, 0).turned((10_000, 10_000), frozenset({0}), None, 1, 0)
    clock = clock.durable(1, 100)
    assert clock.left(4_100) == (6_000, 10_000)
    assert clock.credited(0, 4_100) == (10_000, 10_000)


def test_a_common_clock_runs_on_through_every_turn() -> None:
    clock = Clock.start(2, {"base": 60}, 0, common=True)
    clock = clock.turned((60_000, 60_000), frozenset({0, 1}), None, 1, 0).durable(1, 100)
    clock = clock.turned(clock.credited(1, 10_100), frozenset({0, 1}), 1, 2, 10_100)
    assert clock.left(20_100) == (40_000, 40_000)
    assert clock.flag_at() == 60_100


@pytest.mark.parametrize(
    ("had", "hours", "left"),
    [(48, 10, 38), (48, 47, 12), (48, 100, 12), (8, 5, 8), (48, -3, 48)],
)
def test_days_pass_without_a_server_but_leave_time_to_come_back(had: int, hours: int, left: int) -> None:
    hour = 3_600_000
    clock = Clock.start(2, {"days": 2}, 0).turned((0, 0), frozenset({0}), None, 1, 0)
    assert clock.through_outage((had * hour, had * hour), hours * hour) == (left * hour, had * hour)
    quick = Clock.start(2, MINUTE, 0).turned((0, 0), frozenset({0}), None, 1, 0)
    assert quick.through_outage((60_000, 60_000), hours * hour) == (60_000, 60_000)


def test_days_without_a_server_are_not_taken_from_who_has_not_moved_yet() -> None:
    clock = Clock.start(2, {"days": 2}, 0, first_move_ms=1).turned((5, 5), frozenset({0}), None, 1, 0)
    assert clock.through_outage((2 * DAY_MS, 2 * DAY_MS), DAY_MS) == (2 * DAY_MS, 2 * DAY_MS)
    moved = clock.turned((5, 5), frozenset({1}), 0, 2, 0).turned((5, 5), frozenset({0}), 1, 3, 0)
    assert moved.through_outage((2 * DAY_MS, 2 * DAY_MS), DAY_MS) == (DAY_MS, 2 * DAY_MS)


# At the table


def test_a_clock_is_of_one_kind() -> None:
    ann = Desk().peer("ann")
    for clock in ({}, {"base": 60, "days": 2}, {"perMove": 10, "increment": 2}, {"days": 1, "perMove": 5}):
        answer = ann.ask("createRoom", game="tic-tac-toe", clock=clock)
        assert (answer["code"], answer["reason"]) == ("badMessage", "oneKindOfClock")


@pytest.mark.parametrize("mode", ["race", "coop"])
@pytest.mark.parametrize("clock", [{"base": 60, "increment": 1}, {"perMove": 10}, {"days": 2}])
def test_where_nobody_waits_for_others_there_is_only_a_common_clock(mode: str, clock: Message) -> None:
    ann = Desk().peer("ann")
    answer = ann.ask("createRoom", game="minesweeper", options={"mode": mode}, seats=2, clock=clock)
    assert (answer["code"], answer["reason"]) == ("badOptions", "commonClock")


@pytest.mark.parametrize("clock", [{"base": 60, "increment": 2}, {"perMove": 10}, {"days": 3}])
def test_a_table_shows_its_kind_of_clock_and_a_rematch_has_it_too(clock: Message) -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock=clock)
    assert ann.join(room)["table"]["clock"] == clock
    ann.ask("resign", room=room, seat=0)
    ann.ask("offer", room=room, seat=0, what="rematch")
    bob.ask("offer", room=room, seat=1, what="rematch")
    following = desk.room(room).next
    assert following is not None
    assert desk.room(following).clock_terms == clock


def test_no_clock_runs_before_each_sides_first_move() -> None:
    desk = Desk(first_move_ms=30_000)
    ann, bob, room = desk.pair(clock=MINUTE)
    assert (bob.turns[-1]["clocks"], bob.turns[-1]["firstMove"]) == ([60_000, 60_000], 30_000)
    desk.now += 29_999
    answer = ann.play(room, "b2")
    assert (answer["clocks"], answer["firstMove"]) == ([60_000, 60_000], 30_000)
    desk.now += 20_000
    answer = ann.ask("subscribe", room=room, event="nextPlayer")
    assert (answer["at"], answer["firstMove"]) == (desk.now - 20_000, 30_000)
    answer = bob.play(room, "a1")
    assert answer["clocks"] == [60_000, 60_000]
    assert "firstMove" not in answer
    desk.now += 10_000
    assert ann.play(room, "c1")["clocks"] == [52_000, 60_000]


@pytest.mark.parametrize("moves", [[], ["b2"]])
@pytest.mark.parametrize("clock", [MINUTE, {"perMove": 10}])
def test_a_first_move_that_is_not_made_in_time_aborts_the_game(moves: list[str], clock: Message) -> None:
    desk = Desk(first_move_ms=30_000)
    ann, bob, room = desk.pair(clock=clock)
    for move in moves:
        desk.now += 10_000
        ann.play(room, move)
    desk.tick(29_999)
    assert desk.room(room).state.value == "playing"
    desk.tick(1)
    for peer in (ann, bob):
        outcome = peer.turns[-1]["outcome"]
        assert (outcome["kind"], outcome["reason"], outcome["winners"]) == ("aborted", "noFirstMove", [])
    assert desk.placings[-1].kind == "aborted"


def test_a_correspondence_game_gives_its_days_for_the_first_move() -> None:
    desk = Desk(first_move_ms=30_000)
    ann, _, room = desk.pair(clock={"days": 3})
    assert ann.ask("subscribe", room=room, event="nextPlayer")["firstMove"] == 3 * DAY_MS
    desk.tick(3 * DAY_MS)
    assert desk.entries(room)[-1] == "aborted"


def test_a_rematch_begins_with_first_moves_again() -> None:
    desk = Desk(first_move_ms=30_000)
    ann, bob, room = desk.pair(clock=MINUTE)
    for move in ("b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3"):
        (ann if desk.room(room).ply % 2 == 0 else bob).play(room, move)
    ann.ask("resign", room=room, seat=0)
    ann.ask("offer", room=room, seat=0, what="rematch")
    bob.ask("offer", room=room, seat=1, what="rematch")
    assert ann.turns[-1]["firstMove"] == 30_000


def test_a_first_move_has_its_time_anew_after_a_restart() -> None:
    desk = Desk(first_move_ms=30_000)
    ann, _, room = desk.pair(clock=MINUTE)
    desk.tick(25_000)
    desk.restart()
    ann = desk.back(ann, same_session=False)
    ann.join(room)
    assert ann.turns[-1]["firstMove"] == 30_000
    desk.tick(49_999)
    assert desk.room(room).state.value == "playing", "grace after the restart, and then its time"
    desk.tick(1)
    assert desk.entries(room)[-1] == "aborted"


def test_a_first_move_that_a_takeback_interrupted_has_its_time_anew() -> None:
    desk = Desk(first_move_ms=30_000)
    ann, bob, room = desk.pair(clock=MINUTE)
    ann.play(room, "b2")
    desk.tick(20_000)
    ann.ask("offer", room=room, seat=0, what="takeback")
    bob.ask("answer", room=room, seat=1, offer=next(iter(desk.room(room).offers)), yes=True)
    desk.now += 5_000
    assert ann.play(room, "a1")["clocks"] == [57_000, 60_000]
    assert bob.turns[-1]["firstMove"] == 30_000
    desk.tick(29_999)
    assert desk.room(room).state.value == "playing"
    desk.tick(1)
    assert desk.entries(room)[-1] == "aborted"


def test_a_lost_first_move_takes_nothing_from_the_clock() -> None:
    desk = Desk(first_move_ms=30_000)
    ann, _, room = desk.pair(clock=MINUTE)
    desk.failing = True
    assert ann.play(room, "b2")["code"] == "retryLater"
    desk.failing = False
    assert ann.play(room, "b2")["clocks"] == [60_000, 60_000]


def test_a_race_begins_for_all_at_once() -> None:
    desk = Desk(first_move_ms=30_000)
    ann, bob = desk.peer("ann"), desk.peer("bob")
    options: Message = {"mode": "race", "width": 5, "height": 5, "mines": 4}
    room = ann.create("minesweeper", options=options, seats=2, clock={"base": 60})
    bob.join(room)
    assert "firstMove" not in bob.turns[-1]
    desk.tick(60_000)
    assert desk.entries(room)[-2:] == ["withdrew"] * 2


def test_in_a_log_of_an_older_server_clocks_run_from_the_beginning() -> None:
    desk = Desk(first_move_ms=30_000)
    ann, _, room = desk.pair(clock=MINUTE)
    del desk.journal[room][0].body["firstMove"]
    desk.restart()
    ann = desk.back(ann, same_session=False)
    ann.join(room)
    desk.now += 25_000
    assert ann.play(room, "b2")["clocks"] == [57_000, 60_000]


@pytest.mark.parametrize(
    ("round_trips", "spent", "lag"),
    [
        ([], 5_000, 0),
        ([150], 5_000, 150),
        ([100, 200], 5_000, 150),
        ([1] * 9 + [150] * 5, 5_000, 150),
        ([4_000, 4_000], 5_000, 300),
        ([100, 100, 100, 100, 60_000], 5_000, 140),
        ([-50], 5_000, 0),
        ([150], 40, 40),
    ],
)
def test_what_a_line_takes_is_given_back_within_bounds(round_trips: list[int], spent: int, lag: int) -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock=MINUTE)
    for ms in round_trips:
        desk.hub.measured(ann.number, ms)
    desk.now += spent
    answer = ann.play(room, "b2")
    assert (answer["clocks"], answer.get("lag", 0)) == ([62_000 - spent + lag, 60_000], lag)
    assert bob.turns[-1].get("lag", 0) == lag
    desk.now += 1_000
    assert "lag" not in bob.play(room, "a1"), "whose line was not measured"


@pytest.mark.parametrize(("line", "beyond"), [(150, 150), (4_000, 300), (0, 0)])
def test_a_flag_falls_only_when_what_the_line_takes_is_spent_too(line: int, beyond: int) -> None:
    desk = Desk()
    ann, _, room = desk.pair(clock=MINUTE)
    desk.hub.measured(ann.number, line)
    for later in (60_000, beyond - 1):
        desk.tick(later)
        if beyond:
            assert desk.room(room).state.value == "playing"
    desk.tick(1)
    assert desk.journal[room][-1].body == {"reason": "time"}


@pytest.mark.parametrize("late", [0, 1, 149])
def test_a_move_that_was_made_in_time_but_was_long_on_its_way_counts(late: int) -> None:
    desk = Desk()
    ann, _, room = desk.pair(clock=MINUTE)
    desk.hub.measured(ann.number, 150)
    desk.tick(60_000)
    desk.tick(late)
    answer = ann.play(room, "b2")
    assert (answer["type"], answer["lag"]) == ("nextPlayer", 150)
    assert answer["clocks"] == [2_000 + 150 - late, 60_000]


def test_what_was_given_back_in_all_is_nothing_that_a_flag_waits_for() -> None:
    clock = replace(running(0), given=(LAG_OF_A_GAME_MS - 20, 0))
    assert clock.flag_at() == 5_100
    assert clock.flag_at(lambda _: 150) == 5_120
    assert clock.fallen(5_119, lambda _: 150) is None
    assert clock.fallen(5_120, lambda _: 150) == 0


@pytest.mark.parametrize("more", [{"common": True}, {"each": 5_000}, {"first": {0: 5_000}}])
def test_other_clocks_wait_for_no_line(more: Message) -> None:
    assert replace(running(0), given=(0, 0), **more).fallen(5_100, lambda _: 150) == 0


def test_who_has_lost_the_connection_has_no_line_to_wait_for() -> None:
    desk = Desk()
    ann, _, room = desk.pair(clock=MINUTE)
    desk.hub.measured(ann.number, 150)
    desk.drop(ann)
    desk.tick(60_000)
    assert desk.journal[room][-1].body == {"reason": "time"}


@pytest.mark.parametrize(("base", "most"), [(600, 20_000), (300, 15_000), (60, 3_000)])
def test_of_one_game_so_much_is_given_back_and_no_more(base: int, most: int) -> None:
    desk = Desk()
    options: Message = {"rows": 12, "columns": 12}
    edges = [f"{column}{row}v" for row in range(1, 13) for column in "abcdefghijklm"]  # none closes a box
    ann, bob, room = desk.pair("dots-and-boxes", options=options, clock={"base": base})
    given = 0
    for ply in range(140):
        mover = (ann, bob)[ply % 2]
        desk.hub.measured(ann.number, 300)
        desk.now += 500
        given += mover.play(room, edges[ply]).get("lag", 0)
    assert given == most


def test_a_lost_turn_gives_nothing_back() -> None:
    desk = Desk()
    ann, _, room = desk.pair(clock=MINUTE)
    desk.hub.measured(ann.number, 200)
    desk.now += 1_000
    desk.failing = True
    assert ann.play(room, "b2")["code"] == "retryLater"
    desk.failing = False
    assert ann.play(room, "b2")["clocks"] == [61_000, 60_000]


@pytest.mark.parametrize("clock", [MINUTE, {"perMove": 30}])
def test_only_lines_of_those_who_sit_at_a_running_clock_count(clock: dict[str, int]) -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock=clock)
    eve = desk.peer("eve")
    eve.join(room, watch=True)
    dan = desk.peer("dan")
    dan.create(clock=MINUTE)
    measured = [peer.name for peer in (ann, bob, eve, dan) if desk.hub.plays_by_seconds(peer.number)]
    assert measured == ["ann", "bob"]
    ann.ask("resign", room=room, seat=0)
    assert not desk.hub.plays_by_seconds(ann.number)


def test_who_is_too_slow_for_one_move_loses_on_time() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock={"perMove": 10})
    for peer, move in ((ann, "b2"), (bob, "a1"), (ann, "c1"), (bob, "a3")):
        desk.now += 9_000
        assert peer.play(room, move)["clocks"] == [10_000, 10_000]
    desk.tick(10_000)
    assert bob.turns[-1]["last"] == {"seat": 0, "withdrew": "time"}


def test_in_a_correspondence_game_only_its_clock_decides() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock={"days": 2})
    ann.play(room, "b2")
    bob.play(room, "a1")
    ann.ask("subscribe", room=room, event="members")
    desk.drop(bob)
    desk.drop(ann)
    desk.tick(3_600_000)
    assert desk.room(room).state.value == "playing"
    assert set(desk.room(room).members) == {ann.player, bob.player}
    again = desk.back(ann, same_session=False)
    again.join(room)
    assert again.refused("claim", room=room, seat=0) == "notAway"
    again.play(room, "c1")
    desk.tick(2 * DAY_MS - 1)
    assert desk.room(room).state.value == "playing"
    desk.tick(1)
    assert again.turns[-1]["last"] == {"seat": 1, "withdrew": "time"}


def test_a_correspondence_game_goes_on_over_restarts() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock={"days": 1})
    ann.play(room, "b2")
    for move in ("a1", "c1", "a3"):
        desk.now += 3_600_000
        desk.restart()
        ann, bob = desk.back(ann, same_session=False), desk.back(bob, same_session=False)
        ann.join(room)
        bob.join(room)
        mover = bob if move.startswith("a") else ann
        assert mover.play(room, move)["clocks"] == [DAY_MS, DAY_MS]
    desk.tick(3_600_000)
    desk.restart()
    assert desk.journal[room][-1].clocks == (DAY_MS - 3_600_000, DAY_MS)


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


@pytest.mark.parametrize("mode", ["race", "coop"])
def test_at_the_end_of_a_common_clock_everybody_left_is_out(mode: str) -> None:
    desk = Desk()
    options: Message = {"mode": mode, "width": 5, "height": 5, "mines": 4}
    peers = [desk.peer(name) for name in ("ann", "bob", "cat")]
    room = peers[0].create("minesweeper", options=options, seats=3, clock={"base": 60})
    for peer in peers[1:]:
        peer.join(room)
    desk.now += 30_000
    position = desk.room(room).position
    assert position is not None
    flag = next(move for move in position.legal_moves(2) if move.startswith("flag"))
    assert peers[2].play(room, flag, seat=2)["clocks"] == [30_000] * 3
    desk.tick(29_999)
    assert desk.room(room).state.value == "playing"
    desk.tick(1)
    assert desk.entries(room)[-3:] == ["withdrew"] * 3
    outcome = peers[0].turns[-1]["outcome"]
    if mode == "coop":
        assert (outcome["kind"], outcome["reason"]) == ("loss", "time")
    else:
        opened = outcome["scores"]
        assert [opened[seat] for seats in outcome["ranking"] for seat in seats] == sorted(
            opened, reverse=True
        )


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        (None, "none"),
        ({"days": 1}, "correspondence"),
        ({"base": 479}, "blitz"),
        ({"base": 480}, "rapid"),
        ({"base": 300, "increment": 5}, "rapid"),
        ({"perMove": 10}, "blitz"),
        ({"perMove": 37}, "rapid"),
        ({"base": 1_500}, "slow"),
        ({"perMove": 38}, "slow"),
    ],
)
def test_a_speed_is_what_a_side_has_for_forty_moves(terms: Terms | None, expected: str) -> None:
    assert speed(terms) == expected
