"""Saying no: one exception with a reason, whose code and sentence are the same wherever it is told."""

from __future__ import annotations

import pytest

from tablero_games import GAMES, BadOptions, IllegalMove
from tablero_protocol.codes import Code
from tablero_protocol.reasons import REASONS
from tablero_server.core.refusal import ByTheRules, Refusal


def test_a_refusal_is_told_by_code_reason_fields_and_sentence() -> None:
    refusal = Refusal("seatNotHere", seat=3, last=1)
    assert refusal.told() == {
        "code": REASONS["seatNotHere"].code.value,
        "reason": "seatNotHere",
        "fields": {"seat": 3, "last": 1},
        "message": refusal.sentence,
    }
    assert "1" in refusal.sentence
    assert str(refusal) == f"{refusal.code}: {refusal.sentence}"


def test_what_is_absent_is_left_out_of_the_message() -> None:
    assert Refusal("noHello").message(None).keys() == {"type", "code", "reason", "fields", "message"}
    whole = Refusal("tooFast", seconds=0.1, retry_after_ms=100, missed=[{"type": "seq"}]).message("id-1")
    assert (whole["re"], whole["retryAfterMs"], whole["missed"]) == ("id-1", 100, [{"type": "seq"}])


def test_where_it_happened_and_when_to_ask_again_are_no_fields_of_its_sentence() -> None:
    refusal = Refusal("tooFast", seconds=0.1, retry_after_ms=100, about="r")
    assert refusal.fields == {"seconds": 0.1}
    assert refusal.about == "r"


def test_a_game_refuses_in_its_own_words() -> None:
    with pytest.raises(IllegalMove) as illegal:
        GAMES["tic-tac-toe"].start().play(0, "d9")
    with pytest.raises(BadOptions) as options:
        GAMES["connect-four"].read_options({"columns": 1})
    for said, code in ((illegal.value, Code.ILLEGAL_MOVE), (options.value, Code.BAD_OPTIONS)):
        refusal = ByTheRules(said)
        assert (refusal.code, refusal.reason) == (code, said.reason)
        assert (refusal.sentence, refusal.fields) == (said.sentence, said.fields)
        assert refusal.told()["message"] == said.sentence
