"""What a room gives away of its game as a record, and what it keeps."""

from __future__ import annotations

import pytest

from tablero_games.record.file import Record, read, write
from tablero_games.record.verify import verify
from tablero_server.core.refusal import Refusal
from tablero_server.http.export import export
from tests.harness.desk import Desk, Peer
from tests.harness.desk_games import COOP, RACE, race


def told(desk: Desk, room: str, *seats: int) -> Record:
    text = write(export(desk.room(room), seats))
    assert verify(text).valid, str(verify(text))
    return read(text)


def moves(record: Record) -> list[tuple[int | None, str | None]]:
    return [(turn.seat, turn.move) for turn in record.turns]


def dig(desk: Desk, peer: Peer, room: str, seat: int, *, mine: bool = False) -> str:
    """A safe dig, or one into a mine; gives the move."""
    position = desk.room(room).position
    assert position is not None
    digs = (move for move in position.legal_moves(seat) if move.startswith("dig"))
    move = next(move for move in digs if (seat not in position.play(seat, move).to_move) == mine)
    assert peer.play(room, move, seat)["type"] == "nextPlayer"
    return move


def test_a_game_is_told_to_its_end() -> None:
    ann, bob, room = (desk := Desk()).pair(clock={"base": 60, "increment": 0})
    for peer, move in ((ann, "A1"), (bob, "b1"), (ann, "a2"), (bob, "b2"), (ann, "a3")):
        desk.tick(1000)
        peer.play(room, move)
    record = told(desk, room)
    assert record.header.names == ["ann", "bob"]
    assert (record.header.room, record.header.epoch) == (room, desk.room(room).epoch)
    assert record.header.clock == {"base": 60, "increment": 0}
    assert moves(record) == [(0, "a1"), (1, "b1"), (0, "a2"), (1, "b2"), (0, "a3")]
    assert [turn.at for turn in record.turns] == [1000, 2000, 3000, 4000, 5000]
    assert all(len(turn.clocks or []) == 2 for turn in record.turns)
    assert (record.closing.outcome or {})["winners"] == [0]


def test_a_running_game_without_secrets_is_told_to_anybody() -> None:
    ann, _, room = (desk := Desk()).pair("quoridor")
    ann.play(room, "e2")
    record = told(desk, room)
    assert moves(record) == [(0, "e2")]
    assert not record.sealed


def test_a_resignation_and_an_agreed_draw_are_turns() -> None:
    ann, bob, room = (desk := Desk()).pair()
    bob.ask("resign", room=room, seat=1)
    assert [turn.withdrew for turn in told(desk, room).turns] == ["resign"]
    ann, bob, room = (desk := Desk()).pair()
    ann.ask("offer", room=room, seat=0, what="draw")
    bob.ask("offer", room=room, seat=1, what="draw")
    assert [turn.drawn for turn in told(desk, room).turns] == [True]


def test_a_pause_and_added_time_are_told() -> None:
    ann, bob, room = (desk := Desk()).pair(clock={"base": 60, "increment": 0})
    for what in ("pause", "continue"):
        desk.tick(1000)
        ann.ask("offer", room=room, seat=0, what=what)
        bob.ask("offer", room=room, seat=1, what=what)
    bob.ask("addTime", room=room, seat=1)
    ann.play(room, "a1")
    paused, continued, added, moved = told(desk, room).turns
    assert (paused.paused, paused.seat, paused.at, paused.clocks) == (900_000, None, 1000, [59_000, 60_000])
    assert (continued.continued, continued.seat, continued.at) == (True, None, 2000)
    assert (added.added_time, added.seat, added.clocks) == (15_000, 1, [74_000, 60_000])
    assert moved.deeds == ["move"]


def test_a_race_that_is_paused_is_sealed_like_any() -> None:
    desk = Desk()
    ann, bob, room = desk.pair("minesweeper", options=RACE, seats=2, clock={"base": 60})
    ann.ask("offer", room=room, seat=0, what="pause")
    bob.ask("offer", room=room, seat=1, what="pause")
    record = told(desk, room)
    assert record.sealed
    assert [turn.deeds for turn in record.turns] == [["paused"]]


def test_there_is_no_record_before_the_start() -> None:
    desk = Desk()
    room = desk.peer("ann").create()
    with pytest.raises(Refusal, match="notStarted"):
        export(desk.room(room), ())


def test_a_bot_is_named_with_its_level() -> None:
    desk = Desk()
    ann, house = desk.peer("ann"), desk.house("tic-tac-toe:hard")
    room = ann.create()
    ann.ask("invite", room=room, seat=1, bot="tic-tac-toe:hard")
    [invited] = house.of("invited")
    house.ask("join", room=room, seat=1, invite=invited["invite"])
    assert told(desk, room).header.names[0] == "ann"
    assert "house" in str(told(desk, room).header.names[1])
    assert "hard" in str(told(desk, room).header.names[1])


# What is hidden


def test_of_a_running_race_everybody_gets_their_own_moves_alone() -> None:
    desk = Desk()
    (ann, bob), room = race(desk)
    first, second = dig(desk, ann, room, 0), dig(desk, bob, room, 1)
    assert moves(told(desk, room, 0)) == [(0, first), (1, None)]
    assert moves(told(desk, room, 1)) == [(0, None), (1, second)]
    assert moves(told(desk, room)) == [(0, None), (1, None)]
    assert moves(told(desk, room, 0, 1)) == [(0, first), (1, second)]


def test_who_is_out_still_learns_nothing_that_is_of_use_to_the_others() -> None:
    desk = Desk()
    (ann, bob, _), room = race(desk, seats=3)
    lost = dig(desk, ann, room, 0, mine=True)
    dig(desk, bob, room, 1)
    record = told(desk, room, 0)
    assert record.sealed
    assert moves(record) == [(0, lost), (1, None)]


@pytest.mark.parametrize("options", [RACE, COOP], ids=["race", "coop"])
def test_a_running_minefield_is_never_in_its_record(options: dict[str, object]) -> None:
    desk = Desk()
    (ann, _), room = race(desk, options)
    dig(desk, ann, room, 0)
    for seats in ((), (0,), (1,), (0, 1)):
        text = write(export(desk.room(room), seats))
        seed = desk.room(room).seed
        for secret in (f"{seed >> 128:032x}", f"{seed % 2**128:032x}", f"{seed:x}", str(seed), '"prepared"'):
            assert secret not in text
        assert read(text).sealed


def test_together_every_move_is_seen_by_all() -> None:
    desk = Desk()
    (ann, _), room = race(desk, COOP)
    move = dig(desk, ann, room, 0)
    assert moves(told(desk, room)) == [(0, move)]


def test_after_the_end_all_is_open_to_all() -> None:
    desk = Desk()
    (ann, bob), room = race(desk)
    own = [(0, dig(desk, ann, room, 0)), (1, dig(desk, bob, room, 1))]
    own += [(0, dig(desk, ann, room, 0, mine=True)), (1, dig(desk, bob, room, 1, mine=True))]
    record = told(desk, room)
    assert moves(record) == own
    assert not record.sealed
    assert int(f"{record.closing.salt}{record.closing.seed}", 16) == desk.room(room).seed


def test_what_was_prepared_is_told_at_the_end() -> None:
    desk = Desk()
    (ann, _), room = race(desk, RACE | {"noGuess": True, "mode": "coop"})
    field = desk.room(room).prepared
    assert field is not None
    dig(desk, ann, room, 0)
    assert told(desk, room).closing.prepared is None
    dig(desk, ann, room, 0, mine=True)
    assert told(desk, room).closing.prepared == field
