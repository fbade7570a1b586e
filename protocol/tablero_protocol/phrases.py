"""The chat phrases: a fixed list, each with its English text."""

from __future__ import annotations

from typing import Literal, TypeAlias

Phrase: TypeAlias = Literal[
    "hello", "goodLuck", "wellPlayed", "goodGame", "thanks", "oops", "rematch", "mustGo"
]
ChatPolicy: TypeAlias = Literal["on", "phrases", "off"]
"""Whether the host allows any chat, only phrases, or none."""

PHRASES: dict[Phrase, str] = {
    "hello": "Hello!",
    "goodLuck": "Good luck!",
    "wellPlayed": "Well played!",
    "goodGame": "Good game!",
    "thanks": "Thank you!",
    "oops": "Oops!",
    "rematch": "Shall we play again?",
    "mustGo": "I have to go.",
}

LEVELS = (
    *("random", "very-easy", "easy", "medium", "normal", "hard", "perfect", "expert"),
    *("pinv-strict", "pinv", "exact", "case-value", "child", "full-text", "lookahead"),
)
"""The names that a guest's bot may give its levels if free text is off: those of the bundled brains."""
