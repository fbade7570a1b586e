"""What a server does, in numbers."""

from __future__ import annotations

from tablero_server.host.figures import read
from tests.harness.wire import a_server, a_table


async def test_rooms_are_counted_by_what_they_do() -> None:
    async with a_server() as server, a_table(server) as (ana, _, room):
        await ana.ask("createRoom", game="tic-tac-toe")
        figures = read(server.service, server.network)
        assert figures.rooms == {"waiting": 1, "preparing": 0, "playing": 1, "finished": 0, "packed": 0}
        assert figures.entries == server.service.hub.rooms.entries
        await ana.ask("resign", room=room, seat=0)
        after = read(server.service, server.network)
        assert (after.rooms["playing"], after.rooms["finished"]) == (0, 1)


async def test_what_waits_for_a_slow_reader_is_counted() -> None:
    async with a_server() as server, a_table(server):
        [connection, _] = server.network._connections.values()
        connection._outbox.put(b"12345")
        figures = read(server.service, server.network)
        assert (figures.outbox_messages, figures.outbox_bytes) == (1, 5)
        connection._outbox.clear()
