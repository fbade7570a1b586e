"""Measures for the host: durations, and commits, with a log line for each start and end of a game.

Law: measuring changes nothing. Lines say who played what and how it ended, not hidden parts or chat.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate, groupby

import structlog

from .core.effects import Effects
from .core.entry import Entry, Kept, Placing
from .core.hub import Hub

log = structlog.get_logger("tablero.games")

_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Seconds."""


class Histogram:
    """Counts of durations by upper bound."""

    def __init__(self) -> None:
        self._counts = [0] * (len(_BOUNDS) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        self._counts[bisect_left(_BOUNDS, seconds)] += 1
        self.sum += seconds

    def __len__(self) -> int:
        return sum(self._counts)

    def up_to(self) -> list[tuple[str, float]]:
        """The number of values up to each bound; the last one counts all."""
        bounds = [*map(str, _BOUNDS), "+Inf"]
        return list(zip(bounds, map(float, accumulate(self._counts)), strict=True))

    def quantile(self, share: float) -> float:
        """A bound below which at least so large a share is; 0 where there is nothing yet."""
        wanted = share * len(self)
        for bound, count in self.up_to():
            if count and count >= wanted:
                return float(bound)
        return 0.0


class Observer:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.commits = Histogram()
        """The duration of each commit."""
        self.not_saved = 0
        """Commands that failed, and were not to blame."""
        self.turns = 0
        """Played and durable, since the start."""

    def __call__(self, delivered: list[Effects], seconds: float | None, not_saved: int) -> None:
        """`delivered` is durable and told; None seconds: nothing of it had to be saved."""
        if seconds is not None:
            self.commits.add(seconds)
            self.not_saved += not_saved
        for effects in delivered:
            for entry in effects.entries:
                if entry.kind == "turn":
                    self.turns += 1
                elif entry.kind == "started":
                    self._began(entry)
                elif entry.kind in ("created", "closed"):
                    log.debug(f"room {entry.kind}", room=entry.room, seq=entry.seq)
            if effects.kept:
                self._ended(effects.kept)

    def _began(self, entry: Entry) -> None:
        views = self._hub.rooms.open.get(entry.room)
        if views is None:  # it began and closed within one commit, and its end is told
            return
        room = views.room
        ids = [player or "" for player in room.seats]
        names = [shown["name"] for shown in room.seated if shown is not None]
        log.info(
            "game began", room=room.id, game=room.game.name, players=names, ids=ids, private=room.private
        )

    def _ended(self, kept: Iterable[Kept]) -> None:
        placings = (each for each in kept if isinstance(each, Placing))
        for room, of_room in groupby(placings, lambda placing: placing.room):
            seats = list(of_room)
            names = [self._name(placing.player) for placing in seats]
            log.info(
                "game ended",
                room=room,
                game=seats[0].game,
                players=names,
                ids=[placing.player for placing in seats],
                result=_in_words(seats, names),
            )

    def _name(self, player: str) -> str:
        account = self._hub.accounts.by_id.get(player)
        return player if account is None else account.name


def _in_words(seats: list[Placing], names: list[str]) -> str:
    """The result as "ana wins (line)", or "draw (agreed)"."""
    kind, reason = seats[0].kind, seats[0].reason
    pairs = zip(seats, names, strict=True)
    winners = [name for placing, name in pairs if kind == "win" and placing.place == 1]
    what = f"{' and '.join(winners)} {'win' if len(winners) > 1 else 'wins'}" if winners else kind
    return f"{what} ({reason})"
