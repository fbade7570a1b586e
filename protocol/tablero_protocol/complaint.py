"""Turns validation errors of a message into a reason with fields, for the author of the client.

Law: a complaint names only fields and bounds of the protocol. From the message it repeats at most a short,
cleaned name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, TypeAlias

from pydantic_core import ErrorDetails

_LONGEST_ECHO = 40
_UNCLEAR = re.compile(r"[^ !#-~]")
"""Characters that are not printable ASCII, and double quotes. No name in the protocol has them."""

_RULES: dict[str, tuple[str, dict[str, str]]] = {
    "missing": ("fieldMissing", {}),
    "string_type": ("fieldNoText", {}),
    "int_type": ("fieldNotWhole", {}),
    "float_type": ("fieldNoNumber", {}),
    "bool_type": ("fieldNotTrueOrFalse", {}),
    "list_type": ("fieldNoList", {}),
    "dict_type": ("fieldNoMap", {}),
    "model_type": ("fieldNoMap", {}),
    "string_too_short": ("fieldTooShort", {"least": "min_length"}),
    "string_too_long": ("fieldTooLong", {"most": "max_length"}),
    "string_pattern_mismatch": ("fieldNotVisible", {}),
    "nothing_visible": ("fieldUnseen", {}),
    "too_long": ("fieldTooMany", {"most": "max_length"}),
    "greater_than_equal": ("fieldTooSmall", {"least": "ge"}),
    "less_than_equal": ("fieldTooLarge", {"most": "le"}),
    "literal_error": ("fieldNotAmong", {"values": "expected"}),
}
"""The reason for each kind of pydantic error, and the names of its fields in our sentence."""

_OPTION_BRANCHES = ("str", "int", "bool")


Complaint: TypeAlias = tuple[str, dict[str, Any]]
"""A reason of `reasons.py`, and its fields."""


def unknown_type(name: str, known: Sequence[str]) -> Complaint:
    if meant := _meant(name, known):
        return "misspeltType", {"name": _short(name), "meant": meant}
    return "unknownType", {"name": _short(name)}


def wrong_field(kind: str, detail: ErrorDetails, fields: Sequence[str]) -> Complaint:
    """The complaint about one field of a message of type `kind`, which has these `fields`."""
    path = detail["loc"][1:]
    if detail["type"] == "extra_forbidden":
        *parents, name = map(str, path)
        where = {"where": _written(path[:-1]) or kind, "name": _short(name)}
        if not parents and (meant := _meant(name, fields)):
            return "misspeltField", {**where, "meant": meant}
        return "unknownField", where
    if path[:1] == ("options",) and len(path) > 2 and path[-1] in _OPTION_BRANCHES:
        return "fieldNoOption", {"field": _written(path[:-1])}
    reason, names = _RULES.get(detail["type"], ("fieldNotValid", {}))
    context = detail.get("ctx", {})
    return reason, {"field": _written(path) or kind, **{name: context[told] for name, told in names.items()}}


def _written(path: Sequence[str | int]) -> str:
    """The path as people write it: `("bot", "brains", 0, "game")` is bot.brains[0].game."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{_short(step)}" for step in path)
    return "".join(steps).removeprefix(".")


def _short(name: str) -> str:
    """`name` cut to 40 characters, with "?" for characters that could mislead a terminal, a log or
    a reader.
    """
    whole = len(name) <= _LONGEST_ECHO
    return _UNCLEAR.sub("?", name if whole else name[: _LONGEST_ECHO - 1]) + ("" if whole else "…")


def _meant(name: str, known: Sequence[str]) -> str | None:
    """The name in `known` that is most similar to the unknown `name`, or None."""
    plain = {word.casefold(): word for word in known}
    match = get_close_matches(_short(name).casefold(), plain, n=1, cutoff=0.7)
    return plain[match[0]] if match else None
