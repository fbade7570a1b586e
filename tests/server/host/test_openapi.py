"""The host's commands as a document."""

from __future__ import annotations

from tablero_server.host.audit import Audit
from tablero_server.host.conversation import HostConversation
from tablero_server.host.openapi import document
from tests.harness.wire import a_server


async def test_every_command_is_there_with_what_it_takes() -> None:
    async with a_server() as server:
        commands = HostConversation(server.service, server.network, server.settings, Audit(None)).commands
    told = document(commands)
    assert set(told["paths"]) == {f"/api/{name}" for name in commands}
    ban = told["paths"]["/api/ban"]["post"]
    body = ban["requestBody"]["content"]["application/json"]["schema"]
    assert (body["required"], body["additionalProperties"]) == (["player"], False)
    assert set(body["properties"]) == {"player", "time", "why", "address"}
    assert told["security"] == [{"token": []}]
    assert all(each["post"]["summary"] for each in told["paths"].values())
