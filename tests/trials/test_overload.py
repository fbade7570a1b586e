"""S9 and S10 on a real server process, scaled down; `make overload` asks for the full measure."""

from __future__ import annotations

import asyncio

import pytest

from tablero_protocol.codec import CODECS
from tests.harness.crowd import Player, a_socket
from tests.harness.serving import Serving, a_free_port
from trials import attacks, fuzz, overload
from trials.attacks import strangers
from trials.crowding import guests_called, open_rooms, packed_games
from trials.newcomers import Count
from trials.overload import Limits, Phase, Slice, a_deployed_server, complaints, fill, mib, verdict

FEW = {
    "silent": 20, "half-header": 5, "dripping": 5, "keep-alive": 20, "no-hello": 5,
    "idle-guest": 20, "flood": 2, "giant": 2, "never-reading": 5, "stale-turns": 2,
}  # fmt: skip


ONCE = Limits(rounds=1, seconds=0.3)


def attacked(p99: float = 9.9, grew_mib: float = 8.0) -> Phase:
    return Phase("flood", 20, 100, 5.0, 0.5, p99, 0.1, grew_mib, 8.0)


def test_the_verdict_names_what_is_too_slow_and_what_is_too_large() -> None:
    assert verdict([attacked()]) == []
    assert verdict([attacked(p99=10.1)]) == ["flood: p99 10.1 ms is over the 10.00 ms allowed"]
    assert verdict([attacked(grew_mib=8.1)]) == ["flood: grew by 8.1 MiB, over the 8.0 computed"]
    assert FEW.keys() == overload.MANY.keys()


def test_it_is_said_where_not_everybody_got_what_they_came_for() -> None:
    assert overload.refused([Count("newcomers", 20, 100, 100, 0.1)]) == []
    [wrong] = overload.refused([Count("newcomers", 20, 100, 99, 0.1)])
    assert "99 of 100 succeed" in wrong


def test_a_phase_is_judged_by_the_medians_of_its_slices() -> None:
    def slices(*p99s: float) -> list[Slice]:
        return [Slice(100, 0.1 * p99, p99, 0.01 * p99, 0) for p99 in p99s]

    phase = overload.phase_of("flood", {"flood": 2}, slices(1, 90, 2, 3), slices(99, 4, 5), 1.26)
    assert (phase.name, phase.attackers, phase.moves) == ("flood", 2, 300)
    assert (phase.quiet_p99, phase.p99, phase.times) == (2.5, 5, 2.0)
    assert (phase.p50, phase.busy, phase.grew_mib) == (0.5, 0.05, 1.3)
    assert str(phase).startswith("flood              2 attackers    300 moves")


async def test_attackers_that_do_not_begin_end_the_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attacks, "PATIENCE_SECONDS", 0)
    async with strangers(port=1) as nobody:
        with pytest.raises(TimeoutError):
            await nobody.attack({"silent": 1})


async def play_under_attack(server: Serving, many: dict[str, int]) -> tuple[int, float]:
    """How many moves were played, and by how much the server grew."""
    async with a_socket(server.port) as first, a_socket(server.port) as second:
        players = [Player(first, "a"), Player(second, "b")]
        for player in players:
            await player.hello()
        before = mib(server)
        async with strangers(server.port) as attackers:
            await attackers.attack(many)
            played = await overload.play_on(players, 1, server)
    return played.moves, played.peak_mib - before


def test_s09_two_play_on_while_strangers_do_their_worst() -> None:
    with a_deployed_server(TABLERO_CONNECTIONS="100", TABLERO_HELLO_SECONDS="1") as server:
        moves, grown = asyncio.run(play_under_attack(server, FEW))
        assert moves >= 42
        assert grown <= overload.bound_mib(FEW)
        grown, statuses = asyncio.run(fill(server, 100))
        assert statuses[-3:] == [503] * 3
        sent, connections = asyncio.run(fuzz.fuzz_sockets(server, 200, seed=1))
        assert sent >= 200
        assert connections > 2
        server.wait_until_open()
        assert complaints(server) == []


def test_s09_two_play_on_while_strangers_read_a_long_record_that_changes() -> None:
    with a_deployed_server(TABLERO_TURNS_PER_SECOND="10000", TABLERO_TURNS_BURST="10000") as server:
        told: list[Phase] = []
        phases = asyncio.run(
            overload.measure_records(server, readers=3, turns=300, limits=ONCE, tell=told.append)
        )
        assert [phase.name for phase in told] == ["records"]
        assert told == phases
        assert all(phase.moves >= 42 for phase in phases)
        assert complaints(server) == []


def test_s09_two_play_on_while_guests_ask_for_much_and_use_up_what_all_share() -> None:
    host_port = a_free_port()
    few = {"lobby": 2, "namesakes": 2, "snapshots": 2, "wrong-codes": 2, "searches": 2, "seekers": 2}
    few |= {f"host-port@{host_port}": 5, "replays": 1}

    async def play(server: Serving) -> tuple[int, float]:
        await guests_called("ana", server.port, 20)
        rooms = ",".join(await packed_games(server.port, games=2, plies=4))
        few.update({f"packed-records@{rooms}": 2, f"packed-watchers@{rooms}": 2})
        async with open_rooms(server.port, tables=32):
            return await play_under_attack(server, few)

    with a_deployed_server(TABLERO_ADMIN_ADDRESS=f"127.0.0.1:{host_port}") as server:
        moves, grown = asyncio.run(play(server))
        assert moves >= 42
        assert grown <= overload.bound_mib(few)
        assert complaints(server) == []
    kinds = {kind.partition("@")[0] for kind in few}
    assert kinds == {*overload.GUESTS, *overload.SHARED, *overload.PACKED, "seekers"}


def test_s06_the_long_run_counts_and_judges() -> None:
    found = fuzz.Fuzzed()
    for codec in CODECS.values():
        fuzz.fuzz(codec, 1_000, 1, found)
    assert sum(found.counted.values()) == sum(found.microseconds) == 2_000
    assert {"messages", "badFrame", "badMessage", "unknownType"} == found.counted.keys()
    assert found.largest > 0
    assert found.broken == []
    found.microseconds[5_000] += 10
    found.largest = 200_000
    found.broken.append("KeyError for b''")
    assert len(fuzz.verdict(found)) == 3
