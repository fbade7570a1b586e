"""tablero_protocol/messages.py: every message survives both codecs and keeps the laws of the page."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel
from pydantic.alias_generators import to_camel

from generate.examples import CLIENT_EXAMPLES, SERVER_EXAMPLES
from generate.schema import FROM_CLIENT, FROM_SERVER, schemas
from tablero_protocol.codec import CODECS, Codec, to_wire
from tests.harness.from_schema import allowed_by
from tests.harness.tiers import FULL

BOTH = pytest.mark.parametrize("codec", CODECS.values(), ids=["msgpack", "json"])
EXAMPLES = {example["type"]: example for example in (*CLIENT_EXAMPLES, *SERVER_EXAMPLES)}
MODELS = FROM_CLIENT | FROM_SERVER
SCHEMAS = schemas()


def decoded(codec: Codec, kind: str, wire: dict[str, Any]) -> BaseModel:
    decode = codec.decode_client if kind in FROM_CLIENT else codec.decode_server
    message: BaseModel = decode(codec.encode(wire))
    return message


def test_every_message_has_one_example() -> None:
    assert [example["type"] for example in CLIENT_EXAMPLES] == list(FROM_CLIENT)
    assert [example["type"] for example in SERVER_EXAMPLES] == list(FROM_SERVER)


@BOTH
@pytest.mark.parametrize("kind", MODELS)
def test_an_example_comes_back_as_the_message_it_was(codec: Codec, kind: str) -> None:
    message = decoded(codec, kind, EXAMPLES[kind])
    assert type(message) is MODELS[kind]
    assert decoded(codec, kind, to_wire(message)) == message
    assert to_wire(message).items() >= EXAMPLES[kind].items()


@pytest.mark.parametrize("kind", MODELS)
@settings(max_examples=100 if FULL else 10)
@given(data=st.data())
def test_whatever_the_schema_allows_is_read_and_written_alike_by_both_codecs(
    kind: str, data: st.DataObject
) -> None:
    wire = data.draw(allowed_by(SCHEMAS[MODELS[kind].__name__], SCHEMAS))
    first, second = (decoded(codec, kind, wire) for codec in CODECS.values())
    assert first == second
    assert decoded(CODECS["tablero.v1.json"], kind, to_wire(first)) == first


@pytest.mark.parametrize("kind", MODELS)
def test_a_field_is_spelled_in_camel_case_on_the_wire(kind: str) -> None:
    for name, field in MODELS[kind].model_fields.items():
        assert field.alias == to_camel(name)


@pytest.mark.parametrize("kind", FROM_CLIENT)
def test_every_client_message_has_an_id_and_says_how_it_is_answered(kind: str) -> None:
    assert MODELS[kind].model_fields["id"].is_required()
    assert "Answered by" in (MODELS[kind].__doc__ or "")


@pytest.mark.parametrize("kind", FROM_SERVER)
def test_a_server_message_never_insists_on_being_an_answer(kind: str) -> None:
    re = MODELS[kind].model_fields.get("re")
    assert re is None or not re.is_required()


@pytest.mark.parametrize("kind", MODELS)
def test_a_message_cannot_be_changed(kind: str) -> None:
    assert MODELS[kind].model_config["frozen"]
