"""Room: what a member may do, what it hears and from when on, and a bot that sits there."""

from __future__ import annotations

from typing import Any

import pytest

from tablero import Bot, Turn
from tablero.client.room import clocks_at
from tablero_protocol.messages import NextPlayer
from tests.harness.rig import ANA, BEN, Rig, held, joined, message, table, turn


def ignore(_: object) -> None:
    pass


# What a member may do


def test_a_seat_must_be_named_where_several_are_held_and_none_can_be_where_one_watches() -> None:
    rig = Rig()
    with pytest.raises(ValueError, match=r"Say which seat: \[0, 1\]"):
        _ = rig.ask(rig.room(ANA, ANA).play("a1")).result
    with pytest.raises(ValueError, match="watching"):
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
    rig.return_(session="s2", rooms=[held("r1", 0)])
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
    rig.return_(rooms=[held("r1", 0), held("r2", 1)])
    rig.tell(message(type="rematch", room="r1", seq=2, next="r2"))
    rig.tell(joined(BEN, ANA, room="r2", re=rig.one("join")["id"]))
    rig.client.rooms["r2"].chat.subscribe(ignore)
    assert rig.one("subscribe")["room"] == "r2"


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


def test_a_bot_whose_client_is_gone_gives_up_in_silence(caplog: pytest.LogCaptureFixture) -> None:
    rig, bot = Rig(), Broken()
    bot.init(rig.room(ANA, BEN), 0)
    rig.tell(turn(2))
    rig.client.close()
    rig.think()
    assert rig.sent() == []
    assert not [record for record in caplog.records if record.name == "asyncio"]


def test_what_a_bot_says_at_its_end_does_not_hold_up_its_resignation() -> None:
    rig, bot = Rig(), Broken()
    bot.init(rig.room(ANA, BEN), 0)
    rig.tell(turn(2))
    rig.think()
    sent = {wire["type"]: wire["id"] for wire in rig.sent()}
    assert {"say", "resign"} <= sent.keys()
    rig.tell(message(type="refused", re=sent["say"], code="forbidden", message="No."))
    rig.tell(message(type="refused", re=sent["resign"], code="gameOver", message="It is over."))
    assert rig.sent() == []


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


# Presence


def test_the_table_says_who_is_away_until_they_are_back() -> None:
    rig, heard = Rig(), list[str]()
    room = rig.room(ANA, BEN)
    room.members.subscribe(lambda event: heard.append(event.type))
    rig.tell(message(type="away", room="r1", player=BEN, seats=[1], until=43_000))
    assert [(member.player.name, member.away) for member in room.away] == [("Ben", 43_000)]
    rig.tell(message(type="back", room="r1", player=BEN))
    assert room.away == []
    assert heard == ["away", "back"]


def test_what_was_missed_of_who_came_and_went_is_made_up_for_by_a_resume() -> None:
    rig, heard = Rig(), list[str]()
    room = rig.room(ANA, BEN, seq=1)
    room.members.subscribe(lambda event: heard.append(event.type))
    for away in ({"ben": 43_000}, {"ben": 43_000}, {}):
        rig.tell(message(type="seq", room="r1", seq=9))
        rig.tell(message(type="ok", re=rig.one("resume")["id"], room="r1", seq=1, away=away))
        assert [member.away for member in room.away] == list(away.values())
    assert heard == ["away", "back"]


def test_an_absence_is_known_to_whoever_comes_later() -> None:
    rig = Rig()
    at = table(ANA, BEN)
    at["members"][1]["away"] = 43_000
    rig.tell(message(type="joined", room="r1", seq=1, player=ANA, table=at))
    assert [member.away for member in rig.client.rooms["r1"].away] == [43_000]


def test_nobody_is_away_from_a_game_that_is_played_over_days() -> None:
    """Who was away from the waiting table is not waited for any more, and nobody says so."""
    rig = Rig()
    room = rig.room(ANA, BEN, state="waiting", clock={"days": 3})
    rig.tell(message(type="away", room="r1", player=BEN, seats=[1], until=43_000))
    assert len(room.away) == 1
    rig.tell(turn(2))
    assert room.away == []


def test_an_absence_from_a_table_that_we_left_is_passed_over() -> None:
    rig = Rig()
    rig.tell(message(type="away", room="r1", player=BEN, seats=[1], until=43_000))
    assert rig.client.rooms == {}


def test_a_claim_names_the_seat_and_what_is_claimed() -> None:
    rig = Rig()
    rig.ask(rig.room(ANA, BEN).claim("draw"))
    claim = rig.one("claim")
    assert (claim["room"], claim["seat"], claim["what"]) == ("r1", 0, "draw")


# The game so far, and phrases


def test_the_history_is_read_to_its_last_page() -> None:
    rig = Rig()
    asked = rig.ask(rig.room(ANA, BEN).history())
    first = rig.one("showHistory")
    assert first["after"] == 0
    page = [{"seat": 0, "move": "a1", "seq": 3, "ply": 1, "at": 5}]
    rig.tell(message(type="history", re=first["id"], room="r1", turns=page, more=3))
    second = rig.one("showHistory")
    assert second["after"] == 3
    page = [{"seat": 1, "move": "b1", "seq": 4, "ply": 2, "at": 6}]
    rig.tell(message(type="history", re=second["id"], room="r1", turns=page))
    assert [past.move for past in asked.result] == ["a1", "b1"]


def test_a_phrase_goes_out_by_its_name() -> None:
    rig = Rig()
    rig.ask(rig.room(ANA, BEN).say_phrase("goodLuck"))
    said = rig.one("say")
    assert said["phrase"] == "goodLuck"
    assert "text" not in said


@pytest.mark.parametrize(
    ("fields", "left"),
    [
        ({"clocks": [300_000, 200_000], "at": 70_000}, [270_000, 200_000]),
        ({"clocks": [300_000, 200_000], "at": 70_000, "seats": [0, 1]}, [270_000, 170_000]),
        ({"clocks": [300_000, 200_000], "at": 70_000, "seats": []}, [300_000, 200_000]),
        ({"clocks": [300_000, 200_000], "at": 103_000}, [300_000, 200_000]),  # grace after a restart
        ({"clocks": [20_000, 200_000], "at": 70_000}, [0, 200_000]),
        ({"clocks": [300_000, 200_000], "at": 70_000, "firstMove": 30_000}, [300_000, 200_000]),
        ({"clocks": [300_000, 200_000]}, [300_000, 200_000]),
        ({}, None),
    ],
)
def test_the_clocks_of_those_who_are_to_move_have_run_since_the_turn(
    fields: dict[str, Any], left: list[int] | None
) -> None:
    event = turn(3, **fields)
    assert isinstance(event, NextPlayer)
    assert clocks_at(event, 100_000) == left
