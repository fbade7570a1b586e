"""Subscriptions: what the server is asked to send of a room, and when anew."""

from __future__ import annotations

from random import Random

from tablero.client.commands import PendingCommands
from tablero.client.room_progress import RoomProgress
from tablero.client.subscriptions import Subscriptions
from tablero_protocol.messages import Table
from tests.harness.rig import ANA, BEN, table


class Desk:
    def __init__(self) -> None:
        self.commands = PendingCommands(Random(1))
        self.subscriptions = Subscriptions(self.commands)
        at = Table.model_validate(table(ANA, BEN), by_alias=True, by_name=False)
        self.progress = RoomProgress("r1", "e1", 1, at, "ana")

    def asked(self) -> list[tuple[str, str]]:
        return [(wire["type"], wire["event"]) for wire in self.commands.due(0)]


def test_what_the_server_sends_already_is_not_asked_for() -> None:
    desk = Desk()
    desk.progress.sent.add("chat")
    desk.subscriptions.want(desk.progress, "chat", 0)
    desk.subscriptions.want(desk.progress, "members", 0)
    assert desk.asked() == [("subscribe", "members")]


def test_of_what_is_wanted_and_not_only_the_newest_word_goes_out() -> None:
    desk = Desk()
    desk.subscriptions.want(desk.progress, "chat", 0)
    desk.subscriptions.unwant(desk.progress, "chat", 0)
    assert desk.asked() == [("unsubscribe", "chat")]


def test_a_returned_session_asks_for_all_that_is_wanted() -> None:
    desk = Desk()
    desk.progress.sent.add("chat")
    desk.progress.wanted.update({"chat", "offers"})
    desk.subscriptions.resumed(desk.progress, 0)
    assert desk.asked() == [("subscribe", "chat"), ("subscribe", "offers")]


def test_a_join_is_said_to_send_what_it_named_and_somebody_still_wants() -> None:
    desk = Desk()
    desk.progress.wanted.add("chat")
    desk.subscriptions.joined(desk.progress, {"chat", "offers"})
    assert desk.progress.sent == {"chat"}


def test_a_new_join_asks_anew_for_what_it_did_not_name() -> None:
    desk = Desk()
    desk.progress.wanted.update({"chat", "members"})
    desk.progress.sent.update({"chat", "members"})
    desk.subscriptions.joined_again(desk.progress, {"members"}, 0)
    assert desk.progress.sent == {"members"}
    assert desk.asked() == [("subscribe", "chat")]
