"""Client: what a player may ask, and what it hears."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tablero import Disconnected, Refused
from tablero.client.client import Client
from tests.harness.rig import ANA, BEN, Json, Rig, joined, message, turn, welcome


def ignore(_: object) -> None:
    pass


Ask = Callable[[Client], Coroutine[Any, Any, Any]]
USUAL = {"base": 300, "increment": 5}
ASKED: list[tuple[str, Ask, Json]] = [
    ("createRoom", lambda c: c.create_room("tic-tac-toe"), {"seat": 0, "private": False, "options": {}}),
    (
        "createRoom",
        lambda c: c.create_room(
            "minesweeper",
            seats=2,
            private=True,
            clock={"base": 60, "increment": 1},
            seat=None,
            first_dig="cell",
        ),
        {
            "seats": 2, "private": True, "clock": {"base": 60, "increment": 1}, "seat": None,
            "options": {"firstDig": "cell"},
        },
    ),
    ("join", lambda c: c.join(code="ABCD-EFGH"), {"code": "ABCD-EFGH"}),
    ("join", lambda c: c.join(room="r1", seat=1, invite="i"), {"room": "r1", "seat": 1, "invite": "i"}),
    ("join", lambda c: c.join(room="r1", watch=True), {"room": "r1", "watch": True}),
    ("join", lambda c: c.join(room="r1", subscribe=["chat"]), {"room": "r1", "subscribe": ["chat"]}),
    ("createRoom", lambda c: c.create_room("minesweeper", subscribe=["chat"]), {"subscribe": ["chat"]}),
    ("createRoom", lambda c: c.create_room("tic-tac-toe", watchers=False), {"watchers": False}),
    ("createRoom", lambda c: c.create_room("tic-tac-toe", rated=True), {"rated": True, "clock": USUAL}),
    ("createRoom", lambda c: c.create_room("tic-tac-toe", rated=True, clock={"days": 2}),
     {"rated": True, "clock": {"days": 2}}),
    ("seek", lambda c: c.seek("tic-tac-toe", rated=True), {"rated": True, "clock": USUAL}),
    ("seek", lambda c: c.seek("tic-tac-toe", rated=True, clock={"base": 60}),
     {"rated": True, "clock": {"base": 60}}),
    ("seek", lambda c: c.seek(rated=True), {"rated": True}),
    ("watchLobby", lambda c: c.watch_lobby(), {}),
    ("unwatchLobby", lambda c: c.unwatch_lobby(), {}),
    ("decline", lambda c: c.decline("i"), {"invite": "i"}),
    ("invite", lambda c: c.invite(c.rooms["r1"], 1, bot="tic-tac-toe:hard"), {"bot": "tic-tac-toe:hard"}),
    ("invite", lambda c: c.invite(c.rooms["r1"], 1, player="ben"), {"player": "ben", "seat": 1}),
    ("playTurn", lambda c: c.rooms["r1"].play("b2"), {"move": "b2", "seat": 0, "ply": 0}),
    ("playTurn", lambda c: c.rooms["r1"].play("b2", seat=1, ply=7), {"seat": 1, "ply": 7, "move": "b2"}),
    ("say", lambda c: c.rooms["r1"].say("hi"), {"text": "hi"}),
    ("resign", lambda c: c.rooms["r1"].resign(), {"seat": 0}),
    ("offer", lambda c: c.rooms["r1"].offer("draw"), {"what": "draw"}),
    ("answer", lambda c: c.rooms["r1"].answer("o1", True), {"offer": "o1", "yes": True}),
    ("leave", lambda c: c.rooms["r1"].leave(), {"room": "r1"}),
]  # fmt: skip


@pytest.mark.parametrize(("type", "ask", "expected"), ASKED)
def test_each_method_sends_its_command(type: str, ask: Ask, expected: Json) -> None:
    rig = Rig()
    rig.room(ANA, BEN)
    rig.tell(turn(2))
    rig.sent()
    rig.ask(ask(rig.client))
    wire = rig.one(type)
    assert {key: wire[key] for key in expected} == expected
    assert wire.keys() <= {"type", "id", "game", "room", "seat", "private", "options", *expected}


def test_a_refusal_is_raised_with_its_code_and_sentence() -> None:
    rig = Rig()
    asked = rig.ask(rig.room(ANA, BEN).say("hi"))
    rig.tell(message(type="refused", re=rig.one("say")["id"], code="forbidden", message="Quiet."))
    with pytest.raises(Refused, match=r"Quiet\.") as caught:
        _ = asked.result
    assert caught.value.code == "forbidden"


def test_creating_a_room_gives_the_room() -> None:
    rig = Rig()
    asked = rig.ask(rig.client.create_room("tic-tac-toe"))
    rig.tell(joined(ANA, None, state="waiting", re=rig.one("createRoom")["id"], code="ABCD-EFGH"))
    room = asked.result
    assert (room.id, room.code, room.game, room.seats) == ("r1", "ABCD-EFGH", "tic-tac-toe", [0])
    assert rig.client.rooms == {"r1": room}


def test_an_answer_survives_a_lost_line() -> None:
    rig = Rig()
    asked = rig.ask(rig.client.watch_lobby())
    id = rig.one("watchLobby")["id"]
    rig.drop()
    rig.return_()
    assert rig.one("watchLobby")["id"] == id
    rig.tell(message(type="lobby", re=id, rooms=[], players=[]))
    assert asked.result.rooms == []


def test_what_is_asked_when_the_end_comes_fails() -> None:
    rig = Rig()
    asked = rig.ask(rig.client.watch_lobby())
    rig.drop(4101)
    with pytest.raises(Disconnected, match="connected again elsewhere"):
        _ = asked.result
    with pytest.raises(Disconnected, match="connected again elsewhere"):
        _ = rig.ask(rig.client.watch_lobby()).result


def test_a_question_that_was_given_up_does_not_mind_its_answer() -> None:
    rig = Rig()
    rig.ask(rig.client.watch_lobby())
    rig.shell.promises[-1].set_result("given up")
    rig.tell(message(type="lobby", re=rig.one("watchLobby")["id"], rooms=[], players=[]))


def test_the_next_of_an_event_is_waited_for_once() -> None:
    rig = Rig()
    room = rig.room(ANA, BEN)
    asked = rig.ask(rig.client.next_of(room.chat))
    assert rig.one("subscribe")["event"] == "chat"
    told = [message(type="said", room="r1", seq=seq, player=BEN, text=f"no {seq}") for seq in (2, 3)]
    rig.tell(*told)
    assert asked.result == told[0]
    assert not room.chat.wanted


def test_whoever_asks_without_a_connection_is_told_that_it_waits() -> None:
    rig, waiting = Rig(), list[str]()
    rig.client.postponed.subscribe(waiting.append)
    rig.ask(rig.client.watch_lobby())
    assert waiting == []
    rig.drop()
    rig.ask(rig.client.decline("i"))
    assert waiting == ["decline"]
    rig.return_()
    assert rig.sent_types()[-2:] == ["watchLobby", "decline"]


def test_lobby_invitations_and_declines_reach_their_events() -> None:
    rig, heard = Rig(), list[str]()
    for event in (rig.client.lobby, rig.client.invited, rig.client.declined):
        event.subscribe(lambda told: heard.append(told.type))
    about = {"game": "tic-tac-toe", "options": {}, "by": BEN, "until": 0}
    rig.tell(
        message(type="lobbyChanged", gone=["r9"]),
        message(type="invited", invite="i", room="r9", seat=0, **about),
        message(type="declined", room="r9", seat=0, player=BEN, reason="expired"),
    )
    assert heard == ["lobbyChanged", "invited", "declined"]


def test_closing_unsubscribes_everybody_and_tells_every_room() -> None:
    rig, why = Rig(), list[str]()
    room = rig.room(ANA, BEN)
    room.closed.subscribe(why.append)
    room.next_player.subscribe(print)
    rig.client.lobby.subscribe(print)
    rig.client.close()
    rig.client.close()
    assert why == ["This client closed."]
    assert not room.next_player.wanted
    assert not rig.client.lobby.wanted


def test_a_client_knows_whom_its_player_has_muted() -> None:
    rig = Rig(greeted=False)
    rig.tell(welcome(muted={"cleo": "all"}))
    asked = rig.ask(rig.client.mute("ben"))
    rig.tell(message(type="ok", re=rig.one("mute")["id"]))
    assert asked.done
    assert rig.client.muted == {"cleo": "all", "ben": "chat"}
    rig.ask(rig.client.mute("cleo", "none"))
    rig.tell(message(type="ok", re=rig.one("mute")["id"]))
    assert rig.client.muted == {"ben": "chat"}


def test_ones_own_rooms_are_listed() -> None:
    rig = Rig()
    asked = rig.ask(rig.client.list_rooms())
    rig.tell(message(type="ownRooms", re=rig.one("listRooms")["id"], now=5, rooms=[]))
    assert asked.result.now == 5


def test_who_is_paired_hears_what_the_seek_subscribed_to() -> None:
    rig = Rig()
    asked = rig.ask(rig.client.seek("tic-tac-toe", subscribe=["chat"]))
    rig.tell(message(type="ok", re=rig.one("seek")["id"], seek="k1"))
    assert asked.result == "k1"
    rig.tell(joined(ANA, BEN, seek="k1"))
    rig.client.rooms["r1"].chat.subscribe(print)
    assert rig.sent() == []


PAGES: list[tuple[Callable[[Client], Coroutine[Any, Any, Any]], Json, Json]] = [
    (
        lambda c: c.show_ratings("quoridor", "blitz", after=50),
        {"type": "showRatings", "game": "quoridor", "speed": "blitz", "after": 50},
        {"type": "ratings", "game": "quoridor", "speed": "blitz", "leaders": []},
    ),
    (
        lambda c: c.show_times("expert", bots=True),
        {"type": "showTimes", "course": "expert", "bots": True, "after": 0},
        {"type": "times", "course": "expert", "bots": True, "times": []},
    ),
    (
        lambda c: c.show_player("ben", rival="ana", after="5-x"),
        {"type": "showPlayer", "player": "ben", "rival": "ana", "after": "5-x"},
        {"type": "playerPage", "player": BEN, "ratings": [], "games": []},
    ),
    (lambda c: c.show_tonight(), {"type": "showTonight"}, {"type": "tonight", "since": 5, "games": []}),
]


@pytest.mark.parametrize(("ask", "sent", "answer"), PAGES, ids=[sent["type"] for _, sent, _ in PAGES])
def test_a_question_is_answered_by_a_page(
    ask: Callable[[Client], Coroutine[Any, Any, Any]], sent: Json, answer: Json
) -> None:
    rig = Rig()
    rig.sent()
    asked = rig.ask(ask(rig.client))
    [wire] = rig.sent()
    assert {name: value for name, value in wire.items() if name != "id"} == sent
    page = message(re=wire["id"], **answer)
    rig.tell(page)
    assert asked.result == page


def told_the_time(rig: Rig, now: int, *, after: float) -> int:
    """The server's time as estimated once a pong has told it."""
    rig.shell.time += after
    rig.tell(message(type="pong", re="p", now=now, heads={}))
    return rig.client.server_now


def test_the_servers_time_goes_on_as_ours_does() -> None:
    rig = Rig(greeted=False)
    assert rig.client.server_now == 0
    rig.tell(welcome(now=1_000_000))
    rig.shell.time += 7.5
    assert rig.client.server_now == 1_007_500


def test_the_message_that_was_fastest_tells_the_time_best() -> None:
    rig = Rig(greeted=False)
    rig.tell(welcome(now=1_000_000))
    assert told_the_time(rig, 1_005_200, after=5.0) == 1_005_200
    assert told_the_time(rig, 1_009_000, after=5.0) == 1_010_200, "this one was a second on its way"


def test_behind_another_connection_may_be_another_clock() -> None:
    rig = Rig(greeted=False)
    rig.tell(welcome(now=1_000_000))
    rig.drop()
    rig.return_(now=500_000)
    assert rig.client.server_now == 500_000
