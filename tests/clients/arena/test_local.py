"""Local matches: seeded, seats in turn, failures told apart."""

from __future__ import annotations

from typing import Any

import pytest

from tablero import Bot, Turn
from tablero.arena.local import MOST_TURNS, Watch, play_many, play_match
from tablero.arena.match import Match, record_of
from tablero.arena.plan import WrongContest
from tablero.brains import bundled, find_brain
from tablero_games import GAMES
from tablero_games.record.verify import verify
from tablero_protocol.messages import NextPlayer

SMALL: dict[str, dict[str, Any]] = {
    "dots-and-boxes": {"rows": 2, "columns": 2},
    "quoridor": {"size": 5, "walls": 2},
}
"""Boards on which the best brains are quick, too."""
RANDOM = find_brain("tic-tac-toe:random")
HARD = find_brain("tic-tac-toe:hard")


class Crashing(Bot):
    game = "tic-tac-toe"

    def choose(self, turn: Turn) -> str:
        if turn.ply >= 2:
            raise RuntimeError("no idea")
        return turn.legal_moves[0]


class Cheating(Bot):
    game = "tic-tac-toe"

    def choose(self, turn: Turn) -> str:
        return "z9"


class Waiting(Bot):
    game = "tic-tac-toe"

    def choose(self, turn: Turn) -> None:
        return None


def test_the_same_seed_gives_the_same_match() -> None:
    matches = [play_match("tic-tac-toe", (HARD, RANDOM), seed) for seed in (1, 1, 2)]
    assert matches[0].moves == matches[1].moves
    assert matches[0].moves != matches[2].moves


def test_a_match_is_a_legal_game_to_its_end() -> None:
    match = play_match("tic-tac-toe", (RANDOM, RANDOM), 5)
    position = GAMES["tic-tac-toe"].start()
    for move in match.moves:
        (seat,) = position.to_move
        position = position.play(seat, move)
    assert position.outcome == match.outcome


class Shouting(Bot):
    game = "tic-tac-toe"

    def choose(self, turn: Turn) -> str:
        assert turn.last is None or str(turn.last.move).isprintable()
        return f" {turn.legal_moves[0].upper()}\n"


def test_a_move_is_passed_on_in_the_one_way_it_is_written() -> None:
    match = play_match("tic-tac-toe", (Shouting, Shouting), 5)
    assert list(match.moves) == ["a1", "b1", "c1", "a2", "b2", "c2", "a3"]
    assert match.failures == {}


def test_the_last_that_a_bot_hears_has_the_outcome() -> None:
    heard: list[NextPlayer] = []

    class Listener(Bot):
        game = "tic-tac-toe"

        def play_turn(self, event: NextPlayer) -> None:
            heard.append(event)
            super().play_turn(event)

        def choose(self, turn: Turn) -> str:
            return str(turn.legal_moves[0])

    match = play_match("tic-tac-toe", [Listener, Listener])
    assert heard[-1].outcome == match.outcome.to_json()
    assert heard[0].outcome is None


def test_options_reach_the_game_and_the_bots() -> None:
    seen = []

    class Narrow(Bot):
        game = "connect-four"

        def choose(self, turn: Turn) -> str:
            seen.append((turn.view["columns"], turn.options["columns"]))
            return turn.legal_moves[0]

    play_match("connect-four", (Narrow, Narrow), 0, columns=4, rows=4)
    assert set(seen) == {(4, 4)}


def test_whoever_plays_another_game_is_refused() -> None:
    with pytest.raises(WrongContest, match="different games: tic-tac-toe, quoridor"):
        play_many(RANDOM, find_brain("quoridor:random"), 2)


def test_seats_alternate_and_every_game_is_counted() -> None:
    score = play_many(HARD, RANDOM, 20, seed=3)
    assert [match.brains.index(HARD) for match in score.matches] == [0, 1] * 10
    assert score.wins + score.draws + score.losses == 20
    assert score.wins > 10
    assert repr(score) == f"<Score {score.wins} won, {score.draws} drawn, {score.losses} lost of 20>"
    assert (score.crashed, score.illegal, score.first_failure) == (0, 0, None)


@pytest.mark.parametrize(
    ("brain", "crashed", "illegal", "sentence"),
    [
        pytest.param(Crashing, 4, 0, "RuntimeError: no idea", id="crashed"),
        pytest.param(Cheating, 0, 4, "There is no cell 'z9'", id="illegal"),
        pytest.param(Waiting, 0, 4, "It waited, and so did everybody.", id="waited for ever"),
    ],
)
def test_a_bot_that_fails_loses_and_is_told_apart(
    brain: type[Bot], crashed: int, illegal: int, sentence: str
) -> None:
    score = play_many(brain, RANDOM, 4)
    assert (score.losses, score.crashed, score.illegal) == (4, crashed, illegal)
    assert score.first_failure is not None
    match, failure = score.first_failure
    assert failure.sentence.startswith(sentence)
    assert isinstance(match, Match)


class Ticking(Watch):
    """Each look at the clock is a second later."""

    seconds = 0.0

    def now(self) -> float:
        self.seconds += 1
        return self.seconds


class Hasty(Bot):
    game = "tic-tac-toe"
    limit_seconds = 0.5

    def choose(self, turn: Turn) -> str:
        return turn.legal_moves[0]


def test_a_thought_beyond_the_limit_loses_on_time_if_brains_go_by_the_clock() -> None:
    match = play_match("tic-tac-toe", (Hasty, RANDOM), 1, repeatable=False, watch=Ticking())
    assert match.failures[0].kind == "timeout"
    assert match.turns[-1].withdrew == "time"
    assert match.outcome.winners == {1}
    assert verify(record_of(match, "tic-tac-toe", ("a", "b"), {})).valid


def test_a_repeatable_match_does_not_depend_on_how_fast_the_machine_is() -> None:
    slow = play_match("tic-tac-toe", (Hasty, RANDOM), 1, watch=Ticking())
    assert slow.failures == {}
    assert slow.moves == play_match("tic-tac-toe", (Hasty, RANDOM), 1).moves
    assert set(slow.thoughts[0]) == {1.0}


def test_brains_are_told_to_be_repeatable_unless_they_go_by_the_clock() -> None:
    told = []

    class Listening(Hasty):
        def choose(self, turn: Turn) -> str:
            told.append(self.repeatable)
            return turn.legal_moves[0]

    play_match("tic-tac-toe", (Listening, RANDOM))
    assert set(told) == {True}
    play_match("tic-tac-toe", (Listening, RANDOM), repeatable=False)
    assert told[-1] is False


def test_a_match_begins_behind_its_opening() -> None:
    match = play_match("connect-four", [find_brain("connect-four:random")] * 2, 1, ("4", "4", "1"))
    assert match.moves[:3] == ("4", "4", "1")
    assert [turn.seat for turn in match.turns[:4]] == [0, 1, 0, 1]
    assert verify(record_of(match, "connect-four", ("a", "b"), {})).over


def test_a_game_without_end_is_ended() -> None:
    class Flags(Bot):
        game = "minesweeper"

        def choose(self, turn: Turn) -> str:
            return "unflag a1" if turn.ply % 2 else "flag a1"

    match = play_match("minesweeper", (Flags,))
    assert len(match.moves) == MOST_TURNS
    assert match.failures[0].kind == "timeout"


def test_a_bot_that_cannot_even_be_made_has_crashed() -> None:
    class Unborn(Hasty):
        def __init__(self) -> None:
            raise ValueError("no")

    match = play_match("tic-tac-toe", (RANDOM, Unborn))
    assert match.failures[1].kind == "crashed"
    assert match.outcome.winners == {0}


def test_a_failure_of_the_other_is_not_counted_as_ones_own() -> None:
    score = play_many(RANDOM, Cheating, 4)
    assert (score.wins, score.crashed, score.illegal) == (4, 0, 0)


@pytest.mark.parametrize(
    "spec", [f"{game}:{level}" for game, levels in bundled().items() for level in levels]
)
def test_every_bundled_brain_plays_a_whole_game(spec: str) -> None:
    brain = find_brain(spec)
    score = play_many(brain, brain, 1, **SMALL.get(brain.game, {}))
    assert (score.crashed, score.illegal) == (0, 0)
