"""record/replay.py: views and changes that give every view again, and nothing that is hidden."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from tablero_games import GAMES, Game, Play
from tablero_games.record.commitment import canonical, opening
from tablero_games.record.file import Closing, Invalid, Played, Record, RecordedTurn, read, write
from tablero_games.record.replay import Sealed, SoFar, changes, replay
from tablero_games.record.verify import plays, positions
from tests.harness.games.examples import EXAMPLES
from tests.harness.games.records import SEED, play
from tests.harness.games.variants import CASES, NAMES, Variant


def changed(view: Any, steps: Any) -> Any:
    """As a page does it."""
    view = deepcopy(view)
    for path, *news in steps:
        if not path:
            [view] = news
            continue
        *way, last = path
        inner = view
        for name in way:
            inner = inner[name]
        if len(news) == 2:
            at, letters = news
            inner[last] = inner[last][:at] + letters + inner[last][at + len(letters) :]
        elif news and isinstance(inner, list) and last == len(inner):
            inner.append(news[0])
        elif news:
            inner[last] = news[0]
        else:
            del inner[last]
    return view


def shown(replayed: dict[str, Any]) -> list[list[Any]]:
    """All views after each turn."""
    views = [replayed["views"]]
    for turn in replayed["turns"]:
        views.append([changed(*pair) for pair in zip(views[-1], turn["changes"], strict=True)])
    return views


@pytest.mark.parametrize("game", EXAMPLES, ids=lambda game: game.name)
def test_a_game_without_a_browser_board_has_a_drawing_of_each_view(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, game.name, game)
    replayed = replay(read(write(play(game, {}))))
    drawings = [replayed["drawings"], *(turn["drawings"] for turn in replayed["turns"])]
    assert drawings == [[game.draw(view, "ascii") for view in views] for views in shown(replayed)]


def test_a_game_with_a_browser_board_has_none() -> None:
    replayed = replay(read(write(play(GAMES["quoridor"], {"size": 5}))))
    assert "drawings" not in replayed
    assert all("drawings" not in turn for turn in replayed["turns"])


@pytest.mark.parametrize(("game", "variant"), CASES, ids=NAMES)
def test_every_view_comes_back(game: Game, variant: Variant) -> None:
    record = read(write(play(game, variant)))
    replayed: dict[str, Any] = json.loads(json.dumps(replay(record)))
    seats: list[int | None] = [None] if len(replayed["views"]) == 1 else list(range(record.header.seats))
    wanted = [[position.view(seat) for seat in seats] for _, position in positions(record)]
    assert shown(replayed) == json.loads(json.dumps(wanted))
    assert [turn.get("move") for turn in replayed["turns"]] == [turn.move for turn in record.turns]
    assert (replayed["game"], replayed["names"]) == (game.name, list(record.header.names))
    assert replayed["outcome"] == record.closing.outcome


def test_in_a_race_each_seat_has_its_own_view() -> None:
    race = {"mode": "race", "width": 5, "height": 5, "mines": 4, "seats": 3}
    replayed: dict[str, Any] = replay(read(write(play(GAMES["minesweeper"], race))))
    assert len(replayed["views"]) == 3
    assert len({json.dumps(view["cells"]) for view in shown(replayed)[-1]}) > 1
    assert len(replay(read(write(play(GAMES["minesweeper"], {}))))["views"]) == 1


def test_of_a_game_that_still_hides_something_there_is_none() -> None:
    text = write(play(GAMES["minesweeper"], {"mode": "race", "seats": 2}, 2))
    with pytest.raises(Sealed):
        replay(read(text))


RACE: Variant = {"mode": "race", "width": 9, "height": 9, "mines": 8, "seats": 3}
HIDING: dict[str, Variant] = {
    "race": RACE,
    "race without a guess": {**RACE, "noGuess": True},
    "together": {**RACE, "mode": "coop"},
    "alone": {"seats": 1},
}
each_that_hides = pytest.mark.parametrize("variant", HIDING.values(), ids=HIDING)


def hiding(variant: Variant) -> tuple[Record, Closing]:
    """A game that still hides something, and what it hides: seat 2 gives up, the others dig or put flags."""
    game, random = GAMES["minesweeper"], Random(3)
    begun = play(game, variant, 0)
    seats = len(begun.names)
    play_so_far = Play.begin(game, seats, SEED, begun.prepared, json.loads(canonical(begun.options)))
    turns: list[RecordedTurn] = []
    while len(turns) < 12:
        seat, at = random.choice([0, 1][:seats]), 700 * len(turns)
        if len(turns) == 4 and seats > 2:
            turns.append(RecordedTurn(seat=2, withdrew="resign", at=at))
            play_so_far = play_so_far.withdraw(2, "resign")
            continue
        move = random.choice(play_so_far.position.legal_moves(seat))
        after = play_so_far.turn(seat, move)
        if after.position.outcome is None and seat in after.to_move:
            turns.append(RecordedTurn(seat=seat, move=move, at=at))
            play_so_far = after
    record = read(write(Played(**{**vars(begun), "turns": turns, "outcome": None})))
    return record, Closing(**{**opening(SEED), "prepared": begun.prepared})


@each_that_hides
@pytest.mark.parametrize(
    "seats", [[], [0], [1], [2]], ids=["a watcher", "seat 0", "seat 1", "one who is out"]
)
def test_so_far_a_seat_gets_back_what_it_was_shown_after_what_it_heard_of(
    variant: Variant, seats: list[int]
) -> None:
    record, opened = hiding(variant)
    if seats and seats[0] >= record.header.seats:
        return
    racing = variant.get("mode") == "race"
    replayed: dict[str, Any] = json.loads(json.dumps(replay(record, so_far=SoFar(seats, opened))))
    heard = [
        (turn, each.position)
        for turn, each in plays(record, opened)
        if turn is None or turn.move is None or not racing or turn.seat in seats
    ]
    assert (1 < len(heard) < 12) is racing
    assert [turn.get("move") for turn in replayed["turns"]] == [turn.move for turn, _ in heard if turn]
    viewer = seats[0] if seats else None
    assert shown(replayed) == json.loads(json.dumps([[position.view(viewer)] for _, position in heard]))
    assert replayed.get("seats") == (seats if racing and seats else None)
    assert replayed["outcome"] is None


@each_that_hides
def test_so_far_nothing_is_told_of_what_is_hidden(variant: Variant) -> None:
    record, opened = hiding(variant)
    for seats in ([], [0], [1])[: 1 + record.header.seats]:
        told = json.dumps(replay(record, so_far=SoFar(seats, opened)))
        for secret in (opened.salt, opened.seed, record.header.commitment, '"field"', "*"):
            assert secret
            assert secret not in told


def test_an_opening_that_was_not_promised_shows_nothing() -> None:
    record, opened = hiding(RACE)
    with pytest.raises(Invalid, match="do not match the commitment in line 1"):
        replay(record, so_far=SoFar([0], opened.model_copy(update={"seed": "0" * 32})))
    with pytest.raises(Invalid, match="lacks the salt or the seed"):
        replay(record, so_far=SoFar([0], Closing()))


def test_a_running_game_without_secrets_is_replayed_so_far() -> None:
    assert len(replay(read(write(play(GAMES["quoridor"], {}, 5))))["turns"]) == 5


def test_a_wrong_turn_is_refused_at_its_line_and_so_is_one_too_many() -> None:
    played = play(GAMES["connect-four"], {}, 4)
    wrong = Played(**{**vars(played), "turns": [*played.turns, RecordedTurn(seat=0, move="99", at=10**6)]})
    with pytest.raises(Invalid) as caught:
        replay(read(write(wrong)))
    assert caught.value.line == 6
    with pytest.raises(Invalid, match="at most 3 turns") as caught:
        replay(read(write(played)), most_turns=3)
    assert caught.value.line == 5
    assert replay(read(write(played)), most_turns=4)


def test_what_changes_the_clocks_alone_is_left_out() -> None:
    played = play(GAMES["connect-four"], {}, 2)
    paused = [RecordedTurn(paused=60_000, at=10**6), RecordedTurn(continued=True, at=10**6)]
    replayed = replay(read(write(Played(**{**vars(played), "turns": [*played.turns, *paused]}))))
    assert len(replayed["turns"]) == 2


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1, "b": 2}, {"b": 3, "c": 4}, [[["a"]], [["b"], 3], [["c"], 4]]),
        ({"a": [1, 2, 3]}, {"a": [1, 2, 4]}, [[["a", 2], 4]]),
        ({"a": [1, 2]}, {"a": [3, 4]}, [[["a"], [3, 4]]]),
        ({"cells": "." * 20}, {"cells": "." * 10 + "0" + "." * 9}, [[["cells"], 10, "0"]]),
        ({"cells": "." * 30}, {"cells": "0" + "." * 28 + "1"}, [[["cells"], 0, "0"], [["cells"], 29, "1"]]),
        ({"a": ["x" * 40, "y"]}, {"a": ["x" * 40, "y", "z"]}, [[["a", 2], "z"]]),
        ({"a": ["x" * 40, "y", "z"]}, {"a": ["x" * 40]}, [[["a", 2]], [["a", 1]]]),
    ],
)
def test_a_change_is_as_short_as_it_can_be(before: Any, after: Any, wanted: Any) -> None:
    told = list(changes(before, after))
    assert changed(before, told) == after
    assert told == wanted
