"""One table by itself: commands write entries, and the fold of the entries is the room."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tablero_games import Play
from tablero_protocol.codes import Code
from tablero_server.core.entry import Entry, Tell
from tablero_server.core.refusal import Refusal
from tablero_server.core.room.state import RoomState
from tests.harness.room import ANN, BOB, begun, cause, moved, new_room, unheard


def kinds(command: Callable[[Tell], None]) -> list[str]:
    """Of the entries that `command` writes."""
    told: list[Entry] = []
    command(told.append)
    return [entry.kind for entry in told]


def test_a_room_waits_plays_ends_and_closes() -> None:
    room = new_room()
    states = [room.state]
    room.join(cause(ANN), ANN, 0, 1, unheard)
    states.append(room.state)
    room.join(cause(BOB), BOB, 1, 2, unheard)
    room.start_if_full(2, unheard)
    states.append(room.state)
    room.resign(cause(BOB), 1, 3, unheard)
    states.append(room.state)
    for player in ("ann", "bob"):
        room.leave(None, player, "left", 4, unheard)
    states.append(room.state)
    assert states == [
        RoomState.WAITING,
        RoomState.WAITING,
        RoomState.PLAYING,
        RoomState.FINISHED,
        RoomState.CLOSED,
    ]


def test_a_listener_finds_the_room_as_it_is_right_after_each_entry() -> None:
    room = moved()
    found: list[tuple[str, RoomState, bool]] = []

    def tell(entry: Entry) -> None:
        found.append((entry.kind, room.state, "ann" in room.members))

    room.leave(cause(ANN), "ann", "left", 30, tell)
    assert found == [("withdrew", RoomState.FINISHED, True), ("left", RoomState.FINISHED, False)]


def test_the_game_begins_when_every_seat_is_taken_and_not_before() -> None:
    room = new_room()
    for player, seat in ((ANN, 0), (BOB, 1)):
        assert room.state is RoomState.WAITING
        room.start_if_full(10, unheard)
        room.join(cause(player), player, seat, 10, unheard)
    assert room.state is RoomState.WAITING
    assert kinds(lambda tell: room.start_if_full(20, tell)) == ["started"]
    assert kinds(lambda tell: room.start_if_full(30, tell)) == []


def test_a_move_is_played_by_the_rules_once(monkeypatch: pytest.MonkeyPatch) -> None:
    room, played = begun(), list[str]()
    turn = Play.turn

    def counted(self: Play, seat: int, move: str) -> Play:
        played.append(move)
        return turn(self, seat, move)

    monkeypatch.setattr(Play, "turn", counted)
    room.play_turn(cause(ANN), 0, 0, "b2", 30)
    assert played == ["b2"]


def test_records_are_numbered_and_dated() -> None:
    room = begun()
    room.play_turn(cause(ANN), 0, 0, "b2", 30)
    assert [(entry.seq, entry.kind, entry.at) for entry in room.log] == [
        (0, "created", 0),
        (1, "joined", 10),
        (2, "joined", 20),
        (3, "started", 20),
        (4, "turn", 30),
    ]


def test_turns_with_the_same_move_share_their_body() -> None:
    first, second = begun(), begun()
    for room in (first, second):
        room.play_turn(cause(ANN), 0, 0, "b2", 30)
    assert first.log[-1].body is second.log[-1].body


def test_a_record_names_the_command_behind_it() -> None:
    room = begun()
    room.play_turn(cause(ANN, "x"), 0, 0, "b2", 30)
    assert room.log[4].cause == cause(ANN, "x")
    assert room.log[3].cause is None, "the game starts by itself"


@pytest.mark.parametrize(
    ("seat", "ply", "move", "code"),
    [
        (0, 1, "b2", Code.STALE),
        (1, 0, "b2", Code.FORBIDDEN),
        (2, 0, "b2", Code.NO_SUCH_SEAT),
        (0, 0, "d4", Code.ILLEGAL_MOVE),
        (0, 0, "", Code.ILLEGAL_MOVE),
    ],
)
def test_a_refused_turn_leaves_the_log_alone(seat: int, ply: int, move: str, code: Code) -> None:
    room = begun()
    log, position, told = [*room.log], room.position, list[Entry]()
    with pytest.raises(Refusal) as refused:
        told.append(room.play_turn(cause(ANN), seat, ply, move, 30))
    assert refused.value.code is code
    assert told == []
    assert (room.log, room.position) == (log, position)


def test_the_server_takes_a_seat_out_once() -> None:
    room = begun()
    assert kinds(partial(room.withdraw, 0, "time", 30)) == ["withdrew"]
    assert kinds(partial(room.withdraw, 0, "time", 40)) == []
    assert kinds(partial(room.withdraw, 1, "time", 40)) == []
