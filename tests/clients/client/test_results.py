"""Questions about ratings and results, and their answers."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tablero.client.client import Client
from tests.harness.rig import BEN, Json, Rig, message

ASKED: list[tuple[Callable[[Client], Coroutine[Any, Any, Any]], Json, Json]] = [
    (
        lambda c: c.show_ratings("quoridor", "blitz", after=50),
        {"type": "showRatings", "game": "quoridor", "speed": "blitz", "after": 50},
        {"type": "ratings", "game": "quoridor", "speed": "blitz", "leaders": []},
    ),
    (
        lambda c: c.show_times("expert", bots=True),
        {"type": "showTimes", "course": "expert", "bots": True, "after": 0},
        {"type": "times", "course": "expert", "bots": True, "times": []},
    ),
    (
        lambda c: c.show_player("ben", rival="ana", after="5-x"),
        {"type": "showPlayer", "player": "ben", "rival": "ana", "after": "5-x"},
        {"type": "playerPage", "player": BEN, "ratings": [], "games": []},
    ),
    (lambda c: c.show_tonight(), {"type": "showTonight"}, {"type": "tonight", "since": 5, "games": []}),
]


@pytest.mark.parametrize(("ask", "sent", "answer"), ASKED, ids=[sent["type"] for _, sent, _ in ASKED])
def test_a_question_is_answered_by_a_page(
    ask: Callable[[Client], Coroutine[Any, Any, Any]], sent: Json, answer: Json
) -> None:
    rig = Rig()
    rig.sent()
    asked = rig.ask(ask(rig.client))
    [wire] = rig.sent()
    assert {name: value for name, value in wire.items() if name != "id"} == sent
    page = message(re=wire["id"], **answer)
    rig.tell(page)
    assert asked.result == page
