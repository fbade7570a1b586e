"""Games by correspondence take no place from other rooms, nor these from them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.desk import Desk, Message, Peer

DAYS: Message = {"clock": {"days": 3}}


def opened(peer: Peer, **fields: Any) -> str:
    answer = peer.ask("createRoom", game="tic-tac-toe", **fields)
    return str(answer.get("code", answer["type"]) if answer["type"] == "refused" else answer["type"])


@pytest.mark.parametrize(("full", "other"), [({}, DAYS), (DAYS, {})])
def test_of_each_kind_a_person_has_a_number_of_rooms(full: Message, other: Message) -> None:
    ann = Desk(rooms=2, correspondence=2).peer()
    assert [opened(ann, **full) for _ in range(3)] == ["joined", "joined", "tooManyRooms"]
    assert [opened(ann, **other) for _ in range(3)] == ["joined", "joined", "tooManyRooms"]


@pytest.mark.parametrize(("full", "other"), [({}, DAYS), (DAYS, {})])
def test_and_so_has_the_server(full: Message, other: Message) -> None:
    desk = Desk(all_rooms=2, all_correspondence=2)
    assert [opened(desk.peer(), **full) for _ in range(3)] == ["joined", "joined", "retryLater"]
    assert [opened(desk.peer(), **other) for _ in range(3)] == ["joined", "joined", "retryLater"]


def test_who_joins_one_by_correspondence_needs_place_for_one_of_these() -> None:
    desk = Desk(rooms=1, correspondence=1)
    ann, bob = desk.peer("ann"), desk.peer("bob")
    slow, fast = ann.create(**DAYS), ann.create()
    bob.create()
    assert bob.refused("join", room=fast) == "tooManyRooms"
    assert bob.ask("join", room=slow)["type"] == "joined"
    other = desk.peer("cat").create(**DAYS)
    assert bob.refused("join", room=other) == "tooManyRooms"
