"""The findings of a check: one sentence for each thing checked, under a stable name."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, Final, NamedTuple

CHECKS: Final = {
    "found": "the file, class, level or program is there, and loads",
    "game": "the bot names a game that exists",
    "hello": "an engine says `hello` within 5 s: its name and its games",
    "turn": "an engine answers `nextPlayer` in time with a legal `playTurn`",
    "unknown": "an engine ignores messages and fields that it does not know",
    "games": "an engine plays several games, one after the other, in one process",
    "stdout": "an engine prints nothing but messages",
    "untimely": "an engine plays only on its turn, at the `ply` that it was told",
    "bye": "an engine ends at `bye`",
    "eof": "an engine ends when its input ends",
    "legal": "every move is legal: all seats, several boards, from the start and in the middle of a game",
    "notation": "the bot writes moves as the server does: `b2`, not `B2`",
    "waits": "the bot doesn't wait if no other player can move",
    "crash": "the bot raises no error",
    "time": "the bot keeps to its time limit",
    "repeat": "equal seeds give equal games",
    "end": "the bot raises no error at the end of a game",
}
"""Every id of a finding, with a description."""


def written_otherwise(table: object, move: str, written: str, listed: str) -> str:
    """The finding for a legal move that is written differently from its `listed` form."""
    said = f"It wrote {move!r:.40}; the move is {written!r}, as {listed} lists it."
    return f"{table}: {said} The server writes it so for everybody else."


class Severity(IntEnum):
    """The severity of a finding."""

    OK = 0
    WARN = 1
    FAIL = 2


class Finding(NamedTuple):
    id: str
    verdict: Severity
    sentence: str
    """The finding. For a fault it also says what to do."""


class Report:
    """The findings about one bot. For each id only the worst is kept, and of equal ones the first."""

    def __init__(self, bot: str, heard: Callable[[Finding], object] = lambda _: None) -> None:
        self.bot = bot
        self._heard = heard
        self._found: dict[str, Finding] = {}

    def ok(self, id: str, sentence: str) -> None:
        self.note(Finding(id, Severity.OK, sentence))

    def warn(self, id: str, sentence: str) -> None:
        self.note(Finding(id, Severity.WARN, sentence))

    def fail(self, id: str, sentence: str) -> None:
        self.note(Finding(id, Severity.FAIL, sentence))

    def note(self, finding: Finding) -> None:
        assert finding.id in CHECKS
        self._heard(finding)
        known = self._found.get(finding.id)
        if known is None or finding.verdict > known.verdict:
            self._found[finding.id] = finding

    @property
    def findings(self) -> list[Finding]:
        """The findings in the order of CHECKS."""
        return [self._found[id] for id in CHECKS if id in self._found]

    @property
    def verdict(self) -> Severity:
        return max((finding.verdict for finding in self.findings), default=Severity.OK)

    @property
    def exit_code(self) -> int:
        return 1 if self.verdict is Severity.FAIL else 0

    def to_json(self) -> dict[str, Any]:
        return {
            "bot": self.bot,
            "verdict": self.verdict.name.lower(),
            "findings": [
                {"id": id, "verdict": verdict.name.lower(), "sentence": sentence}
                for id, verdict, sentence in self.findings
            ],
        }

    def __str__(self) -> str:
        lines = [f"{each.verdict.name.lower():<5}{each.id:<11}{each.sentence}" for each in self.findings]
        closing = {
            Severity.OK: "is fine",
            Severity.WARN: "can play; see the warnings",
            Severity.FAIL: "is not ready to play",
        }
        return "\n".join([*lines, f"{self.bot} {closing[self.verdict]}."])
