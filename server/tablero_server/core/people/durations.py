"""Durations of bans and mutes, as a host types them and as players read them."""

from __future__ import annotations

import re

from ..refusal import Refusal

_MINUTE = 60_000
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR
_UNITS = {"m": _MINUTE, "min": _MINUTE, "h": _HOUR, "d": _DAY, "w": 7 * _DAY}
_SAID = re.compile(r"([1-9][0-9]{0,3}) ?(m|min|h|d|w)")


def read_duration(text: str) -> int:
    """The milliseconds of a duration such as 30m, 2h or 7d. Raises Refusal."""
    said = _SAID.fullmatch(text.strip().lower())
    if said is None:
        raise Refusal("badDuration", text=text[:20])
    return int(said[1]) * _UNITS[said[2]]


def in_words(milliseconds: int) -> str:
    """The duration, rounded up, in a suitable unit; the units are the same in many languages."""
    unit, name = next(
        (
            each
            for each in ((_DAY, "d"), (_HOUR, "h"))
            if milliseconds >= 2 * each[0] or milliseconds == each[0]
        ),
        (_MINUTE, "min"),
    )
    return f"{max(1, -(-milliseconds // unit))} {name}"
