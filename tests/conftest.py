"""Settings for all tests: texts are English, whatever the language of the person who runs them."""

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
    """Resets the language after a test that has chosen one."""
    yield
    speak("en")


@pytest.fixture(autouse=True)
def same_signals() -> Iterator[None]:
    """Checks that a test leaves signal handlers unchanged: otherwise another test could hang."""
    before = [signal.getsignal(each) for each in SIGNALS]
    yield
    after = [signal.getsignal(each) for each in SIGNALS]
    for each, handler in zip(SIGNALS, before, strict=True):
        signal.signal(each, handler)
    assert after == before
