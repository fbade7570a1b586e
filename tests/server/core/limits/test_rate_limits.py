"""Every limit once at the limit and once beyond it; being too fast never ends a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

import pytest
from pydantic.alias_generators import to_camel

from tablero_server.core.limits.limits import Limits, Rate
from tablero_server.core.limits.rate_limits import LATELY_MS, CommonBucket, TokenBuckets
from tablero_server.core.people.entry_policy import EntryPolicy
from tests.harness.desk import Desk, Message, Peer

SOME = Rate(every_ms=100, burst=5)


def limited(answer: Message) -> bool:
    if answer["type"] != "refused":
        return False
    assert answer["code"] == "rateLimited"
    assert answer["retryAfterMs"] > 0
    return True


def how_many(ask: Callable[[], Message]) -> int:
    """How often it may be asked before the limit says no."""
    return next(count for count in range(1_000) if limited(ask()))


def from_afar(desk: Desk, name: str = "ann") -> Peer:
    """Somebody whose address is limited."""
    peer = desk.connect()
    desk.hub.arrive(peer.number, "203.0.113.9")
    answer = peer.ask("hello", protocol=1, client="test", name=name)
    assert answer["type"] == "welcome", answer
    peer.session = answer["session"]
    return peer


# Token buckets: at the limit all is well, one more is too many, and waiting as long as told helps


def test_a_burst_goes_through_and_one_more_does_not() -> None:
    rates: TokenBuckets[str] = TokenBuckets(Rate(every_ms=100, burst=5))
    assert [rates.take("ann", 1_000) for _ in range(5)] == [0] * 5
    assert rates.take("ann", 1_000) > 0


def test_after_the_wait_that_it_names_exactly_one_more_goes_through() -> None:
    rates: TokenBuckets[str] = TokenBuckets(Rate(100, 5))
    for _ in range(5):
        rates.take("ann", 0)
    wait = rates.take("ann", 0)
    assert 100 <= wait <= 101
    assert rates.take("ann", wait - 2) > 0
    assert rates.take("ann", wait) == 0
    assert rates.take("ann", wait) > 0


def test_a_refusal_costs_nothing() -> None:
    rates: TokenBuckets[str] = TokenBuckets(Rate(100, 1))
    rates.take("ann", 0)
    waits = {rates.take("ann", 0) for _ in range(50)}
    assert len(waits) == 1


def test_the_steady_rate_is_never_refused() -> None:
    rates: TokenBuckets[str] = TokenBuckets(Rate(50, 3))
    assert not any(rates.take("ann", now) for now in range(0, 100_000, 50))


def test_one_is_not_slowed_down_by_another() -> None:
    rates: TokenBuckets[str] = TokenBuckets(Rate(100, 1))
    rates.take("ann", 0)
    assert rates.take("bob", 0) == 0


def test_whoever_is_many_may_as_many_times() -> None:
    rates: TokenBuckets[str] = TokenBuckets(Rate(100, 4))
    assert sum(not rates.take("bots", 0, times=3) for _ in range(100)) == 12
    assert rates.take("bots", 100, times=3) == 0


def test_full_buckets_are_forgotten() -> None:
    rates: TokenBuckets[int] = TokenBuckets(Rate(100, 4))
    for key in range(1_000):
        rates.take(key, 0)
    rates.take(0, 120_000)
    assert len(rates) == 1


def test_what_something_has_cost_is_paid_afterwards() -> None:
    rates: TokenBuckets[str] = TokenBuckets(Rate(100, 5))
    assert rates.take("ann", 0) == 0
    rates.charge("ann", 0, 8)
    wait = rates.take("ann", 0)
    assert 500 <= wait <= 501, "nine of five are taken, and one has to be there again"
    assert rates.take("ann", wait) == 0


def test_whoever_is_many_pays_as_many_times_as_fast() -> None:
    rates: TokenBuckets[str] = TokenBuckets(Rate(100, 5))
    rates.charge("bots", 0, 12, times=3)
    assert sum(not rates.take("bots", 0, times=3) for _ in range(100)) == 3


def test_a_common_bucket_is_never_empty_for_someone_who_took_nothing_lately() -> None:
    bucket = CommonBucket(Rate(10_000, 3))
    for _ in range(5):
        bucket.take(["eve"], 0)
    assert bucket.wait(["eve"], 0) > 0
    assert bucket.wait(["ann"], 0) == 0


def test_one_of_several_names_is_enough_to_be_known_by() -> None:
    bucket = CommonBucket(Rate(10_000, 1))
    bucket.take(["eve's address", "eve"], 0)
    assert bucket.wait(["eve's address", "another player"], 0) > 0
    assert bucket.wait(["another address", "eve"], 0) > 0


def test_whoever_took_something_from_a_common_bucket_is_forgotten_after_a_while() -> None:
    bucket = CommonBucket(Rate(10 * LATELY_MS, 1))
    bucket.take(["eve"], 0)
    bucket.take(["eve"], 1_000)
    assert bucket.wait(["eve"], LATELY_MS + 999) > 0
    assert bucket.wait(["eve"], LATELY_MS + 1_000) == 0


def test_a_common_bucket_fills_up_for_all_alike() -> None:
    bucket = CommonBucket(Rate(100, 1))
    for name in ("eve", "mallory"):
        bucket.take([name], 0)
    assert bucket.wait(["eve"], 99) == bucket.wait(["mallory"], 99) > 0
    assert bucket.wait(["mallory"], 100) == 0
    bucket.take(["eve"], 100)
    assert bucket.wait(["mallory"], 100) > 0


# The limits


def test_turns_are_limited_by_seat() -> None:
    ann, bob, room = Desk(turns=SOME).pair()
    codes = [ann.refused("playTurn", room=room, seat=0, ply=99, move="b2") for _ in range(7)]
    assert codes == ["stale"] * 5 + ["rateLimited"] * 2
    assert bob.refused("playTurn", room=room, seat=1, ply=99, move="b2") == "stale"


def test_stale_turns_count_as_messages_too() -> None:
    desk = Desk(messages=SOME)
    ann, bob, room = desk.pair()  # which takes one of each
    codes = [ann.refused("playTurn", room=room, seat=0, ply=99, move="b2") for _ in range(6)]
    assert codes == ["stale"] * 4 + ["rateLimited"] * 2
    assert ann.play(room, "b2")["ply"] == 1
    assert bob.refused("playTurn", room=room, seat=1, ply=99, move="a1") == "stale"


@pytest.mark.parametrize("command", ["resume", "subscribe", "takeSeat", "join", "playTurn"])
def test_a_large_answer_counts_like_several_messages(command: str) -> None:
    """Ann plays all eight seats of a race on a large board, and is shown each of them."""
    desk = Desk(replay_events=1)
    ann = desk.bot("ann")
    options = {"mode": "race", "width": 50, "height": 50, "mines": 300}
    room = ann.create("minesweeper", seats=8, options=options)
    for seat in range(1, 8):
        ann.join(room, seat=seat)
    table = desk.room(room)
    fields: dict[str, Message] = {
        "resume": {"epoch": table.epoch, "seq": table.head - 1},
        "subscribe": {"event": "nextPlayer"},
        "takeSeat": {"seat": 3},
        "join": {"subscribe": ["nextPlayer"]},
        "playTurn": {"seat": 3, "ply": 0, "move": "dig a1"},
    }
    if command == "playTurn":
        assert table.position is not None
        flags = [move for move in table.position.legal_moves(3) if move.startswith("flag")]
        for move in flags[:2]:
            assert ann.play(room, move, seat=3)["type"] == "nextPlayer"
    desk.hub.rate_limits._messages = type(desk.hub.rate_limits._messages)(Rate(100, 12))
    answers = [ann.ask(command, room=room, **fields[command]) for _ in range(2)]
    assert not any(answer.get("code") == "rateLimited" for answer in answers)
    assert ann.refused("ping") == "rateLimited", "two answers of 22 KB count like twelve messages"


def test_nobody_can_use_up_the_turns_of_somebody_elses_seat() -> None:
    desk = Desk(turns=SOME, messages=SOME)
    ann, _, room = desk.pair()
    eve = desk.peer("eve")
    eve.join(room, watch=True)
    codes = [eve.refused("playTurn", room=room, seat=0, ply=0, move="b2") for _ in range(6)]
    assert codes == ["forbidden"] * 4 + ["rateLimited"] * 2  # as messages, of which joining was one
    assert ann.play(room, "b2")["ply"] == 1


def test_a_throttled_turn_goes_through_after_the_wait_and_the_game_goes_on() -> None:
    desk = Desk(turns=Rate(100, 1))
    ann, bob, room = desk.pair()
    ann.play(room, "b2")
    bob.play(room, "a1")
    answer = ann.play(room, "c3")
    assert limited(answer)
    desk.tick(answer["retryAfterMs"])
    assert ann.play(room, "c3")["ply"] == 3


def test_one_seat_is_not_slowed_down_by_another_on_the_same_connection() -> None:
    desk = Desk(turns=Rate(100, 1))
    host = desk.bot("rob", "tic-tac-toe:easy", capacity=5)
    rooms = [host.create() for _ in range(3)]
    for room in rooms:
        host.join(room, seat=1)
    for room in rooms:
        assert host.play(room, "b2")["type"] == "nextPlayer"


def test_other_messages_are_limited_by_connection() -> None:
    desk = Desk(messages=SOME)
    ann, bob = desk.peer("ann"), desk.peer("bob")
    assert how_many(lambda: ann.ask("ping")) == 5
    assert bob.ask("ping")["type"] == "pong"


def test_whoever_is_in_several_rooms_may_ask_as_many_times() -> None:
    desk = Desk(messages=SOME)
    ann = desk.peer("ann")
    for _ in range(3):
        ann.create()
    desk.tick(10_000)
    assert how_many(lambda: ann.ask("ping")) == 15


def test_a_bot_in_many_rooms_may_ask_no_more_than_a_person_in_all_of_theirs() -> None:
    desk = Desk(messages=SOME, rooms=4)
    rob = desk.bot("rob", capacity=1_000)
    for _ in range(10):
        rob.create()
        desk.tick(1_000)
    desk.tick(10_000)
    assert how_many(lambda: rob.ask("ping")) == 20


def test_the_hosts_own_bots_may_ask_in_each_of_their_rooms() -> None:
    desk = Desk(messages=SOME, rooms=4)
    house = desk.house()
    for _ in range(10):
        house.create()
        desk.tick(1_000)
    desk.tick(10_000)
    assert how_many(lambda: house.ask("ping")) == 50


def test_a_name_is_changed_so_often_and_no_more() -> None:
    desk = Desk(renames=SOME, sessions=100)
    ann = desk.peer("ann")

    def rename(name: str) -> Message:
        return desk.connect().ask("hello", protocol=1, client="test", token=ann.token, name=name)

    assert [rename(f"ann{number}")["type"] for number in range(5)] == ["welcome"] * 5
    assert limited(rename("anna"))
    assert rename("ann4")["player"]["name"] == "ann4", "who says the name it has is let in"
    desk.tick(100)
    assert rename("anna")["player"]["name"] == "anna"


def test_turns_in_rooms_that_one_has_no_seat_in_count_as_messages() -> None:
    desk = Desk(messages=SOME)
    ann = desk.peer("ann")
    codes = [ann.refused("playTurn", room="nowhere", seat=0, ply=0, move="a1") for _ in range(6)]
    assert codes == ["unknownRoom"] * 5 + ["rateLimited"]


def test_asking_again_for_an_answer_counts_as_a_message() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    ann.ask("playTurn", "mine", room=room, seat=0, ply=0, move="b2")
    desk.hub.rate_limits._messages = type(desk.hub.rate_limits._messages)(SOME)
    again = {"room": room, "seat": 0, "ply": 0, "move": "b2"}
    assert how_many(lambda: ann.ask("playTurn", "mine", **again)) == 5


def test_chat_is_limited_by_player() -> None:
    desk = Desk(chat=Rate(2_000, 5))
    ann, bob, room = desk.pair()
    assert how_many(lambda: ann.ask("say", room=room, text="hi")) == 5
    assert bob.ask("say", room=room, text="hi")["type"] == "ok"


def test_strangers_are_limited_before_they_say_hello() -> None:
    desk = Desk(messages=SOME)
    stranger = desk.connect()
    codes = [stranger.refused("ping") for _ in range(6)]
    assert codes == ["helloFirst"] * 5 + ["rateLimited"]


def test_new_players_are_limited_by_address() -> None:
    desk = Desk(guests=Rate(120_000, 2))
    for _ in range(2):
        from_afar(desk)
    third = desk.connect()
    desk.hub.arrive(third.number, "203.0.113.9")
    assert third.refused("hello", protocol=1, client="test", name="eve") == "rateLimited"
    assert desk.peer("bob", token=None).welcome


def test_new_players_of_all_are_limited_and_one_from_elsewhere_comes_in() -> None:
    desk = Desk(all_guests=Rate(100, 3))
    for _ in range(3):
        desk.peer("eve", address=HOME, shared=True)
    visitor = desk.connect(HOME, shared=True)
    assert visitor.ask("hello", protocol=1, client="test", name="eve")["reason"] == "guestsOfAddress"
    assert desk.peer("ann", address=ELSEWHERE, shared=True).welcome
    desk.now += 100
    assert desk.peer("eve", address=HOME, shared=True).welcome


def test_new_rooms_are_limited_by_address() -> None:
    desk = Desk(new_rooms=Rate(12_000, 5))
    ann, bob = from_afar(desk, "ann"), from_afar(desk, "bob")
    for _ in range(3):
        ann.create()
    for _ in range(2):
        bob.create()
    assert ann.refused("createRoom", game="tic-tac-toe") == "rateLimited"
    assert bob.refused("createRoom", game="tic-tac-toe") == "rateLimited"
    assert desk.peer("cat").create()


def test_one_person_opens_so_many_rooms_also_from_this_machine() -> None:
    desk = Desk(own_rooms=Rate(2_000, 3))
    ann, bob = desk.peer("ann"), desk.peer("bob")

    def open_one(peer: Peer) -> Message:
        answer = peer.ask("createRoom", game="tic-tac-toe")
        if answer["type"] == "joined":
            peer.ask("leave", room=answer["room"])
        return answer

    assert [open_one(ann)["type"] for _ in range(3)] == ["joined"] * 3
    again = desk.back(ann, same_session=False)
    for peer in (ann, again):
        refused = open_one(peer)
        assert refused["reason"] == "roomsOfPerson"
        assert 0 < refused["retryAfterMs"] <= 2_001
    assert again.ask("seek", game="tic-tac-toe")["reason"] == "roomsOfPerson", "nor by a seek"
    assert open_one(bob)["type"] == "joined", "each has their own"
    desk.now += 2_001
    assert open_one(ann)["type"] == "joined"
    bot = desk.bot("rob", "tic-tac-toe:hard", capacity=50)
    assert [open_one(bot)["type"] for _ in range(20)] == ["joined"] * 20


# Codes


GUESSES: dict[str, Callable[[Peer, str], Message]] = {
    "table": lambda peer, code: peer.ask("join", code=code),
    "device": lambda peer, code: peer.ask("hello", protocol=1, client="test", handOver=code),
    "passphrase": lambda peer, code: peer.ask("hello", protocol=1, client="test", passphrase=code),
}
HOME, ELSEWHERE = "192.168.1.66", "192.168.1.7"
"""In one's own network no address is limited."""


class Door:
    """Something that a code opens, and somebody who tries codes."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.desk = Desk(entry_policy=EntryPolicy("passphrase", "open sesame"), wrong_codes=Rate(200, 30))
        ann = self.peer("ann")
        code = ann.ask("handOver")["code"] if kind == "device" else self.desk.room(ann.create()).code
        self.right = "open sesame" if kind == "passphrase" else code or ""

    def peer(self, name: str, address: str = ELSEWHERE) -> Peer:
        return self.desk.peer(name, address=address, shared=True, passphrase="open sesame")

    def tries(self, code: str, address: str, *, limited: bool = False) -> str:
        """Why somebody new is refused, or what they hear."""
        if self.kind == "table":
            peer = self.desk.peer("eve", address=address, shared=not limited, passphrase="open sesame")
        else:
            peer = self.desk.connect(address, shared=not limited)
        answer = GUESSES[self.kind](peer, code)
        return str(answer.get("reason", answer["type"]))


@pytest.mark.parametrize("kind", GUESSES)
def test_s19_a_right_code_passes_from_anyone_who_has_sent_no_wrong_one(kind: str) -> None:
    door = Door(kind)
    told = [door.tries(f"{guess:04d}-{guess:04d}", HOME) for guess in range(31)]
    assert told[-1] == "tooManyWrongCodes"
    assert door.tries(door.right, HOME) == "tooManyWrongCodes", "it is not even looked at"
    assert door.tries(door.right, ELSEWHERE) in ("joined", "welcome")


def test_s19_codes_cannot_be_guessed_from_one_address() -> None:
    door = Door("table")
    assert len(door.right.replace("-", "")) * 5 >= 40, "bits"
    told = []
    for _ in range(25):
        eve = door.desk.peer("eve", address="203.0.113.9", passphrase="open sesame")
        told += [eve.ask("join", code=f"{guess:04d}-{guess:04d}")["reason"] for guess in range(20)]
    assert told == ["wrongCode"] * 10 + ["tooManyWrongCodes"] * 490


def test_s19_nor_by_one_player_from_many_addresses() -> None:
    desk = Desk()
    eve = desk.peer("eve", address="203.0.113.0")
    told = []
    for number in range(20):
        eve = desk.back(eve, address=f"203.0.113.{number}")
        told.append(eve.ask("join", code="0000-0000")["reason"])
    assert told == ["wrongCode"] * 10 + ["tooManyWrongCodes"] * 10


def test_s19_each_of_many_addresses_has_one_guess_in_ten_minutes_beyond_the_common_rate() -> None:
    door = Door("device")
    told = [door.tries("0000-0000", f"203.0.113.{each % 10}", limited=True) for each in range(100)]
    assert told.count("wrongHandOver") == 30
    assert door.tries("0000-0000", "198.51.100.1", limited=True) == "wrongHandOver"
    assert door.tries(door.right, "198.51.100.1", limited=True) == "tooManyWrongCodes"


def test_each_kind_of_code_is_counted_apart() -> None:
    door = Door("table")
    for guess in range(31):
        door.tries(f"{guess:04d}-{guess:04d}", HOME)
    newcomer = door.desk.connect(HOME, shared=True)
    wrong = newcomer.ask("hello", protocol=1, client="test", handOver="0000-0000")
    assert wrong["reason"] == "wrongHandOver"
    assert door.peer("bob", HOME).welcome


@pytest.mark.parametrize("greeted", [True, False])
def test_whoever_floods_on_is_disconnected_and_may_come_back(greeted: bool) -> None:
    desk = Desk(messages=SOME, patience=Rate(100, 20))
    flood = desk.peer("ann") if greeted else desk.connect()
    sent = 0
    while flood.closed is None:
        flood.ask("ping")
        sent += 1
    assert flood.closed == 4009
    assert sent == 5 + 20 + 1
    if greeted:
        desk.drop(flood)
        assert desk.back(flood).welcome["session"] == flood.session


def test_a_newcomer_is_told_every_rate() -> None:
    desk = Desk(chat=Rate(1_500, 3))
    rates = desk.connect().ask("hello", protocol=1, client="test", name="ann")["limits"]["rates"]
    assert rates["chat"] == {"everyMs": 1_500, "burst": 3}
    limited = {field.name for field in fields(Limits) if isinstance(getattr(Limits(), field.name), Rate)}
    unsaid = {
        "patience",
        "wrong_codes",
        "own_rooms",
        "all_guests",
    }  # of those who are refused already, and of everybody together
    assert rates.keys() == {to_camel(name) for name in limited - unsaid}
