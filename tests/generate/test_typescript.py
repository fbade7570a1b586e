"""The declarations that check the browser client are those of the models."""

from __future__ import annotations

import re

import pytest

from generate.schema import FROM_CLIENT, FROM_SERVER, schemas
from generate.typescript import DECLARED, _type, declarations


def test_the_declarations_of_the_browser_client_are_up_to_date() -> None:
    assert DECLARED.read_text() == declarations(), "run `make schema`"


def test_every_message_and_every_part_is_declared_once() -> None:
    names = re.findall(r"(?m)^export interface (\w+) ", declarations())
    assert names == list(schemas())


@pytest.mark.parametrize("messages", [FROM_CLIENT, FROM_SERVER])
def test_a_union_tells_messages_apart_by_their_type(messages: dict[str, type]) -> None:
    text = declarations()
    for kind, model in messages.items():
        assert f'export interface {model.__name__} {{\n  type: "{kind}";\n' in text
        assert f"\n  | {model.__name__}" in text


@pytest.mark.parametrize(
    ("schema", "declared"),
    [
        ({"type": "integer", "minimum": 0}, "number"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string | null"),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, "number"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Player"}}, "Array<Player>"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "Record<string, number>"),
        ({"type": "object", "additionalProperties": True}, "Record<string, any>"),
        ({"enum": ["win", "draw"]}, '"win" | "draw"'),
        ({"const": True}, "true"),
        ({}, "any"),
    ],
)
def test_a_schema_becomes_a_type(schema: dict[str, object], declared: str) -> None:
    assert _type(schema) == declared
