"""What is told once more: what was missed, one by one or as a snapshot; and to a repeat its first answer.

test_replay looks at what that costs, and that a long past is told as a whole fold would tell it.
"""

from __future__ import annotations

import time
from typing import Any

import pytest
from msgpack import packb

from tablero_server.core.entry import Cause
from tablero_server.core.limits.limits import Rate
from tablero_server.core.meeting.television import CHOOSE_EVERY_MS
from tablero_server.core.seats.resume import history
from tests.harness.desk import Desk, Message, Peer


def resumed(peer: Peer, room: str, seq: int, epoch: str) -> list[Message]:
    """What came, the answer last."""
    answer = peer.ask("resume", room=room, epoch=epoch, seq=seq)
    return [*peer.seen, answer]


def played(*moves: str, **limits: int) -> tuple[Desk, Peer, str, str]:
    """Two who have played, four turns unless others are named; the second of them, and its room."""
    desk = Desk(**limits)
    ann, bob, room = desk.pair(subscribe=["nextPlayer", "chat"])
    for number, move in enumerate(moves or ("b2", "a1", "c3", "a3")):
        (ann, bob)[number % 2].play(room, move)
    return desk, bob, room, desk.room(room).epoch


def test_whoever_missed_nothing_is_told_so() -> None:
    desk, bob, room, epoch = played()
    head = desk.room(room).head
    assert [(each["type"], each["seq"]) for each in resumed(bob, room, head, epoch)] == [("ok", head)]


def test_what_was_missed_comes_one_by_one_as_it_came_to_those_who_were_there() -> None:
    desk, bob, room, epoch = played()
    *turns, ok = resumed(bob, room, desk.room(room).head - 2, epoch)
    assert [each["last"]["move"] for each in turns] == ["c3", "a3"]
    assert [each["seq"] for each in turns] == [ok["seq"] - 1, ok["seq"]]


@pytest.mark.parametrize(("most", "answer"), [(4, "ok"), (3, "snapshot")])
def test_more_events_than_are_told_one_by_one_come_as_a_snapshot(most: int, answer: str) -> None:
    desk, bob, room, epoch = played(replay_events=most)
    told = resumed(bob, room, desk.room(room).head - 4, epoch)
    assert told[-1]["type"] == answer
    assert len(told) == (5 if answer == "ok" else 1)


def test_more_bytes_than_are_told_one_by_one_come_as_a_snapshot() -> None:
    desk, bob, room, epoch = played()
    start = desk.room(room).head - 4
    *turns, _ = resumed(bob, room, start, epoch)
    size = len(packb(turns))
    for most, answer in ((size, "ok"), (size - 1, "snapshot")):
        desk, bob, room, epoch = played(replay_bytes=most)
        told = resumed(bob, room, start, epoch)
        assert told[-1]["type"] == answer
        assert len(told) == (5 if answer == "ok" else 1)


def test_turns_of_the_past_count_as_much_as_the_last_one_before_they_are_replayed() -> None:
    won = ("a1", "b1", "a2", "b2", "a3")
    desk, bob, room, epoch = played(*won)
    start = desk.room(room).head - 3
    *turns, _ = resumed(bob, room, start, epoch)
    most = 2 * len(packb(turns[-1:]))
    assert len(packb(turns)) < most, "the outcome makes the last one larger than those before"
    for bytes_, answer in ((most, "ok"), (most - 1, "snapshot")):
        desk, bob, room, epoch = played(*won, replay_bytes=bytes_)
        assert resumed(bob, room, start, epoch)[-1]["type"] == answer


@pytest.mark.parametrize("seq", [-1, 1])
def test_whoever_knows_another_room_of_that_name_gets_it_as_it_is(seq: int) -> None:
    """Of another epoch, or from a future that a restored copy does not know."""
    desk, bob, room, epoch = played()
    head = desk.room(room).head
    asked = resumed(bob, room, head, "other") if seq < 0 else resumed(bob, room, head + seq, epoch)
    [snapshot] = asked
    assert (snapshot["type"], snapshot["seq"], snapshot["epoch"]) == ("snapshot", head, epoch)
    assert snapshot["turns"][0]["ply"] == 4


def test_only_what_somebody_subscribed_to_is_told_and_the_rest_is_counted() -> None:
    desk, bob, room, epoch = played()
    bob.ask("unsubscribe", room=room, event="nextPlayer")
    told = resumed(bob, room, desk.room(room).head - 4, epoch)
    assert [each["type"] for each in told] == ["seq", "seq", "seq", "seq", "ok"]


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


RACE = {"mode": "race", "width": 6, "height": 5, "mines": 5}


def turns(peer: Peer, room: str, **fields: Any) -> list[Message]:
    answer = peer.ask("showHistory", room=room, **fields)
    assert answer["type"] == "history", answer
    assert "more" not in answer
    return list(answer["turns"])


def lines(told: list[Message], *keys: str) -> list[tuple[Any, ...]]:
    return [tuple(turn.get(key) for key in keys) for turn in told]


def test_who_comes_late_is_told_the_whole_game() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock={"base": 60, "increment": 0})
    ann.play(room, "b2")
    desk.tick(1_000)
    bob.play(room, "a1")
    ann.ask("say", room=room, text="hm")
    bob.ask("offer", room=room, seat=1, what="takeback")
    [offer] = desk.room(room).offers
    ann.ask("answer", room=room, seat=0, offer=offer, yes=True)
    bob.play(room, "c3")
    cat = desk.peer("cat")
    cat.join(room)
    told = turns(cat, room)
    assert lines(told, "ply", "seat", "move", "tookBack") == [
        (1, 0, "b2", None),
        (2, 1, "a1", None),
        (3, 1, None, 1),
        (4, 1, "c3", None),
    ]
    assert [turn["seq"] for turn in told] == sorted(
        entry.seq for entry in desk.journal[room] if entry.kind in ("turn", "tookBack")
    )
    assert told[1]["clocks"] == [60_000, 59_000]
    assert told[1]["at"] == desk.now
    assert told == turns(ann, room) == turns(bob, room)


def test_how_a_game_ended_is_told_too() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    ann.play(room, "b2")
    bob.ask("resign", room=room, seat=1)
    assert lines(turns(ann, room), "ply", "seat", "withdrew") == [(1, 0, None), (1, 1, "resign")]
    ann, bob, room = (desk := Desk()).pair()
    ann.ask("offer", room=room, seat=0, what="draw")
    bob.ask("offer", room=room, seat=1, what="draw")
    assert lines(turns(ann, room), "ply", "seat", "drawn") == [(0, None, "agreed")]
    ann, bob, room = (desk := Desk()).pair()
    bob.ask("leave", room=room)
    assert lines(turns(ann, room), "ply", "seat", "aborted") == [(0, None, "left")]


def test_only_what_came_after_an_event_is_told() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    seqs = [peer.play(room, move)["seq"] for peer, move in ((ann, "b2"), (bob, "a1"), (ann, "c3"))]
    assert lines(turns(bob, room, after=seqs[1]), "ply", "move") == [(3, "c3")]
    assert turns(bob, room, after=seqs[2]) == []
    assert turns(bob, room, after=2**53) == []


def test_before_the_start_there_is_nothing_to_tell() -> None:
    ann = Desk().peer()
    assert turns(ann, ann.create()) == []


def test_of_a_running_race_one_hears_ones_own_moves_and_at_its_end_all() -> None:
    desk = Desk()
    ann, bob, room = desk.pair("minesweeper", seats=2, options=RACE)
    for peer, seat in ((ann, 0), (bob, 1)):
        position = desk.room(room).position
        assert position is not None
        flag = next(move for move in position.legal_moves(seat) if move.startswith("flag"))
        peer.play(room, flag, seat)
    cat = desk.peer("cat")
    cat.join(room)
    for peer, known in ((ann, {0}), (bob, {1}), (cat, set())):
        told = turns(peer, room)
        assert [turn["seat"] for turn in told] == [0, 1]
        assert {turn["seat"] for turn in told if "move" in turn} == known
    ann.ask("resign", room=room, seat=0)
    bob.ask("resign", room=room, seat=1)
    assert [("move" in turn, "withdrew" in turn) for turn in turns(cat, room)] == [
        (True, False),
        (True, False),
        (False, True),
        (False, True),
    ]


# However long it was


def a_long_game(desk: Desk, count: int) -> tuple[Peer, str]:
    """Solo, with so many turns played past the desk, which would fold the log after each."""
    ann = desk.peer()
    room = ann.create("minesweeper")
    found = desk.room(room)
    for number in range(count):
        move = ("flag a1", "unflag a1")[number % 2]
        cause = Cause(ann.player, f"c{number}", 0)
        desk.journal[room].append(found.play_turn(cause, 0, found.ply, move, number))
    desk.hub.rooms.entries += count
    ann.behind.add(room)
    return ann, room


def test_a_long_game_is_told_in_pages_that_join() -> None:
    desk = Desk()
    ann, room = a_long_game(desk, 1_300)
    told: list[Message] = []
    after: int | None = 0
    while after is not None:
        page = ann.ask("showHistory", room=room, after=after)
        assert len(packb(page)) <= desk.hub.limits.replay_bytes
        told, after = told + page["turns"], page.get("more")
    assert [turn["ply"] for turn in told] == list(range(1, 1_301))
    assert len({turn["seq"] for turn in told}) == 1_300


def test_a_page_has_no_more_bytes_than_a_replay() -> None:
    desk = Desk(replay_bytes=2_000)
    ann, room = a_long_game(desk, 200)
    page = ann.ask("showHistory", room=room)
    assert 1_500 < len(packb(page)) <= 2_000
    assert page["more"] == page["turns"][-1]["seq"]


def test_no_page_of_ten_thousand_turns_takes_longer_than_the_first() -> None:
    desk = Desk()
    _, room = a_long_game(desk, 10_000)
    found, times = desk.room(room), []
    for after in (0, 9_000):
        tries = []
        for _ in range(20):
            began = time.thread_time()
            assert len(history(found, [0], after, 65_536)["turns"]) == 500
            tries.append(time.thread_time() - began)
        times.append(min(tries))
    assert times[1] < 4 * times[0]


def test_whoever_asks_for_more_than_the_server_can_tell_has_to_wait() -> None:
    desk = Desk(messages=Rate(100, 40))
    ann, room = a_long_game(desk, 1_000)
    answers = [ann.ask("showHistory", room=room) for _ in range(12)]
    assert [answer.get("code", answer["type"]) for answer in answers[::11]] == ["history", "rateLimited"]


# Repeats: (player, id) is unique, a repeat does nothing, and with another content it is refused

LOGGED: list[tuple[str, Message]] = [
    ("playTurn", {"seat": 0, "ply": 0, "move": "b2"}),
    ("resign", {"seat": 0}),
    ("say", {"text": "hello"}),
    ("offer", {"seat": 0, "what": "draw"}),
]


@pytest.mark.parametrize(
    "subscribe", [[], ["nextPlayer", "chat", "offers", "members"]], ids=["unsubscribed", "subscribed"]
)
@pytest.mark.parametrize(("command", "fields"), LOGGED, ids=[command for command, _ in LOGGED])
def test_a_repeat_gets_the_first_answer_again(command: str, fields: Message, subscribe: list[str]) -> None:
    desk = Desk()
    ann, bob, room = desk.pair(subscribe=subscribe)
    first = ann.ask(command, "once", room=room, **fields)
    bob.ask("say", room=room, text="meanwhile")
    entries = desk.entries(room)
    assert ann.ask(command, "once", room=room, **fields) == first
    assert desk.entries(room) == entries, "and nothing was done"
    assert ann.seen == []


@pytest.mark.parametrize(("command", "fields"), LOGGED, ids=[command for command, _ in LOGGED])
def test_what_a_log_records_is_remembered_across_sessions(command: str, fields: Message) -> None:
    desk = Desk()
    ann, _, room = desk.pair(subscribe=["nextPlayer", "chat", "offers"])
    first = ann.ask(command, "once", room=room, **fields)
    desk.drop(ann)
    desk.tick(desk.hub.limits.session_memory_ms)
    fresh = desk.back(ann)
    assert fresh.session != ann.session
    again = fresh.ask(command, "once", room=room, **fields)
    assert (again["type"], again["seq"]) in ((first["type"], first["seq"]), ("ok", first["seq"]))
    entries = desk.entries(room)
    assert fresh.ask(command, "once", room=room, **fields)["seq"] == first["seq"]
    assert desk.entries(room) == entries


def test_creating_and_joining_again_is_done_once() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    made = ann.ask("createRoom", "make", game="tic-tac-toe", private=True)
    assert ann.ask("createRoom", "make", game="tic-tac-toe", private=True) == made
    assert len(desk.journal) == 1
    came = bob.ask("join", "come", code=made["code"])
    again = bob.ask("join", "come", code=made["code"])
    assert [again[key] for key in ("room", "seat", "seq", "code")] == [
        came[key] for key in ("room", "seat", "seq", "code")
    ]
    assert desk.entries(made["room"]) == ["created", "joined", "joined", "started"]


def test_coming_in_again_from_a_new_session_is_being_there() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    made: Message = {"game": "tic-tac-toe", "subscribe": ["nextPlayer"]}
    room = ann.ask("createRoom", "make", **made)["room"]
    came: Message = {"room": room, "subscribe": ["nextPlayer"]}
    bob.ask("join", "come", **came)
    entries = desk.entries(room)
    for old, command, fields in ((ann, ("createRoom", "make"), made), (bob, ("join", "come"), came)):
        desk.drop(old)
        new = desk.back(old, same_session=False)
        assert new.ask(*command, **fields)["type"] == "joined"
        assert new.session in desk.views(room).viewers
        assert [turn["seat"] for turn in new.turns] == [desk.room(room).seats.index(new.player)]
        assert new.play(room, "b2" if old is ann else "a1")["type"] == "nextPlayer", "it plays its seat"
    assert desk.entries(room) == [*entries, "turn", "turn"], "and nothing else was done"


def test_joining_again_after_the_room_was_left_is_not_being_there() -> None:
    desk = Desk()
    _, _, room = desk.pair()
    came: Message = {"room": room, "watch": True}
    cat = desk.peer("cat")
    cat.ask("join", "come", **came)
    cat.ask("leave", room=room)
    assert cat.refused("join", "come", **came) == "idReused"
    new = desk.back(cat, same_session=False)
    assert new.refused("join", "come", **came) == "idReused"
    assert new.join(room)["table"]["members"][-1]["player"]["id"] == cat.player


def test_whoever_was_taken_out_before_the_answer_came_is_not_told_to_be_there() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    race = {"mode": "race", "width": 6, "height": 5, "mines": 5}
    room = ann.create("minesweeper", seats=2, options=race)
    bob.ask("join", "come", room=room)
    desk.drop(bob)
    desk.tick(desk.hub.limits.absence(None))
    bob = desk.back(bob)
    assert bob.player not in desk.room(room).members
    assert bob.ask("join", "come", room=room)["reason"] == "leftSince"


def test_a_late_copy_of_how_a_session_came_in_does_not_bring_it_back() -> None:
    desk = Desk()
    _, _, room = desk.pair()
    came: Message = {"room": room, "watch": True}
    cat = desk.peer("cat")
    cat.ask("join", "come", **came)
    cat.ask("leave", room=room)
    desk.back(cat, same_session=False).join(room, watch=True)
    cat.ask("join", "come", **came)
    assert cat.session not in desk.views(room).viewers


def test_a_late_copy_does_not_bring_a_session_back_after_a_restart_either() -> None:
    desk = Desk()
    _, _, room = desk.pair()
    came: Message = {"room": room, "watch": True}
    cat = desk.peer("cat")
    cat.ask("join", "come", **came)
    cat.ask("leave", room=room)
    other = desk.back(cat, same_session=False)
    desk.restart()
    cat, other = desk.back(cat), desk.back(other)
    other.join(room, watch=True)
    assert cat.ask("join", "come", **came)["reason"] == "leftSince"
    assert cat.session not in desk.views(room).viewers


def test_the_last_to_leave_may_say_so_again() -> None:
    desk = Desk()
    ann = desk.peer()
    room = ann.create()
    first = ann.ask("leave", "bye", room=room)
    assert ann.ask("leave", "bye", room=room) == first


def test_leaving_an_open_room_again_gets_the_first_answer() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    first = ann.ask("leave", "bye", room=room)
    assert ann.ask("leave", "bye", room=room) == first


def test_an_answer_is_repeated_as_it_was_then() -> None:
    ann, bob, room = Desk().pair()
    first = ann.ask("playTurn", "once", room=room, seat=0, ply=0, move="b2")
    bob.play(room, "a1")
    ann.play(room, "c3")
    assert ann.ask("playTurn", "once", room=room, seat=0, ply=0, move="b2") == first


@pytest.mark.parametrize(
    ("command", "first", "other"),
    [
        ("playTurn", {"seat": 0, "ply": 0, "move": "b2"}, {"seat": 0, "ply": 0, "move": "a1"}),
        ("say", {"text": "yes"}, {"text": "no"}),
        ("subscribe", {"event": "chat"}, {"event": "offers"}),
        ("unsubscribe", {"event": "chat"}, {"event": "offers"}),
    ],
)
def test_an_id_for_another_content_is_refused(command: str, first: Message, other: Message) -> None:
    ann, _, room = Desk().pair()
    assert ann.ask(command, "once", room=room, **first)["type"] != "refused"
    assert ann.refused(command, "once", room=room, **other) == "idReused"


def test_an_id_for_another_command_is_refused() -> None:
    ann, _, room = Desk().pair()
    ann.ask("subscribe", "once", room=room, event="chat")
    assert ann.refused("say", "once", room=room, text="hello") == "idReused"


def test_ids_are_each_players_own() -> None:
    ann, bob, room = Desk().pair()
    ann.ask("say", "once", room=room, text="hello")
    assert bob.ask("say", "once", room=room, text="hi")["type"] == "ok"


def test_a_refused_command_may_be_tried_again_with_its_id() -> None:
    ann, bob, room = Desk().pair()
    turn: Message = {"room": room, "seat": 1, "ply": 1, "move": "b2"}
    assert bob.refused("playTurn", "try", **turn) == "stale"
    ann.play(room, "a1")
    assert bob.ask("playTurn", "try", **turn)["type"] == "nextPlayer"


def test_an_invitation_is_sent_once() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create()
    first = ann.ask("invite", "once", room=room, seat=1, player=bob.player)
    assert ann.ask("invite", "once", room=room, seat=1, player=bob.player) == first
    assert len(bob.of("invited")) == 1


def test_subscribing_again_shows_the_position_as_it_is_now() -> None:
    ann, _, room = Desk().pair()
    ann.ask("subscribe", "once", room=room, event="nextPlayer")
    ann.play(room, "b2")
    assert ann.ask("subscribe", "once", room=room, event="nextPlayer")["ply"] == 1


def test_what_no_log_records_is_remembered_for_a_while_only() -> None:
    desk = Desk(session_memory_ms=1_000)
    ann, _, room = desk.pair()
    ann.ask("unsubscribe", "once", room=room, event="chat")
    desk.tick(1_001)
    ann.ask("unsubscribe", room=room, event="members")
    assert ann.ask("unsubscribe", "once", room=room, event="offers")["type"] == "ok"


def test_a_session_remembers_only_so_many_answers() -> None:
    desk = Desk(remembered_answers=3)
    ann, _, room = desk.pair()
    for number in range(6):
        ann.ask("unsubscribe", f"id{number}", room=room, event="chat")
    session = desk.hub.peers[ann.number]
    assert list(session.answered) == ["id3", "id4", "id5"]


def test_a_ping_may_reuse_an_id() -> None:
    ann = Desk().peer()
    assert ann.ask("ping", "same") == ann.ask("ping", "same")


# After the room has closed


CLOSING: list[tuple[str, Message]] = [
    ("createRoom", {"game": "tic-tac-toe", "subscribe": ["chat", "nextPlayer"]}),
    ("say", {"text": "hello"}),
    ("leave", {}),
]


def close_a_room(ann: Peer) -> tuple[list[tuple[str, Message]], list[Message]]:
    """What Ann asked in a room that is closed now, and what she was answered."""
    asked, answers = [], []
    room: Message = {}
    for command, fields in CLOSING:
        asked.append((command, {**fields, **room}))
        answers.append(ann.ask(command, f"my-{command}", **asked[-1][1]))
        room = {"room": answers[0]["room"]}
    return asked, answers


def ask_again(ann: Peer, asked: list[tuple[str, Message]]) -> list[Message]:
    return [ann.ask(command, f"my-{command}", **fields) for command, fields in asked]


def test_a_closed_room_gives_its_first_answers_again() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    asked, answers = close_a_room(ann)
    assert [answer["type"] for answer in answers] == ["joined", "said", "left"]
    joined, said, left = answers
    done = {"type": "ok", "re": said["re"], "room": said["room"], "seq": said["seq"]}
    assert ask_again(ann, asked) == [joined, done, left], "it has left, and is subscribed to nothing"
    assert len(desk.journal) == 1


@pytest.mark.parametrize("restarted", [False, True], ids=["in another session", "after a restart"])
def test_a_closed_room_knows_its_commands(restarted: bool) -> None:
    desk = Desk()
    ann = desk.peer("ann")
    asked, answers = close_a_room(ann)
    [room] = desk.journal
    entries = desk.entries(room)
    if restarted:
        desk.restart()
    ann = desk.back(ann, same_session=False)
    again = ask_again(ann, asked)
    assert [answer["type"] for answer in again] == ["joined", "ok", "left"], "it subscribed to nothing"
    assert [answer["seq"] for answer in again] == [answer["seq"] for answer in answers]
    assert [answer["room"] for answer in again] == [room] * 3
    assert (desk.entries(room), desk.hub.rooms.open) == (entries, {})


@pytest.mark.parametrize("restarted", [False, True], ids=["before", "after a restart"])
def test_an_id_of_a_closed_room_is_not_for_another_content(restarted: bool) -> None:
    desk = Desk()
    ann = desk.peer("ann")
    close_a_room(ann)
    if restarted:
        desk.restart()
        ann = desk.back(ann)
    assert ann.refused("createRoom", "my-createRoom", game="quoridor") == "idReused"
    assert ann.refused("leave", "my-leave", room="another") == "idReused"


def test_a_closed_room_is_forgotten_when_a_session_would_be() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    _, answers = close_a_room(ann)
    room = answers[0]["room"]
    desk.tick(desk.hub.limits.session_memory_ms - 1)
    assert ann.ask("leave", "my-leave", room=room) == answers[-1]
    desk.tick(1)
    assert ann.refused("leave", "my-leave", room=room) == "unknownRoom"
    assert desk.hub.accounts.by_id[ann.player].logged == {}


def test_only_what_closed_lately_is_known_after_a_restart() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    _, answers = close_a_room(ann)
    desk.tick(desk.hub.limits.session_memory_ms)
    later = ann.create()
    ann.ask("leave", "later", room=later)
    desk.restart()
    ann = desk.back(ann)
    assert ann.ask("leave", "later", room=later)["type"] == "left"
    assert ann.refused("leave", "my-leave", room=answers[0]["room"]) == "unknownRoom"


def test_a_long_outage_is_no_reason_to_forget() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    asked, _ = close_a_room(ann)
    desk.now += 24 * 3_600_000
    desk.restart()
    assert ask_again(desk.back(ann), asked)[-1]["type"] == "left"


def test_only_so_many_closed_rooms_are_known() -> None:
    desk = Desk(closed_rooms=2)
    ann = desk.peer("ann")
    rooms = [ann.create() for _ in range(3)]
    for room in rooms:
        ann.ask("leave", f"leave-{room}", room=room)
    assert [ann.ask("leave", f"leave-{room}", room=room)["type"] for room in rooms] == [
        "refused",
        "left",
        "left",
    ]


def test_a_room_that_could_not_close_is_not_forgotten_like_one_that_did() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    made = ann.ask("createRoom", "make", game="tic-tac-toe")
    desk.failing = True
    assert ann.refused("leave", room=made["room"]) == "retryLater"
    desk.failing = False
    desk.tick(desk.hub.limits.session_memory_ms)
    assert ann.ask("createRoom", "make", game="tic-tac-toe") == made


@pytest.mark.parametrize("restarted", [False, True], ids=["in one life", "after a restart"])
def test_what_the_journal_alone_still_knows_is_not_done_again(restarted: bool) -> None:
    desk = Desk()
    ann = desk.peer("ann")
    (_, fields), *_ = close_a_room(ann)[0]
    desk.tick(desk.hub.limits.session_memory_ms)
    ann.ask("leave", room=ann.create())
    if restarted:
        desk.restart()
        ann = desk.back(ann)
    assert ann.refused("createRoom", "my-createRoom", **fields) == "idReused"
    assert (len(desk.journal), desk.hub.rooms.open) == (2, {})
    assert ann.create()


def test_a_repeat_does_not_end_what_was_begun_again_since() -> None:
    desk = Desk()
    ann, _, room = desk.pair(subscribe=["chat"])
    chat: Message = {"room": room, "event": "chat"}
    ends: list[tuple[str, Message]] = [("unsubscribe", chat), ("unwatchLobby", {}), ("unwatchBest", {})]
    for end, fields in ends:
        first = ann.ask(end, f"{end}-once", **fields)
        ann.ask(end.removeprefix("un"), **fields)
        assert ann.ask(end, f"{end}-once", **fields) == first
    assert desk.views(room).viewers[ann.session].events == {"chat"}
    assert desk.hub.rooms.lobby.watchers == {ann.session}
    _, _, better = desk.pair()
    for _ in range(3):
        desk.peer("cat").join(better, watch=True)
    desk.tick(CHOOSE_EVERY_MS)
    assert ann.of("best")[-1]["room"] == better


def test_a_repeated_mute_does_not_mute_who_was_unmuted_since() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    first = ann.ask("mute", "once", player=bob.player, what="all")
    ann.ask("mute", player=bob.player, what="none")
    assert ann.ask("mute", "once", player=bob.player, what="all") == first
    assert desk.hub.accounts.by_id[ann.player].muted == {}
