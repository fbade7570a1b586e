"""EstimatedServerTime and clocks_at: what is left now, and not when the turn began."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.client.server_time import EstimatedServerTime, clocks_at
from tablero_protocol.messages import NextPlayer
from tests.harness.rig import Rig, message, turn, welcome


def greeting(now: int) -> Any:
    return welcome(now=now)


def pong(now: int) -> Any:
    return message(type="pong", re="p", now=now, heads={})


def test_the_servers_time_goes_on_as_ours_does() -> None:
    time = EstimatedServerTime()
    assert time.at(5.0) == 0
    time.hear(greeting(1_000_000), 100.0)
    assert (time.at(100.0), time.at(107.5)) == (1_000_000, 1_007_500)


def test_the_message_that_was_fastest_tells_best() -> None:
    time = EstimatedServerTime()
    time.hear(greeting(1_000_000), 100.0)
    time.hear(pong(1_005_200), 105.0)
    assert time.at(105.0) == 1_005_200
    time.hear(pong(1_009_000), 110.0)  # this one was a second on its way
    assert time.at(110.0) == 1_010_200


def test_behind_another_connection_may_be_another_clock() -> None:
    time = EstimatedServerTime()
    time.hear(greeting(1_000_000), 100.0)
    time.hear(greeting(500_000), 101.0)
    assert time.at(101.0) == 500_000


def test_the_client_knows_the_servers_time() -> None:
    rig = Rig(greeted=False)
    rig.tell(welcome(now=1_000_000))
    rig.shell.time += 2.5
    assert rig.client.server_now == 1_002_500
    rig.tell(pong(1_002_600))
    assert rig.client.server_now == 1_002_600


@pytest.mark.parametrize(
    ("fields", "left"),
    [
        ({"clocks": [300_000, 200_000], "at": 70_000}, [270_000, 200_000]),
        ({"clocks": [300_000, 200_000], "at": 70_000, "seats": [0, 1]}, [270_000, 170_000]),
        ({"clocks": [300_000, 200_000], "at": 70_000, "seats": []}, [300_000, 200_000]),
        ({"clocks": [300_000, 200_000], "at": 103_000}, [300_000, 200_000]),  # grace after a restart
        ({"clocks": [20_000, 200_000], "at": 70_000}, [0, 200_000]),
        ({"clocks": [300_000, 200_000], "at": 70_000, "firstMove": 30_000}, [300_000, 200_000]),
        ({"clocks": [300_000, 200_000]}, [300_000, 200_000]),
        ({}, None),
    ],
)
def test_the_clocks_of_those_who_are_to_move_have_run_since_the_turn(
    fields: dict[str, Any], left: list[int] | None
) -> None:
    event = turn(3, **fields)
    assert isinstance(event, NextPlayer)
    assert clocks_at(event, 100_000) == left
