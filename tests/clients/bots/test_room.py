"""A place in a hosted room: how long a thought may take there, and that it ends with the game."""

from __future__ import annotations

from typing import Any

import pytest

from tablero import Bot
from tablero.bots.pace import SPREAD, Pace
from tablero.bots.pool import Pool
from tablero.bots.room import HostedRoom, seconds_for
from tablero.bots.workers import BrainState
from tablero.dice import dice
from tablero_games import GAMES, Outcome
from tablero_protocol.messages import Clock, ServerMessage
from tests.harness.bots import FakeWorkers, First, a_turn
from tests.harness.rig import ANA, BEN, HARD, Json, Rig, message, turn

US = {**ANA, "bot": True}
SERVER_TIME = 1_000_000


class Hosted(Rig):
    """A room in which Ana's bot plays against Ben, or alone."""

    def __init__(self, bot: Bot, pace: float = 0, rival: Json | None = BEN, **more: Any) -> None:
        super().__init__()
        self.workers = FakeWorkers()
        self.tell(message(type="pong", re="-", now=SERVER_TIME, heads={}))
        room = self.room(US, *([] if rival is None else [rival]), **more)
        self.hosted = HostedRoom(
            self.client, room, Pool(self.workers), Pace(dice(1), {"": pace}), greets=False
        )
        self.hosted.seat(bot, 0)
        self.sent()

    def seconds_to_move(self, *events: ServerMessage) -> float:
        """How long after these events it plays, if that is a minute at most."""
        began = self.shell.time
        self.tell(*events)
        self.think()
        while "playTurn" not in self.sent_types():
            assert self.shell.time < began + 60
            self.shell.pass_time(0.01)
        return self.shell.time - began


def is_stopped(brain: BrainState) -> bool:
    return not brain.begin(None)  # type: ignore[arg-type]  # it is not asked for anything


@pytest.mark.parametrize(
    ("left", "increment", "seconds"),
    [
        (None, 0, 8.0),
        (600_000, 0, 8.0),
        (64_000, 0, 4.0),
        (64_000, 2, 6.0),
        (1_600, 0, 0.1),
        (1_600, 5, 1.1),
        (300, 5, 0.0),
    ],
)
def test_a_thought_takes_as_long_as_its_limit_and_its_clock_allow(
    left: int | None, increment: int, seconds: float
) -> None:
    clock = None if left is None else Clock(base=600, increment=increment)
    clocks = None if left is None else [left, 1]
    assert seconds_for(a_turn(seat=0, clocks=clocks), 8.0, clock, 0) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("first_move", "waited", "seconds"), [(30_000, 0, 8.0), (6_000, 0, 5.5), (6_000, 4_000, 1.5), (300, 0, 0)]
)
def test_a_first_move_has_a_time_of_its_own(first_move: int, waited: int, seconds: float) -> None:
    a_move = a_turn(seat=0, clocks=[600, 600], firstMove=first_move, at=SERVER_TIME)
    clock = Clock(base=1, increment=0)
    assert seconds_for(a_move, 8.0, clock, SERVER_TIME + waited) == pytest.approx(seconds)


@pytest.mark.parametrize(("left", "seconds"), [(60_000, 8.0), (6_000, 5.5), (300, 0.0)])
def test_a_clock_for_each_move_may_be_used_up(left: int, seconds: float) -> None:
    a_move = a_turn(seat=0, clocks=[left, 1])
    assert seconds_for(a_move, 8.0, Clock(per_move=60), 0) == pytest.approx(seconds)


def test_a_clock_that_ran_while_the_bot_was_away_leaves_it_less_to_think() -> None:
    rig = Hosted(First(), clock={"base": 600, "increment": 0})
    rig.tell(turn(2, clocks=[80_000, 600_000], at=SERVER_TIME - 64_000))
    rig.think()
    assert rig.workers.seconds == [pytest.approx(1.0)]


def test_a_bundled_brain_thinks_in_a_process() -> None:
    rig = Hosted(First())
    rig.tell(turn(2))
    rig.think()
    assert rig.one("playTurn")["move"] == "c1"
    assert rig.workers.seconds == [10.0]


def test_a_brain_of_ones_own_thinks_in_this_one() -> None:
    class Own(First):
        pass

    rig = Hosted(Own())
    rig.tell(turn(2))
    rig.think()
    assert rig.one("playTurn")["move"] == "a1"
    assert rig.workers.brains == []


@pytest.mark.parametrize("how", ["the game is over", "the room is gone"])
def test_nobody_thinks_about_a_game_that_is_over(how: str) -> None:
    rig = Hosted(First())
    rig.tell(turn(2))
    rig.think()
    [brain] = rig.workers.brains
    assert not is_stopped(brain)
    if how == "the game is over":
        rig.tell(turn(3, "000.11..."))
    else:
        rig.tell(message(type="left", room="r1", seq=3, player=ANA, reason="gone"))
    assert is_stopped(brain)


# The pace against people

USUAL = First.pace_seconds
AROUND = pytest.approx(USUAL, abs=USUAL * SPREAD + 0.02)


def test_against_a_person_a_move_takes_a_moment_each_time_another() -> None:
    rig = Hosted(First(), 1)
    rig.tell(turn(2))
    rig.think()
    rig.shell.pass_time(USUAL * (1 + SPREAD))
    own = rig.one("playTurn")
    again = rig.seconds_to_move(turn(3, "..0......", seats=[1], re=own["id"]), turn(4, "1.0......"))
    first = Hosted(First(), 1).seconds_to_move(turn(2))
    assert first == AROUND
    assert again == AROUND
    assert first != again


def test_between_bots_no_time_is_lost_whoever_watches() -> None:
    rig = Hosted(First(), 1, rival=HARD)
    rig.tell(message(type="joined", room="r1", seq=2, player=BEN))
    assert rig.seconds_to_move(turn(3)) == 0


@pytest.mark.parametrize(("watches", "least"), [(True, USUAL * (1 - SPREAD)), (False, 0.0)])
def test_alone_a_bot_can_be_followed_by_those_who_watch(watches: bool, least: float) -> None:
    rig = digger("solo", rival=None)
    if watches:
        rig.tell(message(type="joined", room="r1", seq=2, player=BEN))
    assert least <= rig.seconds_to_move(mines(2 + watches, 0, 0)) <= 2.5 * least


def test_the_time_that_a_thought_took_counts() -> None:
    rig = Hosted(First(), 1)
    rig.tell(turn(2))
    rig.shell.pass_time(USUAL / 2)
    rig.think()
    assert rig.sent_types() == []
    rig.shell.pass_time(USUAL * (1 / 2 + SPREAD))
    assert rig.one("playTurn")["move"] == "c1"


@pytest.mark.parametrize(("left", "at_most"), [(1_600, 0.1), (800, 0.05), (400, 0.0)])
def test_no_clock_runs_out_for_the_pace(left: int, at_most: float) -> None:
    rig = Hosted(First(), 1, clock={"base": 60, "increment": 0})
    took = rig.seconds_to_move(turn(2, clocks=[left, 60_000], at=SERVER_TIME))
    assert at_most - 0.01 <= took <= at_most + 0.02


def test_who_leaves_is_not_played_slowly_against() -> None:
    rig = Hosted(First(), 1)
    rig.tell(turn(2, seats=[1]), message(type="left", room="r1", seq=3, player=BEN, reason="left"))
    assert rig.seconds_to_move(turn(4, "01.......")) == 0


def mines(seq: int, ply: int, *seats: int) -> ServerMessage:
    view = GAMES["minesweeper"].start().view(0)
    return message(type="nextPlayer", room="r1", seq=seq, ply=ply, seat=0, seats=list(seats), view=view)


def digger(mode: str, **more: Any) -> Hosted:
    return Hosted(First(), 1, game="minesweeper", options={"mode": mode, "level": "beginner"}, **more)


def test_in_a_race_each_dig_takes_its_time_whatever_the_others_do() -> None:
    rig = digger("race")
    rig.tell(mines(2, 0, 0, 1))
    rig.shell.pass_time(USUAL / 2)
    rig.tell(mines(3, 0, 0, 1))
    assert rig.seconds_to_move(mines(4, 0, 0, 1)) == pytest.approx(USUAL / 2, abs=SPREAD * USUAL + 0.02)


def test_in_a_race_whoever_is_out_does_not_wait_for_the_end_at_a_human_pace() -> None:
    rig = digger("race")
    assert rig.seconds_to_move(mines(2, 0, 0)) == 0


def test_in_a_coop_a_quick_partner_does_not_keep_it_from_digging() -> None:
    rig = digger("coop")
    rig.tell(mines(2, 0, 0, 1))
    for ply in range(1, 20):
        rig.think()
        rig.shell.pass_time(USUAL / 10)
        rig.think()
        rig.tell(mines(2 + ply, ply, 0, 1))
    assert rig.one("playTurn")["ply"] in range(7, 15)


def test_a_game_that_ends_while_a_move_is_held_gets_no_move() -> None:
    rig = digger("race")
    rig.tell(mines(2, 0, 0, 1))
    rig.think()
    rig.tell(mines(3, 0).model_copy(update={"outcome": Outcome("loss", frozenset(), "out").to_json()}))
    rig.shell.pass_time(10)
    assert "playTurn" not in rig.sent_types()


def test_a_bot_that_gets_up_leaves_the_turns_to_its_host() -> None:
    hosted = Hosted(First())
    hosted.hosted.get_up_from(0)
    assert "unsubscribe" not in hosted.sent_types()
