"""The sentences one by one: who is called what, and what each says of a table, a turn and an end."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.errors import Refused
from tablero.playing import sentences
from tablero.playing.sentences import clock_of, expired_line, offer_line, options_of, setup_line
from tablero.playing.who import holder, named
from tablero_protocol.messages import (
    Answered,
    Away,
    Clock,
    Joined,
    Left,
    NextPlayer,
    Offered,
    Player,
)
from tests.harness.rig import ANA, BEN, HARD, Json, Rig, message, turn


def player(**fields: Any) -> Player:
    return Player.model_validate({"id": "p", "name": "Pia", **fields})


def told(kind: type[Any], **fields: Any) -> Any:
    event = message(room="r1", seq=4, **fields)
    assert isinstance(event, kind)
    return event


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({}, "Pia"),
        ({"bot": True}, "Pia (bot)"),
        ({"bot": True, "level": "quoridor:hard"}, "Pia (bot, hard)"),
        ({"level": "quoridor:hard"}, "Pia"),
        ({"name": "P\x1b[31mia"}, "P [31mia"),
    ],
)
def test_a_player_is_named_with_what_matters(fields: Json, name: str) -> None:
    assert named(player(**fields)) == name


@pytest.mark.parametrize(
    ("seats", "names"),
    [
        ((ANA, BEN), ["you", "Ben", "seat 2"]),
        ((ANA, ANA), ["you (seat 0)", "you (seat 1)"]),
        ((BEN, None), ["Ben", "seat 1"]),
        ((HARD, HARD), ["house (bot, hard) on seat 0", "house (bot, hard) on seat 1"]),
    ],
)
def test_everybody_at_a_table_can_be_told_apart(seats: tuple[Json | None, ...], names: list[str]) -> None:
    room = Rig().room(*seats)
    assert [str(holder(room.table, seat, room.seats)) for seat in range(len(names))] == names


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "The game begins. Your turn."),
        ({"cells": "0........", "last": {"seat": 0, "move": "a1"}}, "1. You play a1. Ben to move."),
        ({"cells": "01.......", "last": {"seat": 1, "move": "b1"}}, "2. Ben plays b1. Your turn."),
        ({"seats": [1], "last": {"seat": 0, "withdrew": "gone"}}, "You left. Ben to move."),
        ({"seats": [0], "last": {"seat": 1, "withdrew": "time"}}, "Ben is out of time. Your turn."),
        ({"seats": [0], "last": {"seat": 1}}, "Ben plays. Your turn."),
        ({"clocks": [61_001, 59_999]}, "The game begins. Your turn. Clocks: You 1:02, Ben 1:00."),
        (
            {"clocks": [7_384_000, 259_200_000]},
            "The game begins. Your turn. Clocks: You 2:03:04, Ben 3 d 0 h.",
        ),
        (
            {
                "seats": [],
                "outcome": {"kind": "aborted", "winners": [], "reason": "noFirstMove", "scores": [0, 0]},
            },
            "The game is aborted and doesn't count (no first move in time).",
        ),
        (
            {
                "last": {"seat": 0, "withdrew": "claimed"},
                "seats": [],
                "outcome": {"kind": "win", "winners": [1], "reason": "claimed"},
            },
            "You were away for too long. Ben wins (claimed).",
        ),
        (
            {"outcome": {"kind": "draw", "winners": [], "reason": "claimed"}, "seats": []},
            "One side was away for too long. The game is a draw (claimed).",
        ),
        (
            {"clocks": [60_000, 60_000], "at": 0, "firstMove": 30_000},
            "The game begins. Your turn. Clocks: You 1:00, Ben 1:00. You have 30 s for the first move.",
        ),
        (
            {"clocks": [60_000, 59_000], "at": 0, "lag": 199},
            "The game begins. Your turn. Clocks: You 1:00, Ben 0:59.",
        ),
        (
            {"clocks": [60_000, 59_000], "at": 0, "lag": 200},
            "The game begins. Your turn. "
            "Clocks: You 1:00, Ben 0:59 (200 ms given back for a slow connection).",
        ),
        (
            {"seats": [1], "at": 0, "firstMove": 259_199_000},
            "The game begins. Ben to move. Ben has 3 days for the first move.",
        ),
        ({"last": {"seat": 1, "tookBack": 2}}, "Ben takes 2 moves back. Your turn."),
        ({"last": {"seat": 0, "tookBack": 1}}, "You take a move back. Your turn."),
        (
            {"outcome": {"kind": "draw", "winners": [], "reason": "agreed"}, "seats": []},
            "Both agree. The game is a draw (agreed).",
        ),
    ],
)
def test_a_turn_is_told_with_what_follows(fields: Json, sentence: str) -> None:
    event = turn(3, fields.pop("cells", "........."), **fields)
    assert isinstance(event, NextPlayer)
    assert sentences.turn_line(Rig().room(ANA, BEN), event, 0) == sentence


def test_a_turn_that_is_known_is_not_told_again() -> None:
    event = turn(3, "0........", last={"seat": 0, "move": "a1"})
    assert isinstance(event, NextPlayer)
    assert (
        sentences.turn_line(Rig().room(ANA, BEN), event, 0, beside="The game continues.")
        == "The game continues. Ben to move."
    )


@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [
        ({"kind": "win", "winners": [0], "reason": "cleared"}, "You win (cleared)."),
        ({"kind": "win", "winners": [0, 1], "reason": "cleared"}, "You and Ben win (cleared)."),
        ({"kind": "win", "winners": [0], "reason": "line", "scores": [3, 1]}, "You win (line), 3 to 1."),
        ({"kind": "loss", "winners": [], "reason": "mine", "scores": [7]}, "Nobody wins (mine)."),
    ],
)
def test_an_end_is_told(outcome: Json, sentence: str) -> None:
    event: Any = turn(3, "0........", outcome=outcome)
    assert sentences.ending(Rig().room(ANA, BEN), event) == sentence


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"began": 1_000}, "0:41"),
        ({"began": 1_000, "paused": 99_000}, None),
        ({"began": 1_000, "milliseconds": 40_321, "outcome": {"kind": "win"}}, "40.321 s"),
        ({"outcome": {"kind": "aborted"}}, None),
        ({}, None),
    ],
)
def test_the_time_of_a_game_runs_by_the_servers_clock(fields: Json, told: str | None) -> None:
    event: Any = turn(3, "0........", **fields)
    assert sentences.time_told(event, 42_999) == told


@pytest.mark.parametrize(
    ("seats", "more", "sentence"),
    [
        ((ANA, BEN), {}, "Tic-tac-toe, table r1: you are on seat 0."),
        ((BEN, HARD), {}, "Tic-tac-toe, table r1: you are watching."),
        (
            (BEN, None),
            {"state": "waiting"},
            "Tic-tac-toe, table r1: you are watching. Waiting for 1 player; type join r1 to sit down, "
            "or invite someone.",
        ),
        ((ANA,), {"game": "chess"}, "chess, table r1: you are on seat 0."),
    ],
)
def test_an_arrival_says_where_one_is_and_who_is_missing(
    seats: tuple[Json | None, ...], more: Json, sentence: str
) -> None:
    assert sentences.arrival(Rig().room(*seats, **more)) == sentence


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (told(Left, type="left", player=BEN, reason="left"), "Ben leaves."),
        (told(Left, type="left", player=BEN, reason="gone"), "Ben leaves (gone)."),
        (told(Joined, type="joined", player=BEN), "Ben watches."),
        (told(Joined, type="joined", player=BEN, seat=1), "Ben sits down on seat 1."),
    ],
)
def test_coming_and_going_is_told(event: Joined | Left, sentence: str) -> None:
    assert sentences.member_line(event) == sentence


@pytest.mark.parametrize(
    ("seats", "sentence"),
    [
        ((ANA, BEN), "type claim to win, claim draw for a draw, or wait."),
        ((ANA, BEN, HARD), "type claim to play on without them, or wait."),
        ((HARD, BEN), "the others may claim the game."),
    ],
)
def test_who_may_claim_reads_what(seats: tuple[Json | None, ...], sentence: str) -> None:
    away = message(type="away", room="r1", player=BEN, seats=[1], until=5, claim=True)
    assert isinstance(away, Away)
    shown = sentences.presence_line(Rig().room(*seats), away, 5)
    assert shown == f"Ben has been away too long: {sentence}"


def test_who_is_to_move_has_a_name_in_a_refusal() -> None:
    refused = Refused("notYourTurn", "It is not your turn; seat 1 is to move.", "notYourTurn", {"seat": 1})
    assert sentences.refusal(Rig().room(ANA, BEN), refused) == "It is not your turn. Ben to move."
    assert sentences.refusal(None, refused) == refused.sentence
    other = Refused("illegalMove", "There is no z9.", "noSuchField", {"seat": 1})
    assert sentences.refusal(Rig().room(ANA, BEN), other) == "There is no z9."


@pytest.mark.parametrize("rated", [True, False])
def test_whoever_comes_to_a_rated_table_is_told_and_by_which_clock(rated: bool) -> None:
    rig = Rig()
    room = rig.room(ANA, None, rated=rated, clock={"base": 300, "increment": 5})
    assert (" Rated, with clock 300+5." in sentences.arrival(room)) is rated


US = Player.model_validate(ANA)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"type": "preparing"},
            "All seats are taken. The game starts when the board is ready.",
        ),
        (
            {"type": "unprepared", "code": "noFieldFound", "message": "No such {field}."},
            "No such {field}. The table's owner can change it: options NAME=VALUE",
        ),
        (
            {"type": "optionsSet", "options": {"columns": 8}, "clock": {"base": 300}, "watchers": False},
            "The table has changed: columns=8, clock 300, no spectators.",
        ),
        ({"type": "optionsSet", "options": {}}, "The table has changed: no clock."),
        (
            {"type": "freed", "player": ANA, "seat": 1},
            "You lost your seat and are watching. Seat 1 is free.",
        ),
        (
            {"type": "freed", "player": BEN, "seat": 1},
            "Ben lost the seat and is watching. Seat 1 is free.",
        ),
        ({"type": "preparing", "starts": 3_900}, "The race starts in 3 seconds."),
        ({"type": "preparing", "starts": 900}, "The race starts in 1 second."),
        ({"type": "swapped", "seats": [0, 1]}, "Seats 0 and 1 have been swapped."),
        ({"type": "began", "seats": [0, 1, 3]}, "The table's owner starts the game with 3 players."),
    ],
)
def test_a_table_is_told_before_its_game(fields: dict[str, Any], sentence: str) -> None:
    event: Any = message(room="r1", seq=4, **fields)
    assert setup_line(event, US, [], 1_000) == sentence


@pytest.mark.parametrize(
    ("own", "sentence"),
    [
        ([1], "Seats 0 and 1 have been swapped. You are on seat 1."),
        ([2], "Seats 0 and 1 have been swapped."),
        ([0, 1], "Seats 0 and 1 have been swapped."),
    ],
)
def test_who_was_moved_is_told_where_to(own: list[int], sentence: str) -> None:
    event: Any = message(type="swapped", room="r1", seq=4, seats=[0, 1])
    assert setup_line(event, US, own, 0) == sentence


@pytest.mark.parametrize(
    ("clock", "typed"),
    [
        ({"base": 300}, "300"),
        ({"base": 300, "increment": 5}, "300+5"),
        ({"perMove": 30}, "30/move"),
        ({"days": 3}, "3days"),
    ],
)
def test_a_clock_is_told_as_it_is_typed(clock: dict[str, int], typed: str) -> None:
    assert clock_of(Clock.model_validate(clock)) == typed


def test_options_are_told_as_they_are_typed_and_cleaned() -> None:
    assert options_of({"columns": 8, "x": "a\x1b[2J"}) == "columns=8 x=a [2J"


def at_a_table(*seats: Json | None) -> Any:
    return Rig().room(*seats)


def heard(kind: type[Any], **fields: Any) -> Any:
    event = message(room="r1", seq=4, **fields)
    assert isinstance(event, kind)
    return event


def test_an_offer_asks_only_those_who_may_answer() -> None:
    offered = heard(Offered, type="offered", offer="o1", seat=1, what="rematch")
    assert offer_line(at_a_table(ANA, BEN), offered) == "Ben wants a rematch. Type yes or no."
    assert offer_line(at_a_table(BEN, HARD), offered) == "house (bot, hard) wants a rematch."
    answered = heard(Answered, type="answered", offer="o1", seat=0, yes=False)
    assert offer_line(at_a_table(ANA, BEN), answered) == "You decline."


@pytest.mark.parametrize(
    ("what", "seat", "sentence"),
    [
        ("takeback", 1, "Ben asks to take back a move. Type yes or no."),
        ("takeback", 0, "You ask to take back a move."),
    ],
)
def test_what_is_asked_for_is_told(what: str, seat: int, sentence: str) -> None:
    offered = heard(Offered, type="offered", offer="o1", seat=seat, what=what)
    assert offer_line(at_a_table(ANA, BEN), offered) == sentence


@pytest.mark.parametrize(
    ("what", "seat", "sentence"),
    [
        ("draw", 0, "You offered a draw. The offer is no longer open."),
        ("takeback", 1, "Ben asked to take back a move. The request is no longer open."),
    ],
)
def test_what_was_not_answered_is_told(what: str, seat: int, sentence: str) -> None:
    offered = heard(Offered, type="offered", offer="o1", seat=seat, what=what)
    assert expired_line(at_a_table(ANA, BEN), offered) == sentence
