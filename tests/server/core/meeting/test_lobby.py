"""The lobby: page by page, then what changed, at most one message of one page a tick."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tablero_protocol.codec import CODECS
from tablero_protocol.messages import CLIENT_MESSAGE, SERVER_MESSAGE
from tablero_protocol.scan import FROM_SERVER
from tablero_server.core.limits.limits import Rate
from tablero_server.core.meeting.lobby import Lobby
from tests.harness.desk import Desk, Message, Peer

PAGE = 16_384


def names(lines: list[Message]) -> list[str]:
    return [line["name"] for line in lines]


def watching(desk: Desk, name: str = "eve") -> Peer:
    peer = desk.peer(name)
    assert peer.ask("watchLobby")["type"] == "lobby"
    desk.tick()
    peer.seen.clear()
    return peer


def test_the_snapshot_has_rooms_and_players_as_they_are() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create("connect-four", clock={"base": 60, "increment": 0})
    lobby = desk.peer("eve").ask("watchLobby")
    assert names(lobby["players"]) == ["ann", "eve"]
    [line] = lobby["rooms"]
    assert (line["room"], line["game"], line["state"], line["watchers"]) == (
        room,
        "connect-four",
        "waiting",
        0,
    )
    assert line["options"] == {"columns": 7, "rows": 6, "connect": 4}
    assert line["clock"] == {"base": 60, "increment": 0}
    assert [seat and seat["name"] for seat in line["seats"]] == ["ann", None]


def test_changes_come_once_a_tick() -> None:
    desk = Desk()
    eve = watching(desk)
    _, _, room = desk.pair()
    assert eve.seen == []
    desk.tick()
    [change] = eve.seen
    assert change["type"] == "lobbyChanged"
    assert [(line["room"], line["state"]) for line in change["rooms"]] == [(room, "playing")]
    assert sorted(names(change["players"])) == ["ann", "bob"]
    assert [line["games"] for line in change["players"]] == [1, 1]
    eve.seen.clear()
    desk.tick()
    assert eve.seen == [], "nothing changed since"


def test_a_turn_is_no_news_for_the_lobby() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    eve = watching(desk)
    ann.play(room, "b2")
    desk.tick()
    assert eve.seen == []


def test_the_end_of_a_game_is() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    eve = watching(desk)
    ann.ask("resign", room=room, seat=0)
    desk.tick()
    [change] = eve.seen
    assert change["rooms"][0]["state"] == "finished"
    assert [line["games"] for line in change["players"]] == [0, 0]


def test_who_leaves_a_room_plays_one_game_less() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create()
    desk.peer("bob").join(room, watch=True)
    eve = watching(desk)
    ann.ask("leave", room=room)
    desk.tick()
    assert [(line["name"], line["games"]) for line in eve.seen[0]["players"]] == [("ann", 0)]


def test_a_closed_room_is_gone() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create()
    eve = watching(desk)
    ann.ask("leave", room=room)
    desk.tick()
    assert eve.seen[0]["gone"] == [room]


def test_what_came_and_went_between_two_ticks_is_not_mentioned() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    eve = watching(desk)
    ann.ask("leave", room=ann.create())
    desk.tick()
    assert eve.seen == []


def test_private_rooms_are_never_shown() -> None:
    desk = Desk()
    eve = watching(desk)
    ann = desk.peer("ann")
    room = ann.create(private=True)
    desk.tick()
    ann.ask("leave", room=room)
    desk.tick()
    assert all(room not in str(message) for message in eve.seen)
    assert desk.peer("zoe").ask("watchLobby")["rooms"] == []


def test_a_player_who_drops_is_gone_and_one_who_returns_is_back() -> None:
    desk = Desk()
    eve = watching(desk)
    ann = desk.peer("ann")
    desk.tick()
    desk.drop(ann)
    desk.tick()
    assert eve.seen[-1]["gone"] == [ann.player]
    desk.back(ann)
    desk.tick()
    assert names(eve.seen[-1]["players"]) == ["ann"]


def test_a_bot_shows_what_it_can_be_invited_to() -> None:
    desk = Desk()
    desk.bot("rob", "tic-tac-toe:hard", capacity=3)
    [line, _] = desk.peer("eve").ask("watchLobby")["players"]
    assert line["bot"] is True
    assert line["card"] == {"brains": [{"game": "tic-tac-toe", "levels": ["hard"]}], "capacity": 3}


def test_who_watches_no_more_hears_no_more() -> None:
    desk = Desk()
    eve = watching(desk)
    for _ in range(2):
        assert eve.ask("unwatchLobby")["type"] == "ok"
    desk.peer("ann")
    desk.tick()
    assert eve.seen == []


def test_watching_twice_is_watching_once() -> None:
    desk = Desk()
    eve = watching(desk)
    eve.ask("watchLobby")
    desk.peer("ann")
    desk.tick()
    assert len(eve.seen) == 1


def test_a_broken_connection_watches_no_more() -> None:
    desk = Desk()
    eve = watching(desk)
    desk.drop(eve)
    back = desk.back(eve)
    desk.peer("ann")
    desk.tick()
    assert back.seen == []


def test_watchers_of_a_room_are_counted() -> None:
    desk = Desk()
    _, _, room = desk.pair()
    eve = watching(desk)
    desk.peer("cat").join(room)
    desk.tick()
    assert eve.seen[-1]["rooms"][0]["watchers"] == 1


# Page by page


def told(peer: Peer, **fields: Any) -> Message:
    """What the hub alone answers; of a large lobby the desk would check too much at each step."""
    command = {"id": peer.desk.new_id(), **fields}
    message = CLIENT_MESSAGE.validate_python(command, by_alias=True, by_name=False)
    return peer.desk.hub.receive(peer.number, message, peer.desk.now).messages[0][1]


def page(peer: Peer, **after: int) -> Message:
    """A page of the lobby, if need be after a wait."""
    while (answer := told(peer, type="watchLobby", **after))["type"] == "refused":
        peer.desk.now += answer["retryAfterMs"]
    SERVER_MESSAGE.validate_python(answer, extra="forbid", by_alias=True, by_name=False)
    return answer


def pages(peer: Peer) -> list[Message]:
    had = [page(peer)]
    while "more" in had[-1]:
        had.append(page(peer, after=had[-1]["more"]))
    return had


def a_large_lobby(rooms: int, **limits: Any) -> Desk:
    """So many tables for eight, opened by bots that list as much as a bot can."""
    desk = Desk(all_rooms=rooms, **limits)
    brains = [f"minesweeper:{'x ' * 20}" for _ in range(16)]
    hosts = [desk.bot(f"rob{number}", *brains, capacity=50) for number in range(rooms // 50)]
    options = {"mode": "race", "width": 50, "height": 50, "mines": 300}
    for number in range(rooms):
        opened = told(hosts[number % 100], type="createRoom", game="minesweeper", seats=8, options=options)
        hosts[number % 100].heads[opened["room"]] = opened["seq"]
    assert len(desk.hub.rooms.open) == rooms
    for _ in range(rooms // 50 + 3):
        desk.hub.tick(desk.now)
    return desk


def test_a_lobby_of_5000_tables_can_always_be_had_and_no_frame_of_it_is_too_large() -> None:
    desk = a_large_lobby(5_000, messages=Rate(100, 40))
    eve = desk.peer("eve")
    desk.now += 60_000
    began, had = desk.now, pages(eve)
    assert len({line["room"] for page in had for line in page["rooms"]}) == 5_000
    assert len({name for page in had for name in names(page["players"])}) == 101
    for page in had:
        for codec in CODECS.values():
            assert len(codec.encode(page)) <= 2 * PAGE < FROM_SERVER.frame // 4
    assert desk.now - began < 30_000, "milliseconds"


def test_a_page_is_never_asked_for_in_vain_however_small_the_pages_are() -> None:
    desk = Desk(lobby_bytes=1)
    rooms = [desk.peer(f"olga{number}").create() for number in range(5)]
    had = pages(desk.peer("eve"))
    assert [len(page["rooms"]) + len(page["players"]) for page in had] == [1] * 11
    assert [line["room"] for page in had for line in page["rooms"]] == rooms
    assert all(one["more"] < other["more"] for one, other in pairwise(had[:-1]))
    assert "more" not in had[-1]


def test_what_changes_between_two_pages_is_told_and_no_line_is_left_out() -> None:
    desk = Desk(lobby_bytes=1)
    hosts = [desk.peer(f"olga{number}") for number in range(4)]
    rooms = [host.create() for host in hosts]
    eve = desk.peer("eve")
    first = eve.ask("watchLobby")
    hosts[0].ask("leave", room=rooms[0])
    new = hosts[0].create()
    seen: list[Message] = []
    for _ in range(8):
        desk.tick()
        seen += eve.of("lobbyChanged")
        eve.seen.clear()
    shown = {line["room"] for line in first["rooms"]}
    page = first
    while "more" in page:
        page = eve.ask("watchLobby", after=page["more"])
        shown.update(line["room"] for line in page["rooms"])
    told = {line["room"] for change in seen for line in change["rooms"]}
    gone = {id for change in seen for id in change["gone"]}
    assert (shown | told) - gone == {*rooms[1:], new}


def test_the_changes_of_one_tick_are_no_longer_than_a_page_and_the_rest_follows() -> None:
    desk = Desk(lobby_bytes=400)
    eve = watching(desk)
    rooms = {desk.peer(f"olga{number}").create() for number in range(20)}
    told: list[list[str]] = []
    while len(told) < 60:
        eve.seen.clear()
        desk.tick()
        if not eve.seen:
            break
        [change] = eve.seen
        told.append([line["room"] for line in change["rooms"]])
        assert len(change["rooms"]) + len(change["players"]) <= 8
    assert sorted(room for each in told for room in each) == sorted(rooms)
    assert len(told) > 5


def test_to_turn_a_page_is_not_to_watch() -> None:
    desk = Desk(lobby_bytes=1)
    desk.peer("bob")
    eve = watching(desk)
    more = eve.ask("watchLobby")["more"]
    eve.ask("unwatchLobby")
    assert eve.ask("watchLobby", after=more)["type"] == "lobby"
    assert eve.ask("watchLobby", "last", after=2**53) == {
        "type": "lobby",
        "re": "last",
        "rooms": [],
        "players": [],
        "seeks": [],
    }
    desk.peer("ann")
    desk.tick()
    assert eve.seen == []


# By itself


def test_only_lines_that_differ_are_told() -> None:
    rooms: dict[str, Message | None] = {"a": {"n": 1}, "b": {"n": 1}}
    lobby = Lobby(rooms.get, lambda _: None, PAGE)
    lobby.room_changed("a")
    lobby.room_changed("b")
    assert lobby.changes() == {
        "type": "lobbyChanged",
        "rooms": [{"n": 1}, {"n": 1}],
        "players": [],
        "seeks": [],
        "gone": [],
    }
    rooms["b"] = {"n": 2}
    lobby.room_changed("a")
    lobby.room_changed("b")
    told = {"type": "lobbyChanged", "players": [], "seeks": []}
    assert lobby.changes() == {**told, "rooms": [{"n": 2}], "gone": []}
    rooms["a"] = None
    lobby.room_changed("a")
    assert lobby.changes() == {**told, "rooms": [], "gone": ["a"]}
    lobby.room_changed("a")
    assert lobby.changes() is None
    assert lobby.watch("session", "re", None)["rooms"] == [{"n": 2}]


def test_what_may_have_been_lost_is_told_again_and_once_also_where_it_is_the_same() -> None:
    rooms: dict[str, Message | None] = {"a": {"n": 1}}
    lobby = Lobby(rooms.get, lambda _: None, PAGE)
    lobby.room_changed("a")
    lobby.changes()
    lobby.tell_again("rooms", "a")
    assert (lobby.changes() or {})["rooms"] == [{"n": 1}]
    assert lobby.changes() is None
    rooms["a"] = {"n": 2}
    lobby.tell_again("rooms", "a")
    assert [page["rooms"] for page in lobby.again(["a"])] == [[{"n": 2}]]
    lobby.watchers.add("session")
    rooms["a"] = {"n": 3}
    assert lobby.watch("another session", "re", None)["rooms"] == [{"n": 3}]
    rooms["a"] = None
    lobby.tell_again("rooms", "a")
    assert (lobby.changes() or {})["gone"] == ["a"]


def test_with_a_room_the_lines_of_those_on_its_seats_are_told() -> None:
    players: dict[str, Message | None] = {"ann": {"games": 1}, "bob": {"games": 2}}
    lobby = Lobby(lambda _: None, players.get, PAGE)
    lobby.room_changed("a", ["ann", None])
    assert (lobby.changes() or {})["players"] == [{"games": 1}]


def test_what_did_not_change_is_not_looked_at_again() -> None:
    asked: list[str] = []
    lobby = Lobby(lambda _: None, lambda player: asked.append(player), PAGE)
    lobby.player_changed("ann")
    for _ in range(3):
        lobby.changes()
    assert asked == ["ann"]


@pytest.mark.parametrize("watchers", [0, 1])
def test_of_much_that_changed_a_little_is_looked_at_at_a_time_whoever_watches(watchers: int) -> None:
    asked: list[str] = []
    lobby = Lobby(lambda room: asked.append(room), lambda _: None, PAGE)
    lobby.watchers.update(["session"][:watchers])
    for room in range(250):
        lobby.room_changed(str(room))
    looked_at = []
    while (before := len(asked)) < 250:
        lobby.changes()
        looked_at.append(len(asked) - before)
    assert looked_at == [50] * 5
    for room in range(250):
        lobby.room_changed(str(room))
    asked.clear()
    lobby.watch("first", "re", None)
    assert len(asked) == 50 * (not watchers), "nor by the first who watches"


@pytest.mark.parametrize(("changed", "looked_at"), [(500, 50), (1_000, 100), (9_000, 200)])
def test_of_thousands_more_is_looked_at_at_a_time_so_that_nobody_waits_for_long(
    changed: int, looked_at: int
) -> None:
    asked: list[str] = []
    lobby = Lobby(lambda room: asked.append(room), lambda _: None, PAGE)
    for room in range(changed):
        lobby.room_changed(str(room))
    lobby.changes()
    assert len(asked) == looked_at


def test_what_the_first_who_watches_does_not_see_yet_follows() -> None:
    rooms: dict[str, Message | None] = {str(number): {"n": number} for number in range(250)}
    lobby = Lobby(rooms.get, lambda _: None, PAGE)
    for room in rooms:
        lobby.room_changed(room)
    shown = lobby.watch("session", "re", None)["rooms"]
    while (changes := lobby.changes()) is not None:
        shown = shown + changes["rooms"]
    assert shown == list(rooms.values())


def test_lines_are_told_again_as_they_were_told_last_page_by_page() -> None:
    desk = Desk(lobby_bytes=300)
    watching(desk)
    ann = desk.peer("ann")
    rooms = [ann.create() for _ in range(5)]
    ann.ask("leave", room=rooms[0])
    for _ in range(5):
        desk.tick()
    late = ann.create()
    pages = list(desk.hub.rooms.lobby.again({*rooms, late, ann.player}))
    assert {line["room"] for page in pages for line in page["rooms"]} == set(rooms[1:])
    assert [line["name"] for page in pages for line in page["players"]] == ["ann"]
    assert {id for page in pages for id in page["gone"]} == {rooms[0], late}
    assert len(pages) > 1
    assert list(desk.hub.rooms.lobby.again([])) == []
