"""A place in a hosted room: how long a thought may take there, and that it ends with the game."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tablero import Bot, Turn
from tablero.bot import Thought
from tablero.hosting.pool import Pool
from tablero.hosting.room import HostedRoom, seconds_for
from tablero.hosting.worker import BrainState
from tablero.hosting.workers import Workers
from tablero_protocol.messages import Clock
from tests.clients.test_bot import First, a_turn
from tests.harness.rig import ANA, BEN, Rig, message, turn

Thinking = Callable[[BrainState, Turn], Thought]


class FakeWorkers(Workers):
    """Processes that think as the test says, and note who thought."""

    def __init__(self, think: Thinking = lambda brain, turn: "c1") -> None:
        super().__init__(1, lambda spec: First)
        self.brains: list[BrainState] = []
        self.seconds: list[float] = []
        self._thinking = think

    def ask(self, brain: BrainState, turn: Turn, limit: float, since: float) -> Thought:
        self.brains.append(brain)
        self.seconds.append(turn.seconds)
        return self._thinking(brain, turn)


class Hosted(Rig):
    """A room in which Ana's bot plays against Ben."""

    def __init__(self, bot: Bot) -> None:
        super().__init__()
        self.workers = FakeWorkers()
        self.hosted = HostedRoom(self.client, self.room(ANA, BEN), Pool(self.workers))
        self.hosted.seat(bot, 0)
        self.sent()


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


def test_a_clock_that_ran_while_the_bot_was_away_leaves_it_less_to_think() -> None:
    rig = Rig()
    rig.tell(message(type="pong", re="-", now=1_000_000, heads={}))
    workers = FakeWorkers()
    room = rig.room(ANA, BEN, clock={"base": 600, "increment": 0})
    HostedRoom(rig.client, room, Pool(workers)).seat(First(), 0)
    rig.tell(turn(2, clocks=[80_000, 600_000], at=1_000_000 - 64_000))
    rig.think()
    assert workers.seconds == [pytest.approx(1.0)]


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
