"""Programs and functions in separate processes: how we start them, talk to them and end them."""

from __future__ import annotations

from collections.abc import Sequence


class Ended(Exception):
    """The process has ended. The text says how."""

    def __init__(self, code: int | None, last_words: Sequence[str] = ()) -> None:
        """Note how the process ended. Without a code it still runs but can't be heard any more."""
        self.code = code
        self.last_words = last_words
        how = "closed its output" if code is None else f"ended with exit code {code}"
        said = " / ".join(last_words)
        super().__init__(f"It {how}{f': {said:.400}' if said else ''}.")
