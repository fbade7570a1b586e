"""What single words mean."""

from __future__ import annotations

import pytest

from tablero.catalogue.speech import speak
from tablero.playing import words


@pytest.mark.parametrize(
    ("word", "field"), [("ABCD-EFGH", "code"), ("abcdefgh", "code"), ("km9ej1fnew49", "room")]
)
def test_a_table_is_named_by_its_code_or_its_id(word: str, field: str) -> None:
    assert words.where(word) == {field: word}


def test_a_code_names_the_same_table_however_it_is_written() -> None:
    assert words.is_same_table("abcdefgh", "r1", "ABCD-EFGH")
    assert words.is_same_table("r1", "r1", None)
    assert not words.is_same_table("ABCD-EFGX", "r1", "ABCD-EFGH")


@pytest.mark.parametrize(
    ("text", "value"), [("8", 8), ("-1", -1), ("yes", True), ("False", False), ("expert", "expert")]
)
def test_a_value_is_a_number_or_yes_or_no_or_a_word(text: str, value: object) -> None:
    assert words.read_value(text) == value


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("300+5", {"base": 300, "increment": 5}),
        ("60", {"base": 60}),
        ("30/move", {"per_move": 30}),
        ("3days", {"days": 3}),
        ("1day", {"days": 1}),
        ("3D", {"days": 3}),
    ],
)
def test_a_clock_is_one_of_three_kinds(text: str, clock: dict[str, int]) -> None:
    assert words.read_clock(text) == clock


@pytest.mark.parametrize("text", ["soon", "300+", "+5", "3/day", "-1", "3 0", "\u0663days"])
def test_another_clock_is_explained(text: str) -> None:
    with pytest.raises(words.UsageError, match="clock=30/move"):
        words.read_clock(text)


def test_a_phrase_is_typed_in_the_language_of_the_speaker() -> None:
    speak("es")
    assert words.find_phrase("¡buena suerte!") == "goodLuck"
    assert words.find_phrase("good luck") == "goodLuck"
    assert words.find_phrase("buena") is None
