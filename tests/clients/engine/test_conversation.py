"""The host's side of a conversation, with a scripted engine and a clock that the test turns."""

from __future__ import annotations

import json
import re
from collections import deque
from pathlib import Path
from typing import Any

import pytest

from tablero.engine.conversation import MOST_LINES, Conversation, TooMuch, TooSlow
from tablero.engine.lines import JSON, line_of
from tablero_games import GAMES, IllegalMove, Play
from tablero_protocol.messages import SERVER_MESSAGE, NextPlayer, PlayTurn, Resign

PAGE = (Path(__file__).parents[3] / "docs" / "engines.md").read_text(encoding="utf-8")
Json = dict[str, Any]
HELLO: Json = {
    "type": "hello", "id": "1", "protocol": 1, "client": "zoo", "name": "Deep\x1b[31m Greedy",
    "bot": {"brains": [{"game": "chess", "levels": []}, {"game": "connect-four", "levels": ["deep"]}]},
}  # fmt: skip
TURN: Json = {"type": "playTurn", "id": "2", "room": "r", "seat": 1, "ply": 1, "move": "4"}


class FakeLink:
    """Hears each line at its time, in seconds; whatever was said is kept."""

    def __init__(self, *lines: tuple[float, Json | str]) -> None:
        self.time = 0.0
        self.said: list[Json] = []
        self.unfinished = ""
        self._lines = deque(lines)

    def now(self) -> float:
        return self.time

    def say(self, line: str) -> None:
        message = json.loads(line)
        SERVER_MESSAGE.validate_python(message, by_alias=True, by_name=False, extra="forbid")
        self.said.append(message)

    def hear(self, until: float) -> str | None:
        if self._lines and self._lines[0][0] <= until:
            at, line = self._lines.popleft()
            self.time = max(self.time, at)
            return line if isinstance(line, str) else json.dumps(line)
        self.time = until
        return None


def talk(*lines: tuple[float, Json | str]) -> tuple[Conversation, FakeLink]:
    """A conversation in which a game of Connect Four has begun."""
    link = FakeLink((0, HELLO), *lines)
    conversation = Conversation(link)
    conversation.greet()
    conversation.begin("connect-four", {"columns": 8}, 2, 1, room="r", dice=9)
    link.said.clear()
    return conversation, link


def event(*, seats: tuple[int, ...] = (1,), ply: int = 1, **more: Any) -> NextPlayer:
    fields = {"room": "r", "seq": 1, "ply": ply, "seats": list(seats), "seat": 1, "view": {}}
    return NextPlayer.model_validate(fields | more)


def test_an_engine_says_who_it_is_and_is_welcomed() -> None:
    link = FakeLink((4.9, HELLO))
    identity = Conversation(link).greet(5)
    assert (identity.name, identity.known_games) == ("Deep [31m Greedy", ["connect-four"])
    assert identity.levels == {"chess": [], "connect-four": ["deep"]}
    [welcome] = link.said
    assert (welcome["type"], welcome["re"], welcome["player"]["bot"]) == ("welcome", "1", True)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ({"type": "ping", "id": "0"}, "helloFirst"),
        (HELLO | {"protocol": 2}, "wrongProtocol"),
        (HELLO | {"colour": "red"}, "badMessage"),
        ({"type": "hallo", "id": "0"}, "unknownType"),
        ("ubgiok", "badFrame"),
        ("x" * 4_097, "badFrame"),
    ],
)
def test_what_is_no_hello_is_refused_with_the_codes_of_the_protocol(line: Json | str, code: str) -> None:
    link = FakeLink((0, line), (1, HELLO))
    Conversation(link).greet()
    assert [each.get("code", each["type"]) for each in link.said] == [code, "welcome"]


def test_a_game_begins_with_its_table_all_options_spelled_out() -> None:
    link = FakeLink((0, HELLO))
    conversation = Conversation(link)
    conversation.greet()
    conversation.begin("connect-four", {"columns": 8}, 2, 1, room="r", dice=9)
    joined = link.said[-1]
    assert (joined["type"], joined["room"], joined["seat"], joined["dice"]) == ("joined", "r", 1, 9)
    assert joined["table"]["options"] == {"columns": 8, "rows": 6, "connect": 4}
    assert [each["name"] for each in joined["table"]["seats"]] == ["seat-0", "Deep [31m Greedy"]


def test_an_answer_in_time_is_the_move_and_the_next_position_answers_it() -> None:
    conversation, link = talk((0.5, {"type": "say", "id": "9", "room": "r", "text": "hm"}), (0.9, TURN))
    answer = conversation.ask(event(movetime=1000), 10)
    assert isinstance(answer, PlayTurn)
    assert (answer.move, link.time) == ("4", 0.9)
    conversation.show(event(seats=(0,), ply=2))
    conversation.show(event(ply=3))
    assert [(each["type"], each.get("re")) for each in link.said] == [
        ("nextPlayer", None), ("ok", "9"), ("nextPlayer", "2"), ("nextPlayer", None)
    ]  # fmt: skip


def test_a_refused_turn_is_answered_by_that_alone() -> None:
    conversation, link = talk((0, TURN))
    conversation.ask(event(), 10)
    conversation.refuse(IllegalMove("columnFull", column=4))
    conversation.show(event(seats=(), ply=2))
    assert [(each["type"], each.get("re")) for each in link.said[1:]] == [
        ("refused", "2"),
        ("nextPlayer", None),
    ]


def test_an_engine_may_resign() -> None:
    conversation, _ = talk((0, {"type": "resign", "id": "2", "room": "r", "seat": 1}))
    assert isinstance(conversation.ask(event(), 10), Resign)


@pytest.mark.parametrize(
    ("wrong", "code"), [({"ply": 0}, "stale"), ({"seat": 0}, "noSuchSeat"), ({"room": "q"}, "unknownRoom")]
)
def test_a_turn_that_is_about_something_else_is_refused_and_waited_beyond(wrong: Json, code: str) -> None:
    conversation, link = talk((0, TURN | wrong), (1, TURN))
    assert conversation.ask(event(), 10) is not None
    assert [each.get("code") for each in link.said] == [None, code]
    assert len(conversation.untimely) == 1


def test_what_only_a_server_can_do_is_forbidden_and_a_ping_is_answered() -> None:
    conversation, link = talk(
        (0, {"type": "createRoom", "id": "8", "game": "quoridor"}),
        (0, {"type": "ping", "id": "9"}),
        (0, TURN),
    )
    conversation.ask(event(), 10)
    assert [each.get("code", each["type"]) for each in link.said[1:]] == ["forbidden", "pong"]


def test_a_silent_engine_is_too_slow() -> None:
    conversation, link = talk((10.1, TURN))
    with pytest.raises(TooSlow, match=r"^It did not answer `nextPlayer` with `playTurn` within 10 s\.$"):
        conversation.ask(event(), 10)
    assert link.time == 10


def test_garbage_and_output_without_newlines_are_told_apart_from_silence() -> None:
    conversation, link = talk((1, "depth 4\x1b"), (2, "depth 5"))
    with pytest.raises(TooSlow, match=r"; it printed 'depth 4': The frame is not valid JSON\.$"):
        conversation.ask(event(), 10)
    assert len(conversation.strange) == 2
    assert [each["code"] for each in link.said[1:]] == ["badFrame"] * 2
    conversation, link = talk()
    link.unfinished = '{"type":"playTurn"\x1b'
    with pytest.raises(
        TooSlow, match=r"; it printed '{\"type\":\"playTurn\"' without the end of the line\.$"
    ):
        conversation.ask(event(), 10)


def test_a_flood_ends_however_much_time_there_is() -> None:
    conversation, _ = talk(*((0.0, "x") for _ in range(2 * MOST_LINES)))
    with pytest.raises(TooMuch, match=f"more than {MOST_LINES} lines and no answer; it printed 'x'"):
        conversation.ask(event(), 10)


def test_where_others_can_move_silence_is_waiting_and_a_late_turn_counts_at_the_same_ply() -> None:
    conversation, link = talk((5, TURN), (6, TURN | {"id": "3", "ply": 2}))
    assert conversation.ask(event(seats=(0, 1), movetime=1000), 10) is None
    assert link.time == 1.5
    answer = conversation.ask(event(seats=(0, 1), movetime=9000), 10)
    assert isinstance(answer, PlayTurn)
    assert (answer.id, link.time) == ("2", 5)


def shown(play: Play) -> NextPlayer:
    return NextPlayer(room="local", seq=play.ply, seat=1, **play.shown_to(1))


def replayed(lines: list[tuple[str, str]]) -> list[str]:
    """What a host says in the conversation of the page, if the engine says what it says there."""
    link = FakeLink(*((0.0, line) for mark, line in lines if mark == "<"))
    conversation = Conversation(link)
    conversation.greet()
    conversation.begin("tic-tac-toe", {}, 2, 1, room="local", dice=1883)
    play = Play.begin(GAMES["tic-tac-toe"])
    budget = {"movetime": 1000, "nodes": 20_000}
    for rival in ("b2", "a2", "c2"):
        play = play.turn(0, rival)
        if play.to_move:
            legal = list(play.position.legal_moves(1))
            answer = conversation.ask(shown(play).model_copy(update={"legal_moves": legal, **budget}), 1)
            assert isinstance(answer, PlayTurn)
            play = play.turn(1, answer.move)
        conversation.show(shown(play))
    conversation.end()
    return [line_of(SERVER_MESSAGE.validate_python(each, by_alias=True, by_name=False)) for each in link.said]


def test_the_conversation_of_the_page_is_what_a_host_says() -> None:
    lines = re.findall(r"(?m)^([<>]) (.*)$", PAGE)
    assert len(lines) > 10
    for mark, line in lines:
        assert (JSON.decode_client if mark == "<" else JSON.decode_server)(line)
    assert "".join(replayed(lines)).splitlines() == [line for mark, line in lines if mark == ">"]
