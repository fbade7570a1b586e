"""Who hears what is said: while a game is on, players and watchers are apart."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic import ValidationError

from tablero.brains import bundled
from tablero_protocol.phrases import LEVELS
from tests.harness.desk import HOST_KEY, Desk, Message, Peer
from tests.harness.desk_games import all_go, is_packed, table
from tests.harness.wire import a_server, a_table, a_wire


class Table:
    """Ann and Bob play, Cat and Dan watch; all listen, and count on from `seq`."""

    def __init__(self) -> None:
        self.desk = Desk()
        self.ann, self.bob, self.room = self.desk.pair(subscribe=["chat"])
        self.cat, self.dan = self.desk.peer("cat"), self.desk.peer("dan")
        for watcher in (self.cat, self.dan):
            watcher.join(self.room, subscribe=["chat"])
        self.seq = self.desk.room(self.room).head

    def say(self, who: Peer, text: str) -> Message:
        self.ann.seen, self.bob.seen, self.cat.seen, self.dan.seen = [], [], [], []
        return who.ask("say", room=self.room, text=text)

    def end(self) -> None:
        self.ann.ask("resign", room=self.room, seat=0)

    def resumed(self, peer: Peer) -> list[Message]:
        """What `peer` is told of all that happened since the game began."""
        epoch = self.desk.room(self.room).epoch
        assert peer.ask("resume", room=self.room, epoch=epoch, seq=self.seq)["type"] == "ok"
        return peer.seen


def heard(messages: list[Message]) -> list[str]:
    return [str(message.get("text", message["type"])) for message in messages]


def test_players_talk_to_players_and_watchers_to_watchers() -> None:
    table = Table()
    assert table.say(table.ann, "good luck")["text"] == "good luck"
    assert (heard(table.bob.seen), heard(table.cat.seen)) == (["good luck"], ["seq"])
    table.say(table.cat, "she wins on b2")
    assert (heard(table.dan.seen), heard(table.ann.seen)) == (["she wins on b2"], ["seq"])
    assert heard(table.bob.seen) == ["seq"]


def test_what_is_said_carries_the_seats_of_who_speaks() -> None:
    table = Table()
    assert table.say(table.bob, "hello")["seats"] == [1]
    assert table.say(table.cat, "hello")["seats"] == []


def test_before_the_start_and_after_the_end_all_hear_all() -> None:
    desk = Desk()
    ann, cat = desk.peer("ann"), desk.peer("cat")
    room = ann.create(subscribe=["chat"])
    cat.join(room, watch=True, subscribe=["chat"])
    ann.ask("say", room=room, text="who plays?")
    assert heard(cat.seen) == ["who plays?"]
    table = Table()
    table.end()
    for speaker in (table.ann, table.cat):
        table.say(speaker, "good game")
        others = {table.ann, table.bob, table.cat, table.dan} - {speaker}
        assert all(heard(other.seen) == ["good game"] for other in others)


@pytest.mark.parametrize("restarted", [False, True])
def test_what_was_said_during_the_game_stays_hidden_from_the_other_side(restarted: bool) -> None:
    table = Table()
    table.say(table.ann, "among players")
    table.say(table.cat, "among watchers")
    table.end()
    table.say(table.bob, "to all")
    ann, cat = table.ann, table.cat
    if restarted:
        table.desk.restart()
        ann, cat = (table.desk.back(each) for each in (ann, cat))
        for each in (ann, cat):
            each.join(table.room, watch=True, subscribe=["chat"])
    assert heard(table.resumed(ann)) == ["among players", "seq", "seq", "to all"]
    assert heard(table.resumed(cat)) == ["seq", "among watchers", "seq", "to all"]


def test_who_has_left_the_game_and_watches_is_told_as_a_player() -> None:
    table = Table()
    table.end()
    table.ann.ask("leave", room=table.room)
    table.ann.join(table.room, subscribe=["chat"])
    table.say(table.ann, "back again")
    assert heard(table.cat.seen) == ["back again"]


def test_who_is_muted_is_not_heard_by_any_session_of_that_player_and_by_all_others() -> None:
    table = Table()
    second = table.desk.back(table.bob, same_session=False)
    second.join(table.room, watch=True, subscribe=["chat"])
    assert table.bob.ask("mute", player=table.ann.player)["type"] == "ok"
    table.end()
    second.seen = []
    table.say(table.ann, "na na na")
    assert (heard(table.bob.seen), heard(second.seen)) == (["seq"], ["seq"])
    assert heard(table.cat.seen) == ["na na na"]
    assert heard(table.resumed(table.bob)) == ["seq", "seq"]
    table.bob.ask("mute", player=table.ann.player, what="none")
    table.say(table.ann, "sorry")
    assert heard(table.bob.seen) == ["sorry"]


def test_who_comes_back_is_told_whom_they_have_muted() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    assert "muted" not in ann.welcome
    ann.ask("mute", player=bob.player, what="all")
    assert desk.back(ann).welcome["muted"] == {bob.player: "all"}
    desk.restart()
    ann = desk.back(ann)
    assert ann.welcome["muted"] == {bob.player: "all"}
    ann.ask("mute", player=bob.player, what="none")
    desk.restart()
    assert "muted" not in desk.back(ann).welcome


def test_who_is_muted_altogether_cannot_invite_and_is_not_paired() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    rooms = [ann.create(subscribe=["members"]), ann.create()]
    ann.ask("invite", room=rooms[0], seat=1, player=bob.player)
    accounts = desk.hub.accounts.by_id
    assert accounts[ann.player].may_meet(accounts[bob.player])
    ann.seen = []
    bob.ask("mute", player=ann.player, what="all")
    [declined] = ann.of("declined")
    assert declined["reason"] == "declined"
    assert not accounts[ann.player].may_meet(accounts[bob.player])
    assert not accounts[bob.player].may_meet(accounts[ann.player])
    bob.ask("mute", player=ann.player, what="chat")
    assert ann.ask("invite", room=rooms[1], seat=1, player=bob.player)["type"] == "ok"
    assert bob.of("invited")[0]["room"] == rooms[1]


@pytest.mark.parametrize("what", ["all", "chat"])
def test_who_is_muted_and_invites_hears_what_anyone_hears_whom_nobody_answers(what: str) -> None:
    desk = Desk()
    ann, bob, eve = (desk.peer(name) for name in ("ann", "bob", "eve"))
    room = ann.create("minesweeper", seats=3, options={"mode": "race"}, subscribe=["members"])
    bob.ask("mute", player=ann.player, what=what)
    asked = {"room": room, "player": bob.player}
    told = [ann.ask("invite", seat=seat, **asked)["type"] for seat in (1, 2)]
    assert (told, ann.ask("invite", seat=2, **asked)["reason"]) == (["ok", "refused"], "askedAlready")
    assert len(bob.of("invited")) == (what == "chat")
    assert eve.ask("join", room=room, seat=1)["reason"] == "seatKept"
    desk.tick(desk.hub.limits.invite_ms)
    [declined] = ann.of("declined")
    assert (declined["reason"], declined["player"]["id"]) == ("expired", bob.player)


def test_invitations_that_are_not_told_take_no_place_from_those_that_are() -> None:
    desk = Desk(invitations_to=1)
    bob = desk.peer("bob")
    for name in ("ann", "cat", "dan"):
        peer = desk.peer(name)
        if name == "ann":
            bob.ask("mute", player=peer.player, what="all")
        answer = peer.ask("invite", room=peer.create(), seat=1, player=bob.player)
        assert answer.get("reason") == ("manyAskThem" if name == "dan" else None)


def owns(desk: Desk, bob: Peer) -> str:
    return bob.create(seat=None)


def sits(desk: Desk, bob: Peer) -> str:
    room = desk.peer("cat").create(seat=None)
    bob.join(room, seat=1)
    return room


@pytest.mark.parametrize("how", [{}, {"seat": 0}, {"watch": True}], ids=["anyhow", "with a seat", "to watch"])
@pytest.mark.parametrize("host", [owns, sits])
def test_who_is_muted_altogether_neither_sits_down_nor_watches_at_that_table(
    host: Callable[[Desk, Peer], str], how: Message
) -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = host(desk, bob)
    bob.ask("mute", player=ann.player, what="all")
    for place in ({"room": room}, {"code": desk.room(room).code}):
        refused = ann.ask("join", **place, **how)
        reason = "noWatchers" if "watch" in how else "seatKept"
        assert (refused["reason"], "mute" in refused["message"]) == (reason, False)
    assert ann.player not in desk.room(room).members
    bob.ask("mute", player=ann.player, what="chat")
    assert ann.ask("join", room=room, **how)["type"] == "joined"


def test_a_seat_that_is_taken_is_taken_for_them_too() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = bob.create()
    bob.ask("mute", player=ann.player, what="all")
    assert ann.ask("join", room=room, seat=0)["reason"] == "seatTaken"


def test_a_packed_game_of_somebody_who_muted_them_stays_packed() -> None:
    desk = Desk()
    _, bob, room = table(desk)
    eve = desk.peer("eve")
    bob.ask("mute", player=eve.player, what="all")
    all_go(desk)
    assert desk.back(eve).ask("join", room=room, watch=True)["reason"] == "noWatchers"
    assert is_packed(desk, room)


def test_whom_they_invite_all_the_same_may_come_but_not_past_another_who_muted_them() -> None:
    desk = Desk()
    ann, bob, cat = (desk.peer(name) for name in ("ann", "bob", "cat"))
    room = bob.create("minesweeper", seats=3, options={"mode": "race"})
    for peer in (bob, cat):
        peer.ask("mute", player=ann.player, what="all")
    bob.ask("invite", room=room, seat=1, player=ann.player)
    [invited] = ann.of("invited")
    cat.join(room, seat=2)
    assert ann.ask("join", room=room, invite=invited["invite"])["reason"] == "seatKept"
    cat.ask("leave", room=room)
    assert ann.join(room, invite=invited["invite"])["seat"] == 1


def test_who_sits_there_already_comes_back_and_plays() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    bob.ask("mute", player=ann.player, what="all")
    desk.drop(ann)
    ann = desk.back(ann, same_session=False)
    assert ann.join(room)["seat"] == 0
    assert ann.play(room, "b2")["type"] == "nextPlayer"


def test_only_another_player_is_muted_and_not_everybody() -> None:
    desk = Desk(muted=1)
    ann, bob, cat = (desk.peer(name) for name in ("ann", "bob", "cat"))
    assert ann.refused("mute", player="nobody") == "unknownPlayer"
    assert ann.refused("mute", player=ann.player) == "unknownPlayer"
    ann.ask("mute", player=bob.player)
    assert ann.ask("mute", player=bob.player, what="all")["type"] == "ok"
    assert ann.refused("mute", player=cat.player) == "forbidden"


def test_a_phrase_is_said_in_english_and_by_its_name() -> None:
    ann, bob, room = Desk().pair(subscribe=["chat"])
    answer = ann.ask("say", room=room, phrase="goodLuck")
    assert (answer["text"], answer["phrase"]) == ("Good luck!", "goodLuck")
    assert bob.of("said")[0]["phrase"] == "goodLuck"
    assert "phrase" not in ann.ask("say", room=room, text="Good luck!")


@pytest.mark.parametrize(
    ("policy", "said", "reason"),
    [
        ("on", {"phrase": "hello"}, None),
        ("on", {"text": "hi"}, None),
        ("phrases", {"phrase": "hello"}, None),
        ("phrases", {"text": "hi"}, "onlyPhrases"),
        ("off", {"phrase": "hello"}, "chatIsOff"),
        ("off", {"text": "hi"}, "chatIsOff"),
        ("on", {}, "textOrPhrase"),
        ("on", {"text": "hi", "phrase": "hello"}, "textOrPhrase"),
        ("on", {"phrase": "something else"}, "fieldNotAmong"),
    ],
)
def test_the_host_says_what_may_be_said(policy: str, said: Message, reason: str | None) -> None:
    desk = Desk(talk=policy)
    ann, _, room = desk.pair()
    assert ann.welcome["limits"]["chat"] == policy
    if reason == "fieldNotAmong":
        with pytest.raises(ValidationError):
            ann.ask("say", room=room, **said)
    else:
        assert ann.ask("say", room=room, **said).get("reason") == reason


@pytest.mark.parametrize(
    ("policy", "brain", "reason"),
    [
        ("on", "my-game:meet me at the lake", None),
        ("phrases", "tic-tac-toe:expert", None),
        ("phrases", "tic-tac-toe:meet me at the lake", "onlyLevels"),
        ("off", "tic-tac-toe:meet me at the lake", "onlyLevels"),
        ("off", "my-game:expert", "unknownGame"),
    ],
)
def test_a_guests_bot_says_no_more_by_its_levels_than_people_may(
    policy: str, brain: str, reason: str | None
) -> None:
    desk = Desk(talk=policy)
    game, level = brain.split(":")
    hello: Message = {"protocol": 1, "client": "test", "bot": {"brains": [{"game": game, "levels": [level]}]}}
    assert desk.connect().ask("hello", **hello).get("reason") == reason
    assert desk.connect().ask("hello", **hello, hostKey=HOST_KEY).get("reason") is None


def test_every_bundled_level_may_be_offered() -> None:
    assert {level for levels in bundled().values() for level in levels} == set(LEVELS)


@pytest.mark.parametrize("codec", ["tablero.v1.msgpack", "tablero.v1.json"])
async def test_over_a_socket_a_watcher_gets_the_bare_number(codec: str) -> None:
    async with a_server() as server, a_table(server) as (ana, ben, room), a_wire(server, codec) as cat:
        await cat.hello("cat")
        await cat.ask("join", room=room, subscribe=["chat"])
        answer = await ana.ask("say", room=room, text="hello")
        while (told := await ben.hear())["type"] != "said":
            pass
        assert (told["text"], told["seats"]) == ("hello", [0])
        assert await cat.hear() == {"type": "seq", "room": room, "seq": answer["seq"]}
