"""QR codes of links to where the asker is already."""

from __future__ import annotations

import pytest

from tablero_server.core.limits.token_buckets import Rate
from tests.harness.desk import Desk, Peer

AT = "http://192.168.1.20:8470/"


def code_of(desk: Desk, room: str) -> str:
    code = desk.room(room).code
    assert code is not None
    return code


def drawn(peer: Peer, link: str) -> list[str]:
    answer = peer.ask("showQrCode", link=link)
    assert answer["type"] == "qrCode", answer
    return list(answer["modules"])


@pytest.mark.parametrize("at", [AT, "https://games.example.org/tablero/"])
def test_whoever_is_at_a_table_gets_the_code_of_its_link(at: str) -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    eve = desk.peer("eve")
    eve.ask("join", room=room, watch=True)
    link = at + code_of(desk, room)
    modules = drawn(ann, link)
    assert {len(row) for row in modules} == {len(modules)} <= {25, 29, 33}
    assert {letter for row in modules for letter in row} == {"0", "1"}
    assert modules[0].startswith("11111110")
    assert drawn(bob, link) == drawn(eve, link) == modules
    assert drawn(ann, link.lower()) != modules  # it says what was asked for, letter by letter
    assert drawn(eve, f"{at}watch/{room}")


def test_a_player_gets_the_code_of_the_own_hand_over_as_long_as_it_is_good() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    given = ann.ask("handOver")
    link = f"{AT}#go={given['code']}"
    assert drawn(ann, link)
    assert bob.refused("showQrCode", link=link) == "forbidden"
    desk.tick(60_000)
    assert ann.refused("showQrCode", link=link) == "forbidden"


@pytest.mark.parametrize(
    "link", ["{at}{code}", "{at}WRNG-CDE2", "{at}", "{at}watch/{room}", "ftp://x/{code}", "{at}{code}?a=b"]
)
def test_other_links_are_refused_and_tell_nothing_of_codes(link: str) -> None:
    desk = Desk()
    _, _, room = desk.pair()
    eve = desk.peer("eve")
    asked = link.format(at=AT, code=code_of(desk, room), room=room)
    answer = eve.ask("showQrCode", link=asked)
    assert (answer["type"], answer["code"], answer["reason"]) == ("refused", "forbidden", "notOwnLink")


def test_it_is_asked_for_as_often_as_the_past_of_a_room() -> None:
    desk = Desk(replays=Rate(1_000, 3))
    ann, _, room = desk.pair()
    link = AT + code_of(desk, room)
    answers = [ann.ask("showQrCode", link=link)["type"] for _ in range(4)]
    assert answers == ["qrCode"] * 3 + ["refused"]
