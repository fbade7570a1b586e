"""One table by itself: commands write entries, and the fold of the entries is the room."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tablero_games import Play
from tablero_protocol.codes import Code
from tablero_server.core.entry import Entry, Tell
from tablero_server.core.refusal import Refusal
from tablero_server.core.room.room import Room
from tablero_server.core.room.state import RoomState
from tablero_server.core.seats.resume import seq_after_ply
from tests.harness.desk import Desk, Peer
from tests.harness.room import ANN, BOB, begun, cause, moved, new_room, unheard


def kinds(command: Callable[[Tell], None]) -> list[str]:
    """Of the entries that `command` writes."""
    told: list[Entry] = []
    command(told.append)
    return [entry.kind for entry in told]


def test_a_room_waits_plays_ends_and_closes() -> None:
    room = new_room()
    states = [room.state]
    room.join(cause(ANN), ANN, 0, 1, unheard)
    states.append(room.state)
    room.join(cause(BOB), BOB, 1, 2, unheard)
    room.start_if_full(2, unheard)
    states.append(room.state)
    room.resign(cause(BOB), 1, 3, unheard)
    states.append(room.state)
    for player in ("ann", "bob"):
        room.leave(None, player, "left", 4, unheard)
    states.append(room.state)
    assert states == [
        RoomState.WAITING,
        RoomState.WAITING,
        RoomState.PLAYING,
        RoomState.FINISHED,
        RoomState.CLOSED,
    ]


def test_a_listener_finds_the_room_as_it_is_right_after_each_entry() -> None:
    room = moved()
    found: list[tuple[str, RoomState, bool]] = []

    def tell(entry: Entry) -> None:
        found.append((entry.kind, room.state, "ann" in room.members))

    room.leave(cause(ANN), "ann", "left", 30, tell)
    assert found == [("withdrew", RoomState.FINISHED, True), ("left", RoomState.FINISHED, False)]


def test_the_game_begins_when_every_seat_is_taken_and_not_before() -> None:
    room = new_room()
    for player, seat in ((ANN, 0), (BOB, 1)):
        assert room.state is RoomState.WAITING
        room.start_if_full(10, unheard)
        room.join(cause(player), player, seat, 10, unheard)
    assert room.state is RoomState.WAITING
    assert kinds(lambda tell: room.start_if_full(20, tell)) == ["started"]
    assert kinds(lambda tell: room.start_if_full(30, tell)) == []


def test_a_move_is_played_by_the_rules_once(monkeypatch: pytest.MonkeyPatch) -> None:
    room, played = begun(), list[str]()
    turn = Play.turn

    def counted(self: Play, seat: int, move: str) -> Play:
        played.append(move)
        return turn(self, seat, move)

    monkeypatch.setattr(Play, "turn", counted)
    room.play_turn(cause(ANN), 0, 0, "b2", 30)
    assert played == ["b2"]


def test_records_are_numbered_and_dated() -> None:
    room = begun()
    room.play_turn(cause(ANN), 0, 0, "b2", 30)
    assert [(entry.seq, entry.kind, entry.at) for entry in room.log] == [
        (0, "created", 0),
        (1, "joined", 10),
        (2, "joined", 20),
        (3, "started", 20),
        (4, "turn", 30),
    ]


def test_turns_with_the_same_move_share_their_body() -> None:
    first, second = begun(), begun()
    for room in (first, second):
        room.play_turn(cause(ANN), 0, 0, "b2", 30)
    assert first.log[-1].body is second.log[-1].body


def test_a_record_names_the_command_behind_it() -> None:
    room = begun()
    room.play_turn(cause(ANN, "x"), 0, 0, "b2", 30)
    assert room.log[4].cause == cause(ANN, "x")
    assert room.log[3].cause is None, "the game starts by itself"


@pytest.mark.parametrize(
    ("seat", "ply", "move", "code"),
    [
        (0, 1, "b2", Code.STALE),
        (1, 0, "b2", Code.FORBIDDEN),
        (2, 0, "b2", Code.NO_SUCH_SEAT),
        (0, 0, "d4", Code.ILLEGAL_MOVE),
        (0, 0, "", Code.ILLEGAL_MOVE),
    ],
)
def test_a_refused_turn_leaves_the_log_alone(seat: int, ply: int, move: str, code: Code) -> None:
    room = begun()
    log, position, told = [*room.log], room.position, list[Entry]()
    with pytest.raises(Refusal) as refused:
        told.append(room.play_turn(cause(ANN), seat, ply, move, 30))
    assert refused.value.code is code
    assert told == []
    assert (room.log, room.position) == (log, position)


def test_the_server_takes_a_seat_out_once() -> None:
    room = begun()
    assert kinds(partial(room.withdraw, 0, "time", 30)) == ["withdrew"]
    assert kinds(partial(room.withdraw, 0, "time", 40)) == []
    assert kinds(partial(room.withdraw, 1, "time", 40)) == []


ALL = ["nextPlayer", "chat", "members", "offers"]


def over(desk: Desk, **fields: Any) -> tuple[Peer, Peer, str]:
    """Ann and Bob after a game that Bob gave up."""
    ann, bob, room = desk.pair(**{"subscribe": ALL, **fields})
    bob.ask("resign", room=room, seat=1)
    return ann, bob, room


# Draws


def test_a_draw_is_offered_and_accepted() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(subscribe=ALL)
    offered = ann.ask("offer", room=room, seat=0, what="draw")
    assert offered["type"] == "offered"
    [heard] = bob.of("offered")
    assert (heard["offer"], heard["seat"], heard["what"]) == (offered["offer"], 0, "draw")
    assert bob.ask("answer", room=room, seat=1, offer=heard["offer"], yes=True)["type"] == "answered"
    assert bob.turns[-1]["outcome"]["kind"] == "draw"
    assert ann.turns[-1]["seats"] == []


def test_a_draw_is_offered_and_declined() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(subscribe=ALL)
    offer = ann.ask("offer", room=room, seat=0, what="draw")["offer"]
    assert bob.ask("answer", room=room, seat=1, offer=offer, yes=False)["yes"] is False
    assert ann.of("answered")[0]["yes"] is False
    assert bob.refused("answer", room=room, seat=1, offer=offer, yes=True) == "unknownOffer"
    assert desk.room(room).state.value == "playing"


def test_offering_what_is_offered_is_a_yes() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(subscribe=ALL)
    ann.ask("offer", room=room, seat=0, what="draw")
    assert bob.ask("offer", room=room, seat=1, what="draw")["type"] == "answered"
    assert desk.entries(room)[-2:] == ["answered", "drawn"]


def test_nobody_answers_their_own_offer() -> None:
    ann, _, room = Desk().pair(subscribe=ALL)
    offer = ann.ask("offer", room=room, seat=0, what="draw")["offer"]
    assert ann.refused("answer", room=room, seat=0, offer=offer, yes=True) == "forbidden"
    assert ann.refused("offer", room=room, seat=0, what="draw") == "forbidden"


def test_a_turn_takes_offers_off_the_table() -> None:
    ann, bob, room = Desk().pair(subscribe=ALL)
    offer = ann.ask("offer", room=room, seat=0, what="draw")["offer"]
    ann.play(room, "b2")
    assert bob.refused("answer", room=room, seat=1, offer=offer, yes=True) == "unknownOffer"


def test_a_watcher_who_leaves_takes_no_offer_along() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(subscribe=ALL)
    cat = desk.peer("cat")
    cat.join(room)
    offer = ann.ask("offer", room=room, seat=0, what="draw")["offer"]
    cat.ask("leave", room=room)
    assert bob.ask("answer", room=room, seat=1, offer=offer, yes=True)["type"] == "answered"


def test_there_is_no_draw_before_or_after_the_game() -> None:
    desk = Desk()
    ann = desk.peer("zoe")
    assert ann.refused("offer", room=ann.create(), seat=0, what="draw") == "notStarted"
    ann, _, room = over(desk)
    assert ann.refused("offer", room=room, seat=0, what="draw") == "gameOver"


def test_who_plays_both_sides_agrees_with_itself() -> None:
    desk = Desk()
    ann = desk.peer()
    room = ann.create()
    ann.join(room, seat=1)
    ann.ask("offer", room=room, seat=0, what="draw")
    assert desk.entries(room)[-2:] == ["offered", "drawn"]


# Rematches


def agree(ann: Peer, bob: Peer, room: str) -> str:
    offer = ann.ask("offer", room=room, seat=0, what="rematch")["offer"]
    bob.ask("answer", room=room, seat=1, offer=offer, yes=True)
    return str(bob.of("rematch")[0]["next"])


def test_a_rematch_makes_a_new_room_with_seats_rotated() -> None:
    desk = Desk()
    ann, bob, room = over(
        desk, game="connect-four", options={"columns": 5}, clock={"base": 60, "increment": 1}
    )
    following = agree(ann, bob, room)
    assert following != room
    assert desk.room(following).seats == [bob.player, ann.player]
    assert desk.room(following).options_json == {"columns": 5, "rows": 6, "connect": 4}
    assert desk.room(following).clock_terms == {"base": 60, "increment": 1}
    for peer, seat in ((ann, 1), (bob, 0)):
        types = [message["type"] for message in peer.seen]
        assert types[-3:] == ["rematch", "joined", "nextPlayer"]
        assert peer.of("joined")[0]["seat"] == seat
        assert peer.of("joined")[0]["table"]["state"] == "playing"
        assert (peer.turns[-1]["seat"], peer.turns[-1]["room"], peer.turns[-1]["ply"]) == (seat, following, 0)
    bob.play(following, "3")
    assert ann.turns[-1]["ply"] == 1


def test_the_rematch_has_a_seed_and_an_epoch_of_its_own() -> None:
    desk = Desk()
    ann, bob, room = over(desk)
    following = agree(ann, bob, room)
    assert desk.room(following).seed != desk.room(room).seed
    assert desk.room(following).epoch != desk.room(room).epoch


def test_subscriptions_are_the_same_in_the_next_room() -> None:
    desk = Desk()
    ann, bob, room = over(desk)
    ann.ask("subscribe", room=room, event="nextPlayer", legalMoves=True)
    bob.ask("unsubscribe", room=room, event="nextPlayer")
    following = agree(ann, bob, room)
    assert bob.turns == []
    bob.play(following, "b2")
    assert "legalMoves" in ann.turns[-1]


def test_watchers_come_along() -> None:
    desk = Desk()
    ann, bob, room = over(desk)
    cat = desk.peer("cat")
    cat.join(room, subscribe=["nextPlayer"])
    following = agree(ann, bob, room)
    assert [message["type"] for message in cat.seen[-3:]] == ["rematch", "joined", "nextPlayer"]
    assert cat.turns[-1]["room"] == following
    assert "seat" not in cat.turns[-1]


def test_both_offering_is_agreeing() -> None:
    desk = Desk()
    ann, bob, room = over(desk)
    ann.ask("offer", room=room, seat=0, what="rematch")
    assert bob.ask("offer", room=room, seat=1, what="rematch")["type"] == "answered"
    assert ann.of("rematch")


def test_a_rematch_begins_once() -> None:
    desk = Desk()
    ann, bob, room = over(desk)
    agree(ann, bob, room)
    assert ann.refused("offer", room=room, seat=0, what="rematch") == "gameOver"
    assert desk.entries(room).count("rematch") == 1


def test_no_rematch_leads_beyond_the_rooms_that_a_player_may_be_in() -> None:
    desk = Desk(rooms=2)
    ann, bob, first = over(desk)
    second = agree(ann, bob, first)
    ann.ask("resign", room=second, seat=1)
    offer = ann.ask("offer", room=second, seat=1, what="rematch")["offer"]
    bob.ask("answer", room=second, seat=0, offer=offer, yes=True)
    assert [message["yes"] for message in ann.of("answered")] == [True, False]
    assert desk.room(second).next is None
    for player in (ann, bob):
        player.ask("leave", room=first)
    assert agree(bob, ann, second) in desk.hub.rooms.open


def test_no_rematch_leads_beyond_the_rooms_that_the_server_may_have() -> None:
    desk = Desk(all_rooms=1)
    ann, bob, room = over(desk)
    ann.ask("offer", room=room, seat=0, what="rematch")
    bob.ask("offer", room=room, seat=1, what="rematch")
    assert desk.room(room).next is None
    assert len(desk.hub.rooms.open) == 1


def test_a_declined_rematch_may_be_offered_again() -> None:
    desk = Desk()
    ann, bob, room = over(desk)
    offer = ann.ask("offer", room=room, seat=0, what="rematch")["offer"]
    bob.ask("answer", room=room, seat=1, offer=offer, yes=False)
    agree(ann, bob, room)


def test_there_is_no_rematch_when_somebody_left() -> None:
    desk = Desk()
    ann, bob, room = over(desk)
    bob.ask("leave", room=room)
    assert ann.refused("offer", room=room, seat=0, what="rematch") == "forbidden"


def test_who_left_and_comes_back_after_the_end_may_play_again() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(subscribe=ALL)
    ann.ask("resign", room=room, seat=0)
    bob.ask("leave", room=room)
    bob.join(room, watch=True)
    bob.ask("offer", room=room, seat=1, what="rematch")
    assert ann.ask("offer", room=room, seat=0, what="rematch")["type"] == "answered"
    assert desk.room(room).next is not None


def test_leaving_takes_the_offer_of_a_rematch_along() -> None:
    desk = Desk()
    ann, bob, room = over(desk)
    offer = ann.ask("offer", room=room, seat=0, what="rematch")["offer"]
    ann.ask("leave", room=room)
    assert bob.refused("answer", room=room, seat=1, offer=offer, yes=True) == "unknownOffer"


def test_after_two_rematches_everybody_sits_as_at_first() -> None:
    desk = Desk()
    ann, bob, first = over(desk)
    second = agree(ann, bob, first)
    ann.ask("resign", room=second, seat=1)
    third = agree(bob, ann, second)
    assert desk.room(third).seats == desk.room(first).seats


@pytest.mark.parametrize("private", [False, True])
def test_the_next_room_is_as_private_as_the_first(private: bool) -> None:
    desk = Desk()
    ann, bob, room = over_in_private(desk) if private else over(desk)
    following = agree(ann, bob, room)
    assert desk.room(following).private is private
    assert desk.peer("cat").ask("join", code=ann.of("joined")[0]["code"])["room"] == following


def test_the_next_table_is_without_watchers_like_the_first() -> None:
    desk = Desk()
    ann, bob, room = over(desk, watchers=False)
    following = agree(ann, bob, room)
    assert desk.peer("cat").refused("join", room=following) == "forbidden"


def over_in_private(desk: Desk) -> tuple[Peer, Peer, str]:
    ann, bob = desk.peer("ann"), desk.peer("bob")
    made = ann.ask("createRoom", game="tic-tac-toe", private=True, subscribe=ALL)
    bob.ask("join", code=made["code"], subscribe=ALL)
    bob.ask("resign", room=made["room"], seat=1)
    return ann, bob, made["room"]


def test_who_is_away_finds_the_next_room_on_return() -> None:
    desk = Desk()
    ann, bob, room = over(desk)
    cat = desk.peer("cat")
    cat.join(room, subscribe=["nextPlayer"])
    desk.drop(cat)
    following = agree(ann, bob, room)
    back = desk.back(cat)
    assert [held["room"] for held in back.welcome["rooms"]] == [following, room]
    back.ask("resume", room=room, epoch=desk.room(room).epoch, seq=cat.heads[room])
    assert back.of("rematch")[0]["next"] == following
    assert back.join(following)["table"]["state"] == "playing"


def test_the_fold_goes_through_every_state_of_the_room() -> None:
    room = begun(clock={"base": 60, "increment": 1})
    seen = [(room.head, room.ply, room.state, room.position, room.clock)]
    for ply, move in enumerate(["b2", "a1", "c3"]):
        room.play_turn(cause((ANN, BOB)[ply % 2], move), ply % 2, ply, move, 1_000 * ply)
        seen.append((room.head, room.ply, room.state, room.position, room.clock))
    folded = [(each.head, each.ply, each.state, each.position, each.clock) for each in Room.fold(room.log)]
    assert folded[3:] == seen


def test_a_room_goes_on_from_its_log() -> None:
    room = begun()
    room.play_turn(cause(ANN), 0, 0, "b2", 30)
    *_, again = Room.fold([*room.log])
    again.play_turn(cause(BOB), 1, 1, "a1", 40)
    room.play_turn(cause(BOB), 1, 1, "a1", 40)
    assert again.log == room.log
    assert again.position == room.position


def test_the_ply_of_a_record_is_found() -> None:
    room = begun()
    for ply, move in enumerate(["b2", "a1", "c3"]):
        player = (ANN, BOB)[ply % 2]
        room.play_turn(cause(player, move), ply % 2, ply, move, 30)
        room.say(cause(player, f"say{ply}"), "hm", 30, unheard)
    assert [seq_after_ply(room, 0, ply, 9) for ply in range(5)] == [3, 4, 6, 8, None]
    assert [seq_after_ply(room, 0, ply, 4) for ply in range(4)] == [None, None, 6, 8]


def test_who_sat_is_remembered_after_leaving_a_game_that_had_begun() -> None:
    room = moved()
    room.leave(None, "ann", "gone", 30, unheard)
    assert room.seats == ["ann", "bob"]
    assert room.seated[0] == ANN
    assert room.play is not None
    assert room.play.last == {"seat": 0, "withdrew": "gone"}
    assert room.watchers() == 0


def test_a_seat_that_is_kept_is_not_free() -> None:
    room = new_room()
    assert room.free_seat(set()) == 0
    assert room.free_seat({0}) == 1
    assert room.free_seat({0, 1}) is None
    assert begun().free_seat(set()) is None
