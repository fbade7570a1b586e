"""What could not be saved is taken back whole, and nobody hears of it; each of these was once a mistake."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_protocol.messages import CLIENT_MESSAGE, ClientMessage
from tablero_server.core.effects import Effects
from tablero_server.core.entry import Entry
from tablero_server.journal.roll_back import roll_back
from tests.harness.desk import RATED_CLOCK, Desk, Peer
from tests.harness.lost import lost_with

Message = dict[str, Any]


def command(**fields: Any) -> ClientMessage:
    """A client message as it would have come."""
    return CLIENT_MESSAGE.validate_python(fields, by_alias=True, by_name=False)


def lost_turn() -> Effects:
    return Effects([Entry("r1", 5, "turn", 0, None, 0, {"move": "b2"})])


def after_a_lost_turn(*messages: Message) -> tuple[list[Effects], list[Effects]]:
    """What is kept and what is lost of messages made right after a turn that was not saved."""
    failed, after = lost_turn(), Effects(messages=[(1, message) for message in messages])
    lost = lost_with({failed}, [failed, after])
    return ([], [after]) if after in lost else ([after], [])


def test_a_stale_turn_is_not_refused_with_events_that_were_lost() -> None:
    kept, lost = after_a_lost_turn({"type": "refused", "re": "a", "missed": [{"room": "r1", "seq": 5}]})
    assert kept == []
    assert len(lost) == 1


def test_a_pong_does_not_tell_the_head_of_a_room_that_lost_something() -> None:
    [kept], _ = after_a_lost_turn({"type": "pong", "re": "a", "heads": {"r1": 5, "r2": 3}})
    assert kept.messages[0][1]["heads"] == {"r2": 3}


def test_the_lobby_does_not_show_a_room_that_lost_something() -> None:
    lines = [{"room": "r1"}, {"room": "r2"}]
    [kept], _ = after_a_lost_turn({"type": "lobbyChanged", "rooms": lines, "players": [], "gone": []})
    assert kept.messages[0][1]["rooms"] == [{"room": "r2"}]


def test_the_lobby_tells_again_of_a_room_whose_line_was_dropped_and_is_as_it_was() -> None:
    desk = Desk()
    ann, bob, eve = desk.peer("ann"), desk.peer("bob"), desk.peer("eve")
    room = ann.create()
    eve.ask("watchLobby")
    desk.tick()
    bob.join(room)
    lost = desk.hub.receive(ann.number, command(type="say", id="s", room=room, text="hi"), desk.now)
    tick = desk.hub.tick(desk.now + 1_000)
    assert (lost_with({lost}, [lost, tick])) == [lost]
    assert lines_of(tick, room) == []
    roll_back(desk.hub, [lost], desk.now)
    assert [line["state"] for line in lines_of(desk.hub.tick(desk.now + 2_000), room)] == ["playing"]


def lines_of(effects: Effects, room: str) -> list[Any]:
    """What the lobby's watchers are told of a room."""
    lobby = [message for _, message in effects.messages if message["type"] == "lobbyChanged"]
    return [line for message in lobby for line in message["rooms"] if line["room"] == room]


@pytest.mark.parametrize("type", ["welcome", "ownRooms"])
def test_nobody_is_told_that_it_is_their_turn_in_a_room_that_lost_one(type: str) -> None:
    lines = [{"room": room, "toMove": [0], "clocks": [5, 5]} for room in ("r1", "r2")]
    [kept], _ = after_a_lost_turn({"type": type, "re": "a", "rooms": lines})
    assert kept.messages[0][1]["rooms"] == [{"room": "r1", "toMove": []}, lines[1]]


def rated_to_the_last_move(desk: Desk, one: Peer, other: Peer) -> str:
    """A rated table of tic-tac-toe where seat 0 may win by c1."""
    room = one.create(rated=True)
    other.join(room)
    for move, peer in zip(("a1", "a2", "b1", "b2"), (one, other, one, other), strict=True):
        peer.play(room, move)
    return room


def test_a_game_is_lost_with_the_rating_that_it_builds_on() -> None:
    desk = Desk()
    ann, bob, eve = desk.peer("ann"), desk.peer("bob"), desk.peer("eve")
    rooms = [rated_to_the_last_move(desk, ann, other) for other in (bob, eve)]
    other_table = rated_to_the_last_move(desk, bob, eve)
    ratings = desk.hub.rooms.ratings
    turns = [
        desk.hub.receive(
            ann.number, command(type="playTurn", id=room, room=room, seat=0, ply=4, move="c1"), desk.now
        )
        for room in rooms
    ]
    last = desk.hub.receive(
        bob.number, command(type="playTurn", id="l", room=other_table, seat=0, ply=4, move="c3"), desk.now
    )
    assert [career.games for career in ratings.of(ann.player).values()] == [2]
    lost = lost_with({turns[0]}, [*turns, last])
    assert list(lost) == turns
    told = roll_back(desk.hub, list(lost), 0)
    assert ratings.of(ann.player) == ratings.of(bob.player) == ratings.of(eve.player) == {}
    assert [message["reason"] for _, message in told.messages] == ["notSaved", "notSaved"]
    assert not desk.hub.accounts.by_id[ann.player].rated


def test_no_rating_is_told_in_the_lobby_that_is_taken_back() -> None:
    desk = Desk()
    ann, bob, eve = desk.peer("ann"), desk.peer("bob"), desk.peer("eve")
    ann.play(rated_to_the_last_move(desk, ann, bob), "c1")
    elsewhere = ann.create(clock=RATED_CLOCK)
    eve.ask("watchLobby")
    desk.tick()
    room = rated_to_the_last_move(desk, ann, bob)
    seek = ann.ask("seek", game="tic-tac-toe", clock=RATED_CLOCK)["seek"]
    desk.tick()
    lost = desk.hub.receive(
        ann.number, command(type="playTurn", id="l", room=room, seat=0, ply=4, move="c1"), desk.now
    )
    tick = desk.hub.tick(desk.now + 1_000)
    [line] = lines_of(tick, elsewhere)
    assert line["ratings"][0]["value"] > 1662
    [(_, told)] = [each for each in tick.messages if each[1]["type"] == "lobbyChanged"]
    assert [line["seek"] for line in told["seeks"]] == [seek]
    assert (lost_with({lost}, [lost, tick])) == [lost]
    [(_, told)] = [each for each in tick.messages if each[1]["type"] == "lobbyChanged"]
    assert told["rooms"] == told["seeks"] == []
    roll_back(desk.hub, [lost], desk.now)
    tick = desk.hub.tick(desk.now + 2_000)
    [line] = lines_of(tick, elsewhere)
    assert line["ratings"] == [{"value": 1662, "provisional": True}, None]
    [(_, told)] = [each for each in tick.messages if each[1]["type"] == "lobbyChanged"]
    assert [line["rating"]["value"] for line in told["seeks"]] == [1662]


def test_whoever_left_for_good_does_not_see_a_room_again_because_something_later_was_lost() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    second = desk.back(bob, same_session=False)
    second.join(room, watch=True)
    bob.ask("leave", room=room)
    bob.join(room, watch=True)
    desk.failing = True
    assert ann.refused("say", room=room, text="lost") == "retryLater"
    assert set(desk.views(room).viewers) == {ann.session, bob.session}


def test_all_sessions_of_a_player_hear_that_it_has_left() -> None:
    desk = Desk()
    _, bob, room = desk.pair()
    second = desk.back(bob, same_session=False)
    second.join(room, watch=True, subscribe=[])
    bob.ask("leave", room=room)
    assert [message["player"]["id"] for message in second.of("left")] == [bob.player]


def test_a_rematch_of_a_lost_agreement_is_agreed_on_anew() -> None:
    desk = Desk()
    options = {"width": 4, "height": 4, "mines": 3, "noGuess": True}
    ann = desk.peer("ann")
    room = ann.create("minesweeper", options=options)
    ann.ask("resign", room=room, seat=0)
    desk.slow = desk.failing = True
    assert ann.refused("offer", room=room, seat=0, what="rematch") == "retryLater"
    assert len(desk.hub.rooms.searches) == 0
    desk.failing = False
    ann.ask("offer", room=room, seat=0, what="rematch")
    desk.tick()
    while desk.asked:
        desk.prepared()
    assert desk.entries(room).count("rematch") == 1
    next = desk.room(room).next or ""
    assert desk.room(next).state.value == "playing"


def test_nobody_is_charged_by_a_wall_clock_that_went_back_and_forth() -> None:
    desk = Desk()
    ann, _, room = desk.pair(clock={"base": 60, "increment": 0})
    other = desk.peer("cat").create()
    desk.now += 3_600_000
    desk.restart()
    ann = desk.back(ann)
    ann.join(room, watch=True)
    cat = desk.peer("dan")
    cat.join(other)  # the last of this room is written by the clock that is ahead
    desk.now -= 3_600_000
    desk.restart()
    desk.now += 3_600_000
    desk.restart()
    assert desk.room(room).clock is not None
    assert desk.room(room).state.value == "playing"
    desk.tick(desk.hub.limits.grace_ms)
    assert desk.room(room).clock.remaining == (60_000, 60_000)  # type: ignore[union-attr]


def test_whoever_should_have_been_taken_out_while_nothing_could_be_saved_is_taken_out_later() -> None:
    desk = Desk()
    _, bob, room = desk.pair("minesweeper", seats=2, options={"mode": "race"})
    desk.drop(bob)
    desk.failing = True
    desk.tick(desk.hub.limits.absence_ms)
    assert bob.player in desk.room(room).members
    desk.failing = False
    desk.tick(desk.hub.limits.absence_ms)
    assert bob.player not in desk.room(room).members


def test_rooms_that_could_not_close_are_open_again_however_many_closed_at_once() -> None:
    desk = Desk(closed_rooms=1)
    ann, rooms = desk.peer("ann"), set()
    for _ in range(3):
        rooms.add(ann.create())
    desk.drop(ann)
    desk.failing = True
    desk.tick(desk.hub.limits.waiting_ms)
    assert set(desk.hub.rooms.open) == rooms
    desk.failing = False
    desk.tick(desk.hub.limits.waiting_ms)
    assert desk.hub.rooms.open == {}


def test_whoever_came_back_while_nothing_could_be_saved_stays() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create()
    desk.drop(ann)
    desk.now += desk.hub.limits.waiting_ms
    lost = desk.hub.tick(desk.now)
    assert [entry.kind for entry in lost.entries] == ["left", "closed"]
    back = desk.back(ann, same_session=False)
    roll_back(desk.hub, [lost], desk.now)
    back.join(room)
    desk.tick(2 * desk.hub.limits.waiting_ms)
    assert ann.player in desk.room(room).members


def test_whoever_asks_for_the_lobby_next_does_not_see_a_room_that_never_was() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    desk.failing = True
    assert ann.refused("createRoom", game="tic-tac-toe") == "retryLater"
    assert bob.ask("watchLobby")["rooms"] == []


def test_a_lost_answer_is_not_given_again_to_whoever_was_away_meanwhile() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create()
    lost = desk.hub.receive(ann.number, command(type="leave", id="mine", room=room), desk.now)
    desk.drop(ann)
    roll_back(desk.hub, [lost], desk.now)
    ann = desk.back(ann)
    ann.ask("leave", "mine", room=room)
    assert desk.entries(room)[-1] == "closed"


def test_nor_is_an_answer_that_no_log_records_and_that_showed_what_was_lost() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create()
    lost, shows = (
        desk.hub.receive(ann.number, command(id=type, type=type, room=room, **more), desk.now)
        for type, more in [("say", {"text": "hi"}), ("join", {})]
    )
    assert shows.messages[0][1]["seq"] == lost.entries[0].seq
    desk.drop(ann)
    roll_back(desk.hub, [lost, shows], desk.now)
    assert desk.back(ann).ask("join", "join", room=room)["seq"] == desk.room(room).head < lost.entries[0].seq


def test_nobody_is_told_that_a_room_is_no_more_whose_closing_was_lost() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room, other = ann.create(), "no-such-room"
    lost, again, elsewhere = (
        desk.hub.receive(ann.number, command(type="leave", id=id, room=where), desk.now)
        for id, where in [("mine", room), ("again", room), ("elsewhere", other)]
    )
    assert [message["code"] for _, message in again.messages] == ["unknownRoom"]
    gone = lost_with({lost}, [lost, again, elsewhere])
    assert gone == [lost, again]
    told = roll_back(desk.hub, gone, desk.now)
    assert [(message["re"], message["code"]) for _, message in told.messages] == [
        ("mine", "retryLater"),
        ("again", "retryLater"),
    ]


def test_whoever_left_and_came_back_while_nothing_could_be_saved_hears_what_it_heard_before() -> None:
    desk = Desk()
    _, bob, room = desk.pair()
    lost = [
        desk.hub.receive(bob.number, command(type="leave", id="out", room=room), desk.now),
        desk.hub.receive(bob.number, command(type="join", id="in", room=room, watch=True), desk.now),
    ]
    roll_back(desk.hub, lost, desk.now)
    viewer = desk.views(room).viewers[bob.session]
    assert (viewer.seats, viewer.events) == ({1}, {"nextPlayer"})


def test_nobody_is_told_that_a_code_is_wrong_whose_room_could_not_close() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    made = ann.ask("createRoom", game="tic-tac-toe", private=True)
    lost, wrong, other = (
        desk.hub.receive(peer.number, command(id="mine", **fields), desk.now)
        for peer, fields in [
            (ann, {"type": "leave", "room": made["room"]}),
            (bob, {"type": "join", "code": made["code"]}),
            (desk.peer("cat"), {"type": "join", "code": "0000-0000"}),
        ]
    )
    assert [message["code"] for _, message in wrong.messages] == ["wrongCode"]
    gone = lost_with({lost}, [lost, wrong, other])
    assert gone == [lost, wrong]
    told = roll_back(desk.hub, gone, desk.now)
    assert [(peer, message["code"]) for peer, message in told.messages] == [
        (ann.number, "retryLater"),
        (bob.number, "retryLater"),
    ]
    assert bob.ask("join", code=made["code"])["seat"] == 1


# Newcomers


def lost_hello(desk: Desk, name: str = "ann") -> tuple[Peer, Effects]:
    newcomer = desk.connect()
    hello = command(type="hello", id="hi", protocol=1, client="test", name=name)
    return newcomer, desk.hub.receive(newcomer.number, hello, desk.now)


def test_a_newcomer_whose_line_broke_before_the_news_leaves_the_name_to_others() -> None:
    desk = Desk()
    newcomer, hello = lost_hello(desk)
    dropped = desk.hub.dropped(newcomer.number, desk.now)
    roll_back(desk.hub, [hello, dropped], desk.now)
    assert desk.peer("ann").name == "ann"
    desk.tick(desk.hub.limits.session_memory_ms)
    desk.tick(desk.hub.limits.absence_ms)
    assert desk.peer("ann").name == "ann-2"


def test_so_does_one_who_asked_for_more_at_once() -> None:
    """In one frame after the other, before the first was answered; all of it is lost."""
    desk = Desk()
    host = desk.peer("olga")
    room = host.create(subscribe=["members"])
    newcomer, hello = lost_hello(desk)
    player = hello.messages[0][1]["player"]["id"]
    asked = [
        desk.hub.receive(newcomer.number, command(**fields), desk.now)
        for fields in (
            {"type": "watchLobby", "id": "a"},
            {"type": "createRoom", "id": "b", "game": "minesweeper", "options": {"noGuess": True}},
            {"type": "createRoom", "id": "c", "game": "tic-tac-toe"},
        )
    ]
    invite = command(type="invite", id="d", room=room, seat=1, player=player)
    assert desk.hub.receive(host.number, invite, desk.now).messages[-1][1]["type"] == "ok"
    roll_back(desk.hub, [hello, *asked], desk.now)
    assert set(desk.hub.accounts.by_id) == {host.player}
    assert desk.hub.invitations.kept(room) == set()
    assert set(desk.hub.rooms.open) == {room}
    [search] = asked[1].searches
    assert not desk.hub.found(search.ticket, None, desk.now).messages, "its room is gone"
    desk.tick()
    assert desk.peer("ann").name == "ann"


def test_a_newcomer_who_is_in_a_durable_room_stays_until_it_is_gone() -> None:
    desk = Desk()
    newcomer, hello = lost_hello(desk)
    made = desk.hub.receive(newcomer.number, command(type="createRoom", id="a", game="tic-tac-toe"), desk.now)
    desk.journal[made.entries[0].room] = made.entries
    roll_back(desk.hub, [hello], desk.now)
    [room] = desk.hub.rooms.open
    desk.drop(newcomer)
    desk.tick(desk.hub.limits.waiting_ms)
    assert desk.entries(room)[-2:] == ["left", "closed"]


# New names


def rename(desk: Desk, peer: Peer, name: str) -> Effects:
    """What the hub makes of a player's new name."""
    hello = command(type="hello", id="hi", protocol=1, client="test", name=name, token=peer.token)
    return desk.hub.receive(desk.connect().number, hello, desk.now)


def test_of_two_new_names_that_could_not_be_saved_neither_stays() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    roll_back(desk.hub, [rename(desk, ann, "anna"), rename(desk, ann, "annie")], desk.now)
    assert desk.back(ann).name == "ann"
    assert [desk.peer(name).name for name in ("anna", "annie")] == ["anna", "annie"]


def test_a_later_name_that_was_saved_stays() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    lost, _ = rename(desk, ann, "anna"), rename(desk, ann, "annie")
    roll_back(desk.hub, [lost], desk.now)
    assert desk.back(ann).name == "annie"


def test_an_old_name_that_somebody_took_meanwhile_is_had_with_a_number() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    lost = rename(desk, ann, "anna")
    assert desk.peer("ann").name == "ann"
    roll_back(desk.hub, [lost], desk.now)
    assert desk.back(ann).name == "ann-2"


def test_the_author_of_a_lost_turn_has_no_more_for_it_where_each_move_has_its_time() -> None:
    desk = Desk()
    ann, _, room = desk.pair(clock={"perMove": 10}, subscribe=["nextPlayer", "chat"])
    desk.now += 3_000
    ann.ask("say", room=room, text="let me think")
    desk.failing = True
    assert ann.refused("playTurn", room=room, seat=0, ply=0, move="b2") == "retryLater"
    clock = desk.room(room).clock
    assert clock is not None
    assert clock.left(desk.now)[0] == 7_000
