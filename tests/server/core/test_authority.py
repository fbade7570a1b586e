"""What the host may do: whom it means, what becomes of them, and who is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from ipaddress import ip_network
from typing import Any

import pytest

from tablero_protocol.codes import Close
from tablero_protocol.messages import CLIENT_MESSAGE
from tablero_server.core.people.sanctions import network_in
from tablero_server.core.refusal import Refusal
from tests.harness.desk import Desk, Message, Peer

HERE, THERE = "203.0.113.7", "203.0.113.8"
HOUR = 3_600_000


def ban(desk: Desk, peer: Peer, until: int | None = None, **more: bool) -> None:
    account = desk.hub.accounts.by_id[peer.player]
    more = {"from_everywhere": False, **more}
    desk.by_host(desk.hub.authority.keep_out(account, until, "swearing.", desk.now, **more))


def knocks(desk: Desk, address: str | None = None, **hello: Any) -> str:
    """How somebody is answered who comes to the door."""
    answer = desk.connect(address).ask("hello", protocol=1, client="test", **hello)
    return str(answer.get("reason", answer["type"]))


@pytest.mark.parametrize("called", ["ann", "ANN", "a-nn", "by id"])
def test_a_player_is_meant_by_name_or_id(called: str) -> None:
    desk = Desk()
    ann, _ = desk.peer("ann"), desk.peer("bob")
    assert desk.hub.authority.player(ann.player if called == "by id" else called).id == ann.player


def test_a_misspelt_name_is_answered_with_one_that_is_here() -> None:
    desk = Desk()
    desk.peer("benjamin")
    with pytest.raises(Refusal) as misspelt:
        desk.hub.authority.player("benjamni")
    assert misspelt.value.fields == {"player": "benjamni", "meant": "benjamin"}
    with pytest.raises(Refusal) as unknown:
        desk.hub.authority.player("x" * 200)
    assert (unknown.value.reason, unknown.value.fields) == ("nobodyCalledThat", {"player": "x" * 80})


def test_ended_tokens_open_nothing_and_their_connections_end() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    desk.end_tokens(ann.player)
    assert (ann.closed, bob.closed) == (Close.REVOKED.value, None)
    assert desk.connect().refused("hello", protocol=1, client="test", token=ann.token) == "badToken"


def test_what_the_host_says_is_heard_by_everybody_who_is_here() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    desk.drop(bob)
    desk.by_host(desk.hub.authority.announce("Pizza\nis \x1b[2Jhere."))
    [told] = ann.of("announcement")
    assert told["message"] == "The host says: Pizza is [2Jhere."
    assert (told["reason"], told["fields"]) == ("hostSays", {"text": "Pizza is [2Jhere."})
    assert bob.seen == []


@pytest.mark.parametrize(("text", "why"), [(" \n", "nothingSaid"), ("x" * 301, "hostSaysTooMuch")])
def test_nothing_and_too_much_cannot_be_said(text: str, why: str) -> None:
    with pytest.raises(Refusal) as refused:
        Desk().hub.authority.announce(text)
    assert refused.value.reason == why


def test_who_is_banned_is_told_why_and_leaves_the_game_and_all_lines() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    other = desk.back(bob, same_session=False)
    ban(desk, bob, desk.now + 2 * HOUR)
    assert (bob.closed, other.closed, ann.closed) == (4107, 4107, None)
    bye = bob.seen[-1]
    assert bye["message"] == "The host has banned you for 2 h: swearing."
    assert (bye["reason"], bye["fields"]) == ("bannedFor", {"time": "2 h", "why": "swearing"})
    assert (ann.turns[-1]["outcome"]["kind"], ann.turns[-1]["outcome"]["reason"]) == ("aborted", "kicked")
    assert bob.player not in desk.room(room).members
    assert desk.hub.peers.keys() == {ann.number}


def test_who_is_banned_cannot_come_back_by_the_token_from_anywhere_also_after_a_restart() -> None:
    desk = Desk()
    bob = desk.peer("bob", address=HERE)
    ban(desk, bob)
    refused = desk.connect(THERE)
    answer = refused.ask("hello", protocol=1, client="test", token=bob.token)
    assert answer["message"] == "The host has banned you from this server: swearing."
    assert (answer["code"], refused.closed) == ("banned", Close.BANNED.value)
    assert "retryAfterMs" not in answer, "nobody is asked to come back"
    desk.restart()
    assert knocks(desk, THERE, token=bob.token) == "keptOut"
    desk.by_host(desk.hub.authority.lift("out", "bob"))
    assert knocks(desk, THERE, token=bob.token) == "welcome"
    desk.restart()
    assert knocks(desk, THERE, token=bob.token) == "welcome"


def test_newcomers_from_the_address_of_a_banned_player_are_kept_out_and_nobody_else() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann", address=HERE), desk.peer("bob", address=HERE)
    desk.drop(ann)
    desk.tick(desk.hub.limits.session_memory_ms)
    ban(desk, bob)
    assert knocks(desk, HERE, name="bob2") == "keptOut"
    assert knocks(desk, HERE, token=ann.token) == "welcome"
    desk.tick(1)
    stranger = desk.peer("bob3", address=THERE)
    assert knocks(desk, HERE, token=stranger.token) == "keptOut", "somebody new is new by each address"


@pytest.mark.parametrize("how", ["shared by somebody who is here", "of a network that is not limited"])
def test_newcomers_come_in_by_an_address_that_others_may_share_unless_the_host_says_otherwise(
    how: str,
) -> None:
    for from_everywhere in (False, True):
        desk = Desk()
        bob = desk.peer("bob", address=HERE, shared="not limited" in how)
        if "is here" in how:
            desk.peer("ann", address=HERE)
        ban(desk, bob, from_everywhere=from_everywhere)
        assert knocks(desk, HERE, name="bob2") == ("keptOut" if from_everywhere else "welcome")
        assert knocks(desk, HERE, token=bob.token) == "keptOut"


def test_the_hosts_own_bots_share_no_address_and_come_in_from_everywhere() -> None:
    desk = Desk()
    house = desk.house("tic-tac-toe:hard", address=HERE)
    bob = desk.peer("bob", address=HERE)
    ban(desk, bob)
    assert knocks(desk, HERE, name="bob2") == "keptOut"
    network = network_in(HERE)
    assert network is not None
    desk.by_host(desk.hub.authority.keep_out_network(network, None, "", desk.now))
    assert house.closed is None
    desk.drop(house)
    assert desk.house("tic-tac-toe:hard", address=HERE).welcome["type"] == "welcome"


def test_a_ban_ends_by_itself_and_is_off_the_list_then() -> None:
    desk = Desk()
    bob = desk.peer("bob", address=HERE)
    ban(desk, bob, desk.now + HOUR)
    desk.tick(HOUR - 1)
    assert knocks(desk, token=bob.token) == "keptOutFor"
    desk.tick(1)
    assert knocks(desk, token=bob.token) == "welcome"
    assert desk.sanctions == desk.hub.sanctions.all == {}


def test_a_banned_network_sends_away_who_comes_from_there_and_keeps_out_all() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann", address="203.0.113.9"), desk.peer("bob", address=THERE)
    cat = desk.peer("cat", address="198.51.100.1")
    phone = desk.back(ann, same_session=False, address="198.51.100.2")
    room = ann.create()
    network = network_in("203.0.113.0/24")
    assert network is not None
    desk.by_host(desk.hub.authority.keep_out_network(network, None, "", desk.now))
    assert [peer.closed for peer in (ann, bob, cat, phone)] == [4107, 4107, None, None]
    assert ann.player in desk.room(room).members, "she is here on another line, too"
    assert knocks(desk, HERE, token=bob.token) == knocks(desk, HERE) == "keptOut"
    assert knocks(desk, "198.51.100.9", token=bob.token) == "welcome"


def test_a_ban_that_could_not_be_saved_has_not_happened_and_they_may_come_back() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    desk.failing = True
    ban(desk, bob)
    desk.failing = False
    assert bob.closed == Close.NOT_SAVED.value
    assert bob.of("bye") == []
    assert desk.room(room).plays(bob.player)
    back = desk.back(bob)
    back.ask("resume", room=room, epoch=desk.room(room).epoch, seq=bob.heads[room])
    ann.play(room, "b2")
    assert back.play(room, "a1")["type"] == "nextPlayer"
    assert desk.hub.sanctions.all == {}


def test_an_end_of_a_ban_that_could_not_be_saved_has_not_happened() -> None:
    desk = Desk()
    bob = desk.peer("bob")
    ban(desk, bob)
    desk.failing = True
    desk.by_host(desk.hub.authority.lift("out", "bob"))
    assert knocks(desk, token=bob.token) == "keptOut"


def test_what_the_host_decides_is_bounded_and_never_about_half_the_world() -> None:
    desk = Desk()
    authority = desk.hub.authority
    for wide in ("0.0.0.0/0", "::/0", "2000::/3"):
        with pytest.raises(Refusal) as refused:
            authority.keep_out_network(ip_network(wide), None, "", desk.now)
        assert refused.value.reason == "networkTooWide"
    for number in range(1_000):
        authority.keep_out_network(ip_network(f"10.0.{number // 256}.{number % 256}"), None, "", 0)
    bob = desk.peer("bob")
    with pytest.raises(Refusal) as refused:
        ban(desk, bob)
    assert refused.value.reason == "tooManySanctions"
    assert bob.ask("ping")["type"] == "pong"
    with pytest.raises(Refusal) as nothing:
        authority.lift("out", "bob")
    assert nothing.value.reason == "nothingToLift"


def test_who_is_kicked_may_come_back_in_a_minute_and_not_before_also_by_another_name() -> None:
    desk = Desk()
    bob = desk.peer("bob", address=HERE)
    account = desk.hub.accounts.by_id[bob.player]
    desk.by_host(desk.hub.authority.kick(account, "calm down", desk.now, from_everywhere=False))
    assert bob.closed == Close.KICKED.value
    assert bob.seen[-1]["message"] == "The host has removed you: calm down. You can come back in 1 min."
    desk.tick(59_999)
    assert knocks(desk, THERE, token=bob.token) == knocks(desk, HERE, name="bob2") == "keptOutFor"
    desk.tick(1)
    assert knocks(desk, HERE, token=bob.token) == knocks(desk, HERE, name="bob2") == "welcome"
    assert desk.sanctions == {}


def muted(desk: Desk, peer: Peer, until: int | None = None, *, from_everywhere: bool = False) -> None:
    account = desk.hub.accounts.by_id[peer.player]
    desk.by_host(
        desk.hub.authority.mute(account, until, "shouting", desk.now, from_everywhere=from_everywhere)
    )


def test_who_is_muted_plays_on_and_says_nothing_from_any_line_also_after_a_restart() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(subscribe=["chat"])
    muted(desk, bob, desk.now + 2 * HOUR)
    assert bob.seen[-1]["message"] == "The host has muted you for 2 h: shouting. You can keep playing."
    refused = bob.ask("say", room=room, text="hello")
    assert refused["message"] == "The host has muted you for 2 h: shouting."
    assert refused["code"] == "noChat"
    assert bob.refused("say", room=room, phrase="hello") == "noChat"
    assert ann.play(room, "b2")["type"] == "ok"
    assert bob.play(room, "a1")["type"] == "ok"
    assert ann.ask("say", room=room, text="hush")["type"] == "said"
    other = desk.back(bob, same_session=False)
    other.join(room, watch=True)
    assert other.refused("say", room=room, text="hello") == "noChat"
    desk.restart()
    again = desk.back(bob)
    again.join(room, watch=True)
    assert again.refused("say", room=room, text="hello") == "noChat"


def test_a_newcomer_from_the_address_of_a_muted_player_is_muted_too_and_nobody_else() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create()
    bob = desk.peer("bob", address=HERE)
    muted(desk, bob)
    desk.tick(1)
    for address, said in ((HERE, "refused"), (THERE, "said")):
        newcomer = desk.peer("bob2", address=address)
        newcomer.join(room, watch=True, subscribe=["chat"])
        assert newcomer.ask("say", room=room, text="hi")["type"] == said


def test_who_was_muted_hears_when_it_is_over() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(subscribe=["chat"])
    muted(desk, bob, desk.now + HOUR)
    muted(desk, bob, desk.now + 2 * HOUR)
    bob.seen = []
    desk.tick(HOUR)
    assert bob.of("announcement") == []
    assert bob.refused("say", room=room, text="hello") == "noChat"
    desk.tick(HOUR)
    assert bob.of("announcement")[0]["message"] == "The host has unmuted you."
    assert bob.ask("say", room=room, text="hello")["type"] == "said"
    muted(desk, bob)
    desk.by_host(desk.hub.authority.lift("chat", "bob"))
    assert bob.of("announcement")[0]["reason"] == "heard"
    assert bob.ask("say", room=room, text="hello")["type"] == "said"
    assert ann.of("announcement") == []


def test_a_mute_that_could_not_be_saved_has_not_happened() -> None:
    desk = Desk()
    _, bob, room = desk.pair(subscribe=["chat"])
    desk.failing = True
    muted(desk, bob)
    desk.failing = False
    assert bob.seen == []
    assert bob.ask("say", room=room, text="hello")["type"] == "said"


@pytest.mark.parametrize("called", ["id", "beginning", "code", "code in small letters"])
def test_a_room_is_meant_by_its_id_its_beginning_or_its_code(called: str) -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room, _ = ann.create(), ann.create()
    code = str(desk.room(room).code)
    words = {"id": room, "beginning": room[:6].upper(), "code": code}
    assert desk.hub.authority.room(words.get(called, code.lower())).room.id == room


@pytest.mark.parametrize("called", ["", " "])
def test_nothing_means_no_room_also_where_there_is_only_one(called: str) -> None:
    desk = Desk()
    desk.pair()
    with pytest.raises(Refusal, match="There is no room"):
        desk.hub.authority.room(called)


def test_an_unknown_room_is_answered_with_one_that_is_meant() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room, _ = ann.create(), ann.create()
    with pytest.raises(Refusal) as misspelt:
        desk.hub.authority.room(f"{room[1:]}x")
    assert misspelt.value.fields["meant"] == room
    for unknown in ("", "nowhere at all"):
        with pytest.raises(Refusal) as none:
            desk.hub.authority.room(unknown)
        assert none.value.reason == "noRoomCalledThat"


@pytest.mark.parametrize("game", ["tic-tac-toe", "minesweeper"])
@pytest.mark.parametrize("begun", [True, False])
def test_whoever_is_at_a_table_that_closes_hears_why_and_its_game_counts_for_nobody(
    game: str, begun: bool
) -> None:
    desk = Desk()
    ann, bob, cat = desk.peer("ann"), desk.peer("bob"), desk.peer("cat")
    options = {"mode": "race"} if game == "minesweeper" else {}
    room = ann.create(game, seats=2, options=options, subscribe=["nextPlayer", "members"])
    bob.join(room, watch=not begun)
    cat.join(room, watch=True)
    table = desk.room(room)
    other = cat.create()
    desk.by_host(desk.hub.authority.close(desk.views(room), "bedtime", desk.now))
    for peer in (ann, bob, cat):
        told = f"The host has closed table {room}: bedtime."
        assert peer.of("announcement")[0]["message"] == told
        assert peer.seen[-1]["type"] == "left"
        assert peer.seen[-1]["reason"] == "closed"
    if begun:
        assert ann.turns[-1]["outcome"]["reason"] == "closed"
    assert table.state.value == "closed"
    assert list(desk.hub.rooms.open) == [other]
    assert ann.refused("join", room=room) == "unknownRoom"
    desk.restart()
    assert list(desk.hub.rooms.open) == [other]


def test_a_room_that_could_not_be_closed_goes_on() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    desk.failing = True
    desk.by_host(desk.hub.authority.close(desk.views(room), "", desk.now))
    desk.failing = False
    assert ann.of("announcement") == bob.of("announcement") == []
    assert ann.play(room, "b2")["type"] == "nextPlayer"


NEW: dict[str, Callable[[Peer, Peer, str], Message]] = {
    "a table": lambda ann, bob, table: ann.ask("createRoom", game="tic-tac-toe"),
    "a seek": lambda ann, bob, table: ann.ask("seek", game="tic-tac-toe"),
    "the last seat": lambda ann, bob, table: bob.ask("join", room=table),
    "fewer seats": lambda ann, bob, table: ann.ask("begin", room=table),
    "other options": lambda ann, bob, table: ann.ask("setOptions", room=table, options={}),
    "an invitation": lambda ann, bob, table: ann.ask("invite", room=table, seat=1, player=bob.player),
}


@pytest.mark.parametrize("what", NEW)
def test_nothing_new_begins_while_the_server_drains_and_it_does_again_after(what: str) -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    table = ann.create()
    desk.by_host(desk.hub.authority.drain(then_stop=False))
    assert [each["reason"] for each in ann.of("announcement")] == ["willStop"]
    refused = NEW[what](ann, bob, table)
    assert (refused.get("code"), refused.get("reason")) == ("draining", "draining")
    assert "retryAfterMs" not in refused
    desk.by_host(desk.hub.authority.undrain())
    assert ann.of("announcement")[0]["message"] == "New games can start again on this server."
    assert NEW[what](ann, bob, table).get("code") != "draining"


def test_a_running_game_goes_on_while_the_server_drains_and_has_no_rematch() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock={"base": 60}, subscribe=["nextPlayer", "offers", "chat"])
    desk.by_host(desk.hub.authority.drain(then_stop=False))
    cat = desk.peer("cat")
    assert cat.of("announcement")[0]["reason"] == "willStop", "also whoever comes later is told"
    cat.join(room, watch=True)
    for peer, move in ((ann, "a1"), (bob, "b2"), (ann, "a2"), (bob, "b3")):
        assert peer.play(room, move)["type"] == "nextPlayer"
    desk.drop(bob)
    bob = desk.back(bob, same_session=False)
    bob.join(room)
    assert bob.ask("say", room=room, text="gg")["type"] in ("ok", "said")
    assert desk.hub.authority.running() == 1
    ann.play(room, "a3")
    assert desk.hub.authority.running() == 0
    assert ann.refused("offer", room=room, seat=0, what="rematch") == "draining"
    assert not desk.hub.authority.is_done, "nobody said that it should stop"


def test_a_rematch_that_was_offered_before_is_called_off() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(subscribe=["nextPlayer", "offers"])
    bob.ask("resign", room=room, seat=1)
    offer = ann.ask("offer", room=room, seat=0, what="rematch")["offer"]
    desk.by_host(desk.hub.authority.drain(then_stop=False))
    bob.ask("answer", room=room, seat=1, offer=offer, yes=True)
    assert [each["yes"] for each in bob.of("answered")] == [False]
    assert list(desk.hub.rooms.open) == [room]


def test_seeks_wait_while_the_server_drains() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    desk.house("tic-tac-toe:hard")
    ann.ask("seek", game="tic-tac-toe", bots=True)
    desk.by_host(desk.hub.authority.drain(then_stop=False))
    desk.tick(desk.hub.limits.bot_after_ms)
    assert desk.hub.rooms.open == {}
    desk.by_host(desk.hub.authority.undrain())
    desk.tick(desk.hub.limits.bot_after_ms)
    assert len(desk.hub.rooms.open) == 1


@pytest.mark.parametrize(("terms", "waited_for"), [({"base": 60}, True), ({"days": 3}, False)])
def test_the_server_ends_after_the_last_game_but_not_only_after_those_of_days(
    terms: Message, waited_for: bool
) -> None:
    desk = Desk()
    ann, _, room = desk.pair(clock=terms)
    desk.by_host(desk.hub.authority.drain(then_stop=True))
    assert desk.hub.authority.is_done is not waited_for
    ann.ask("resign", room=room, seat=0)
    assert desk.hub.authority.is_done
    desk.by_host(desk.hub.authority.undrain())
    assert not desk.hub.authority.is_done
    with pytest.raises(Refusal, match="are allowed already"):
        desk.hub.authority.undrain()


def test_a_game_that_is_being_prepared_still_begins() -> None:
    desk = Desk()
    desk.slow = True
    ann = desk.peer("ann")
    ann.create("minesweeper", options={"level": "beginner", "noGuess": True})
    desk.by_host(desk.hub.authority.drain(then_stop=True))
    assert not desk.hub.authority.is_done
    desk.prepared()
    assert ann.turns
    assert desk.hub.authority.running() == 1


def test_a_packed_table_is_closed_like_any_other() -> None:
    desk = Desk()
    ann, bob, room = desk.pair(clock={"days": 3})
    for peer in (ann, bob):
        peer.play(room, "a1" if peer is ann else "b2")
    for peer in (ann, bob):
        desk.drop(peer)
    for _ in range(3):
        desk.tick(desk.hub.limits.session_memory_ms)
    assert room in desk.hub.rooms.packed
    desk.by_host(desk.hub.authority.close(desk.hub.authority.room(room[:6]), "", desk.now))
    assert desk.entries(room)[-1] == "closed"
    assert room not in desk.hub.rooms.packed


@pytest.mark.parametrize("restarted", [False, True])
def test_whose_address_is_let_in_again_is_kept_out_all_the_same(restarted: bool) -> None:
    desk = Desk()
    bob = desk.peer("bob", address=HERE)
    ban(desk, bob)
    desk.by_host(desk.hub.authority.lift("out", HERE))
    if restarted:
        desk.restart()
    assert knocks(desk, HERE, name="cat") == "welcome"
    assert knocks(desk, HERE, token=bob.token) == "keptOut"
    assert len(desk.sanctions) == 1
    desk.by_host(desk.hub.authority.lift("out", "bob"))
    assert desk.sanctions == {}


def test_who_is_still_muted_is_not_told_otherwise_when_the_address_is_free() -> None:
    desk = Desk()
    bob = desk.peer("bob", address=HERE)
    muted(desk, bob)
    desk.by_host(desk.hub.authority.lift("chat", HERE))
    assert bob.seen == []


def test_a_misspelt_name_is_answered_with_one_for_whom_something_of_that_kind_holds() -> None:
    desk = Desk()
    bob, cleo = desk.peer("robert"), desk.peer("cleopatra")
    ban(desk, bob)
    muted(desk, cleo)
    with pytest.raises(Refusal) as misspelt:
        desk.hub.authority.lift("out", "robret")
    assert misspelt.value.fields == {"name": "robret", "meant": "robert"}
    with pytest.raises(Refusal) as other_kind:
        desk.hub.authority.lift("out", "cleopatar")
    assert other_kind.value.reason == "nothingToLift"


def test_a_player_whose_tokens_are_ended_has_no_code_that_opens_anything_either() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    code = ann.ask("handOver")["code"]
    desk.end_tokens(ann.player)
    assert (ann.seen[-1]["type"], ann.seen[-1]["code"], ann.closed) == ("bye", 4105, 4105)
    late = CLIENT_MESSAGE.validate_python({"type": "handOver", "id": "late"}, by_alias=True)
    [(_, refused)] = desk.hub.receive(ann.number, late, desk.now).messages
    assert refused["reason"] == "sentAway", "also before the end is durable"
    answer = desk.connect().ask("hello", protocol=1, client="test", handOver=code)
    assert answer["reason"] == "wrongHandOver"


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
            "code": desk.room(room).code,
            "game": "tic-tac-toe",
            "title": "Tic-tac-toe",
            "clock": None,
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
