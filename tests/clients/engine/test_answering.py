"""A Python bot behind the text protocol, without a process: lines in, lines out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tablero import Bot, Turn
from tablero.bot import Thought
from tablero.brains import find_brain
from tablero.engine.answering import Answering
from tablero.engine.conversation import spelled_out
from tablero.engine.lines import EngineLine, Legal, NewGame, Seen, read_engine_line
from tablero_games import GAMES


class Noting(Bot):
    """Plays the last legal move, unless a test says otherwise; and keeps its turns."""

    game = "connect-four"
    turns: list[Turn]
    answers: list[str | Exception | None]

    def choose(self, turn: Turn) -> str | None:
        self.turns.append(turn)
        answer = self.answers.pop(0) if self.answers else turn.legal_moves[-1]
        if isinstance(answer, Exception):
            raise answer
        return answer


class Desk:
    """An engine whose thoughts are done only when the test says so."""

    def __init__(self, brain: type[Bot]) -> None:
        self.said: list[str] = []
        self.thoughts: list[Callable[[], None]] = []
        self._answering = Answering(brain, self._say, self._think)

    def _say(self, line: EngineLine) -> None:
        assert read_engine_line(str(line)) == line
        self.said.append(str(line))

    def _think(self, thought: Callable[[], Thought], done: Callable[[Thought], None]) -> None:
        self.thoughts.append(lambda: done(thought()))

    def hear(self, *lines: str) -> list[str]:
        """What it says to these lines, before it has thought."""
        self.said.clear()
        for line in lines:
            assert self._answering.hear(line)
        return list(self.said)

    def think(self) -> list[str]:
        self.said.clear()
        self.thoughts.pop(0)()
        return list(self.said)

    def ends_at(self, line: str) -> bool:
        return not self._answering.hear(line)


NEW_GAME = "newgame connect-four columns 5 rows 4 connect 3 players 2 seat 1"
MOVES = "position startpos moves 1 2 1"
GO = "go movetime 1000"


@pytest.fixture
def desk() -> Desk:
    Noting.turns, Noting.answers = [], []
    return Desk(Noting)


def test_it_says_who_it_is_and_that_it_is_ready(desk: Desk) -> None:
    assert desk.hear("ubgi") == [
        "id name noting",
        "id games connect-four",
        "option name seed type spin default 0 min 0 max 4294967295",
        "ubgiok",
    ]
    assert desk.hear("isready") == ["readyok"]


def test_moves_are_played_up_to_the_turn(desk: Desk) -> None:
    assert desk.hear(NEW_GAME, MOVES, GO) == []
    assert desk.think() == ["bestmove 5"]
    [turn] = Noting.turns
    assert turn.last is not None
    assert (turn.seat, turn.ply, turn.last.seat, turn.last.move) == (1, 3, 0, "1")
    assert turn.view["stacks"] == ["00", "1", "", "", ""]
    assert turn.options == {"columns": 5, "rows": 4, "connect": 3}


def test_a_view_is_taken_as_it_is_with_its_legal_moves_and_clocks(desk: Desk) -> None:
    view = GAMES["connect-four"].start(columns=5, rows=4, connect=3).play(0, "3").view(1)
    desk.hear(NEW_GAME, str(Seen(view, 1, (0, "3"))), "legal 2 4", "go clock 5000 6000")
    assert desk.think() == ["bestmove 4"]
    [turn] = Noting.turns
    assert turn.last is not None
    assert (turn.ply, turn.last.move, turn.clocks, turn.view) == (1, "3", [5000, 6000], view)


def test_it_is_ready_while_it_thinks_and_several_games_follow_each_other(desk: Desk) -> None:
    for _ in range(2):
        desk.hear("ubgi", NEW_GAME, MOVES, GO)
        assert desk.hear("isready") == ["readyok"]
        assert desk.think() == ["bestmove 5"]
        assert desk.hear("result win reason line") == []


def test_stop_is_answered_at_once_and_the_late_thought_is_dropped(desk: Desk) -> None:
    [answer] = desk.hear(NEW_GAME, MOVES, "legal 3", GO, "stop")
    assert answer == "bestmove 3"
    assert desk.hear("stop") == []
    desk.hear(MOVES, GO)
    assert desk.think() == []
    assert desk.think() == ["bestmove 5"]


def test_a_late_wish_to_wait_is_no_answer_to_the_next_turn(desk: Desk) -> None:
    Noting.answers = [None, "2"]
    desk.hear(NEW_GAME, MOVES, GO, "stop", MOVES, GO)
    assert desk.think() == []
    assert desk.think() == ["bestmove 2"]


def test_stop_without_a_line_of_legal_moves_is_answered_with_a_legal_one(desk: Desk) -> None:
    [answer] = desk.hear(NEW_GAME, MOVES, GO, "stop")
    assert answer.split()[1] in ("1", "2", "3", "4", "5")


def test_a_bot_that_waits_says_so(desk: Desk) -> None:
    Noting.answers = [None, "2"]
    desk.hear(NEW_GAME, MOVES, GO)
    assert desk.think() == ["bestmove none"]
    desk.hear(GO)
    assert desk.think() == ["bestmove 2"]


def test_a_bot_that_crashes_resigns_and_says_why(desk: Desk) -> None:
    Noting.answers = [RuntimeError("no\nidea")]
    desk.hear(NEW_GAME, MOVES, GO)
    why, answer = desk.think()
    assert why.startswith("info string RuntimeError: no idea (")
    assert answer == "bestmove resign"


def test_a_thought_that_ends_after_its_game_is_dropped(desk: Desk) -> None:
    desk.hear(NEW_GAME, MOVES, GO, "result loss reason time")
    assert desk.think() == []


@pytest.mark.parametrize(
    "lines",
    [
        [GO],
        [NEW_GAME, GO],
        ["newgame quoridor players 2 seat 0", MOVES, GO],
        ["newgame connect-four columns 99 players 2 seat 0", MOVES, GO],
        [NEW_GAME, "position startpos moves 9", GO],
        [NEW_GAME, MOVES, GO, GO],
        ["xyzzy", "setoption name seed value x", "stop", "result win", GO],
    ],
)
def test_what_makes_no_sense_is_explained_and_goes_on(desk: Desk, lines: list[str]) -> None:
    said = desk.hear(*lines)
    assert said
    assert all(line.startswith("info string ") for line in said)
    assert desk.hear("isready") == ["readyok"]


def test_quit_is_the_end(desk: Desk) -> None:
    assert desk.ends_at("quit")


def test_equal_seeds_give_equal_moves() -> None:
    def moves(seed: int) -> list[str]:
        desk = Desk(find_brain("connect-four:random"))
        played: list[str] = []
        for _ in range(12):
            desk.hear(f"setoption name seed value {seed}", *([NEW_GAME] if not played else []), MOVES, GO)
            played += desk.think()
        return played

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_of_every_game_plays_from_its_view(game: str) -> None:
    desk = Desk(find_brain(f"{game}:random"))
    options = {"mode": "race"} if game == "minesweeper" else {}
    position = GAMES[game].start(2, 1, **options)
    for ply in range(6):
        if not position.to_move:
            break
        seat = min(position.to_move)
        legal = tuple(position.legal_moves(seat))
        new_game = NewGame(game, spelled_out(game, options), 2, seat)
        desk.hear(str(new_game), str(Seen(position.view(seat), ply)), str(Legal(legal)), GO)
        [answer] = desk.think()
        position = position.play(seat, answer.split()[1].replace(":", " "))
