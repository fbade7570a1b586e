"""The OpenAPI document says which pages there are, and what they answer fits its schemas."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator

from tablero_server.http.openapi import document
from tests.harness.pages import RECORD, a_game, bearer, post, three, to_the_end
from tests.harness.wire import RATED, a_server

DOCUMENT: dict[str, Any] = json.loads(document())


def schema_of(content: dict[str, Any]) -> dict[str, Any]:
    return {**content["schema"], "components": DOCUMENT["components"]}


async def test_every_route_is_in_the_document_and_nothing_else() -> None:
    async with a_server() as server:
        assert server._pages._runner.app is not None
        routes = {
            (route.resource.canonical, route.method.lower())
            for route in server._pages._runner.app.router.routes()
            if route.resource is not None and route.method != "HEAD"
        }
    declared = {(path, method) for path, methods in DOCUMENT["paths"].items() for method in methods}
    assert {each for each in routes if each[0].startswith("/api/")} == {
        *declared,
        ("/api/openapi.json", "get"),
    }


def parameter(path: str, name: str) -> dict[str, Any]:
    [found] = [each for each in DOCUMENT["paths"][path]["get"]["parameters"] if each["name"] == name]
    return {key: found[key] for key in ("in", "required", "schema")}


def test_a_page_takes_what_its_message_takes() -> None:
    assert [each["name"] for each in DOCUMENT["paths"]["/api/tonight"]["get"]["parameters"]] == ["after"]
    after = {"type": "integer", "minimum": 0, "maximum": 2**53, "default": 0}
    assert parameter("/api/ratings/{game}", "after") == {"in": "query", "required": False, "schema": after}
    bots = {"in": "query", "required": False, "schema": {"type": "boolean", "default": False}}
    assert parameter("/api/times/{course}", "bots") == bots
    course = parameter("/api/times/{course}", "course")
    assert (course["in"], course["required"], "expert" in course["schema"]["enum"]) == ("path", True, True)
    assert "null" not in str(parameter("/api/players/{player}", "rival"))
    assert "Answered by" not in str(DOCUMENT["paths"])


async def test_every_page_is_there_and_answers_what_its_schema_says() -> None:
    filled = {"game": "tic-tac-toe", "course": "beginner", "player": "ana"}
    async with three() as (_, browser, ana, ben):
        room, token, _ = await a_game(ana, ben, "tic-tac-toe", **RATED)
        await to_the_end(ana, ben, room)
        for path in DOCUMENT["paths"].keys() - {"/api/replay"}:
            status, body = await browser.get(path.format(**filled, room=room), **bearer(token))
            assert status == 200
            [(kind, content)] = DOCUMENT["paths"][path]["get"]["responses"]["200"]["content"].items()
            told = json.loads(body) if kind == "application/json" else body
            Draft202012Validator(schema_of(content)).validate(told)
            assert kind == "application/json" or '{"format":' in told
        assert json.loads((await browser.get("/api/openapi.json"))[1]) == DOCUMENT


async def test_the_page_for_records_answers_what_its_schema_says() -> None:
    async with a_server() as server:
        for record, code in ((RECORD, "200"), ("{}", "400")):
            status, _, told = await post(server, record)
            assert str(status) == code
            answer = DOCUMENT["paths"]["/api/replay"]["post"]["responses"][code]["content"][
                "application/json"
            ]
            Draft202012Validator(schema_of(answer)).validate(told)
        assert "413" in DOCUMENT["paths"]["/api/replay"]["post"]["responses"]


def test_every_reference_leads_somewhere() -> None:
    text = json.dumps(DOCUMENT)
    for name in {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}:
        assert name in DOCUMENT["components"]["schemas"]
