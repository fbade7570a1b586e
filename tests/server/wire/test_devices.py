"""One player on several devices, over real sockets in both codecs."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from time import monotonic

import pytest

from tablero_protocol.codec import SUBPROTOCOLS
from tests.harness.wire import Wire, a_server, a_table, a_wire

HELLO = {"protocol": 1, "client": "test"}


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
async def test_a_code_opens_one_door_once_from_a_second_device_with_the_seat(subprotocol: str) -> None:
    async with (
        a_server() as server,
        a_table(server) as (ana, ben, room),
        a_wire(server, subprotocol) as phone,
        a_wire(server, subprotocol) as thief,
    ):
        await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
        await ben.ask("playTurn", room=room, seat=1, ply=1, move="a1")
        given = await ana.ask("handOver")
        assert given["until"] - server.service.now() in range(55_000, 60_001)
        welcome = await phone.ask("hello", handOver=given["code"], device="phone", **HELLO)
        assert welcome["player"]["name"] == "ana"
        assert len(welcome["token"]) == 43
        late = await thief.ask("hello", handOver=given["code"], **HELLO)
        assert (late["type"], late["reason"]) == ("refused", "wrongHandOver")
        assert [(held["room"], held["seats"]) for held in welcome["rooms"]] == [(room, [0])]
        joined = await phone.ask("join", id="p-join", room=room, watch=True, subscribe=["nextPlayer"])
        assert joined["seat"] == 0
        refused = await ana.ask("playTurn", room=room, seat=0, ply=2, move="c3")
        assert refused["reason"] == "playedElsewhere"
        turn = await phone.ask("playTurn", id="p-turn", room=room, seat=0, ply=2, move="c3")
        assert (turn["type"], turn["ply"]) == ("nextPlayer", 3)
        answer = await ben.ask("playTurn", room=room, seat=1, ply=3, move="a2")
        assert answer["ply"] == 4
        async with a_wire(server, subprotocol) as again:
            assert (await again.hello(None, token=welcome["token"]))["player"] == welcome["player"]


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
async def test_the_sockets_of_an_ended_token_close_with_the_answer(subprotocol: str) -> None:
    async with (
        a_server() as server,
        a_wire(server, subprotocol) as ana,
        a_wire(server, subprotocol) as phone,
        a_wire(server, subprotocol) as second,
    ):
        await ana.hello()
        token = (await phone.hello(None, handOver=(await ana.ask("handOver"))["code"]))["token"]
        await second.hello(None, token=token)
        [_, line] = (await ana.ask("listTokens"))["tokens"]
        assert (await ana.ask("endToken", token=line["id"]))["type"] == "ok"
        assert [each.open for each in server.network._connections.values()].count(True) == 1
        assert [await phone.closed(), await second.closed()] == [4108, 4108]
        for wire in (phone, second):
            assert (wire.heard[-1]["type"], wire.heard[-1]["code"]) == ("bye", 4108)
        async with a_wire(server, subprotocol) as late:
            assert (await late.ask("hello", token=token, **HELLO))["reason"] == "unknownToken"


SOCKETS, GUESSES = 100, 100


async def test_ten_thousand_guesses_from_this_machine_are_stopped_by_the_bucket() -> None:
    """Each is answered, and slowly; nobody is disconnected for them sooner than for anything else."""

    async def guess(wire: Wire, socket: int) -> Counter[str]:
        for number in range(GUESSES):
            await wire.tell("hello", handOver=f"{socket:04d}-{number:04d}", **HELLO)
        return Counter([(await wire.hear())["reason"] for _ in range(GUESSES)])

    async with a_server(hello_seconds=60) as server, AsyncExitStack() as stack:
        ana = await stack.enter_async_context(a_wire(server))
        await ana.hello()
        code = (await ana.ask("handOver"))["code"]
        wires = [await stack.enter_async_context(a_wire(server)) for _ in range(SOCKETS)]
        began = monotonic()
        counts = await asyncio.gather(*(guess(wire, number) for number, wire in enumerate(wires)))
        most = 300 + 5 * (monotonic() - began) + 1
        reasons = sum(counts, Counter[str]())
        assert sum(reasons.values()) == SOCKETS * GUESSES
        assert reasons.keys() == {"wrongHandOver", "tooManyWrongCodes"}
        assert 300 <= reasons["wrongHandOver"] <= most
        kept = server.service.hub.accounts.hand_overs.find(code, server.service.now())
        assert kept is not None, "and the one that is right is still good"
