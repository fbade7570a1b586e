"""Tests read English, whatever the language of whoever runs them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from tablero.catalogue.speech import speak
from tests.harness.serving import Serving

os.environ["TABLERO_LANG"] = "en"
Serving.forks = True
SIGNALS = (signal.SIGINT, signal.SIGTERM)


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """A language that a test has chosen ends with it."""
    yield
    speak("en")


@pytest.fixture(autouse=True)
def same_signals() -> Iterator[None]:
    """A test that leaves a signal handled otherwise would hang another one."""
    before = [signal.getsignal(each) for each in SIGNALS]
    yield
    after = [signal.getsignal(each) for each in SIGNALS]
    for each, handler in zip(SIGNALS, before, strict=True):
        signal.signal(each, handler)
    assert after == before
