"""Session: greeting, order, gaps, retries, pings, coming back."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.client.session import LineState
from tablero_protocol.codes import WHY_CLOSED, Close
from tests.harness.rig import ANA, BEN, HARD, Rig, held, joined, message, table, turn, welcome


def said(seq: int, **more: Any) -> Any:
    return message(type="said", room="r1", seq=seq, player=BEN, text=f"line {seq}", **more)


# Coming back


def test_whoever_plays_tries_again_within_three_seconds_and_others_within_ten() -> None:
    for seats, longest in (((ANA, BEN), 3.0), ((BEN, HARD), 10.0)):
        rig = Rig()
        rig.room(*seats)
        waits = [rig.drop() or 0 for _ in range(200)]
        assert 0.9 * longest < max(waits) <= longest


def test_it_is_told_when_all_that_was_missed_is_known() -> None:
    rig = Rig()
    heard: list[str] = []
    room = rig.room(ANA, BEN)
    room.chat.subscribe(lambda message: heard.append(message.text))
    room.caught_up.subscribe(lambda _: heard.append("caught up"))
    rig.drop()
    rig.return_()
    rig.tell(said(2), said(3))
    assert heard == ["line 2", "line 3"]
    rig.tell(message(type="ok", re=rig.one("resume")["id"], room="r1", seq=3))
    assert heard[2:] == ["caught up"]


# Greeting


def test_the_first_words_are_a_hello_with_the_name() -> None:
    rig = Rig(greeted=False, bot={"capacity": 3})
    hello = rig.one("hello")
    assert (hello["name"], hello["protocol"], hello["bot"]) == ("Ana", 1, {"capacity": 3})
    assert "token" not in hello
    assert "session" not in hello


def test_a_stored_token_is_said() -> None:
    assert Rig(greeted=False, token="stored").one("hello")["token"] == "stored"


def test_a_command_given_before_the_welcome_waits_for_it() -> None:
    rig = Rig(greeted=False)
    rig.command("watchLobby")
    assert rig.sent_types() == ["hello"]
    rig.tell(welcome())
    assert rig.sent_types() == ["watchLobby"]


def test_a_token_the_server_does_not_know_is_forgotten() -> None:
    rig = Rig(greeted=False, token="old")
    rig.sent()
    rig.tell(message(type="refused", code="badToken", message="Who?"))
    assert "token" not in rig.one("hello")
    rig.tell(welcome(token="new"))
    assert (rig.session.state, rig.session.token) == (LineState.OPEN, "new")


def test_another_refusal_of_the_hello_is_the_end() -> None:
    rig = Rig(greeted=False)
    why = {"reason": "titleInName", "fields": {"title": "admin"}}
    rig.tell(message(type="refused", code="badName", message="Choose another.", **why))
    ended = rig.client.ended
    assert ended is not None
    assert (ended.code, ended.sentence) == ("badName", "Choose another.")
    assert (ended.reason, ended.fields) == ("titleInName", {"title": "admin"})
    assert rig.is_dead()
    assert rig.drop(1000) is None


def test_a_greeting_that_should_wait_is_said_again_on_another_line() -> None:
    rig = Rig(greeted=False)
    rig.tell(message(type="refused", code="rateLimited", message="Slowly.", retryAfterMs=3000))
    assert rig.is_dead()
    rig.tell(welcome())
    assert rig.is_dead(), "a line that was given up stays so, whatever is still heard on it"
    wait = rig.drop()
    assert wait is not None
    assert 3.0 <= wait <= 3.25


def test_who_may_not_change_the_name_yet_comes_in_by_the_old_one() -> None:
    rig = Rig(greeted=False, token="stored")
    assert rig.one("hello")["name"] == "Ana"
    why = {"code": "rateLimited", "reason": "renamesTooOften", "retryAfterMs": 60_000}
    refusal = message(type="refused", message="", **why)
    rig.tell(refusal)
    assert "name" not in rig.one("hello")
    rig.tell(refusal)
    assert rig.is_dead(), "a server that says so again is left alone for a while"


# Answers


def test_a_command_is_sent_once_and_settled_by_its_answer() -> None:
    rig, answers = Rig(), list[str]()
    rig.command("unwatchLobby", answers)
    wire = rig.one("unwatchLobby")
    assert rig.sent() == []
    rig.tell(message(type="ok", re=wire["id"]), message(type="ok", re=wire["id"]))
    assert answers == ["ok"]


def test_ids_are_random_and_never_the_same_twice() -> None:
    rig = Rig()
    for _ in range(50):
        rig.command("unwatchLobby")
    ids = {wire["id"] for wire in rig.sent()}
    assert len(ids) == 50
    assert all(len(id) == 24 for id in ids)


def test_an_unanswered_command_is_sent_again_with_the_same_id_after_two_seconds() -> None:
    rig = Rig()
    rig.command("unwatchLobby")
    first = rig.sent()
    rig.shell.time += 1.9
    assert rig.sent() == []
    rig.shell.time += 0.2
    assert rig.sent() == first
    rig.shell.time += 2
    assert rig.sent() == first


@pytest.mark.parametrize("code", ["rateLimited", "retryLater"])
def test_a_command_that_should_wait_is_sent_again_when_it_may(code: str) -> None:
    rig, answers = Rig(), list[str]()
    rig.command("say", answers, room="r1", text="hi")
    first = rig.one("say")
    rig.tell(message(type="refused", re=first["id"], code=code, message="Later.", retryAfterMs=700))
    rig.shell.time += 0.6
    assert rig.sent() == []
    rig.shell.time += 0.2
    assert rig.sent() == [first]
    assert answers == []


def test_a_command_waits_five_times_and_then_is_refused() -> None:
    rig, answers = Rig(), list[str]()
    rig.command("say", answers, room="r1", text="hi")
    for _ in range(6):
        assert answers == []
        [wire] = rig.sent()
        rig.tell(
            message(type="refused", re=wire["id"], code="retryLater", message="Later.", retryAfterMs=100)
        )
        rig.shell.time += 0.2
    assert answers == ["refused"]


def test_what_a_stale_turn_missed_is_heard_before_the_refusal() -> None:
    rig, heard = Rig(), list[object]()
    room = rig.room(ANA, BEN, seq=1)
    room.next_player.subscribe(lambda event: heard.append(event.ply))
    rig.command("playTurn", heard, room="r1", seat=0, ply=0, move="a1")
    id = rig.one("playTurn")["id"]
    missed = [turn(2), turn(3, "0........"), turn(4, "0...1....")]
    wires = [each.model_dump(by_alias=True, exclude_none=True) for each in missed]
    rig.tell(message(type="refused", re=id, code="stale", message="Too late.", missed=wires))
    assert heard == [0, 1, 2, "refused"]
    assert rig.session.rooms["r1"].seq == 4


def test_a_missed_event_that_cannot_be_read_does_no_harm() -> None:
    rig, answers = Rig(), list[str]()
    rig.room(ANA, BEN, seq=1)
    rig.command("resign", answers, room="r1", seat=0)
    id = rig.one("resign")["id"]
    missed = [{"type": "applauded", "room": "r1", "seq": 2}]
    rig.tell(message(type="refused", re=id, code="stale", message="Too late.", missed=missed))
    assert answers == ["refused"]


# Order and gaps


def test_a_gap_asks_once_for_all_that_is_missing_and_nothing_is_lost_or_doubled() -> None:
    rig, heard = Rig(), list[int]()
    rig.room(ANA, BEN, seq=1).chat.subscribe(lambda event: heard.append(event.seq))
    rig.tell(said(2), said(4), said(5))
    resume = rig.one("resume")
    assert (resume["room"], resume["epoch"], resume["seq"]) == ("r1", "e1", 2)
    rig.tell(said(3), said(4), said(5), message(type="ok", re=resume["id"]), said(6))
    assert heard == [2, 3, 4, 5, 6]
    rig.tell(said(8))
    assert rig.one("resume")["seq"] == 6


def test_a_snapshot_also_answers_a_resume() -> None:
    rig, heard = Rig(), list[int]()
    room = rig.room(ANA, BEN, seq=1)
    room.next_player.subscribe(lambda event: heard.append(event.seq))
    rig.tell(turn(2), said(9))
    resume = rig.one("resume")
    newest = turn(8, "0........").model_dump(by_alias=True, exclude_none=True)
    rig.tell(
        message(
            type="snapshot", re=resume["id"], room="r1", epoch="e2", seq=9,
            table=table(ANA, BEN, epoch="e2"), turns=[newest],
        ),
        turn(10, "0...1...."),
    )  # fmt: skip
    assert heard == [2, 8, 10]
    assert rig.session.rooms["r1"].epoch == "e2"
    assert "resume" not in rig.sent_types()


def test_an_answer_beyond_a_gap_settles_its_command_and_is_heard_with_the_resume() -> None:
    rig, heard = Rig(), list[object]()
    rig.room(ANA, BEN, seq=1).chat.subscribe(lambda event: heard.append(event.seq))
    rig.command("say", heard, room="r1", text="hi")
    id = rig.one("say")["id"]
    rig.tell(said(3, re=id))
    assert heard == ["said"]
    rig.tell(said(2), said(3))
    assert heard == ["said", 2, 3]


def test_an_ok_with_a_number_counts() -> None:
    rig, heard = Rig(), list[int]()
    rig.room(ANA, BEN, seq=1).chat.subscribe(lambda event: heard.append(event.seq))
    rig.tell(message(type="ok", re="x", room="r1", seq=2), said(3))
    assert heard == [3]


def test_a_pong_shows_a_silent_hole() -> None:
    rig = Rig()
    rig.room(ANA, BEN, seq=1)
    rig.sent()
    rig.tell(message(type="pong", now=0, heads={"r1": 1, "elsewhere": 9}))
    assert rig.sent() == []
    rig.tell(message(type="pong", now=0, heads={"r1": 3}))
    assert rig.one("resume")["seq"] == 1


def test_a_pong_without_one_of_our_rooms_makes_us_ask_for_it() -> None:
    """A join that is answered again after its room has closed leads nowhere; nothing else would tell us."""
    rig = Rig()
    rig.room(ANA, BEN, seq=1)
    rig.sent()
    rig.tell(message(type="pong", now=0, heads={}))
    assert rig.one("resume")["room"] == "r1"


def test_events_of_rooms_we_are_not_in_are_ignored() -> None:
    rig = Rig()
    rig.tell(said(1))
    assert rig.sent() == []


# Rooms


def test_leaving_closes_the_room() -> None:
    rig, why = Rig(), list[str]()
    rig.room(ANA, BEN, seq=1).closed.subscribe(why.append)
    rig.tell(message(type="left", room="r1", seq=2, player=ANA, reason="left"))
    assert why == ["left"]
    assert rig.client.rooms == {}
    assert rig.session.rooms == {}


def test_somebody_elses_leaving_does_not() -> None:
    rig = Rig()
    rig.room(ANA, BEN, seq=1)
    rig.tell(message(type="left", room="r1", seq=2, player=BEN, reason="left"))
    assert list(rig.client.rooms) == ["r1"]


def test_one_more_seat_in_the_same_room_is_not_another_room() -> None:
    rig, opened = Rig(), list[object]()
    rig.client.room_opened.subscribe(opened.append)
    room = rig.room(ANA, None, seq=1)
    rig.tell(joined(ANA, ANA, seq=2, seat=1))
    assert opened == [room]
    assert room.seats == [0, 1]


def test_a_rematch_opens_the_next_room_and_says_of_which() -> None:
    rig, seen = Rig(), list[object]()
    room = rig.room(ANA, BEN, seq=1)
    room.rematch.subscribe(lambda following: seen.append((following.id, following.previous)))
    rig.tell(message(type="rematch", room="r1", seq=2, next="r2"), joined(BEN, ANA, room="r2", seq=2))
    assert seen == [("r2", room)]
    assert rig.client.rooms["r2"].seats == [1]


# Pings and silence


def test_a_ping_goes_out_every_five_seconds() -> None:
    rig = Rig()
    for _ in range(3):
        rig.shell.time += 4.9
        assert rig.sent() == []
        rig.shell.time += 0.2
        assert rig.sent_types() == ["ping"]
        rig.tell(message(type="pong", now=0, heads={}))


def test_five_seconds_of_silence_after_a_ping_mean_a_dead_line() -> None:
    rig = Rig()
    rig.shell.time += 5
    assert not rig.is_dead()
    rig.shell.time += 4.9
    assert not rig.is_dead()
    rig.shell.time += 0.2
    assert rig.is_dead()


def test_any_word_from_the_server_is_a_sign_of_life() -> None:
    rig = Rig()
    rig.shell.time += 5
    assert rig.sent_types() == ["ping"]
    rig.shell.time += 4.9
    rig.tell(message(type="lobbyChanged"))
    rig.shell.time += 0.2
    assert not rig.is_dead()


@pytest.mark.parametrize(
    "first",
    [
        message(type="back", room="r1", player=ANA),
        message(type="bye", code=Close.RESTARTING, message="Come back."),
    ],
)
def test_only_the_answer_to_a_greeting_ends_its_silence(first: Any) -> None:
    """The server broke down right after it, and nobody said so: the line was kept for good."""
    rig = Rig(greeted=False)
    rig.sent()
    rig.shell.time += 4
    rig.tell(first)
    rig.shell.time += 1
    assert rig.is_dead()


def test_a_greeting_without_a_welcome_means_a_dead_line() -> None:
    rig = Rig(greeted=False)
    rig.shell.time += 5
    assert rig.is_dead()


# Coming back


def test_the_way_back_is_hello_then_resume_then_what_is_unanswered() -> None:
    rig = Rig()
    room = rig.room(ANA, BEN, seq=3)
    room.next_player.subscribe(print)
    rig.command("watchLobby")
    rig.command("playTurn", room="r1", seat=0, ply=0, move="a1")
    before = {wire["type"]: wire for wire in rig.sent()}
    rig.tell(message(type="lobby", re=before["watchLobby"]["id"], rooms=[], players=[]))
    rig.drop()
    rig.return_()
    wires = rig.sent()
    assert [wire["type"] for wire in wires] == ["hello", "resume", "subscribe", "watchLobby", "playTurn"]
    again = {wire["type"]: wire for wire in wires}
    assert (again["hello"]["token"], again["hello"]["session"]) == ("secret", "s1")
    assert again["playTurn"] == before["playTurn"]
    assert (again["resume"]["epoch"], again["resume"]["seq"]) == ("e1", 3)
    assert again["subscribe"]["event"] == "nextPlayer"


def test_nothing_is_heard_twice_after_coming_back() -> None:
    rig, heard = Rig(), list[int]()
    rig.room(ANA, BEN, seq=1).next_player.subscribe(lambda event: heard.append(event.ply))
    rig.tell(turn(2), turn(3, "0........"))
    rig.drop()
    rig.return_()
    resume = rig.one("resume")
    rig.tell(turn(4, "0...1...."), message(type="ok", re=resume["id"]), turn(4, "0...1....", re="subscribe"))
    assert heard == [0, 1, 2]


def test_a_seat_whose_turn_was_lost_with_the_line_gets_it_by_subscribing_again() -> None:
    rig, heard = Rig(), list[object]()
    rig.room(ANA, ANA, seq=1).next_player.subscribe(lambda event: heard.append((event.seq, event.seat)))
    rig.tell(turn(2, seat=0))  # and the line breaks before the same for seat 1
    rig.drop()
    rig.return_()
    rig.tell(turn(2, seat=0), turn(2, seat=1))
    assert heard == [(2, 0), (2, 1)]


@pytest.mark.parametrize("code", ["unknownRoom", "damagedRoom", "forbidden", "roomFull", "tooManyRooms"])
def test_a_room_that_is_gone_is_closed(code: str) -> None:
    rig, why = Rig(), list[str]()
    rig.room(ANA, BEN, seq=1).closed.subscribe(why.append)
    rig.drop()
    rig.return_()
    resume = rig.one("resume")
    rig.tell(message(type="refused", re=resume["id"], code=code, message="No such room."))
    assert why == ["No such room."]


def test_a_player_who_returns_with_nothing_but_the_token_gets_the_rooms_back() -> None:
    rig, opened = Rig(greeted=False, token="stored"), list[Any]()
    rig.client.room_opened.subscribe(opened.append)
    rig.tell(welcome(token=None, rooms=[held("r1", 1)]))
    join = rig.one("join")
    assert (join["room"], join["watch"]) == ("r1", True)
    rig.tell(joined(HARD, ANA, seq=7, re=join["id"]))
    assert [(room.id, room.seats) for room in opened] == [("r1", [1])]


def test_a_session_that_the_server_forgot_comes_back_by_joining_and_then_resumes() -> None:
    rig, heard = Rig(), list[int]()
    rig.room(ANA, BEN, seq=3).next_player.subscribe(lambda event: heard.append(event.seq))
    rig.sent()
    rig.drop()
    rig.return_(session="s2", rooms=[held("r1", 0)])
    join = rig.one("join")
    rig.tell(joined(ANA, BEN, seq=5, re=join["id"]))
    resume = rig.one("resume")
    assert resume["seq"] == 3
    rig.tell(turn(4), turn(5, "0........"), message(type="ok", re=resume["id"]), turn(6, "0...1...."))
    assert heard == [4, 5, 6]
    assert rig.sent_types() == []


def test_a_line_that_breaks_again_before_a_new_session_has_joined_loses_no_room() -> None:
    rig = Rig()
    rig.room(ANA, BEN, seq=3)
    rig.drop()
    rig.return_(session="s2", rooms=[held("r1", 0)])
    assert rig.one("join")["room"] == "r1"
    rig.drop()
    rig.return_(session="s2", rooms=[held("r1", 0)])
    join = rig.one("join")
    rig.tell(joined(ANA, BEN, seq=3, re=join["id"]))
    rig.drop()
    rig.return_(session="s2", rooms=[held("r1", 0)])
    assert rig.one("resume")["seq"] == 3


def test_a_room_of_another_lineage_goes_on_with_the_same_subscribers() -> None:
    rig, heard = Rig(), list[int]()
    room = rig.room(ANA, BEN, seq=9)
    room.next_player.subscribe(lambda event: heard.append(event.seq))
    rig.tell(turn(10, "0........"))
    rig.drop()
    rig.return_(session="s2", rooms=[held("r1", 0)])
    rig.tell(joined(ANA, BEN, seq=4, epoch="e2", re=rig.one("join")["id"]), turn(4), turn(5, "0........"))
    assert heard == [10, 4, 5]
    assert rig.client.rooms["r1"] is room


@pytest.mark.parametrize("close_code", [Close.REPLACED, Close.WRONG_PROTOCOL, Close.BAD_FRAMES, 4150])
def test_some_close_codes_are_the_end(close_code: int) -> None:
    rig = Rig()
    assert rig.drop(close_code) is None
    assert rig.client.ended is not None
    assert rig.client.ended.code == f"closed{int(close_code)}"


@pytest.mark.parametrize(
    "close_code", [None, 1000, 1006, 1011, Close.RESTARTING, Close.TOO_SLOW, Close.SILENT]
)
def test_after_all_others_it_comes_back(close_code: int | None) -> None:
    assert Rig().drop(close_code) is not None


def test_a_bye_says_how_long_to_stay_away() -> None:
    rig = Rig()
    rig.tell(message(type="bye", code=4000, message="Restarting.", retryAfterMs=1500))
    wait = rig.drop(Close.RESTARTING)
    assert wait is not None
    assert 1.5 <= wait <= 1.75
    rig.return_()
    wait = rig.drop()
    assert wait is not None
    assert wait <= 0.5


@pytest.mark.parametrize(
    ("bye", "sentence"),
    [
        (Close.KICKED, "The host has sent you away: calm down."),
        (Close.RESTARTING, WHY_CLOSED[Close.KICKED]),
    ],
)
def test_who_is_sent_away_is_told_what_the_bye_of_that_close_said(bye: Close, sentence: str) -> None:
    rig = Rig()
    rig.tell(message(type="bye", code=bye, message="The host has sent you away: calm down."))
    assert rig.drop(Close.KICKED) is None
    assert rig.client.ended is not None
    assert rig.client.ended.sentence == sentence


def test_once_closed_nothing_is_answered_any_more() -> None:
    rig, room_why = Rig(), list[str]()
    rig.room(ANA, BEN, seq=1).closed.subscribe(room_why.append)
    rig.client.close()
    assert rig.session.state is LineState.ENDED
    assert room_why == ["This client closed."]
