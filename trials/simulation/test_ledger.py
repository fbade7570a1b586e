"""Tests of the ledger's own checks, in cases that evenings reach too seldom."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tablero_protocol.messages import Ok
from tablero_server.core.effects import Effects
from tablero_server.core.entry import Entry
from tablero_server.core.room.clock import DAY_MS
from tests.harness.desk import Desk
from tests.harness.simulated_loop import SimLoop
from trials.simulation.ledger import Ledger
from trials.simulation.witness import Witness
from trials.simulation.world import Broken, World

DAYS = {"days": 3}
OUTAGE_MS, GRACE_MS, LATER_MS = 3_600_000, 20_000, 5_000


class Restart:
    """A correspondence game in which both have moved, packed by a server that started an hour later."""

    def __init__(self) -> None:
        self.desk = desk = Desk()
        self.ann, bob = desk.peer("ann"), desk.peer("bob")
        self.room = self.ann.create("tic-tac-toe", clock=DAYS)
        bob.ask("join", code=desk.room(self.room).code, subscribe=["nextPlayer"])
        self.ann.play(self.room, "a1")
        bob.play(self.room, "b1")
        loop = SimLoop(Random(1), fifo=True)
        self.ledger = Ledger(
            World(1, loop),
            desk.hub.limits,
            lambda at: at / 1000,
            lambda: desk.now,
            lambda player, at: -1,
            lambda player, begun, at: -1,
        )
        loop.close()
        for entry in desk.journal[self.room]:
            self.write(entry)
        desk.now += desk.hub.limits.session_memory_ms
        desk.peer("eve").create("tic-tac-toe")  # a newer entry in another log makes the game an idle one
        desk.now += OUTAGE_MS
        desk.restart()
        assert self.room in desk.hub.rooms.packed
        self.ledger.server_began(desk.now)

    def write(self, entry: Entry) -> None:
        anonymous = entry._replace(cause=None)
        self.ledger.written(Effects(entries=[anonymous]))
        self.ledger.saved(Effects(entries=[anonymous]))

    def ann_says(self, later: int) -> Entry:
        self.desk.now += later
        ann = self.desk.back(self.ann)
        ann.ask("join", room=self.room)
        ann.ask("say", room=self.room, text="Hello!")
        return self.desk.journal[self.room][-1]


@pytest.mark.parametrize(("later", "charged"), [(LATER_MS, 0), (GRACE_MS + LATER_MS, LATER_MS)])
def test_the_clock_of_a_packed_game_stands_still_for_the_grace_after_a_restart(
    later: int, charged: int
) -> None:
    restart = Restart()
    before, said = restart.desk.journal[restart.room][-1], restart.ann_says(later)
    passed = said.at - later - before.at
    assert said.clocks == (3 * DAY_MS - passed - charged, 3 * DAY_MS)
    restart.write(said)


@pytest.mark.parametrize("wrong", [-1, 1])
def test_a_packed_game_is_charged_for_neither_more_nor_less(wrong: int) -> None:
    restart = Restart()
    said = restart.ann_says(GRACE_MS + LATER_MS)
    assert said.clocks is not None
    with pytest.raises(Broken, match="clock time is conserved"):
        restart.write(said._replace(clocks=(said.clocks[0] + wrong, said.clocks[1])))


def test_a_leave_leaves_an_entry_but_of_somebody_who_was_never_there() -> None:
    """The server had deleted the player, and treats the sender as a newcomer."""
    restart = Restart()
    wire, answer = {"type": "leave", "id": "l", "room": restart.room}, Ok(re="l", room=restart.room)

    def settled(player: str) -> None:
        session: Any = SimpleNamespace(welcome=SimpleNamespace(player=SimpleNamespace(id=player)))
        Witness(restart.ledger._world, restart.ledger, session).settled(wire, answer)

    settled("somebody-new")
    with pytest.raises(Broken, match="what is acknowledged is durable"):
        settled(restart.ann.player)
