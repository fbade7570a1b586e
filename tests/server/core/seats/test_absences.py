"""Being away: the others see it and until when, may claim then, and nothing is decided behind their backs."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_protocol.messages import CLIENT_MESSAGE
from tablero_server.core.limits.limits import Limits
from tests.harness.desk import Desk, Peer

ALL = ["nextPlayer", "members"]
RACE = {"mode": "race", "width": 6, "height": 5, "mines": 5}
LIMIT = Limits().absence(None)


def seen(peer: Peer, type: str) -> list[dict[str, Any]]:
    return [{key: each[key] for key in each.keys() - {"type", "room"}} for each in peer.of(type)]


def at_play(desk: Desk, **fields: Any) -> tuple[Peer, Peer, str]:
    """Ann and Bob in a game in which each has moved."""
    ann, bob, room = desk.pair(subscribe=ALL, **fields)
    ann.play(room, "b2")
    bob.play(room, "a1")
    return ann, bob, room


# Seen by the others


def test_the_others_see_who_is_away_and_until_when_and_who_is_back() -> None:
    desk = Desk()
    ann, bob, room = at_play(desk)
    desk.drop(ann)
    [away] = seen(bob, "away")
    assert (away["player"]["name"], away["seats"], away["until"]) == ("ann", [0], desk.now + LIMIT)
    desk.back(ann)
    [back] = seen(bob, "back")
    assert back["player"]["name"] == "ann"
    assert desk.views(room).away == {}


def fall_silent(desk: Desk, *peers: Peer) -> None:
    for peer in peers:
        desk.by_host(desk.hub.fell_silent(peer.number, desk.now))


def test_a_silent_line_at_a_running_clock_is_an_absence_from_then_on() -> None:
    desk = Desk()
    ann, bob, room = at_play(desk, clock={"base": 600})
    until = desk.now + Limits().absence({"base": 600})
    fall_silent(desk, ann)
    desk.now += 15_000
    desk.drop(ann)
    assert [each["until"] for each in seen(bob, "away")] == [until, until]
    back = desk.back(ann)
    assert len(bob.of("back")) == 1
    assert not desk.hub.heard_again(back.number, desk.now).messages
    assert desk.views(room).was_away[ann.player] == 15_000


@pytest.mark.parametrize("clock", [None, {"days": 2}])
def test_a_silent_line_costs_nobody_anything_where_no_clock_runs_by_seconds(clock: Any) -> None:
    desk = Desk()
    ann, bob, _ = at_play(desk, clock=clock)
    fall_silent(desk, ann)
    assert not bob.of("away")


def test_only_who_is_silent_on_all_devices_is_away_and_one_of_them_brings_them_back() -> None:
    desk = Desk()
    ann, bob, room = at_play(desk, clock={"base": 600})
    phone = desk.back(ann, same_session=False)
    phone.join(room, watch=True, subscribe=ALL)
    phone.ask("takeSeat", room=room, seat=0)
    fall_silent(desk, phone)
    assert not bob.of("away")
    ann.ask("takeSeat", room=room, seat=0)
    fall_silent(desk, ann)
    assert len(bob.of("away")) == 1
    desk.by_host(desk.hub.heard_again(phone.number, desk.now))
    assert len(bob.of("back")) == 1


def test_nobody_waits_for_a_silent_line_after_the_end() -> None:
    desk = Desk()
    ann, bob, room = at_play(desk, clock={"base": 600})
    fall_silent(desk, ann)
    bob.ask("resign", room=room, seat=1)
    desk.tick(Limits().absence({"base": 600}) + 1)
    assert desk.views(room).away == {}
    assert ann.player in desk.room(room).members


def test_whoever_comes_back_is_welcomed_before_anything_else_is_said() -> None:
    desk = Desk()
    ann, _, _ = at_play(desk)
    desk.drop(ann)
    hello = {"type": "hello", "id": "h", "protocol": 1, "client": "test", "token": ann.token}
    message = CLIENT_MESSAGE.validate_python({**hello, "session": ann.session}, by_alias=True)
    told = [each["type"] for _, each in desk.hub.receive(desk.connect().number, message, desk.now).messages]
    assert told[0] == "welcome"
    assert "back" in told


def test_only_those_who_subscribed_to_members_hear_of_it() -> None:
    desk = Desk()
    ann, bob, room = at_play(desk)
    bob.ask("unsubscribe", room=room, event="members")
    desk.drop(ann)
    desk.back(ann)
    assert not bob.of("away") + bob.of("back")


def test_with_another_connection_open_nobody_is_away() -> None:
    desk = Desk()
    ann, bob, _ = at_play(desk)
    desk.back(ann, same_session=False)
    desk.drop(ann)
    assert not bob.of("away")


def test_whoever_comes_later_sees_in_the_table_who_is_away() -> None:
    desk = Desk()
    ann, _, room = at_play(desk)
    desk.drop(ann)
    members = desk.peer("cat").join(room)["table"]["members"]
    assert [member.get("away") for member in members] == [desk.now + LIMIT, None, None]


def test_whoever_resumes_hears_who_is_away_now() -> None:
    desk = Desk()
    ann, bob, room = at_play(desk)
    epoch, seq = desk.room(room).epoch, desk.room(room).head
    desk.drop(bob)
    desk.drop(ann)
    bob = desk.back(bob)
    assert bob.ask("resume", room=room, epoch=epoch, seq=seq)["away"] == {ann.player: desk.now + LIMIT}
    desk.back(ann)
    assert "away" not in bob.ask("resume", room=room, epoch=epoch, seq=seq)


def test_who_goes_is_told_also_when_that_could_not_be_saved() -> None:
    desk = Desk(seen_every_ms=0)
    ann, bob, _ = at_play(desk)
    desk.tick(1_000)
    desk.failing = True
    desk.drop(ann)
    assert len(bob.of("away")) == 1


def test_a_spectator_who_goes_is_away_until_the_session_ends() -> None:
    desk = Desk()
    _, bob, room = at_play(desk)
    cat = desk.peer("cat")
    cat.join(room, watch=True)
    desk.drop(cat)
    [away] = seen(bob, "away")
    assert (away["seats"], away["until"]) == ([], desk.now + desk.hub.limits.session_memory_ms)
    cat = desk.back(cat)
    assert len(bob.of("back")) == 1
    desk.drop(cat)
    desk.tick(desk.hub.limits.session_memory_ms)
    assert cat.player not in desk.room(room).members
    position = desk.room(room).position
    assert position is not None
    assert position.outcome is None, "the players play on"


def test_a_spectator_is_away_when_the_session_that_watches_ends_while_another_is_open() -> None:
    desk = Desk()
    _, bob, room = at_play(desk)
    lobby = desk.peer("cat")
    table = desk.back(lobby, same_session=False)
    table.join(room, watch=True)
    desk.drop(table)
    assert len(bob.of("away")) == 1
    desk.back(lobby, same_session=False)  # which does not watch
    assert not bob.of("back")
    again = desk.back(lobby, same_session=False)
    again.join(room, watch=True)
    assert len(bob.of("back")) == 1
    desk.drop(again)
    desk.tick(desk.hub.limits.session_memory_ms)
    assert lobby.player not in desk.room(room).members


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [
        (None, 120),
        ({"base": 60, "increment": 0}, 30),
        ({"base": 300, "increment": 0}, 75),
        ({"base": 600, "increment": 5}, 200),
        ({"base": 3_600, "increment": 30}, 300),
    ],
)
def test_the_slower_a_game_the_longer_the_others_wait(clock: dict[str, int] | None, seconds: int) -> None:
    assert Limits().absence(clock) == seconds * 1000


# Claiming


def test_whoever_has_waited_long_enough_hears_it_and_may_claim_the_win() -> None:
    desk = Desk()
    ann, bob, room = at_play(desk)
    desk.drop(ann)
    desk.tick(LIMIT)
    assert [away.get("claim") for away in seen(bob, "away")] == [None, True]
    assert desk.room(room).state.value == "playing"
    answer = bob.ask("claim", room=room, seat=1)
    assert answer["last"] == {"seat": 0, "withdrew": "claimed"}
    assert (answer["outcome"]["winners"], answer["outcome"]["reason"]) == ([1], "claimed")


def test_a_draw_can_be_claimed_instead() -> None:
    desk = Desk()
    ann, bob, room = at_play(desk)
    desk.drop(ann)
    desk.tick(LIMIT)
    outcome = bob.ask("claim", room=room, seat=1, what="draw")["outcome"]
    assert (outcome["kind"], outcome["reason"]) == ("draw", "claimed")


def test_nothing_is_claimed_too_early_and_nothing_from_a_rival_who_is_there() -> None:
    desk = Desk()
    ann, bob, room = at_play(desk)
    assert bob.refused("claim", room=room, seat=1) == "notAway"
    desk.drop(ann)
    desk.tick(LIMIT - 1)
    refused = bob.ask("claim", room=room, seat=1)
    assert (refused["code"], refused["retryAfterMs"]) == ("notAway", 1)
    desk.back(ann)
    desk.tick(LIMIT)
    assert bob.refused("claim", room=room, seat=1) == "notAway"


def test_whoever_comes_back_before_the_claim_plays_on() -> None:
    desk = Desk()
    ann, bob, room = at_play(desk)
    desk.drop(ann)
    desk.tick(10 * LIMIT)
    ann = desk.back(ann)
    ann.join(room)
    assert bob.refused("claim", room=room, seat=1) == "notAway"
    assert ann.play(room, "c3")["type"] == "nextPlayer"


@pytest.mark.parametrize(
    ("seat", "code"), [(0, "forbidden"), (2, "noSuchSeat")], ids=["another's seat", "no seat"]
)
def test_one_claims_for_a_seat_of_ones_own(seat: int, code: str) -> None:
    desk = Desk()
    ann, bob, room = at_play(desk)
    desk.drop(ann)
    desk.tick(LIMIT)
    assert bob.refused("claim", room=room, seat=seat) == code


def test_there_is_nothing_to_claim_before_the_start_or_after_the_end() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    assert ann.refused("claim", room=ann.create(), seat=0) == "notStarted"
    ann, bob, room = at_play(desk)
    bob.ask("resign", room=room, seat=1)
    assert ann.refused("claim", room=room, seat=0) == "gameOver"


def test_a_claim_is_in_the_log_and_outlives_a_restart() -> None:
    desk = Desk()
    ann, bob, room = at_play(desk)
    desk.drop(ann)
    desk.tick(LIMIT)
    first = bob.ask("claim", "claim-1", room=room, seat=1)
    desk.restart()
    bob = desk.back(bob)
    bob.join(room)
    assert bob.ask("claim", "claim-1", room=room, seat=1)["outcome"] == first["outcome"]


@pytest.mark.parametrize("here", [500, 60_000])
def test_absences_of_one_game_add_up(here: int) -> None:
    """Two minutes in all, of which each absence has half a minute whatever was before."""
    desk = Desk()
    ann, bob, room = at_play(desk)
    waited = []
    for _ in range(5):
        desk.drop(ann)
        [away] = seen(bob, "away")
        waited.append((away["until"] - desk.now) // 1000)
        desk.tick(29_000)
        assert bob.refused("claim", room=room, seat=1) == "notAway"
        ann = desk.back(ann)
        desk.tick(here)
    assert waited == [120, 91, 62, 33, 30]
    desk.drop(ann)
    desk.tick(30_000)
    assert bob.ask("claim", room=room, seat=1)["outcome"]["reason"] == "claimed"


def test_what_could_not_be_saved_gives_no_absence_back() -> None:
    desk = Desk()
    ann, bob, room = at_play(desk)
    desk.drop(ann)
    desk.tick(29_000)
    ann = desk.back(ann)
    desk.failing = True
    assert bob.refused("say", room=room, text="hello") == "retryLater"
    desk.failing = False
    desk.drop(ann)
    assert seen(bob, "away")[-1]["until"] == desk.now + LIMIT - 29_000


def test_each_game_has_absences_of_its_own() -> None:
    desk = Desk()
    ann, bob, old = at_play(desk)
    desk.drop(ann)
    desk.tick(29_000)
    ann = desk.back(ann)
    ann.join(old)
    ann.ask("resign", room=old, seat=0)
    for seat, peer in enumerate((ann, bob)):
        peer.ask("offer", room=old, seat=seat, what="rematch")
    desk.drop(ann)
    assert seen(bob, "away")[-1]["until"] == desk.now + LIMIT


# Nobody is there


def test_a_game_that_everybody_left_alone_is_aborted_and_closes() -> None:
    desk = Desk()
    ann, bob, room = at_play(desk)
    cat = desk.peer("cat")
    cat.join(room, watch=True)
    desk.drop(ann)
    desk.tick(1_000)
    desk.drop(bob)
    desk.tick(LIMIT)
    outcome = cat.turns[-1]["outcome"]
    assert (outcome["kind"], outcome["winners"], outcome["reason"]) == ("aborted", [], "away")
    desk.tick(desk.hub.limits.session_memory_ms)
    assert desk.entries(room)[-2:] == ["left", "left"]
    cat.ask("leave", room=room)
    assert room not in desk.hub.rooms.open


def test_after_a_restart_everybody_is_waited_for_anew() -> None:
    desk = Desk()
    ann, bob, room = at_play(desk)
    desk.drop(ann)
    desk.tick(LIMIT - 1)
    desk.restart()
    bob = desk.back(bob)
    assert [member.get("away") for member in bob.join(room)["table"]["members"]] == [desk.now + LIMIT, None]
    desk.tick(LIMIT)
    assert bob.ask("claim", room=room, seat=1)["outcome"]["reason"] == "claimed"


def test_in_a_race_the_others_play_on_without_whoever_stays_away() -> None:
    desk = Desk()
    ann, bob, room = desk.pair("minesweeper", seats=2, options=RACE, subscribe=ALL)
    desk.drop(ann)
    desk.tick(LIMIT)
    assert bob.turns[-1]["last"] == {"seat": 0, "withdrew": "gone"}
    assert bob.turns[-1]["seats"] == [1]
    assert ann.player not in desk.room(room).members
    assert bob.refused("claim", room=room, seat=1) == "forbidden"


def test_who_agreed_to_a_rematch_and_lost_the_line_is_waited_for_in_it() -> None:
    desk = Desk()
    ann, bob, old = at_play(desk)
    ann.ask("resign", room=old, seat=0)
    ann.ask("offer", room=old, seat=0, what="rematch")
    [offer] = desk.room(old).offers
    desk.drop(ann)
    bob.ask("answer", room=old, seat=1, offer=offer, yes=True)
    [away] = bob.of("away")
    room = bob.of("rematch")[0]["next"]
    assert (away["room"], away["seats"], away["until"]) == (room, [1], desk.now + LIMIT)
    desk.tick(desk.hub.limits.session_memory_ms)
    assert ann.player in desk.room(room).members
    assert desk.room(room).state.value == "playing"
    ann = desk.back(ann)
    assert ann.join(room)["seat"] == 1


def test_who_opened_a_table_for_others_and_is_away_is_no_member_for_ever() -> None:
    desk = Desk()
    ann, bob, cat = desk.peer("ann"), desk.peer("bob"), desk.peer("cat")
    room = ann.create(seat=None)
    desk.drop(ann)
    desk.tick(desk.hub.limits.session_memory_ms)
    bob.join(room)
    assert ann.player in desk.room(room).members
    cat.join(room)
    desk.tick(desk.hub.limits.session_memory_ms)
    assert list(desk.room(room).members) == [bob.player, cat.player]
    assert desk.room(room).state.value == "playing"


def test_no_newcomer_takes_the_place_of_one_whose_table_waits() -> None:
    desk = Desk(players=2)
    ann = desk.peer("ann")
    ann.create(seat=None)
    desk.drop(ann)
    desk.tick(desk.hub.limits.session_memory_ms)
    bob = desk.peer("bob")
    assert bob.player in desk.hub.accounts.by_id
    answer = desk.connect().ask("hello", protocol=1, client="test", name="cat")
    assert answer["reason"] == "tooManyPlayers"
    assert ann.player in desk.hub.accounts.by_id


def test_a_player_of_two_tables_is_away_from_both_and_back_at_both() -> None:
    desk = Desk()
    ann, bob, first = at_play(desk)
    cat = desk.peer("cat")
    second = cat.create("connect-four", clock={"base": 60, "increment": 0}, subscribe=ALL)
    ann.join(second)
    desk.drop(ann)
    assert bob.of("away")[0]["until"] == desk.now + LIMIT
    assert cat.of("away")[0]["until"] == desk.now + 30_000
    ann = desk.back(ann)
    assert [each["room"] for each in (*bob.of("back"), *cat.of("back"))] == [first, second]


def test_the_last_of_two_connections_decides_and_any_of_them_brings_back() -> None:
    desk = Desk()
    ann, bob, room = at_play(desk)
    second = desk.back(ann, same_session=False)
    desk.drop(second)
    desk.tick(5_000)
    assert not bob.of("away")
    desk.drop(ann)
    assert bob.of("away")[0]["until"] == desk.now + LIMIT
    desk.back(second)
    assert bob.of("back")
    desk.tick(2 * LIMIT)
    assert bob.refused("claim", room=room, seat=1) == "notAway"


def test_when_a_bot_host_dies_each_of_its_games_may_be_claimed() -> None:
    desk = Desk()
    house = desk.house("tic-tac-toe:easy", "connect-four:easy")
    people = [desk.peer(name) for name in ("ann", "bob")]
    rooms = [
        person.create(game, subscribe=ALL)
        for person, game in zip(people, ("tic-tac-toe", "connect-four"), strict=True)
    ]
    for room in rooms:
        house.join(room)
    desk.drop(house)
    assert [len(person.of("away")) for person in people] == [1, 1]
    desk.tick(max(LIMIT, desk.hub.limits.session_memory_ms))
    for person, room in zip(people, rooms, strict=True):
        assert person.ask("claim", room=room, seat=0)["outcome"]["winners"] == [0]


# Whoever cannot come back


@pytest.mark.parametrize("here", [True, False])
def test_nobody_waits_for_a_player_whose_token_the_host_has_ended(here: bool) -> None:
    desk = Desk()
    ann, bob, room = at_play(desk)
    table = ann.create()
    if not here:
        desk.drop(ann)
    desk.end_tokens(ann.player)
    assert (bob.turns[-1]["outcome"]["kind"], bob.turns[-1]["outcome"]["reason"]) == ("aborted", "kicked")
    assert [each["reason"] for each in bob.of("left")] == ["kicked"]
    assert desk.placings[-1].kind == "aborted"
    assert table not in desk.hub.rooms.open
    desk.restart()
    assert list(desk.room(room).members) == [bob.player]


def test_a_race_goes_on_without_a_player_whose_token_the_host_has_ended() -> None:
    desk = Desk()
    ann, bob, _ = desk.pair("minesweeper", seats=2, options=RACE, subscribe=ALL)
    desk.end_tokens(ann.player)
    assert (bob.turns[-1]["last"], bob.turns[-1]["seats"]) == ({"seat": 0, "withdrew": "gone"}, [1])


# Leaving


def test_leaving_before_both_have_moved_aborts_the_game() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(subscribe=ALL)
    ann.play(room, "b2")
    bob.ask("leave", room=room)
    outcome = ann.turns[-1]["outcome"]
    assert (outcome["kind"], outcome["reason"]) == ("aborted", "left")


def test_leaving_a_rival_who_has_stayed_away_too_long_is_no_defeat() -> None:
    desk = Desk()
    ann, bob, room = at_play(desk)
    desk.drop(ann)
    desk.tick(LIMIT)
    bob.ask("leave", room=room)
    assert [entry.body.get("reason") for entry in desk.journal[room][-2:]] == ["left", "left"]
    assert desk.placings[-1].kind == "aborted"


# A table that waits


def test_a_waiting_table_outlives_its_creator_for_half_an_hour() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    created = ann.ask("createRoom", game="tic-tac-toe", private=True)
    desk.drop(ann)
    for _ in range(5):
        desk.tick(60_000)
    room = bob.ask("join", code=created["code"], subscribe=ALL)["room"]
    assert desk.room(room).state.value == "playing"
    [away] = seen(bob, "away")
    assert away["until"] == desk.now + LIMIT
    ann = desk.back(ann)
    assert ann.join(room)["seat"] == 0
    assert ann.play(room, "b2")["ply"] == 1


def test_a_waiting_table_closes_when_nobody_comes_back_to_it() -> None:
    desk = Desk()
    ann = desk.peer()
    room = ann.create()
    desk.drop(ann)
    desk.tick(desk.hub.limits.session_memory_ms)
    desk.tick(desk.hub.limits.waiting_ms - desk.hub.limits.session_memory_ms - 1)
    assert room in desk.hub.rooms.open
    desk.tick(1)
    assert desk.entries(room)[-2:] == ["left", "closed"]


def test_a_waiting_table_is_kept_for_an_owner_who_only_watches() -> None:
    desk = Desk()
    ann = desk.peer()
    room = ann.create(seat=None)
    desk.drop(ann)
    desk.tick(desk.hub.limits.session_memory_ms)
    assert room in desk.hub.rooms.open


def test_the_owner_of_a_table_is_who_opened_it_then_who_sits_there_longest() -> None:
    desk = Desk()
    ann, bob, cat = desk.peer("ann"), desk.peer("bob"), desk.peer("cat")
    room = ann.create("minesweeper", seats=3, options=RACE)
    cat.join(room, watch=True)
    bob.join(room)
    assert desk.room(room).owner == ann.player
    ann.ask("leave", room=room)
    assert desk.room(room).owner == bob.player
    bob.ask("leave", room=room)
    assert desk.room(room).owner == cat.player
