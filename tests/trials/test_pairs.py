"""The comparison of what was told with what is kept: it sees everything that can be wrong."""

from __future__ import annotations

from collections import Counter

import pytest

from tablero_server.core.entry import Cause, Entry
from tests.harness.playing_pairs import Acknowledged, Book, Findings


def a_log(*moves: str) -> list[Entry]:
    created = Entry("r", 0, "created", 0, None, None, {})
    turns = [
        Entry("r", seq, "turn", seq, Cause(f"player{seq % 2}", f"id{seq}", 1), seq % 2, {"move": move})
        for seq, move in enumerate(moves, 1)
    ]
    return [created, *turns]


def a_book(*moves: str) -> Book:
    """All of these were acknowledged, and seen."""
    book = Book(rooms={"r": "tic-tac-toe"})
    for seq, move in enumerate(moves, 1):
        book.acknowledged.append(Acknowledged("r", seq, f"player{seq % 2}", f"id{seq}", seq % 2, move))
        book.shown["r", seq] = (seq % 2, move)
    return book


def found(book: Book, log: list[Entry]) -> Findings:
    return book.compare({"r": log})


def test_what_is_kept_as_it_was_told_is_kept() -> None:
    assert found(a_book("a1", "b2"), a_log("a1", "b2")).kept


def test_a_room_that_is_not_there_is_lost() -> None:
    assert Book(rooms={"r": "tic-tac-toe"}).compare({"r": []}).lost == 1


def test_every_turn_of_a_finished_game_is_heard_once() -> None:
    book = a_book("a1", "b2")
    book.finished.append(("r", "player0"))
    book.heard_turns["r", "player0"] = Counter([1, 2])
    assert found(book, a_log("a1", "b2")).kept
    book.heard_turns["r", "player0"] = Counter([1, 1])
    findings = found(book, a_log("a1", "b2"))
    assert (findings.unheard, findings.heard_twice) == (1, 1)


def test_a_start_may_show_the_last_turn_once_more() -> None:
    book = a_book("a1", "b2")
    for seq in (3, 4):
        book.shown["r", seq] = book.shown["r", 2]
    revived = [Entry("r", seq, "revived", seq, None, None, {"grace": 0}) for seq in (3, 4)]
    assert found(book, [*a_log("a1", "b2"), *revived]).kept
    assert found(book, a_log("a1", "b2", "c3", "a2")).shown_only == 2


def test_what_was_never_answered_may_be_there() -> None:
    assert found(a_book("a1"), a_log("a1", "b2")).kept


@pytest.mark.parametrize("log", [a_log("a1"), a_log("a1", "c3"), a_log("b2", "a1")])
def test_a_move_that_is_missing_or_another_is_lost(log: list[Entry]) -> None:
    assert found(a_book("a1", "b2"), log).lost > 0


def test_a_move_at_another_place_is_lost() -> None:
    log = a_log("a1", "b2")
    assert found(a_book("a1", "b2"), [log[0], log[1], log[2]._replace(seq=3)]).lost == 1


def test_a_command_that_was_carried_out_twice_is_doubled() -> None:
    log = a_log("a1", "b2")
    assert found(a_book("a1", "b2"), [*log, log[1]._replace(seq=3)]).doubled == 1


def test_a_move_that_was_only_seen_has_to_be_kept_too() -> None:
    book = a_book("a1", "b2")
    book.acknowledged.clear()
    assert found(book, a_log("a1")).shown_only == 1


def test_a_gap_in_the_log_is_disorder() -> None:
    log = a_log("a1", "b2", "c3")
    assert found(a_book("a1"), [log[0], log[1], log[3]]).disordered == 1


def test_a_later_answer_for_an_earlier_record_is_disorder() -> None:
    book = a_book("a1", "b2", "c3")
    book.acknowledged.reverse()
    assert found(book, a_log("a1", "b2", "c3")).disordered == 1
