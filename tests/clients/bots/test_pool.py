"""Where bots think: one question for all of them, and nobody thinks on when the game is over."""

from __future__ import annotations

import gc
import weakref
from threading import Event

from tablero import Bot, Turn
from tablero.bot import Failure
from tablero.bots.pool import Pool
from tests.harness.bots import FakeWorkers, First, a_turn


class Own(First):
    pass


def test_what_the_processes_know_thinks_there_and_all_else_here() -> None:
    workers = FakeWorkers(lambda brain, turn: "b2")
    pool = Pool(workers)
    assert [pool.think(bot, a_turn(), 10) for bot in (First(), Own())] == ["b2", "c1"]
    assert len(workers.brains) == 1


def test_without_processes_everybody_thinks_here() -> None:
    assert Pool().think(First(), a_turn(), 10) == "c1"


def test_a_bot_keeps_its_state_in_the_processes_from_turn_to_turn() -> None:
    workers = FakeWorkers()
    pool, bot = Pool(workers), First()
    for _ in range(2):
        pool.think(bot, a_turn(), 10)
    assert workers.brains[0] is workers.brains[1]


def test_whoever_was_stopped_thinks_no_more() -> None:
    workers = FakeWorkers()
    pool, bot, other = Pool(workers), First(), First()
    pool.stop(bot)
    assert pool.think(bot, a_turn(), 10) is None
    assert pool.think(other, a_turn(), 10) == "c1"


def test_a_bot_that_cannot_travel_has_crashed() -> None:
    bot = First()
    bot.moves.append(Event())
    thought = Pool(FakeWorkers()).think(bot, a_turn(), 10)
    assert isinstance(thought, Failure)
    assert thought.kind == "crashed"


def test_a_thought_that_never_ends_is_late() -> None:
    gate = Event()

    class Endless(First):
        def choose(self, turn: Turn) -> str | None:
            gate.wait(60)
            return None

    thought = Pool().think(Endless(), a_turn(), -2.9)
    gate.set()
    assert isinstance(thought, Failure)
    assert thought.kind == "timeout"


def test_a_bot_that_is_gone_is_not_remembered() -> None:
    pool, bot = Pool(FakeWorkers()), First()
    pool.think(bot, a_turn(), 10)
    gone: weakref.ref[Bot] = weakref.ref(bot)
    del bot
    gc.collect()
    assert gone() is None
