"""The host's side of a conversation, with a scripted engine and a clock that the test turns."""

from __future__ import annotations

from collections import deque

import pytest

from tablero.engine.conversation import Conversation, TooSlow
from tablero.engine.lines import BestMove, Go, HostLine, Seen


class FakeLink:
    """Hears each line at its time, in seconds; whatever was said is kept."""

    def __init__(self, *lines: tuple[float, str]) -> None:
        self.time = 0.0
        self.said: list[str] = []
        self._lines = deque(lines)

    def now(self) -> float:
        return self.time

    def say(self, *lines: HostLine) -> None:
        self.said += map(str, lines)

    def hear(self, until: float) -> str | None:
        if self._lines and self._lines[0][0] <= until:
            at, line = self._lines.popleft()
            self.time = max(self.time, at)
            return line
        self.time = until
        return None


def test_an_engine_says_who_it_is() -> None:
    link = FakeLink(
        (1, "id name Deep\x1b[31m Greedy"),
        (1, "id author Ana"),
        (1, "id games chess quoridor"),
        (1, "option name seed type spin"),
        (4.9, "ubgiok"),
    )
    identity = Conversation(link).greet(5)
    assert (identity.name, identity.author) == ("Deep [31m Greedy", "Ana")
    assert (identity.games, identity.known_games) == (("chess", "quoridor"), ["quoridor"])
    assert list(identity.options) == ["seed"]
    assert link.said == ["ubgi"]


def test_a_silent_engine_is_too_slow_in_all_however_much_it_prints() -> None:
    link = FakeLink(*((number, "info string wait") for number in range(20)))
    with pytest.raises(TooSlow, match="`ubgiok` within 5 s"):
        Conversation(link).greet(5)
    assert link.time == 5


def test_only_an_engine_with_the_option_gets_a_seed() -> None:
    link = FakeLink((0, "ubgiok"))
    talk = Conversation(link)
    talk.greet()
    talk.set_seed(3)
    assert link.said == ["ubgi"]
    link = FakeLink((0, "option name seed type spin"), (0, "ubgiok"))
    talk = Conversation(link)
    talk.greet()
    talk.set_seed(3)
    assert link.said == ["ubgi", "setoption name seed value 3"]


def test_a_new_game_is_told_with_all_its_options() -> None:
    link = FakeLink()
    Conversation(link).begin("connect-four", {"columns": 8}, 2, 1)
    assert link.said == ["newgame connect-four columns 8 rows 6 connect 4 players 2 seat 1"]


def test_the_position_is_told_as_moves_only_where_they_are_known() -> None:
    link = FakeLink()
    talk = Conversation(link)
    talk.show(Seen({"a": 1}), ("4",), ("1", "2"))
    talk.show(Seen({"a": 1}), ("4",))
    position = 'position ply 0 view {"a":1}'
    assert link.said == ["position startpos moves 1 2", position, "legal 4", position, "legal 4"]


def test_an_answer_in_time_is_the_move() -> None:
    link = FakeLink((0.5, "info depth 1"), (0.9, "bestmove 4"))
    assert Conversation(link).ask(Go(movetime=1000), 10) == BestMove("4")
    assert link.said == ["go movetime 1000"]


def test_shortly_before_its_time_is_up_it_is_told_to_stop() -> None:
    link = FakeLink((9.7, "bestmove 4"))
    assert Conversation(link).ask(Go(), 10) == BestMove("4")
    assert (link.said, link.time) == (["go", "stop"], 9.7)


def test_no_answer_after_stop_is_too_slow() -> None:
    link = FakeLink((10.1, "bestmove 4"))
    with pytest.raises(TooSlow, match="`go` with `bestmove` within 10 s"):
        Conversation(link).ask(Go(), 10)
    assert link.time == 10


def test_what_is_no_line_is_kept_for_whoever_wants_to_complain() -> None:
    link = FakeLink((0, "hello"), (0, ""), (0, "bestmove 1"))
    talk = Conversation(link)
    talk.ask(Go(), 1)
    assert talk.strange == ["hello"]
