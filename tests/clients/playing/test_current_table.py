"""The table in hand: who may go where, what is left when, and what yes or no would answer."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.playing.current_table import CurrentTable
from tablero.playing.news import Elsewhere, Entered, Gone, News
from tablero_protocol.messages import NextPlayer, Said
from tests.harness.rig import ANA, BEN, Json, Rig, joined, message, turn

OVER = {"kind": "win", "winners": [1], "reason": "resign", "scores": None, "ranking": None}
INVITED = {"game": "tic-tac-toe", "options": {}, "by": BEN, "until": 0}


class Hand(Rig):
    """A current table on a rig, and all that it tells, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.table = CurrentTable(self.client)
        self.told: list[tuple[str, Any]] = []
        self.rematches: list[bool] = []
        self.table.news.subscribe(self.hear)

    def hear(self, news: News) -> None:
        match news:
            case Entered(room):
                self.told.append(("entered", room.id))
                self.rematches.append(news.is_rematch)
            case Gone(room, why):
                self.told.append((why, room.id))
            case Elsewhere(room):
                self.told.append(("elsewhere", room.id))
            case NextPlayer():
                self.told.append(("turn", news.seq))
            case Said():
                self.told.append(("chat", news.text))

    def sit(self, *seats: Json | None, room: str = "r1", **more: Any) -> None:
        self.tell(joined(*(seats or (ANA, BEN)), room=room, **more))

    def finish(self) -> None:
        self.tell(turn(2, seats=[], last={"seat": 0, "withdrew": "resign"}, outcome=OVER))

    def offer(self, seat: int = 1) -> None:
        self.tell(message(type="offered", room="r1", seq=2, offer="o1", seat=seat, what="draw"))

    @property
    def at(self) -> str | None:
        return self.table.room.id if self.table.room is not None else None


def test_the_first_table_is_taken_in_hand_and_all_events_of_it_are_heard() -> None:
    hand = Hand()
    hand.sit()
    assert (hand.at, hand.told) == ("r1", [("entered", "r1")])
    assert [wire["event"] for wire in hand.sent()] == ["members", "chat", "offers", "nextPlayer"]


def test_another_table_waits_while_a_game_of_ours_is_under_way() -> None:
    hand = Hand()
    hand.sit()
    hand.sit(room="r2")
    hand.sent()
    assert (hand.at, hand.told[1:]) == ("r1", [("elsewhere", "r2")])
    hand.tell(message(type="left", room="r1", seq=2, player=ANA, reason="gone"))
    assert (hand.at, hand.told[2:]) == ("r2", [("gone", "r1"), ("entered", "r2")])


@pytest.mark.parametrize("why", ["it is over", "we watch", "a rematch"])
def test_the_table_before_is_left_when_the_next_one_is_there(why: str) -> None:
    hand = Hand()
    hand.sit(*((BEN, None) if why == "we watch" else (ANA, BEN)))
    if why == "it is over":
        hand.finish()
    elif why == "a rematch":
        hand.tell(message(type="rematch", room="r1", seq=2, next="r2"))
    hand.sent()
    hand.sit(BEN, ANA, room="r2")
    assert hand.at == "r2"
    assert hand.one("leave")["room"] == "r1"


def test_a_table_that_has_closed_meanwhile_is_left_all_the_same() -> None:
    hand = Hand()
    hand.sit(BEN, None)
    hand.sit(room="r2")
    leave = hand.one("leave")
    hand.tell(message(type="refused", re=leave["id"], code="unknownRoom", message="No such room."))
    assert hand.at == "r2"


def test_only_a_rematch_of_the_table_in_hand_is_one() -> None:
    hand = Hand()
    hand.sit()
    hand.tell(message(type="rematch", room="r1", seq=2, next="r2"))
    hand.sit(BEN, ANA, room="r2")
    hand.tell(message(type="left", room="r2", seq=2, player=ANA, reason="left"))
    assert hand.rematches == [False, True, False]
    assert hand.at == "r1"  # its leave has no answer yet


def test_nothing_is_heard_of_the_table_before() -> None:
    hand = Hand()
    hand.sit()
    hand.finish()
    hand.sit(room="r2")
    hand.told.clear()
    hand.tell(message(type="said", room="r1", seq=3, player=BEN, text="late"), turn(4))
    hand.tell(message(type="said", room="r2", seq=2, player=BEN, text="here"))
    assert hand.told == [("chat", "here")]


def test_the_end_of_the_program_is_no_news() -> None:
    hand = Hand()
    hand.sit()
    hand.client.close()
    assert hand.told == [("entered", "r1")]


# Whose turn it is


def test_our_turn_is_that_of_the_seat_that_is_to_move_in_the_newest_position() -> None:
    hand = Hand()
    assert (hand.table.latest, hand.table.own_turn) == (None, None)
    hand.sit(ANA, ANA)
    assert hand.table.latest is None
    hand.tell(turn(2, seat=0), turn(2, seat=1))
    assert hand.table.own_turn == turn(2, seat=0)
    hand.tell(turn(3, "0........", seat=1))  # that of seat 0 is on its way
    assert hand.table.own_turn == hand.table.latest == turn(3, "0........", seat=1)


@pytest.mark.parametrize(
    ("seats", "state", "playing"),
    [((ANA, BEN), "playing", True), ((ANA, BEN), "finished", False), ((BEN, BEN), "playing", False)],
)
def test_only_a_game_of_ours_that_goes_on_is_played(
    seats: tuple[Json, Json], state: str, playing: bool
) -> None:
    hand = Hand()
    assert not hand.table.is_playing
    hand.sit(*seats, state=state)
    assert hand.table.is_playing is playing


# What yes or no would answer


def test_an_offer_of_another_seat_is_a_question_and_ones_own_is_none() -> None:
    hand = Hand()
    hand.sit()
    hand.offer(seat=0)
    assert hand.table.question is None
    hand.tell(message(type="offered", room="r1", seq=3, offer="o2", seat=1, what="draw"))
    assert hand.table.question is not None


def test_who_watches_is_asked_nothing() -> None:
    hand = Hand()
    hand.sit(BEN, BEN)
    hand.offer()
    assert hand.table.question is None


@pytest.mark.parametrize("what", ["a turn", "one of those who were asked leaves", "we leave"])
def test_what_takes_an_offer_off_the_table(what: str) -> None:
    hand = Hand()
    hand.sit()
    hand.offer()
    if what == "a turn":
        hand.tell(turn(3, "0........"))
    else:
        who = BEN if what.startswith("one") else ANA
        hand.tell(message(type="left", room="r1", seq=3, player=who, reason="left"))
    assert hand.table.question is None


def test_a_watcher_who_leaves_takes_no_offer_along() -> None:
    hand = Hand()
    hand.sit()
    hand.offer()
    watcher = {"id": "cleo", "name": "Cleo"}
    hand.tell(message(type="left", room="r1", seq=3, player=watcher, reason="left"))
    assert hand.table.question is not None


def test_an_invitation_is_still_good_elsewhere_and_is_answered_by_coming() -> None:
    hand = Hand()
    hand.sit()
    hand.tell(message(type="invited", invite="i1", room="r7", seat=1, **INVITED))
    hand.finish()
    hand.sit(room="r2")
    assert hand.table.question is not None
    hand.tell(message(type="left", room="r2", seq=2, player=ANA, reason="left"))
    hand.sit(room="r7")
    assert hand.table.question is None
