"""What a sentence with fields says of itself."""

from __future__ import annotations

from string import Formatter


def fields_in(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}
