"""Who may come in as somebody new; whoever is known comes in anyway."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_server.core.limits.limits import Rate
from tablero_server.core.people.entry_policy import EntryPolicy
from tests.harness.desk import HOST_KEY, Desk, Message

SECRET = EntryPolicy("passphrase", "olé, friend")


def come_in(desk: Desk, **hello: Any) -> Message:
    return desk.connect().ask("hello", protocol=1, client="test", **hello)


def the_reason(desk: Desk, **hello: Any) -> tuple[str, str]:
    answer = come_in(desk, **hello)
    return answer["code"], answer["reason"]


def test_where_all_are_let_in_a_passphrase_does_no_harm() -> None:
    assert come_in(Desk())["type"] == "welcome"
    assert come_in(Desk(), passphrase="whatever")["type"] == "welcome"


def test_who_says_the_passphrase_comes_in_and_nobody_else() -> None:
    desk = Desk(entry_policy=SECRET)
    assert the_reason(desk) == ("passphraseNeeded", "passphraseNeeded")
    for wrong in ("ole, friend", "olé, friend ", "x"):
        assert the_reason(desk, passphrase=wrong) == ("passphraseNeeded", "wrongPassphrase")
    assert desk.players == {}
    assert come_in(desk, passphrase="olé, friend")["type"] == "welcome"


def test_a_server_that_is_closed_takes_nobody_new() -> None:
    desk = Desk(entry_policy=EntryPolicy("closed", "olé, friend"))
    assert the_reason(desk, passphrase="olé, friend") == ("closedToGuests", "closedToGuests")
    assert the_reason(desk, bot={}) == ("closedToGuests", "closedToGuests")


@pytest.mark.parametrize("policy", [SECRET, EntryPolicy("closed")], ids=lambda policy: policy.entry)
def test_whoever_is_known_and_the_hosts_own_bots_come_in_anyway(policy: EntryPolicy) -> None:
    desk = Desk()
    ann = desk.peer("ann")
    desk._entry_policy = policy
    desk.restart()
    back = desk.back(ann, same_session=False)
    assert back.player == ann.player
    assert desk.peer(None, handOver=back.ask("handOver")["code"]).player == ann.player
    assert come_in(desk, bot={}, hostKey=HOST_KEY)["type"] == "welcome"
    assert come_in(desk, bot={})["type"] == "refused", "other people's bots are newcomers"


def test_ten_thousand_passphrases_are_stopped_by_the_bucket_also_from_this_machine() -> None:
    desk = Desk(entry_policy=SECRET)
    reasons = []
    for number in range(10_000):
        if number % 100 == 0:
            guesser = desk.connect()
        told = guesser.ask("hello", protocol=1, client="test", passphrase=f"guess {number}")
        reasons.append(told["reason"])
    assert reasons == ["wrongPassphrase"] * 300 + ["tooManyWrongCodes"] * 9_700


def test_a_wrong_passphrase_takes_no_place_of_a_newcomer() -> None:
    desk = Desk(entry_policy=SECRET, guests=Rate(3_600_000, 1))
    for words, answer in ((["wrong", "olé, friend"], "welcome"), (["olé, friend"], "refused")):
        for passphrase in words:
            visitor = desk.connect("203.0.113.9")
            told = visitor.ask("hello", protocol=1, client="test", passphrase=passphrase)
        assert told["type"] == answer
