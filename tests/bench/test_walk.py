"""The trace sees our functions, each once, and not those that the scripted client calls."""

from __future__ import annotations

import asyncio

import pytest

from bench.walk import ROOT, STEPS, Walk, walks
from tablero_server.core.seats.playing import Playing
from tests.harness.ratchets import BOUNDS, complaints, hold


@pytest.fixture(scope="module")
def found() -> dict[str, Walk]:
    return asyncio.run(walks())


def test_a_move_is_followed_from_its_bytes_to_the_rule_and_to_the_socket(found: dict[str, Walk]) -> None:
    names = found["playTurn"].names()
    way = ["Connection.data_received", "Hub.receive", "TicTacToePosition.play", "Connection.send"]
    places = [next(at for at, name in enumerate(names) if name.endswith(each)) for each in way]
    assert places == sorted(places)
    assert found["playTurn"].rule is not None


def test_what_only_some_rounds_call_is_left_out(found: dict[str, Walk]) -> None:
    turn, resume = found["playTurn"], found["resume"]
    common = turn.only_with([resume])
    assert set(common.names()) == set(turn.names()) & set(resume.names())
    assert common.rule == turn.rule


def test_the_end_of_a_rated_game_moves_the_ratings_before_it_is_told(found: dict[str, Walk]) -> None:
    names = found["the end of a rated game"].names()
    assert names.index("glicko.rated") < names.index("connection.Connection.send")


def test_the_client_and_the_disk_thread_are_told_apart(found: dict[str, Walk]) -> None:
    names = found["playTurn"].names()
    assert not any("wire.Wire" in name for name in names)
    assert any(name.startswith("sqlite.") for name in names)


def test_each_step_has_its_bounds() -> None:
    assert BOUNDS["walk"].keys() == STEPS.keys()


@pytest.mark.parametrize("step", STEPS)
def test_a_step_walks_no_further_than_its_bounds(step: str, found: dict[str, Walk]) -> None:
    hold(found[step].figures(), BOUNDS["walk"][step])


def test_one_more_hop_in_a_turn_is_seen(found: dict[str, Walk], monkeypatch: pytest.MonkeyPatch) -> None:
    hop = {"play_turn": Playing.play_turn}
    source = "def one_more(*given): return play_turn(*given)"
    exec(compile(source, ROOT / "server/tablero_server/core/seats/playing.py", "exec"), hop)
    monkeypatch.setattr(Playing, "play_turn", hop["one_more"])
    walked = asyncio.run(walks(steps=["playTurn"]))["playTurn"]
    before = found["playTurn"].figures()
    assert complaints(walked.figures(), before) == [
        f"functions: {before['functions'] + 1} is above its bound of {before['functions']}",
        f"rule: {before['rule'] + 1} is above its bound of {before['rule']}",
    ]


def test_of_a_clients_way_the_servers_part_is_left_out(found: dict[str, Walk]) -> None:
    ends = {
        "a bot's turn": "Bot.drop_token",
        "a typed line": "Narrator._next_player",
        "a key press": "BoardWidget.render_line",
    }
    for way, last in ends.items():
        names = found[way].names()
        assert not any(name.startswith(("hub.", "service.")) for name in names)
        assert any(name.endswith(last) for name in names)
