"""`tablero arena`: what is typed, printed, kept and answered, and the same in Python."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tablero import arena
from tests.harness import arena_players as players
from tests.harness import engines as scripts
from tests.harness.command_line import tablero

HERE = players.__file__
TWO = ("connect-four:child", "connect-four:random")


def report(*arguments: str) -> tuple[int, dict[str, Any]]:
    code, text = tablero("arena", *arguments, "--json")
    told: dict[str, Any] = json.loads(text)
    return code, told


def test_it_prints_one_json_object_with_all_there_is_to_say(tmp_path: Path) -> None:
    code, told = report(
        *TWO, "--games", "6", "--seed", "7", "--opening-plies", "2-4", "--records", str(tmp_path)
    )
    assert code == 0
    assert told.keys() >= {
        *(
            "game",
            "options",
            "seed",
            "names",
            "seconds",
            "games",
            "wins",
            "draws",
            "losses",
            "share",
            "wilson",
        ),
        *("elo", "elo_low", "elo_high", "crashes", "illegal", "timeouts", "failures", "records", "standings"),
    }
    assert (told["names"], told["games"], told["seed"]) == (list(TWO), 6, 7)
    assert told["wins"] + told["draws"] + told["losses"] == 6
    assert len(told["records"]) == 6
    for record in told["records"]:
        assert tablero("verify", record) == (0, "valid\n")


def test_engines_are_told_how_much_to_think(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    note = f"open({str(heard)!r}, 'a').write(line)"
    source = scripts.changed(("    event = json.loads(line)", f"    {note}; event = json.loads(line)"))
    spec = f"tic-tac-toe:cmd:{scripts.command(source)}"
    code, _ = report(spec, "tic-tac-toe:random", "--games", "1", "--movetime", "70", "--nodes", "9")
    asked = [each for each in map(json.loads, heard.read_text().splitlines()) if "legalMoves" in each]
    assert code == 0
    assert {(each["movetime"], each["nodes"]) for each in asked} == {(70, 9)}


def test_a_failure_has_a_record_that_replays_to_it(tmp_path: Path) -> None:
    code, told = report(f"{HERE}:Crashing", TWO[1], "--games", "2", "--records", str(tmp_path / "new"))
    assert code == 1
    assert told["crashes"] == 2
    for failure in told["failures"]:
        code, text = tablero("replay", failure["record"])
        assert code == 0
        assert f"{HERE}:Crashing resigns." in text


def test_alone_both_clear_the_same_fields(tmp_path: Path) -> None:
    options = ("--option", "width=3", "--option", "height=3", "--option", "mines=0")
    _, told = report("minesweeper:random", "minesweeper:random", "--games", "3", *options)
    assert told["options"] == {"width": 3, "height": 3, "mines": 0}
    assert [own["share"] for own in told["cleared"]] == [1.0, 1.0]
    assert (told["games"], told["draws"]) == (3, 3)


def test_a_sequential_test_that_rejects_ends_with_1() -> None:
    specs = ("tic-tac-toe:random", "tic-tac-toe:perfect")
    code, text = tablero("arena", *specs, "--games", "200", "--sprt", "--elo1", "30")
    assert code == 1
    assert "Elo 30 rather than 0: rejected" in text


def test_the_page_needs_nothing_from_anywhere_and_shows_everything(tmp_path: Path) -> None:
    page = tmp_path / "new" / "arena.html"
    code, text = tablero("arena", f"{HERE}:Crashing", *TWO, "--games", "2", "--html", str(page))
    assert code == 1
    assert "4 failed" not in text
    html = page.read_text()
    assert not re.search(r"https?:|//|src=|href=|url\(|@import|<script|<link|<img", html)
    assert "default-src 'none'" in html
    for name in (*TWO, f"{HERE}:Crashing"):
        assert name in html
    assert "RuntimeError: &lt;no idea&gt;" in html
    assert "<no idea>" not in html
    for heading in ("Standings", "Each against each", "Failures", "Seconds a thought"):
        assert f"<h2>{heading}</h2>" in html


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["connect-four:random"], "needs two bots"),
        (["connect-four:random", "connect-four:chidl"], "did you mean connect-four:child?"),
        ([*TWO, "--games", "0"], "Invalid value"),
        ([*TWO, "--opening-plies", "4-2"], "not '4-2'"),
        ([*TWO, "--option", "columns"], "NAME=VALUE"),
        ([*TWO, "--option", "columns=99"], "Option columns"),
        ([*TWO, TWO[0], "--sprt"], "compares two"),
        ([*TWO, "--sprt", "--elo1", "-3"], "lower than elo1"),
        ([*TWO, "--server", "ftp://x"], "is not an address"),
        (["minesweeper:random"] * 2 + ["--server", "localhost"], "lays its own fields"),
        (["minesweeper:random"] * 2 + ["--option", "mode=coop"], "mode=race"),
        ([*TWO, "--server", "127.0.0.1:9"], "No server answers"),
    ],
)
def test_wrong_use_is_explained_and_ends_with_2(arguments: list[str], sentence: str) -> None:
    code, text = tablero("arena", *arguments)
    assert (code, sentence in text) == (2, True), text


def test_a_place_where_nothing_can_be_written_is_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, text = tablero("arena", *TWO, "--records", str(tmp_path / "file"))
    assert (code, "File exists" in text) == (2, True)


def test_python_plays_classes_and_names_alike() -> None:
    score = arena.play(players.First, "connect-four:random", games=6, seed=2, opening_plies=2, columns=5)
    again = arena.play(players.First, "connect-four:random", games=6, seed=2, opening_plies=2, columns=5)
    assert [match.moves for match in score.matches] == [match.moves for match in again.matches]
    assert score.wins + score.draws + score.losses == 6
    assert all(len(match.opening) == 2 for match in score.matches)
