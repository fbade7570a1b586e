"""What a visitor is told of other servers: nothing, unless both are in the same kind of network."""

from __future__ import annotations

import json

from tablero_server.reach.neighbours import Neighbour, Neighbours
from tests.harness.neighbours import announced
from tests.harness.pages import a_browser
from tests.harness.wire import a_server


async def test_a_server_that_heard_of_none_tells_of_none() -> None:
    async with a_server() as server, a_browser(server) as browser:
        assert await browser.get("/api/nearby") == (200, '{"servers": []}')


async def test_neighbours_are_told_to_private_addresses_alone() -> None:
    async with a_server(trusted_proxies="127.0.0.1") as server, a_browser(server) as browser:
        server.neighbours = Neighbours()
        told = announced("Tablero on one", 8470, {}, address="192.168.1.7")
        server.neighbours._hear(told.name, told)
        found = [Neighbour("Tablero on one", "http://192.168.1.7:8470/")._asdict()]
        for visitor, servers in (("192.168.1.9", found), ("198.41.0.4", []), ("127.0.0.1", found)):
            status, body = await browser.get("/api/nearby", X_Forwarded_For=visitor)
            assert (status, json.loads(body)) == (200, {"servers": servers})
