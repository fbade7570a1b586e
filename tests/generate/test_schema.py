"""generate/schema.py: what is shipped is what the models say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft7Validator, Draft202012Validator

from generate.examples import CLIENT_EXAMPLES, SERVER_EXAMPLES
from generate.schema import FROM_CLIENT, FROM_SERVER, SHIPPED, as_text, document

DOCUMENT = document()
REWRITE = "it is out of date: run `make schema`"


def test_the_shipped_schema_is_that_of_the_models() -> None:
    assert SHIPPED.read_text(encoding="utf-8") == as_text(DOCUMENT), REWRITE


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for inner in value.values():
            yield from references(inner)
    if isinstance(value, list):
        for inner in value:
            yield from references(inner)


def test_every_reference_leads_somewhere() -> None:
    found = set(references(DOCUMENT))
    assert len(found) > 100
    for reference in found:
        place: Any = DOCUMENT
        for step in reference.removeprefix("#/").split("/"):
            place = place[step]


@pytest.mark.parametrize("dialect", [Draft7Validator, Draft202012Validator], ids=["draft 7", "2020-12"])
@pytest.mark.parametrize("name", DOCUMENT["components"]["schemas"])
def test_a_schema_is_a_schema(name: str, dialect: type[Draft7Validator]) -> None:
    dialect.check_schema(DOCUMENT["components"]["schemas"][name])


@pytest.mark.parametrize(("kind", "one", "other"), [("invite", "player", "bot"), ("join", "room", "code")])
def test_exactly_one_of_two_fields_is_there(kind: str, one: str, other: str) -> None:
    whole = {"type": kind, "id": "a1"} | ({"room": "r", "seat": 1} if kind == "invite" else {})
    validator = validator_of(kind)
    assert validator.is_valid({**whole, one: "x"})
    assert validator.is_valid({**whole, other: "x:y", one: None})
    assert not validator.is_valid(whole)
    assert not validator.is_valid({**whole, one: "x", other: "x:y"})
    assert not validator.is_valid({**whole, one: None})


def validator_of(kind: str) -> Draft202012Validator:
    payload = DOCUMENT["components"]["messages"][kind]["payload"]
    return Draft202012Validator({**payload, "components": DOCUMENT["components"]})


@pytest.mark.parametrize("kind", DOCUMENT["components"]["messages"])
def test_the_example_of_a_message_fits_its_schema_and_no_other_type_does(kind: str) -> None:
    validator = validator_of(kind)
    (example,) = DOCUMENT["components"]["messages"][kind]["examples"]
    validator.validate(example["payload"])
    assert not validator.is_valid({**example["payload"], "type": "other"})
    assert not validator.is_valid({key: value for key, value in example["payload"].items() if key != "type"})


@pytest.mark.parametrize("example", CLIENT_EXAMPLES, ids=lambda example: example["type"])
def test_the_schema_refuses_a_field_too_many_from_a_client(example: dict[str, Any]) -> None:
    assert not validator_of(example["type"]).is_valid({**example, "unheardOf": 1})


@pytest.mark.parametrize("example", SERVER_EXAMPLES, ids=lambda example: example["type"])
def test_the_schema_lets_a_newer_server_say_more(example: dict[str, Any]) -> None:
    validator_of(example["type"]).validate({**example, "unheardOf": 1})


def test_the_schema_lets_a_newer_server_say_more_inside_a_message_too() -> None:
    lobby = next(example for example in SERVER_EXAMPLES if example["type"] == "lobby")
    line = {**lobby["rooms"][0], "clock": {"base": 60, "increment": 0, "delay": 5}}
    validator_of("lobby").validate({**lobby, "rooms": [line]})


def test_the_server_receives_every_client_message_and_sends_every_server_message() -> None:
    operations = DOCUMENT["operations"]
    received = [name for name, operation in operations.items() if operation["action"] == "receive"]
    assert received == list(FROM_CLIENT)
    assert operations["tell"]["messages"] == [
        {"$ref": f"#/channels/ws/messages/{kind}"} for kind in FROM_SERVER
    ]


@pytest.mark.parametrize(
    ("command", "answers"),
    [
        ("hello", ["welcome", "refused"]),
        ("playTurn", ["nextPlayer", "ok", "refused"]),
        ("resume", ["ok", "snapshot", "refused"]),
        ("leave", ["left", "refused"]),
    ],
)
def test_the_schema_says_how_a_command_is_answered(command: str, answers: list[str]) -> None:
    reply = DOCUMENT["operations"][command]["reply"]
    assert [message["$ref"].rpartition("/")[2] for message in reply["messages"]] == answers


def test_every_command_has_an_answer_besides_being_refused() -> None:
    for command in FROM_CLIENT:
        assert len(DOCUMENT["operations"][command]["reply"]["messages"]) >= 2
