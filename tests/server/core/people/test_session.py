"""Connections break and sessions outlive them: coming back, resuming, and being gone."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_protocol.messages import CLIENT_MESSAGE
from tablero_server.core.people.session import (
    Account,
    EarlierAnswer,
    Session,
    SessionState,
)
from tests.harness.desk import Desk, Message, Peer
from tests.harness.garbage import garbage

ALL = ["nextPlayer", "chat", "members", "offers"]


def resume(peer: Peer, room: str, **fields: Any) -> Message:
    return peer.ask(
        "resume", room=room, **{"epoch": peer.desk.room(room).epoch, "seq": peer.heads[room], **fields}
    )


# Resuming


def test_resume_brings_exactly_what_was_missed() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(subscribe=ALL)
    cat = desk.peer("cat")
    cat.join(room, subscribe=ALL)
    desk.drop(bob)
    ann.play(room, "b2")
    ann.ask("say", room=room, text="take your time")
    ann.ask("offer", room=room, seat=0, what="draw")
    seen_by_cat = [*cat.seen]
    back = desk.back(bob)
    answer = resume(back, room)
    assert answer == {"type": "ok", "re": answer["re"], "room": room, "seq": desk.room(room).head}
    assert [message["type"] for message in back.seen] == ["nextPlayer", "said", "offered"]
    without_seat = [{key: value for key, value in each.items() if key != "seat"} for each in back.turns]
    cat_turns = [each for each in seen_by_cat if each["type"] == "nextPlayer"][-1:]
    assert without_seat == cat_turns, "as if nothing had broken"
    assert back.heads[room] == desk.room(room).head


def test_who_missed_nothing_gets_nothing() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    assert resume(ann, room)["type"] == "ok"
    assert ann.seen == []


def test_what_was_not_subscribed_to_comes_as_numbers_again() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    desk.drop(bob)
    ann.ask("say", room=room, text="hello")
    ann.play(room, "b2")
    back = desk.back(bob)
    resume(back, room)
    assert [message["type"] for message in back.seen] == ["seq", "nextPlayer"]


def test_every_held_seat_is_replayed() -> None:
    desk = Desk()
    ann = desk.peer()
    room = ann.create()
    ann.join(room, seat=1)
    start = desk.room(room).head
    ann.play(room, "b2")
    resume(ann, room, seq=start)
    assert [(turn["seat"], turn["ply"]) for turn in ann.turns] == [(0, 1), (1, 1)]


@pytest.mark.parametrize("fields", [{"epoch": "another"}, {"seq": 999}])
def test_another_epoch_or_the_future_brings_a_snapshot(fields: Message) -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    ann.play(room, "b2")
    snapshot = resume(ann, room, **fields)
    assert (snapshot["type"], snapshot["seq"], snapshot["epoch"]) == (
        "snapshot",
        desk.room(room).head,
        desk.room(room).epoch,
    )
    assert ann.seen == [], "never a part"
    [turn] = snapshot["turns"]
    assert (turn["ply"], turn["seat"], turn["last"]["move"]) == (1, 0, "b2")
    assert snapshot["table"]["state"] == "playing"


def test_too_far_behind_brings_a_snapshot() -> None:
    desk = Desk(replay_events=2)
    ann, bob, room = desk.pair()
    head = desk.room(room).head
    for player, move in ((ann, "b2"), (bob, "a1")):
        player.play(room, move)
    assert resume(ann, room, seq=head)["type"] == "ok"
    ann.play(room, "c3")
    assert resume(ann, room, seq=head)["type"] == "snapshot"


def test_a_snapshot_of_a_waiting_room_has_no_turns() -> None:
    desk = Desk()
    ann = desk.peer()
    room = ann.create()
    assert resume(ann, room, epoch="another")["turns"] == []


def test_nobody_resumes_the_first_record() -> None:
    desk = Desk()
    ann, _, room = desk.pair(subscribe=ALL)
    resume(ann, room, seq=0)
    assert [message["seq"] for message in ann.seen] == [1, 2, 3]
    assert desk.journal[room][0].body["seed"] not in str(ann.seen)


def test_a_hidden_view_is_replayed_as_it_was() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create("minesweeper", options={"mode": "race", "width": 5, "height": 5, "mines": 4})
    bob.join(room)
    [start] = bob.turns
    position = desk.room(room).position
    assert position is not None
    flag = next(move for move in position.legal_moves(1) if move.startswith("flag"))
    bob.play(room, flag, seat=1)
    resume(bob, room, seq=start["seq"] - 1)
    assert bob.turns[0] == start
    assert len(bob.turns) == 2


# Coming back


def test_the_session_keeps_seats_and_subscriptions() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    desk.drop(ann)
    desk.tick(desk.hub.limits.session_memory_ms - 1)
    back = desk.back(ann)
    assert back.session == ann.session
    resume(back, room)
    assert back.play(room, "b2")["type"] == "nextPlayer"
    bob.play(room, "a1")
    assert back.turns[-1]["ply"] == 2


def test_while_it_is_away_nothing_is_sent() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    desk.drop(ann)
    before = [*ann.seen]
    bob.ask("say", room=room, text="hello?")
    assert ann.seen == before


def test_dropping_twice_is_dropping_once() -> None:
    desk = Desk()
    ann = desk.peer()
    desk.drop(ann)
    desk.drop(ann)
    desk.drop(desk.connect())
    assert desk.hub.peers == {}


def test_a_session_expires_and_its_player_joins_again() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    desk.drop(ann)
    desk.tick(desk.hub.limits.session_memory_ms)
    back = desk.back(ann)
    assert back.session != ann.session
    assert [(held["room"], held["seats"]) for held in back.welcome["rooms"]] == [(room, [0])]
    assert back.refused("say", room=room, text="hello") == "forbidden"
    assert back.join(room)["seat"] == 0
    assert back.play(room, "b2")["seat"] == 0
    assert bob.turns[-1]["ply"] == 1


# Being gone


def test_who_returns_in_time_plays_on() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    desk.drop(ann)
    desk.tick(desk.hub.limits.absence_ms - 1)
    desk.back(ann).join(room)
    desk.tick(desk.hub.limits.absence_ms)
    assert desk.room(room).state.value == "playing"


def test_with_another_session_open_nobody_is_absent() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    desk.back(ann, same_session=False).join(room)
    desk.drop(ann)
    desk.tick(desk.hub.limits.absence_ms)
    assert desk.room(room).state.value == "playing"


def test_a_replaced_connection_cannot_throw_the_newer_one_out() -> None:
    """Its own end may still be on the way to it, behind a commit."""
    desk = Desk()
    ann, _, room = desk.pair()
    newer = desk.back(ann)
    assert ann.closed == 4101
    hub, number = desk.hub, ann.number
    for type, fields in (
        ("hello", {"protocol": 1, "client": "test", "token": ann.token, "session": ann.session}),
        ("hello", {"protocol": 1, "client": "test", "name": "ann"}),
        ("say", {"room": room, "text": "still here"}),
    ):
        message = CLIENT_MESSAGE.validate_python({"type": type, "id": "late", **fields}, by_alias=True)
        effects = hub.receive(number, message, desk.now)
        assert [(to, sent["code"]) for to, sent in effects.messages] == [(number, "forbidden")]
        assert not effects.closes
    assert newer.ask("ping")["type"] == "pong"
    desk.drop(ann)
    assert number not in hub.entrance._closing
    assert newer.ask("ping")["type"] == "pong"


def test_an_expired_session_that_left_a_room_is_freed_at_once() -> None:
    with garbage("tablero_server") as freed:
        desk = Desk()
        ann, _, room = desk.pair()
        ann.ask("resign", room=room, seat=0)
        ann.ask("leave", room=room)
        desk.drop(ann)
        desk.tick(desk.hub.limits.session_memory_ms)
        assert ann.session not in desk.hub.accounts.sessions
        assert not freed()


# By itself


def test_a_session_walks_through_its_states() -> None:
    session = Session("s", Account("a", "ann", bot=False, created=0))
    states = [session.state]
    session.hello(1)
    states.append(session.state)
    assert session.hello(2) == 1, "the older peer"
    session.drop()
    states.append(session.state)
    assert session.peer is None
    session.expire()
    states.append(session.state)
    assert states == [SessionState.GREETING, SessionState.OPEN, SessionState.AWAY, SessionState.GONE]


def test_answers_are_forgotten_by_age_and_by_number() -> None:
    content: Any = 0
    session = Session("s", Account("a", "ann", bot=False, created=0))
    for at in range(5):
        session.remember(f"id{at}", EarlierAnswer(content, at, []), oldest=0, most=3)
    assert list(session.answered) == ["id2", "id3", "id4"]
    session.remember("id9", EarlierAnswer(content, 9, []), oldest=4, most=3)
    assert list(session.answered) == ["id4", "id9"]
