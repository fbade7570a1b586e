"""The prompt says whose connection is broken."""

from __future__ import annotations

from tablero.terminal.prompt import Prompt
from tests.harness.rig import ANA, BEN, joined, message
from tests.harness.terminal import Desk


def test_the_prompt_says_who_is_away_and_when_nobody_is_any_more() -> None:
    desk, shown = Desk(seated=True), list[str]()
    Prompt(desk.client, desk.table, shown.append)
    away = message(type="away", room="r1", player=BEN, seats=[1], until=43_000)
    desk.tell(away, away, message(type="back", room="r1", player=BEN), away)
    desk.tell(message(type="left", room="r1", seq=4, player=ANA, reason="left"))
    assert shown == ["Ben is away", "", "Ben is away", ""]


def test_the_prompt_says_that_our_own_line_is_broken() -> None:
    desk, shown = Desk(), list[str]()
    Prompt(desk.client, desk.table, shown.append)
    desk.tell(joined(ANA, BEN))
    desk.drop()
    desk.return_()
    assert shown == ["no connection", ""]
