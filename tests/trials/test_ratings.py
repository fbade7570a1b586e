"""The trial of ratings: it passes where ratings work, and fails where they do not."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tablero_server.core.meeting import ratings as core
from tablero_server.core.meeting.glicko import Rating
from tests.harness.tiers import FULL
from trials import ratings
from trials.ratings import main, simulate, spearman


def test_spearman_knows_equal_and_opposite_orders() -> None:
    assert spearman([1, 2, 3, 4], [10, 20, 30, 40]) == 1
    assert spearman([1, 2, 3, 4], [40, 30, 20, 10]) == -1
    assert spearman([1, 2, 3, 4], [10, 30, 20, 40]) == pytest.approx(0.8)


def test_equal_seeds_give_equal_ratings() -> None:
    assert simulate(20, 3, 350, 1) == simulate(20, 3, 350, 1) != simulate(20, 3, 350, 2)


def test_many_are_in_order_after_fifty_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--players", "1000" if FULL else "200"]) == 0
    assert "Spearman 0.9" in capsys.readouterr().out


def test_ratings_that_move_the_wrong_way_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    right = core.after_game
    monkeypatch.setattr(ratings, "after_game", lambda one, other, score: right(one, other, 1 - score))
    assert main(["--players", "50"]) == 1


def test_ratings_that_do_not_move_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "after_game", lambda one, other, score: (one[0], other[0]))
    assert main(["--players", "50"]) == 1


def test_the_plot_is_a_picture_of_every_player_shown(tmp_path: Path) -> None:
    picture = tmp_path / "ratings.svg"
    main(["--players", "100", "--plot", str(picture)])
    root = ElementTree.parse(picture).getroot()
    assert len(root.findall(".//{http://www.w3.org/2000/svg}circle")) > 90
    [curve] = root.findall(".//{http://www.w3.org/2000/svg}polyline")
    assert len(curve.attrib["points"].split()) == 50


def test_strengths_are_mostly_where_the_ratings_say() -> None:
    outcome = simulate(500 if FULL else 150, 50, 200, 1)
    assert 0.9 < outcome.inside < 1
    assert all(rating != Rating() for rating in outcome.ratings)
