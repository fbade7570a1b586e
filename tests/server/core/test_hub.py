"""What clients may ask for: nothing before hello, one answer each, and what is due at its time."""

from __future__ import annotations

import pytest

from generate.examples import CLIENT_EXAMPLES
from tablero_protocol.codes import Close
from tests.harness.desk import Desk


@pytest.mark.parametrize("example", CLIENT_EXAMPLES[1:], ids=lambda example: example["type"])
def test_nothing_is_done_for_somebody_who_has_not_said_hello(example: dict[str, object]) -> None:
    desk = Desk()
    stranger = desk.connect()
    answer = desk.receive(stranger, {**example, "id": "id-1"})
    assert (answer["type"], answer["reason"]) == ("refused", "noHello")
    assert (desk.journal, desk.players) == ({}, {})


def test_hello_is_said_once() -> None:
    ann = Desk().peer("ann")
    assert ann.ask("hello", protocol=1, client="test")["reason"] == "helloTwice"
    assert ann.ask("ping")["type"] == "pong"


@pytest.mark.parametrize("example", CLIENT_EXAMPLES[1:], ids=lambda example: example["type"])
def test_every_command_is_answered_once_and_with_its_id(example: dict[str, object]) -> None:
    """The desk checks that; most of the rooms in the examples do not exist here."""
    desk = Desk()
    answer = desk.receive(desk.peer("ann"), {**example, "id": "id-1"})
    assert answer["re"] == "id-1"


def test_a_client_of_another_protocol_is_told_so_and_hung_up_on() -> None:
    desk = Desk()
    old = desk.connect()
    assert old.refused("hello", protocol=0, client="test") == "wrongProtocol"
    assert old.closed == Close.WRONG_PROTOCOL.value


def test_a_session_that_comes_back_replaces_its_connection() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    again = desk.back(ann)
    assert ann.closed == Close.REPLACED.value
    assert again.session == ann.session
    assert len(desk.hub.peers) == 1


def test_what_is_due_is_done_at_the_tick_and_not_before() -> None:
    desk = Desk(session_memory_ms=1_000)
    ann = desk.peer("ann")
    desk.drop(ann)
    desk.tick(999)
    assert ann.session in desk.hub.accounts.sessions
    desk.tick(1)
    assert ann.session not in desk.hub.accounts.sessions


def test_at_the_end_everybody_is_told_to_come_back_later() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    desk.stop()
    for peer in (ann, bob):
        assert peer.seen[-1]["type"] == "bye"
        assert peer.closed == Close.RESTARTING.value
