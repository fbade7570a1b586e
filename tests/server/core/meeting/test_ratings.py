"""When ratings move, and by what."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tablero_server.core.effects import Effects
from tablero_server.core.entry import Placing, Rerated
from tablero_server.core.meeting.glicko import Rating
from tablero_server.core.meeting.ratings import (
    LEAST_DEVIATION,
    PERIOD_MS,
    Career,
    RatingKey,
    Strike,
    after_game,
    now,
)
from tests.harness.desk import RATED_CLOCK, Desk, Peer
from tests.harness.desk_games import win

DAY = 24 * 3_600_000


def test_a_winner_gains_and_a_loser_loses_as_much() -> None:
    winner, loser = after_game((Rating(), 0), (Rating(), 0), 1.0)
    assert winner.value > 1500 > loser.value
    assert winner.value - 1500 == pytest.approx(1500 - loser.value)
    assert winner.deviation == loser.deviation < 350


def test_both_move_by_what_they_were_before() -> None:
    one, other = Rating(1700, 60), Rating(1400, 90)
    assert after_game((one, 0), (other, 0), 1.0) == tuple(reversed(after_game((other, 0), (one, 0), 0.0)))


def test_time_alone_makes_less_sure_and_moves_nobody() -> None:
    rating = Rating(1700, 60)
    later = now(rating, 391 * DAY)
    assert later.value == 1700
    assert later.deviation == pytest.approx(110, abs=0.1)
    assert now(rating, -5) == now(rating, 0)


def test_who_comes_back_after_long_moves_further() -> None:
    rival = (Rating(1500, 60), 0)
    rested, _ = after_game((Rating(1500, 60), 100 * PERIOD_MS), rival, 1.0)
    steady, _ = after_game((Rating(1500, 60), 0), rival, 1.0)
    assert rested.value > steady.value + 5


def test_nobody_becomes_so_sure_that_a_rating_stands_still() -> None:
    one = other = Rating()
    for game in range(2_000):
        one, other = after_game((one, 0), (other, 0), float(game % 2))
    assert one.deviation == other.deviation == LEAST_DEVIATION


# At tables


def rated_pair(desk: Desk, **fields: Any) -> tuple[Peer, Peer, str]:
    return desk.pair(rated=True, **fields)


def values(desk: Desk) -> list[tuple[float | None, int | None]]:
    return [(each.value and round(each.value), each.games) for each in desk.placings]


def test_a_rated_game_moves_both_ratings_and_a_casual_one_none() -> None:
    desk = Desk()
    ann, bob, casual = desk.pair()
    win(desk, casual)
    assert values(desk) == [(None, None), (None, None)]
    room = ann.create(rated=True)
    assert bob.join(room)["table"]["rated"] is True
    win(desk, room)
    assert values(desk)[2:] == [(1662, 1), (1338, 1)]
    assert ann.player in desk.hub.rooms.ratings._careers


def test_each_game_goes_on_from_the_one_before() -> None:
    desk = Desk()
    ann, bob, room = rated_pair(desk)
    win(desk, room)
    for seat, peer in ((0, ann), (1, bob)):
        peer.ask("offer", room=room, seat=seat, what="rematch")
    again = desk.room(room).next
    assert again is not None
    assert desk.room(again).rated
    win(desk, again, winner=1)  # who sits on the other seat now
    first, second = desk.placings[:2], desk.placings[2:]
    assert [each.games for each in second] == [2, 2]
    ann_before, bob_before = (
        Rating(each.value or 0, each.deviation or 0, each.volatility or 0) for each in first
    )
    bob_after, ann_after = after_game((bob_before, 0), (ann_before, 0), 0.0)
    assert [each.value for each in second] == [bob_after.value, ann_after.value]


@pytest.mark.parametrize("plies", [3, 4])
def test_a_table_is_told_how_its_ratings_moved_and_so_is_who_comes_later(plies: int) -> None:
    desk = Desk()
    told = ["nextPlayer", "members"]
    ann, bob, room = rated_pair(desk, subscribe=told)
    for move in ("a1", "a2", "b1", "b2")[:plies]:
        desk.seated(room, desk.room(room).ply % 2).play(room, move)
    desk.drop(bob)
    ann.seen.clear()
    ann.ask("resign", room=room, seat=0)
    back = desk.back(bob)
    at = desk.room(room).turn_seq - 1
    back.ask("resume", room=room, epoch=desk.room(room).epoch, seq=at)
    eve = desk.peer("eve")
    table = eve.join(room, watch=True)["table"]
    values = (1338, 1662) if plies == 4 else (1500, 1500)  # a shorter game does not count
    moved = [{"value": value, "provisional": True, "was": 1500} for value in values]
    rated = [{"type": "rated", "room": room, "ratings": moved}]
    assert [ann.of("rated"), back.of("rated")] == [rated, rated]
    assert table["ratings"] == moved
    assert not eve.of("rated")


def lobby_ratings(desk: Desk, watcher: Peer, room: str) -> Any:
    [line] = [each for each in watcher.ask("watchLobby")["rooms"] if each["room"] == room]
    return line.get("ratings")


def test_the_lobby_tells_ratings_beside_names_at_that_game_and_speed() -> None:
    desk = Desk()
    ann, bob, room = rated_pair(desk)
    eve = desk.peer("eve")
    waiting, fast = ann.create(clock=RATED_CLOCK), bob.create(clock={"base": 60})
    eve.ask("watchLobby")
    desk.tick()
    assert lobby_ratings(desk, eve, room) is None
    eve.seen.clear()
    win(desk, room)
    desk.tick()
    [changed] = [message for message in eve.seen if message["type"] == "lobbyChanged"]
    assert {line["room"] for line in changed["rooms"]} >= {room, waiting}
    won, lost = {"value": 1662, "provisional": True}, {"value": 1338, "provisional": True}
    assert lobby_ratings(desk, eve, room) == [won, lost]
    assert lobby_ratings(desk, eve, waiting) == [won, None]
    assert lobby_ratings(desk, eve, fast) is None
    ann.ask("seek", game="tic-tac-toe", clock=RATED_CLOCK)
    bob.ask("seek", game="connect-four", clock=RATED_CLOCK)
    desk.tick()
    seeks = eve.ask("watchLobby")["seeks"]
    assert [seek.get("rating") for seek in seeks] == [won, None]


def test_a_rating_is_told_as_provisional_while_it_is_unsure() -> None:
    desk = Desk()
    book, key = desk.hub.rooms.ratings, RatingKey("ann", "quoridor", "none")
    book._put(key, Career(Rating(1700, 60), 0, 40, frozenset()))
    assert book.told(key) == {"value": 1700}
    book.at = 600 * 24 * 3_600_000
    assert book.told(key) == {"value": 1700, "provisional": True}
    bot = {"id": "ann", "level": "quoridor:hard"}
    assert book.told_of([None, {"id": "ann"}, bot], "quoridor", "none") == [None, book.told(key), None]


def test_who_is_rated_at_one_speed_begins_anew_at_another() -> None:
    desk = Desk()
    ann, bob, room = rated_pair(desk)
    win(desk, room)
    room = ann.create(rated=True, clock={"base": 60})
    bob.join(room)
    win(desk, room)
    assert [(each.speed, each.games) for each in desk.placings] == [("rapid", 1)] * 2 + [("blitz", 1)] * 2


def test_nobody_is_rated_by_an_aborted_game() -> None:
    desk = Desk()
    _, bob, room = rated_pair(desk)
    bob.ask("leave", room=room)
    assert [(each.kind, each.value) for each in desk.placings] == [("aborted", None)] * 2


def test_a_draw_counts_half() -> None:
    desk = Desk()
    ann, bob, room = rated_pair(desk)
    for move in ("a1", "a2", "b1", "b2"):
        desk.seated(room, desk.room(room).ply % 2).play(room, move)
    ann.ask("offer", room=room, seat=0, what="draw")
    bob.ask("offer", room=room, seat=1, what="draw")
    assert values(desk) == [(1500, 1), (1500, 1)]


@pytest.mark.parametrize(("plies", "games"), [(0, None), (3, None), (4, 1)])
@pytest.mark.parametrize("end", ["resign", "draw", "time", "claimed"])
def test_a_game_that_ends_after_a_few_plies_moves_no_rating(plies: int, games: int | None, end: str) -> None:
    desk = Desk()
    ann, bob, room = rated_pair(desk)
    for move in ("a1", "a2", "b1", "b2")[:plies]:
        desk.seated(room, desk.room(room).ply % 2).play(room, move)
    match end:
        case "resign":
            ann.ask("resign", room=room, seat=0)
        case "draw":
            ann.ask("offer", room=room, seat=0, what="draw")
            bob.ask("offer", room=room, seat=1, what="draw")
        case "time":
            desk.tick(RATED_CLOCK["base"] * 1_000 + 5_000 * plies)
        case "claimed":
            desk.drop(ann)
            desk.tick(desk.hub.limits.absence(RATED_CLOCK))
            bob.ask("claim", room=room, seat=1)
    assert [(each.kind in ("win", "draw"), each.games) for each in desk.placings] == [(True, games)] * 2


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"game": "minesweeper"}, "ratedInTurns"),
        ({"game": "minesweeper", "options": {"mode": "race"}, "seats": 2}, "ratedInTurns"),
        ({"game": "minesweeper", "options": {"mode": "coop"}, "seats": 2}, "ratedInTurns"),
        ({"game": "quoridor", "options": {"size": 5}}, "ratedAsUsual"),
        ({"game": "tic-tac-toe", "private": True}, "ratedInPublic"),
        ({"game": "tic-tac-toe"}, "ratedByTheClock"),
    ],
)
def test_what_says_nothing_of_strength_is_not_rated(fields: dict[str, Any], reason: str) -> None:
    ann = Desk().peer("ann")
    answer = ann.ask("createRoom", rated=True, **fields)
    assert (answer["code"], answer["reason"]) == ("notRatable", reason)


@pytest.mark.parametrize("bot", [False, True])
def test_nobody_plays_a_rated_game_alone(bot: bool) -> None:
    desk = Desk()
    ann = desk.bot("robot", "tic-tac-toe:easy") if bot else desk.peer("ann")
    room = ann.create(rated=True)
    assert ann.ask("join", room=room, seat=1)["reason"] == "ratedRival"


def test_nothing_is_taken_back_in_a_rated_game() -> None:
    desk = Desk()
    ann, _, room = rated_pair(desk)
    ann.play(room, "a1")
    assert ann.ask("offer", room=room, seat=0, what="takeback")["reason"] == "noTakebackRated"


def test_a_rated_table_keeps_its_usual_options() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create("quoridor", rated=True)
    assert ann.ask("setOptions", room=room, options={"size": 5})["reason"] == "ratedAsUsual"
    assert ann.ask("setOptions", room=room, clock={"base": 60})["type"] == "optionsSet"
    assert ann.ask("setOptions", room=room, clock=None)["reason"] == "ratedByTheClock"


def test_a_rated_game_of_an_older_server_without_a_clock_counts_for_nobody() -> None:
    desk = Desk()
    ann, bob, room = rated_pair(desk)
    desk.damage(room, **{**desk.journal[room][0].body, "clock": None})
    desk.restart()
    ann, bob = desk.back(ann), desk.back(bob)
    for peer in (ann, bob):
        assert "rated" not in peer.join(room)["table"]
    win(desk, room)
    assert values(desk) == [(None, None)] * 2


def test_a_bot_is_rated_by_level() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    bot = desk.house("tic-tac-toe:easy", "tic-tac-toe:hard")
    for level in ("easy", "hard", "easy"):
        room = ann.create(rated=True)
        ann.ask("invite", room=room, seat=1, bot=f"tic-tac-toe:{level}")
        [invited] = bot.of("invited")
        assert invited["rated"] is True
        bot.join(room, invite=invited["invite"])
        win(desk, room)
    of_bot = [(each.level, each.games) for each in desk.placings if each.bot]
    assert of_bot == [("tic-tac-toe:easy", 1), ("tic-tac-toe:hard", 1), ("tic-tac-toe:easy", 2)]
    assert [each.games for each in desk.placings if not each.bot] == [1, 2, 3]


# From one address

HERE, ELSEWHERE = "5.6.7.8", "5.6.7.9"


def outcomes(desk: Desk) -> list[tuple[bool, bool]]:
    """Of the newest game: whether each seat is flagged, and has a new rating."""
    return [(each.flagged, each.value is not None) for each in desk.placings[-2:]]


def rated_game(desk: Desk, one: Peer, other: Peer) -> str:
    room = one.create(rated=True)
    other.join(room)
    return room


@pytest.mark.parametrize("shared", [False, True], ids=["limited", "of one's own network"])
@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (HERE, HERE, True),
        (HERE, ELSEWHERE, False),
        ("2001:db8::1", "2001:db8::1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
    ],
)
def test_two_from_one_address_are_flagged_and_move_no_rating(
    one: str, other: str, same: bool, shared: bool
) -> None:
    desk = Desk()
    ann, bob = desk.peer("ann", address=one, shared=shared), desk.peer("bob", address=other, shared=shared)
    win(desk, rated_game(desk, ann, bob))
    assert outcomes(desk) == [(same, not same)] * 2


@pytest.mark.parametrize(("shared", "same"), [(False, True), (True, False)])
def test_elsewhere_one_network_of_ipv6_is_one_address(shared: bool, same: bool) -> None:
    desk = Desk()
    ann = desk.peer("ann", address="2001:db8::1", shared=shared)
    bob = desk.peer("bob", address="2001:db8::2", shared=shared)
    win(desk, rated_game(desk, ann, bob))
    assert outcomes(desk) == [(same, not same)] * 2


def test_the_hosts_own_bots_are_never_flagged() -> None:
    desk = Desk()
    ann, house = desk.peer("ann", address=HERE), desk.house("tic-tac-toe:easy", address=HERE)
    win(desk, rated_game(desk, ann, house))
    assert outcomes(desk) == [(False, True)] * 2


def test_those_who_play_from_one_address_hear_at_the_start_that_their_game_is_not_rated() -> None:
    desk = Desk()
    ann, bob, eve = (desk.peer(name, address=HERE) for name in ("ann", "bob", "eve"))
    room = ann.create(rated=True)
    eve.join(room, watch=True)
    bob.join(room)
    for peer in (ann, bob):
        (told,) = peer.of("announcement")
        assert (told["reason"], told["fields"]) == ("sameAddress", {"room": room})
    assert eve.of("announcement") == []
    assert "rated" not in desk.peer("dan").join(room, watch=True)["table"]


def test_who_sought_a_rated_game_and_met_one_from_the_same_address_hears_it_too() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann", address=HERE), desk.peer("bob", address=HERE)
    ann.ask("seek", rated=True)
    bob.ask("seek", rated=True)
    assert [told["reason"] for told in ann.of("announcement")] == ["sameAddress"]


def test_a_loser_who_goes_for_good_before_the_end_is_flagged_all_the_same() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann", address=HERE), desk.peer("bob", address=HERE)
    room = rated_game(desk, ann, bob)
    for move in ("a1", "a2", "b1", "b2", "c3"):
        desk.seated(room, desk.room(room).ply % 2).play(room, move)
    desk.drop(bob)
    desk.tick(desk.hub.limits.session_memory_ms)
    assert not desk.hub.accounts.by_id[bob.player].sessions
    desk.tick(RATED_CLOCK["base"] * 1_000)
    assert desk.placings[-1].reason == "time"
    assert outcomes(desk) == [(True, False)] * 2


def test_who_waits_at_the_table_without_a_session_comes_from_where_it_was_last() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann", address=HERE), desk.peer("bob", address=HERE)
    room = ann.create(rated=True)
    desk.drop(ann)
    desk.tick(desk.hub.limits.session_memory_ms)
    bob.join(room)
    assert desk.room(room).flagged


def test_the_flag_of_a_game_that_is_on_outlives_a_restart() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann", address=HERE), desk.peer("bob", address=HERE)
    room = rated_game(desk, ann, bob)
    desk.restart()
    for peer in (ann, bob):
        desk.back(peer).join(room)
    win(desk, room)
    assert outcomes(desk) == [(True, False)] * 2
    assert HERE not in str(desk.journal)


def test_a_race_of_two_from_one_address_is_flagged_for_the_host() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann", address=HERE), desk.peer("bob", address=HERE)
    options = {"mode": "race", "noGuess": True, "width": 6, "height": 5, "mines": 4}
    room = ann.create("minesweeper", seats=2, options=options)
    bob.join(room)
    ann.ask("resign", room=room, seat=0)
    bob.ask("resign", room=room, seat=1)
    assert outcomes(desk) == [(True, False)] * 2
    assert not ann.of("announcement")


def test_ratings_are_there_after_a_restart() -> None:
    desk = Desk()
    ann, bob, room = rated_pair(desk)
    win(desk, room)
    before = {peer.player: dict(desk.hub.rooms.ratings.of(peer.player)) for peer in (ann, bob)}
    desk.restart()
    assert {player: dict(desk.hub.rooms.ratings.of(player)) for player in before} == before
    ann, bob = desk.back(ann), desk.back(bob)
    room = ann.create(rated=True)
    bob.join(room)
    win(desk, room)
    assert [each.games for each in desk.placings] == [1, 1, 2, 2]


def test_who_has_a_rating_is_not_forgotten() -> None:
    desk = Desk(newcomer_memory_ms=1_000, name_ms=1_000, absence_ms=1_000, idle_ms=1_000)
    ann, bob, room = rated_pair(desk)
    win(desk, room)
    eve = desk.peer("eve")
    eve.create()
    for peer in (ann, bob, eve):
        peer.ask("leave", room=next(iter(desk.hub.accounts.by_id[peer.player].rooms)))
        desk.drop(peer)
    for _ in range(10):
        desk.tick(200_000)
    assert set(desk.players) == {ann.player, bob.player}


# Among the leaders


def leaders(desk: Desk, speed: str = "rapid") -> list[str]:
    names = {peer.player: peer.name for peer in desk.peers.values()}
    return [names[key.player] for key, _ in desk.hub.rooms.ratings.leaders("tic-tac-toe", speed)]


def test_who_has_played_ten_games_against_three_rivals_is_among_the_leaders() -> None:
    desk = Desk()
    ann, others = desk.peer("ann"), [desk.peer(name) for name in ("bob", "eve", "dan")]
    for number in range(10):
        rival = others[0] if number < 8 else others[number - 7]
        room = ann.create(rated=True)
        rival.join(room)
        assert leaders(desk) == []
        win(desk, room)
        for peer in (ann, rival):
            peer.ask("leave", room=room)
    assert leaders(desk) == ["ann"]
    assert leaders(desk, "blitz") == []
    desk.restart()
    assert leaders(desk) == ["ann"]


def test_ten_games_against_two_rivals_are_not_enough() -> None:
    desk = Desk()
    ann, others = desk.peer("ann"), [desk.peer(name) for name in ("bob", "eve")]
    for number in range(12):
        room = ann.create(rated=True)
        others[number % 2].join(room)
        win(desk, room)
        for peer in (ann, others[number % 2]):
            peer.ask("leave", room=room)
    assert leaders(desk) == []


# Struck by the host


def evening(desk: Desk, games: int, seed: int = 1) -> list[Peer]:
    """Four who play each other by chance, at two games' speeds, now and then several games at one time."""
    random = Random(seed)
    peers = [desk.peer(name) for name in ("ann", "bob", "eve", "dan")]
    for _ in range(games):
        one, other = random.sample(peers, 2)
        room = one.create(rated=True, clock=random.choice([RATED_CLOCK, {"base": 60}]))
        other.join(room)
        win(desk, room, random.randrange(2))
        for peer in (one, other):
            peer.ask("leave", room=room)
        desk.tick(random.choice([0, 1_000, DAY]))
    return peers


def strike_of(desk: Desk, player: str) -> Strike:
    pools = {(each.game, each.speed) for each in desk.placings if each.player == player and each.games}
    strike = Strike(player)
    strike.add([each for each in desk.placings if each.games and (each.game, each.speed) in pools])
    return strike


def struck(desk: Desk, player: str) -> Effects:
    effects = Effects()
    desk.hub.rooms.ratings.strike(strike_of(desk, player), (), effects)
    desk.by_host(effects)
    return effects


def played_anew(placings: list[Placing], without: str) -> dict[RatingKey, tuple[Rating, int]]:
    """What the games lead to that one player had no part in: the ratings, and how many games."""
    ratings: dict[RatingKey, tuple[Rating, int, int]] = {}
    for one, other in zip(placings[::2], placings[1::2], strict=True):
        if without in (one.player, other.player):
            continue
        keys = [RatingKey(each.player, each.game, each.speed or "", each.level) for each in (one, other)]
        before = [ratings.get(key, (Rating(), one.at, 0)) for key in keys]
        waited = [(rating, one.at - at) for rating, at, _ in before]
        after = after_game(waited[0], waited[1], float(one.place == 1))
        for key, rating, (_, _, games) in zip(keys, after, before, strict=True):
            ratings[key] = rating, one.at, games + 1
    return {key: (rating, games) for key, (rating, _, games) in ratings.items()}


def standing(desk: Desk) -> dict[RatingKey, tuple[Rating, int]]:
    careers = desk.hub.rooms.ratings._careers.values()
    return {key: (each.rating, each.games) for of in careers for key, each in of.items()}


@pytest.mark.parametrize("seed", range(3))
def test_after_a_strike_ratings_are_what_the_other_games_make_of_them(seed: int) -> None:
    desk = Desk()
    _, bob, *_ = evening(desk, 25, seed)
    placings = list(desk.placings)
    struck(desk, bob.player)
    assert standing(desk) == played_anew(placings, bob.player)
    desk.restart()
    assert standing(desk) == played_anew(placings, bob.player)


def test_struck_games_are_kept_and_flagged() -> None:
    desk = Desk()
    ann, bob, room = rated_pair(desk)
    win(desk, room)
    struck(desk, bob.player)
    assert [(each.room, each.place, each.flagged) for each in desk.placings] == [
        (room, 1, True),
        (room, 2, True),
    ]
    assert not desk.hub.accounts.by_id[ann.player].rated
    assert ann.ask("showPlayer", player="bob")["games"][0]["room"] == room


def test_who_met_no_struck_player_and_nobody_who_did_keeps_the_rating_to_the_last_digit() -> None:
    desk = Desk()
    peers = {name: desk.peer(name) for name in ("ann", "bob", "eve", "dan")}
    for one, other in (("ann", "bob"), ("eve", "dan"), ("dan", "eve")):
        win(desk, rated_game(desk, peers[one], peers[other]))
    effects = struck(desk, peers["bob"].player)
    assert {each.player for (each,) in effects.kept_of(Rerated)} == {peers["ann"].player, peers["bob"].player}


def test_after_a_strike_games_count_on_from_the_ratings_that_it_left() -> None:
    desk = Desk()
    ann, bob, *_ = evening(desk, 15)
    struck(desk, bob.player)
    before = played_anew(desk.placings, bob.player)
    win(desk, rated_game(desk, ann, bob))
    own = RatingKey(ann.player, "tic-tac-toe", "rapid")
    assert standing(desk)[own][1] == before[own][1] + 1
    assert standing(desk)[own._replace(player=bob.player)][1] == 1


def test_a_strike_that_could_not_be_saved_has_not_happened() -> None:
    desk = Desk()
    _, bob, *_ = evening(desk, 15)
    before, placings = standing(desk), list(desk.placings)
    desk.failing = True
    struck(desk, bob.player)
    assert (standing(desk), desk.placings) == (before, placings)


def test_a_strike_fits_no_book_that_has_moved_since() -> None:
    desk = Desk()
    ann, bob, room = rated_pair(desk)
    win(desk, room)
    strike = strike_of(desk, bob.player)
    assert strike.fits(desk.hub.rooms.ratings)
    win(desk, rated_game(desk, ann, desk.peer("eve")))
    assert not strike.fits(desk.hub.rooms.ratings)
    assert not Strike(bob.player).fits(desk.hub.rooms.ratings)
