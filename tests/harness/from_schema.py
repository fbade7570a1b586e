"""Values that a JSON Schema allows, as strategies for hypothesis; it knows the keywords in our schemas.

A rule that no schema can express: a text that must not be empty contains a visible character.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from hypothesis import strategies as st

from tablero_protocol.text import clean

Json: TypeAlias = dict[str, Any]

_ANY_TEXT = st.characters(codec="utf-8")
_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(_ANY_TEXT, max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(_ANY_TEXT, max_size=5), inner, max_size=2)
    ),
    max_leaves=4,
)


def allowed_by(schema: Json, named: dict[str, Json]) -> st.SearchStrategy[Any]:
    """Every value that `schema` allows; its references mean the schemas in `named`."""
    if "$ref" in schema:
        return allowed_by(named[schema["$ref"].rpartition("/")[2]], named)
    if "anyOf" in schema:
        return st.one_of([allowed_by(choice, named) for choice in schema["anyOf"]])
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "null":
            return st.none()
        case "boolean":
            return st.booleans()
        case "integer":
            return st.integers(schema.get("minimum", -(2**63)), schema.get("maximum", 2**63))
        case "number":
            return st.floats(allow_nan=False, allow_infinity=False)
        case "string":
            alphabet = (
                st.characters(min_codepoint=0x21, max_codepoint=0x7E) if "pattern" in schema else _ANY_TEXT
            )
            least, most = schema.get("minLength", 0), schema.get("maxLength", 5)
            text = st.text(alphabet, min_size=least, max_size=most)
            return text.filter(lambda text: least <= len(clean(text)) <= most) if least else text
        case "array":
            least, most = schema.get("minItems", 0), schema.get("maxItems", 3)
            items = allowed_by(schema["items"], named)
            return st.lists(items, min_size=least, max_size=max(least, min(3, most)))
        case "object":
            return _map(schema, named)
    raise NotImplementedError(schema)


def _map(schema: Json, named: dict[str, Json]) -> st.SearchStrategy[Json]:
    if "patternProperties" in schema:
        [(pattern, values)] = schema["patternProperties"].items()
        names = {"type": "string", "pattern": pattern, **schema.get("propertyNames", {})}
        return st.dictionaries(allowed_by(names, named), allowed_by(values, named), max_size=3)
    if "properties" not in schema:
        values = schema["additionalProperties"]
        inside = _ANYTHING if values is True else allowed_by(values, named)
        return st.dictionaries(st.text(_ANY_TEXT, max_size=5), inside, max_size=3)
    fields = {name: allowed_by(field, named) for name, field in schema["properties"].items()}
    required = schema.get("required", [])
    return st.fixed_dictionaries(
        {name: fields[name] for name in required},
        optional={name: field for name, field in fields.items() if name not in required},
    )
