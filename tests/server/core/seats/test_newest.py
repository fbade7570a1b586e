"""What somebody is shown who reads too slowly to be told everything."""

from __future__ import annotations

from tests.harness.desk import Desk


def test_the_newest_is_enough_for_who_watches_and_for_nobody_who_has_a_seat() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    cat, dan = desk.peer("cat"), desk.peer("dan")
    cat.join(room)
    second = desk.back(ann, same_session=False)
    second.join(room, watch=True)
    who = (cat, dan, ann, second)
    is_enough = [desk.hub.newest.is_enough(desk.hub.peers.get(each.number), room) for each in who]
    assert is_enough == [True, False, False, False]
    assert not desk.hub.newest.is_enough(desk.hub.peers[cat.number], "r-none")
    assert not desk.hub.newest.is_enough(None, room)


def test_it_is_shown_of_rooms_that_one_still_sees_and_of_the_lobby_that_one_still_watches() -> None:
    desk = Desk()
    _, bob, room = desk.pair()
    cat = desk.peer("cat")
    cat.join(room)
    session = desk.hub.peers[cat.number]
    shown = desk.hub.newest.show(session, {room, "r-gone"}, {bob.player}).messages
    assert [(to, message["type"], message["room"]) for to, message in shown] == [
        (cat.number, "snapshot", room)
    ]
    cat.ask("watchLobby")
    shown = desk.hub.newest.show(session, (), {bob.player}).messages
    assert [line["name"] for _, changed in shown for line in changed["players"]] == ["bob"]
    assert desk.hub.newest.show(None, {room}, {bob.player}).messages == []
