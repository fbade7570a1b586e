"""Every code with which the core refuses, each provoked by one command that changes nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import tablero_server
from tablero_games.refusals import sentence_of as of_the_games
from tablero_protocol.codes import WHAT_TO_DO, Close, Code
from tablero_protocol.reasons import REASONS, sentence_of
from tablero_server.core.people.entry_policy import EntryPolicy
from tests.harness.desk import Desk, Message, Peer

HOME = Path(tablero_server.__file__).parent / "core"


def core() -> str:
    sources = [path.read_text("utf-8") for path in HOME.rglob("*.py")]
    assert len(sources) > 40
    return "\n".join(sources)


def wrong_protocol(desk: Desk) -> Message:
    return desk.connect().ask("hello", protocol=2, client="test")


def hello_first(desk: Desk) -> Message:
    return desk.connect().ask("ping")


def bad_token(desk: Desk) -> Message:
    return desk.connect().ask("hello", protocol=1, client="test", token="never-was-one")


def bad_name(desk: Desk) -> Message:
    return desk.connect().ask("hello", protocol=1, client="test", name="a b")


def id_reused(desk: Desk) -> Message:
    ann, _, room = desk.pair()
    ann.ask("say", "twice", room=room, text="hello")
    return ann.ask("say", "twice", room=room, text="goodbye")


def bad_message(desk: Desk) -> Message:
    return desk.peer().ask("join")


def unknown_game(desk: Desk) -> Message:
    return desk.peer().ask("createRoom", game="chess")


def paused(desk: Desk) -> Message:
    ann, bob, room = desk.pair(clock={"base": 60})
    for seat, peer in enumerate((ann, bob)):
        peer.ask("offer", room=room, seat=seat, what="pause")
    return ann.play(room, "b2")


def not_away(desk: Desk) -> Message:
    ann, _, room = desk.pair()
    return ann.ask("claim", room=room, seat=0)


def no_takeback(desk: Desk) -> Message:
    ann, _, room = desk.pair()
    return ann.ask("offer", room=room, seat=0, what="takeback")


def bad_options(desk: Desk) -> Message:
    return desk.peer().ask("createRoom", game="connect-four", options={"columns": 3})


def not_ratable(desk: Desk) -> Message:
    return desk.peer().ask("createRoom", game="minesweeper", rated=True)


def no_field_found(desk: Desk) -> Message:
    walled_in = {"width": 2, "height": 2, "mines": 1, "firstDig": "cell", "noGuess": True}
    ann = desk.peer()
    room = ann.create("minesweeper", options=walled_in)
    return ann.ask("playTurn", room=room, seat=0, ply=0, move="dig a1")


def rate_limited(desk: Desk) -> Message:
    ann = desk.peer()
    fields: Message = {"protocol": 1, "client": "test", "token": ann.token, "session": ann.session}
    for number in range(desk.hub.limits.renames.burst):
        desk.connect().ask("hello", name=f"ann{number}", **fields)
    return desk.connect().ask("hello", name="another", **fields)


def unknown_room(desk: Desk) -> Message:
    return desk.peer().ask("join", room="nowhere")


def damaged_room(desk: Desk) -> Message:
    ann, _, room = desk.pair()
    desk.damage(room)
    desk.restart()
    return desk.back(ann).ask("join", room=room)


def wrong_code(desk: Desk) -> Message:
    return desk.peer().ask("join", code="ABCD-EFGH")


def unknown_player(desk: Desk) -> Message:
    ann = desk.peer()
    return ann.ask("invite", room=ann.create(), seat=1, player="nobody")


def unknown_invite(desk: Desk) -> Message:
    return desk.peer().ask("decline", invite="none")


def unknown_offer(desk: Desk) -> Message:
    ann, _, room = desk.pair()
    return ann.ask("answer", room=room, seat=0, offer="none", yes=True)


def no_such_seat(desk: Desk) -> Message:
    return desk.peer("bob").ask("join", room=desk.peer().create(), seat=2)


def seat_free(desk: Desk) -> Message:
    ann = desk.peer()
    return ann.ask("freeSeat", room=ann.create(), seat=1)


def seat_taken(desk: Desk) -> Message:
    return desk.peer("bob").ask("join", room=desk.peer().create(), seat=0)


def one_seat_each(desk: Desk) -> Message:
    ann = desk.peer()
    room = ann.create("minesweeper", options={"mode": "race"})
    return ann.ask("join", room=room, seat=1)


def room_full(desk: Desk) -> Message:
    _, _, room = desk.pair()
    desk.peer("cat").join(room)
    return desk.peer("dan").ask("join", room=room)


def too_many_rooms(desk: Desk) -> Message:
    ann = desk.peer()
    ann.create()
    ann.create()
    return ann.ask("createRoom", game="tic-tac-toe")


def too_many_seeks(desk: Desk) -> Message:
    ann = desk.peer()
    for _ in range(desk.hub.limits.seeks):
        ann.ask("seek", game="quoridor")
    return ann.ask("seek", game="quoridor")


def unknown_seek(desk: Desk) -> Message:
    return desk.peer().ask("cancelSeek", seek="none")


def retry_later(desk: Desk) -> Message:
    for name in ("ann", "bob", "cat"):
        desk.peer(name).create()
    return desk.peer("dan").ask("createRoom", game="tic-tac-toe")


def bot_unavailable(desk: Desk) -> Message:
    ann = desk.peer()
    return ann.ask("invite", room=ann.create(), seat=1, bot="tic-tac-toe:hard")


def forbidden(desk: Desk) -> Message:
    ann, _, room = desk.pair()
    return ann.ask("playTurn", room=room, seat=1, ply=0, move="b2")


def not_started(desk: Desk) -> Message:
    ann = desk.peer()
    return ann.ask("playTurn", room=ann.create(), seat=0, ply=0, move="b2")


def not_over(desk: Desk) -> Message:
    ann, _, room = desk.pair()
    return ann.ask("offer", room=room, seat=0, what="rematch")


def game_over(desk: Desk) -> Message:
    ann, bob, room = desk.pair()
    ann.ask("resign", room=room, seat=0)
    return bob.ask("playTurn", room=room, seat=1, ply=0, move="b2")


def not_your_turn(desk: Desk) -> Message:
    _, bob, room = desk.pair()
    return bob.ask("playTurn", room=room, seat=1, ply=0, move="b2")


def stale(desk: Desk) -> Message:
    ann, _, room = desk.pair()
    ann.play(room, "b2")
    return ann.ask("playTurn", room=room, seat=0, ply=0, move="a1")


def illegal_move(desk: Desk) -> Message:
    ann, bob, room = desk.pair()
    ann.play(room, "b2")
    return bob.play(room, "b2")


def no_chat(desk: Desk) -> Message:
    ann, _, room = Desk(talk="off", chat=desk.hub.limits.chat).pair()
    return ann.ask("say", room=room, text="hello")


def too_many_sessions(desk: Desk) -> Message:
    ann = desk.peer()
    desk.back(ann, same_session=False)
    return desk.connect().ask("hello", protocol=1, client="test", token=ann.token, name="other")


def too_many_devices(desk: Desk) -> Message:
    return Desk(devices=1).peer().ask("handOver")


def unknown_device(desk: Desk) -> Message:
    return desk.peer().ask("endToken", token="nobodys")


def passphrase_needed(desk: Desk) -> Message:
    desk = Desk(entry_policy=EntryPolicy("passphrase", "olé"))
    return desk.connect().ask("hello", protocol=1, client="test")


def closed_to_guests(desk: Desk) -> Message:
    return Desk(entry_policy=EntryPolicy("closed")).connect().ask("hello", protocol=1, client="test")


def banned(desk: Desk) -> Message:
    ann = desk.peer()
    account = desk.hub.accounts.by_id[ann.player]
    desk.by_host(desk.hub.authority.keep_out(account, None, "enough", desk.now, from_everywhere=False))
    return desk.connect().ask("hello", protocol=1, client="test", token=ann.token)


def draining(desk: Desk) -> Message:
    ann = desk.peer()
    desk.by_host(desk.hub.authority.drain(then_stop=False))
    return ann.ask("createRoom", game="tic-tac-toe")


PROVOKED: dict[Code, Callable[[Desk], Message]] = {
    code: globals()[code.name.lower()] for code in Code if code.name.lower() in globals()
}


@pytest.mark.parametrize("code", PROVOKED, ids=lambda code: code.value)
def test_each_code_is_provoked_and_changes_nothing(code: Code) -> None:
    desk = Desk(rooms=2, all_rooms=3, watchers=1, sessions=2)
    answer = PROVOKED[code](desk)
    assert (answer["type"], answer["code"]) == ("refused", code.value)
    assert re.fullmatch(r"[A-Z\d].*\.", answer["message"]), "a sentence for people"
    reason, fields = answer["reason"], answer["fields"]
    say = sentence_of if reason in REASONS else of_the_games
    assert answer["message"] == say(reason, json.loads(json.dumps(fields))), "which a program can say too"


def test_every_code_that_the_core_raises_is_provoked_here() -> None:
    reasons = {reason for reason in REASONS if f'"{reason}"' in core()}
    by_the_rules = {Code.ILLEGAL_MOVE, Code.NOT_YOUR_TURN, Code.BAD_OPTIONS}
    assert {REASONS[reason].code for reason in reasons} | by_the_rules == PROVOKED.keys()
    assert PROVOKED.keys() <= WHAT_TO_DO.keys()


# What particular refusals bring along


def test_a_wrong_protocol_closes_the_connection_for_good() -> None:
    peer = Desk().connect()
    assert peer.refused("hello", protocol=99, client="test") == "wrongProtocol"
    assert peer.closed == Close.WRONG_PROTOCOL.value == 4102


def test_other_refusals_keep_the_connection() -> None:
    peer = Desk().connect()
    assert peer.refused("createRoom", game="tic-tac-toe") == "helloFirst"
    assert peer.closed is None


@pytest.mark.parametrize(
    ("game", "fields", "named"),
    [
        ("tic-tac-toe", {"options": {"size": 4}}, "size"),
        ("connect-four", {"options": {"columns": 3}}, "columns"),
        ("connect-four", {"options": {"rows": 13}}, "rows"),
        ("connect-four", {"options": {"connect": 8}}, "connect"),
        ("connect-four", {"options": {"columns": "7"}}, "columns"),
        ("connect-four", {"options": {"seed": 7}}, "seed"),
        ("connect-four", {"options": {"prepared": 7}}, "prepared"),
        ("connect-four", {"seats": 3}, "seats"),
        ("minesweeper", {"options": {"mode": "race"}, "seats": 1}, "seats"),
    ],
)
def test_a_bad_option_is_named(game: str, fields: Message, named: str) -> None:
    answer = Desk().peer().ask("createRoom", game=game, **fields)
    assert answer["code"] == "badOptions"
    assert named in answer["message"]


def test_an_unknown_game_brings_the_list_of_games() -> None:
    sentence = Desk().peer().ask("createRoom", game="chess")["message"]
    assert "tic-tac-toe" in sentence
    assert "minesweeper" in sentence


def test_a_full_server_says_when_to_try_again() -> None:
    assert retry_later(Desk(all_rooms=3))["retryAfterMs"] > 0


def test_a_seat_that_the_new_room_has_not_is_refused_before_there_is_a_room() -> None:
    desk = Desk()
    assert desk.peer().refused("createRoom", game="tic-tac-toe", seat=2) == "noSuchSeat"
    assert desk.journal == {}


# A stale turn brings what was missed


def test_a_stale_ply_is_refused_with_what_was_missed() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    for player, move in ((ann, "b2"), (bob, "a1"), (ann, "c3")):
        player.play(room, move)
    missed = ann.ask("playTurn", room=room, seat=0, ply=1, move="a2")["missed"]
    assert [turn["last"]["move"] for turn in missed] == ["a1", "c3"]
    assert [turn["ply"] for turn in missed] == [2, 3]
    assert all(turn["seat"] == 0 for turn in missed)


def test_what_a_stale_turn_missed_leaves_out_the_chat() -> None:
    ann, bob, room = Desk().pair()
    ann.play(room, "b2")
    bob.ask("say", room=room, text="well played")
    bob.play(room, "a1")
    missed = ann.ask("playTurn", room=room, seat=0, ply=0, move="a2")["missed"]
    assert [turn["type"] for turn in missed] == ["nextPlayer", "nextPlayer"]


def test_a_turn_for_a_ply_that_never_was_is_answered_with_the_room_as_it_is() -> None:
    ann, _, room = Desk().pair()
    answer = ann.ask("playTurn", room=room, seat=0, ply=2, move="a2")
    assert answer["code"] == "stale"
    [snapshot] = answer["missed"]
    assert (snapshot["type"], [turn["ply"] for turn in snapshot["turns"]]) == ("snapshot", [0])


def test_who_missed_too_much_gets_a_snapshot() -> None:
    ann, bob, room = Desk(replay_events=2).pair()
    for player, move in ((ann, "b2"), (bob, "a1"), (ann, "c3")):
        player.play(room, move)
    [snapshot] = bob.ask("playTurn", room=room, seat=1, ply=0, move="a2")["missed"]
    assert snapshot["type"] == "snapshot"
    assert [turn["ply"] for turn in snapshot["turns"]] == [3]


def test_a_stale_turn_is_stale_also_when_it_is_not_your_turn() -> None:
    ann, _, room = Desk().pair()
    ann.play(room, "b2")
    assert ann.refused("playTurn", room=room, seat=0, ply=0, move="a1") == "stale"
    assert ann.refused("playTurn", room=room, seat=0, ply=1, move="a1") == "notYourTurn"


# Who may do what


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("playTurn", {"seat": 0, "ply": 0, "move": "b2"}),
        ("resign", {"seat": 0}),
        ("offer", {"seat": 0, "what": "draw"}),
        ("answer", {"seat": 0, "offer": "any", "yes": True}),
        ("takeSeat", {"seat": 0}),
    ],
)
def test_a_watcher_may_not(command: str, fields: Message) -> None:
    desk = Desk()
    _, _, room = desk.pair()
    cat = desk.peer("cat")
    cat.join(room)
    assert cat.refused(command, room=room, **fields) == "forbidden"


@pytest.mark.parametrize("command", ["playTurn", "resign", "takeSeat", "offer"])
def test_a_seat_that_no_game_has_is_refused(command: str) -> None:
    ann, _, room = Desk().pair()
    fields: dict[str, Message] = {"playTurn": {"ply": 0, "move": "b2"}, "offer": {"what": "draw"}}
    assert ann.refused(command, room=room, seat=7, **fields.get(command, {})) == "noSuchSeat"


IN_A_ROOM: list[tuple[str, Message]] = [
    ("leave", {}),
    ("invite", {"seat": 1, "player": "bob"}),
    ("subscribe", {"event": "chat"}),
    ("unsubscribe", {"event": "chat"}),
    ("playTurn", {"seat": 0, "ply": 0, "move": "b2"}),
    ("resign", {"seat": 0}),
    ("offer", {"seat": 0, "what": "draw"}),
    ("answer", {"seat": 0, "offer": "any", "yes": True}),
    ("say", {"text": "hello"}),
    ("resume", {"epoch": "any", "seq": 0}),
    ("takeSeat", {"seat": 0}),
    ("setOptions", {"options": {}}),
    ("freeSeat", {"seat": 0}),
    ("swapSeats", {"seats": [0, 1]}),
    ("begin", {}),
]


@pytest.mark.parametrize(("command", "fields"), IN_A_ROOM, ids=[command for command, _ in IN_A_ROOM])
def test_outside_its_room_every_command_is_refused(command: str, fields: Message) -> None:
    desk = Desk()
    ann, stranger = desk.peer("ann"), desk.peer("eve")
    public, private = ann.create(), ann.create(private=True)

    def code(peer: Peer, room: str) -> str:
        return peer.refused(command, room=room, **fields)

    assert code(stranger, "nowhere") == "unknownRoom"
    assert code(stranger, public) == "forbidden"
    assert code(stranger, private) == "unknownRoom", "a private room is not even confirmed to exist"
