"""What a client makes of answers that come late, twice, or after it was away; each was once a mistake."""

from __future__ import annotations

from tests.harness.rig import ANA, BEN, Rig, held, joined, message, table, turn


def back_after_a_restart() -> tuple[Rig, list[str]]:
    """Ana was at seq 3 of r1 and listens to its chat; the server has restarted."""
    rig, heard = Rig(), list[str]()
    rig.room(ANA, BEN, seq=3).chat.subscribe(lambda event: heard.append(event.text))
    rig.sent()
    rig.drop()
    rig.return_(session="s2", rooms=[held("r1", 0)])
    return rig, heard


def test_coming_back_applies_nothing_and_asks_for_what_was_missed() -> None:
    rig, heard = back_after_a_restart()
    rig.tell(joined(ANA, BEN, seq=4, re=rig.one("join")["id"]))
    resume = rig.one("resume")
    assert resume["seq"] == 3
    rig.tell(message(type="said", room="r1", seq=4, player=BEN, text="missed"))
    assert heard == ["missed"]


def test_coming_back_to_a_room_that_has_lost_what_we_saw_brings_it_as_it_is() -> None:
    rig = Rig()
    plies = list[int]()
    rig.room(ANA, BEN, seq=3).next_player.subscribe(lambda event: plies.append(event.ply))
    rig.tell(turn(4, "0........"), turn(5, "01......."))
    rig.sent()
    rig.drop()
    rig.return_(session="s2", rooms=[held("r1", 0)])
    rig.tell(joined(ANA, BEN, seq=4, re=rig.one("join")["id"]))
    resume = rig.one("resume")
    assert resume["seq"] == 5
    as_it_is = {"type": "snapshot", "room": "r1", "epoch": "e1", "seq": 4, "re": resume["id"]}
    turns = [turn(4, "0........").model_dump(by_alias=True, exclude_none=True)]
    rig.tell(message(**as_it_is, table=table(ANA, BEN), turns=turns))
    assert plies == [1, 2, 1]
    assert rig.client.rooms["r1"]._progress.seq == 4


def test_coming_back_brings_the_subscriptions_along_in_the_same_command() -> None:
    rig, _ = back_after_a_restart()
    assert rig.one("join")["subscribe"] == ["chat"]


def test_what_was_asked_for_before_another_session_left_is_asked_for_anew_by_who_comes_back() -> None:
    """The coming back named no event yet; a join opened the room first, then our other session left it."""
    rig, heard = Rig(), list[str]()
    rig.drop()
    rig.return_(session="s2", rooms=[held("r1", 0)])
    back = rig.one("join")
    rig.command("join", room="r1")
    rig.tell(joined(ANA, BEN, seq=3, re=rig.one("join")["id"]))
    rig.client.rooms["r1"].chat.subscribe(lambda event: heard.append(event.text))
    rig.tell(message(type="ok", room="r1", re=rig.one("subscribe")["id"]))
    rig.tell(message(type="left", room="r1", seq=4, player=ANA, reason="left"))
    rig.tell(joined(ANA, BEN, seq=5, re=back["id"]))
    asked = {wire["type"]: wire for wire in rig.sent()}
    assert asked["subscribe"]["event"] == "chat"


def test_a_second_answer_to_coming_back_changes_nothing() -> None:
    rig, _ = back_after_a_restart()
    id = rig.one("join")["id"]
    rig.tell(joined(ANA, BEN, seq=3, re=id))
    rig.tell(joined(ANA, BEN, seq=4, re=id))
    assert rig.client.rooms["r1"]._progress.seq == 3


def test_a_second_answer_to_a_join_does_not_open_a_room_that_was_left() -> None:
    rig = Rig()
    rig.command("join", room="r1")
    id = rig.one("join")["id"]
    rig.tell(joined(ANA, BEN, seq=3, re=id))
    rig.tell(message(type="left", room="r1", seq=4, player=ANA, reason="left"))
    rig.tell(joined(ANA, BEN, seq=3, re=id))
    assert rig.client.rooms == {}


def test_an_old_left_does_not_close_a_room_that_we_came_back_to() -> None:
    rig = Rig()
    rig.room(ANA, BEN, seq=5)
    rig.tell(message(type="left", room="r1", seq=2, player=ANA, reason="left", re="old"))
    assert "r1" in rig.client.rooms


def test_a_resume_may_bring_that_we_had_left_before_we_came_back() -> None:
    rig, _ = back_after_a_restart()
    rig.tell(joined(ANA, BEN, seq=5, re=rig.one("join")["id"]))
    rig.tell(message(type="left", room="r1", seq=4, player=ANA, reason="gone"))
    assert "r1" in rig.client.rooms


def test_a_room_that_was_left_while_the_line_was_gone_is_not_entered_again() -> None:
    rig = Rig()
    rig.room(ANA, BEN, seq=3)
    rig.command("leave", room="r1")
    rig.sent()
    rig.drop()
    rig.return_(session="s2", rooms=[])
    assert rig.sent_types() == ["hello", "leave"]
    assert rig.client.rooms == {}


def test_a_refusal_is_not_final_while_another_copy_of_the_command_is_under_way() -> None:
    rig = Rig()
    rig.room(ANA, BEN, seq=3)
    answers: list[str] = []
    rig.command("say", answers, room="r1", text="hello")
    id = rig.one("say")["id"]
    rig.shell.time += 2.5
    assert rig.one("say")["id"] == id
    rig.tell(message(type="refused", re=id, code="forbidden", message="Not yet."))
    assert answers == []
    rig.tell(message(type="said", room="r1", seq=4, player=ANA, text="hello", re=id))
    assert answers == ["said"]


def test_an_unsubscribe_without_an_answer_is_not_sent_again_after_a_newer_subscribe() -> None:
    rig = Rig()
    room = rig.room(ANA, BEN, seq=3)
    room.chat.subscribe(print)
    room.chat.unsubscribe(print)
    rig.sent()
    rig.shell.time += 1.0
    room.chat.subscribe(print)
    rig.sent()
    rig.shell.time += 1.5
    assert "unsubscribe" not in rig.sent_types()


def test_an_unsubscribe_from_before_a_room_was_left_undoes_nothing_that_a_new_join_named() -> None:
    """Another session of ours left, while the unsubscribe had no answer yet; then this one joined anew."""
    rig = Rig()
    room = rig.room(ANA, BEN, seq=3)
    room.chat.subscribe(print)
    room.chat.unsubscribe(print)
    rig.sent()
    rig.tell(message(type="left", room="r1", seq=4, player=ANA, reason="left"))
    rig.command("join", room="r1", subscribe=["chat", "offers"])
    rig.tell(joined(ANA, BEN, seq=5, re=rig.one("join")["id"]))
    rig.client.rooms["r1"].chat.subscribe(print)
    rig.client.rooms["r1"].offers.subscribe(print)
    assert [wire["event"] for wire in rig.sent()] == ["chat"], "only chat may have been undone"
    rig.shell.time += 2.5
    assert rig.sent_types() == ["subscribe"], "and the unsubscribe is not sent again"


def test_coming_back_waits_for_as_long_as_the_server_can_save_nothing() -> None:
    rig, _ = back_after_a_restart()
    for _ in range(20):
        again = rig.one("join")["id"]
        rig.tell(message(type="refused", re=again, code="retryLater", message="Later.", retryAfterMs=500))
        rig.shell.time += 0.6
    rig.tell(joined(ANA, BEN, seq=5, re=rig.one("join")["id"]))
    assert rig.one("resume")["seq"] == 3


def test_the_late_answer_to_a_leave_does_not_close_a_room_that_we_came_back_to() -> None:
    """Our other session came in again after that leave, and so the new session did too."""
    rig = Rig()
    rig.room(ANA, BEN, seq=3)
    rig.command("leave", room="r1")
    leave = rig.one("leave")
    rig.drop()
    rig.return_(session="s2", rooms=[held("r1", 0)])
    rig.tell(joined(ANA, BEN, seq=5, re=rig.one("join")["id"]))
    rig.tell(message(type="left", room="r1", seq=4, player=ANA, reason="left", re=leave["id"]))
    assert "r1" in rig.client.rooms


def test_a_left_that_a_resume_brings_does_not_close_a_room_where_the_server_still_has_us() -> None:
    """Our other session left; then came this session's join, whose answer was lost with the line."""
    rig = Rig()
    rig.room(ANA, BEN, seq=3)
    rig.drop()
    rig.return_(rooms=[held("r1", 0)])
    resume = rig.one("resume")
    rig.tell(message(type="left", room="r1", seq=4, player=ANA, reason="left"))
    rig.tell(message(type="joined", room="r1", seq=5, player=ANA))
    rig.tell(message(type="ok", room="r1", seq=5, re=resume["id"]))
    assert rig.client.rooms["r1"]._progress.seq == 5


def test_a_left_during_a_resume_that_is_then_refused_closes_the_room() -> None:
    rig = Rig()
    rig.room(ANA, BEN, seq=3)
    rig.drop()
    rig.return_(rooms=[held("r1", 0)])
    resume = rig.one("resume")
    rig.tell(message(type="left", room="r1", seq=4, player=ANA, reason="left"))
    rig.tell(message(type="refused", re=resume["id"], code="forbidden", message="Join this room first."))
    assert rig.client.rooms == {}


def test_our_own_leave_closes_the_room_though_a_resume_is_under_way() -> None:
    rig = Rig()
    rig.room(ANA, BEN, seq=3)
    rig.command("leave", room="r1")
    leave = rig.one("leave")
    rig.tell(message(type="seq", room="r1", seq=5))
    assert rig.sent_types() == ["resume"]
    rig.tell(message(type="left", room="r1", seq=6, player=ANA, reason="left", re=leave["id"]))
    assert rig.client.rooms == {}


def answer_to_a_leave(*, lines: int, code: str) -> tuple[Rig, str]:
    """What a refusal becomes, for whoever asked to leave r1, if the command was sent on this many lines."""
    rig, answers = Rig(), list[str]()
    rig.room(ANA, BEN, seq=3)
    rig.command("leave", answers, room="r1")
    leave = rig.one("leave")
    for _ in range(lines - 1):
        rig.drop()
        rig.return_(rooms=[])
        assert rig.one("leave") == leave
    rig.tell(message(type="refused", re=leave["id"], code=code, message="No."))
    [answer] = answers
    return rig, answer


def test_a_repeated_leave_of_a_room_that_is_no_more_is_done() -> None:
    rig, answer = answer_to_a_leave(lines=2, code="unknownRoom")
    assert answer == "ok"
    assert rig.client.rooms == {}


def test_a_leave_that_was_sent_once_may_be_refused_for_want_of_the_room() -> None:
    _, answer = answer_to_a_leave(lines=1, code="unknownRoom")
    assert answer == "refused"


def test_a_repeated_leave_may_be_refused_for_another_reason() -> None:
    _, answer = answer_to_a_leave(lines=2, code="badMessage")
    assert answer == "refused"


def test_whoever_joins_again_after_another_session_has_left_hears_all_that_it_heard() -> None:
    """The server had forgotten this session there, with all that it subscribed to."""
    rig, heard = Rig(), list[str]()
    room = rig.room(ANA, BEN, seq=3)
    room.chat.subscribe(lambda event: heard.append(event.text))
    rig.tell(message(type="ok", room="r1", re=rig.one("subscribe")["id"]))
    rig.command("join", room="r1", subscribe=["members"])
    rig.tell(joined(ANA, BEN, seq=5, re=rig.one("join")["id"]))
    subscribe = rig.one("subscribe")
    assert (subscribe["room"], subscribe["event"]) == ("r1", "chat")


def test_whoever_comes_back_after_a_restart_subscribes_no_second_time() -> None:
    rig, _ = back_after_a_restart()
    rig.tell(joined(ANA, BEN, seq=3, re=rig.one("join")["id"]))
    assert rig.sent_types() == []


def test_an_old_answer_to_a_join_is_not_taken_for_a_subscription() -> None:
    """A session that is gone had joined; the new one, which came back by itself, hears so out of the log."""
    rig, heard = Rig(), list[str]()
    rig.command("join", code="ABCD-EFGH", subscribe=["chat", "members"])
    asked = rig.one("join")["id"]
    rig.drop()
    rig.return_(session="s2", rooms=[held("r1", 0)])
    back = next(wire["id"] for wire in rig.sent() if wire["type"] == "join" and wire["id"] != asked)
    rig.tell(joined(ANA, BEN, seq=9, re=back))
    rig.client.rooms["r1"].chat.subscribe(lambda event: heard.append(event.text))
    rig.sent()
    rig.tell(joined(ANA, BEN, seq=3, re=asked))
    assert rig.client.rooms["r1"]._progress.sent == set()
    assert rig.one("subscribe")["event"] == "chat"
