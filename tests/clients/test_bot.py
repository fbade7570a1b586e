"""Bot: the one loop that all brains share."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tablero import Bot, Event, Refused, Turn
from tablero.bot import Failure, Resign, Thought, attempt
from tablero_games import GAMES, Outcome, Seat
from tablero_protocol.messages import NextPlayer
from tests.harness.bots import First, a_turn
from tests.harness.rig import turn as told


class FakeTable:
    """A room that thinks and answers only when the test says so."""

    game = "tic-tac-toe"
    options: Mapping[str, Any] = {}

    def __init__(self) -> None:
        self.next_player: Event[NextPlayer] = Event()
        self.thinking: list[Callable[[], None]] = []
        self.played: list[tuple[Seat, int, str]] = []
        self.answer: Callable[[Refused | None], None] = lambda _: None
        self.failures: list[Failure] = []
        self.resigned: list[Seat] = []

    def think(self, bot: Bot, turn: Turn, done: Callable[[Thought], None]) -> None:
        self.thinking.append(lambda: done(attempt(bot.choose, turn)))

    def drop_token(self, seat: Seat, ply: int, move: str, done: Callable[[Refused | None], None]) -> None:
        self.played.append((seat, ply, move))
        self.answer = done

    def give_up(self, seat: Seat, failure: Failure | None) -> None:
        if failure is None:
            self.resigned.append(seat)
        else:
            self.failures.append(failure)

    def tell(self, cells: str = ".........", seat: Seat = 0, **more: Any) -> None:
        event = told(1, cells, seat=seat, **more)
        assert isinstance(event, NextPlayer)
        self.next_player.emit(event)

    def think_once(self) -> None:
        self.thinking.pop(0)()


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def bot(table: FakeTable) -> First:
    bot = First()
    bot.init(table, 0)
    return bot


def test_init_subscribes_play_turn_to_next_player_and_disconnect_unsubscribes_it(table: FakeTable) -> None:
    bot = First()
    bot.init(table, 0)
    assert table.next_player.wanted
    assert (bot.player, bot.difficulty_level, bot.trigger_event) == (0, "first", table.next_player)
    bot.disconnect()
    assert not table.next_player.wanted
    bot.disconnect()
    bot.drop_token("a1")
    assert table.played == []


@pytest.mark.parametrize(
    ("cells", "seat", "thinks"),
    [
        pytest.param(".........", 0, True, id="its turn"),
        pytest.param("0........", 0, False, id="the rival's turn"),
        pytest.param(".........", 1, False, id="another seat's view"),
        pytest.param("000.11...", 0, False, id="the end"),
    ],
)
def test_it_thinks_only_when_it_is_its_turn(
    table: FakeTable, bot: First, cells: str, seat: Seat, thinks: bool
) -> None:
    table.tell(cells, seat=seat)
    assert bool(table.thinking) is thinks


def test_it_hears_once_how_its_game_ended(table: FakeTable) -> None:
    class Keen(First):
        def __init__(self) -> None:
            super().__init__()
            self.ends: list[Outcome] = []

        def on_end(self, outcome: Outcome) -> None:
            self.ends.append(outcome)

    bot = Keen()
    bot.init(table, 0)
    over = {"kind": "win", "winners": [1], "reason": "line", "scores": None, "ranking": None}
    table.tell(seats=[1])
    for seat in (1, 0, 0):
        table.tell(seat=seat, seats=[], outcome=over)
    assert [(outcome.winners, outcome.reason) for outcome in bot.ends] == [(frozenset({1}), "line")]


def test_the_chosen_move_is_dropped_at_the_ply_of_its_turn(table: FakeTable, bot: First) -> None:
    table.tell("01.......")
    table.think_once()
    assert table.played == [(0, 2, "c1")]


def test_after_its_move_it_waits_for_the_next_turn(table: FakeTable, bot: First) -> None:
    table.tell()
    table.think_once()
    table.tell("0........")
    table.answer(None)
    assert table.thinking == []
    table.tell("01.......")
    table.think_once()
    assert [ply for _, ply, _ in table.played] == [0, 2]


def test_at_most_one_thought_runs(table: FakeTable, bot: First) -> None:
    for _ in range(3):
        table.tell()
    assert len(table.thinking) == 1


def test_no_second_move_is_under_way_before_the_first_is_answered(table: FakeTable, bot: First) -> None:
    table.tell()
    table.think_once()
    table.tell()
    assert table.thinking == []
    table.answer(None)
    assert len(table.thinking) == 1


def test_a_thought_about_a_position_that_is_gone_is_thought_again(table: FakeTable, bot: First) -> None:
    table.tell()
    table.tell("01.......")
    table.think_once()
    assert table.played == []
    table.think_once()
    assert table.played == [(0, 2, "c1")]


def test_none_means_to_wait(table: FakeTable, bot: First) -> None:
    bot.moves = [None]
    table.tell()
    table.think_once()
    assert (table.played, table.thinking) == ([], [])
    table.tell()
    table.think_once()
    assert table.played == [(0, 0, "a1")]


def test_none_thinks_at_once_about_what_came_meanwhile(table: FakeTable, bot: First) -> None:
    bot.moves = [None]
    table.tell()
    table.tell()
    table.think_once()
    assert len(table.thinking) == 1


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        pytest.param(ZeroDivisionError("by zero"), "ZeroDivisionError: by zero", id="raises"),
        pytest.param(3, "TypeError: choose returned 3", id="returns no text"),
    ],
)
def test_a_bot_that_crashes_gives_up(table: FakeTable, bot: First, move: Any, sentence: str) -> None:
    bot.moves = [move]
    table.tell()
    table.think_once()
    assert [failure.kind for failure in table.failures] == ["crashed"]
    assert table.failures[0].sentence.startswith(sentence)
    assert table.failures[0].said == f"I crashed ({sentence.partition(':')[0]}) and resign."


def test_a_crash_says_where(table: FakeTable, bot: First) -> None:
    bot.moves = [ZeroDivisionError("by zero")]
    table.tell()
    table.think_once()
    assert "bots.py, line" in table.failures[0].sentence


def test_a_bot_that_raises_resign_resigns_and_nothing_failed(table: FakeTable, bot: First) -> None:
    bot.moves = [Resign()]
    table.tell()
    table.think_once()
    assert (table.resigned, table.failures) == ([0], [])


@pytest.mark.parametrize(
    ("code", "gives_up", "thinks_again"),
    [
        ("illegalMove", True, False),
        ("badMessage", True, False),
        ("stale", False, False),
        ("notYourTurn", False, False),
        ("gameOver", False, False),
        ("rateLimited", False, True),
        ("retryLater", False, True),
    ],
)
def test_what_a_refusal_means(
    table: FakeTable, bot: First, code: str, gives_up: bool, thinks_again: bool
) -> None:
    table.tell()
    table.think_once()
    table.answer(Refused(code, "No."))
    said = [failure.said for failure in table.failures]
    assert said == (["I played an illegal move and resign."] if gives_up else [])
    assert bool(table.thinking) is thinks_again


def test_a_game_that_has_had_all_its_turns_is_resigned_and_is_nobodys_fault(
    table: FakeTable, bot: First
) -> None:
    table.tell()
    table.think_once()
    table.answer(Refused("roomFull", "This game reached its limit of 10000 turns; offer a draw, or resign."))
    assert (table.resigned, table.failures) == ([0], [])


def test_an_illegal_move_on_a_board_that_changed_meanwhile_is_nobodys_fault(
    table: FakeTable, bot: First
) -> None:
    table.tell()
    table.think_once()
    table.tell("01.......")
    table.answer(Refused("illegalMove", "Occupied."))
    assert table.failures == []
    table.think_once()
    assert table.played[-1] == (0, 2, "c1")


def test_what_it_still_thinks_after_disconnect_is_not_played(table: FakeTable, bot: First) -> None:
    table.tell()
    bot.disconnect()
    table.think_once()
    assert table.played == []


def test_a_thought_from_another_table_is_not_played_at_this_one(table: FakeTable, bot: First) -> None:
    table.tell()
    bot.disconnect()
    elsewhere = FakeTable()
    bot.init(elsewhere, 0)
    elsewhere.tell("01.......")
    table.think_once()
    assert elsewhere.played == []
    elsewhere.think_once()
    assert elsewhere.played == [(0, 2, "c1")]


def test_an_answer_after_disconnect_changes_nothing(table: FakeTable, bot: First) -> None:
    table.tell()
    table.think_once()
    bot.disconnect()
    table.answer(Refused("illegalMove", "No."))
    assert table.failures == []


def test_what_travels_of_a_bot_is_all_but_its_table(table: FakeTable, bot: First) -> None:
    bot.moves = ["b2"]
    table.tell()
    table.tell()
    state = pickle.loads(pickle.dumps(bot.__getstate__()))
    assert (state["player"], state["difficulty_level"], state["moves"]) == (0, "first", ["b2"])
    assert not state.keys() & {"_room", "_busy", "_newer", "trigger_event"}


# Turn


def test_a_turn_says_how_long_the_thought_may_take(table: FakeTable, bot: First) -> None:
    class Quick(First):
        limit_seconds = 0.5

    for each in (bot, quick := Quick()):
        each.init(table, 0)
    table.tell()
    table.think_once()
    table.think_once()
    assert (bot.turns[0].seconds, quick.turns[0].seconds) == (10.0, 0.5)


def test_a_turn_has_the_position_and_computes_legal_moves_that_were_not_sent() -> None:
    turn = a_turn("01.......", last={"seat": 1, "move": "b1"}, clocks=[1000, 2000])
    assert turn.position == GAMES["tic-tac-toe"].from_view({"cells": "01......."})
    assert list(turn.legal_moves) == ["c1", "a2", "b2", "c2", "a3", "b3", "c3"]
    assert (turn.seat, turn.ply, turn.view["cells"], turn.clocks) == (0, 2, "01.......", [1000, 2000])
    assert turn.last is not None
    assert turn.last.move == "b1"


def test_legal_moves_that_were_sent_are_taken_as_they_are() -> None:
    assert a_turn(legalMoves=["c3"]).legal_moves == ["c3"]


# Levels


def test_the_level_is_the_class_name_unless_it_says_another() -> None:
    class Clever(Bot):
        game = "tic-tac-toe"

    class Cleverer(Clever):
        level = "best"

    class Cleverest(Cleverer):
        pass

    assert [each.level for each in (Clever, Cleverer, Cleverest)] == ["clever", "best", "cleverest"]


def test_a_bot_must_choose() -> None:
    with pytest.raises(NotImplementedError):
        Bot().choose(a_turn())
