"""Which rooms effects are about, and messages without some of them."""

from __future__ import annotations

from tablero_server.core.effects import Effects
from tablero_server.core.seats.shown import hide, is_about


def test_a_refusal_is_about_its_room_though_its_message_does_not_say_so() -> None:
    effects = Effects()
    effects.refuse(1, {"type": "refused", "re": "a"}, "r1")
    assert is_about(effects, {"r1"})
    assert not is_about(effects, {"r2"})
    assert not is_about(effects, set())


def test_own_rooms_stay_but_nobody_knows_whose_turn_it_is() -> None:
    lines = [{"room": "r1", "toMove": [0], "clocks": [1]}, {"room": "r2", "toMove": [1]}]
    hidden = hide({"type": "ownRooms", "rooms": lines}, {"r1"}, set())
    assert hidden["rooms"] == [{"room": "r1", "toMove": []}, {"room": "r2", "toMove": [1]}]
