"""How seats come out of games: places, rivals, courses and times."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_games import Outcome
from tablero_server.core.entry import Placing
from tablero_server.core.room.placings import place
from tests.harness.desk import Desk, Peer
from tests.harness.desk_games import dig


def won(desk: Desk, one: Peer, other: Peer, room: str) -> None:
    """Tic-tac-toe to the end: seat 0 wins."""
    for move, peer in zip(("a1", "a2", "b1", "b2", "c1"), (one, other, one, other, one), strict=True):
        peer.play(room, move)


def test_a_winner_and_a_loser_come_out_with_each_other_as_rivals() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock={"base": 300})
    won(desk, ann, bob, room)
    facts = ("tic-tac-toe", "blitz", None, desk.now)
    assert desk.placings == [
        Placing(room, 0, ann.player, False, "", bob.player, *facts, 1, None, "win", "line", False),
        Placing(room, 1, bob.player, False, "", ann.player, *facts, 2, None, "win", "line", False),
    ]


def test_who_plays_both_seats_is_nobodys_rival() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create()
    ann.join(room, seat=1)
    ann.ask("resign", room=room, seat=0)
    assert [(each.place, each.rival) for each in desk.placings] == [(2, None), (1, None)]


def test_a_bot_comes_out_with_its_level() -> None:
    desk = Desk()
    ann, bot = desk.peer("ann"), desk.bot("robot", "tic-tac-toe:hard")
    room = ann.create()
    ann.ask("invite", room=room, seat=1, bot="tic-tac-toe:hard")
    bot.ask("join", room=room, invite=bot.of("invited")[0]["invite"], subscribe=["nextPlayer"])
    won(desk, ann, bot, room)
    assert [(each.bot, each.level) for each in desk.placings] == [(False, ""), (True, "tic-tac-toe:hard")]


def test_nobody_is_placed_in_an_aborted_game() -> None:
    desk = Desk()
    _, bob, room = desk.pair()
    bob.ask("leave", room=room)
    assert [(each.kind, each.place) for each in desk.placings] == [("aborted", None), ("aborted", None)]


def test_a_private_game_is_kept_as_one() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    bob = desk.peer("bob")
    room = ann.create(private=True)
    bob.ask("join", code=desk.room(room).code)
    bob.ask("resign", room=room, seat=1)
    assert [each.private for each in desk.placings] == [True, True]


@pytest.mark.parametrize(
    ("outcome", "places"),
    [
        (Outcome("win", frozenset({1}), ""), [2, 1]),
        (Outcome("draw", frozenset(), ""), [1, 1]),
        (Outcome("loss", frozenset(), ""), [None, None]),
        (Outcome("win", frozenset({0, 1}), ""), [1, 1]),
        (Outcome("win", frozenset({2}), "", ranking=((2,), (0, 1), (3,))), [2, 2, 1, 3]),
    ],
)
def test_places_are_counted_from_one(outcome: Outcome, places: list[int | None]) -> None:
    assert [place(outcome, seat) for seat in range(len(places))] == places


# Times


def solo(desk: Desk, **fields: Any) -> tuple[Peer, str]:
    ann = desk.peer("ann")
    return ann, ann.create("minesweeper", **fields)


@pytest.mark.parametrize(
    ("options", "course"),
    [
        ({}, "beginner"),
        ({"level": "expert"}, "expert"),
        ({"level": "beginner", "noGuess": True}, "beginner-no-guess"),
        ({"width": 9, "height": 9, "mines": 10}, None),
        ({"level": "beginner", "firstDig": "cell"}, None),
    ],
)
def test_the_official_levels_are_courses(options: dict[str, Any], course: str | None) -> None:
    desk = Desk()
    ann, room = solo(desk, options=options)
    desk.tick(60_000)
    dig(desk, ann, room, every=1_000)
    [placing] = desk.placings
    moves = sum(entry.kind == "turn" for entry in desk.journal[room])
    assert (placing.kind, placing.course) == ("win", course)
    seen = 60_000 if options.get("noGuess") else -1_000  # before that there is nothing to think about
    assert placing.milliseconds == (None if course is None else seen + moves * 1_000)


@pytest.mark.parametrize("bot", [False, True])
def test_a_person_who_plays_faster_than_people_can_has_no_time(bot: bool) -> None:
    """Of so many moves the first takes no time, so that the others have to take a little more."""
    times = []
    for every in (10, 100, 150):
        desk = Desk()
        ann = desk.bot("robot") if bot else desk.peer("ann")
        room = ann.create("minesweeper", options={"level": "beginner"})
        dig(desk, ann, room, every=every)
        moves = sum(entry.kind == "turn" for entry in desk.journal[room])
        assert moves > 3
        assert desk.placings[0].milliseconds in (None, (moves - 1) * every)
        times.append(desk.placings[0].milliseconds is not None)
    assert times == ([True] * 3 if bot else [False, False, True])


def test_who_hits_a_mine_has_no_time() -> None:
    desk = Desk()
    ann, room = solo(desk)
    dig(desk, ann, room, every=1_000, lose=True)
    [placing] = desk.placings
    assert (placing.kind, placing.course, placing.milliseconds) == ("loss", "beginner", None)


def test_who_paused_has_no_time() -> None:
    desk = Desk()
    ann, room = solo(desk, clock={"base": 3_600})
    ann.ask("offer", room=room, seat=0, what="pause")
    ann.ask("offer", room=room, seat=0, what="continue")
    dig(desk, ann, room, every=1_000)
    [placing] = desk.placings
    assert (placing.kind, placing.milliseconds) == ("win", None)


def test_all_are_told_the_time_that_the_list_of_best_times_has() -> None:
    """Also after a restart in between; before the first dig nothing is measured."""
    desk = Desk()
    ann, room = solo(desk)
    assert "began" not in ann.turns[-1]
    desk.tick(60_000)
    began = desk.now
    assert ann.play(room, "flag a1")["began"] == began
    ann.play(room, "unflag a1")
    desk.restart()
    ann = desk.back(ann)
    ann.join(room)
    ann.ask("takeSeat", room=room, seat=0)
    dig(desk, ann, room, every=1_000)
    told = desk.views(room).next_player(desk.views(room).viewers[ann.session])[0]
    assert told["began"] == began
    assert told["milliseconds"] == desk.placings[0].milliseconds == desk.now - began


def test_a_pause_is_not_part_of_the_time_that_is_shown() -> None:
    desk = Desk()
    ann, room = solo(desk, clock={"base": 3_600})
    began = ann.play(room, "flag a1")["began"]
    ann.ask("offer", room=room, seat=0, what="pause")
    desk.tick(5_000)
    ann.ask("offer", room=room, seat=0, what="continue")
    assert desk.views(room).next_player(desk.views(room).viewers[ann.session])[0]["began"] == began + 5_000


def test_a_game_of_turns_has_clocks_and_no_such_time() -> None:
    ann, _, room = Desk().pair()
    assert "began" not in ann.play(room, "a1")


def test_a_race_is_no_course() -> None:
    desk = Desk()
    ann, bob, room = desk.pair("minesweeper", options={"mode": "race", "level": "beginner"})
    ann.ask("resign", room=room, seat=0)
    bob.ask("resign", room=room, seat=1)
    assert {each.course for each in desk.placings} == {None}
