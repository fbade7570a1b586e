"""What players are told of ratings and results, as they ask for it."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_protocol.messages import ShowPlayer
from tablero_server.journal.sqlite import SqliteJournal
from tablero_server.results import Results
from tests.harness.desk import Desk, Message, Peer
from tests.harness.desk_games import dig, win
from tests.harness.wire import a_server, a_wire


def play(desk: Desk, one: Peer, other: Peer, *, later: int = 1_000, **fields: Any) -> str:
    """A game that `one` wins, after which both leave."""
    room = one.create(**fields)
    where = {"code": desk.room(room).code} if fields.get("private") else {"room": room}
    other.ask("join", subscribe=["nextPlayer"], **where)
    win(desk, room)
    for peer in (one, other):
        peer.ask("leave", room=room)
    desk.now += later
    return room


def rooms(page: Message) -> list[str]:
    return [game["room"] for game in page["games"]]


# A player's page


def test_a_players_page_has_ratings_with_their_curves_and_games_the_newest_first() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    first = play(desk, ann, bob, rated=True)
    second = play(desk, ann, bob, rated=True, clock={"base": 60})
    third = play(desk, bob, ann)
    page = bob.ask("showPlayer", player="ann")
    assert page["player"] == {"id": ann.player, "name": "ann", "bot": False}
    assert rooms(page) == [third, second, first]
    assert [seat["place"] for seat in page["games"][0]["seats"]] == [1, 2]
    assert [seat.get("value") for seat in page["games"][1]["seats"]] == [1662, 1338]
    assert [(each["speed"], each["value"], each["games"]) for each in page["ratings"]] == [
        ("blitz", 1662, 1),
        ("rapid", 1662, 1),
    ]
    at = desk.now - 3_000
    assert page["ratings"][1]["curve"] == [{"at": at, "value": 1662, "deviation": 290}]
    assert page["ratings"][0]["provisional"] is True
    assert (page["rival"]["name"], page["headToHead"]) == (
        "bob",
        [{"game": "tic-tac-toe", "wins": 2, "draws": 0, "losses": 1}],
    )


def test_a_page_by_id_is_the_page_by_name() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    play(desk, ann, bob)
    by_id, by_name = (bob.ask("showPlayer", player=player) for player in (ann.player, "ANN"))
    assert {**by_id, "re": ""} == {**by_name, "re": ""}


def test_nobody_is_their_own_rival() -> None:
    ann = Desk().peer("ann")
    assert "rival" not in ann.ask("showPlayer", player="ann")


def test_two_others_are_compared_where_a_rival_is_named() -> None:
    desk = Desk()
    ann, bob, eve = (desk.peer(name) for name in ("ann", "bob", "eve"))
    play(desk, ann, bob)
    page = eve.ask("showPlayer", player="ann", rival="bob")
    assert page["headToHead"] == [{"game": "tic-tac-toe", "wins": 1, "draws": 0, "losses": 0}]


@pytest.mark.parametrize("fields", [{"player": "nobody"}, {"player": "ann", "rival": "nobody"}])
def test_somebody_unknown_has_no_page(fields: Message) -> None:
    answer = Desk().peer("ann").ask("showPlayer", **fields)
    assert (answer["code"], answer["reason"]) == ("unknownPlayer", "nobodyCalledThat")


def test_older_games_are_on_further_pages() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    played = [play(desk, ann, bob, later=number % 2) for number in range(45)]
    seen: list[str] = []
    after: Message = {}
    for size in (20, 20, 5):
        page = bob.ask("showPlayer", player="ann", **after)
        assert len(page["games"]) == size
        seen += rooms(page)
        after = {"after": page.get("more")}
    assert after == {"after": None}
    assert sorted(seen) == sorted(played)
    assert len(set(seen)) == 45


def test_what_is_no_place_in_a_list_begins_at_its_beginning() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = play(desk, ann, bob)
    for after in ("nonsense", "-", "99999999999999999999999-x", "²-x"):
        if after.isascii():
            assert rooms(ann.ask("showPlayer", player="ann", after=after)) == [room]


# Tonight


def test_tonight_has_what_ended_in_the_last_twelve_hours() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    play(desk, ann, bob, later=1)
    desk.now += 12 * 3_600_000
    late = play(desk, ann, bob)
    page = bob.ask("showTonight")
    assert rooms(page) == [late]
    assert page["since"] == desk.now - 12 * 3_600_000
    assert page["games"][0]["reason"] == "line"


# What is private


def test_nothing_of_a_private_table_is_told_to_others() -> None:
    desk = Desk()
    ann, bob, eve = (desk.peer(name) for name in ("ann", "bob", "eve"))
    room = play(desk, ann, bob, private=True)
    for asker, sees in ((eve, False), (ann, True), (bob, True)):
        for player in ("ann", "bob"):
            page = asker.ask("showPlayer", player=player, rival="bob" if player == "ann" else "ann")
            assert (room in rooms(page), bool(page["headToHead"])) == (sees, sees)
        assert (room in rooms(asker.ask("showTonight"))) is sees
    assert room not in str(eve.seen)


# Leaderboards


def test_the_leaders_are_told_in_their_order() -> None:
    desk = Desk()
    peers = [desk.peer(name) for name in ("ann", "bob", "eve", "dan")]
    for _ in range(4):
        for number, one in enumerate(peers):
            for other in peers[number + 1 :]:
                play(desk, one, other, rated=True)
    page = peers[0].ask("showRatings", game="tic-tac-toe")
    assert [leader["player"]["name"] for leader in page["leaders"]] == ["ann", "bob", "eve", "dan"]
    assert [leader["place"] for leader in page["leaders"]] == [1, 2, 3, 4]
    assert {leader["games"] for leader in page["leaders"]} == {12}
    values = [leader["value"] for leader in page["leaders"]]
    assert values == sorted(values, reverse=True)
    assert "more" not in page
    later = peers[0].ask("showRatings", game="tic-tac-toe", after=2)
    assert [leader["place"] for leader in later["leaders"]] == [3, 4]
    assert peers[0].ask("showRatings", game="tic-tac-toe", speed="slow")["leaders"] == []


async def test_no_rating_is_told_that_is_taken_back_before_it_is_durable() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    play(desk, ann, bob, rated=True)
    ratings = desk.hub.rooms.ratings

    async def settled() -> None:
        for key in list(ratings.of(ann.player)):
            ratings._take_back(key, None, desk.now)

    results = Results(desk.hub, SqliteJournal(), settled)
    page = await results.answer(ShowPlayer(id="a", player="ann"), None, desk.now)
    assert page["ratings"] == []


async def test_no_rating_is_told_that_has_moved_while_another_was_made_durable() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    play(desk, ann, bob, rated=True)

    async def settled() -> None:
        play(desk, ann, bob, rated=True)  # nobody has waited for this one

    results = Results(desk.hub, SqliteJournal(), settled)
    page = await results.answer(ShowPlayer(id="a", player="ann"), None, desk.now)
    assert [(rating["value"], rating["games"]) for rating in page["ratings"]] == [(1662, 1)]


def test_there_are_no_leaders_of_a_game_that_is_not_here() -> None:
    assert Desk().peer("ann").refused("showRatings", game="chess") == "unknownGame"


# Best times


def test_best_times_are_of_people_or_of_bots() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    robot = desk.bot("robot", "minesweeper:easy")
    for peer, every in ((ann, 3_000), (bob, 2_000), (robot, 1_000)):
        room = peer.create("minesweeper")
        dig(desk, peer, room, every=every)
        peer.ask("leave", room=room)
    page = ann.ask("showTimes", course="beginner")
    assert [(each["place"], each["player"]["name"]) for each in page["times"]] in (
        [(1, "bob"), (2, "ann")],
        [(1, "ann"), (2, "bob")],
    )
    times = [each["milliseconds"] for each in page["times"]]
    assert times == sorted(times)
    assert [each["player"]["name"] for each in ann.ask("showTimes", bots=True)["times"]] == ["robot"]
    assert ann.ask("showTimes", course="expert")["times"] == []


# Over a socket


async def test_what_is_asked_is_answered_over_a_socket() -> None:
    async with a_server() as server, a_wire(server) as ana:
        await ana.hello("ana")
        page = await ana.ask("showPlayer", player="ana")
        assert (page["type"], page["player"]["name"], page["games"]) == ("playerPage", "ana", [])
        assert (await ana.ask("showPlayer", player="who"))["code"] == "unknownPlayer"
        assert (await ana.ask("showTonight"))["games"] == []
        assert (await ana.ask("showRatings", game="quoridor"))["leaders"] == []
        assert (await ana.ask("showTimes"))["times"] == []
