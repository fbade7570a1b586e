"""The pages under /api as an OpenAPI document. What they answer has the schemas of the protocol."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from typing import Any, TypeAlias, get_args

from tablero_games import GAMES
from tablero_protocol.messages import Course, Speed

from ..wire.http import MOST_BODY_BYTES

Json: TypeAlias = dict[str, Any]

_REFUSED = {
    "type": "object",
    "required": ["code", "reason", "fields", "message"],
    "properties": {
        "code": {"type": "string"},
        "reason": {"type": "string"},
        "fields": {"type": "object"},
        "message": {"type": "string"},
    },
}
_VALUE = {"type": ["object", "array", "string", "number", "boolean", "null"]}
_REPLAY = {
    "type": "object",
    "required": ["game", "options", "names", "clock", "room", "started", "outcome", "views", "turns"],
    "properties": {
        "game": {"type": "string"},
        "options": {"type": "object"},
        "names": {"type": "array", "items": {"type": ["string", "null"]}},
        "clock": {"type": ["object", "null"]},
        "room": {"type": ["string", "null"]},
        "started": {"type": ["integer", "null"], "description": "Milliseconds since 1970."},
        "outcome": {"type": ["object", "null"]},
        "views": {
            "type": "array",
            "items": {"type": "object"},
            "minItems": 1,
            "description": "What there was to see at the start: one view, or one a seat.",
        },
        "seats": {
            "type": "array",
            "items": {"type": "integer"},
            "description": "Whose views these are, while a game hides something: those of whoever asks.",
        },
        "turns": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["at", "changes"],
                "properties": {
                    "seat": {"type": "integer"},
                    "move": {"type": "string"},
                    "withdrew": {"type": "string"},
                    "tookBack": {"type": "integer"},
                    "drawn": {"type": ["boolean", "string"]},
                    "aborted": {"type": "string"},
                    "at": {"type": "integer", "description": "Milliseconds since the start."},
                    "clocks": {"type": "array", "items": {"type": "integer"}},
                    "changes": {
                        "type": "array",
                        "description": "What it changed in each view.",
                        "items": {"type": "array", "items": {"$ref": "#/components/schemas/Change"}},
                    },
                },
            },
        },
    },
}
_CHANGE = {
    "type": "array",
    "minItems": 1,
    "maxItems": 3,
    "prefixItems": [{"type": "array", "items": {"type": ["string", "integer"]}}, _VALUE, {"type": "string"}],
    "description": "`[path, value]`: there it is now. `[path, at, letters]`: from `at` on it reads so. "
    "`[path]`: it is gone.",
}
_NEARBY = {
    "type": "object",
    "required": ["servers"],
    "properties": {
        "servers": {
            "type": "array",
            "maxItems": 20,
            "items": {
                "type": "object",
                "required": ["name", "link"],
                "properties": {"name": {"type": "string", "maxLength": 60}, "link": {"type": "string"}},
            },
        }
    },
}
_NAME = {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[0-9A-Za-z_-]+$"}
_PLACE = {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[!-~]+$"}
_COUNT = {"type": "integer", "minimum": 0, "maximum": 999_999_999_999_999}


@cache
def document() -> bytes:
    schemas = json.loads(resources.files("tablero_protocol").joinpath("asyncapi.json").read_bytes())
    known = schemas["components"]["schemas"]
    built = {
        "openapi": "3.1.0",
        "info": {
            "title": "Tablero",
            "version": "1",
            "description": "What was played here, to be read. `docs/ratings.md` says what it means.",
        },
        "paths": _paths(),
        "components": {
            "schemas": {
                **{name: known[name] for name in _reached(known)},
                "Refusal": _REFUSED,
                "Replay": _REPLAY,
                "Change": _CHANGE,
                "Nearby": _NEARBY,
            },
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        # With a token, one's own private games are shown, too.
        "security": [{}, {"token": []}],
    }
    return json.dumps(built, indent=1).encode()


def _paths() -> Json:
    after = _query("after", _COUNT, "The `more` of the page before.")
    older = _query("after", _PLACE, "The `more` of the page before.")
    return {
        "/api/ratings/{game}": _page(
            "Who is best at a game",
            "Ratings",
            [
                _path("game", {"enum": list(GAMES)}),
                _query("speed", {"enum": list(get_args(Speed)), "default": "rapid"}, "How fast."),
                after,
            ],
            missing="There is no such game here.",
        ),
        "/api/times/{course}": _page(
            "Who is fastest at a course of Minesweeper",
            "Times",
            [
                _path("course", {"enum": list(get_args(Course))}),
                _query("bots", {"type": "boolean", "default": False}, "Bots, and not people."),
                after,
            ],
        ),
        "/api/players/{player}": _page(
            "A player's ratings and games",
            "PlayerPage",
            [
                _path("player", {**_NAME, "examples": ["ana"]}),
                _query("rival", {**_NAME, "examples": ["ben"]}, "Whom to compare with."),
                older,
            ],
            missing="There is nobody of that name or id.",
        ),
        "/api/players/{player}/games": _file(
            "All games of a player, for that player alone: one record after another",
            [_path("player", {**_NAME, "examples": ["ana"]})],
        ),
        "/api/rooms/{room}/replay": _replay_of_a_room(),
        "/api/replay": _replay_of_a_file(),
        "/api/nearby": _page("Other servers of this network, for those in it", "Nearby", []),
        "/api/tonight": _page("What was played in the last twelve hours", "Tonight", [older]),
    }


def _page(summary: str, model: str, parameters: list[Json], *, missing: str = "") -> Json:
    refused = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
    why = {
        "400": "The question has a mistake, which the sentence names.",
        "401": "The host shows these pages to players alone; send the token of one.",
        "429": "Too many questions; `Retry-After` says when to ask again.",
        "503": "Not just now; `Retry-After` says when to ask again.",
    }
    if missing:
        why["404"] = missing
    answer = {"application/json": {"schema": {"$ref": f"#/components/schemas/{model}"}}}
    responses = {"200": {"description": summary, "content": answer}}
    responses |= {status: {"description": text, "content": refused} for status, text in sorted(why.items())}
    return {"get": {"summary": summary, "parameters": parameters, "responses": responses}}


def _file(summary: str, parameters: list[Json]) -> Json:
    """A page that is no JSON, for whoever has the token."""
    made = _page(summary, "Refusal", parameters)
    responses = made["get"]["responses"]
    responses["200"]["content"] = {"application/x-ndjson": {"schema": {"type": "string"}}}
    responses["401"]["description"] = "It takes the token of the player."
    responses["403"] = {**responses["401"], "description": "These are the games of somebody else."}
    del responses["400"]
    made["get"]["security"] = [{"token": []}]
    return made


def _replay_of_a_room() -> Json:
    made = _page(
        "What there was to see after each turn of a game",
        "Replay",
        [_path("room", {"minLength": 1, "maxLength": 64, "examples": ["r4d9s2h6w8ey"]})],
        missing="There has never been such a room, or it is private.",
    )
    responses = made["get"]["responses"]
    responses["403"] = {**responses["404"], "description": "The game is on, and for its players alone."}
    responses["409"] = {**responses["404"], "description": "The game has not begun."}
    responses["401"]["description"] = "Only players may read this; send the token of one."
    damaged = "What is stored of the room is damaged."
    responses["500"] = {**responses["404"], "description": damaged}
    return made


def _replay_of_a_file() -> Json:
    made = _page("The same of a record that is sent; nothing of it is kept", "Replay", [])["get"]
    made["responses"]["400"]["description"] = "It is no record, or a line of it is wrong: `fields.line`."
    long = f"It has more than {MOST_BODY_BYTES} bytes."
    foreign = "A page of another site asks, which `TABLERO_ORIGINS` does not name."
    made["responses"]["403"] = {**made["responses"]["400"], "description": foreign}
    made["responses"]["413"] = {**made["responses"]["400"], "description": long}
    sent = {"application/x-ndjson": {"schema": {"type": "string", "maxLength": MOST_BODY_BYTES}}}
    return {"post": {**made, "requestBody": {"required": True, "content": sent}}}


def _path(name: str, schema: Json) -> Json:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string", **schema}}


def _query(name: str, schema: Json, description: str) -> Json:
    return {"name": name, "in": "query", "description": description, "schema": schema}


def _reached(known: Json) -> list[str]:
    """The schemas of the answers, and all that they refer to."""
    reached: set[str] = set()
    names = {"Ratings", "Times", "PlayerPage", "Tonight"}
    while new := names - reached:
        reached |= new
        names = {name for each in new for name in re.findall(r"schemas/(\w+)", json.dumps(known[each]))}
    return sorted(reached)
