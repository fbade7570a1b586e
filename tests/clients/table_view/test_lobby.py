"""The lobby as it is."""

from __future__ import annotations

from typing import Any

from tablero.table_view.lobby import LobbyView
from tablero_protocol.messages import LobbyChanged, LobbyList
from tests.harness.rig import ANA, BEN, message

BOT = {
    "id": "house",
    "name": "house",
    "bot": True,
    "games": 0,
    "card": {"brains": [{"game": "quoridor", "levels": ["easy"]}], "capacity": 1},
}


def room(id: str, state: str, *seats: Any, game: str = "quoridor") -> dict[str, Any]:
    return {"room": id, "game": game, "options": {}, "state": state, "seats": list(seats), "watchers": 0}


def lobby(type: str = "lobby", **lines: Any) -> LobbyList | LobbyChanged:
    told = message(type=type, **{"rooms": [], "players": [], **lines})
    assert isinstance(told, LobbyList | LobbyChanged)
    return told


def test_free_seats_come_first_and_people_before_bots() -> None:
    view = LobbyView()
    rooms = [
        room("r1", "playing", ANA, BEN),
        room("r2", "finished", ANA, BEN),
        room("r3", "waiting", ANA, None),
    ]
    view.hear(lobby(rooms=rooms, players=[BOT, BEN, ANA]))
    assert [line.room for line in view.rooms()] == ["r3", "r1", "r2"]
    assert [player.name for player in view.players()] == ["Ana", "Ben", "house"]
    assert [player.name for player in view.people_beside("ana")] == ["Ben"]


def test_what_changes_is_heard_and_what_is_gone_goes() -> None:
    view = LobbyView()
    seek = {"seek": "s1", "player": BEN, "bots": False, "game": "quoridor"}
    view.hear(lobby(rooms=[room("r1", "waiting", ANA, None)], players=[ANA], seeks=[seek]))
    view.hear(lobby("lobbyChanged", rooms=[room("r1", "playing", ANA, BEN)], gone=["ana", "s1"]))
    line = view.room("r1")
    assert line is not None
    assert line.state == "playing"
    assert (view.players(), view.seeks(), view.player("ana"), view.seek("s1")) == ([], [], None, None)
    view.hear(lobby())
    assert view.rooms() == []


def test_one_game_can_be_looked_for() -> None:
    view = LobbyView()
    any_game, other = ({"seek": name, "player": BEN, "bots": False} for name in ("s1", "s2"))
    rooms = [room("r1", "waiting", None), room("r2", "waiting", None, game="tic-tac-toe")]
    view.hear(lobby(rooms=rooms, seeks=[any_game, {**other, "game": "minesweeper"}]))
    assert [line.room for line in view.rooms("tic-tac-toe")] == ["r2"]
    assert [line.seek for line in view.seeks("tic-tac-toe")] == ["s1"]


def test_a_bot_that_is_busy_is_none() -> None:
    view = LobbyView()
    view.hear(lobby(players=[BOT]))
    assert view.has_bot("quoridor", "easy")
    assert not view.has_bot("quoridor", "hard")
    view.hear(lobby("lobbyChanged", players=[{**BOT, "games": 1}]))
    assert not view.has_bot("quoridor", "easy")
