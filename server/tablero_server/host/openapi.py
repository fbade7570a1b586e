"""The host's commands as an OpenAPI document, made of the commands themselves."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter, getdoc, signature
from typing import Any

from .conversation import Command

_TEXT = {"text/plain": {"schema": {"type": "string"}}}
_SAID = {
    "type": "object",
    "required": ["ok"],
    "properties": {"ok": {"type": "boolean"}, "message": {"type": "string"}},
}


def document(commands: Mapping[str, Command]) -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tablero, for its host",
            "version": "1",
            "description": "Each command of `tablero admin` at an address of its own.",
        },
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}],
        "paths": {f"/api/{name}": {"post": _operation(name, command)} for name, command in commands.items()},
    }


def _operation(name: str, command: Command) -> dict[str, Any]:
    given = signature(command).parameters.values()
    required = [each.name for each in given if each.default is Parameter.empty]
    body = {
        "type": "object",
        "properties": {each.name: {"type": "string"} for each in given},
        "required": required,
        "additionalProperties": False,
    }
    answers = {"200": "Done.", "409": "Refused, and nothing has changed."}
    sentences = {
        "400": "No JSON object.",
        "413": "It is too long.",
        "401": "No token, or a wrong one.",
        "429": "Too many wrong tokens and codes.",
        "403": "Another site's page asked.",
        "415": "Not application/json.",
        "421": "Another name than this server's.",
    }
    return {
        "operationId": name,
        "summary": (getdoc(getattr(command, "func", command)) or name).partition("\n")[0],
        "requestBody": {"required": bool(required), "content": {"application/json": {"schema": body}}},
        "responses": {
            **{
                status: {"description": what, "content": {"application/json": {"schema": _SAID}}}
                for status, what in answers.items()
            },
            **{status: {"description": what, "content": _TEXT} for status, what in sentences.items()},
        },
    }
