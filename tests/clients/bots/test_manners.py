"""What hosted bots do beside playing: which offers they take, and when they claim a game."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from tablero import Bot, Turn
from tablero.bots.manners import CLAIM_AFTER_SECONDS
from tablero.bots.pace import Pace
from tablero.bots.pool import Pool
from tablero.bots.room import HostedRoom
from tablero.dice import dice
from tablero_protocol.messages import Offered, ServerMessage
from tests.harness.bots import First
from tests.harness.rig import ANA, BEN, HARD, LIMITS, Json, Rig, joined, message, turn, welcome

US = {**ANA, "bot": True}


class At(Rig):
    """A room with these bots on the first seats, and Ben on the next."""

    def __init__(self, *bots: Bot, **more: Any) -> None:
        super().__init__()
        room = self.room(*([US] * len(bots)), BEN, **more)
        self.hosted = HostedRoom(self.client, room, Pool(), Pace(dice(1), {"": 0}), greets=True)
        for seat, bot in enumerate(bots):
            self.hosted.seat(bot, seat)
        self.tell(turn(2, "0........", seat=0))
        self.sent()

    def offered(self, what: str, seat: int = 1) -> list[Json]:
        """What is answered to an offer."""
        self.tell(message(type="offered", room="r1", seq=3, offer="o1", seat=seat, what=what))
        return [wire for wire in self.sent() if wire["type"] == "answer"]

    def goes(self, until: int = 60_000, **more: Any) -> None:
        self.tell(message(type="away", room="r1", player=BEN, seats=[1], until=until, **more))

    def claims(self) -> list[str]:
        return [wire["what"] for wire in self.sent() if wire["type"] == "claim"]


@pytest.mark.parametrize(
    ("what", "yes"),
    [
        ("rematch", True),
        ("takeback", True),
        ("pause", True),
        ("continue", True),
        ("draw", False),
        ("armistice", False),
    ],
)
def test_it_agrees_to_all_but_a_draw_and_what_it_does_not_know(what: str, yes: bool) -> None:
    [answer] = At(First()).offered(what)
    assert (answer["seat"], answer["offer"], answer["yes"]) == (0, "o1", yes)


def test_its_own_offer_and_other_peoples_answers_are_not_answered() -> None:
    rig = At(First())
    assert rig.offered("rematch", seat=0) == []
    rig.tell(message(type="answered", room="r1", seq=4, offer="o1", seat=1, yes=True))
    assert "answer" not in rig.sent_types()


class Peaceful(First):
    def answer(self, offer: Offered) -> bool:
        return offer.what == "draw"

    def may_claim(self, turn: Turn) -> Literal["win", "draw"] | None:
        assert turn.position is not None
        return "draw" if turn.ply == 1 else None


class Confused(First):
    def answer(self, offer: Offered) -> bool:
        raise ValueError("what now?")

    def may_claim(self, turn: Turn) -> Literal["win", "draw"] | None:
        raise ValueError("what now?")


@pytest.mark.parametrize(
    ("bots", "yes"),
    [
        ([Peaceful()], True),
        ([Peaceful(), Peaceful()], True),
        ([Peaceful(), First()], False),
        ([Confused()], False),
    ],
)
def test_each_bot_decides_for_itself_and_one_no_is_a_no(bots: list[Bot], yes: bool) -> None:
    [answer] = At(*bots).offered("draw", seat=len(bots))
    assert answer["yes"] is yes


def test_a_game_that_a_rival_left_alone_is_claimed_half_a_minute_after_it_may_be() -> None:
    rig = At(First())
    rig.goes()
    rig.shell.pass_time(60)
    rig.goes(claim=True)
    rig.shell.pass_time(CLAIM_AFTER_SECONDS - 1)
    assert rig.claims() == []
    rig.shell.pass_time(1)
    assert rig.claims() == ["win"]


def test_who_comes_back_and_goes_again_has_all_the_time_once_more() -> None:
    rig = At(First())
    rig.goes()
    rig.tell(message(type="back", room="r1", player=BEN))
    rig.shell.pass_time(50)
    rig.goes(until=110_000)
    rig.shell.pass_time(60 + CLAIM_AFTER_SECONDS - 1)
    assert rig.claims() == []
    rig.shell.pass_time(1)
    assert rig.claims() == ["win"]


def test_a_host_that_comes_to_a_table_where_somebody_is_away_claims_there_too() -> None:
    rig = Rig()
    room = rig.room(US, BEN)
    [_, ben] = room.table.members
    members = [room.table.members[0], ben.model_copy(update={"away": 60_000})]
    room._progress.table = room.table.model_copy(update={"members": members})
    hosted = HostedRoom(rig.client, room, Pool(), Pace(dice(1), {"": 0}), greets=True)
    hosted.seat(First(), 0)
    rig.tell(turn(2, "0........", seat=0))
    rig.shell.pass_time(60 + CLAIM_AFTER_SECONDS)
    assert rig.one("claim")["what"] == "win"


@pytest.mark.parametrize(("bot", "claimed"), [(Peaceful(), ["draw"]), (Confused(), [])])
def test_a_bot_decides_what_to_claim(bot: Bot, claimed: list[str]) -> None:
    rig = At(bot)
    rig.goes()
    rig.shell.pass_time(60 + CLAIM_AFTER_SECONDS)
    assert rig.claims() == claimed


def test_a_bot_that_waits_on_is_asked_again() -> None:
    rig = At(Peaceful())
    rig.tell(turn(3, "01.......", seat=0))
    rig.goes()
    rig.shell.pass_time(60 + CLAIM_AFTER_SECONDS)
    assert rig.claims() == []
    rig.tell(turn(4, "0........", seat=0))
    rig.shell.pass_time(CLAIM_AFTER_SECONDS)
    assert rig.claims() == ["draw"]


def test_a_game_that_is_over_is_not_claimed() -> None:
    rig = At(First())
    rig.goes()
    rig.tell(turn(3, "000.11...", seat=0))
    rig.shell.pass_time(200)
    assert rig.claims() == []


def test_a_race_is_not_claimed_because_nobody_waits_there() -> None:
    rig = At(First(), game="minesweeper", options={"mode": "race"})
    rig.goes()
    rig.shell.pass_time(200)
    assert rig.claims() == []


# A greeting, and a good word at the end


class Polite(First):
    greeting = "Bonjour!"
    farewell = None


def said(rig: Rig) -> list[str]:
    return [wire.get("phrase") or wire["text"] for wire in rig.sent() if wire["type"] == "say"]


class Begins(Rig):
    """The bots are seated, and the game is about to begin."""

    def __init__(self, *bots: Bot, rival: Json = BEN, greets: bool = True, chat: str = "on") -> None:
        super().__init__(greeted=False)
        self.tell(welcome(limits={**LIMITS, "chat": chat}))
        room = self.room(*([US] * len(bots)), rival, state="waiting")
        self.hosted = HostedRoom(self.client, room, Pool(), Pace(dice(1), {"": 0}), greets=greets)
        for seat, bot in enumerate(bots):
            self.hosted.seat(bot, seat)
        self.sent()


def end(seq: int, cells: str = "000.11...", **more: Any) -> ServerMessage:
    return turn(seq, cells, seat=0, **{"last": {"seat": 0, "move": "c1"}, **more})


def test_people_are_greeted_as_the_game_begins_and_hear_a_good_word_as_it_ends() -> None:
    rig = Begins(First())
    assert said(rig) == []
    rig.tell(turn(2))
    rig.tell(turn(3, "0........", last={"seat": 0, "move": "a1"}))
    assert said(rig) == ["goodLuck"]
    rig.tell(end(4))
    assert said(rig) == ["goodGame"]


def test_one_of_several_bots_speaks_for_all() -> None:
    rig = Begins(First(), First())
    rig.tell(turn(2, seat=0), turn(2, seat=1))
    assert said(rig) == ["goodLuck"]


@pytest.mark.parametrize(("rival", "greets"), [(HARD, True), (BEN, False)])
def test_bots_are_not_greeted_and_nobody_is_where_the_host_does_not_want_it(
    rival: Json, greets: bool
) -> None:
    rig = Begins(First(), rival=rival, greets=greets)
    rig.tell(message(type="joined", room="r1", seq=2, player={"id": "cleo", "name": "Cleo"}))
    rig.tell(turn(3), end(4))
    assert said(rig) == []


def test_a_bot_has_words_of_its_own_or_none() -> None:
    rig = Begins(Polite())
    rig.tell(turn(2), end(3))
    assert said(rig) == ["Bonjour!"]


@pytest.mark.parametrize(
    ("bot", "chat", "words"), [(First(), "phrases", 1), (First(), "off", 0), (Polite(), "phrases", 0)]
)
def test_nothing_is_said_that_the_server_would_refuse(bot: Bot, chat: str, words: int) -> None:
    rig = Begins(bot, chat=chat)
    rig.tell(turn(2))
    assert len(said(rig)) == words


@pytest.mark.parametrize(
    ("last", "outcome", "words"),
    [
        ({"seat": 1, "withdrew": "resign"}, "win", ["goodGame"]),
        ({"seat": 0, "withdrew": "resign"}, "win", []),
        ({"seat": 1, "withdrew": "time"}, "win", []),
        ({"seat": 1, "withdrew": "claimed"}, "win", []),
        (None, "draw", ["goodGame"]),
        (None, "aborted", []),
    ],
)
def test_a_good_word_fits_the_end(last: Json | None, outcome: str, words: list[str]) -> None:
    rig = Begins(First())
    rig.tell(turn(2))
    said(rig)
    how: Json = {"kind": outcome, "winners": [], "reason": "", "scores": None, "ranking": None}
    rig.tell(end(3, "0........", last=last, outcome=how))
    assert said(rig) == words


def test_who_comes_to_a_game_under_way_greets_nobody_but_takes_its_leave() -> None:
    rig = Begins(First())
    rig.tell(turn(2, "0........", last={"seat": 0, "move": "a1"}))
    assert said(rig) == []
    rig.tell(end(3))
    assert said(rig) == ["goodGame"]


def test_a_game_that_was_over_before_is_not_spoken_of() -> None:
    rig = Begins(First())
    rig.tell(end(2))
    assert said(rig) == []


def test_a_rematch_needs_no_second_greeting() -> None:
    rig = Begins(First())
    rig.tell(turn(2), end(3))
    said(rig)
    rig.tell(message(type="rematch", room="r1", seq=4, next="r2"))
    rig.tell(joined(US, BEN, room="r2", seq=3))
    hosted = HostedRoom(rig.client, rig.client.rooms["r2"], Pool(), Pace(dice(1), {"": 0}), greets=True)
    hosted.seat(First(), 0)
    rig.tell(turn(4, room="r2"))
    assert said(rig) == []
    rig.tell(end(5, room="r2"))
    assert said(rig) == ["goodGame"]
