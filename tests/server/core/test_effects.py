"""What the core wants done: in order, nothing to those who are away, and durable only what has to be."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_protocol.codes import Close
from tablero_server.core.effects import Effects, hide, is_about
from tablero_server.core.entry import EndedToken, Entry, Forgotten, Lifted, Sanction, SavedPlayer, SavedToken

ENTRY = Entry("r", 1, "said", 0, None, None, {})
OUT = Sanction("s", "out", "ann", "ann", None, None, "", 0)
ANN = SavedPlayer("ann", "ann", False, 0, 0)


@pytest.mark.parametrize(
    ("effects", "must_last"),
    [
        (Effects(), False),
        (Effects(messages=[(1, {"type": "pong"})]), False),
        (Effects([ENTRY]), True),
        (Effects(kept=[ANN]), True),
        (Effects(kept=[Forgotten("ann")]), True),
        (Effects(kept=[SavedToken(b"hash", "ann", "", 0, 0)]), True),
        (Effects(kept=[EndedToken(b"hash")]), True),
        (Effects(kept=[OUT]), True),
        (Effects(kept=[Lifted(OUT)]), True),
    ],
)
def test_entries_and_what_becomes_of_players_must_last_and_nothing_else(
    effects: Effects, must_last: bool
) -> None:
    assert effects.must_last is must_last


def test_a_message_goes_out_as_it_is_and_in_order_and_to_nobody_who_is_away() -> None:
    effects, message = Effects(), {"type": "pong"}
    for peer in (2, None, 1):
        effects.send(peer, message)
    assert effects.messages == [(2, message), (1, message)]
    assert effects.messages[0][1] is effects.messages[1][1]


def test_a_refusal_is_remembered_with_the_room_that_it_is_about() -> None:
    effects = Effects()
    effects.refuse(1, {"type": "refused"}, None)
    assert effects.refused_about is None
    effects.refuse(1, {"type": "refused"}, "r")
    assert effects.refused_about == "r"
    assert len(effects.messages) == 2


def test_what_is_rare_in_one_is_in_no_other() -> None:
    first, second = Effects(), Effects()
    first.close(1, Close.REVOKED)
    first.close(2, Close.FLOODING)
    first.too_fast = True
    assert first.closes == ((1, Close.REVOKED), (2, Close.FLOODING))
    assert (second.closes, second.too_fast, second.entries) == ((), False, [])
    assert first.entries is not second.entries


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


def test_it_is_about_the_rooms_that_its_messages_show() -> None:
    effects = Effects(messages=[(1, {"type": "said", "room": "r1"}), (2, {"missed": [{"room": "r2"}, {}]})])
    assert [is_about(effects, {room}) for room in ("r1", "r2", "r3")] == [True, True, False]


def test_a_lobby_hides_rooms_and_each_line_with_the_rating_of_these_players() -> None:
    ann, bob = {"id": "ann"}, {"id": "bob"}
    rooms: list[dict[str, Any]] = [
        {"room": "r1", "seats": []},
        {"room": "r2", "seats": [ann, None], "ratings": [1500]},
        {"room": "r3", "seats": [ann, None]},
        {"room": "r4", "seats": [bob, None], "ratings": [1500]},
    ]
    seeks = [
        {"seek": "s1", "player": ann, "rating": 1500},
        {"seek": "s2", "player": bob, "rating": 1500},
        {"seek": "s3", "player": ann, "seats": []},
    ]
    hidden = hide({"type": "lobby", "rooms": rooms, "seeks": seeks}, {"r1"}, {"ann"})
    assert [line["room"] for line in hidden["rooms"]] == ["r3", "r4"]
    assert [line["seek"] for line in hidden["seeks"]] == ["s2", "s3"]
