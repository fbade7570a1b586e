"""The generated parts of docs/protocol-reference.md: every message, field, code and limit as tables."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import BaseModel

from tablero_protocol.codes import WHAT_TO_DO, WHY_CLOSED, may_return
from tablero_protocol.notices import NOTICES
from tablero_protocol.reasons import REASONS
from tablero_protocol.scan import FROM_CLIENT as CLIENT_BOUNDS

from .schema import FROM_CLIENT, FROM_SERVER, schemas, summary

Json: TypeAlias = dict[str, Any]

PAGE = Path(__file__).parents[1] / "docs" / "protocol-reference.md"

_PLAIN_TYPES = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "map",
    "null": "null",
}


def with_tables(page: str) -> str:
    """The page with new text between `<!-- generated: NAME -->` and `<!-- end -->`."""

    def made(marked: re.Match[str]) -> str:
        return f"{marked[1]}\n\n{_PARTS[marked[2]]()}\n\n{marked[3]}"

    return re.sub(r"(<!-- generated: ([\w ]+) -->).*?(<!-- end -->)", made, page, flags=re.DOTALL)


# Messages


def _messages(models: dict[str, type[BaseModel]]) -> str:
    made = schemas()
    sections = []
    for kind, model in models.items():
        schema = made[model.__name__]
        told = _linked(summary(model), besides={kind, *schema["properties"]})
        sections.append(f"#### `{kind}`\n\n{told}\n\n{_fields(schema)}")
    return "\n\n".join(sections)


def _parts_of_messages() -> str:
    messages = {model.__name__ for model in (*FROM_CLIENT.values(), *FROM_SERVER.values())}
    sections = (
        f"#### {name}\n\n{schema.get('description', '')}\n\n{_fields(schema)}"
        for name, schema in schemas().items()
        if name not in messages
    )
    return "\n\n".join(sections).replace("\n\n\n\n", "\n\n")


def _linked(told: str, besides: set[str]) -> str:
    """The text with a link for each message that it names; `besides` are names with another meaning here."""

    def link(named: re.Match[str]) -> str:
        name = named[1]
        linked = name not in besides and (name in FROM_CLIENT or name in FROM_SERVER)
        return f"[`{name}`](#{name.lower()})" if linked else named[0]

    return re.sub(r"`(\w+)`", link, told)


def _fields(schema: Json) -> str:
    """A table row for each field except `type`, which the heading shows."""
    required = schema.get("required", [])
    rows = [
        [f"`{name}`", _type(field), _bounds(field), _default(name, field, required)]
        for name, field in schema["properties"].items()
        if "const" not in field
    ]
    return _table(["field", "type", "bounds", "default"], rows)


def _type(field: Json) -> str:
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in field:
        choices = field["anyOf"]
        if field.get("default", "") is None:
            choices = [choice for choice in choices if choice != {"type": "null"}]
        return " or ".join(_type(choice) for choice in choices)
    if "enum" in field:
        return " or ".join(f"`{choice}`" for choice in field["enum"])
    if field["type"] == "array":
        return f"list of {_type(field['items'])}"
    if isinstance(values := field.get("additionalProperties"), dict):
        return f"map of {_type(values)}"
    return _PLAIN_TYPES[field["type"]]


def _bounds(field: Json) -> str:
    """The bounds as text, such as 1 to 36 characters; at most 4; 0 to 7."""
    said = [_bounds(choice) for choice in field.get("anyOf", [])]
    said.append(_between(field.get("minimum"), field.get("maximum"), ""))
    characters = " visible ASCII characters" if "pattern" in field else " characters"
    said.append(_between(field.get("minLength"), field.get("maxLength"), characters))
    said.append(_between(None, field.get("maxItems"), " entries"))
    said.append(_between(None, field.get("maxProperties"), " entries"))
    if "items" in field and (each := _bounds(field["items"])):
        said.append(f"each {each}")
    return ", ".join(filter(None, said))


def _between(least: int | None, most: int | None, unit: str) -> str:
    if most is None:
        return "" if least is None else f"at least {least:,}{unit}"
    return f"at most {most:,}{unit}" if least is None else f"{least:,} to {most:,}{unit}"


def _default(name: str, field: Json, required: list[str]) -> str:
    if name in required:
        return "required"
    default = field["default"]
    return "absent" if default is None else f"`{json.dumps(default)}`"


# Codes and limits


def _refusals() -> str:
    rows = [[f"`{code.value}`", fault, remedy] for code, (fault, remedy) in WHAT_TO_DO.items()]
    return _table(["code", "whose fault", "what to do"], rows)


def _reasons() -> str:
    rows = [[f"`{reason}`", f"`{why.code.value}`", why.sentence] for reason, why in REASONS.items()]
    return _table(["reason", "code", "sentence"], rows)


def _notices() -> str:
    return _table(["reason", "sentence"], [[f"`{reason}`", told] for reason, told in NOTICES.items()])


def _closes() -> str:
    rows = [
        [str(close.value), "yes" if may_return(close) else "no", why] for close, why in WHY_CLOSED.items()
    ]
    return _table(["close code", "come back?", "why"], rows)


def _limits() -> str:
    bounds = CLIENT_BOUNDS
    rows = [
        ["bytes of a frame", f"{bounds.frame:,}"],
        ["maps and lists inside each other, the message itself included", f"{bounds.depth:,}"],
        ["values in all, keys included", f"{bounds.items:,}"],
        ["entries of a list", f"{bounds.array:,}"],
        ["entries of a map", f"{bounds.map:,}"],
    ]
    return _table(["what a frame from a client holds", "at most"], rows)


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


_PARTS: dict[str, Callable[[], str]] = {
    "client messages": partial(_messages, FROM_CLIENT),
    "server messages": partial(_messages, FROM_SERVER),
    "parts of messages": _parts_of_messages,
    "refusals": _refusals,
    "reasons": _reasons,
    "notices": _notices,
    "closes": _closes,
    "limits": _limits,
}
