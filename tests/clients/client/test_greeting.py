"""What a client says of itself, as somebody new, somebody known, and from one more device."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.client.greeting import Greeting
from tests.harness.rig import Rig, message, welcome


@pytest.mark.parametrize(
    ("about", "token", "said"),
    [
        ({"name": "Ana"}, None, {"name": "Ana"}),
        ({"name": "Ana"}, "secret", {"name": "Ana", "token": "secret"}),
        ({"name": "Ana", "rename": False}, "secret", {"token": "secret"}),
        ({"name": "Ana", "rename": False}, None, {"name": "Ana"}),
        ({"name": "Ana", "hand_over": "7QK4-M2XD"}, None, {"handOver": "7QK4-M2XD"}),
        ({"name": "Ana", "hand_over": "7QK4-M2XD"}, "secret", {"name": "Ana", "token": "secret"}),
        ({"device": "phone"}, None, {"device": "phone"}),
        ({"bot": {}, "host_key": "key"}, None, {"bot": {}, "hostKey": "key"}),
    ],
)
def test_it_says_what_it_has_to_say_and_nothing_else(
    about: dict[str, Any], token: str | None, said: dict[str, Any]
) -> None:
    assert Greeting(client="test", **about).hello(token, None) == {"protocol": 1, "client": "test", **said}


def test_a_code_is_used_once_and_then_the_token_that_came_for_it() -> None:
    rig = Rig(greeted=False, hand_over="7QK4-M2XD")
    hello = rig.one("hello")
    assert (hello["handOver"], "name" in hello) == ("7QK4-M2XD", False)
    rig.tell(welcome(token="of this device"))
    rig.drop()
    rig.session.connected(rig.shell.time)
    hello = rig.one("hello")
    assert (hello["token"], "handOver" in hello) == ("of this device", False)
    rig.tell(message(type="refused", re=hello["id"], code="badToken", message="No."))
    hello = rig.one("hello")
    assert ("token" in hello, "handOver" in hello, hello["name"]) == (False, False, "Ana")


def test_a_code_that_opens_nothing_ends_the_client_with_the_reason() -> None:
    rig = Rig(greeted=False, hand_over="7QK4-M2XD")
    hello = rig.one("hello")
    refusal = {"code": "wrongCode", "reason": "wrongHandOver", "message": "Get a new one."}
    rig.tell(message(type="refused", re=hello["id"], **refusal))
    assert rig.client.ended is not None
    assert rig.client.ended.code == "wrongCode"
