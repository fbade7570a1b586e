"""What each viewer of a room sees of it: events by subscription, the position by seat, and nothing else."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from tablero_games import GAMES
from tablero_protocol.messages import EVENTS
from tablero_server.core.effects import Effects
from tablero_server.core.entry import Entry, Kind
from tablero_server.core.people.session import Account, Session
from tablero_server.core.room.room import Room
from tablero_server.core.seats.views import EVENT_OF, Viewer, Views
from tests.harness.games.examples import EXAMPLES
from tests.harness.room import ANN, BOB, begun, cause, new_room


def viewer_of(views: Views, player: str, *seats: int, events: tuple[str, ...] = ("nextPlayer",)) -> Viewer:
    session = Session(f"s-{player}", Account(player, player, False, 0))
    viewer = Viewer(session, 0, set(seats), set(events))
    views.viewers[session.id] = viewer
    return viewer


def said(room: Room, player: dict[str, Any] = ANN) -> Entry:
    entries: list[Entry] = []
    room.say(cause(player, f"say-{room.head}"), "hm", 30, entries.append)
    return entries[-1]


def test_every_kind_of_entry_needs_one_subscription_or_none() -> None:
    assert EVENT_OF.keys() == set(get_args(Kind))
    assert set(EVENT_OF.values()) == {*EVENTS, None}


def test_a_game_without_a_browser_board_is_sent_with_a_drawing_of_each_ones_own_view(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    [game] = (each for each in EXAMPLES if each.hidden)
    monkeypatch.setitem(GAMES, game.name, game)
    views = Views(begun(game.name))
    for at, (seat, move) in enumerate([(0, "a1h"), (1, "b3v")]):
        views.room.play_turn(cause((ANN, BOB)[seat], f"turn{at}"), seat, 0, move, 30)
    viewers = [viewer_of(views, "ann", 0), viewer_of(views, "bob", 1), viewer_of(views, "eve")]
    position = views.room.play.position if views.room.play else None
    assert position is not None
    drawings = [message["drawing"] for viewer in viewers for message in views.next_player(viewer)]
    assert drawings == [game.draw(position.view(seat), "ascii") for seat in (0, 1, None)]
    assert len(set(drawings)) == 3


def test_a_game_with_a_browser_board_is_sent_without_a_drawing() -> None:
    views = Views(begun())
    [message] = views.next_player(viewer_of(views, "ann", 0))
    assert "drawing" not in message


def test_the_holder_of_a_seat_is_whoever_plays_it_until_it_is_free() -> None:
    views = Views(begun())
    ann = viewer_of(views, "ann", 0)
    assert views.holder(0) is ann
    assert views.holder(1) is None
    views.free(0)
    views.free(1)
    assert views.holder(0) is None


@pytest.mark.parametrize(("events", "type"), [(("chat",), "said"), (("nextPlayer", "members"), "seq")])
def test_an_event_goes_to_who_subscribed_and_its_number_to_the_others(
    events: tuple[str, ...], type: str
) -> None:
    views = Views(begun())
    ann = viewer_of(views, "ann", 0, events=events)
    entry = said(views.room, BOB)
    [message] = views.messages_for(entry, ann, None)
    assert (message["type"], message["seq"]) == (type, entry.seq)


def test_its_author_is_answered_by_the_event_or_by_ok() -> None:
    views = Views(begun())
    hears, does_not = viewer_of(views, "ann", 0, events=("chat",)), viewer_of(views, "bob", 1, events=())
    entry = said(views.room)
    assert [views.answer(entry, each, "id-1")["type"] for each in (hears, does_not)] == ["said", "ok"]
    assert views.answer(entry, hears, "id-1")["re"] == "id-1"


def test_a_position_is_shown_once_for_each_seat_and_once_to_who_has_none() -> None:
    views = Views(begun())
    both, watcher = viewer_of(views, "ann", 0, 1), viewer_of(views, "carol")
    assert [each["seat"] for each in views.next_player(both)] == [0, 1]
    [shown] = views.next_player(watcher)
    assert "seat" not in shown
    assert Views(new_room()).next_player(watcher) == []


def test_the_answer_goes_with_the_seat_that_moved() -> None:
    views = Views(begun())
    both = viewer_of(views, "ann", 0, 1)
    assert [each.get("re") for each in views.next_player(both, "id-1", by=1)] == [None, "id-1"]
    assert [each.get("re") for each in views.next_player(both, "id-1", by=None)] == ["id-1", None]


def test_legal_moves_are_for_the_seat_to_move_of_who_asked() -> None:
    views = Views(begun())
    both = viewer_of(views, "ann", 0, 1)
    assert all("legalMoves" not in each for each in views.next_player(both))
    both.legal_moves = True
    assert [len(each.get("legalMoves", ())) for each in views.next_player(both)] == [9, 0]


def test_what_many_see_alike_is_made_once() -> None:
    views = Views(begun())
    first, second = viewer_of(views, "carol"), viewer_of(views, "dora")
    assert views.next_player(first)[0] is views.next_player(second)[0]
    before = views.next_player(first)[0]
    views.room.play_turn(cause(ANN, "turn"), 0, 0, "b2", 30)
    assert views.next_player(first)[0] is not before


def test_only_what_is_no_longer_so_needs_the_past() -> None:
    views = Views(begun())
    ann, counting = viewer_of(views, "ann", 0), viewer_of(views, "bob", 1, events=())
    started = views.room.log[-1]
    assert not views.needs_past(started, ann)
    entry = said(views.room)
    assert not views.needs_past(entry, ann)
    assert not views.needs_past(started, ann)
    views.room.play_turn(cause(ANN, "turn"), 0, 0, "b2", 30)
    assert views.needs_past(started, ann)
    assert not views.needs_past(started, counting)


def test_what_was_missed_is_told_as_it_was_then() -> None:
    views = Views(begun())
    ann = viewer_of(views, "ann", 0)
    start = views.room.head
    for ply, move in enumerate(["b2", "a1", "c3"]):
        views.room.play_turn(cause((ANN, BOB)[ply % 2], move), ply % 2, ply, move, 30)
    told = views.told(views.room.log[start + 1 :], ann)
    assert [each["ply"] for each in told] == [1, 2, 3]
    assert [each["last"]["move"] for each in told] == ["b2", "a1", "c3"]
    assert told[-1] == views.next_player(ann)[0]


def test_a_snapshot_has_the_table_and_the_position_of_each_seat() -> None:
    views = Views(begun())
    snapshot = views.snapshot(viewer_of(views, "ann", 0, 1), "id-1")
    assert (snapshot["seq"], snapshot["re"], snapshot["epoch"]) == (views.room.head, "id-1", "e")
    assert [each["seat"] for each in snapshot["turns"]] == [0, 1]
    assert [each["name"] for each in snapshot["table"]["seats"]] == ["ann", "bob"]


def test_what_no_log_enters_reaches_who_subscribed() -> None:
    views, effects = Views(begun()), Effects()
    here = viewer_of(views, "ann", 0, events=("members",))
    viewer_of(views, "bob", 1, events=("chat",)).session.peer = 2
    here.session.peer = 1
    views.tell("members", {"type": "back"}, effects)
    assert effects.messages == [(1, {"type": "back"})]
