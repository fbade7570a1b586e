"""What a peer that reads slowly is not told one by one."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_server.wire.behind import Behind, is_event_of


@pytest.mark.parametrize(
    ("message", "room"),
    [
        ({"type": "nextPlayer", "room": "r1", "seq": 4}, "r1"),
        ({"type": "seq", "room": "r1", "seq": 4}, "r1"),
        ({"type": "away", "room": "r1", "until": 5}, "r1"),
        ({"type": "nextPlayer", "room": "r1", "seq": 4, "re": "i1"}, None),
        ({"type": "joined", "room": "r1", "seq": 4, "table": {}}, None),
        ({"type": "invited", "room": "r1", "invite": "i"}, None),
        ({"type": "best", "room": "r1"}, None),
        ({"type": "bye", "code": 4000}, None),
    ],
)
def test_only_events_of_a_room_may_be_left_out(message: dict[str, Any], room: str | None) -> None:
    assert is_event_of(message) == room


def test_it_keeps_which_rooms_and_lines_are_old() -> None:
    behind = Behind()
    behind.leave_out({"type": "seq", "room": "r1", "seq": 4})
    behind.leave_out(
        {"type": "lobbyChanged", "rooms": [{"room": "r2"}], "players": [{"id": "p"}], "gone": ["r3"]}
    )
    assert (behind.rooms, behind.lines) == ({"r1"}, {"r2", "p", "r3"})
