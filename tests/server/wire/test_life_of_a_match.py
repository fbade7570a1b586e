"""What becomes of a match, over real sockets, as its players hear it in either codec."""

from __future__ import annotations

import pytest

from tablero_protocol.codec import CODECS
from tests.harness.wire import Json, Wire, a_server, a_wire

EVENTS = ["nextPlayer", "offers"]


async def heard(wire: Wire, type: str, **fields: object) -> Json:
    """The next message of this type with these fields."""
    while True:
        message = await wire.hear()
        if message["type"] == type and fields.items() <= message.items():
            return message


@pytest.mark.parametrize("codec", CODECS)
async def test_a_move_is_taken_back_and_the_next_one_counts(codec: str) -> None:
    async with a_server() as server, a_wire(server, codec) as ana, a_wire(server, codec) as ben:
        await ana.hello("ana")
        await ben.hello("ben")
        room = (await ana.ask("createRoom", game="connect-four", subscribe=EVENTS))["room"]
        await ben.ask("join", room=room, subscribe=EVENTS)
        await ana.ask("playTurn", room=room, seat=0, ply=0, move="1")
        await ana.ask("offer", room=room, seat=0, what="takeback")
        offered = await heard(ben, "offered", what="takeback", seat=0)
        await ben.ask("answer", room=room, seat=1, offer=offered["offer"], yes=True)
        late = await ben.ask("playTurn", room=room, seat=1, ply=1, move="1")
        assert (late["code"], late["missed"][-1]["last"]) == ("stale", {"seat": 0, "tookBack": 1})
        again = await ana.ask("playTurn", room=room, seat=0, ply=2, move="4")
        assert again["last"] == {"seat": 0, "move": "4"}
        shown = await heard(ben, "nextPlayer", ply=3)
        assert shown["view"] == again["view"]
