"""The protocol as an AsyncAPI 3 document, made from the message models."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, TypeAlias, get_args

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from tablero_protocol.codec import MAX_CLIENT_FRAME, SUBPROTOCOLS
from tablero_protocol.codes import WHAT_TO_DO, WHY_CLOSED
from tablero_protocol.messages import PROTOCOL, ClientMessage, ServerMessage
from tablero_protocol.reasons import REASONS

from .examples import CLIENT_EXAMPLES, SERVER_EXAMPLES

Json: TypeAlias = dict[str, Any]

SHIPPED = Path(__file__).parents[1] / "protocol" / "tablero_protocol" / "asyncapi.json"

_DESCRIPTION = f"""\
Everything that travels between a client and a Tablero server, over one WebSocket at /ws, one message a frame.
The subprotocols {" and ".join(SUBPROTOCOLS)} carry the same messages; a frame from a client has at most
{MAX_CLIENT_FRAME} bytes. Servers may add messages and fields, which clients ignore; codes never change their
meaning."""


def by_type(union: Any) -> dict[str, type[BaseModel]]:
    """The messages of one direction, in the order of messages.py."""
    return {model.model_fields["type"].default: model for model in get_args(union)}


FROM_CLIENT, FROM_SERVER = by_type(ClientMessage), by_type(ServerMessage)
_BY_SUBSCRIPTION = {"nextPlayer", "said", "offered", "answered"}


def document() -> Json:
    """The whole protocol. Its schemas are valid in JSON Schema draft 7, as AsyncAPI needs, and in 2020-12."""
    examples = {example["type"]: example for example in (*CLIENT_EXAMPLES, *SERVER_EXAMPLES)}
    models = {**FROM_CLIENT, **FROM_SERVER}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Tablero", "version": f"{PROTOCOL}.0.0", "description": _DESCRIPTION},
        "defaultContentType": "application/json",
        "servers": {"local": {"host": "127.0.0.1:8470", "protocol": "ws"}},
        "channels": {"ws": _channel(list(models))},
        "operations": _operations(),
        "components": {
            "messages": {kind: _message(kind, model, examples[kind]) for kind, model in models.items()},
            "schemas": schemas(),
        },
        "x-refusal-codes": {
            code.value: {"fault": fault, "whatToDo": remedy} for code, (fault, remedy) in WHAT_TO_DO.items()
        },
        "x-refusal-reasons": {
            reason: {"code": why.code.value, "sentence": why.sentence} for reason, why in REASONS.items()
        },
        "x-close-codes": {str(close.value): why for close, why in WHY_CLOSED.items()},
    }


def _channel(kinds: list[str]) -> Json:
    header = {"type": "string", "enum": list(SUBPROTOCOLS)}
    return {
        "address": "/ws",
        "title": "The one connection of a client",
        "messages": {kind: {"$ref": f"#/components/messages/{kind}"} for kind in kinds},
        "bindings": {
            "ws": {
                "method": "GET",
                "headers": {"type": "object", "properties": {"Sec-WebSocket-Protocol": header}},
                "bindingVersion": "0.1.0",
            }
        },
    }


def _operations() -> Json:
    """The server's operations: it receives each client message and replies, and sends other facts
    by itself.
    """
    here = {"$ref": "#/channels/ws"}
    receiving = {
        kind: {
            "action": "receive",
            "channel": here,
            "summary": summary(model),
            "messages": [_in_channel(kind)],
            "reply": {"channel": here, "messages": [_in_channel(answer) for answer in answers(model)]},
        }
        for kind, model in FROM_CLIENT.items()
    }
    sending = {
        "tell": {
            "action": "send",
            "channel": here,
            "summary": "What the server says, asked or not.",
            "messages": [_in_channel(kind) for kind in FROM_SERVER],
        }
    }
    return receiving | sending


def answers(command: type[BaseModel]) -> list[str]:
    """The messages that may answer `command`: those in its docstring, `refused`, and `ok` in place of an
    event that its author has not subscribed to.
    """
    sentence = (command.__doc__ or "").partition("Answered by ")[2]
    named = [word for word in re.findall(r"`(\w+)`", sentence) if word in FROM_SERVER]
    if "ok" not in named and not _BY_SUBSCRIPTION.isdisjoint(named):
        named.append("ok")
    return [*named, "refused"]


def _message(kind: str, model: type[BaseModel], example: Json) -> Json:
    message: Json = {"name": kind, "title": model.__name__, "summary": summary(model)}
    if "id" in model.model_fields:
        message["correlationId"] = {"location": "$message.payload#/id"}
    if "re" in model.model_fields:
        message["correlationId"] = {"location": "$message.payload#/re"}
    message["payload"] = {"$ref": f"#/components/schemas/{model.__name__}"}
    message["examples"] = [{"payload": example}]
    return message


def summary(model: type[BaseModel]) -> str:
    return _on_the_wire(model.__doc__ or "")


def _on_the_wire(docstring: str) -> str:
    return " ".join(docstring.split()).replace("None", "null")


def _in_channel(kind: str) -> Json:
    return {"$ref": f"#/channels/ws/messages/{kind}"}


# The schemas


class _Untitled(GenerateJsonSchema):
    """A schema generator that omits the titles of fields, because they only repeat the names."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def schemas() -> dict[str, Json]:
    """A JSON Schema for each message and each part of a message, by the name of its model."""
    models = [*FROM_CLIENT.values(), *FROM_SERVER.values()]
    _, definitions = models_json_schema(
        [(model, "validation") for model in models],
        ref_template="#/components/schemas/{model}",
        schema_generator=_Untitled,
    )
    made: dict[str, Json] = definitions["$defs"]
    for kind, model in (*FROM_CLIENT.items(), *FROM_SERVER.items()):
        schema = made[model.__name__]
        schema["properties"] = {"type": None, **schema["properties"]} | {"type": {"const": kind}}
        schema["required"] = ["type", *schema.get("required", [])]
    for schema in made.values():
        if "description" in schema:
            schema["description"] = _on_the_wire(schema["description"])
    for name in _reached({model.__name__ for model in FROM_SERVER.values()}, made):
        made[name].pop("additionalProperties", None)  # a newer server may send more
    return dict(sorted(made.items()))


def _reached(names: set[str], made: dict[str, Json]) -> set[str]:
    """`names` and all schemas that they refer to, directly or not."""
    reached: set[str] = set()
    while new := names - reached:
        reached |= new
        names = {name for found in new for name in re.findall(r"schemas/(\w+)", json.dumps(made[found]))}
    return reached


def as_text(built: Json) -> str:
    return json.dumps(built, indent=1, ensure_ascii=False) + "\n"
