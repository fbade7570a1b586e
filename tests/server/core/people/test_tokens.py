"""Tokens: minted, used, ended, and kept as hashes; and codes that let in one more device."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tablero_protocol.messages import EndToken, Hello
from tablero_server.core.effects import Effects
from tablero_server.core.entry import EndedToken, SavedToken
from tablero_server.core.ids import Ids
from tablero_server.core.limits.limits import Limits
from tablero_server.core.people.tokens import HandOvers, Token, Tokens
from tablero_server.journal.roll_back import roll_back
from tests.harness.desk import Desk, Message, Peer

HOUR = 3_600_000


def a_table(**limits: Any) -> Tokens:
    return Tokens(Limits(**limits))


def test_a_token_is_found_by_its_text_and_by_nothing_else() -> None:
    tokens = a_table()
    text = "long and random"
    token = tokens.issue(text, "ann", "phone", 5)
    assert tokens.find(text) is token
    assert (token.player, token.device, token.created, token.used) == ("ann", "phone", 5, 5)
    assert text not in repr(vars(tokens))
    for other in ("", text[:-1], text + "x", token.id, token.hash.hex(), "\udcff"):
        assert tokens.find(other) is None


def test_its_id_tells_two_apart_and_nothing_of_the_hash() -> None:
    tokens = a_table()
    ids = {tokens.issue(f"text {number}", "ann", "", 0).id for number in range(100)}
    assert len(ids) == 100
    token = Token(b"\x00" * 32, "ann", "", 0, 0)
    assert (len(token.id), token.id.isascii()) == (8, True)
    assert token.id != "aaaaaaaa"


def used(tokens: Tokens, token: Token, now: int, device: str | None = None) -> tuple[SavedToken, ...]:
    """What is made durable of it."""
    effects = Effects()
    tokens.use(token, now, effects, device)
    return tuple(effects.kept_of(SavedToken))


def ended(tokens: Tokens, *ending: Token) -> list[bytes]:
    effects = Effects()
    tokens.end(ending, effects)
    return [hash for (hash,) in effects.kept_of(EndedToken)]


def test_a_token_whose_end_is_undone_opens_the_door_again() -> None:
    tokens, effects = a_table(), Effects()
    token = tokens.issue("1", "ann", "", 0)
    tokens.end([token], effects)
    for undo in effects.undo:
        undo(1)
    assert tokens.find("1") is token


def test_a_player_has_one_for_each_device() -> None:
    tokens = a_table()
    phone, desk = tokens.issue("1", "ann", "phone", 0), tokens.issue("2", "ann", "desk", 1)
    tokens.issue("3", "bob", "phone", 2)
    assert tokens.of("ann") == (phone, desk)
    assert tokens.of("nobody") == ()


def test_one_that_is_ended_opens_nothing_and_the_others_do() -> None:
    tokens = a_table()
    phone, desk = tokens.issue("1", "ann", "phone", 0), tokens.issue("2", "ann", "desk", 1)
    assert ended(tokens, phone) == [phone.hash]
    assert ended(tokens, phone) == [], "once"
    assert (tokens.find("1"), tokens.find("2")) == (None, desk)
    assert tokens.of("ann") == (desk,)
    assert ended(tokens, *tokens.of("ann")) == [desk.hash]
    assert (len(tokens), tokens._of) == (0, {})


def test_what_is_used_after_its_end_is_not_saved_again() -> None:
    tokens = a_table()
    token = tokens.issue("1", "ann", "", 0)
    ended(tokens, token)
    assert used(tokens, token, 5) == ()
    assert len(tokens) == 0


def test_one_lies_idle_for_so_long_and_no_longer() -> None:
    tokens = a_table(token_ms=100)
    token = tokens.issue("1", "ann", "", 0)
    assert not tokens.is_old(token, 99)
    used(tokens, token, 99)
    assert not tokens.is_old(token, 198)
    assert tokens.is_old(token, 199)


def test_its_last_use_is_saved_now_and_then_and_a_new_name_of_the_device_at_once() -> None:
    tokens = a_table(seen_every_ms=HOUR)
    token = tokens.issue("1", "ann", "", 0)
    assert used(tokens, token, 0) == (SavedToken(token.hash, "ann", "", 0, 0),)
    assert used(tokens, token, HOUR - 1) == ()
    assert used(tokens, token, HOUR) == (SavedToken(token.hash, "ann", "", 0, HOUR),)
    assert used(tokens, token, HOUR + 1, "phone") == (SavedToken(token.hash, "ann", "phone", 0, HOUR + 1),)
    assert used(tokens, token, HOUR + 2) == ()


def test_what_could_not_be_saved_is_saved_with_the_next_use() -> None:
    tokens = a_table()
    token = tokens.issue("1", "ann", "", 0)
    [saved] = used(tokens, token, 0)
    token.not_saved()
    assert used(tokens, token, 1) == (saved._replace(used=1),)


def test_one_from_before_a_restart_opens_the_door() -> None:
    tokens = a_table()
    token = tokens.issue("1", "ann", "phone", 3)
    [saved] = used(tokens, token, 3)
    later = a_table()
    later.admit(saved)
    again = later.find("1")
    assert again is not None
    assert (again.player, again.device, again.saved) == ("ann", "phone", saved)
    assert used(later, again, 4) == ()


def hand_overs(**limits: Any) -> HandOvers:
    return HandOvers(Ids(random.Random(1).randbytes), Limits(**limits))


def come_in(desk: Desk, code: str, **hello: Any) -> Message:
    return desk.connect().ask("hello", protocol=1, client="test", handOver=code, **hello)


def second_device(desk: Desk, peer: Peer, **hello: Any) -> Peer:
    return desk.peer(None, handOver=peer.ask("handOver")["code"], **hello)


# Codes by themselves


def test_a_code_is_found_as_it_may_be_typed_until_it_runs_out() -> None:
    codes = hand_overs(hand_over_ms=60_000)
    opened = codes.open("ann", 1_000)
    assert (opened.player, opened.until) == ("ann", 61_000)
    for text in (opened.code, opened.code.lower(), opened.code.replace("-", "")):
        assert codes.find(text, 60_999) == opened
    assert codes.find(opened.code, 61_000) is None


def test_a_newer_code_ends_the_one_before() -> None:
    codes = hand_overs()
    first, second = codes.open("ann", 0), codes.open("ann", 1)
    assert (codes.find(first.code, 2), codes.find(second.code, 2)) == (None, second)
    codes.put_back(first)
    assert codes.find(first.code, 2) is None, "nor does it come back"


def test_those_that_ran_out_are_forgotten() -> None:
    codes = hand_overs(hand_over_ms=100)
    for number in range(50):
        codes.open(f"p{number}", number * 10)
    assert len(codes) == 10
    codes.cancel("p49")
    codes.cancel("nobody")
    assert len(codes) == 9


# Coming in by one


def test_a_code_brings_another_device_in_as_the_same_player_with_a_token_of_its_own() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    given = ann.ask("handOver")
    assert given["until"] == desk.now + 60_000
    phone = desk.peer(None, handOver=given["code"].lower(), device="phone")
    assert phone.welcome["player"] == ann.welcome["player"]
    assert phone.token not in (None, ann.token)
    assert phone.session != ann.session
    assert ann.ask("ping")["type"] == phone.ask("ping")["type"] == "pong", "both are here"
    for each in (ann, phone):
        desk.drop(each)
        assert desk.back(each, same_session=False).player == ann.player


def test_a_code_opens_one_door_once() -> None:
    desk = Desk()
    code = desk.peer("ann").ask("handOver")["code"]
    assert come_in(desk, code)["type"] == "welcome"
    assert come_in(desk, code)["reason"] == "wrongHandOver"
    assert len(desk.players) == 1, "and makes nobody new"


def test_a_code_runs_out() -> None:
    desk = Desk()
    code = desk.peer("ann").ask("handOver")["code"]
    desk.now += 60_000
    answer = come_in(desk, code)
    assert (answer["code"], answer["reason"]) == ("wrongCode", "wrongHandOver")


def test_a_token_and_a_code_are_one_too_many() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    code = ann.ask("handOver")["code"]
    assert come_in(desk, code, token=bob.token)["reason"] == "handOverWithToken"
    assert come_in(desk, code)["type"] == "welcome", "it was not used up"


def test_what_else_keeps_one_out_does_not_use_the_code_up() -> None:
    desk = Desk(sessions=2)
    ann = desk.peer("ann")
    other = desk.back(ann, same_session=False)
    code = ann.ask("handOver")["code"]
    assert come_in(desk, code, bot={})["reason"] == "tokenOfAPerson"
    assert come_in(desk, code, name="!")["reason"] == "badName"
    assert come_in(desk, code)["reason"] == "tooManySessions"
    desk.drop(other)
    assert come_in(desk, code)["type"] == "welcome"


def test_a_seat_in_the_middle_of_a_game_goes_over_with_the_player() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    ann.play(room, "b2")
    bob.play(room, "a1")
    phone = second_device(desk, ann)
    assert [(held["room"], held["seats"]) for held in phone.welcome["rooms"]] == [(room, [0])]
    joined = phone.join(room, watch=True)
    assert joined["seat"] == 0
    refused = ann.ask("playTurn", room=room, seat=0, ply=2, move="c3")
    assert refused["reason"] == "playedElsewhere"
    assert phone.play(room, "c3")["type"] == "nextPlayer"
    assert bob.turns[-1]["last"] == {"seat": 0, "move": "c3"}


def test_the_seat_is_taken_once_and_may_be_taken_back() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    phone = second_device(desk, ann)
    phone.join(room, watch=True)
    assert ann.ask("takeSeat", room=room, seat=0)["type"] == "ok"
    assert phone.join(room, watch=True).get("seat") is None
    assert ann.play(room, "b2")["type"] == "nextPlayer"


def test_a_game_that_began_later_is_not_taken_over() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    phone = second_device(desk, ann)
    room = ann.create()
    desk.peer("bob").join(room)
    assert phone.join(room, watch=True).get("seat") is None


def test_a_bot_stays_a_bot() -> None:
    desk = Desk()
    bot = desk.bot("rob", "tic-tac-toe:hard")
    assert second_device(desk, bot).welcome["player"]["bot"] is True


def test_a_forgotten_player_leaves_no_code_behind() -> None:
    desk = Desk(session_memory_ms=100, newcomer_memory_ms=1_000, absence_ms=500, hand_over_ms=1_000_000)
    ann = desk.peer("ann")
    code = ann.ask("handOver")["code"]
    desk.drop(ann)
    desk.tick(100)
    desk.tick(1_000)
    assert come_in(desk, code)["reason"] == "wrongHandOver"
    assert len(desk.hub.accounts.hand_overs) == 0


def test_a_device_that_was_signed_out_before_it_could_be_saved_leaves_no_token() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    code, hub = ann.ask("handOver")["code"], desk.hub
    came = hub.receive(desk.connect().number, Hello(id="h", protocol=1, client="t", hand_over=code), desk.now)
    mine, new = hub.accounts.tokens.of(ann.player)
    ended = hub.receive(ann.number, EndToken(id="e", token=new.id), desk.now)
    roll_back(hub, [came, ended], desk.now)
    assert hub.accounts.tokens.of(ann.player) == (mine,)


def test_a_device_too_many_is_refused_before_there_is_a_code() -> None:
    desk = Desk(devices=2)
    ann = desk.peer("ann")
    second_device(desk, ann)
    answer = ann.ask("handOver")
    assert (answer["code"], answer["fields"]) == ("tooManyDevices", {"devices": 2})


@pytest.mark.parametrize("address", ["203.0.113.9", None], ids=["from afar", "from this machine"])
def test_ten_thousand_guesses_are_stopped_by_the_bucket(address: str | None) -> None:
    desk = Desk(hand_over_ms=10**9)
    code = desk.peer("ann").ask("handOver")["code"]
    reasons: dict[str, int] = {}
    for number in range(10_000):
        if number % 100 == 0:
            guesser = desk.connect()
            desk.hub.arrive(guesser.number, address)
        told = guesser.ask("hello", protocol=1, client="test", handOver=f"{number:04d}-0000")
        reasons[told["reason"]] = reasons.get(told["reason"], 0) + 1
    assert reasons["wrongHandOver"] == (300 if address is None else 10)
    assert sum(reasons.values()) == 10_000
    assert reasons.keys() == {"wrongHandOver", "tooManyWrongCodes"}
    desk.now += 60_000
    assert come_in(desk, code)["type"] == "welcome", "and the right one is good as soon as there is quiet"
