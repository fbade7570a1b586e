"""A Python bot as an engine, without a process: lines in, messages out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tablero import Bot, Turn
from tablero.bot import Thought, attempt
from tablero.brains import find_brain
from tablero.engine.answering import Answering
from tablero.engine.conversation import Conversation
from tablero.engine.lines import JSON, line_of
from tablero_games import GAMES, Outcome, Play
from tablero_protocol.messages import ClientMessage, NextPlayer, PlayTurn, Resign, Say


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
