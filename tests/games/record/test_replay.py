"""record/replay.py: views and changes that give every view again, and nothing that is hidden."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from tablero_games import GAMES, Game
from tablero_games.record.file import Invalid, Played, RecordedTurn, read, write
from tablero_games.record.replay import Sealed, changes, replay
from tablero_games.record.verify import positions

from ..variants import CASES, NAMES, Variant
from .test_verify import play


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
