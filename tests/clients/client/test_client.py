"""Client and Room: what a program that plays by itself uses."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tablero import Bot, Disconnected, Refused, Turn
from tablero.client.client import Client
from tablero_protocol.messages import NextPlayer
from tests.harness.rig import ANA, BEN, Json, Rig, joined, message, turn


def ignore(_: object) -> None:
    pass


Ask = Callable[[Client], Coroutine[Any, Any, Any]]
ASKED: list[tuple[str, Ask, Json]] = [
    ("createRoom", lambda c: c.create_room("tic-tac-toe"), {"seat": 0, "private": False, "options": {}}),
    (
        "createRoom",
        lambda c: c.create_room(
            "minesweeper", seats=2, private=True, clock=(60, 1), seat=None, first_dig="cell"
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
    with pytest.raises(Disconnected, match="newer connection"):
        _ = asked.result
    with pytest.raises(Disconnected, match="newer connection"):
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


def test_a_seat_must_be_named_where_several_are_held_and_none_can_be_where_one_watches() -> None:
    rig = Rig()
    with pytest.raises(ValueError, match=r"Say which seat: \[0, 1\]"):
        _ = rig.ask(rig.room(ANA, ANA).play("a1")).result
    with pytest.raises(ValueError, match="only watch"):
        _ = rig.ask(rig.room(BEN, None, room="r2").resign()).result


def test_a_ply_must_be_known() -> None:
    rig = Rig()
    with pytest.raises(ValueError, match="Subscribe to next_player"):
        _ = rig.ask(rig.room(ANA, BEN).play("a1")).result


# Events are subscribed to on the wire while somebody listens


@pytest.mark.parametrize(
    ("event", "name"),
    [("next_player", "nextPlayer"), ("chat", "chat"), ("members", "members"), ("offers", "offers")],
)
def test_the_first_subscriber_subscribes_on_the_wire_and_the_last_unsubscribes(event: str, name: str) -> None:
    rig = Rig()
    subscribed = getattr(rig.room(ANA, BEN), event)
    one, other = [lambda _: None, lambda _: None]
    subscribed.subscribe(one)
    subscribed.subscribe(other)
    assert rig.one("subscribe")["event"] == name
    subscribed.unsubscribe(one)
    assert rig.sent() == []
    subscribed.unsubscribe(other)
    assert rig.one("unsubscribe")["event"] == name


def test_a_later_subscriber_gets_the_current_turn_at_once() -> None:
    rig, first, second = Rig(), list[int](), list[int]()
    room = rig.room(ANA, BEN)
    room.next_player.subscribe(lambda event: first.append(event.seq))
    rig.tell(turn(2), turn(3, "0........"))
    room.next_player.subscribe(lambda event: second.append(event.seq))
    assert (first, second) == ([2, 3], [3])


def test_who_subscribes_again_gets_the_current_turn_again() -> None:
    rig, heard = Rig(), list[int]()

    def hear(event: NextPlayer) -> None:
        heard.append(event.seq)

    room = rig.room(ANA, BEN)
    room.next_player.subscribe(hear)
    rig.tell(turn(2))
    room.next_player.unsubscribe(hear)
    room.next_player.subscribe(hear)
    rig.tell(turn(2))
    assert heard == [2, 2]


def test_the_turns_of_a_rematch_wait_for_whoever_subscribes() -> None:
    rig, heard = Rig(), list[str]()
    room = rig.room(ANA, BEN)
    rig.tell(message(type="rematch", room="r1", seq=2, next="r2"), joined(BEN, ANA, room="r2", seq=2))
    rig.tell(turn(3, seat=1, room="r2"))
    rig.client.rooms["r2"].next_player.subscribe(lambda event: heard.append(event.room))
    assert rig.one("subscribe")["room"] == "r2"
    rig.tell(turn(3, seat=1, room="r2"))
    assert heard == ["r2"]
    assert room.id == "r1"


def test_what_a_join_subscribes_to_is_not_asked_for_again_and_comes_from_the_first_turn_on() -> None:
    rig, heard = Rig(), list[int]()
    rig.command("join", room="r1", subscribe=["nextPlayer", "chat"])
    rig.tell(joined(ANA, BEN, re=rig.one("join")["id"]), turn(2))
    room = rig.client.rooms["r1"]
    room.next_player.subscribe(lambda event: heard.append(event.seq))
    room.chat.subscribe(ignore)
    assert (heard, rig.sent()) == ([2], [])
    room.members.subscribe(ignore)
    assert rig.one("subscribe")["event"] == "members"
    rig.tell(turn(2), turn(3, "0........"))
    assert heard == [2, 3]
    room.chat.unsubscribe(ignore)
    room.chat.subscribe(ignore)
    assert rig.sent_types() == ["subscribe"]


def test_what_the_server_has_agreed_to_send_goes_on_in_a_rematch_without_a_word() -> None:
    rig = Rig()
    old = rig.room(ANA, BEN)
    old.chat.subscribe(ignore)
    rig.tell(message(type="ok", re=rig.one("subscribe")["id"], room="r1"))
    old.members.subscribe(ignore)  # on its way when the rematch begins
    rig.tell(message(type="rematch", room="r1", seq=2, next="r2"), joined(BEN, ANA, room="r2"))
    rig.sent()
    rig.client.rooms["r2"].chat.subscribe(ignore)
    rig.client.rooms["r2"].members.subscribe(ignore)
    assert rig.one("subscribe")["event"] == "members"


def test_a_server_that_knows_nothing_any_more_is_asked_again() -> None:
    rig = Rig()
    rig.command("join", room="r1", subscribe=["nextPlayer", "chat"])
    rig.tell(joined(ANA, BEN, re=rig.one("join")["id"]))
    room = rig.client.rooms["r1"]
    room.chat.subscribe(ignore)
    rig.drop()
    rig.return_(session="s2", rooms=[{"room": "r1", "seats": [0]}])
    join = rig.one("join")
    room.chat.unsubscribe(ignore)
    rig.tell(joined(ANA, BEN, re=join["id"]))
    rig.sent()
    assert join["subscribe"] == ["chat"]
    room.next_player.subscribe(ignore)
    room.chat.subscribe(ignore)
    assert [wire["event"] for wire in rig.sent()] == ["nextPlayer", "chat"]


def test_a_rematch_that_was_missed_subscribes_nobody() -> None:
    """Whoever comes back to it by joining is subscribed to what that join says."""
    rig = Rig()
    room = rig.room(ANA, BEN)
    room.chat.subscribe(ignore)
    rig.tell(message(type="ok", re=rig.one("subscribe")["id"], room="r1"))
    rig.drop()
    rig.return_(rooms=[{"room": "r1", "seats": [0]}, {"room": "r2", "seats": [1]}])
    rig.tell(message(type="rematch", room="r1", seq=2, next="r2"))
    rig.tell(joined(BEN, ANA, room="r2", re=rig.one("join")["id"]))
    rig.client.rooms["r2"].chat.subscribe(ignore)
    assert rig.one("subscribe")["room"] == "r2"


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


def test_an_async_subscriber_may_play() -> None:
    rig = Rig()
    room = rig.room(ANA, BEN)

    async def play(event: Any) -> None:
        if event.seat in event.seats:
            await room.play("b2")

    room.next_player.subscribe(play)
    rig.sent()
    rig.tell(turn(2))
    assert rig.one("playTurn")["move"] == "b2"


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


# A bot in a room


class First(Bot):
    game = "tic-tac-toe"

    def choose(self, turn: Turn) -> str:
        return turn.legal_moves[0]


class Broken(Bot):
    game = "tic-tac-toe"

    def choose(self, turn: Turn) -> str:
        raise RuntimeError("broken")


def test_a_bot_plays_through_its_room() -> None:
    rig, bot = Rig(), First()
    bot.init(rig.room(ANA, BEN), 0)
    assert rig.one("subscribe")["event"] == "nextPlayer"
    rig.tell(turn(2))
    assert rig.sent() == []
    rig.think()
    move = rig.one("playTurn")
    assert (move["seat"], move["ply"], move["move"]) == (0, 0, "a1")
    bot.disconnect()
    assert rig.one("unsubscribe")["event"] == "nextPlayer"


def test_a_bot_that_crashes_resigns(caplog: pytest.LogCaptureFixture) -> None:
    rig, bot = Rig(), Broken()
    bot.init(rig.room(ANA, BEN), 0)
    rig.tell(turn(2))
    rig.think()
    assert rig.one("resign")["seat"] == 0
    assert "RuntimeError: broken" in caplog.text


def test_a_bot_that_plays_an_illegal_move_resigns(caplog: pytest.LogCaptureFixture) -> None:
    rig, bot = Rig(), First()
    bot.init(rig.room(ANA, BEN), 0)
    rig.tell(turn(2))
    rig.think()
    id = rig.one("playTurn")["id"]
    rig.tell(message(type="refused", re=id, code="illegalMove", message="Occupied."))
    assert rig.one("resign")["seat"] == 0
    assert "Occupied." in caplog.text


def test_two_bots_in_one_room_each_play_their_own_seat() -> None:
    rig = Rig()
    room = rig.room(ANA, ANA)
    for seat in (0, 1):
        First().init(room, seat)
    rig.tell(turn(2, seat=0), turn(2, seat=1))
    rig.think()
    assert rig.one("playTurn")["seat"] == 0
    rig.tell(turn(3, "0........", seat=0), turn(3, "0........", seat=1))
    rig.think()
    assert rig.one("playTurn")["seat"] == 1
