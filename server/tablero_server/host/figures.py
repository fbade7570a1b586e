"""What a server does, in numbers: read where they are kept anyway, when somebody asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from ..core.room.state import CLOSED, RoomState
from ..histogram import Histogram
from ..service import Service
from ..wire.network import Network


class Figures(NamedTuple):
    connections: int
    players: int
    rooms: Mapping[str, int]
    """By state; `packed` are games by correspondence that nobody looks at."""
    entries: int
    turns: int
    commits: Histogram
    not_saved: int
    refusals: Mapping[tuple[str, str], int]
    """By code and reason."""
    resumes: Mapping[str, int]
    """By what was told: `events`, or a `snapshot`."""
    turned_away: Mapping[tuple[str, str], int]
    """By what happened, and its code."""
    lag: Histogram
    outbox_messages: int
    outbox_bytes: int
    can_save: bool
    draining: bool


def read(service: Service, network: Network) -> Figures:
    hub = service.hub
    waiting = network.waiting()
    rooms = Counter({state.value: 0 for state in RoomState if state is not CLOSED})
    rooms.update(views.room.state.value for views in hub.rooms.open.values())
    rooms["packed"] = len(hub.rooms.packed)
    return Figures(
        connections=network.connections,
        players=len({session.account.id for session in hub.peers.values()}),
        rooms=rooms,
        entries=hub.rooms.entries,
        turns=service.turns,
        commits=service.commits,
        not_saved=service.not_saved,
        refusals=hub.refusals,
        resumes=hub.missed.answers,
        turned_away=network.security.counts,
        lag=network.lag,
        outbox_messages=waiting[0],
        outbox_bytes=waiting[1],
        can_save=service.can_save,
        draining=hub.authority.draining,
    )
