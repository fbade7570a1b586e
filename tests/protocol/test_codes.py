"""tablero_protocol/codes.py: every code says whose fault it is and what to do, and keeps its range."""

from __future__ import annotations

import re

import pytest

from tablero_protocol.codes import WHAT_TO_DO, WHY_CLOSED, Close, Code, may_return


def test_every_refusal_code_has_a_row() -> None:
    assert list(WHAT_TO_DO) == list(Code)


@pytest.mark.parametrize("code", Code)
def test_a_refusal_code_is_camel_case_and_its_row_names_a_fault_and_a_way_out(code: Code) -> None:
    fault, remedy = WHAT_TO_DO[code]
    assert re.fullmatch(r"[a-z]+([A-Z][a-z]+)*", code.value)
    assert fault in ("client", "player", "host", "server")
    assert re.fullmatch(r"[A-Z].+\.", remedy)


def test_every_close_code_has_a_row() -> None:
    assert list(WHY_CLOSED) == list(Close)


@pytest.mark.parametrize("close", Close)
def test_a_close_code_is_in_the_range_that_says_whether_to_come_back(close: Close) -> None:
    assert 4000 <= close <= 4199
    assert may_return(close) == (close < 4100)
    assert re.fullmatch(r"[A-Z].+\.", WHY_CLOSED[close])


@pytest.mark.parametrize("code", [1000, 1001, 1006, 1009, 1011, 4099, 4200])
def test_a_client_comes_back_after_any_other_end_of_a_connection(code: int) -> None:
    assert may_return(code)


@pytest.mark.parametrize("code", [4100, 4199])
def test_a_client_stays_away_after_a_code_of_that_range_even_if_it_does_not_know_it(code: int) -> None:
    assert not may_return(code)
