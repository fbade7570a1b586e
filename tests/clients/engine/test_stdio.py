"""`tablero engine SPEC`: a Python bot as a program between two pipes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tablero import Bot, Turn, cli
from tablero.bot import Thought, attempt
from tablero.brains import find_brain
from tablero.engine.conversation import Conversation
from tablero.engine.lines import JSON, line_of
from tablero.engine.stdio import Answering
from tablero_games import GAMES, Outcome, Play
from tablero_protocol.messages import ClientMessage, NextPlayer, PlayTurn, Resign, Say

CHATTY = """
from tablero import Bot

class Chatty(Bot):
    game = "tic-tac-toe"

    def choose(self, turn):
        print("thinking about", turn.view)
        return turn.legal_moves[0]
"""
TABLE = (
    '{"room":"r","epoch":"e","game":"tic-tac-toe","version":1,"options":{},"state":"playing",'
    '"private":true,"seats":[null,null],"members":[]}'
)
TURN = (
    f'{{"type":"joined","room":"r","seq":1,"player":{{"id":"p","name":"zoo"}},"seat":0,"table":{TABLE}}}\n'
    '{"type":"nextPlayer","room":"r","seq":2,"ply":0,"seats":[0],"seat":0,"view":{"cells":"........."}}\n'
)


def engine(spec: str, told: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tablero", "engine", spec],
        input=told,
        capture_output=True,
        text=True,
        timeout=50,
    )


def test_what_the_bot_prints_goes_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "chatty.py"
    path.write_text(CHATTY)
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "tablero", "engine", f"{path}:Chatty"]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(TURN)
        assert json.loads(process.stdout.readline())["type"] == "hello"
        assert json.loads(process.stdout.readline())["move"] == "a1"
        rest, elsewhere = process.communicate(timeout=50)
    assert (rest, process.returncode) == ("", 0)
    assert "thinking about {'cells': '.........'}" in elsewhere


def test_an_unknown_bot_is_wrong_use() -> None:
    result = CliRunner().invoke(cli.app, ["engine", "nobody"])
    assert (result.exit_code, "No brain is called 'nobody'" in result.output) == (2, True)


@pytest.mark.parametrize("told", [f'{{"type":"bye","code":1000,"message":"x"}}\n{TURN}', ""])
def test_after_bye_or_the_end_nothing_is_said(told: str) -> None:
    ended = engine("tic-tac-toe:random", told)
    assert (ended.returncode, ended.stdout.count("\n")) == (0, 1)  # its hello


class Noting(Bot):
    """Plays the last legal move, unless a test says otherwise; and keeps its turns."""

    game = "connect-four"
    turns: list[Turn]
    answers: list[str | Exception | None]
    ends: list[Outcome]
    repeatables: list[bool]

    def choose(self, turn: Turn) -> str | None:
        self.turns.append(turn)
        self.repeatables.append(self.repeatable)
        answer = self.answers.pop(0) if self.answers else turn.legal_moves[-1]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def on_end(self, outcome: Outcome) -> None:
        self.ends.append(outcome)


class Desk:
    """An engine whose thoughts are done only when the test says so."""

    unfinished = ""

    def __init__(self, brain: type[Bot]) -> None:
        self.said: list[ClientMessage] = []
        self.notes: list[str] = []
        self.thoughts: list[Callable[[], None]] = []
        self.answering = Answering(brain, self._say, self._think, self.notes.append)
        self.host = Conversation(self)
        self.goes_on = True

    def _say(self, message: ClientMessage) -> None:
        assert JSON.decode_client(line_of(message)) == message
        self.said.append(message)

    def _think(self, bot: Bot, turn: Turn, done: Callable[[Thought], None]) -> None:
        self.thoughts.append(lambda: done(attempt(bot.choose, turn)))

    def think(self) -> list[ClientMessage]:
        """What it says when it has thought."""
        self.said.clear()
        self.thoughts.pop(0)()
        return list(self.said)

    # As a link of a host

    def now(self) -> float:
        return 0.0

    def say(self, line: str) -> None:
        self.goes_on = self.answering.hear(line)

    def hear(self, until: float) -> str | None:
        return line_of(self.said.pop(0)) if self.said else None

    # What a host says

    def begin(self, game: str = "connect-four", dice: int = 5, **options: Any) -> None:
        """A game in which seat 1 is its own."""
        self.host.begin(game, options or {"columns": 5, "rows": 4, "connect": 3}, 2, 1, room="r", dice=dice)

    def show(self, *moves: str, **more: Any) -> None:
        """Where the game stands after these moves."""
        play = Play.begin(GAMES["connect-four"], options={"columns": 5, "rows": 4, "connect": 3})
        for move in moves:
            play = play.turn(play.to_move[0], move)
        self.host.show(NextPlayer(room="r", seq=1, seat=1, **play.shown_to(1)).model_copy(update=more))


@pytest.fixture
def desk() -> Desk:
    Noting.turns, Noting.answers, Noting.ends, Noting.repeatables = [], [], [], []
    return Desk(Noting)


def test_it_says_who_it_is(desk: Desk) -> None:
    desk.answering.hello()
    identity = desk.host.greet()
    assert (identity.name, identity.levels) == ("noting", {"connect-four": ["noting"]})


def test_its_turn_is_answered_with_the_ply_that_was_told(desk: Desk) -> None:
    desk.begin()
    desk.show("1", "2")
    assert desk.thoughts == []
    desk.show("1", "2", "1", legal_moves=["2", "4"], clocks=[5000, 6000], movetime=250)
    [answer] = desk.think()
    assert isinstance(answer, PlayTurn)
    assert (answer.room, answer.seat, answer.ply, answer.move) == ("r", 1, 3, "4")
    [turn] = Noting.turns
    assert turn.last is not None
    assert (turn.last.move, turn.clocks, turn.seconds) == ("1", [5000, 6000], 0.25)
    assert turn.options == {"columns": 5, "rows": 4, "connect": 3}


def test_without_legal_moves_it_finds_them_itself(desk: Desk) -> None:
    desk.begin()
    desk.show("1")
    [answer] = desk.think()
    assert isinstance(answer, PlayTurn)
    assert answer.move == "5"


def test_nodes_tell_it_to_be_repeatable(desk: Desk) -> None:
    desk.begin()
    desk.show("1", nodes=100)
    desk.think()
    desk.show("1", "1", "1")
    desk.think()
    assert [turn.event.nodes for turn in Noting.turns] == [100, None]
    assert Noting.repeatables == [True, False]


def test_several_games_follow_each_other_and_each_has_its_end(desk: Desk) -> None:
    for _ in range(2):
        desk.begin()
        desk.show("1")
        desk.think()
        desk.show("1", "2", "1", "2", "1")
    assert [outcome.reason for outcome in Noting.ends] == ["line", "line"]


def test_whoever_waits_says_nothing(desk: Desk) -> None:
    Noting.answers = [None]
    desk.begin()
    desk.show("1")
    assert desk.think() == []


def test_a_bot_that_crashes_resigns_and_says_why(desk: Desk) -> None:
    Noting.answers = [RuntimeError("no\nidea")]
    desk.begin()
    desk.show("1")
    said, resigned = desk.think()
    assert isinstance(said, Say)
    assert isinstance(resigned, Resign)
    assert said.text == "I crashed (RuntimeError) and resign."
    assert desk.notes[0].startswith("RuntimeError: no\nidea (")


def test_a_thought_that_ends_after_its_game_is_dropped(desk: Desk) -> None:
    desk.begin()
    desk.show("1")
    desk.begin()
    assert desk.think() == []


def test_a_game_that_it_does_not_play_is_resigned(desk: Desk) -> None:
    desk.begin("quoridor", size=5)
    assert [type(each) for each in desk.said] == [Resign]
    assert desk.notes == ["This bot plays connect-four."]


@pytest.mark.parametrize("line", ["xyzzy", "[]", '{"type":"xyzzy"}', '{"type":"joined"}', "", "{" * 10_000])
def test_what_makes_no_sense_is_noted_and_passed_over(desk: Desk, line: str) -> None:
    assert desk.answering.hear(line)
    assert (len(desk.notes), desk.said) == (1, [])


def test_what_was_refused_is_noted(desk: Desk) -> None:
    desk.begin()
    desk.show("1")
    desk.think()
    desk.host.ask(NextPlayer(room="r", seq=1, ply=9, seats=[0, 1], seat=1, view={}), 1)
    assert desk.notes == ["Refused: This turn was meant for ply 1; the game is at ply 9."]


def test_bye_is_the_end(desk: Desk) -> None:
    desk.host.end()
    assert not desk.goes_on


def test_equal_dice_give_equal_moves() -> None:
    def answer(dice: int) -> str:
        desk = Desk(find_brain("connect-four:random"))
        desk.begin(dice=dice)
        desk.show()
        desk.show("1")
        [turn] = desk.think()
        assert isinstance(turn, PlayTurn)
        return turn.move

    answers = [answer(dice) for dice in range(20)]
    assert answers == [answer(dice) for dice in range(20)]
    assert len(set(answers)) > 1
