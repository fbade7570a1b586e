"""The tables that a host reads."""

from __future__ import annotations

from typing import Any

from tablero_server.host.decisions import tables

MINUTE = 60_000
NOW = 1_700_000_000_000


def a_player(name: str, minutes: int, **more: Any) -> dict[str, Any]:
    fields = {"id": "x7k2abcd1234", "name": name, "bot": False, "ofHost": False, "connections": 1}
    return fields | {"since": NOW - minutes * MINUTE, "rooms": [], "muted": False} | more


def a_room(**more: Any) -> dict[str, Any]:
    fields = {"id": "r7k2abcd1234", "game": "quoridor", "state": "playing", "since": NOW - 5 * MINUTE}
    fields |= {"private": False, "players": ["ana", "ben"], "watchers": 0, "plies": 7}
    return fields | {"correspondence": False, "paused": False} | more


def shown(**more: Any) -> str:
    nothing = {"now": NOW, "players": [], "rooms": [], "packed": 0, "sanctions": [], "draining": False}
    return tables(nothing | more)


def test_an_empty_server_is_two_lines() -> None:
    assert shown() == "Players here: 0\nTables: 0"


def test_everything_has_its_column() -> None:
    out: dict[str, Any] = {
        "id": "s1",
        "kind": "out",
        "player": "b",
        "name": "ben",
        "network": "203.0.113.7/32",
    }
    out |= {"until": NOW + 2 * 60 * MINUTE, "why": "no swearing here", "created": NOW}
    text = shown(
        draining=True,
        players=[
            a_player("ana", 12, rooms=["r1"], connections=2),
            a_player("house", 3_000, bot=True, ofHost=True),
            a_player("visitor", 1, bot=True, muted=True),
        ],
        rooms=[a_room(), a_room(private=True, watchers=2, paused=True)],
        packed=3,
        sanctions=[out, {"kind": "out", "network": "198.51.100.0/24", "why": "spam", "name": ""}],
    )
    assert text.splitlines() == [
        "The server drains: new games are blocked.",
        "Players here: 3",
        "  NAME     ID            HERE FOR  TABLES",
        "  ana      x7k2abcd1234  12 min    1       2 connections",
        "  house    x7k2abcd1234  3 d       0       bot of the host",
        "  visitor  x7k2abcd1234  1 min     0       bot, muted",
        "Tables: 2, and 3 correspondence games that no one has open",
        "  ID            GAME      STATE    FOR    PLAYERS",
        "  r7k2abcd1234  quoridor  playing  5 min  ana, ben",
        "  r7k2abcd1234  quoridor  paused   5 min  ana, ben (private, 2 watch)",
        "Banned or muted: 2",
        "  WHO              NEWCOMERS FROM  WHAT    STILL FOR  WHY",
        "  ben              203.0.113.7     banned  2 h        no swearing here",
        "  198.51.100.0/24                  banned  permanent  spam",
    ]
    assert max(map(len, text.splitlines())) <= 80


def test_addresses_are_a_column_where_they_were_asked_for() -> None:
    text = shown(players=[a_player("ana", 12, addresses=["203.0.113.7", "203.0.113.8"])])
    assert text.splitlines()[1:3] == [
        "  NAME  ID            HERE FOR  TABLES  FROM",
        "  ana   x7k2abcd1234  12 min    0       203.0.113.7 203.0.113.8",
    ]
