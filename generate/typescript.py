"""The protocol as TypeScript declarations, for type checks of the browser client. They are made from the same
schemas as the AsyncAPI document.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

from .schema import FROM_CLIENT, FROM_SERVER, schemas

Json: TypeAlias = dict[str, Any]

DECLARED = Path(__file__).parents[1] / "clients" / "web" / "protocol.d.ts"
_WORDS = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
_HEAD = "// Generated from the message models by `make schema`; a test compares. Do not edit.\n"


def declarations() -> str:
    made = [_interface(name, schema) for name, schema in schemas().items()]
    made.append(_union("ClientMessage", [model.__name__ for model in FROM_CLIENT.values()]))
    made.append(_union("ServerMessage", [model.__name__ for model in FROM_SERVER.values()]))
    return "\n".join([_HEAD, *made])


def _interface(name: str, schema: Json) -> str:
    about = f"/** {schema['description']} */\n" if "description" in schema else ""
    required = set(schema.get("required", ()))
    fields = [
        f"  {field}{'' if field in required else '?'}: {_type(part)};"
        for field, part in schema.get("properties", {}).items()
    ]
    return f"{about}export interface {name} {{\n" + "\n".join(fields) + "\n}\n"


def _union(name: str, members: list[str]) -> str:
    return f"export type {name} =\n" + "\n".join(f"  | {member}" for member in members) + ";\n"


def _type(schema: Json) -> str:
    match schema:
        case {"$ref": reference}:
            return str(reference).rpartition("/")[2]
        case {"const": value}:
            return _literal(value)
        case {"enum": values}:
            return " | ".join(map(_literal, values))
        case {"anyOf": parts}:
            return " | ".join(dict.fromkeys(map(_type, parts)))
        case {"type": "array", "items": items}:
            return f"Array<{_type(items)}>"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"Record<string, {_type(values)}>"
        case {"type": "object" | "array" as kind}:
            return "Record<string, any>" if kind == "object" else "any[]"
        case {"type": word}:
            return _WORDS[word]
    return "any"


def _literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()
