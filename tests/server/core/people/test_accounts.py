"""Coming in: names, tokens, sessions, and people who are no bots."""

from __future__ import annotations

import random
from sys import getsizeof
from typing import Any

import pytest

from tablero_protocol.codes import Close
from tablero_protocol.messages import Hello
from tablero_protocol.text import skeleton
from tablero_server.core.effects import Effects
from tablero_server.core.entry import Placing, SavedPlayer
from tablero_server.core.hub import Hub
from tablero_server.core.ids import Ids
from tablero_server.core.limits.limits import Limits, Rate
from tablero_server.core.people import accounts as accounts_module
from tablero_server.core.people.accounts import Accounts
from tests.harness.desk import HOST_KEY, Desk, Peer


def test_a_guest_needs_nothing_but_a_name() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    assert ann.welcome["player"] == {"id": ann.player, "name": "ann", "bot": False}
    assert ann.welcome["rooms"] == []
    assert ann.welcome["now"] == desk.now
    assert ann.token


def test_a_guest_may_even_come_without_a_name() -> None:
    assert Desk().peer(None).name.startswith("guest-")


@pytest.mark.parametrize(
    "name", ["", "a", "a b", "-ann", "_ann", "a" * 21, "ann!", "änn", "admin", "Adm1n", "b-o-t", "house"]
)
def test_a_bad_name_is_refused(name: str) -> None:
    assert Desk().connect().refused("hello", protocol=1, client="test", name=name) == "badName"


def test_the_hosts_own_bots_may_bear_a_title() -> None:
    assert Desk().house().name == "house"


def test_after_a_bad_name_a_good_one_is_let_in() -> None:
    peer = Desk().connect()
    peer.refused("hello", protocol=1, client="test", name="")
    assert peer.ask("hello", protocol=1, client="test", name="ann")["type"] == "welcome"


@pytest.mark.parametrize(
    ("first", "second", "called"),
    [
        ("ann", "ann", "ann-2"),
        ("ann", "ANN", "ANN-2"),
        ("ann", "a-n_n", "a-n_n-2"),
        ("bill", "b1II", "b1II-2"),
        ("a" * 20, "a" * 20, "a" * 18 + "-2"),
    ],
)
def test_a_name_that_looks_like_a_taken_one_gets_a_number(first: str, second: str, called: str) -> None:
    desk = Desk()
    desk.peer(first)
    assert desk.peer(second).name == called


def test_the_numbers_go_on() -> None:
    desk = Desk()
    assert [desk.peer("ann").name for _ in range(3)] == ["ann", "ann-2", "ann-3"]


def test_a_name_that_thousands_bear_costs_a_newcomer_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    accounts, looked_at = Accounts(Ids(random.Random(1).randbytes), Limits()), list[str]()

    def counted(name: str) -> str:
        looked_at.append(name)
        return skeleton(name)

    def hello() -> Hello:
        return Hello(id="i", protocol=1, client="test", name="a" * 20)

    for _ in range(2_000):
        accounts.enter(hello(), 0)
    monkeypatch.setattr(accounts_module, "skeleton", counted)
    session, _ = accounts.enter(hello(), 0)
    assert len(looked_at) < 30
    assert len(session.account.name) == 20
    assert len({account.name for account in accounts.by_id.values()}) == 2_001


def test_who_got_a_number_keeps_it_until_the_bare_name_is_free() -> None:
    """A client that always says the name its user chose does not get another number each time."""
    desk = Desk(renames=Rate(60_000, 1))
    first, second = desk.peer("ann"), desk.peer("ann")
    for _ in range(5):
        desk.drop(second)
        second = desk.peer("ann", token=second.token)
        assert second.name == "ann-2"
    desk.drop(first)
    assert desk.peer("ann", token=second.token).name == "ann"


def test_the_token_comes_once() -> None:
    desk = Desk()
    ann = desk.peer()
    desk.drop(ann)
    again = desk.back(ann)
    assert again.player == ann.player
    assert "token" not in again.welcome


def test_the_server_itself_does_not_keep_the_token() -> None:
    desk = Desk()
    ann = desk.peer()
    assert ann.token
    assert ann.token not in repr(vars(desk.hub.accounts))
    [token] = desk.hub.accounts.tokens.of(ann.player)
    assert ann.token not in repr(token)
    assert len(token.hash) == 32, "SHA-256"


def test_an_unknown_token_is_refused() -> None:
    assert Desk().connect().refused("hello", protocol=1, client="test", token="x" * 43) == "badToken"


def test_a_bot_is_labelled_everywhere_and_for_ever() -> None:
    desk = Desk()
    bot = desk.bot("rob", "tic-tac-toe:hard")
    assert bot.welcome["player"]["bot"] is True
    desk.drop(bot)
    person = desk.peer("ann", token=bot.token)
    assert person.welcome["player"] == {"id": bot.player, "name": "ann", "bot": True}


def test_a_bot_may_not_use_a_persons_token() -> None:
    desk = Desk()
    ann = desk.peer()
    peer = desk.connect()
    assert peer.refused("hello", protocol=1, client="test", token=ann.token, bot={}) == "forbidden"


@pytest.mark.parametrize(
    "hello",
    [
        {"bot": {}, "hostKey": HOST_KEY[:-1]},
        {"bot": {}, "hostKey": HOST_KEY + "x"},
        {"hostKey": HOST_KEY},
    ],
    ids=["nearly the key", "more than the key", "no bot"],
)
def test_only_a_bot_with_the_very_key_is_the_hosts_own(hello: Any) -> None:
    desk = Desk()
    assert desk.connect().refused("hello", protocol=1, client="test", **hello) == "forbidden"
    assert not desk.hub.accounts.by_id


def test_a_server_without_a_key_knows_no_bot_as_its_hosts_own() -> None:
    desk = Desk()
    desk.hub = Hub(random.randbytes)
    assert desk.connect().refused("hello", protocol=1, client="test", bot={}, hostKey="x") == "forbidden"


def test_the_hosts_key_is_told_to_nobody() -> None:
    desk = Desk()
    ann, house = desk.peer(), desk.house("tic-tac-toe:hard")
    told = [ann.ask("watchLobby"), house.welcome, *desk.players.values()]
    assert HOST_KEY not in repr(told)
    assert "hostKey" not in repr(told)


def test_who_comes_back_may_change_the_name() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    assert desk.peer("eve", token=ann.token).name == "eve"
    assert desk.peer("ann").name == "ann", "the old name is free again"


def test_a_strangers_session_cannot_be_entered() -> None:
    desk = Desk()
    ann, eve = desk.peer("ann"), desk.peer("eve")
    desk.drop(eve)
    assert desk.peer(None, token=eve.token, session=ann.session).session != ann.session
    assert ann.closed is None


def test_a_returning_player_hears_of_its_rooms_and_seats() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    desk.drop(ann)
    assert [(held["room"], held["seats"]) for held in desk.back(ann).welcome["rooms"]] == [(room, [0])]


def test_a_stopping_server_tells_everybody_to_come_back() -> None:
    desk = Desk()
    ann, stranger = desk.peer(), desk.connect()
    desk.stop()
    [bye] = ann.seen
    assert (bye["type"], bye["code"]) == ("bye", 4000)
    assert bye["retryAfterMs"] > 0
    assert ann.closed == Close.RESTARTING.value
    assert stranger.seen == []


def test_a_pong_has_the_head_of_every_room() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    ann.play(room, "b2")
    assert bob.ask("ping")["heads"] == {room: desk.room(room).head}


def test_a_token_tells_whose_it_is_and_nonsense_nobodys() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    account = desk.hub.accounts.bearer(ann.token or "", desk.now)
    assert account is not None
    assert account.id == ann.player
    for nonsense in ("", "x", "\udcff"):
        assert desk.hub.accounts.bearer(nonsense, desk.now) is None


def test_lost_connections_are_no_connections() -> None:
    """Whoever lost as many within two minutes as may be open may come back all the same."""
    desk = Desk(sessions=2)
    ann = desk.peer("ann")
    for _ in range(4):
        desk.drop(ann)
        ann = desk.back(ann, same_session=False)
    desk.back(ann, same_session=False)
    again = desk.connect()
    assert again.refused("hello", protocol=1, client="test", token=ann.token) == "tooManySessions"


def test_two_accounts_of_one_name_are_forgotten_one_after_the_other() -> None:
    """As after a crash that lost a rename, when somebody had the old name already."""
    accounts = Accounts(Ids(random.Random(1).randbytes), Limits())
    two = [accounts.admit(SavedPlayer(id, "ann", False, 0, 0), 0) for id in ("one", "two")]
    for account in two:
        accounts.forget_account(account, Effects())
    assert not accounts._names


def test_a_player_whose_games_are_over_is_as_small_as_before_them() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    account = desk.hub.accounts.by_id[ann.player]
    before = getsizeof(account.logged)
    for _ in range(20):
        room = ann.create()
        bob.join(room)
        for peer, move in zip([ann, bob] * 3, ["a1", "b1", "a2", "b2", "a3"], strict=False):
            peer.play(room, move)
        ann.ask("leave", room=room)
        bob.ask("leave", room=room)
    assert getsizeof(account.logged) > before
    desk.tick(desk.hub.limits.session_memory_ms)
    assert getsizeof(account.logged) == before


def known_for_ever(desk: Desk, name: str) -> Peer:
    """Somebody with a rating, who has gone."""
    peer = desk.peer(name)
    peer.ask("leave", room=peer.create())
    desk.hub.accounts.by_id[peer.player].rated = True
    desk.drop(peer)
    desk.tick(desk.hub.limits.session_memory_ms)
    return peer


@pytest.mark.parametrize(
    ("players", "kind", "milliseconds", "kept"),
    [
        ("ann bob", "win", None, "ann bob"),
        ("ann bob", "loss", None, "ann bob"),
        ("ann bob", "aborted", None, ""),
        ("ann ann", "win", None, ""),
        ("ann rob", "win", None, "rob"),
        ("rob rod", "win", None, ""),
        ("ann", "loss", None, ""),
        ("ann", "win", 71_000, "ann"),
    ],
)
def test_who_has_finished_a_game_with_another_person_or_has_a_time_is_kept(
    players: str, kind: str, milliseconds: int | None, kept: str
) -> None:
    accounts = Accounts(Ids(random.Random(1).randbytes), Limits())
    for name in ("ann", "bob", "rob", "rod"):
        accounts.admit(SavedPlayer(name, name, name.startswith("ro"), 7, 7), 0)
    placings = [
        Placing("r", seat, name, name.startswith("ro"), "", None, "dots", None, None, 8, None, None, kind, "",
                private=False, milliseconds=milliseconds)
        for seat, name in enumerate(players.split())
    ]  # fmt: skip
    first, again = Effects(), Effects()
    accounts.game_over(placings, 9, first)
    assert [(each.id, each.seen) for each in first.kept_of(SavedPlayer)] == [
        (name, 9) for name in kept.split()
    ]
    accounts.game_over(placings, 10, again)
    assert again.kept == (), "once is enough"


def test_a_name_is_kept_for_its_player_for_so_long_and_then_whoever_wants_it_has_it() -> None:
    desk = Desk(name_ms=10_000_000)
    ann = known_for_ever(desk, "ann")
    seen = desk.players[ann.player].seen
    desk.now = seen + 9_999_999
    assert desk.peer("ann").name == "ann-2"
    desk.now = seen + 10_000_000
    new = desk.peer("ANN")
    assert new.name == "ANN"
    saved = desk.players[ann.player]
    assert saved.name not in ("ann", "ANN", "ann-2")
    assert saved.name.startswith("ann-")
    assert saved.seen == seen, "it was not here meanwhile"
    assert desk.back(ann, same_session=False).name == saved.name
    desk.restart()
    assert desk.back(ann, same_session=False).name == saved.name
    assert desk.back(new, same_session=False).name == "ANN"


@pytest.mark.parametrize("known", ["who sits at a table", "who has finished a game"])
def test_a_passing_guest_gives_up_the_name_and_a_player_keeps_it(known: str) -> None:
    desk = Desk()
    guest = desk.peer("ana")
    desk.drop(guest)
    assert desk.peer("Ana").name == "Ana"
    assert desk.back(guest, same_session=False).name == "ana-2"
    player = known_for_ever(desk, "ben") if known == "who has finished a game" else desk.peer("ben")
    if known == "who sits at a table":
        player.create()
        desk.drop(player)
    assert desk.peer("ben").name == "ben-2"


def test_nobody_who_is_here_loses_the_name() -> None:
    desk = Desk(name_ms=1_000)
    ann = desk.peer("ann")
    desk.now += 1_000_000
    assert desk.peer("ann").name == "ann-2"
    assert ann.ask("ping")["type"] == "pong"


def test_it_is_not_remembered_how_often_somebody_was_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablero_server.core.people.accounts._MOST_OUT_OF_DATE", 5)
    desk = Desk()
    ann = desk.peer("ann")
    for _ in range(50):
        desk.now += 1
        desk.drop(ann)
        ann = desk.back(ann)
    assert len(desk.hub.accounts._absent) <= 5 + 2


def test_the_hosts_own_bots_are_those_that_came_with_its_key() -> None:
    desk = Desk()
    house = desk.house("connect-four:normal")
    desk.bot("rob", "connect-four:normal")
    assert list(desk.hub.accounts.of_host) == [house.player]
    card = {"brains": [{"game": "connect-four", "levels": ["normal"]}], "capacity": 1}
    house = desk.back(house, bot=card)
    assert list(desk.hub.accounts.of_host) == [], "this time it came without the key"
    house = desk.back(house, bot=card, hostKey=HOST_KEY)
    desk.hub.accounts.forget_account(desk.hub.accounts.by_id[house.player], Effects())
    assert list(desk.hub.accounts.of_host) == []
