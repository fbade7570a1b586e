"""What a room may hold, how many turns its game may have, and how many rooms a bot may keep."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.desk import Desk, Message, Peer

# What a room may hold besides its game


def fill(peer: Peer, room: str) -> str:
    """Chats until that is refused; gives the code."""
    for _ in range(30):
        answer = peer.ask("say", room=room, text="hello")
        if answer["type"] == "refused":
            return str(answer["code"])
    raise AssertionError("it goes on for ever")


def come_and_go(peer: Peer, room: str, **how: Any) -> int:
    """Joins and leaves until that is refused; gives how often it went well."""
    for count in range(99):
        answer = peer.ask("join", room=room, **how)
        if answer["type"] == "refused":
            assert answer["code"] == "roomFull"
            return count
        peer.ask("leave", room=room)
    raise AssertionError("it goes on for ever")


def test_who_has_used_up_a_share_only_plays_to_the_end() -> None:
    desk = Desk(room_entries=20)
    ann, bob, room = desk.pair()
    ann.ask("offer", room=room, seat=0, what="draw")
    offer = desk.journal[room][-1].body["offer"]
    assert fill(ann, room) == fill(bob, room) == "roomFull"
    assert [entry.cause and entry.cause.player for entry in desk.journal[room]].count(ann.player) == 5
    assert bob.refused("answer", room=room, seat=1, offer=offer, yes=False) == "roomFull"
    assert bob.refused("offer", room=room, seat=1, what="draw") == "roomFull"
    assert desk.peer("cat").refused("join", room=room) == "roomFull"
    desk.back(bob, same_session=False).join(room)
    for player, move in ((ann, "a1"), (bob, "b1"), (ann, "a2"), (bob, "b2")):
        player.play(room, move)
    assert ann.play(room, "a3")["outcome"]["winners"] == [0]
    assert [ann.ask("leave", room=room)["type"], bob.ask("leave", room=room)["type"]] == ["left"] * 2
    assert desk.entries(room)[-1] == "closed"


def test_who_has_used_up_a_share_can_resign() -> None:
    ann, _, room = Desk(room_entries=20).pair()
    fill(ann, room)
    assert ann.ask("resign", room=room, seat=0)["outcome"]["winners"] == [1]


def test_nobody_uses_up_the_share_of_another_who_sits() -> None:
    desk = Desk(room_entries=20)
    ann, bob, room = desk.pair()
    fill(ann, room)
    assert bob.ask("say", room=room, text="hello")["type"] == "ok"
    assert bob.ask("offer", room=room, seat=1, what="draw")["type"] == "ok"


def test_turns_take_nothing_of_a_share() -> None:
    desk = Desk(room_entries=20)
    ann, bob, room = desk.pair("connect-four")
    for ply in range(12):
        (ann, bob)[ply % 2].play(room, "1234567"[ply // 2])
    assert ann.ask("say", room=room, text="phew")["type"] == "ok"


def test_watchers_cannot_silence_those_who_play() -> None:
    desk = Desk(room_entries=100)
    ann, _, room = desk.pair()
    for _ in range(20):
        cat = desk.peer("cat")
        if cat.ask("join", room=room)["type"] != "refused":
            fill(cat, room)
    assert len(desk.journal[room]) == 50, "they have half of it together"
    assert ann.ask("say", room=room, text="quiet now")["type"] == "ok"


def test_one_watcher_has_a_small_share_of_what_watchers_have() -> None:
    desk = Desk(room_entries=100)
    _, _, room = desk.pair()
    assert come_and_go(desk.peer("eve"), room) == 3, "five entries, and the way out"
    assert "table" in desk.peer("cat").join(room)


def test_who_comes_and_goes_keeps_no_free_seat_from_anybody() -> None:
    desk = Desk(room_entries=100)
    ann = desk.peer("ann")
    room = ann.create("minesweeper", options={"mode": "race"}, seats=3)
    eves = [desk.peer("eve") for _ in range(20)]
    for eve in eves:
        come_and_go(eve, room, watch=True)
    assert desk.peer("cat").refused("join", room=room, watch=True) == "roomFull"
    for eve in eves:
        come_and_go(eve, room, seat=1)
    assert len(desk.journal[room]) > 100
    bob, cat = desk.peer("bob"), desk.peer("cat")
    assert [bob.join(room)["seat"], cat.join(room)["seat"]] == [1, 2]
    assert bob.ask("say", room=room, text="here at last")["type"] == "ok"
    assert ann.ask("offer", room=room, seat=0, what="draw")["type"] == "ok"


def test_shares_are_as_used_up_after_a_restart() -> None:
    desk = Desk(room_entries=100)
    _, _, room = desk.pair()
    eve = desk.peer("eve")
    come_and_go(eve, room)
    desk.restart()
    assert desk.back(eve).refused("join", room=room) == "roomFull"


# What a game may have of turns


def flagging(desk: Desk, turns: int, **fields: Any) -> tuple[Peer, Peer, str]:
    """Ann and Bob at a game that ends only when they want it to, after so many turns."""
    options = {"width": 9, "height": 9, "mines": 10, "mode": "coop"}
    ann, bob, room = desk.pair("minesweeper", seats=2, options=options, **fields)
    for _ in range(turns):
        assert flags(ann, room)["type"] == "nextPlayer"
    return ann, bob, room


def flags(peer: Peer, room: str) -> Message:
    """Puts a flag somewhere, or takes it away again."""
    ply = peer.desk.room(room).ply
    return peer.ask(
        "playTurn", f"turn-{ply}", room=room, seat=0, ply=ply, move=("flag a1", "unflag a1")[ply % 2]
    )


def test_a_game_that_has_had_all_its_turns_gets_no_more() -> None:
    desk = Desk(room_turns=6)
    ann, bob, room = flagging(desk, 6)
    refused = flags(ann, room)
    assert (refused["code"], refused["message"]) == (
        "roomFull",
        "This game reached its limit of 6 turns; offer a draw, or resign.",
    )
    assert bob.refused("playTurn", room=room, seat=1, ply=6, move="dig a2") == "roomFull"
    desk.restart()
    ann = desk.back(ann)
    ann.join(room)
    assert flags(ann, room)["code"] == "roomFull"
    assert desk.entries(room).count("turn") == 6


def test_but_its_players_can_agree_on_a_draw_and_play_again() -> None:
    desk = Desk(room_turns=6)
    ann, bob, room = flagging(desk, 6)
    assert ann.ask("say", room=room, text="that is enough")["type"] == "ok"
    ann.ask("offer", room=room, seat=0, what="draw")
    offer = desk.journal[room][-1].body["offer"]
    assert bob.ask("answer", room=room, seat=1, offer=offer, yes=True)["type"] == "ok"
    assert desk.entries(room)[-1] == "drawn"
    assert flags(ann, room)["code"] == "gameOver"
    for seat, peer in enumerate((ann, bob)):
        peer.ask("offer", room=room, seat=seat, what="rematch")
    following = desk.room(room).next
    assert following is not None
    assert flags(bob, following)["type"] == "nextPlayer"


@pytest.mark.parametrize("command", ["resign", "leave"])
def test_or_give_up(command: str) -> None:
    desk = Desk(room_turns=6)
    ann, bob, room = flagging(desk, 6)
    for seat, peer in enumerate((ann, bob)):
        asked: Message = {"seat": seat} if command == "resign" else {}
        assert peer.ask(command, room=room, **asked)["type"] != "refused"
    assert desk.entries(room).count("withdrew") == 2
    assert desk.entries(room)[-1] == ("withdrew" if command == "resign" else "closed")


def test_or_run_out_of_time() -> None:
    desk = Desk(room_turns=6)
    ann, _, room = flagging(desk, 6, clock={"base": 60, "increment": 0})
    desk.tick(30_000)
    assert flags(ann, room)["code"] == "roomFull"
    desk.now += 30_000
    assert flags(ann, room)["code"] == "gameOver", "the flags have fallen first"
    assert desk.entries(room).count("withdrew") == 2


def test_a_turn_that_was_among_them_may_be_repeated() -> None:
    desk = Desk(room_turns=6)
    ann, _, room = flagging(desk, 5)
    last = flags(ann, room)
    move = last["last"]["move"]
    assert ann.ask("playTurn", "turn-5", room=room, seat=0, ply=5, move=move) == last


def test_a_game_that_ends_with_its_last_turn_is_over_and_not_full() -> None:
    ann, bob, room = Desk(room_turns=5).pair()
    for player, move in ((ann, "a1"), (bob, "b1"), (ann, "a2"), (bob, "b2"), (ann, "a3")):
        player.play(room, move)
    assert bob.refused("playTurn", room=room, seat=1, ply=5, move="b3") == "gameOver"


# Bots and rooms that are over


def solo(peer: Peer) -> str:
    """A room with a game that is over."""
    room = peer.create("minesweeper")
    peer.ask("resign", room=room, seat=0)
    return room


def test_a_bot_cannot_keep_any_number_of_rooms_that_are_over() -> None:
    bot = Desk(rooms=3).bot("rob", capacity=2)
    for _ in range(3):
        solo(bot)
    assert bot.refused("createRoom", game="tic-tac-toe") == "tooManyRooms"


def test_a_bot_cannot_keep_any_number_of_rooms_that_it_watches() -> None:
    bot = Desk(rooms=3).bot("rob", capacity=2)
    for _ in range(3):
        bot.create(seat=None)
    assert bot.refused("createRoom", game="tic-tac-toe", seat=None) == "tooManyRooms"


def test_a_bot_watches_no_more_games_of_people_than_a_person() -> None:
    desk = Desk(rooms=3)
    bot = desk.bot("rob", capacity=1)
    rooms = [desk.pair()[2] for _ in range(4)]
    for room in rooms[:3]:
        bot.join(room, watch=True)
    assert bot.refused("join", room=rooms[3], watch=True) == "tooManyRooms"
    bot.ask("leave", room=rooms[0])
    bot.join(rooms[3], watch=True)


def test_two_bots_cannot_keep_them_for_each_other() -> None:
    desk = Desk(rooms=2)
    one, two = desk.bot("rob", capacity=9), desk.bot("rod", capacity=9)
    for _ in range(2):
        two.join(solo(one))
    assert two.refused("createRoom", game="tic-tac-toe") == "tooManyRooms"


def test_people_who_linger_do_not_keep_a_bot_from_playing() -> None:
    desk = Desk(rooms=2)
    bot = desk.bot("rob", "tic-tac-toe:easy", capacity=1)
    for _ in range(5):
        person = desk.peer("ann")
        room = person.create()
        person.ask("invite", room=room, seat=1, bot="tic-tac-toe:easy")
        bot.join(room, invite=bot.of("invited")[0]["invite"])
        person.ask("resign", room=room, seat=0)
    assert len(desk.hub.accounts.by_id[bot.player].rooms) == 5


def test_bots_may_play_again_and_again() -> None:
    desk = Desk(rooms=2)
    one, two = desk.bot("rob", capacity=1), desk.bot("rod", capacity=1)
    room = one.create()
    two.join(room)
    for _ in range(4):
        one.ask("resign", room=room, seat=desk.room(room).seats.index(one.player))
        for bot in (one, two):
            bot.ask("offer", room=room, seat=desk.room(room).seats.index(bot.player), what="rematch")
        following = desk.room(room).next
        assert following is not None
        for bot in (one, two):
            bot.ask("leave", room=room)
        room = following


# What all open rooms may hold together


def test_a_full_server_opens_no_room_and_lets_those_go_on_who_have_little() -> None:
    desk = Desk(entries=40, entries_anyway=10)
    ann, bob, room = desk.pair()
    other = ann.create()
    while desk.hub.rooms.entries < 40:
        assert ann.ask("say", room=room, text="hello")["type"] == "ok"
    assert ann.refused("createRoom", game="tic-tac-toe") == "retryLater"
    assert ann.refused("playTurn", room=room, seat=0, ply=0, move="b2") == "retryLater"
    assert ann.refused("say", room=other, text="hello") == "retryLater"
    assert bob.ask("say", room=room, text="go on")["type"] == "ok"
    desk.peer("cat").join(other)
    for peer in (ann, bob):
        peer.ask("leave", room=room)
    assert desk.entries(room)[-1] == "closed"
    assert desk.hub.rooms.entries < 40
    assert bob.create()


def test_a_person_who_has_done_too_much_in_open_rooms_may_still_end_them() -> None:
    desk = Desk(entries_per_player=4)
    ann, bob, room = desk.pair()
    for _ in range(3):
        ann.ask("say", room=room, text="hello")
    assert ann.refused("playTurn", room=room, seat=0, ply=0, move="b2") == "roomFull"
    assert ann.refused("say", room=room, text="hello") == "roomFull"
    assert ann.ask("resign", room=room, seat=0)["type"] == "nextPlayer"
    assert bob.ask("say", room=room, text="well")["type"] == "ok"


def test_the_hosts_own_bots_may_do_more() -> None:
    desk = Desk(entries_per_player=2)
    house = desk.house("tic-tac-toe:random")
    room = house.create()
    for _ in range(5):
        assert house.ask("say", room=room, text="hello")["type"] == "ok"


def test_what_is_open_is_counted_again_after_a_restart() -> None:
    desk = Desk(entries=6, entries_anyway=1)
    ann, _, room = desk.pair()
    before = desk.hub.rooms.entries
    desk.restart()
    assert desk.hub.rooms.entries == before
    ann = desk.back(ann, same_session=False)
    ann.join(room)
    for _ in range(6 - before):
        ann.ask("say", room=room, text="hello")
    assert ann.refused("say", room=room, text="hello") == "retryLater"


# Rooms where nothing happens any more


def test_a_room_whose_game_is_over_closes_when_nothing_happens_there_and_says_so() -> None:
    desk = Desk(idle_ms=60_000)
    ann, bob, room = desk.pair()
    ann.ask("resign", room=room, seat=0)
    desk.tick(50_000)
    bob.ask("say", room=room, text="well played")
    desk.tick(59_999)
    assert room in desk.hub.rooms.open
    desk.tick(1)
    assert desk.entries(room)[-3:] == ["left", "left", "closed"]
    assert [message["reason"] for message in bob.of("left")] == ["idle"]
    assert bob.refused("say", room=room, text="hello?") == "unknownRoom"


def test_a_game_that_goes_on_closes_for_no_silence() -> None:
    desk = Desk(idle_ms=60_000)
    _, _, room = desk.pair()
    desk.tick(10_000_000)
    assert room in desk.hub.rooms.open


def test_a_room_that_was_finished_before_a_restart_closes_as_well() -> None:
    desk = Desk(idle_ms=60_000)
    ann, _, room = desk.pair()
    ann.ask("resign", room=room, seat=0)
    desk.restart()
    desk.tick(59_999)
    assert room in desk.hub.rooms.open
    desk.tick(1)
    assert desk.entries(room)[-1] == "closed"
