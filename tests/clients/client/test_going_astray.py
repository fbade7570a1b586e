"""A client notices by a hash that it has gone astray, and comes back to the truth by itself."""

from __future__ import annotations

from typing import Any

from tablero_protocol.state_hash import state_hash
from tests.harness.rig import ANA, BEN, Rig, message, table, turn


def test_a_turn_that_is_not_what_its_hash_says_is_not_applied_and_a_snapshot_heals() -> None:
    rig = Rig()
    turns: list[Any] = []
    rig.room(ANA, BEN, seq=1).next_player.subscribe(turns.append)
    rig.sent()
    rig.tell(turn(2, "....0....", hash="00000000"))
    assert turns == []
    resume = rig.one("resume")
    assert (resume["room"], resume["epoch"]) == ("r1", "?")
    fresh = turn(2, "....0....", hash=state_hash([1], {"cells": "....0...."})).model_dump(by_alias=True)
    snapshot = {"type": "snapshot", "room": "r1", "epoch": "e1", "seq": 2, "table": table(ANA, BEN)}
    rig.tell(message(**snapshot, turns=[fresh], re=resume["id"]))
    assert [told.view["cells"] for told in turns] == ["....0...."]
    rig.tell(turn(3, "1...0...."))
    assert len(turns) == 2


def test_a_turn_with_its_right_hash_is_applied_like_any_other() -> None:
    rig = Rig()
    turns: list[Any] = []
    rig.room(ANA, BEN, seq=1).next_player.subscribe(turns.append)
    rig.tell(turn(2, "....0....", hash=state_hash([1], {"cells": "....0...."})))
    assert len(turns) == 1
