"""What a code tells of its table to somebody who has not come in."""

from __future__ import annotations

from tests.harness.desk import Desk, Message, Peer


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
