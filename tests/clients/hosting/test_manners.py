"""What hosted bots do beside playing: which offers they take, and when they claim a game."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from tablero import Bot, Turn
from tablero.dice import dice
from tablero.hosting.manners import CLAIM_AFTER_SECONDS
from tablero.hosting.pace import Pace
from tablero.hosting.pool import Pool
from tablero.hosting.room import HostedRoom
from tablero_protocol.messages import Offered
from tests.clients.test_bot import First
from tests.harness.rig import ANA, BEN, Json, Rig, message, turn

US = {**ANA, "bot": True}


class At(Rig):
    """A room with these bots on the first seats, and Ben on the next."""

    def __init__(self, *bots: Bot, **more: Any) -> None:
        super().__init__()
        room = self.room(*([US] * len(bots)), BEN, **more)
        self.hosted = HostedRoom(self.client, room, Pool(), Pace(dice(1), {"": 0}))
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
    hosted = HostedRoom(rig.client, room, Pool(), Pace(dice(1), {"": 0}))
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
