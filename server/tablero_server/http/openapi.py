"""The pages under /api, each declared once with its path, parameters, answer and refusals.

Law: pages are served as they are declared here, and the OpenAPI document is made from the same declarations.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, RootModel
from pydantic.alias_generators import to_camel
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from tablero_games import GAMES
from tablero_protocol.messages import (
    PlayerPage,
    Ratings,
    ShowPlayer,
    ShowRatings,
    ShowTimes,
    ShowTonight,
    Times,
    Tonight,
)

from ..wire.http import BODY_PATH, MOST_BODY_BYTES

Json: TypeAlias = dict[str, Any]

RECORDS = "application/x-ndjson"
_PLACE = "#/components/schemas/"
_ANSWERED = re.compile(r" Answered by `\w+`\.")


# Answers that are not messages


class _Model(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel)


class PageRefusal(_Model):
    code: str
    reason: str
    fields: dict[str, Any]
    message: str


_Where: TypeAlias = list[str | int]


class Change(RootModel[tuple[_Where] | tuple[_Where, Any] | tuple[_Where, int, str]]):
    """A change: `[path]` deletes, `[path, value]` sets, `[path, at, letters]` replaces from `at` on."""


class ReplayedTurn(_Model):
    """One entry of a game. One of `move`, `withdrew`, `tookBack`, `drawn` and `aborted` is set; `at` counts
    from the start.
    """

    seat: int | None = None
    move: str | None = None
    withdrew: str | None = None
    took_back: int | None = None
    drawn: bool | str | None = None
    aborted: str | None = None
    at: int
    clocks: list[int] | None = None
    changes: Annotated[list[list[Change]], Field(description="What it changed in each view.")]


class Replay(_Model):
    """A game, step by step. Times are milliseconds, `started` since 1970.

    `views` are the views at the start: one for all, or one for each seat. While a game hides something,
    `seats` has the seats of the player who asks, one for each view.
    """

    game: str
    options: dict[str, Any]
    names: list[str | None]
    clock: dict[str, Any] | None
    room: str | None
    started: int | None
    outcome: dict[str, Any] | None
    views: Annotated[list[dict[str, Any]], Field(min_length=1)]
    seats: list[int] | None = None
    turns: list[ReplayedTurn]


class NearbyServer(_Model):
    name: Annotated[str, Field(max_length=60)]
    link: str


class Nearby(_Model):
    servers: Annotated[list[NearbyServer], Field(max_length=20)]


# The pages


@dataclass(frozen=True)
class ApiPage:
    path: str
    summary: str
    answers: type[BaseModel] | str
    """The JSON model of the answer, or its content type."""
    asks: type[BaseModel] | None = None
    """The message whose fields are the parameters in path and query."""
    takes: Mapping[str, Json] = field(default_factory=dict)
    """Schemas of parameters that are in no message, or are narrower than in the message."""
    sends: str = ""
    """The content type of the request's body."""
    refuses: Mapping[int, str] = field(default_factory=dict)
    """The refusals by status, besides those of every page."""
    with_token: bool = False
    """Whether the page needs a player's token."""


_NAME: Json = {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[0-9A-Za-z_-]+$"}
_ANA: Json = {**_NAME, "examples": ["ana"]}
_ROOM: Json = {"type": "string", "minLength": 1, "maxLength": 64, "examples": ["r4d9s2h6w8ey"]}
_NO_ROOM = {
    403: "The game is running, and only for its players.",
    404: "There has never been such a room, or it is private.",
    409: "The game has not begun.",
    500: "What is stored of the room is damaged.",
}
RATINGS = ApiPage(
    "/api/ratings/{game}",
    "Who is best at a game",
    Ratings,
    asks=ShowRatings,
    takes={"game": {"type": "string", "enum": list(GAMES)}},
    refuses={404: "There is no such game here."},
)
TIMES = ApiPage("/api/times/{course}", "Who is fastest at a course", Times, asks=ShowTimes)
PLAYER = ApiPage(
    "/api/players/{player}",
    "A player's ratings and games",
    PlayerPage,
    asks=ShowPlayer,
    takes={"player": _ANA, "rival": {**_NAME, "examples": ["ben"]}},
    refuses={404: "There is no player of that name or id."},
)
TONIGHT = ApiPage("/api/tonight", "What was played in the last twelve hours", Tonight, asks=ShowTonight)
OWN_GAMES = ApiPage(
    "/api/players/{player}/games",
    "All games of a player, only for that player: one record after another",
    RECORDS,
    takes={"player": _ANA},
    refuses={401: "Send the token of the player.", 403: "These are another player's games."},
    with_token=True,
)
RECORD = ApiPage(
    "/api/rooms/{room}/record", "The record of a game", RECORDS, takes={"room": _ROOM}, refuses=_NO_ROOM
)
REPLAY = ApiPage(
    "/api/rooms/{room}/replay",
    "What there was to see after each turn of a game",
    Replay,
    takes={"room": _ROOM},
    refuses=_NO_ROOM,
)
REPLAY_OF_A_FILE = ApiPage(
    BODY_PATH,
    "The same of a record that is sent; nothing of it is kept",
    Replay,
    sends=RECORDS,
    refuses={
        400: "It is no record, or a line of it is wrong: `fields.line`.",
        403: "A page of another site asks, which `TABLERO_ORIGINS` does not name.",
        413: f"It has more than {MOST_BODY_BYTES} bytes.",
    },
)
NEARBY = ApiPage("/api/nearby", "Other servers of this network, for those in it", Nearby)
PAGES = (RATINGS, TIMES, PLAYER, OWN_GAMES, RECORD, REPLAY, REPLAY_OF_A_FILE, NEARBY, TONIGHT)

_WRONG = "The question has a mistake, which the sentence names."
_EVERYWHERE = {
    401: "The host shows these pages only to players; send a player's token.",
    429: "Too many questions; `Retry-After` says when to ask again.",
    503: "Not just now; `Retry-After` says when to ask again.",
}


class _WithoutTitles(GenerateJsonSchema):
    """A schema generator that omits the titles of fields, because they only repeat the names."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


# The document


@cache
def document() -> bytes:
    shipped = json.loads(resources.files("tablero_protocol").joinpath("asyncapi.json").read_bytes())
    known = shipped["components"]["schemas"]
    answered = {page.answers.__name__ for page in PAGES if not isinstance(page.answers, str)} & known.keys()
    built = {
        "openapi": "3.1.0",
        "info": {
            "title": "Tablero",
            "version": "1",
            "description": "What was played here, to be read. `docs/ratings.md` says what it means.",
        },
        "paths": {page.path: {"post" if page.sends else "get": _operation(page, known)} for page in PAGES},
        "components": {
            "schemas": {**{name: known[name] for name in _reached(answered, known)}, **_own_schemas()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        # With a token, the player's private games are shown, too.
        "security": [{}, {"token": []}],
    }
    return json.dumps(built, indent=1).encode()


def _own_schemas() -> Json:
    models: list[type[BaseModel]] = [PageRefusal, Replay, Nearby]
    _, made = models_json_schema(
        [(model, "serialization") for model in models],
        ref_template=_PLACE + "{model}",
        schema_generator=_WithoutTitles,
    )
    schemas: Json = made["$defs"]
    return schemas


def _operation(page: ApiPage, known: Json) -> Json:
    asked = known[page.asks.__name__] if page.asks else {}
    refuses = {**_EVERYWHERE, **({400: _WRONG} if page.asks else {}), **page.refuses}
    refusal = {"application/json": {"schema": {"$ref": f"{_PLACE}PageRefusal"}}}
    operation: Json = {
        "summary": page.summary,
        "parameters": list(_parameters(page, asked.get("properties", {}))),
        "responses": {
            "200": {"description": page.summary, "content": _content(page.answers)},
            **{str(each): {"description": why, "content": refusal} for each, why in sorted(refuses.items())},
        },
    }
    if asked:
        operation["description"] = _ANSWERED.sub("", asked["description"])
    if page.sends:
        body = {"schema": {"type": "string", "maxLength": MOST_BODY_BYTES}}
        operation["requestBody"] = {"required": True, "content": {page.sends: body}}
    if page.with_token:
        operation["security"] = [{"token": []}]
    return operation


def _content(answers: type[BaseModel] | str) -> Json:
    if isinstance(answers, str):
        return {answers: {"schema": {"type": "string"}}}
    return {"application/json": {"schema": {"$ref": _PLACE + answers.__name__}}}


def _parameters(page: ApiPage, asked: Json) -> Iterator[Json]:
    """The parameters of a page: required ones in the path, optional ones in the query."""
    for name, schema in {**asked, **page.takes}.items():
        if name in ("type", "id"):
            continue
        [given] = [each for each in schema.get("anyOf", [schema]) if each != {"type": "null"}]
        in_path = f"{{{name}}}" in page.path
        yield {"name": name, "in": "path" if in_path else "query", "required": in_path, "schema": given}


def _reached(names: Set[str], known: Json) -> list[str]:
    """The names of these schemas and of all schemas that they refer to."""
    reached: set[str] = set()
    while new := names - reached:
        reached |= new
        names = {name for each in new for name in re.findall(r"schemas/(\w+)", json.dumps(known[each]))}
    return sorted(reached)
