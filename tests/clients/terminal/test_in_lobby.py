"""Verbs that look beyond the table: who is here, and who is asked to a seat."""

from __future__ import annotations

from tests.clients.terminal.desk import Desk
from tests.harness.rig import ANA, BEN, joined


def test_an_invitation_goes_to_the_first_free_seat() -> None:
    desk = Desk()
    desk.tell(joined(BEN, None, state="waiting", seq=2))
    desk.forget()
    desk.type("invite tic-tac-toe:hard")
    assert desk.one("invite")["seat"] == 1


def test_a_player_is_invited_by_name() -> None:
    desk = Desk()
    desk.tell(joined(ANA, None, state="waiting"))
    desk.forget()
    desk.type("invite ben")
    desk.show_lobby([{**BEN, "games": 0}])
    assert desk.one("invite")["player"] == "ben"


def test_a_player_who_is_not_here_cannot_be_invited() -> None:
    desk = Desk()
    desk.tell(joined(ANA, None, state="waiting"))
    desk.forget()
    desk.type("invite Cleo")
    desk.show_lobby([{**BEN, "games": 0}])
    assert desk.noted == ["Nobody here is called Cleo; here are: Ben. No bot here plays this game."]


def test_the_lobby_is_listed() -> None:
    desk = Desk()
    desk.type("list")
    line = {"room": "r2", "game": "connect-four", "options": {"columns": 8}, "state": "waiting"}
    house = {"id": "house", "name": "house", "bot": True, "games": 0}
    house["card"] = {"brains": [{"game": "tic-tac-toe", "levels": ["easy", "hard"]}]}
    desk.show_lobby([house, {**BEN, "games": 1}], [{**line, "seats": [BEN, None], "watchers": 2}])
    assert desk.printed == [
        "r2  connect-four  waiting  [Ben, free], 2 watching  columns=8",
        "Here: house (bot), Ben.",
        "house (bot) plays tic-tac-toe: easy, hard.",
    ]
