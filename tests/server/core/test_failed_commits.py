"""What could not be saved leaves no trace: for each message, in each of a dozen states.

After a failed commit everything is as before; the same command sent again is carried out, and repeated once
more it gets the first answer; and what is durable then is all that a restart needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from generate.examples import CLIENT_EXAMPLES
from tablero_protocol.codes import Close
from tablero_server.core.meeting.pairing import Pairing
from tablero_server.core.meeting.ratings import RatingBook
from tablero_server.core.people.session import Account
from tablero_server.core.people.tokens import Tokens
from tablero_server.core.seats.rooms import Rooms
from tests.harness.desk import Desk, Peer

ALL = ["nextPlayer", "chat", "members", "offers"]
RATED = {"base": 300, "increment": 5}
NEW = "zed"
MESSAGES = [example for example in CLIENT_EXAMPLES if example["type"] != "hello"]
State = Callable[[Desk], tuple[Peer, dict[str, Any]]]


def _playing(desk: Desk, *moves: str, **fields: Any) -> tuple[Peer, Peer, str]:
    ann, bob, room = desk.pair(subscribe=ALL, **fields)
    for number, move in enumerate(moves):
        (ann, bob)[number % 2].play(room, move)
    return ann, bob, room


def alone(desk: Desk) -> tuple[Peer, dict[str, Any]]:
    desk.peer("bob")
    return desk.peer("ann"), {}


def at_an_own_table(desk: Desk) -> tuple[Peer, dict[str, Any]]:
    ann = desk.peer("ann")
    return ann, {"room": ann.create(subscribe=ALL), "seat": 1, "player": desk.peer("bob").player}


def at_a_table_for_three(desk: Desk) -> tuple[Peer, dict[str, Any]]:
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create("minesweeper", seats=3, options={"mode": "race"}, subscribe=ALL)
    bob.join(room, seat=2)
    return ann, {"room": room, "seat": 2, "seats": [0, 2], "options": {"mode": "race", "level": "beginner"}}


def invited(desk: Desk) -> tuple[Peer, dict[str, Any]]:
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = bob.create()
    bob.ask("invite", room=room, seat=1, player=ann.player)
    [invitation] = desk.hub.invitations.to(ann.player)
    return ann, {"room": room, "invite": invitation.id, "seat": 1, "player": bob.player, "what": "all"}


def playing(desk: Desk) -> tuple[Peer, dict[str, Any]]:
    ann, bob, room = _playing(desk, "a1", "b1", clock=RATED)
    return ann, {"room": room, "ply": 2, "move": "c1", "player": bob.player, "what": "takeback"}


def before_the_last_move_of_a_rated_game(desk: Desk) -> tuple[Peer, dict[str, Any]]:
    """It is the second of these two, so there are ratings to go back to."""
    ann, bob, room = _playing(desk, "a1", "a2", "b1", "b2", "c1", rated=True, clock=RATED)
    for seat, peer in enumerate((ann, bob)):
        peer.ask("offer", room=room, seat=seat, what="rematch")
    room = desk.room(room).next or ""
    for move, peer in zip(("a1", "a2", "b1", "b2"), (bob, ann, bob, ann), strict=True):
        peer.play(room, move)
    return bob, {"room": room, "ply": 4, "move": "c1"}


def offered_a_draw(desk: Desk) -> tuple[Peer, dict[str, Any]]:
    ann, bob, room = _playing(desk, "a1", "b1")
    offer = bob.ask("offer", room=room, seat=1, what="draw")["offer"]
    return ann, {"room": room, "offer": offer, "yes": True, "what": "draw", "ply": 2, "move": "c1"}


def offered_a_takeback(desk: Desk) -> tuple[Peer, dict[str, Any]]:
    ann, bob, room = _playing(desk, "a1", "b1", clock=RATED)
    offer = bob.ask("offer", room=room, seat=1, what="takeback")["offer"]
    return ann, {"room": room, "offer": offer, "yes": True, "what": "pause"}


def after_the_end(desk: Desk) -> tuple[Peer, dict[str, Any]]:
    ann, bob, room = _playing(desk, "a1", "a2", "b1", "b2", "c1")
    offer = bob.ask("offer", room=room, seat=1, what="rematch")["offer"]
    return ann, {"room": room, "offer": offer, "yes": True, "what": "rematch"}


def sought(desk: Desk) -> tuple[Peer, dict[str, Any]]:
    """Bob seeks what Ann does, and Ann seeks something else."""
    ann, bob = desk.peer("ann"), desk.peer("bob")
    [seek] = [each for each in MESSAGES if each["type"] == "seek"]
    bob.ask(**{key: value for key, value in seek.items() if key != "id"})
    return ann, {"seek": ann.ask("seek", game="quoridor")["seek"]}


def watching(desk: Desk) -> tuple[Peer, dict[str, Any]]:
    _, bob, room = _playing(desk, "a1")
    eve = desk.peer("eve")
    eve.join(room, watch=True, subscribe=ALL)
    return eve, {"room": room, "player": bob.player, "what": "all"}


def with_two_devices(desk: Desk) -> tuple[Peer, dict[str, Any]]:
    ann, bob, room = _playing(desk)
    phone = desk.peer(None, handOver=ann.ask("handOver")["code"])
    ann.ask("mute", player=bob.player, what="chat")
    token = next(each["id"] for each in ann.ask("listTokens")["tokens"] if not each["here"])
    assert phone.player == ann.player
    return ann, {"room": room, "token": token, "player": bob.player, "what": "none", "ply": 0, "move": "b2"}


def in_a_race(desk: Desk) -> tuple[Peer, dict[str, Any]]:
    ann = desk.peer("ann")
    room = ann.create("minesweeper", options={"level": "beginner"}, subscribe=ALL)
    return ann, {"room": room, "ply": 0, "move": "dig a1"}


STATES: list[State] = [
    alone, at_an_own_table, at_a_table_for_three, invited, playing, before_the_last_move_of_a_rated_game,
    offered_a_draw, offered_a_takeback, after_the_end, sought, watching, with_two_devices, in_a_race,
]  # fmt: skip


def commands(known: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An example of each message, about what there is in this state."""
    for example in MESSAGES:
        given = {key: value for key, value in example.items() if key != "id"}
        for key, value in {"seat": 0, **known}.items():
            allowed = isinstance(value, type(given.get(key))) and not (
                key == "what" and _other_words(given["type"], value or "")
            )
            if allowed or (given["type"] == "join" and key in ("invite", "seat") and "invite" in known):
                given[key] = value
        yield given


def _other_words(type: str, what: str) -> bool:
    mutes = what in ("all", "chat", "none")
    return mutes != (type == "mute") or (type == "claim" and what != "draw")


def traces(state: State) -> list[str]:
    """The messages that leave one, or are not carried out when they are sent again."""
    found: list[str] = []
    desk = Desk()
    _, known = state(desk)
    for given in commands(known):
        desk = Desk()
        who, _ = state(desk)
        type, fields = given["type"], {key: value for key, value in given.items() if key != "type"}
        before = desk.everything()
        desk.failing = True
        answer = who.ask(type, "again", **fields)
        desk.failing = False
        if answer.get("reason") != "notSaved":
            continue  # nothing in it had to be saved
        after = desk.everything()
        # Who was sent away in vain comes back: everything is as it was.
        before["peers"] = {n: each for n, each in before["peers"].items() if desk.peers[n].closed is None}
        if other := [what for what in before if after[what] != before[what]]:
            found.append(f"{type}: {other} are not as before")
            continue
        first = who.ask(type, "again", **fields)
        if first["type"] == "refused":
            found.append(f"{type}: {first}")
            continue
        repeated = who.ask(type, "again", **fields)
        if {**repeated, "seq": 0} != {**first, "seq": 0} and type != "join":
            found.append(f"{type}: {repeated} after {first}")
        durable = desk.durable()
        desk.restart()
        if desk.durable() != durable:
            found.append(f"{type}: a restart does not bring it back")
    return found


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_no_message_leaves_a_trace_that_could_not_be_saved(state: State) -> None:
    assert traces(state) == []


def test_a_rename_a_newcomer_and_a_handed_over_device_leave_none() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    code = ann.ask("handOver")["code"]
    for hello in ({"name": NEW}, {"handOver": code}, {"token": ann.token, "name": NEW}):
        before = desk.everything()
        desk.failing = True
        stranger = desk.connect()
        assert stranger.refused("hello", protocol=1, client="test", **hello) == "retryLater"
        assert stranger.closed == Close.NOT_SAVED, "it comes back rather than to say hello twice"
        desk.failing = False
        desk.hub.dropped(stranger.number, desk.now)
        for session in [*desk.hub.accounts.sessions.values()]:
            if session.peer is None:
                desk.hub.entrance.forget(session)
        assert desk.everything() == before, hello
    assert desk.peer(NEW).name == NEW, "and nobody else has that name"


PLANTED: dict[str, tuple[type, str, Callable[..., None], State]] = {
    "a rating stays": (RatingBook, "_take_back", lambda *given: None, before_the_last_move_of_a_rated_game),
    "a seek is gone": (Pairing, "_seek_again", lambda *given: None, sought),
    "a token is gone": (Tokens, "_good_again", lambda *given: None, with_two_devices),
    "a mute stays": (Account, "set_muted", lambda *given: None, with_two_devices),
    "a table stays closed": (Rooms, "_open_again", lambda *given: None, at_an_own_table),
    "who left does not see the room": (Rooms, "_see_again", lambda *given: None, watching),
}


@pytest.mark.parametrize("mistake", PLANTED)
def test_a_mistake_in_undoing_is_found(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, wrong, state = PLANTED[mistake]
    monkeypatch.setattr(where, name, wrong)
    assert _fails(lambda: traces(state))


def _fails(traced: Callable[[], list[str]]) -> bool:
    try:
        return traced() != []
    except (AssertionError, KeyError):  # the desk itself has seen it, or the roll-back
        return True
