"""One table as a picture."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.table_view.table import TableView, clock_text
from tablero_games import GAMES
from tablero_protocol.messages import NextPlayer, PastTurn
from tests.harness.rig import ANA, BEN, Json, Rig, joined, message, turn


class Shown(Rig):
    """A table at which Ana sits, as it is shown."""

    def __init__(self, *seats: Json, **more: Any) -> None:
        super().__init__()
        self.seated = self.room(*seats, **more)
        self.view = TableView(self.seated)
        self.played_ahead: list[str | None] = []
        self.seated.next_player.subscribe(lambda turn: self.played_ahead.append(self.view.hear(turn)))

    def hears(self, seq: int, cells: str = ".........", **more: Any) -> NextPlayer:
        told = turn(seq, cells, **more)
        assert isinstance(told, NextPlayer)
        self.tell(told)
        return told


def test_the_cursor_chooses_a_move() -> None:
    shown = Shown()
    assert shown.view.choose() is None
    shown.hears(2)
    assert shown.view.cursor == "b2"
    shown.view.walk(1, 1)
    assert shown.view.choose() == "c3"
    shown.view.point_at("a1")
    assert shown.view.choose() == "a1"


def test_what_may_be_played_is_shown_on_our_turn_alone() -> None:
    shown = Shown()
    shown.hears(2, "0........")
    board = shown.view.board(80, 24, "ascii")
    assert not shown.view.marks(board).legal
    shown.hears(3, "01.......", last={"seat": 1, "move": "b1"})
    marks = shown.view.marks(shown.view.board(80, 24, "ascii"))
    assert len(marks.legal) == 7
    assert (marks.last, marks.cursor) == ("b1", "b2")


def test_what_is_played_ahead_is_played_on_our_turn() -> None:
    shown = Shown()
    shown.hears(2, "0........")
    assert shown.view.choose() is None
    assert shown.view.premove == "b2"
    shown.hears(3, "01.......")
    assert shown.played_ahead[-1] == "b2"
    assert shown.view.premove is None


def test_what_is_played_ahead_is_dropped_when_it_cannot_be_played() -> None:
    shown = Shown()
    shown.hears(2, "0........")
    shown.view.play_or_wait("b1")
    shown.hears(3, "01.......")
    assert shown.played_ahead[-1] is None
    assert shown.view.premove is None


def test_playing_ahead_can_be_cancelled_and_switched_off() -> None:
    shown = Shown()
    shown.hears(2, "0........")
    shown.view.choose()
    assert shown.view.cancel()
    assert not shown.view.cancel()
    shown.view.choose()
    shown.view.choose()
    assert shown.view.premove is None
    shown.view.premoves_on = False
    assert shown.view.choose() == "b2"  # the server says that it is not our turn


def test_what_another_device_plays_is_not_played_ahead_here_but_at_once() -> None:
    shown = Shown()
    shown.hears(2, "0........")
    assert shown.view.choose() is None
    assert shown.view.premove == "b2"
    shown.hears(3, "01.......", seat=None)
    assert shown.view.is_elsewhere
    assert shown.view.premove is None
    shown.view.point_at("c3")
    assert shown.view.choose() == "c3"
    shown.hears(3, "01.......")
    assert not shown.view.is_elsewhere


def test_who_only_watches_chooses_nothing() -> None:
    shown = Shown(BEN, {"id": "cy", "name": "Cy"})
    shown.hears(2, seat=None)
    assert shown.view.choose() is None
    assert shown.view.marks(shown.view.board(80, 24, "ascii")).cursor is None


def test_one_steps_back_while_the_game_goes_on() -> None:
    shown = Shown()
    shown.hears(2)
    shown.hears(3, "0........", last={"seat": 0, "move": "a1"})
    shown.hears(4, "01.......", last={"seat": 1, "move": "b1"})
    shown.view.step(-1)
    assert shown.view.view["cells"] == "0........"
    assert shown.view.marks(shown.view.board(80, 24, "ascii")).last == "a1"
    shown.hears(5, "01.0.....", last={"seat": 0, "move": "a2"})
    assert shown.view.view["cells"] == "0........"
    shown.view.step(-5)
    assert shown.view.at == 0
    cursor = shown.view.cursor
    shown.view.walk(1, 0)
    assert shown.view.cursor == cursor
    shown.view.step(9)
    assert shown.view.at is None
    assert [moment.move for moment in shown.view.moments.values()] == [None, "a1", "b1", "a2"]
    shown.view.step(-2)
    assert shown.view.choose() is None  # the first key only goes back to the game
    assert shown.view.at is None


def test_the_cursor_of_quoridor_does_not_stay_on_a_wall_that_stands() -> None:
    shown = Shown(game="quoridor")
    start = GAMES["quoridor"].start()
    walled = start.play(0, "e3h").play(1, "e8")
    for seq, position in ((2, start), (3, walled)):
        view, ply = position.view(0), (0 if position is start else 2)
        fields = {"ply": ply, "seats": [0], "view": view, "seat": 0}
        shown.tell(message(type="nextPlayer", room="r1", seq=seq, **fields))
        assert shown.view.cursor == "e2"
        shown.view.point_at("e3h")


def test_seats_have_clocks_facts_and_who_is_away() -> None:
    shown = Shown(seq=1)
    shown.hears(2, clocks=[60_000, 9_400], at=0)
    shown.tell(message(type="away", room="r1", player=BEN, seats=[1], until=43_000))
    ana, ben = shown.view.seats(0)
    assert [ana.player, ben.player] == shown.seated.table.seats
    assert (ana.is_ours, ana.to_move, ana.clock, ana.away) == (True, True, "1:00", None)
    assert (ben.is_ours, ben.to_move, ben.clock) == (False, False, "0:09.4")
    shown.seated.members.subscribe(lambda _: None)
    shown.tell(message(type="away", room="r1", player=BEN, seats=[1], until=43_000))
    assert shown.view.seats(0)[1].away == 43


def test_what_a_seat_has_is_read_off_the_board() -> None:
    shown = Shown(game="quoridor")
    view = GAMES["quoridor"].start().play(0, "e3h").view(0)
    shown.tell(message(type="nextPlayer", room="r1", seq=2, ply=1, seats=[1], view=view, seat=0))
    seats = shown.view.seats(0, shown.view.board())
    assert [seat.facts for seat in seats] == [shown.view.board().facts(seat) for seat in (0, 1)]
    assert all(seat.facts for seat in seats)


def test_a_position_that_is_looked_at_changes_if_it_is_told_anew() -> None:
    shown = Shown()
    shown.hears(2)
    shown.hears(3, "0........", last={"seat": 0, "move": "a1"})
    shown.hears(4, "01.......", last={"seat": 1, "move": "b1"})
    shown.view.step(-1)
    shown.hears(5, "0........", ply=1, last={"seat": 1, "tookBack": 1})
    assert (shown.view.at, shown.view.last_move) == (1, None)


def test_a_free_seat_has_no_name() -> None:
    rig = Rig()
    rig.tell(joined(ANA, None, state="waiting"))
    view = TableView(rig.client.rooms["r1"])
    assert [seat.player and seat.player.name for seat in view.seats(0)] == ["Ana", None]
    assert view.first_target() is None
    view.walk(1, 0)
    view.switch()
    view.rotate()
    view.go_to_unknown()
    view.step(-1)
    assert view.cursor is None
    assert not view.is_begun


def test_seat_one_of_quoridor_sees_its_own_side_below() -> None:
    shown = Shown(BEN, ANA)
    shown.hears(2, seat=1)
    assert shown.view.board().turned
    shown.view.turned_by_hand = True
    assert not shown.view.board().turned


@pytest.mark.parametrize(
    ("left", "text"),
    [
        (0, "0:00.0"),
        (1, "0:00.1"),
        (9_400, "0:09.4"),
        (20_000, "0:20"),
        (59_001, "1:00"),
        (299_000, "4:59"),
        (3_661_000, "1:01:01"),
        (3 * 86_400_000, "3 d 0 h"),
    ],
)
def test_a_clock_has_tenths_near_its_end(left: int, text: str) -> None:
    assert clock_text(left) == text


def past(ply: int, seat: int, **deed: Any) -> PastTurn:
    return PastTurn(seq=ply + 2, ply=ply, at=0, seat=seat, **deed)


def test_what_was_played_before_we_came_is_worked_out() -> None:
    shown = Shown()
    shown.hears(2, "01.0.....", last={"seat": 0, "move": "a2"})
    shown.view.fill_in([past(1, 0, move="a1"), past(2, 1, move="b1"), past(3, 0, move="a2")])
    worked_out = sorted(shown.view.moments.items())
    assert [(ply, moment.move, moment.view["cells"]) for ply, moment in worked_out] == [
        (0, None, "........."),
        (1, "a1", "0........"),
        (2, "b1", "01......."),
        (3, "a2", "01.0....."),
    ]
    shown.view.step(-1)
    assert (shown.view.at, shown.view.last_move) == (2, "b1")


def test_what_was_heard_stays() -> None:
    shown = Shown()
    shown.hears(2, "0........", last={"seat": 0, "move": "a1"})
    kept = shown.view.moments[1]
    shown.view.fill_in([past(1, 0, move="a1")])
    assert shown.view.moments[1] is kept


def test_a_takeback_is_a_position_of_its_own() -> None:
    view = Shown().view
    view.fill_in([past(1, 0, move="a1"), past(2, 0, took_back=1)])
    assert [view.moments[ply].view["cells"] for ply in range(3)] == [".........", "0........", "........."]


@pytest.mark.parametrize(
    ("game", "options", "deed"),
    [
        ("minesweeper", {}, "dig a1"),
        ("go", {}, "a1"),
        ("tic-tac-toe", {"size": 4}, "a1"),
    ],
)
def test_what_cannot_be_worked_out_is_left_out(game: str, options: Json, deed: str) -> None:
    view = Shown(game=game, options=options).view
    view.fill_in([past(1, 0, move=deed)])
    assert view.moments == {}


def test_what_the_rules_refuse_ends_what_is_worked_out() -> None:
    view = Shown().view
    view.fill_in([past(1, 0, withdrew="resign"), past(1, 0, move="z9"), past(1, 0, move="a1")])
    assert list(view.moments) == [0]
