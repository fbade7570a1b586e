"""Channel: joins what is best, leaves what was, and never a table of one's own."""

from __future__ import annotations

import pytest

from tablero import Refused
from tablero.client.channel import Channel
from tests.harness.rig import ANA, BEN, HARD, Rig, joined, message


def switched_on() -> tuple[Rig, Channel]:
    rig = Rig()
    channel = Channel(rig.client)
    rig.ask(channel.switch_on())
    rig.tell(message(type="ok", re=rig.one("watchBest")["id"]))
    return rig, channel


def shows(rig: Rig, room: str) -> None:
    rig.tell(message(type="best", room=room))
    join = rig.one("join")
    assert (join["room"], join["watch"]) == (room, True)
    rig.tell(joined(BEN, HARD, room=room, re=join["id"]))


def test_the_best_game_is_joined_and_the_one_before_left_when_it_is_there() -> None:
    rig, channel = switched_on()
    shows(rig, "r1")
    assert rig.sent() == []
    shows(rig, "r2")
    assert rig.one("leave")["room"] == "r1"
    assert channel.room is rig.client.rooms["r2"]


def test_the_same_game_again_and_none_at_all_change_nothing() -> None:
    rig, _ = switched_on()
    shows(rig, "r1")
    rig.tell(message(type="best", room="r1"), message(type="best"))
    assert rig.sent() == []


def test_a_table_of_ones_own_is_neither_joined_nor_left() -> None:
    rig, channel = switched_on()
    rig.room(ANA, BEN)
    rig.tell(message(type="best", room="r1"))
    shows(rig, "r2")
    assert rig.sent() == []
    assert channel.room is rig.client.rooms["r2"]


def test_a_game_that_cannot_be_joined_is_passed_over() -> None:
    rig, channel = switched_on()
    rig.tell(message(type="best", room="r1"))
    rig.tell(message(type="refused", re=rig.one("join")["id"], code="roomFull", message="Full."))
    assert channel.room is None
    shows(rig, "r2")


def test_switched_off_it_leaves_and_shows_nothing_more() -> None:
    rig, channel = switched_on()
    shows(rig, "r1")
    off = rig.ask(channel.switch_off())
    rig.tell(message(type="ok", re=rig.one("unwatchBest")["id"]))
    leave = rig.one("leave")
    assert leave["room"] == "r1"
    rig.tell(message(type="left", room="r1", seq=2, player=ANA, reason="left", re=leave["id"]))
    assert off.done
    rig.tell(message(type="best", room="r2"))
    assert rig.sent() == []


def test_a_game_that_is_joined_while_it_is_switched_off_is_left_again() -> None:
    rig, channel = switched_on()
    rig.tell(message(type="best", room="r1"))
    join = rig.one("join")
    rig.ask(channel.switch_off())
    rig.tell(joined(BEN, HARD, re=join["id"]))
    assert "leave" in rig.sent_types()


def test_after_a_lost_connection_it_asks_again() -> None:
    rig, _ = switched_on()
    rig.drop()
    rig.return_()
    assert "watchBest" in rig.sent_types()


def test_the_first_choice_may_come_before_the_answer() -> None:
    rig = Rig()
    rig.ask(Channel(rig.client).switch_on())
    rig.sent()
    shows(rig, "r1")


def test_a_channel_that_is_refused_is_off() -> None:
    rig = Rig()
    channel = Channel(rig.client)
    asked = rig.ask(channel.switch_on("chess"))
    rig.tell(message(type="refused", re=rig.one("watchBest")["id"], code="badMessage", message="No."))
    with pytest.raises(Refused):
        _ = asked.result
    assert not channel.is_on
