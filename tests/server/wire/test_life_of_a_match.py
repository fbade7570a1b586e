"""What becomes of a match, over real sockets, as its players hear it in either codec."""

from __future__ import annotations

import pytest

from tablero_protocol.codec import CODECS
from tests.harness.wire import Json, Wire, a_server, a_table, a_wire

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


@pytest.mark.parametrize("codec", CODECS)
async def test_a_watcher_who_comes_late_steps_through_the_game_while_it_goes_on(codec: str) -> None:
    async with a_server() as server, a_table(server) as (ana, ben, room), a_wire(server, codec) as cat:
        await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
        await ben.ask("playTurn", room=room, seat=1, ply=1, move="a1")
        await cat.hello("cat")
        await cat.ask("join", room=room, watch=True, subscribe=["nextPlayer"])
        told = await cat.ask("showHistory", room=room)
        assert [turn["move"] for turn in told["turns"]] == ["b2", "a1"]
        await ana.ask("playTurn", room=room, seat=0, ply=2, move="c3")
        live = await heard(cat, "nextPlayer", ply=3)
        more = await cat.ask("showHistory", room=room, after=told["turns"][-1]["seq"])
        assert [(turn["seq"], turn["ply"], turn["move"]) for turn in more["turns"]] == [
            (live["seq"], 3, "c3")
        ]


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("what", ["win", "draw"])
async def test_who_has_waited_long_enough_claims(codec: str, what: str) -> None:
    events = ["nextPlayer", "members"]
    async with a_server(absence_seconds=0.1) as server, a_wire(server, codec) as ana:
        await ana.hello("ana")
        room = (await ana.ask("createRoom", game="connect-four", subscribe=events))["room"]
        async with a_wire(server, codec) as ben:
            await ben.hello("ben")
            await ben.ask("join", room=room)
        away = await heard(ana, "away", room=room)
        assert (await heard(ana, "away", claim=True))["until"] == away["until"]
        outcome = (await ana.ask("claim", room=room, seat=0, what=what))["outcome"]
        assert (outcome["kind"], outcome["reason"]) == (what, "claimed")


@pytest.mark.parametrize("codec", CODECS)
async def test_a_game_from_which_all_stay_away_is_aborted_before_those_who_watch(codec: str) -> None:
    async with a_server(absence_seconds=0.1) as server, a_wire(server, codec) as cat:
        await cat.hello("cat")
        async with a_table(server) as (_, _, room):
            await cat.ask("join", room=room, watch=True, subscribe=["nextPlayer", "members"])
        outcome = (await heard(cat, "nextPlayer", seats=[]))["outcome"]
        assert (outcome["kind"], outcome["reason"]) == ("aborted", "away")
