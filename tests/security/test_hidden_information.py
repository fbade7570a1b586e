"""S13: two games that differ only in what somebody may not know look the same to that somebody, byte by byte.

`python -m tests.security.test_hidden_information --pairs 10000` compares more of them than the tests do.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from typing import Any

import pytest

from tablero_games import Play, Seat
from tablero_games.position import Json
from tablero_games.record import replay
from tablero_games.record.commitment import commitment
from tablero_games.record.file import RecordedTurn
from tablero_server.core.seats.views import Views
from tests.harness.twins.pairs import MODES, Twins, differences, twins
from tests.harness.twins.table import told
from tests.harness.twins.table_on_sockets import told_on_sockets

PAIRS = 100


def alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """A commitment differs and says nothing: tests/games/record/test_commitment.py checks that."""
    for module in ("tablero_server.core.seats.views", "tablero_games.record.file"):
        monkeypatch.setattr(f"{module}.commitment", lambda number, options: "0" * 64)
    monkeypatch.setattr("tablero_games.record.verify.opens", lambda *_: True)


@pytest.fixture(autouse=True)
def _alike(monkeypatch: pytest.MonkeyPatch) -> None:
    alike(monkeypatch)


def found_in(pair: Twins) -> list[str]:
    return list(differences((told(pair, 0), told(pair, 1)), pair))


def test_s13_nobody_can_tell_two_games_apart_that_differ_only_in_what_is_hidden() -> None:
    for seed in range(PAIRS):
        assert found_in(twins(seed)) == [], f"seed {seed}"


@pytest.mark.parametrize("seed", [0, 3])
async def test_s13_nor_on_the_sockets_of_a_real_server(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablero_games.record.file.commitment", commitment)  # a process of its own checks it
    pair = twins(seed)
    both = await told_on_sockets(pair, 0), await told_on_sockets(pair, 1)
    assert list(differences(both, pair)) == []
    assert pair.options["mode"] != "race" or both[0] != both[1], "a rival sees a difference"


def test_the_pairs_differ_in_fields_and_in_moves_and_in_every_mode() -> None:
    pairs = [twins(seed) for seed in range(30)]
    assert {pair.options["mode"] for pair in pairs} == set(MODES)
    assert sum(pair.fields[0] != pair.fields[1] for pair in pairs) > 10
    assert sum(pair.hidden > 0 for pair in pairs) > 10
    assert sum(len(pair.steps) for pair in pairs) > 300


# What such a test is worth

Show = Callable[[Views, int | None], dict[str, Any]]


def a_rivals_move(shown: dict[str, Any], views: Views) -> None:
    shown["last"] = views.room.play and views.room.play.last


def the_length_of_a_rivals_move(shown: dict[str, Any], views: Views) -> None:
    shown["at"] = len(str(views.room.play and views.room.play.last))


def a_mine(shown: dict[str, Any], views: Views) -> None:
    field = getattr(views.room.position, "field", None) or b""
    shown["at"] = field.find(b"*")


def one_bit_of_the_seed(shown: dict[str, Any], views: Views) -> None:
    shown["at"] = views.room.seed >> 128 & 1


LEAKS = [a_rivals_move, the_length_of_a_rivals_move, a_mine, one_bit_of_the_seed]


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_leak_is_found(
    leak: Callable[[dict[str, Any], Views], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    honest: Show = Views._shown_to

    def leaking(views: Views, seat: int | None) -> dict[str, Any]:
        shown = dict(honest(views, seat))
        leak(shown, views)
        return shown

    monkeypatch.setattr(Views, "_shown_to", leaking)
    assert any(found_in(twins(seed)) for seed in range(20))


def a_rivals_move_so_far(turn: RecordedTurn, now: Play, seats: Collection[Seat]) -> Json:
    return {"move": turn.move}


def the_length_of_a_rivals_move_so_far(turn: RecordedTurn, now: Play, seats: Collection[Seat]) -> Json:
    return {"at": len(turn.move or "")}


@pytest.mark.parametrize("leak", [a_rivals_move_so_far, the_length_of_a_rivals_move_so_far])
def test_a_leak_by_what_is_replayed_of_a_running_game_is_found(
    leak: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "_told", leak)
    assert any(found_in(twins(seed)) for seed in range(20))


def test_a_leak_by_a_rivals_board_so_far_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "_viewers", lambda seats, hidden, some: [0, 1])
    assert any(found_in(pair) for pair in map(twins, range(20)) if pair.options["mode"] == "race")


def test_frames_in_another_order_are_a_difference_too() -> None:
    pair = twins(0)
    one, other = told(pair, 0), told(pair, 1)
    observed = other[pair.observer]
    observed[-3], observed[-4] = observed[-4], observed[-3]
    assert any(differences((one, other), pair))


# By hand


def compared(pairs: int) -> Iterator[tuple[Twins, list[str]]]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        alike(monkeypatch)
        for seed in range(pairs):
            pair = twins(seed)
            yield pair, found_in(pair)


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=10_000)
    chosen = parser.parse_args()
    begun, counted, bad = time.perf_counter(), Counter[str](), 0
    for pair, found in compared(chosen.pairs):
        counted[pair.options["mode"]] += 1
        counted["steps"] += len(pair.steps)
        counted["moves that differ"] += pair.hidden
        counted["fields that differ"] += pair.fields[0] != pair.fields[1]
        bad += bool(found)
        for line in found:
            print(line)
    told_of = ", ".join(f"{count} {what}" for what, count in sorted(counted.items()))
    print(
        f"{chosen.pairs} pairs in {time.perf_counter() - begun:.0f} s: {bad} could be told apart ({told_of})"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
