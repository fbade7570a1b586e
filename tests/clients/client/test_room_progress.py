"""RoomProgress: what of a room is news. Subscriptions: what of it the server is asked to send."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest

from tablero.client.commands import PendingCommands
from tablero.client.room_progress import RoomMessage, RoomProgress, Subscriptions
from tablero_protocol.messages import Joined, NextPlayer, Snapshot, Table
from tests.harness.rig import ANA, BEN, HARD, Json, joined, message, table, turn


def new_track(*seats: Json | None, seq: int = 5, wanted: bool = True) -> RoomProgress:
    arrival = cast("Joined", joined(*(seats or (ANA, BEN)), seq=seq))
    assert arrival.table is not None
    progress = RoomProgress("r1", "e1", seq, arrival.table, "ana")
    if wanted:
        progress.wanted.add("nextPlayer")
    return progress


def told(seq: int, text: str = "hi") -> RoomMessage:
    return cast("RoomMessage", message(type="said", room="r1", seq=seq, player=BEN, text=text))


@pytest.mark.parametrize(
    ("seq", "news", "after", "behind"),
    [
        pytest.param(4, False, 5, False, id="an old one is dropped"),
        pytest.param(5, False, 5, False, id="the last one again is dropped"),
        pytest.param(6, True, 6, False, id="the next one is news"),
        pytest.param(7, False, 5, True, id="one beyond the next is a gap"),
    ],
)
def test_an_event_is_news_if_it_is_the_next(seq: int, news: bool, after: int, behind: bool) -> None:
    progress = new_track()
    assert progress.hear_event(told(seq)) is news
    assert (progress.seq, progress.behind) == (after, behind)


def test_a_bare_number_counts_but_is_no_news() -> None:
    progress = new_track()
    assert not progress.hear_event(cast("RoomMessage", message(type="seq", room="r1", seq=6)))
    assert progress.seq == 6


def test_each_held_seat_hears_its_own_turn_of_the_same_seq() -> None:
    progress = new_track(ANA, ANA)
    first, second = (cast("NextPlayer", turn(6, seat=seat)) for seat in (0, 1))
    assert progress.hear_event(first)
    assert progress.hear_event(second)
    assert not progress.hear_event(second)
    assert progress.latest == {0: first, 1: second}


def test_the_current_turn_may_be_older_than_the_newest_number() -> None:
    progress = new_track(seq=9)
    assert progress.hear_event(cast("NextPlayer", turn(6)))
    assert (progress.seq, progress.behind) == (9, False)


def test_a_turn_that_nobody_waits_for_is_kept_but_no_news() -> None:
    progress = new_track(wanted=False)
    assert not progress.hear_event(cast("NextPlayer", turn(6)))
    assert progress.seq == 6
    assert progress.latest[0] == turn(6)


def test_who_subscribes_again_hears_the_current_turn_again() -> None:
    progress = new_track()
    progress.hear_event(cast("NextPlayer", turn(6)))
    progress.unwant("nextPlayer")
    progress.wanted.add("nextPlayer")
    assert progress.hear_event(cast("NextPlayer", turn(6)))


def test_a_turn_beyond_a_gap_waits_for_the_resume() -> None:
    progress = new_track()
    assert not progress.hear_event(cast("NextPlayer", turn(7)))
    assert (progress.behind, progress.latest) == (True, {})


def snapshot(seq: int, epoch: str, *turns: NextPlayer) -> Snapshot:
    about = table(ANA, BEN, epoch=epoch)
    wire = [each.model_dump(by_alias=True, exclude_none=True) for each in turns]
    return cast(
        "Snapshot", message(type="snapshot", room="r1", epoch=epoch, seq=seq, table=about, turns=wire)
    )


def test_a_snapshot_brings_only_turns_that_are_news() -> None:
    progress = new_track()
    progress.hear_event(cast("NextPlayer", turn(6)))
    newer = cast("NextPlayer", turn(9, "0........"))
    assert progress.hear_snapshot(snapshot(8, "e1", cast("NextPlayer", turn(6)))) == []
    assert progress.hear_snapshot(snapshot(9, "e1", newer)) == [newer]
    assert (progress.seq, progress.behind) == (9, False)


def test_a_snapshot_of_another_lineage_starts_all_over() -> None:
    progress = new_track()
    progress.hear_event(cast("NextPlayer", turn(6)))
    older = cast("NextPlayer", turn(3))
    assert progress.hear_snapshot(snapshot(4, "e2", older)) == [older]
    assert (progress.seq, progress.epoch) == (4, "e2")


def test_the_table_follows_who_comes_and_goes() -> None:
    progress = new_track(ANA, None)
    progress.table = progress.table.model_copy(update={"state": "waiting"})
    progress.hear_event(cast("RoomMessage", message(type="joined", room="r1", seq=6, player=HARD, seat=1)))
    assert progress.table.seats[1] is not None
    assert [member.player.id for member in progress.table.members] == ["ana", "house"]
    progress.hear_event(
        cast("RoomMessage", message(type="left", room="r1", seq=7, player=HARD, reason="left"))
    )
    assert progress.table.seats[1] is None
    assert [member.player.id for member in progress.table.members] == ["ana"]


def test_a_seat_stays_its_players_when_they_leave_a_game_that_began() -> None:
    progress = new_track(ANA, BEN)
    progress.hear_event(
        cast("RoomMessage", message(type="left", room="r1", seq=6, player=BEN, reason="left"))
    )
    assert progress.table.seats[1] is not None
    assert progress.seats == [0]


def test_the_table_follows_what_becomes_of_it_before_its_game() -> None:
    progress = new_track()
    events: list[Json] = [
        {"type": "preparing"},
        {"type": "unprepared", "code": "noFieldFound", "message": "No."},
        {"type": "optionsSet", "options": {"mines": 3}},
        {"type": "preparing", "starts": 9_000},
        {"type": "left", "player": BEN, "reason": "left"},
    ]
    known: list[tuple[str, Json]] = []
    starts = []
    for seq, news in enumerate(events, start=6):
        assert progress.hear_event(cast("RoomMessage", message(room="r1", seq=seq, **news)))
        known.append((progress.table.state, progress.table.options))
        starts.append(progress.table.starts)
    states = ["preparing", "waiting", "waiting", "preparing", "waiting"]
    assert known == list(zip(states, [{}, {}, *[{"mines": 3}] * 3], strict=True))
    assert progress.table.seats[1] is None
    assert starts == [None, None, None, 9_000, None]


def test_the_table_follows_what_its_owner_settles() -> None:
    progress = new_track(ANA, BEN, None)
    progress.table = progress.table.model_copy(update={"state": "waiting", "owner": "ben"})

    def hear(seq: int, **news: object) -> list[str | None]:
        progress.hear_event(cast("RoomMessage", message(room="r1", seq=seq, **news)))
        return [None if each is None else each.id for each in progress.table.seats]

    assert hear(6, type="swapped", seats=[0, 2]) == [None, "ben", "ana"]
    assert progress.seats == [2]
    assert hear(7, type="began", seats=[1, 2]) == ["ben", "ana"]
    assert [member.seats for member in progress.table.members] == [[1], [0]]
    assert hear(8, type="freed", seat=0, player=BEN) == [None, "ana"]
    hear(9, type="optionsSet", options={}, clock={"base": 60}, watchers=False)
    assert (progress.table.clock and progress.table.clock.base, progress.table.watchers) == (60, False)
    hear(10, type="left", player=BEN, reason="left", owner="ana")
    assert progress.table.owner == "ana"


def test_what_the_table_has_already_does_not_happen_to_it_again() -> None:
    """As after a join in a new session, which brings the table as it is now, and a resume from long ago."""
    progress = new_track(ANA, BEN, seq=5)
    progress.table_seq = 6
    for seq in (6, 7):
        progress.hear_event(cast("RoomMessage", message(type="swapped", room="r1", seq=seq, seats=[0, 1])))
        held = [player and player.id for player in progress.table.seats]
        assert held == (["ana", "ben"] if seq == 6 else ["ben", "ana"])


class Desk:
    def __init__(self) -> None:
        self.commands = PendingCommands(Random(1))
        self.subscriptions = Subscriptions(self.commands)
        at = Table.model_validate(table(ANA, BEN), by_alias=True, by_name=False)
        self.progress = RoomProgress("r1", "e1", 1, at, "ana")

    def asked(self) -> list[tuple[str, str]]:
        return [(wire["type"], wire["event"]) for wire in self.commands.due(0)]


def test_what_the_server_sends_already_is_not_asked_for() -> None:
    desk = Desk()
    desk.progress.sent.add("chat")
    desk.subscriptions.want(desk.progress, "chat", 0)
    desk.subscriptions.want(desk.progress, "members", 0)
    assert desk.asked() == [("subscribe", "members")]


def test_of_what_is_wanted_and_not_only_the_newest_word_goes_out() -> None:
    desk = Desk()
    desk.subscriptions.want(desk.progress, "chat", 0)
    desk.subscriptions.unwant(desk.progress, "chat", 0)
    assert desk.asked() == [("unsubscribe", "chat")]


def test_a_returned_session_asks_for_all_that_is_wanted() -> None:
    desk = Desk()
    desk.progress.sent.add("chat")
    desk.progress.wanted.update({"chat", "offers"})
    desk.subscriptions.resumed(desk.progress, 0)
    assert desk.asked() == [("subscribe", "chat"), ("subscribe", "offers")]


def test_a_join_is_said_to_send_what_it_named_and_somebody_still_wants() -> None:
    desk = Desk()
    desk.progress.wanted.add("chat")
    desk.subscriptions.joined(desk.progress, {"chat", "offers"})
    assert desk.progress.sent == {"chat"}


def test_a_new_join_asks_anew_for_what_it_did_not_name() -> None:
    desk = Desk()
    desk.progress.wanted.update({"chat", "members"})
    desk.progress.sent.update({"chat", "members"})
    desk.subscriptions.joined_again(desk.progress, {"members"}, 0)
    assert desk.progress.sent == {"members"}
    assert desk.asked() == [("subscribe", "chat")]
