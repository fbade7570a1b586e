"""The OpenAPI document says which pages there are, and what they answer fits its schemas."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator

from tablero_server.http.openapi import document
from tests.harness.pages import RECORD, a_game, bearer, post, three, to_the_end
from tests.harness.wire import RATED, a_server

DOCUMENT: dict[str, Any] = json.loads(document())


def schema_of(path: str) -> dict[str, Any]:
    answer = DOCUMENT["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    return {**answer, "components": DOCUMENT["components"]}


async def test_every_page_is_there_and_answers_what_its_schema_says() -> None:
    filled = {"game": "tic-tac-toe", "course": "beginner", "player": "ana"}
    async with three() as (_, browser, ana, ben):
        room, token, _ = await a_game(ana, ben, "tic-tac-toe", **RATED)
        await to_the_end(ana, ben, room)
        for path in DOCUMENT["paths"].keys() - {"/api/replay"}:
            status, body = await browser.get(path.format(**filled, room=room), **bearer(token))
            assert status == 200
            if path.endswith("/games"):
                continue  # lines of records
            Draft202012Validator(schema_of(path)).validate(json.loads(body))
        assert json.loads((await browser.get("/api/openapi.json"))[1]) == DOCUMENT


async def test_the_page_for_records_answers_what_its_schema_says() -> None:
    async with a_server() as server:
        for record, code in ((RECORD, "200"), ("{}", "400")):
            status, _, told = await post(server, record)
            assert str(status) == code
            answer = DOCUMENT["paths"]["/api/replay"]["post"]["responses"][code]["content"][
                "application/json"
            ]
            schema = {**answer["schema"], "components": DOCUMENT["components"]}
            Draft202012Validator(schema).validate(told)
        assert "413" in DOCUMENT["paths"]["/api/replay"]["post"]["responses"]


def test_every_reference_leads_somewhere() -> None:
    text = json.dumps(DOCUMENT)
    for name in {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}:
        assert name in DOCUMENT["components"]["schemas"]
