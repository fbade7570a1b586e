"""A lobby of many pages comes as one, with what changed while it came."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.errors import Disconnected, Refused
from tablero_protocol.messages import LobbyChanged, LobbyList, ServerMessage
from tests.harness.rig import ANA, BEN, Rig, message

Json = dict[str, Any]


def line(room: str, watchers: int = 0) -> Json:
    about: Json = {"game": "tic-tac-toe", "options": {}, "state": "waiting", "seats": [None, None]}
    return {"room": room, "watchers": watchers, **about}


def page(re: str, rooms: list[Json], players: list[Json], more: int | None = None) -> ServerMessage:
    return message(type="lobby", re=re, rooms=rooms, players=players, more=more)


def changed(*rooms: Json, gone: tuple[str, ...] = ()) -> ServerMessage:
    return message(type="lobbyChanged", rooms=list(rooms), players=[], gone=list(gone))


def test_page_after_page_is_asked_for_and_all_of_them_are_one_answer() -> None:
    rig, heard = Rig(), list[LobbyList | LobbyChanged]()
    rig.client.lobby.subscribe(heard.append)
    asked = rig.ask(rig.client.watch_lobby())
    rig.tell(page(rig.one("watchLobby")["id"], [line("a"), line("b")], [], more=2))
    second = rig.one("watchLobby")
    assert second["after"] == 2
    rig.tell(page(second["id"], [line("c")], [ANA], more=4))
    third = rig.one("watchLobby")
    assert (third["after"], heard) == (4, [])
    rig.tell(page(third["id"], [], [BEN]))
    assert [room.room for room in asked.result.rooms] == ["a", "b", "c"]
    assert [player.name for player in asked.result.players] == ["Ana", "Ben"]
    [whole] = heard
    assert (whole.rooms, whole.players) == (asked.result.rooms, asked.result.players)
    assert rig.sent() == []


def test_each_line_is_as_it_was_told_last() -> None:
    rig, heard = Rig(), list[LobbyList | LobbyChanged]()
    rig.client.lobby.subscribe(heard.append)
    asked = rig.ask(rig.client.watch_lobby())
    rig.tell(page(rig.one("watchLobby")["id"], [line("a"), line("b")], [ANA], more=3))
    rig.tell(changed(line("a", 5), line("c", 1), line("d"), gone=("b", "ana")))
    rig.tell(page(rig.one("watchLobby")["id"], [line("c", 2)], []))
    assert [(room.room, room.watchers) for room in asked.result.rooms] == [("a", 5), ("c", 2), ("d", 0)]
    assert asked.result.players == []
    assert len(heard) == 1
    rig.tell(changed(line("e")))
    assert isinstance(heard[-1], LobbyChanged), "what changes after it is told as it is"


def test_a_line_that_breaks_between_two_pages_starts_the_lobby_anew() -> None:
    rig = Rig()
    asked = rig.ask(rig.client.watch_lobby())
    rig.tell(page(rig.one("watchLobby")["id"], [line("old")], [], more=1))
    rig.drop()
    rig.return_()
    anew = rig.one("watchLobby")
    assert "after" not in anew
    rig.tell(page(anew["id"], [line("a")], [], more=1))
    rig.tell(page(rig.one("watchLobby")["id"], [line("b")], []))
    assert [room.room for room in asked.result.rooms] == ["a", "b"]


def test_two_who_ask_at_once_both_get_all_of_it() -> None:
    rig = Rig()
    one, other = rig.ask(rig.client.watch_lobby()), rig.ask(rig.client.watch_lobby())
    first, second = (wire["id"] for wire in rig.sent())
    rig.tell(page(first, [line("a")], [], more=1))
    late = rig.one("watchLobby")["id"]
    rig.tell(page(second, [line("a")], [], more=1))
    rig.tell(page(late, [line("b")], []))
    rig.tell(page(rig.one("watchLobby")["id"], [line("b")], []))
    for asked in (one, other):
        assert [room.room for room in asked.result.rooms] == ["a", "b"]


def test_a_page_that_is_refused_for_good_refuses_the_lobby() -> None:
    rig = Rig()
    asked = rig.ask(rig.client.watch_lobby())
    rig.tell(page(rig.one("watchLobby")["id"], [line("a")], [], more=1))
    rig.tell(message(type="refused", re=rig.one("watchLobby")["id"], code="badMessage", message="No."))
    with pytest.raises(Refused):
        _ = asked.result


def test_whoever_waits_for_the_rest_hears_of_the_end() -> None:
    rig = Rig()
    asked = rig.ask(rig.client.watch_lobby())
    rig.tell(page(rig.one("watchLobby")["id"], [line("a")], [], more=1))
    rig.drop(4101)
    with pytest.raises(Disconnected):
        _ = asked.result
