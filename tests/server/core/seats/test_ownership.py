"""What the owner of a table settles before the game begins, and nobody else, and never later."""

from __future__ import annotations

import pytest

from tests.harness.desk import Desk, Message, Peer
from tests.harness.wire import a_server, a_wire

RACE = {"mode": "race", "width": 4, "height": 4, "mines": 3}


def a_race(desk: Desk, seats: int = 4, **options: object) -> tuple[Peer, Peer, str]:
    """Ann on seat 0 and Bob on seat 2 of a table that still waits."""
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create("minesweeper", options={**RACE, **options}, seats=seats)
    bob.join(room, seat=2)
    return ann, bob, room


def names(desk: Desk, room: str) -> list[str | None]:
    return [None if shown is None else shown["name"] for shown in desk.room(room).seated]


# Whose table it is


def test_a_table_is_of_who_opened_it_then_of_the_first_who_sits_and_then_of_any() -> None:
    desk = Desk()
    ann, bob, room = a_race(desk)
    eve = desk.peer("eve")
    eve.join(room, watch=True)
    cat = desk.peer("cat")
    assert cat.join(room, seat=3)["table"]["owner"] == ann.player
    heirs = [(ann, bob), (bob, cat), (cat, eve)]
    eve.ask("subscribe", room=room, event="members")
    for owner, heir in heirs:
        owner.ask("leave", room=room)
        assert desk.room(room).owner == heir.player
    assert [left["owner"] for left in eve.of("left")] == [heir.player for _, heir in heirs]
    desk.restart()
    assert desk.room(room).owner == eve.player


def test_who_leaves_another_table_hands_nothing_on() -> None:
    desk = Desk()
    _, bob, room = a_race(desk)
    assert "owner" not in bob.ask("leave", room=room)


SETTLES: list[tuple[str, Message]] = [
    ("setOptions", {"options": RACE}),
    ("freeSeat", {"seat": 0}),
    ("swapSeats", {"seats": [0, 1]}),
    ("begin", {}),
]


@pytest.mark.parametrize(("command", "fields"), SETTLES, ids=[command for command, _ in SETTLES])
def test_nobody_else_settles_anything(command: str, fields: Message) -> None:
    _, bob, room = a_race(Desk())
    answer = bob.ask(command, room=room, **fields)
    assert (answer["code"], answer["reason"]) == ("forbidden", "notOwner")


@pytest.mark.parametrize(("command", "fields"), SETTLES, ids=[command for command, _ in SETTLES])
def test_nothing_is_settled_once_the_game_has_begun(command: str, fields: Message) -> None:
    ann, _, room = Desk().pair("minesweeper", options=RACE)
    answer = ann.ask(command, room=room, **fields)
    assert (answer["code"], answer["reason"]) == ("forbidden", "gameBegun")


# Options, clock and watchers


def test_a_clock_comes_and_goes_and_what_is_not_named_stays() -> None:
    desk = Desk()
    ann, bob, room = a_race(desk)
    told = ann.ask("setOptions", room=room, clock={"base": 60}, watchers=False)
    assert told["options"]["mode"] == "race"
    assert (told["clock"], told["watchers"]) == ({"base": 60, "increment": 0}, False)
    assert [set(message) >= {"options", "clock"} for message in bob.of("optionsSet")] == [True]
    assert ann.ask("setOptions", room=room, options=RACE)["clock"] == {"base": 60, "increment": 0}
    assert ann.ask("setOptions", room=room, clock=None)["clock"] is None
    assert desk.peer("eve").refused("join", room=room, watch=True) == "forbidden"
    desk.restart()
    assert (desk.room(room).clock_terms, desk.room(room).lets_watch) == (None, False)


def test_a_clock_that_the_new_options_do_not_allow_is_refused() -> None:
    ann = Desk().peer("ann")
    room = ann.create("minesweeper", options=RACE, clock={"base": 60}, seats=2)
    answer = ann.ask("setOptions", room=room, clock={"perMove": 5})
    assert answer["reason"] == "commonClock"


def test_a_clock_that_was_set_runs_in_the_game() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create()
    ann.ask("setOptions", room=room, clock={"base": 60, "increment": 0})
    bob = desk.peer("bob")
    bob.join(room)
    assert bob.turns[0]["clocks"] == [60_000, 60_000]


# Seats


def test_who_sat_on_a_seat_that_is_freed_watches_and_may_sit_down_again() -> None:
    desk = Desk()
    ann, bob, room = a_race(desk)
    freed = ann.ask("freeSeat", room=room, seat=2)
    assert (freed["type"], freed["seat"], freed["player"]["name"]) == ("freed", 2, "bob")
    assert len(bob.of("freed")) == 1, "whether it subscribed to anything or not"
    assert names(desk, room) == ["ann", None, None, None]
    assert bob.player in desk.room(room).members
    assert bob.join(room, seat=3)["seat"] == 3
    assert desk.views(room).viewers[bob.session].seats == {3}


def test_a_seat_that_was_kept_is_free_and_the_invitation_over() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create(subscribe=["members"])
    ann.ask("invite", room=room, seat=1, player=bob.player)
    [invited] = bob.of("invited")
    assert ann.ask("freeSeat", room=room, seat=1)["type"] == "ok"
    assert [message["reason"] for message in ann.of("declined")] == ["freed"]
    assert bob.refused("join", room=room, invite=invited["invite"]) == "unknownInvite"
    assert bob.join(room, seat=1)["seat"] == 1


def test_a_seat_where_nobody_sits_cannot_be_freed() -> None:
    ann, _, room = a_race(Desk())
    assert ann.refused("freeSeat", room=room, seat=1) == "seatFree"
    assert ann.refused("freeSeat", room=room, seat=4) == "noSuchSeat"


def test_who_is_away_and_loses_the_seat_is_waited_for_no_longer_than_a_spectator() -> None:
    desk = Desk()
    ann, bob, room = a_race(desk)
    desk.drop(bob)
    ann.ask("freeSeat", room=room, seat=2)
    assert desk.views(room).away == {bob.player: desk.now + desk.hub.limits.session_memory_ms}
    desk.tick(desk.hub.limits.session_memory_ms)
    assert list(desk.room(room).members) == [ann.player]


def test_two_seats_are_swapped_with_those_who_sit_there() -> None:
    desk = Desk()
    ann, bob, room = a_race(desk)
    swapped = ann.ask("swapSeats", room=room, seats=[0, 2])
    assert (swapped["type"], swapped["seats"]) == ("swapped", [0, 2])
    assert names(desk, room) == ["bob", None, "ann", None]
    ann.ask("swapSeats", room=room, seats=[3, 2])
    assert names(desk, room) == ["bob", None, None, "ann"]
    viewers = desk.views(room).viewers
    assert (viewers[ann.session].seats, viewers[bob.session].seats) == ({3}, {0})


def test_a_seat_that_is_kept_is_not_swapped() -> None:
    desk = Desk()
    ann, _, room = a_race(desk)
    ann.ask("invite", room=room, seat=1, player=desk.peer("cat").player)
    assert ann.refused("swapSeats", room=room, seats=[0, 1]) == "seatTaken"
    assert ann.refused("swapSeats", room=room, seats=[0, 4]) == "noSuchSeat"


# Beginning


def test_a_game_begins_with_those_present_in_their_order() -> None:
    desk = Desk()
    ann, bob, room = a_race(desk)
    cat = desk.peer("cat")
    ann.ask("invite", room=room, seat=1, player=cat.player)
    began = ann.ask("begin", room=room)
    assert (began["type"], began["seats"]) == ("began", [0, 2])
    assert names(desk, room) == ["ann", "bob"]
    assert [turn["seat"] for turn in (*ann.turns, *bob.turns)] == [0, 1]
    assert desk.hub.invitations.kept(room) == set()
    bob.play(room, "dig a1", seat=1)
    desk.restart()
    assert desk.room(room).seats == [ann.player, bob.player]


@pytest.mark.parametrize("found", [True, False])
def test_a_game_that_has_to_be_prepared_is_prepared_for_those_present(found: bool) -> None:
    desk = Desk()
    desk.slow = True
    ann, bob, room = a_race(desk, noGuess=True)
    ann.ask("begin", room=room)
    assert [message["type"] for message in bob.seen] == ["began", "preparing"]
    assert ann.refused("begin", room=room) == "forbidden"
    desk.prepared(found=found)
    assert desk.room(room).state.value == ("playing" if found else "waiting")
    assert names(desk, room) == ["ann", "bob"]
    if not found:
        assert ann.refused("begin", room=room) == "noFieldFound"


def test_a_game_does_not_begin_with_fewer_than_it_is_for() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create()
    answer = ann.ask("begin", room=room)
    assert (answer["code"], answer["reason"]) == ("notStarted", "otherNumberSits")
    assert answer["fields"] == {"here": 1, "allowed": [2]}


def test_freeing_a_seat_while_the_game_is_prepared_sets_the_table_back() -> None:
    desk = Desk()
    desk.slow = True
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create("minesweeper", options={**RACE, "noGuess": True}, seats=2)
    bob.join(room)
    ann.ask("swapSeats", room=room, seats=[0, 1])
    assert desk.room(room).state.value == "preparing"
    ann.ask("freeSeat", room=room, seat=0)
    assert desk.room(room).state.value == "waiting"
    desk.prepared()
    assert desk.room(room).state.value == "waiting"


@pytest.mark.parametrize("subprotocol", ["tablero.v1.msgpack", "tablero.v1.json"])
async def test_an_owner_settles_a_table_over_sockets(subprotocol: str) -> None:
    async with a_server() as server, a_wire(server, subprotocol) as ana, a_wire(server, subprotocol) as ben:
        await ana.hello("ana")
        await ben.hello("ben")
        made = await ana.ask(
            "createRoom", game="minesweeper", options=RACE, seats=4, subscribe=["nextPlayer"]
        )
        room = made["room"]
        await ben.ask("join", code=made["code"], seat=3, subscribe=["nextPlayer"])
        assert (await ana.ask("setOptions", room=room, clock={"base": 60}))["clock"]["base"] == 60
        assert (await ana.ask("freeSeat", room=room, seat=3))["player"]["name"] == "ben"
        assert (await ben.ask("join", room=room, seat=2))["seat"] == 2
        assert (await ana.ask("swapSeats", room=room, seats=[0, 1]))["seats"] == [0, 1]
        assert (await ana.ask("begin", room=room))["seats"] == [1, 2]
        while (turn := await ben.hear())["type"] != "nextPlayer":
            pass
        assert turn["seat"] == 1
