"""The lines of the text protocol, read and written; and docs/engines.md, which shows them."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from tablero.engine.lines import (
    BestMove,
    EngineLine,
    EngineWord,
    Go,
    HostLine,
    HostWord,
    Id,
    Info,
    Legal,
    Moves,
    NewGame,
    Option,
    Result,
    Seen,
    SetOption,
    move_of,
    read_engine_line,
    read_host_line,
    word_of,
)
from tablero_games import GAMES, Game
from tests.games.variants import CASES, NAMES, Variant

PAGE = (Path(__file__).parents[3] / "docs" / "engines.md").read_text(encoding="utf-8")

HOST: list[tuple[str, HostLine]] = [
    ("ubgi", HostWord.UBGI),
    ("isready", HostWord.IS_READY),
    ("stop", HostWord.STOP),
    ("quit", HostWord.QUIT),
    ("setoption name seed value 7", SetOption("seed", "7")),
    ("setoption name Book file value a b.txt", SetOption("Book file", "a b.txt")),
    (
        "newgame connect-four columns 7 rows 6 connect 4 players 2 seat 1",
        NewGame("connect-four", {"columns": 7, "rows": 6, "connect": 4}, 2, 1),
    ),
    (
        "newgame minesweeper mode race noGuess true players 3 seat 0",
        NewGame("minesweeper", {"mode": "race", "noGuess": True}, 3, 0),
    ),
    ("position startpos moves 4 4 3", Moves(("4", "4", "3"))),
    ("position startpos moves", Moves(())),
    ('position ply 0 view {"cells":"..."}', Seen({"cells": "..."})),
    (
        'position ply 3 last 1 dig:c4 view {"a":" view ","b":[]}',
        Seen({"a": " view ", "b": []}, 3, (1, "dig c4")),
    ),
    ("legal 1 2 3", Legal(("1", "2", "3"))),
    ("legal dig:a1 flag:a1", Legal(("dig a1", "flag a1"))),
    ("legal", Legal(())),
    ("go", Go()),
    ("go movetime 1000", Go(movetime=1000)),
    ("go clock 60000 58000 movetime 500", Go(movetime=500, clock=(60_000, 58_000))),
    ("go movetime 9 nodes 5000", Go(movetime=9, nodes=5000)),
    ("result win reason line", Result("win", "line")),
    ("result draw reason agreed", Result("draw", "agreed")),
    ("result loss reason mine", Result("loss", "mine")),
]
ENGINE: list[tuple[str, EngineLine]] = [
    ("id name Deep Greedy", Id("name", "Deep Greedy")),
    ("id games connect-four quoridor", Id("games", "connect-four quoridor")),
    ("option name seed type spin default 0 min 0 max 9", Option("seed", "spin", "default 0 min 0 max 9")),
    ("option name Own book type check", Option("Own book", "check")),
    ("ubgiok", EngineWord.UBGI_OK),
    ("readyok", EngineWord.READY_OK),
    ("info depth 3 string all is well", Info("depth 3 string all is well")),
    ("bestmove 4", BestMove("4")),
    ("bestmove dig:c4", BestMove("dig c4")),
    ("bestmove none", BestMove(None)),
    ("bestmove resign", BestMove(None, resigns=True)),
]


@pytest.mark.parametrize(("text", "line"), HOST)
def test_a_line_of_the_host_is_written_and_read(text: str, line: HostLine) -> None:
    assert str(line) == text
    assert read_host_line(text) == line


@pytest.mark.parametrize(("text", "line"), ENGINE)
def test_a_line_of_the_engine_is_written_and_read(text: str, line: EngineLine) -> None:
    assert str(line) == text
    assert read_engine_line(text) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  isready \r\n", HostWord.IS_READY),
        ("quit now", HostWord.QUIT),
        ("go ponder movetime 5 sooner", Go(movetime=5)),
        ("newgame quoridor seat 0 weather fine players 2", NewGame("quoridor", {"weather": "fine"}, 2, 0)),
        ('position view {"cells":""}', Seen({"cells": ""})),
        ('position weather fine ply 2 view {"cells":""}', Seen({"cells": ""}, 2)),
        ("result win", Result("win", "")),
    ],
)
def test_an_engine_skips_words_that_it_does_not_know(text: str, line: HostLine) -> None:
    assert read_host_line(text) == line


def test_a_host_skips_words_that_it_does_not_know() -> None:
    assert read_engine_line("bestmove 4 ponder 3") == BestMove("4")
    assert read_engine_line("readyok I think") is EngineWord.READY_OK


STRANGE = [
    "",
    "xyzzy",
    "UBGI",
    "setoption",
    "setoption name",
    "setoption name value 3",
    "newgame",
    "newgame quoridor players two seat 1",
    "newgame quoridor players 2",
    "position",
    "position ply 3",
    "position view",
    "position view [1]",
    "position view {",
    "position ply x view {}",
    "position last 1 view {}",
    "position ply 0 view " + "[" * 100_000,
    "go movetime",
    "go movetime soon",
    "result",
    "result beaten reason x",
    "id",
    "option",
    "option name",
    "option name x type",
    "option name x type colour",
    "bestmove",
]


@pytest.mark.parametrize("text", STRANGE, ids=lambda text: text[:30])
def test_what_makes_no_sense_is_skipped(text: str) -> None:
    assert read_host_line(text) is None
    assert read_engine_line(text) is None


@pytest.mark.parametrize(("game", "variant"), CASES, ids=NAMES)
def test_every_move_of_every_game_is_one_word(game: Game, variant: Variant) -> None:
    random, position = Random(1), game.start(seed=1, **variant)
    while position.to_move:
        seat = min(position.to_move)
        for move in position.legal_moves(seat):
            word = word_of(move)
            assert word.split() == [word]
            assert word not in ("none", "resign")
            assert move_of(word) == move
        position = position.play(seat, random.choice(position.legal_moves(seat)))


@pytest.mark.parametrize("move", ["4\n", "4\nquit", "dig\rc4", "b2\x1b[2J", "\x00b2", "a1\u2028h"])
def test_no_move_that_a_server_may_send_ends_a_line_or_holds_a_control(move: str) -> None:
    for line in (Moves((move,)), Legal((move,)), Seen({}, 1, (0, move)), BestMove(move)):
        assert str(line).isprintable()


def test_no_option_of_a_game_is_called_like_a_word_of_newgame() -> None:
    for game in GAMES.values():
        names = {field.alias or name for name, field in game.options.model_fields.items()}
        assert not names & {"players", "seat"}


def test_every_line_of_the_printed_conversation_is_one() -> None:
    lines = re.findall(r"(?m)^([<>]) (.*)$", PAGE)
    assert len(lines) > 15
    for mark, text in lines:
        line = read_host_line(text) if mark == ">" else read_engine_line(text)
        assert str(line) == text


def test_every_line_and_word_has_its_row() -> None:
    rows = "\n".join(re.findall(r"(?m)^\| (`.*?) \|", PAGE))
    for text, _ in HOST + ENGINE:
        assert f"`{text.split()[0]}" in rows
    for word in ("movetime", "clock", "nodes"):
        assert f"| `{word} N" in PAGE
