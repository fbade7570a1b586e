"""The devices of one player."""

from __future__ import annotations

import pytest

from tablero_protocol.codes import Close
from tablero_protocol.messages import CLIENT_MESSAGE
from tablero_server.core.limits.limits import Rate
from tests.harness.desk import Desk, Message, Peer


def test_every_player_has_a_code_of_its_own() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    codes = {each.player: each.ask("handOver")["code"] for each in (ann, bob)}
    assert len(set(codes.values())) == 2
    for player, code in codes.items():
        assert desk.peer(None, handOver=code).player == player


def listed(peer: Peer) -> list[Message]:
    answer = peer.ask("listTokens")
    assert answer["type"] == "tokens"
    tokens: list[Message] = answer["tokens"]
    return tokens


def two(desk: Desk) -> tuple[Peer, Peer]:
    """Ann at her desk and on her phone."""
    ann = desk.peer("ann", device="desk")
    desk.now += 1_000
    return ann, desk.peer(None, handOver=ann.ask("handOver")["code"], device="phone")


def test_a_player_sees_its_own_devices_and_which_of_them_is_here() -> None:
    desk = Desk()
    began = desk.now
    ann, phone = two(desk)
    desk.peer("bob")
    assert [(line["device"], line["created"], line["here"]) for line in listed(phone)] == [
        ("desk", began, False),
        ("phone", began + 1_000, True),
    ]
    assert [line["here"] for line in listed(ann)] == [True, False]
    desk.restart()
    again = desk.back(phone, same_session=False)
    assert [(line["device"], line["here"]) for line in listed(again)] == [("desk", False), ("phone", True)]


def test_no_token_and_no_hash_is_told() -> None:
    desk = Desk()
    ann, phone = two(desk)
    told = repr(listed(ann))
    for token in desk.hub.accounts.tokens.of(ann.player):
        assert repr(token.hash) not in told
        assert token.hash.hex()[:16] not in told
    assert str(ann.token) not in told
    assert str(phone.token) not in told


def test_a_device_may_be_called_something_else_the_next_time() -> None:
    desk = Desk()
    ann, _ = two(desk)
    desk.drop(ann)
    back = desk.peer(None, token=ann.token, device=" the\u200b laptop ")
    assert [line["device"] for line in listed(back)] == ["the laptop", "phone"]
    desk.drop(back)
    assert [line["device"] for line in listed(desk.back(ann))] == ["the laptop", "phone"], "without a word"


def test_an_ended_token_opens_nothing_and_what_it_opened_is_closed_with_a_bye() -> None:
    desk = Desk()
    ann, phone = two(desk)
    second = desk.back(phone, same_session=False)
    assert ann.ask("endToken", token=listed(phone)[1]["id"])["type"] == "ok"
    assert [phone.closed, second.closed, ann.closed] == [Close.SIGNED_OUT.value] * 2 + [None]
    assert [(phone.seen[-1]["type"], phone.seen[-1]["code"])] == [("bye", 4108)]
    assert 4100 <= Close.SIGNED_OUT <= 4199, "clients do not come back by themselves"
    for token, reason in ((phone.token, "unknownToken"), (ann.token, None)):
        answer = desk.connect().ask("hello", protocol=1, client="test", token=token)
        assert answer.get("reason") == reason
    desk.restart()
    answer = desk.connect().ask("hello", protocol=1, client="test", token=phone.token)
    assert answer["reason"] == "unknownToken"


def test_one_may_end_the_token_that_one_uses() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    [own] = listed(ann)
    assert ann.ask("endToken", token=own["id"])["type"] == "ok"
    assert ann.closed == Close.SIGNED_OUT.value
    assert desk.room(room).seats[0] == ann.player, "the seat is kept as for anybody who is away"


def test_a_strangers_token_and_one_that_is_not_there_cannot_be_ended() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    for id in (listed(ann)[0]["id"], "aaaaaaaa"):
        answer = bob.ask("endToken", token=id)
        assert (answer["code"], answer["reason"]) == ("unknownDevice", "unknownDevice")
    assert ann.closed is None


def test_whoever_had_an_ended_device_has_no_code_of_it_either() -> None:
    desk = Desk()
    ann, phone = two(desk)
    code = phone.ask("handOver")["code"]
    ann.ask("endToken", token=listed(phone)[1]["id"])
    answer = desk.connect().ask("hello", protocol=1, client="test", handOver=code)
    assert answer["reason"] == "wrongHandOver"


def test_nothing_more_is_heard_of_a_connection_that_is_being_closed() -> None:
    """It may still say something until the end of its token is durable."""
    desk = Desk()
    ann, phone = two(desk)
    ann.ask("endToken", token=listed(phone)[1]["id"])
    for late in (
        {"type": "handOver", "id": "late"},
        {"type": "hello", "id": "late", "protocol": 1, "client": "test"},
    ):
        message = CLIENT_MESSAGE.validate_python(late, by_alias=True)
        effects = desk.hub.receive(phone.number, message, desk.now)
        assert [(to, sent["reason"]) for to, sent in effects.messages] == [(phone.number, "sentAway")]
    desk.drop(phone)
    assert phone.number not in desk.hub.entrance._closing


def test_a_token_that_lay_idle_for_too_long_is_listed_no_more_and_goes_with_the_next_visit() -> None:
    desk = Desk(token_ms=10_000, seen_every_ms=100)
    ann, phone = two(desk)
    desk.drop(phone)
    desk.now += 5_000
    desk.drop(ann)
    desk.now += 5_000
    back = desk.back(ann)
    assert [line["device"] for line in listed(back)] == ["desk"]
    assert {token.device for token in desk.tokens.values()} == {"desk"}


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
