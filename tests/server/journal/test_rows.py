"""Entries as rows and back: equal, and small in memory however many there are."""

from __future__ import annotations

from tablero_server.core.effects import Effects
from tablero_server.core.entry import Cause, Entry
from tablero_server.journal.rows import logs_from, rows_of


def read_back(log: list[Entry]) -> list[Entry]:
    """As a database gives it: every value is an object of its own."""
    rows = []
    for room, seq, kind, at, player, id, content, seat, body, clocks in rows_of(
        [Effects(log)], {}, "me"
    ).write:
        text = [None if each is None else each.encode().decode() for each in (room, kind, player, id)]
        rows.append(
            (text[0], log[-1].seq, seq, text[1], at, text[2], text[3], content, seat, bytes(body), clocks)
        )
    damaged: dict[str, str] = {}
    [read] = logs_from(rows, damaged)
    assert not damaged
    return read


def a_log() -> list[Entry]:
    moves = ("flag a1", "unflag a1", "flag a1", "dig b2")
    turns = [
        Entry("r", seq, "turn", seq, Cause("ann", f"id-{seq}", seq), 0, {"move": move})
        for seq, move in enumerate(moves, 1)
    ]
    return [Entry("r", 0, "created", 0, None, None, {"game": "minesweeper"}), *turns]


def test_what_is_read_is_what_was_written() -> None:
    assert read_back(a_log()) == a_log()


def test_what_many_rows_repeat_is_one_object() -> None:
    _, first, other, again, _ = read_back(a_log())
    assert first.body is again.body
    assert first.body is not other.body
    assert first.kind is again.kind
    assert first.room is again.room
    assert first.cause is not None
    assert again.cause is not None
    assert first.cause.player is again.cause.player
