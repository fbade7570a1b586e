"""tablero_protocol/text.py: what strangers write is safe to store and to print, and no name imitates another.

tests/security/test_hostile_text.py tries the same where the text comes in and goes out.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablero_protocol.text import clean, is_good_name, skeleton, without_controls

ANY_TEXT = st.text(st.characters(codec="utf-8") | st.sampled_from(" \n\u200b\u0301\u0323e\u1100\u1161"))


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("well played", "well played"),
        ("  well \t\n played  ", "well played"),
        ("a\x1b[31mb\u202ec", "a [31mb c"),
        ("cafe\u0301", "café"),
        ("e\u0323\u0307\u0304\u0301\u0300", "ẹ\u0307\u0304\u0301"),
        ("\u0301e", "e"),
        ("e \u0301", "e"),
        ("\u200b\u0301\u3164", ""),
        ("", ""),
    ],
)
def test_a_text_is_cleaned(written: str, kept: str) -> None:
    assert clean(written) == kept


@settings(max_examples=300)
@given(ANY_TEXT)
def test_a_clean_text_stays_as_it_is(written: str) -> None:
    """So what was passed on can be read by the rules that it came in by."""
    assert clean(clean(written)) == clean(written)


@pytest.mark.parametrize(
    ("drawn", "kept"),
    [
        ("a  b\n c", "a  b\n c"),
        ("a\rb\x1b[2Jc", "a b [2Jc"),
        ("⬜\ufe0f3\ufe0f", "⬜\ufe0f3\ufe0f"),
        ("9\ufe0fx\ufe0f", "9 x "),
    ],
)
def test_a_drawing_keeps_its_lines_and_its_spaces(drawn: str, kept: str) -> None:
    assert without_controls(drawn) == kept


@pytest.mark.parametrize(
    "name",
    ["ann", "Ann-2", "x1", "ann_of_the-hill", "a" * 20, "robot", "abbot", "modern", "ghost", "townhouse"],
)
def test_a_name_of_letters_digits_and_dashes_is_good(name: str) -> None:
    assert is_good_name(name)


@pytest.mark.parametrize(
    "name",
    ["", "a", "a" * 21, "-ann", "ann smith", "änn"],
)
def test_other_letters_and_lengths_are_no_name(name: str) -> None:
    assert not is_good_name(name)
    assert not is_good_name(name, of_host=True)


@pytest.mark.parametrize(
    "name",
    [
        *("admin", "ADM1N", "the-bot", "mod2", "rnod", "5erver", "host", "house", "house-hard", "owner"),
        *("0fficial", "support", "admins", "superadmin", "referee", "the-h0sts"),
    ],
)
def test_a_title_and_what_looks_like_one_is_for_the_hosts_bots_only(name: str) -> None:
    assert not is_good_name(name)
    assert is_good_name(name, of_host=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("carol", "CAR0L"), ("carol", "car_o1"), ("tim", "tirn"), ("wade", "vva-cle"), ("sos", "5O5")),
        *(("gus", "9us"), ("tim", "7im"), ("eve", "3v3"), ("z0e", "2oe"), ("anna", "4nna"), ("ben", "8en")),
        *(("carla", "earla"), ("uma", "vma"), ("v_vill", "will"), ("dave", "c-lave"), ("mona", "r_nona")),
    ],
)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


def test_names_that_do_not_look_alike_have_two() -> None:
    names = ["carol", "carla", "tim", "tina", "wade", "ann", "ann2"]
    assert len({skeleton(name) for name in names}) == len(names)
