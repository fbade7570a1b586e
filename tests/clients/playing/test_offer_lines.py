"""Offers, what is answered, and what nobody answered in time."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.playing.offer_lines import expired_line, offer_line
from tablero_protocol.messages import Answered, Offered
from tests.harness.rig import ANA, BEN, HARD, Json, Rig, message


def at_a_table(*seats: Json | None) -> Any:
    return Rig().room(*seats)


def told(kind: type[Any], **fields: Any) -> Any:
    event = message(room="r1", seq=4, **fields)
    assert isinstance(event, kind)
    return event


def test_an_offer_asks_only_those_who_may_answer() -> None:
    offered = told(Offered, type="offered", offer="o1", seat=1, what="rematch")
    assert offer_line(at_a_table(ANA, BEN), offered) == "Ben offers a rematch. Type yes or no."
    assert offer_line(at_a_table(BEN, HARD), offered) == "house (bot, hard) offers a rematch."
    answered = told(Answered, type="answered", offer="o1", seat=0, yes=False)
    assert offer_line(at_a_table(ANA, BEN), answered) == "You say no."


@pytest.mark.parametrize(
    ("what", "seat", "sentence"),
    [
        ("takeback", 1, "Ben asks to take the last move back. Type yes or no."),
        ("takeback", 0, "You ask to take the last move back."),
    ],
)
def test_what_is_asked_for_is_told(what: str, seat: int, sentence: str) -> None:
    offered = told(Offered, type="offered", offer="o1", seat=seat, what=what)
    assert offer_line(at_a_table(ANA, BEN), offered) == sentence


@pytest.mark.parametrize(
    ("what", "seat", "sentence"),
    [
        ("draw", 0, "You offered a draw: that is off the table."),
        ("takeback", 1, "Ben asked to take the last move back: that is off the table."),
    ],
)
def test_what_was_not_answered_is_told(what: str, seat: int, sentence: str) -> None:
    offered = told(Offered, type="offered", offer="o1", seat=seat, what=what)
    assert expired_line(at_a_table(ANA, BEN), offered) == sentence
