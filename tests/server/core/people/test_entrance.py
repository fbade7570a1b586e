"""Coming in, being replaced, coming back, and being forgotten in the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tablero_protocol.codes import Close
from tablero_protocol.messages import ClientMessage, Hello, Ping
from tests.harness.desk import Desk, Peer


def test_hello_is_said_once() -> None:
    ann = Desk().peer()
    assert ann.refused("hello", protocol=1, client="test") == "helloFirst"


def test_a_newer_connection_of_the_same_session_closes_the_older() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    newer = desk.back(ann)
    assert newer.session == ann.session
    assert ann.closed == Close.REPLACED.value == 4101
    newer.ask("resume", room=room, epoch=desk.room(room).epoch, seq=newer.heads[room])
    bob.ask("resign", room=room, seat=1)
    assert len(newer.turns) == 1


def test_a_replaced_connection_is_heard_no_more_until_it_is_closed() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    newer = desk.back(ann)
    back = Hello(id="h", protocol=1, client="test", token=ann.token, session=ann.session)
    later: list[ClientMessage] = [Ping(id="p"), back]
    for message in later:
        [(peer, answer)] = desk.hub.receive(ann.number, message, desk.now).messages
        assert (peer, answer["reason"]) == (ann.number, "sessionReplaced")
    assert newer.ask("ping")["type"] == "pong", "it was not thrown out by the older one"


def test_the_end_of_a_replaced_connection_takes_nothing_along() -> None:
    desk = Desk()
    ann = desk.peer()
    newer = desk.back(ann)
    desk.drop(ann)
    assert newer.ask("ping")["type"] == "pong"


def has_played(desk: Desk) -> Peer:
    """Ann, who has finished a game with Bob."""
    ann, _, room = desk.pair()
    ann.ask("resign", room=room, seat=0)
    ann.ask("leave", room=room)
    return ann


def has_another_device(desk: Desk) -> Peer:
    ann = desk.peer("ann")
    desk.drop(desk.peer(None, handOver=ann.ask("handOver")["code"]))
    return ann


def has_sat_alone(desk: Desk) -> Peer:
    ann = desk.peer("ann")
    ann.ask("leave", room=ann.create())
    return ann


def has_watched(desk: Desk) -> Peer:
    ann = desk.peer("ann")
    ann.ask("leave", room=ann.join(desk.peer("bob").create(), watch=True)["room"])
    return ann


def has_left_a_game(desk: Desk) -> Peer:
    ann, _, room = desk.pair()
    ann.ask("leave", room=room)  # before any move: it is aborted
    return ann


@pytest.mark.parametrize(
    ("visit", "kept"),
    [
        (has_played, True),
        (has_another_device, True),
        (has_sat_alone, False),
        (has_watched, False),
        (has_left_a_game, False),
    ],
)
def test_a_guest_is_forgotten_in_the_end_and_soon_who_has_not_played(
    visit: Callable[[Desk], Peer], kept: bool
) -> None:
    desk = Desk(session_memory_ms=100, name_ms=10_000, newcomer_memory_ms=1_000, absence_ms=500)
    ann = visit(desk)
    desk.drop(ann)
    desk.tick(100)
    desk.tick(9_999 if kept else 999)
    assert ann.player in desk.players
    desk.tick(1)
    assert ann.player not in desk.players
    assert desk.connect().refused("hello", protocol=1, client="test", token=ann.token) == "badToken"
    assert desk.peer("ann").name == "ann"


@pytest.mark.parametrize(
    ("visit", "kept"), [(has_played, True), (has_another_device, True), (has_sat_alone, False)]
)
def test_a_restart_does_not_change_for_how_long_a_guest_is_remembered(
    visit: Callable[[Desk], Peer], kept: bool
) -> None:
    desk = Desk(newcomer_memory_ms=1_000, absence_ms=500)
    ann = visit(desk)
    desk.restart()
    desk.tick(1_001)
    assert (ann.player in desk.players) is kept


@pytest.mark.parametrize("restarts", [False, True])
def test_where_no_more_players_fit_who_has_used_the_server_least_makes_room(restarts: bool) -> None:
    desk = Desk(players=4, seen_every_ms=1)
    ann, bob, room = desk.pair()
    ann.ask("resign", room=room, seat=0)
    for peer in (bob, ann):
        desk.now += 1_000
        peer.ask("leave", room=room)
        desk.drop(peer)
    for name in ("cat", "dan"):
        desk.now += 1
        desk.drop(desk.peer(name))
    if restarts:
        desk.restart()
    gone = []
    for name in ("eve", "fay", "gil", "hal"):
        before = set(desk.players.values())
        desk.peer(name)
        gone += [player.name for player in before - set(desk.players.values())]
    assert gone == ["cat", "dan", "bob", "ann"]
    assert desk.hub.accounts.by_id.keys() == desk.players.keys()


def test_who_is_here_or_rated_or_in_an_open_room_makes_no_room() -> None:
    desk = Desk(players=3)
    rated, sitting, _ = desk.peer("ann"), desk.peer("bob"), desk.peer("cat")
    desk.hub.accounts.by_id[rated.player].rated = True
    room = sitting.create()
    for peer in (rated, sitting):
        desk.drop(peer)
    assert desk.connect().ask("hello", protocol=1, client="test")["reason"] == "tooManyPlayers"
    for _ in range(2):
        desk.tick(desk.hub.limits.waiting_ms // 2)
    assert room not in desk.hub.rooms.open
    assert desk.peer("dan").welcome, "the table has closed"


def test_a_full_server_keeps_no_table_for_those_who_have_gone() -> None:
    desk = Desk(players=2)
    for _ in range(2):
        guest = desk.peer("guest")
        guest.create()
        desk.drop(guest)
    assert desk.connect().ask("hello", protocol=1, client="test")["reason"] == "tooManyPlayers"
    desk.tick(100)
    assert desk.peer("ann").create() in desk.hub.rooms.open
    here = desk.peer("bob")
    room = here.create()
    desk.tick(100)
    assert room in desk.hub.rooms.open


@pytest.mark.parametrize("opens", [False, True])
def test_guests_who_pass_come_in_one_after_the_other_however_few_places_there_are(opens: bool) -> None:
    desk = Desk(players=5)
    first = guest = desk.peer("guest")
    for _ in range(30):
        if opens:
            guest.ask("leave", room=guest.create())
        desk.now += 1
        desk.drop(guest)
        guest = desk.peer("guest")
    assert len(desk.hub.accounts.by_id) == 5
    assert len(desk.hub.accounts.sessions) == 5
    assert desk.connect().refused("hello", protocol=1, client="test", token=first.token) == "badToken"


def test_who_comes_back_takes_no_place_where_there_are_fewer_than_before() -> None:
    desk = Desk(players=2)
    ann, bob = desk.peer("ann"), desk.peer("bob")
    desk._limits = replace(desk._limits, players=1)
    desk.restart()
    assert [desk.back(peer, same_session=False).player for peer in (ann, bob)] == [ann.player, bob.player]
    assert desk.connect().ask("hello", protocol=1, client="test")["reason"] == "tooManyPlayers"


def test_only_somebody_who_comes_in_takes_a_place() -> None:
    desk = Desk(players=1)
    desk.drop(ann := desk.peer("ann"))
    assert desk.connect().refused("hello", protocol=7, client="test") == "wrongProtocol"
    assert desk.back(ann).player == ann.player


def test_where_nobody_can_make_room_a_newcomer_waits_and_others_come_back() -> None:
    desk = Desk(players=2)
    ann, _ = desk.peer("ann"), desk.peer("bob")
    answer = desk.connect().ask("hello", protocol=1, client="test")
    assert (answer["code"], answer["retryAfterMs"]) == ("retryLater", 10_000)
    desk.drop(ann)
    assert desk.back(ann).player == ann.player


def test_nobody_is_forgotten_while_a_game_waits_for_them() -> None:
    desk = Desk(session_memory_ms=100, newcomer_memory_ms=1_000, absence_ms=5_000)
    ann, bob, room = desk.pair()
    desk.drop(bob)
    desk.tick(100)
    for _ in range(9):
        desk.tick(1_000)
    assert bob.player in desk.hub.accounts.by_id
    ann.ask("claim", room=room, seat=0)
    desk.tick(100)
    assert bob.player not in desk.room(room).members
    desk.tick(5_001)
    assert bob.player not in desk.hub.accounts.by_id


def test_a_guest_who_comes_back_in_time_is_remembered() -> None:
    desk = Desk(session_memory_ms=100, newcomer_memory_ms=1_000, absence_ms=500)
    ann = desk.peer("ann")
    desk.drop(ann)
    desk.tick(100)
    back = desk.back(ann)
    desk.tick(5_000)
    assert back.player == ann.player
    assert desk.hub.accounts.by_id.keys() == {ann.player}
