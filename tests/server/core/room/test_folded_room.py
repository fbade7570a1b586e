"""What a log makes of a room, and what a room knows by it."""

from __future__ import annotations

from tablero_server.core.room.room import Room
from tablero_server.core.seats.resume import seq_after_ply
from tests.harness.room import ANN, BOB, begun, cause, moved, new_room, unheard


def test_the_fold_goes_through_every_state_of_the_room() -> None:
    room = begun({"base": 60, "increment": 1})
    seen = [(room.head, room.ply, room.state, room.position, room.clock)]
    for ply, move in enumerate(["b2", "a1", "c3"]):
        room.play_turn(cause((ANN, BOB)[ply % 2], move), ply % 2, ply, move, 1_000 * ply)
        seen.append((room.head, room.ply, room.state, room.position, room.clock))
    folded = [(each.head, each.ply, each.state, each.position, each.clock) for each in Room.fold(room.log)]
    assert folded[3:] == seen


def test_a_room_goes_on_from_its_log() -> None:
    room = begun()
    room.play_turn(cause(ANN), 0, 0, "b2", 30)
    *_, again = Room.fold([*room.log])
    again.play_turn(cause(BOB), 1, 1, "a1", 40)
    room.play_turn(cause(BOB), 1, 1, "a1", 40)
    assert again.log == room.log
    assert again.position == room.position


def test_the_ply_of_a_record_is_found() -> None:
    room = begun()
    for ply, move in enumerate(["b2", "a1", "c3"]):
        player = (ANN, BOB)[ply % 2]
        room.play_turn(cause(player, move), ply % 2, ply, move, 30)
        room.say(cause(player, f"say{ply}"), "hm", 30, unheard)
    assert [seq_after_ply(room, 0, ply, 9) for ply in range(5)] == [3, 4, 6, 8, None]
    assert [seq_after_ply(room, 0, ply, 4) for ply in range(4)] == [None, None, 6, 8]


def test_who_sat_is_remembered_after_leaving_a_game_that_had_begun() -> None:
    room = moved()
    room.leave(None, "ann", "gone", 30, unheard)
    assert room.seats == ["ann", "bob"]
    assert room.seated[0] == ANN
    assert room.play is not None
    assert room.play.last == {"seat": 0, "withdrew": "gone"}
    assert room.watchers() == 0


def test_a_seat_that_is_kept_is_not_free() -> None:
    room = new_room()
    assert room.free_seat(set()) == 0
    assert room.free_seat({0}) == 1
    assert room.free_seat({0, 1}) is None
    assert begun().free_seat(set()) is None
