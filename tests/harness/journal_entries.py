"""Entries, players and results to put into a journal, and functions to read them back."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_server.core.effects import Effects
from tablero_server.core.entry import Cause, Entry, Placing, SavedPlayer
from tablero_server.journal.journal import Journal, NotWritten

ANN = SavedPlayer("ann0", "ann", False, 1_700_000_000_000, 1_700_000_000_500)


def begin(room: str, at: int = 1_700_000_000_000) -> Entry:
    return Entry(room, 0, "created", at, None, None, {"game": "tic-tac-toe"})


def said(room: str, seq: int, id: str | None = None, player: str = "ann0") -> Entry:
    return Entry(room, seq, "said", 1_700_000_000_000, Cause(player, id or f"{room}-{seq}", 7), None, {})


async def refused(journal: Journal, *effects: Effects) -> list[int]:
    """The indexes of the effects that are not saved."""
    with pytest.raises(NotWritten) as caught:
        await journal.append(effects)
    assert str(caught.value)
    return sorted(caught.value.failed)


def came_out(room: str, seat: int, player: str = "ann0", **of: Any) -> Placing:
    """A row of `played` with a value in every column."""
    placing = Placing(
        room=room, seat=seat, player=player, bot=False, level="hard", rival="rob0", game="tic-tac-toe",
        speed="blitz", course="expert", at=1_700_000_000_000, place=1, score=-3, kind="win", reason="line",
        private=True, flagged=True, milliseconds=5_000_000_000, value=1512.345678901, deviation=99.5,
        volatility=0.06, games=seat + 1,
    )  # fmt: skip
    return placing._replace(**of)


async def lengths(journal: Journal) -> dict[str, int]:
    return {log[0].room: len(log) for log in (await journal.load()).logs}
