"""What becomes of a match, over real sockets, as its players hear it in either codec."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tablero_protocol.codec import CODECS
from tablero_server.core.meeting import television
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


@asynccontextmanager
async def two(codec: str, **settings: Any) -> AsyncIterator[tuple[Wire, Wire]]:
    """Ana and Ben at a server, not at a table."""
    async with a_server(**settings) as server, a_wire(server, codec) as ana, a_wire(server, codec) as ben:
        await ana.hello("ana")
        await ben.hello("ben")
        yield ana, ben


async def sit_down(ana: Wire, ben: Wire, **fields: Any) -> str:
    """At a table where ana is to move; each has heard so."""
    asked = {"game": "connect-four", "subscribe": EVENTS, **fields}
    room = str((await ana.ask("createRoom", **asked))["room"])
    await ben.ask("join", room=room, subscribe=EVENTS)
    for wire in (ana, ben):
        assert (await heard(wire, "nextPlayer", room=room))["seats"] == [0]
    return room


async def move_each(ana: Wire, ben: Wire, room: str) -> None:
    await ana.ask("playTurn", room=room, seat=0, ply=0, move="1")
    await ben.ask("playTurn", room=room, seat=1, ply=1, move="2")
    await heard(ana, "nextPlayer", ply=2)


async def agree(ana: Wire, ben: Wire, room: str, what: str) -> None:
    await ana.ask("offer", room=room, seat=0, what=what)
    offered = await heard(ben, "offered", what=what)
    await ben.ask("answer", room=room, seat=1, offer=offered["offer"], yes=True)


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize(("moved", "kind", "reason"), [(False, "aborted", "left"), (True, "win", "resign")])
async def test_who_leaves_before_both_have_moved_loses_nothing(
    codec: str, moved: bool, kind: str, reason: str
) -> None:
    async with two(codec) as (ana, ben):
        room = await sit_down(ana, ben)
        if moved:
            await move_each(ana, ben, room)
        await ben.ask("leave", room=room)
        outcome = (await heard(ana, "nextPlayer", seats=[]))["outcome"]
        assert (outcome["kind"], outcome["reason"]) == (kind, reason)


@pytest.mark.parametrize("codec", CODECS)
async def test_a_game_is_paused_and_goes_on_by_agreement(codec: str) -> None:
    async with two(codec) as (ana, ben):
        room = await sit_down(ana, ben, clock={"base": 60, "increment": 0})
        await move_each(ana, ben, room)
        await agree(ana, ben, room, "pause")
        paused = await heard(ana, "nextPlayer", ply=2)
        assert paused["paused"] == paused["at"] + 900_000
        refused = await ana.ask("playTurn", room=room, seat=0, ply=2, move="1")
        assert refused["code"] == "paused"
        await agree(ana, ben, room, "continue")
        going = await heard(ana, "nextPlayer", ply=2)
        assert "paused" not in going
        assert going["clocks"] == paused["clocks"], "no time ran"
        moved = await ana.ask("playTurn", room=room, seat=0, ply=2, move="1")
        assert moved["ply"] == 3


@pytest.mark.parametrize("codec", CODECS)
async def test_a_rival_is_given_time(codec: str) -> None:
    async with two(codec) as (ana, ben):
        room = await sit_down(ana, ben, clock={"base": 60, "increment": 0})
        await move_each(ana, ben, room)
        given = await ben.ask("addTime", room=room, seat=1)
        assert given["type"] == "nextPlayer"
        assert 70_000 < given["clocks"][0] <= 75_000
        assert (await heard(ana, "nextPlayer", seq=given["seq"]))["clocks"] == given["clocks"]


@pytest.mark.parametrize("codec", CODECS)
async def test_two_who_seek_the_same_are_brought_together(codec: str) -> None:
    async with two(codec) as (ana, ben):
        seek = (await ana.ask("seek", game="connect-four", subscribe=EVENTS))["seek"]
        assert (await ana.ask("cancelSeek", seek=seek))["type"] == "ok"
        seeks = [
            (await wire.ask("seek", game="connect-four", subscribe=EVENTS))["seek"] for wire in (ana, ben)
        ]
        met = [await heard(wire, "joined", seek=own) for wire, own in zip((ana, ben), seeks, strict=True)]
        assert "re" not in met[0] | met[1]
        assert met[0]["room"] == met[1]["room"]
        assert {each["seat"] for each in met} == {0, 1}
        for wire in (ana, ben):
            assert (await heard(wire, "nextPlayer"))["ply"] == 0


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("accepted", [True, False])
async def test_a_challenge_is_an_invitation_to_a_private_table(codec: str, accepted: bool) -> None:
    async with two(codec) as (ana, ben):
        events = [*EVENTS, "members"]
        created = await ana.ask("createRoom", game="connect-four", private=True, subscribe=events)
        room = created["room"]
        ben_is = next(message["player"]["id"] for message in ben.heard if message["type"] == "welcome")
        await ana.ask("invite", room=room, seat=1, player=ben_is)
        invited = await heard(ben, "invited", room=room)
        if accepted:
            joined = await ben.ask("join", room=room, invite=invited["invite"], subscribe=EVENTS)
            assert joined["seat"] == 1
            assert (await heard(ana, "nextPlayer"))["seats"] == [0]
        else:
            await ben.ask("decline", invite=invited["invite"])
            assert (await heard(ana, "declined"))["player"]["id"] == ben_is
            assert (await ben.ask("join", room=room))["code"] == "unknownRoom"


@pytest.mark.parametrize("codec", CODECS)
async def test_a_first_move_has_a_time_of_its_own_and_the_clock_is_whole_after_it(codec: str) -> None:
    async with two(codec) as (ana, ben):
        room = await sit_down(ana, ben, clock={"base": 60, "increment": 0})
        first = next(message for message in ana.heard if message["type"] == "nextPlayer")
        assert 29_000 < first["firstMove"] <= 30_000
        assert (await ana.ask("playTurn", room=room, seat=0, ply=0, move="1"))["clocks"] == [60_000, 60_000]
        moved = await ben.ask("playTurn", room=room, seat=1, ply=1, move="1")
        assert (moved["clocks"], "firstMove" in moved) == ([60_000, 60_000], False)


@pytest.mark.parametrize("codec", CODECS)
async def test_a_first_move_that_is_not_made_in_time_aborts_the_game(codec: str) -> None:
    async with two(codec, first_move_seconds=0.2) as (ana, ben):
        await sit_down(ana, ben, clock={"base": 60, "increment": 0})
        outcome = (await heard(ben, "nextPlayer", seats=[]))["outcome"]
        assert (outcome["kind"], outcome["reason"]) == ("aborted", "noFirstMove")


@pytest.mark.parametrize("codec", CODECS)
async def test_who_watches_the_best_game_is_told_when_it_has_ended(
    codec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(television, "CHOOSE_EVERY_MS", 100)
    async with a_server() as server, a_table(server) as (ana, _, room), a_wire(server, codec) as tv:
        await tv.hello("tv")
        await tv.ask("watchBest")
        assert (await heard(tv, "best"))["room"] == room
        watched = await tv.ask("join", room=room, watch=True, subscribe=["nextPlayer"])
        assert "seat" not in watched
        await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
        assert (await heard(tv, "nextPlayer", ply=1))["last"] == {"seat": 0, "move": "b2"}
        await ana.ask("resign", room=room, seat=0)
        assert "room" not in await heard(tv, "best")
