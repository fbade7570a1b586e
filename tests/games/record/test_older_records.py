"""Records that a server wrote before there were aborted games and takebacks: they are as valid as ever.

Of each game one, with clocks and without, and each way to end that there was.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tablero_games.record.file import read
from tablero_games.record.verify import positions, verify

OLDER = Path(__file__).parent / "older"
ENDED: dict[str, tuple[str, str] | None] = {
    "tic-tac-toe": ("win", "line"),
    "connect-four": ("win", "time"),
    "connect-four-gone": ("win", "gone"),
    "dots-and-boxes": ("win", "boxes"),
    "quoridor": ("draw", "agreed"),
    "minesweeper-solo": ("loss", "mine"),
    "minesweeper-coop": ("loss", "resign"),
    "minesweeper-race": ("win", "out"),
    "minesweeper-race-running": None,
}


def test_every_one_is_looked_at() -> None:
    assert {path.stem for path in OLDER.glob("*.record")} == ENDED.keys()


@pytest.mark.parametrize("name", ENDED)
def test_an_older_record_verifies_and_is_stepped_through(name: str) -> None:
    text = (OLDER / f"{name}.record").read_text()
    verdict, record = verify(text), read(text)
    assert verdict.valid, str(verdict)
    ended = ENDED[name]
    if ended is None:
        assert verdict.sealed
        assert list(positions(record)) == []
        return
    assert str(verdict) == "valid"
    outcome = record.closing.outcome or {}
    assert (outcome["kind"], outcome["reason"]) == ended
    *_, (_, last) = positions(record)
    assert last.outcome is not None
    assert last.outcome.to_json() == outcome


@pytest.mark.parametrize("name", ENDED)
def test_a_change_in_an_older_record_is_found(name: str) -> None:
    text = (OLDER / f"{name}.record").read_text()
    assert not verify(text.replace('"at":', '"at":1', 1)).valid
