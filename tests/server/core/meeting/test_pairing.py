"""Who seeks somebody to play with meets who seeks the same: once, never themselves, only while here."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_protocol.messages import Seek
from tablero_server.core.effects import Effects
from tablero_server.core.meeting.pairing import Pairing
from tablero_server.core.people.session import Account
from tablero_server.journal.roll_back import roll_back
from tests.harness.desk import RATED_CLOCK, Desk, Message, Peer
from tests.harness.lost import lost_with
from tests.harness.wire import a_server, a_wire

FOUR: Message = {"game": "connect-four"}
RATED_FOUR: Message = {**FOUR, "clock": RATED_CLOCK, "rated": True}


def seek(peer: Peer, **fields: Any) -> str:
    answer = peer.ask("seek", **fields)
    assert answer["type"] == "ok", answer
    return str(answer["seek"])


def a_seek(**fields: Any) -> Seek:
    """As it would come from a socket."""
    return Seek(type="seek", id=fields["game"], **fields)


def standing(desk: Desk) -> list[str]:
    return list(desk.hub.pairing.standing)


# Meeting


def test_two_who_seek_the_same_meet_and_play() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    asked = {"options": {"columns": 8}, "clock": {"base": 60}, "subscribe": ["nextPlayer"]}
    first, second = seek(ann, **FOUR, **asked), seek(bob, **FOUR, **asked)
    [anns], [bobs] = ann.of("joined"), bob.of("joined")
    assert (anns["seek"], bobs["seek"], anns["room"]) == (first, second, bobs["room"])
    assert sorted((anns["seat"], bobs["seat"])) == [0, 1]
    assert (anns["table"]["options"]["columns"], anns["table"]["clock"]["base"]) == (8, 60)
    assert [turn["seat"] for turn in ann.turns] == [anns["seat"]]
    assert standing(desk) == []
    assert desk.room(anns["room"]).owner == ann.player
    for mover in sorted((ann, bob), key=lambda each: each.of("joined")[0]["seat"]):
        assert mover.play(anns["room"], "4")["type"] == "nextPlayer"


@pytest.mark.parametrize(
    "other",
    [
        {"game": "tic-tac-toe"},
        {**FOUR, "options": {"columns": 8}},
        {**FOUR, "clock": {"base": 60}},
        RATED_FOUR,
        {"rated": True},
    ],
    ids=["game", "options", "clock", "rated", "anything rated"],
)
def test_who_seeks_something_else_waits(other: Message) -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    seeks = [seek(ann, **FOUR), seek(bob, **other)]
    assert standing(desk) == seeks


@pytest.mark.parametrize("other", [RATED_FOUR, {"rated": True}], ids=["game", "anything"])
def test_two_who_seek_it_rated_play_for_their_ratings(other: Message) -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    seek(ann, **RATED_FOUR)
    [line] = ann.ask("watchLobby")["seeks"]
    assert line["rated"] is True
    seek(bob, **other)
    [table] = [joined["table"] for joined in bob.of("joined")]
    assert (table["game"], table["rated"], table["clock"]) == ("connect-four", True, RATED_CLOCK)


def test_two_who_seek_anything_rated_get_what_can_be_rated() -> None:
    for seed in range(10):
        desk = Desk(seed)
        ann, bob = desk.peer("ann"), desk.peer("bob")
        seek(ann, rated=True)
        seek(bob, rated=True)
        room = desk.room(bob.of("joined")[0]["room"])
        assert (room.rated, room.clock_terms) == (True, RATED_CLOCK)


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({**RATED_FOUR, "options": {"columns": 8}}, "ratedAsUsual"),
        ({**FOUR, "rated": True}, "ratedByTheClock"),
    ],
)
def test_what_cannot_be_rated_is_not_sought_rated(asked: Message, reason: str) -> None:
    answer = Desk().peer("ann").ask("seek", **asked)
    assert (answer["code"], answer["reason"]) == ("notRatable", reason)


@pytest.mark.parametrize(
    ("asked", "meets"), [({"rated": True}, False), ({"rated": True, "bots": True}, True), ({}, True)]
)
def test_the_hosts_bots_play_rated_games_only_if_they_are_asked_to(asked: Message, meets: bool) -> None:
    desk = Desk(bot_after_ms=1_000)
    ann, house = desk.peer("ann"), desk.house("tic-tac-toe:normal")
    seek(ann, **asked)
    desk.tick(1_000)
    assert [each.get("rated", False) for each in house.of("invited")] == ["rated" in asked] * meets


def test_who_waited_longest_comes_first() -> None:
    desk = Desk()
    ann, bob, cat = desk.peer("ann"), desk.peer("bob"), desk.peer("cat")
    ann.ask("mute", player=bob.player, what="all")
    seek(ann, **FOUR)
    seek(bob, **FOUR)
    seek(cat, **FOUR)
    assert len(ann.of("joined")) == 1
    assert bob.of("joined") == [], "who is muted by somebody is not brought together with them"


def test_seats_are_by_chance() -> None:
    seats = set()
    for seed in range(20):
        desk = Desk(seed)
        ann, bob = desk.peer("ann"), desk.peer("bob")
        seek(ann, **FOUR)
        seek(bob, **FOUR)
        seats.add(ann.of("joined")[0]["seat"])
    assert seats == {0, 1}


# Play now


def test_who_seeks_any_game_takes_what_stands() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    seek(ann, game="quoridor", options={"size": 5})
    seek(bob)
    assert bob.of("joined")[0]["table"]["options"]["size"] == 5


def test_who_seeks_any_game_stands_for_any() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    seek(ann)
    seek(bob, **FOUR, clock={"base": 60})
    assert ann.of("joined")[0]["table"]["clock"]["base"] == 60


def test_two_who_seek_any_game_meet_in_one_that_chance_chooses() -> None:
    games = set()
    for seed in range(40):
        desk = Desk(seed)
        ann, bob = desk.peer("ann"), desk.peer("bob")
        seek(ann)
        seek(bob)
        games.add(ann.of("joined")[0]["table"]["game"])
    assert games == {"tic-tac-toe", "connect-four", "dots-and-boxes", "quoridor"}


# Nobody twice, nobody with themselves, nobody who is not here


def test_nobody_is_paired_with_themselves_in_another_session() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    other = desk.back(ann, same_session=False)
    seeks = [seek(ann, **FOUR), seek(other, **FOUR)]
    assert standing(desk) == seeks


def test_who_is_paired_seeks_no_more() -> None:
    desk = Desk()
    ann, bob, cat = desk.peer("ann"), desk.peer("bob"), desk.peer("cat")
    seek(ann, **FOUR)
    seek(ann, game="quoridor")
    seek(bob, **FOUR)
    seek(cat, game="quoridor")
    assert len(desk.hub.rooms.open) == 1
    assert cat.of("joined") == []


def test_a_seek_ends_with_the_connection_it_was_made_on() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    desk.back(ann, same_session=False)
    seek(ann, **FOUR)
    desk.drop(ann)
    assert standing(desk) == []
    seek(bob, **FOUR)
    assert desk.hub.rooms.open == {}


def test_a_session_that_comes_back_on_a_newer_connection_begins_without_seeks() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    seek(ann, **FOUR)
    desk.back(ann)
    assert standing(desk) == []


def test_a_command_repeated_on_a_new_connection_seeks_anew_but_never_twice() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    first = ann.ask("seek", "again", **FOUR)
    desk.drop(ann)
    ann = desk.back(ann)
    second = ann.ask("seek", "again", **FOUR)
    assert (second["seek"] != first["seek"], standing(desk)) == (True, [second["seek"]])
    seek(bob, **FOUR)
    assert ann.ask("seek", "again", **FOUR) == second
    assert (standing(desk), len(desk.hub.rooms.open)) == ([], 1)


def test_a_restart_ends_all_seeks() -> None:
    desk = Desk()
    seek(desk.peer("ann"), **FOUR)
    desk.restart()
    assert standing(desk) == []


@pytest.mark.parametrize("later_is_lost", [False, True], ids=["kept", "lost"])
def test_a_pairing_that_was_not_saved_leaves_no_seek_to_whom_a_later_one_brought_to_a_table(
    later_is_lost: bool,
) -> None:
    desk = Desk()
    ann, bob, cat = desk.peer("ann"), desk.peer("bob"), desk.peer("cat")
    first, other = seek(ann, **FOUR), seek(cat, game="tic-tac-toe")
    meets_bob = desk.hub.receive(bob.number, a_seek(**FOUR), desk.now)
    meets_cat = desk.hub.receive(ann.number, a_seek(game="tic-tac-toe"), desk.now)
    lost = lost_with({meets_bob}, [meets_bob, meets_cat])
    assert list(lost) == [meets_bob]
    roll_back(desk.hub, list(lost), desk.now)
    assert standing(desk) == []
    if later_is_lost:
        roll_back(desk.hub, [meets_cat], desk.now)
        assert sorted(standing(desk)) == sorted([first, other])


def test_nor_to_whom_the_connection_was_lost_on_which_it_was_made() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    seek(ann, **FOUR)
    meets = desk.hub.receive(bob.number, a_seek(**FOUR), desk.now)
    session = desk.hub.accounts.sessions[ann.session]
    session.drop()
    session.hello(99)
    roll_back(desk.hub, [meets], desk.now)
    assert standing(desk) == []


# Many


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The players of seeks that are compared with others, again and again."""
    compared, may_meet = list[str](), Account.may_meet

    def counts(self: Account, other: Account) -> bool:
        compared.append(self.id)
        return may_meet(self, other)

    monkeypatch.setattr(Account, "may_meet", counts)
    return compared


def test_a_seek_is_compared_once_and_with_what_is_the_same_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    desk, compared = Desk(), counted(monkeypatch)
    for number in range(40):
        seek(desk.peer(f"p{number}"), **FOUR, clock={"base": 60 + number})
    assert compared == []
    desk.tick(60_000)
    assert compared == []
    seek(desk.peer("ann"), **FOUR, clock={"base": 99})
    assert (len(compared), len(standing(desk))) == (1, 39)


def test_whoever_may_open_no_room_is_passed_over_until_their_seek_rings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = Desk(rooms=1)
    bob, cat = desk.peer("bob"), desk.peer("cat")
    for number in range(10):
        ann = desk.peer(f"ann{number}")
        seek(ann, **FOUR, clock={"base": 60 + number})
        ann.create()
    compared = counted(monkeypatch)
    made = seek(bob)
    assert len(compared) == 10
    seek(cat)
    assert len(compared) == 11
    assert bob.of("joined")[0]["seek"] == made


def test_those_who_may_meet_again_are_brought_together() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    ann.ask("mute", player=bob.player, what="all")
    seek(ann, **FOUR)
    seek(bob, **FOUR)
    desk.tick(30_000)
    assert len(standing(desk)) == 2
    ann.ask("mute", player=bob.player, what="chat")
    desk.tick(1)
    assert (standing(desk), len(bob.of("joined"))) == ([], 1)


def test_seeks_that_came_together_do_not_ring_together_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    for number in range(40):
        seek(desk.peer(f"p{number}"), **FOUR, clock={"base": 60 + number}, bots=True)
    rung, ring = list[int](), Pairing.ring

    def counts(self: Pairing, id: str, now: int, effects: Effects) -> None:
        rung.append(now)
        ring(self, id, now, effects)

    monkeypatch.setattr(Pairing, "ring", counts)
    desk.tick(10_000)
    assert len(rung) == 40
    rung.clear()
    for _ in range(100):
        desk.tick(100)
    assert len(set(rung)) > 20
    assert len(rung) >= 40, "each still looks for a bot every ten seconds"


# Bots


def test_who_stands_alone_for_ten_seconds_plays_an_idle_bot() -> None:
    desk = Desk()
    house, ann = desk.house("connect-four:easy", "connect-four:normal"), desk.peer("ann")
    seek(ann, subscribe=["nextPlayer"])
    desk.tick(9_999)
    assert ann.of("joined") == []
    desk.tick(1)
    [joined], [invited] = ann.of("joined"), house.of("invited")
    assert invited["level"] in ("connect-four:easy", "connect-four:normal")
    assert joined["seat"] == 1 - invited["seat"]
    house.join(invited["room"], invite=invited["invite"])
    assert len(ann.turns) == 1


def test_a_bot_is_for_who_wants_one_and_has_time() -> None:
    desk = Desk()
    ann, bob, cat = desk.peer("ann"), desk.peer("bob"), desk.peer("cat")
    desk.bot("stranger", "connect-four:easy")
    first, second = seek(ann, game="quoridor"), seek(bob, **FOUR, bots=True)
    desk.tick(10_000)
    assert standing(desk) == [first, second], "only the host's own bots are asked"
    house = desk.house("quoridor:easy", "connect-four:easy", capacity=1)
    desk.tick(10_000)
    assert (len(bob.of("joined")), standing(desk)) == (1, [first])
    [invited] = house.of("invited")
    house.join(invited["room"], invite=invited["invite"])
    third = seek(cat, **FOUR, bots=True)
    desk.tick(10_000)
    assert standing(desk) == [first, third], "the bot is busy"


def test_bots_seek_like_anybody() -> None:
    desk = Desk()
    rob, ann = desk.bot("rob", "connect-four:easy", capacity=1), desk.peer("ann")
    seek(rob, **FOUR)
    seek(ann)
    assert rob.of("joined")[0]["table"]["seats"][0]["bot"] or ann.of("joined")[0]["seat"] == 0
    assert rob.refused("seek", **FOUR) == "tooManyRooms"


# The lobby


def test_the_lobby_tells_of_seeks() -> None:
    desk = Desk()
    ann, zoe = desk.peer("ann"), desk.peer("zoe")
    first = seek(ann, **FOUR, clock={"base": 60})
    [line] = zoe.ask("watchLobby")["seeks"]
    assert (line["seek"], line["player"]["name"], line["game"]) == (first, "ann", "connect-four")
    assert (line["clock"]["base"], line["bots"]) == (60, False)
    second = seek(ann)
    desk.tick()
    assert [each["seek"] for change in zoe.of("lobbyChanged") for each in change["seeks"]] == [second]
    zoe.ask("ping")
    ann.ask("cancelSeek", seek=first)
    desk.tick()
    assert [change["gone"] for change in zoe.of("lobbyChanged")] == [[first]]


# What is refused


def test_a_seek_is_cancelled_once_and_by_its_player_alone() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    made = seek(ann, **FOUR)
    assert bob.refused("cancelSeek", seek=made) == "unknownSeek"
    assert desk.back(ann, same_session=False).ask("cancelSeek", seek=made)["type"] == "ok"
    assert ann.refused("cancelSeek", seek=made) == "unknownSeek"


def test_a_player_has_three_seeks_at_most() -> None:
    ann = Desk().peer("ann")
    for columns in (5, 6, 7):
        seek(ann, **FOUR, options={"columns": columns})
    assert ann.refused("seek", game="quoridor") == "tooManySeeks"


def test_seeks_count_for_the_address_they_come_from() -> None:
    desk = Desk(seeks_of_address=2)
    ann, bob = (desk.peer(name, address="192.0.2.1") for name in ("ann", "bob"))
    made = seek(ann, **FOUR)
    seek(bob, game="quoridor")
    refused = bob.ask("seek", game="tic-tac-toe")
    assert (refused["code"], refused["reason"]) == ("tooManySeeks", "seeksOfAddress")
    seek(desk.peer("cat", address="192.0.2.2"), game="tic-tac-toe")
    seek(desk.peer("dan"), game="dots-and-boxes")
    ann.ask("cancelSeek", seek=made)
    seek(bob, **FOUR)
    assert len(standing(desk)) == 4


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"game": "chess"}, "unknownGame"),
        ({"game": "minesweeper"}, "badOptions"),
        ({**FOUR, "options": {"columns": 99}}, "badOptions"),
        ({**FOUR, "clock": {"base": 60, "perMove": 5}}, "badMessage"),
        ({"options": {"columns": 8}}, "badMessage"),
        ({"clock": {"base": 60}}, "badMessage"),
    ],
)
def test_what_two_cannot_play_is_not_sought(fields: Message, code: str) -> None:
    assert Desk().peer("ann").refused("seek", **fields) == code


def test_who_may_open_no_room_seeks_none_and_is_not_paired() -> None:
    desk = Desk(rooms=1)
    ann, bob = desk.peer("ann"), desk.peer("bob")
    waits = seek(ann, **FOUR)
    room = ann.create()
    assert ann.refused("seek", **FOUR) == "tooManyRooms"
    seek(bob, **FOUR)
    assert standing(desk)[0] == waits
    ann.ask("leave", room=room)
    desk.tick(10_000)
    assert standing(desk) == [], "they fit by now"


def test_seeks_are_as_many_as_rooms() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    desk.hub.arrive(ann.number, "192.0.2.1")
    for _ in range(desk.hub.limits.new_rooms.burst):
        ann.ask("cancelSeek", seek=seek(ann, **FOUR))
    assert ann.refused("seek", **FOUR) == "rateLimited"


@pytest.mark.parametrize("subprotocol", ["tablero.v1.msgpack", "tablero.v1.json"])
async def test_two_seek_over_sockets_and_play(subprotocol: str) -> None:
    async with a_server() as server, a_wire(server, subprotocol) as ana, a_wire(server, subprotocol) as ben:
        await ana.hello("ana")
        await ben.hello("ben")
        made = await ana.ask("seek", game="connect-four", subscribe=["nextPlayer"])
        await ben.ask("seek", subscribe=["nextPlayer"])
        joined = {}
        for wire in (ana, ben):
            while (message := await wire.hear())["type"] != "joined":
                pass
            joined[message["seat"]] = wire, message
        assert made["seek"] in {message["seek"] for _, message in joined.values()}
        first, message = joined[0]
        turn = {"room": message["room"], "seat": 0, "ply": 0, "move": "4"}
        assert (await first.ask("playTurn", **turn))["type"] == "nextPlayer"
