"""What the host sees, and what not even the host does."""

from __future__ import annotations

import json

from tests.harness.desk import Desk, Message

HERE, THERE = "203.0.113.7", "203.0.113.8"
MINUTE = 60_000


def shown(desk: Desk, *, addresses: bool = False) -> Message:
    view = desk.hub.host_view.shown(desk.now, addresses=addresses)
    json.dumps(view)
    return view


def test_who_is_here_is_shown_since_when_and_from_where_only_on_request() -> None:
    desk = Desk()
    ann = desk.peer("ann", address=HERE)
    ann.create()
    desk.tick(MINUTE)
    desk.back(ann, same_session=False, address=THERE)
    bob = desk.peer("bob")
    desk.drop(bob)
    [player] = shown(desk)["players"]
    assert player == {
        "id": ann.player,
        "name": "ann",
        "bot": False,
        "ofHost": False,
        "connections": 2,
        "since": desk.now - MINUTE,
        "rooms": sorted(desk.hub.rooms.open),
        "muted": False,
    }
    assert "203.0.113" not in json.dumps(shown(desk))
    assert shown(desk, addresses=True)["players"][0]["addresses"] == [HERE, THERE]


def test_whoever_comes_back_is_here_since_then_but_not_whoever_only_takes_a_new_line() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    came = desk.now
    desk.tick(MINUTE)
    newer = desk.back(ann)
    assert shown(desk)["players"][0]["since"] == came
    desk.drop(newer)
    desk.tick(MINUTE)
    desk.back(newer)
    assert shown(desk)["players"][0]["since"] == desk.now


def test_a_table_is_shown_with_who_sits_there_since_its_game_began() -> None:
    desk = Desk()
    ann, bob, cat = desk.peer("ann"), desk.peer("bob"), desk.peer("cat")
    room = ann.create(private=True)
    opened = desk.now
    assert [(each["state"], each["since"]) for each in shown(desk)["rooms"]] == [("waiting", opened)]
    desk.tick(MINUTE)
    bob.ask("join", code=desk.room(room).code)
    cat.ask("join", code=desk.room(room).code, watch=True)
    ann.play(room, "b2")
    assert shown(desk)["rooms"] == [
        {
            "id": room,
            "game": "tic-tac-toe",
            "state": "playing",
            "since": opened + MINUTE,
            "private": True,
            "players": ["ann", "bob"],
            "watchers": 1,
            "plies": 1,
            "correspondence": False,
            "paused": False,
        }
    ]


def test_what_was_decided_is_shown_and_that_it_drains() -> None:
    desk = Desk()
    bob = desk.peer("bob")
    account, authority = desk.hub.accounts.by_id[bob.player], desk.hub.authority
    desk.by_host(authority.mute(account, desk.now + MINUTE, "shouting", desk.now, from_everywhere=False))
    desk.by_host(authority.drain(then_stop=False))
    view = shown(desk)
    assert view["players"][0]["muted"]
    [sanction] = view["sanctions"]
    assert (sanction["kind"], sanction["player"], sanction["name"]) == ("chat", bob.player, "bob")
    assert (sanction["until"], sanction["why"]) == (desk.now + MINUTE, "shouting")
    assert view["draining"]


def test_nothing_of_what_a_game_hides_or_was_said_is_shown() -> None:
    desk = Desk()
    ann, _, room = desk.pair("minesweeper", seats=2, options={"mode": "coop"})
    ann.ask("say", room=room, text="a word between us")
    text = json.dumps(shown(desk, addresses=True))
    assert str(desk.room(room).seed) not in text
    assert "between us" not in text
    assert str(ann.token) not in text
