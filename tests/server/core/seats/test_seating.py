"""How players come to a room, sit, come back in another session, and go."""

from __future__ import annotations

import pytest

from tests.harness.desk import Desk, Message, Peer


def seats(desk: Desk, room: str) -> list[str | None]:
    return [None if shown is None else shown["name"] for shown in desk.room(room).seated]


def test_who_opens_a_room_sits_where_they_say_or_watches() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    assert seats(desk, ann.create()) == ["ann", None]
    assert seats(desk, ann.create(seat=1)) == [None, "ann"]
    assert seats(desk, ann.create(seat=None)) == [None, None]


@pytest.mark.parametrize(
    ("asked", "taken"),
    [
        ({}, ["bob", "ann", None]),
        ({"seat": 2}, [None, "ann", "bob"]),
        ({"watch": True}, [None, "ann", None]),
    ],
)
def test_a_newcomer_gets_the_seat_asked_for_or_the_first_free_one_or_none(
    asked: Message, taken: list[str | None]
) -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create("minesweeper", options={"mode": "race"}, seats=3, seat=1)
    bob.join(room, **asked)
    assert seats(desk, room) == taken


def test_where_no_seat_is_free_a_newcomer_watches() -> None:
    desk = Desk()
    _, _, room = desk.pair()
    carol = desk.peer("carol")
    assert "seat" not in carol.join(room)
    assert desk.room(room).watchers() == 1


def test_who_joins_again_plays_the_seats_that_no_other_session_plays() -> None:
    desk = Desk(session_memory_ms=1_000)
    ann, _, room = desk.pair()
    second = desk.back(ann, same_session=False)
    second.join(room)
    assert second.refused("playTurn", room=room, seat=0, ply=0, move="b2") == "forbidden"
    desk.drop(ann)
    desk.tick(1_000)
    head = desk.room(room).head
    desk.back(second, same_session=False).join(room)
    assert desk.room(room).head == head, "coming back is no entry"
    assert [viewer.seats for viewer in desk.views(room).viewers.values() if viewer.player == ann.player] == [
        set(),
        {0},
    ]


def test_a_seat_goes_to_the_session_that_takes_it() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    second = desk.back(ann, same_session=False)
    second.join(room)
    assert second.ask("takeSeat", room=room, seat=0)["type"] == "ok"
    assert second.play(room, "b2")["type"] == "nextPlayer"
    assert ann.refused("playTurn", room=room, seat=0, ply=1, move="c3") == "forbidden"


def test_a_person_has_one_seat_in_a_race_and_may_have_both_of_a_board() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    board = ann.create()
    assert ann.ask("join", room=board, seat=1)["type"] == "joined"
    race = ann.create("minesweeper", options={"mode": "race"}, seats=2)
    assert ann.ask("join", room=race, seat=1)["type"] == "refused"
    assert seats(desk, race) == ["ann", None]


def test_who_leaves_before_the_game_gives_the_seat_to_the_next() -> None:
    desk = Desk()
    ann, bob, carol = (desk.peer(name) for name in ("ann", "bob", "carol"))
    room = ann.create("minesweeper", options={"mode": "race"}, seats=3)
    bob.join(room)
    bob.ask("leave", room=room)
    carol.join(room)
    assert seats(desk, room) == ["ann", "carol", None]


def test_a_seat_that_the_game_has_not_is_refused_before_there_is_a_room() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    assert ann.refused("createRoom", game="tic-tac-toe", seat=2) == "noSuchSeat"
    assert desk.journal == {}


def page(peer: Peer, code: str | None) -> Message:
    answer = peer.ask("showTable", code=code)
    assert answer["type"] == "tablePage", answer
    del answer["type"], answer["re"]
    return answer


def test_it_tells_who_sits_there_and_nobody_there_hears_of_it() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create("connect-four", private=True, options={"columns": 5}, subscribe=["members"])
    code = desk.room(room).code
    assert code is not None
    shown = {"id": ann.player, "name": "ann", "bot": False}
    told = page(bob, code.lower().replace("-", ""))
    assert told == {
        "room": room,
        "game": "connect-four",
        "options": desk.room(room).options_json,
        "state": "waiting",
        "seats": [shown, None],
        "private": True,
        "watchers": 0,
    }
    assert ann.seen == []
    assert bob.player not in desk.room(room).members


def test_a_table_for_its_players_alone_says_so_by_having_no_watchers() -> None:
    desk = Desk()
    _, _, room = desk.pair(watchers=False)
    assert "watchers" not in page(desk.peer("eve"), desk.room(room).code)


def test_a_finished_game_tells_how_it_ended_and_who_is_still_there() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    code, eve = desk.room(room).code, desk.peer("eve")
    assert "outcome" not in page(eve, code)
    ann.play(room, "b2")
    bob.ask("resign", room=room, seat=1)
    told = page(eve, code)
    assert (told["state"], told["outcome"]["winners"], told["here"]) == ("finished", [0], [0, 1])
    bob.ask("leave", room=room)
    assert page(eve, code)["here"] == [0]
    ann.ask("leave", room=room)
    told = page(eve, code)
    assert (told["room"], told["state"], told["here"]) == (room, "closed", [])


def test_it_leads_to_the_newest_rematch_as_long_as_that_is_open() -> None:
    desk = Desk()
    ann, bob, first = desk.pair()
    rooms = [first]
    for _ in range(2):
        ann.ask("resign", room=rooms[-1], seat=desk.room(rooms[-1]).seats.index(ann.player))
        ann.ask("offer", room=rooms[-1], seat=desk.room(rooms[-1]).seats.index(ann.player), what="rematch")
        bob.ask("offer", room=rooms[-1], seat=desk.room(rooms[-1]).seats.index(bob.player), what="rematch")
        next_room = desk.room(rooms[-1]).next
        assert next_room is not None
        rooms.append(next_room)
    codes = [desk.room(room).code for room in rooms]
    eve = desk.peer("eve")
    assert page(eve, codes[0])["next"] == codes[2]
    assert "next" not in page(eve, codes[2])
    for peer in (ann, bob):
        peer.ask("leave", room=rooms[2])
    assert page(eve, codes[0])["next"] == codes[1]


def test_a_code_that_leads_nowhere_counts_as_guessed() -> None:
    desk = Desk(session_memory_ms=1_000)
    eve = desk.peer("eve")
    for _ in range(10):
        assert eve.refused("showTable", code="WRNG-CDE2") == "wrongCode"
    assert eve.refused("showTable", code="WRNG-CDE2") == "rateLimited"


def test_whoever_may_try_no_more_codes_is_told_nothing_of_a_right_one_either() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    code = desk.room(ann.create()).code
    eve = desk.peer("eve", address="203.0.113.7")
    assert [eve.ask("showTable", code=code)["type"] for _ in range(12)] == ["tablePage"] * 12
    for _ in range(10):
        eve.ask("showTable", code="WRNG-CDE2")
    assert eve.ask("showTable", code=code)["type"] == "refused"
