"""What is shown to whoever lets the server choose."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_server.core.meeting.television import CHOOSE_EVERY_MS, LIVELY_MS
from tests.harness.desk import Desk, Message, Peer
from tests.harness.wire import a_server, a_table, a_wire


def a_game(desk: Desk, *, bot: bool = False, **fields: Any) -> tuple[Peer, str]:
    """A game that has begun, and who is to move."""
    ann = desk.peer("ann")
    room = ann.create(**fields)
    rival = desk.bot("robot") if bot else desk.peer("bob")
    code = {"code": desk.room(room).code} if fields.get("private") else {"room": room}
    assert rival.ask("join", **code)["type"] == "joined"
    return ann, room


def watch(peer: Peer, **fields: Any) -> str | None:
    """What `peer` is told to watch."""
    assert peer.ask("watchBest", **fields)["type"] == "ok"
    [best] = peer.of("best")
    peer.seen = []
    return room_of(best)


def room_of(best: Message) -> str | None:
    room: str | None = best.get("room")
    return room


def watched_by(desk: Desk, room: str, count: int) -> None:
    for _ in range(count):
        desk.peer("cat").join(room, watch=True)


def test_people_come_before_bots_and_the_watched_before_the_unwatched() -> None:
    desk = Desk()
    tv = desk.peer("tv")
    assert watch(tv) is None
    _, with_bot = a_game(desk, bot=True)
    watched_by(desk, with_bot, 5)
    assert watch(tv) == with_bot
    a_game(desk)
    _, watched = a_game(desk)
    watched_by(desk, watched, 1)
    a_game(desk)
    assert watch(desk.peer("other")) == with_bot, "all who watch the same see the same"
    tv.seen = []
    desk.tick(CHOOSE_EVERY_MS)
    assert [room_of(best) for best in tv.of("best")] == [watched]


def test_a_game_in_which_nobody_moves_any_more_makes_room_for_a_lively_one() -> None:
    desk = Desk()
    _, asleep = a_game(desk)
    watched_by(desk, asleep, 3)
    tv = desk.peer("tv")
    assert watch(tv) == asleep
    desk.now += LIVELY_MS
    _, lively = a_game(desk, bot=True)
    desk.tick()
    assert [room_of(best) for best in tv.of("best")] == [lively]


@pytest.mark.parametrize("hidden", [{"private": True}, {"watchers": False}])
def test_what_is_not_for_all_is_never_shown(hidden: dict[str, bool]) -> None:
    desk = Desk()
    a_game(desk, **hidden)
    tv = desk.peer("tv")
    assert watch(tv) is None
    desk.tick(CHOOSE_EVERY_MS)
    assert tv.of("best") == []


def test_it_changes_no_more_often_than_every_ten_seconds_and_only_if_there_is_better() -> None:
    desk = Desk()
    ann, first = a_game(desk)
    tv = desk.peer("tv")
    assert watch(tv) == first
    tv.join(first, watch=True)
    _, second = a_game(desk)
    desk.tick(CHOOSE_EVERY_MS)
    assert tv.of("best") == [], "of equals the one that is shown stays"
    ann.ask("resign", room=first, seat=0)
    desk.tick(CHOOSE_EVERY_MS - 1)
    assert tv.of("best") == []
    desk.tick(1)
    assert [room_of(best) for best in tv.of("best")] == [second]
    desk.tick(CHOOSE_EVERY_MS)
    assert len(tv.of("best")) == 1


def test_a_game_that_is_no_longer_there_is_shown_to_nobody_who_comes_later() -> None:
    desk = Desk()
    tv = desk.peer("tv")
    assert watch(tv) is None
    ann, bob, room = desk.pair()
    desk.tick(CHOOSE_EVERY_MS)
    assert room_of(tv.of("best")[-1]) == room
    for peer in (ann, bob):
        peer.ask("leave", room=room)
    assert watch(desk.peer("another")) is None


def test_who_watches_because_it_is_shown_does_not_make_it_better() -> None:
    desk = Desk()
    _, first = a_game(desk)
    crowd = [desk.peer("tv") for _ in range(3)]
    for tv in crowd:
        assert watch(tv) == first
        tv.join(first, watch=True)
    _, second = a_game(desk)
    watched_by(desk, second, 1)
    desk.tick(CHOOSE_EVERY_MS)
    assert [room_of(best) for best in crowd[0].of("best")] == [second]


def test_one_game_may_be_asked_for_and_the_last_question_counts() -> None:
    desk = Desk()
    _, tic = a_game(desk)
    _, four = a_game(desk, game="connect-four")
    watched_by(desk, tic, 1)
    tv = desk.peer("tv")
    assert watch(tv) == tic
    assert watch(tv, game="connect-four") == four
    assert watch(tv, game="quoridor") is None
    assert tv.refused("watchBest", game="chess") == "unknownGame"
    desk.tick(CHOOSE_EVERY_MS)
    assert tv.of("best") == []


@pytest.mark.parametrize("gone", ["unwatchBest", "drop"])
def test_who_watches_no_more_hears_no_more(gone: str) -> None:
    desk = Desk()
    tv = desk.peer("tv")
    assert watch(tv) is None
    if gone == "drop":
        desk.drop(tv)
        tv = desk.back(tv)
    else:
        assert tv.ask("unwatchBest")["type"] == "ok"
    a_game(desk)
    desk.tick(CHOOSE_EVERY_MS)
    assert tv.of("best") == []


@pytest.mark.parametrize("codec", ["tablero.v1.msgpack", "tablero.v1.json"])
async def test_over_a_socket_one_is_told_and_watches(codec: str) -> None:
    async with a_server() as server, a_table(server) as (_, _, room), a_wire(server, codec) as tv:
        await tv.hello("tv")
        assert (await tv.ask("watchBest", game="tic-tac-toe"))["type"] == "ok"
        assert await tv.hear() == {"type": "best", "game": "tic-tac-toe", "room": room}
        assert (await tv.ask("join", room=room, watch=True))["type"] == "joined"
