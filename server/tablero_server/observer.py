"""Measurements for the host: durations of commits, and a log line for each start and end of a game.

Law: measuring changes nothing. The lines contain players, game and result, but nothing hidden and no chat.
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
"""Upper bounds in seconds."""


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
        """The number of values up to each bound; the last number counts all values."""
        bounds = [*map(str, _BOUNDS), "+Inf"]
        return list(zip(bounds, map(float, accumulate(self._counts)), strict=True))

    def quantile(self, share: float) -> float:
        """The smallest bound below which at least this share of the values is; 0 if there are no values."""
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
        """The number of commands that failed because of an outage."""
        self.turns = 0
        """The number of saved turns since the start."""

    def __call__(self, delivered: list[Effects], seconds: float | None, not_saved: int) -> None:
        """Counts `delivered` effects. `seconds` is the time of their commit, or None if nothing was saved."""
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
        if views is None:  # the game began and the room closed within one commit, whose end is logged
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
    """The result as text: "ana wins (line)" or "draw (agreed)"."""
    kind, reason = seats[0].kind, seats[0].reason
    pairs = zip(seats, names, strict=True)
    winners = [name for placing, name in pairs if kind == "win" and placing.place == 1]
    what = f"{' and '.join(winners)} {'win' if len(winners) > 1 else 'wins'}" if winners else kind
    return f"{what} ({reason})"
