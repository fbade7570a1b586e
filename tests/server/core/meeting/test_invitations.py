"""Asking somebody to a seat: persons and bots in the same way."""

from __future__ import annotations

import pytest

from tablero_server.core.limits.limits import Rate
from tests.harness.desk import HOST_KEY, Desk, Message, Peer

MEMBERS = ["members", "nextPlayer"]


def host_and_room(desk: Desk) -> tuple[Peer, str]:
    ann = desk.peer("ann")
    return ann, ann.create(subscribe=MEMBERS)


def asked(guest: Peer) -> Message:
    [invited] = guest.of("invited")
    return invited


def test_a_person_is_invited_and_comes() -> None:
    desk = Desk()
    ann, room = host_and_room(desk)
    bob = desk.peer("bob")
    assert ann.ask("invite", room=room, seat=1, player=bob.player)["type"] == "ok"
    invited = asked(bob)
    assert (invited["room"], invited["seat"], invited["game"], invited["by"]["name"]) == (
        room,
        1,
        "tic-tac-toe",
        "ann",
    )
    assert invited["until"] == desk.now + desk.hub.limits.invite_ms
    assert "level" not in invited
    assert bob.join(room, invite=invited["invite"])["seat"] == 1
    assert desk.room(room).state.value == "playing"


def test_a_bot_is_invited_by_what_it_plays() -> None:
    desk = Desk()
    ann, room = host_and_room(desk)
    bot = desk.bot("rob", "tic-tac-toe:hard")
    ann.ask("invite", room=room, seat=1, bot="tic-tac-toe:hard")
    invited = asked(bot)
    assert invited["level"] == "tic-tac-toe:hard"
    answer = bot.join(room, invite=invited["invite"])
    assert answer["table"]["seats"][1] == {
        "id": bot.player,
        "name": "rob",
        "bot": True,
        "level": "tic-tac-toe:hard",
    }


def test_an_invitation_opens_a_private_room() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create(private=True)
    ann.ask("invite", room=room, seat=1, player=bob.player)
    invite = asked(bob)["invite"]
    assert desk.peer("eve").refused("join", room=room, invite=invite) == "unknownInvite"
    assert bob.join(room, invite=invite)["seat"] == 1


def test_the_seat_is_kept() -> None:
    desk = Desk()
    ann, room = host_and_room(desk)
    bob, cat = desk.peer("bob"), desk.peer("cat")
    ann.ask("invite", room=room, seat=1, player=bob.player)
    assert cat.refused("join", room=room, seat=1) == "seatTaken"
    assert "seat" not in cat.join(room), "no seat is free, so Cat watches"
    assert ann.refused("invite", room=room, seat=1, player=cat.player) == "seatTaken"
    assert bob.join(room, invite=asked(bob)["invite"])["seat"] == 1


def test_a_guest_may_decline() -> None:
    desk = Desk()
    ann, room = host_and_room(desk)
    bob = desk.peer("bob")
    ann.ask("invite", room=room, seat=1, player=bob.player)
    invite = asked(bob)["invite"]
    assert bob.ask("decline", invite=invite)["type"] == "ok"
    [declined] = ann.of("declined")
    assert (declined["seat"], declined["player"]["name"], declined["reason"]) == (1, "bob", "declined")
    assert bob.refused("decline", invite=invite) == "unknownInvite"
    assert bob.refused("join", room=room, invite=invite) == "unknownInvite"
    assert desk.peer("cat").join(room)["seat"] == 1


def test_that_nobody_came_is_told_to_those_who_follow_the_members() -> None:
    desk = Desk()
    ann, room = host_and_room(desk)
    bob, cat = desk.peer("bob"), desk.peer("cat")
    cat.join(room, watch=True)
    ann.ask("invite", room=room, seat=1, player=bob.player)
    desk.drop(bob)
    assert len(ann.of("declined")) == 1
    assert cat.of("declined") == []


def test_an_invitation_runs_out() -> None:
    desk = Desk(invite_ms=500)
    ann, room = host_and_room(desk)
    bob = desk.peer("bob")
    ann.ask("invite", room=room, seat=1, player=bob.player)
    invite = asked(bob)["invite"]
    desk.tick(499)
    assert ann.seen == []
    desk.tick(1)
    assert ann.of("declined")[0]["reason"] == "expired"
    assert bob.refused("join", room=room, invite=invite) == "unknownInvite"


def test_a_bot_has_less_time_than_a_person() -> None:
    desk = Desk(invite_ms=500, bot_invite_ms=100)
    ann, room = host_and_room(desk)
    bot = desk.bot("rob", "tic-tac-toe:hard")
    ann.ask("invite", room=room, seat=1, bot="tic-tac-toe:hard")
    assert asked(bot)["until"] == desk.now + 100
    desk.tick(100)
    assert ann.of("declined")[0]["player"]["level"] == "tic-tac-toe:hard"


def test_a_guest_who_goes_away_has_declined() -> None:
    desk = Desk()
    ann, room = host_and_room(desk)
    bob = desk.peer("bob")
    ann.ask("invite", room=room, seat=1, player=bob.player)
    desk.drop(bob)
    assert ann.of("declined")[0]["reason"] == "gone"
    assert desk.peer("cat").join(room)["seat"] == 1


def test_a_guest_with_another_session_open_is_still_here() -> None:
    desk = Desk()
    ann, room = host_and_room(desk)
    bob = desk.peer("bob")
    second = desk.back(bob, same_session=False)
    ann.ask("invite", room=room, seat=1, player=bob.player)
    assert asked(bob) == asked(second), "every session is asked"
    desk.drop(bob)
    assert ann.of("declined") == []
    assert second.join(room, invite=asked(second)["invite"])["seat"] == 1


def test_an_invitation_ends_with_its_room() -> None:
    desk = Desk()
    ann, room = host_and_room(desk)
    bob = desk.peer("bob")
    ann.ask("invite", room=room, seat=1, player=bob.player)
    ann.ask("leave", room=room)
    assert bob.refused("decline", invite=asked(bob)["invite"]) == "unknownInvite"
    desk.tick(60_000)


@pytest.mark.parametrize("who", ["nobody", "herself", "away"])
def test_nobody_else_can_be_invited(who: str) -> None:
    desk = Desk()
    ann, room = host_and_room(desk)
    bob = desk.peer("bob")
    desk.drop(bob)
    player = {"nobody": "nobody", "herself": ann.player, "away": bob.player}[who]
    assert ann.refused("invite", room=room, seat=1, player=player) == "unknownPlayer"


@pytest.mark.parametrize(("seat", "code"), [(0, "seatTaken"), (2, "noSuchSeat")])
def test_only_a_free_seat_can_be_offered(seat: int, code: str) -> None:
    desk = Desk()
    ann, room = host_and_room(desk)
    assert ann.refused("invite", room=room, seat=seat, player=desk.peer("bob").player) == code


@pytest.mark.parametrize("guest", [{}, {"player": "somebody", "bot": "tic-tac-toe:hard"}])
def test_either_a_player_or_a_bot_is_invited(guest: Message) -> None:
    ann, room = host_and_room(Desk())
    assert ann.refused("invite", room=room, seat=1, **guest) == "badMessage"


# Who invites, and how often


def test_a_watcher_invites_nobody_and_keeps_no_seat_from_anybody() -> None:
    desk = Desk()
    _, room = host_and_room(desk)
    eve, accomplice = desk.peer("eve"), desk.peer("mallory")
    eve.join(room, watch=True)
    assert eve.refused("invite", room=room, seat=1, player=accomplice.player) == "forbidden"
    assert desk.peer("bob").join(room)["seat"] == 1


def test_a_bot_is_not_invited_by_a_watcher_either() -> None:
    desk = Desk()
    _, room = host_and_room(desk)
    desk.bot("rob", "tic-tac-toe:hard")
    eve = desk.peer("eve")
    eve.join(room, watch=True)
    assert eve.refused("invite", room=room, seat=1, bot="tic-tac-toe:hard") == "forbidden"


def test_who_opened_a_table_to_watch_invites_all_who_play() -> None:
    desk = Desk()
    ann, bob, cat = desk.peer("ann"), desk.peer("bob"), desk.peer("cat")
    room = ann.create(seat=None)
    for seat, guest in enumerate((bob, cat)):
        ann.ask("invite", room=room, seat=seat, player=guest.player)
        assert guest.join(room, invite=asked(guest)["invite"])["seat"] == seat


def test_a_person_has_one_invitation_at_a_time_from_another() -> None:
    desk = Desk(invite_ms=500)
    ann, bob, cat = desk.peer("ann"), desk.peer("bob"), desk.peer("cat")
    ann.ask("invite", room=ann.create(), seat=1, player=bob.player)
    second = ann.create()
    refusal = ann.ask("invite", room=second, seat=1, player=bob.player)
    assert (refusal["code"], refusal["retryAfterMs"]) == ("rateLimited", 500)
    [first] = bob.of("invited")
    assert ann.ask("invite", room=second, seat=1, player=cat.player)["type"] == "ok"
    bob.ask("decline", invite=first["invite"])
    assert ann.ask("invite", room=ann.create(), seat=1, player=bob.player)["type"] == "ok"


def test_only_so_many_invitations_to_one_person_are_open_whoever_they_are_from() -> None:
    desk = Desk(invitations_to=3, invite_ms=500)
    bob = desk.peer("bob")
    hosts = [desk.peer("ann") for _ in range(4)]
    for host in hosts[:3]:
        assert host.ask("invite", room=host.create(), seat=1, player=bob.player)["type"] == "ok"
    room = hosts[3].create()
    refusal = hosts[3].ask("invite", room=room, seat=1, player=bob.player)
    assert (refusal["code"], refusal["retryAfterMs"]) == ("rateLimited", 500)
    desk.tick(500)
    assert hosts[3].ask("invite", room=room, seat=1, player=bob.player)["type"] == "ok"


def test_closing_the_table_makes_no_place_for_more_invitations() -> None:
    """A room that is opened, brings an invitation and is closed again, over and over."""
    desk = Desk(invitations=Rate(4_000, 3))
    eve, bob = desk.peer("eve"), desk.peer("bob")
    answers = []
    for _ in range(5):
        room = eve.create()
        answers.append(eve.ask("invite", room=room, seat=1, player=bob.player))
        eve.ask("leave", room=room)
    assert [answer.get("code") for answer in answers] == [None, None, None, "rateLimited", "rateLimited"]
    assert len(bob.of("invited")) == 3
    assert 3_900 < answers[4]["retryAfterMs"] < 4_100


def test_what_was_refused_for_another_reason_was_no_invitation() -> None:
    desk = Desk(invitations=Rate(4_000, 1))
    ann, room = host_and_room(desk)
    for _ in range(5):
        assert ann.refused("invite", room=room, seat=1, bot="tic-tac-toe:hard") == "botUnavailable"
    assert ann.ask("invite", room=room, seat=1, player=desk.peer("bob").player)["type"] == "ok"


# Which bot


@pytest.mark.parametrize("spec", ["tic-tac-toe:perfect", "connect-four:hard", "tic-tac-toe", "hard", ""])
def test_what_no_bot_offers_cannot_be_invited(spec: str) -> None:
    desk = Desk()
    ann, room = host_and_room(desk)
    desk.bot("rob", "tic-tac-toe:hard", "connect-four:hard")
    assert ann.refused("invite", room=room, seat=1, bot=spec) == "botUnavailable"


def test_the_least_busy_bot_is_asked() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    small = desk.bot("small", "tic-tac-toe:hard", capacity=2)
    large = desk.bot("large", "tic-tac-toe:hard", capacity=4)
    was_asked = []
    for _ in range(6):
        room = ann.create()
        ann.ask("invite", room=room, seat=1, bot="tic-tac-toe:hard")
        for bot in (small, large):
            for invited in bot.of("invited"):
                bot.join(room, invite=invited["invite"])
                was_asked.append(bot.name)
                bot.seen.clear()
    assert sorted(was_asked) == ["large"] * 4 + ["small"] * 2
    assert was_asked[-1] == "large" or was_asked[-2] == "large", (
        "shared by how busy they are, not one after the other"
    )
    assert ann.refused("invite", room=ann.create(), seat=1, bot="tic-tac-toe:hard") == "botUnavailable"


def test_open_invitations_count_as_games() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    desk.bot("rob", "tic-tac-toe:hard", capacity=1)
    ann.ask("invite", room=ann.create(), seat=1, bot="tic-tac-toe:hard")
    assert ann.refused("invite", room=ann.create(), seat=1, bot="tic-tac-toe:hard") == "botUnavailable"


def test_a_bot_that_has_finished_can_be_invited_again() -> None:
    desk = Desk()
    ann, room = host_and_room(desk)
    bot = desk.bot("rob", "tic-tac-toe:hard", capacity=1)
    ann.ask("invite", room=room, seat=1, bot="tic-tac-toe:hard")
    bot.join(room, invite=asked(bot)["invite"])
    ann.ask("resign", room=room, seat=0)
    bot.ask("leave", room=room)
    again = ann.create()
    ann.ask("invite", room=again, seat=1, bot="tic-tac-toe:hard")
    assert bot.join(again, invite=asked(bot)["invite"])["seat"] == 1


def test_a_bot_that_is_away_is_not_asked() -> None:
    desk = Desk()
    ann, room = host_and_room(desk)
    desk.drop(desk.bot("rob", "tic-tac-toe:hard"))
    assert ann.refused("invite", room=room, seat=1, bot="tic-tac-toe:hard") == "botUnavailable"


def test_one_bot_may_take_two_seats_at_two_levels() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    bot = desk.bot("rob", "tic-tac-toe:easy", "tic-tac-toe:hard", capacity=2)
    room = ann.create(seat=None, subscribe=MEMBERS)
    for seat, level in enumerate(("easy", "hard")):
        ann.ask("invite", room=room, seat=seat, bot=f"tic-tac-toe:{level}")
        bot.join(room, invite=asked(bot)["invite"])
    assert [shown and shown["level"] for shown in desk.room(room).seated] == [
        "tic-tac-toe:easy",
        "tic-tac-toe:hard",
    ]
    assert [turn["seat"] for turn in bot.turns] == [0, 1]


# Bots that are claimed, and bots of the host


def comes_to(desk: Desk, *bots: Peer) -> Peer | None:
    """Which of the bots is asked when a person asks for one; only house bots come."""
    ann = desk.peer("ann")
    room = ann.create()
    assert ann.ask("invite", room=room, seat=1, bot="tic-tac-toe:random")["type"] == "ok"
    found = None
    for bot in bots:
        for invited in bot.of("invited"):
            found = bot
            if bot.name == "house":
                bot.join(room, invite=invited["invite"])
        bot.seen.clear()
    return found


def test_the_hosts_own_bots_are_asked_first_whatever_strangers_claim() -> None:
    """Two guests who say that they play a thousand games at once, and never answer."""
    desk = Desk()
    strangers = [desk.bot("rob", "tic-tac-toe:random", capacity=1_000) for _ in range(2)]
    house = desk.house("tic-tac-toe:random")
    assert [comes_to(desk, house, *strangers) for _ in range(12)] == [house] * 12


def test_when_the_hosts_own_bots_are_busy_others_are_asked() -> None:
    desk = Desk()
    stranger = desk.bot("rob", "tic-tac-toe:random")
    house = desk.house("tic-tac-toe:random", capacity=1)
    assert [comes_to(desk, house, stranger) for _ in range(2)] == [house, stranger]


@pytest.mark.parametrize("how", ["lets it run out", "goes away and comes back", "says no"])
def test_a_bot_of_whose_invitation_nothing_came_is_asked_last(how: str) -> None:
    desk = Desk(bot_invite_ms=100)
    empty = desk.bot("rob", "tic-tac-toe:random", capacity=1_000)
    ann = desk.peer("ann")
    room = ann.create()
    ann.ask("invite", room=room, seat=1, bot="tic-tac-toe:random")
    if how == "says no":
        empty.ask("decline", invite=asked(empty)["invite"])
    elif how == "lets it run out":
        desk.tick(100)
    else:
        desk.drop(empty)
        card = {"brains": [{"game": "tic-tac-toe", "levels": ["random"]}], "capacity": 1_000}
        empty = desk.peer(None, token=empty.token, bot=card)
    empty.seen.clear()
    busy = desk.bot("rod", "tic-tac-toe:random", capacity=2)
    busy.create()
    ann.ask("invite", room=room, seat=1, bot="tic-tac-toe:random")
    assert len(busy.of("invited")) == 1
    assert empty.of("invited") == []


def test_a_bot_that_comes_is_asked_like_the_others_again() -> None:
    desk = Desk(bot_invite_ms=100)
    ann = desk.peer("ann")
    late = desk.bot("rob", "tic-tac-toe:random", capacity=9)
    for comes in (False, True):
        room = ann.create()
        ann.ask("invite", room=room, seat=1, bot="tic-tac-toe:random")
        [invited] = late.of("invited")
        if comes:
            late.join(room, invite=invited["invite"])
        desk.tick(100)
        late.seen.clear()
    busy = desk.bot("rod", "tic-tac-toe:random", capacity=2)
    busy.create()
    ann.ask("invite", room=ann.create(), seat=1, bot="tic-tac-toe:random")
    assert [len(bot.of("invited")) for bot in (late, busy)] == [1, 0]


def test_the_hosts_own_bots_that_came_anew_are_asked_first_again() -> None:
    desk = Desk(bot_invite_ms=100)
    ann = desk.peer("ann")
    hung = desk.house("tic-tac-toe:random")
    ann.ask("invite", room=ann.create(), seat=1, bot="tic-tac-toe:random")
    desk.tick(100)
    hung.seen.clear()
    stranger = desk.bot("rob", "tic-tac-toe:random")
    assert comes_to(desk, stranger, hung) == stranger
    desk.drop(hung)
    card = {"brains": [{"game": "tic-tac-toe", "levels": ["random"]}], "capacity": 50}
    house = desk.peer(None, token=hung.token, bot=card, hostKey=HOST_KEY)
    desk.tick(100)
    assert comes_to(desk, house, stranger) == house
