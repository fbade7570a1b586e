"""One line of the log for each game that begins, and one for each that ends.

Law: they say who played what and how it ended, and nothing of what is hidden or was said.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import structlog

from .core.entry import Entry, Kept, Placing
from .core.hub import Hub

log = structlog.get_logger("tablero.games")


def began(hub: Hub, entry: Entry) -> None:
    """By the entry that started it, which is durable by now."""
    views = hub.rooms.open.get(entry.room)
    if views is None:  # it began and closed within one commit, and its end is told
        return
    room = views.room
    ids = [player or "" for player in room.seats]
    names = [shown["name"] for shown in room.seated if shown is not None]
    log.info("game began", room=room.id, game=room.game.name, players=names, ids=ids, private=room.private)


def ended(hub: Hub, kept: Iterable[Kept]) -> None:
    placings = (each for each in kept if isinstance(each, Placing))
    for room, of_room in groupby(placings, lambda placing: placing.room):
        seats = list(of_room)
        names = [_name(hub, placing.player) for placing in seats]
        log.info(
            "game ended",
            room=room,
            game=seats[0].game,
            players=names,
            ids=[placing.player for placing in seats],
            result=_in_words(seats, names),
        )


def _name(hub: Hub, player: str) -> str:
    account = hub.accounts.by_id.get(player)
    return player if account is None else account.name


def _in_words(seats: list[Placing], names: list[str]) -> str:
    """As "ana wins (line)", or "draw (agreed)"."""
    kind, reason = seats[0].kind, seats[0].reason
    pairs = zip(seats, names, strict=True)
    winners = [name for placing, name in pairs if kind == "win" and placing.place == 1]
    what = f"{' and '.join(winners)} {'win' if len(winners) > 1 else 'wins'}" if winners else kind
    return f"{what} ({reason})"
