"""What is wrong with a message, in one sentence for the person who wrote its sender.

Law: a sentence names fields and bounds of ours. Of what was sent it repeats at most a short, cleaned name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from pydantic_core import ErrorDetails

_LONGEST_ECHO = 40
_UNCLEAR = re.compile(r"[^ !#-~]")
"""All but ASCII, which every name of ours is made of, without controls and the quotes around a name."""

_RULES = {
    "missing": "is missing",
    "string_type": "must be text",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be a map",
    "model_type": "must be a map",
    "string_too_short": "must have at least {min_length} character",
    "string_too_long": "must have at most {max_length} characters",
    "string_pattern_mismatch": "must be made of visible ASCII characters without spaces",
    "nothing_visible": "must have something that can be seen",
    "too_long": "must have at most {max_length} entries",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "literal_error": "must be {expected}",
}
"""What each kind of pydantic error means to somebody who has never heard of pydantic."""

_OPTION_BRANCHES = ("str", "int", "bool")


def unknown_type(name: str, known: Sequence[str]) -> str:
    return f'There is no message "{_short(name)}"{_ending(name, known)}'


def wrong_field(kind: str, detail: ErrorDetails, fields: Sequence[str]) -> str:
    """What is wrong with one field of the message `kind`, whose own fields are `fields`."""
    path = detail["loc"][1:]
    if detail["type"] == "extra_forbidden":
        *parents, name = map(str, path)
        known = fields if not parents else ()
        return f'{_written(path[:-1]) or kind} has no field "{_short(name)}"{_ending(name, known)}'
    if path[:1] == ("options",) and len(path) > 2 and path[-1] in _OPTION_BRANCHES:
        return f"{_written(path[:-1])} must be text, a whole number, or true or false."
    rule = _RULES.get(detail["type"], "is not valid").format_map(detail.get("ctx", {}))
    return f"{_written(path) or kind} {rule}."


def _written(path: Sequence[str | int]) -> str:
    """`("bot", "brains", 0, "game")` as a reader writes it: bot.brains[0].game."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{_short(step)}" for step in path)
    return "".join(steps).removeprefix(".")


def _short(name: str) -> str:
    """At most 40 characters of `name`, and none that could trick a terminal, a log or a reader."""
    whole = len(name) <= _LONGEST_ECHO
    return _UNCLEAR.sub("?", name if whole else name[: _LONGEST_ECHO - 1]) + ("" if whole else "…")


def _ending(name: str, known: Sequence[str]) -> str:
    """The end of a sentence about an unknown `name`: what was meant, if one of `known` comes near."""
    plain = {word.casefold(): word for word in known}
    match = get_close_matches(_short(name).casefold(), plain, n=1, cutoff=0.7)
    return f'; did you mean "{plain[match[0]]}"?' if match else "."
