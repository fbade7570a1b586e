"""The host's lists as tables; at most eighty columns wide, unless players have many addresses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..core.people.durations import in_words
from ..core.people.sanctions import told
from ..core.refusal import Message

_WHAT = {"out": "banned", "chat": "muted"}


def tables(shown: Message) -> str:
    """The output of `tablero admin list`, made from the server's answer."""
    return "\n".join(_lines(shown))


def _lines(shown: Message) -> Iterator[str]:
    now = int(shown["now"])
    if shown["draining"]:
        yield "The server drains: new games are blocked."
    yield f"Players here: {len(shown['players'])}"
    yield from table(
        ("name", "id", "here for", "tables", *(["from"] if _has_addresses(shown) else []), ""),
        [_player(player, now) for player in shown["players"]],
    )
    packed = shown["packed"]
    beside = f", and {packed} correspondence games that no one has open" if packed else ""
    yield f"Tables: {len(shown['rooms'])}{beside}"
    yield from table(("id", "game", "state", "for", "players"), [_room(room, now) for room in shown["rooms"]])
    if shown["sanctions"]:
        yield f"Banned or muted: {len(shown['sanctions'])}"
        yield from table(
            ("who", "newcomers from", "what", "still for", "why"),
            [_sanction(each, now) for each in shown["sanctions"]],
        )


def _has_addresses(shown: Message) -> bool:
    return any("addresses" in player for player in shown["players"])


def _player(player: dict[str, Any], now: int) -> list[str]:
    marks = [
        *(["bot of the host"] if player["ofHost"] else ["bot"] if player["bot"] else []),
        *(["muted"] if player["muted"] else []),
        *([f"{player['connections']} connections"] if player["connections"] > 1 else []),
    ]
    addresses = [" ".join(player["addresses"])] if "addresses" in player else []
    since = in_words(now - player["since"])
    return [player["name"], player["id"], since, str(len(player["rooms"])), *addresses, ", ".join(marks)]


def _room(room: dict[str, Any], now: int) -> list[str]:
    who = ", ".join(room["players"])
    watch = [f"{room['watchers']} watch"] if room["watchers"] else []
    beside = [*(["private"] if room["private"] else []), *watch]
    state = "paused" if room["paused"] else room["state"]
    at = f"{who} ({', '.join(beside)})" if beside else who
    return [room["id"], room["game"], state, in_words(now - room["since"]), at]


def _sanction(sanction: dict[str, Any], now: int) -> list[str]:
    network = told(sanction.get("network", ""))
    until = sanction.get("until")
    left = "permanent" if until is None else in_words(until - now)
    who, newcomers = (sanction["name"], network) if "player" in sanction else (network, "")
    return [who, newcomers, _WHAT[sanction["kind"]], left, sanction["why"]]


def table(head: tuple[str, ...], rows: list[list[str]]) -> Iterator[str]:
    """The lines of a table; none if there are no rows."""
    if not rows:
        return
    widths = [max(len(row[column]) for row in [list(head), *rows]) for column in range(len(head))]
    for row in [[title.upper() for title in head], *rows]:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"  {'  '.join(cells)}".rstrip()
