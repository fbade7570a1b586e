"""Tests read English, whatever the language of whoever runs them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tablero.catalogue.speech import speak

os.environ["TABLERO_LANG"] = "en"


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """A language that a test has chosen ends with it."""
    yield
    speak("en")
