"""The verbs of a table: what each asks of the server, and what it says where it makes no sense."""

from __future__ import annotations

import pytest

from tests.harness.rig import BEN, HARD, LIMITS, Json, joined, turn
from tests.harness.terminal import Desk


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("say  hello  you ", {"type": "say", "text": "hello  you"}),
        ("resign", {"type": "resign", "seat": 0}),
        ("draw", {"type": "offer", "seat": 0, "what": "draw"}),
        ("pause", {"type": "offer", "seat": 0, "what": "pause"}),
        ("continue", {"type": "offer", "seat": 0, "what": "continue"}),
        ("addtime", {"type": "addTime", "room": "r1", "seat": 0}),
        ("takeback", {"type": "offer", "seat": 0, "what": "takeback"}),
        ("rematch", {"type": "offer", "seat": 0, "what": "rematch"}),
        ("claim", {"type": "claim", "room": "r1", "seat": 0, "what": "win"}),
        ("claim draw", {"type": "claim", "seat": 0, "what": "draw"}),
        ("free 1", {"type": "freeSeat", "room": "r1", "seat": 1}),
        ("swap 0 1", {"type": "swapSeats", "seats": [0, 1]}),
        ("begin", {"type": "begin", "room": "r1"}),
        ("options clock=60", {"type": "setOptions", "clock": {"base": 60}}),
        ("options clock=none watchers=no", {"type": "setOptions", "clock": None, "watchers": False}),
        ("options columns=8 noGuess=no", {"type": "setOptions", "options": {"columns": 8, "noGuess": False}}),
    ],
)
def test_a_verb_asks_the_server(line: str, expected: Json) -> None:
    desk = Desk(seated=True)
    desk.type(line)
    [wire] = desk.sent()
    assert {key: wire[key] for key in expected} == expected


@pytest.mark.parametrize("line", ["resign", "draw", "rematch", "claim", "takeback"])
def test_what_needs_a_seat_is_not_for_watchers(line: str) -> None:
    desk = Desk()
    desk.tell(joined(BEN, HARD), turn(2, seat=None))
    desk.forget()
    desk.type(line)
    assert (desk.noted, desk.sent()) == (["You only watch here."], [])


@pytest.mark.parametrize("line", ["say hello", "board", "resign", "leave"])
def test_what_needs_a_table_says_how_to_get_one(line: str) -> None:
    desk = Desk()
    desk.type(line)
    assert desk.noted == ["You are at no table: create, join or watch one first."]


def test_only_a_win_or_a_draw_is_claimed() -> None:
    desk = Desk(seated=True)
    desk.type("claim everything")
    assert (desk.noted, desk.sent()) == (["Type claim to win, or claim draw for a draw."], [])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("say Good luck!", {"phrase": "goodLuck"}),
        ("say goodgame", {"phrase": "goodGame"}),
        ("say good evening", {"text": "good evening"}),
    ],
)
def test_where_only_phrases_may_be_said_one_is_found_by_its_name_or_words(line: str, said: Json) -> None:
    desk = Desk(seated=True)
    desk.drop()
    desk.return_(limits={**LIMITS, "chat": "phrases"})
    desk.sent()
    desk.type(line)
    sent = desk.one("say")
    assert {key: sent.get(key) for key in said} == said


def test_the_moves_so_far_are_listed_with_what_else_happened() -> None:
    desk = Desk(seated=True)
    desk.type("history")
    moves = [
        {"seat": ply % 2, "move": f"m{ply}", "seq": ply + 3, "ply": ply + 1, "at": 0} for ply in range(7)
    ]
    back = {"seat": 1, "tookBack": 2, "seq": 10, "ply": 8, "at": 0}
    gone = {"seat": 0, "withdrew": "resign", "seq": 11, "ply": 8, "at": 0}
    desk.answer("history", room="r1", turns=[*moves, back, gone])
    assert desk.noted == [
        "1. You m0  2. Ben m1  3. You m2  4. Ben m3  5. You m4  6. Ben m5",
        "7. You m6",
        "Ben takes 2 moves back.",
        "You resign.",
    ]


def test_before_the_first_move_there_is_no_history() -> None:
    desk = Desk(seated=True)
    desk.type("history")
    desk.answer("history", room="r1", turns=[])
    assert desk.noted == ["Nothing was played yet."]


@pytest.mark.parametrize(
    ("line", "usage"),
    [("free", "Write: free SEAT"), ("swap 0", "Write: swap SEAT SEAT"), ("free one", "A seat")],
)
def test_seats_that_are_not_named_are_asked_for(line: str, usage: str) -> None:
    desk = Desk(seated=True)
    desk.type(line)
    assert desk.noted[0].startswith(usage)
    assert desk.sent() == []


def test_options_of_the_table_leave_those_of_the_game_alone() -> None:
    desk = Desk(seated=True)
    desk.type("options clock=60")
    assert "options" not in desk.one("setOptions")
