"""A room of the past is the fold of its log up to there; however long that is, little of it is applied."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any, get_args

import pytest

from tablero_games import GAMES, Play
from tablero_protocol.messages import CLIENT_MESSAGE, Resume
from tablero_server.core.entry import Cause, Entry, Kind
from tablero_server.core.limits.limits import Limits, Rate
from tablero_server.core.limits.rate_limits import RateLimits
from tablero_server.core.people.session import Account, Session
from tablero_server.core.refusal import Message, Refusal
from tablero_server.core.room import room as folded_room
from tablero_server.core.room.replay import before, replay
from tablero_server.core.room.room import MARK_EVERY, Room, agreed_to_rematch
from tablero_server.core.room.setup import Plan, options_json
from tablero_server.core.room.state import CLOSED, PREPARING, WAITING
from tablero_server.core.seats.resume import Missed
from tablero_server.core.seats.views import Viewer, Views
from tablero_server.journal.roll_back import roll_back
from tests.harness.desk import Desk, Peer
from tests.harness.tiers import FULL

# The same as a fold of the whole log, after every entry

PEOPLE: list[Message] = [{"id": name, "name": name, "bot": False} for name in ("ann", "bob", "cat")]
TABLES: dict[str, tuple[str, int, Message]] = {
    "tic-tac-toe": ("tic-tac-toe", 2, {}),
    "connect-four": ("connect-four", 2, {"columns": 4, "rows": 4}),
    "dots-and-boxes": ("dots-and-boxes", 2, {"rows": 2, "columns": 3}),
    "quoridor": ("quoridor", 2, {"size": 5, "walls": 3}),
    "minesweeper, a race": ("minesweeper", 3, {"width": 9, "height": 9, "mines": 5, "mode": "race"}),
    "minesweeper, without guesses": (
        "minesweeper",
        2,
        {"width": 9, "height": 9, "mines": 5, "mode": "race", "noGuess": True},
    ),
    "minesweeper, together": ("minesweeper", 2, {"width": 9, "height": 9, "mines": 5, "mode": "coop"}),
}
WEIGHTS = {"turn": 60, "say": 9, "offer": 12, "answer": 16, "come": 9, "go": 6, "resign": 0.3, "gone": 0.3,
           "wait": 2, "give_time": 1, "restart": 2, "rematch": 6, "all_go": 0.2}  # fmt: skip

RECORDS = 60
TABLES_EACH = 12 if FULL else 3
"""How many rooms of each kind are looked at."""
LARGE = Limits(replay_events=2 * RECORDS, replay_bytes=10_000_000)


def unheard(entry: Entry) -> None:
    """A listener that does not care."""


class Table:
    """A room in which anybody does anything, until it closes or has as many entries as it should."""

    def __init__(self, table: str, seed: int) -> None:
        self.random = random.Random(seed)
        game, seats, options = TABLES[table]
        rules = GAMES[game]
        clock = self.random.choice([None, {"base": 60, "increment": 2}])
        plan = Plan(
            rules, rules.read_options(options), seats, private=False, watchers=True, clock=clock, seed=seed
        )
        self.room = Room.create("r", plan, epoch="e", code=None, now=0, tell=unheard)
        self.now = self.count = 0

    def run(self, entries: int) -> Room:
        ann, bob, cat = PEOPLE
        for player, seat in ((ann, None), (cat, 0), (bob, 1), (ann, 0)):
            if cat["id"] in self.room.members:
                self.room.leave(self.cause(cat["id"]), cat["id"], "left", self.now, unheard)
            self.room.join(self.cause(player["id"]), player, seat, self.now, unheard)
            self.room.start_if_full(self.now, unheard)
        if self.room.state is WAITING:
            self.settle()
        if self.room.state is PREPARING:
            self.prepare()
        while len(self.room.log) < entries and self.room.state is not CLOSED:
            [what] = self.random.choices(list(WEIGHTS), list(WEIGHTS.values()))
            self.now += self.random.randrange(2_000)
            with suppress(Refusal):
                getattr(self, what)()
        return self.room

    def settle(self) -> None:
        """The owner puts somebody elsewhere, and begins without who has not come."""
        room, owner, bob = self.room, self.room.owner or "", PEOPLE[1]
        room.free(self.cause(owner), 1, self.now, unheard)
        room.join(self.cause(bob["id"]), bob, 2, self.now, unheard)
        room.swap_seats(self.cause(owner), [0, 1], self.now, unheard)
        room.swap_seats(self.cause(owner), [0, 1], self.now, unheard)
        room.begin(self.cause(owner), self.now, unheard)
        room.start_if_full(self.now, unheard)

    def prepare(self) -> None:
        """Once in vain, then with other options."""
        room = self.room
        room.has_found(None, self.now, unheard)
        others = room.game.read_options({**room.options_json, "mines": 4})
        given = options_json(others), room.clock_terms, room.lets_watch
        room.set_options(self.cause(room.owner or ""), *given, self.now, unheard)
        room.start_if_full(self.now, unheard)
        room.has_found(room.game.prepare(room.seed, others), self.now, unheard)

    def cause(self, player: str) -> Cause:
        self.count += 1
        return Cause(player, str(self.count), 0)

    def sitting(self) -> tuple[Cause, int]:
        seat = self.random.randrange(len(self.room.seats))
        return self.cause(self.room.seats[seat] or ""), seat

    def turn(self) -> None:
        room = self.room
        if room.play is not None and room.play.position.to_move:
            seat = self.random.choice(sorted(room.play.position.to_move))
            ply = room.play.expected_ply(seat) or 0
            move = self.random.choice(room.play.position.legal_moves(seat))
            room.play_turn(self.cause(room.seats[seat] or ""), seat, ply, move, self.now)

    def give_time(self) -> None:
        cause, seat = self.sitting()
        self.room.add_time(cause, seat, self.now, unheard)

    def say(self) -> None:
        player = self.random.choice(list(self.room.members))
        self.room.say(self.cause(player), "hello", self.now, unheard)

    def offer(self) -> None:
        what = self.random.choice(
            ["draw", "takeback", "takeback", "pause", "continue", "rematch", "rematch", "rematch"]
        )
        cause, seat = self.sitting()
        self.room.offer(cause, seat, what, f"offer-{self.count}", self.now, unheard)

    def answer(self) -> None:
        cause, seat = self.sitting()
        yes = self.random.random() < 0.6
        self.room.answer(cause, seat, next(iter(self.room.offers), "none"), yes, self.now, unheard)

    def come(self) -> None:
        shown = self.random.choice(PEOPLE)
        if shown["id"] not in self.room.members:
            self.room.join(self.cause(shown["id"]), shown, None, self.now, unheard)

    def go(self) -> None:
        player = self.random.choice(["ann", "bob", *["cat"] * 30])
        if player in self.room.members:
            self.room.leave(self.cause(player), player, "left", self.now, unheard)

    def all_go(self) -> None:
        for player in list(self.room.members):
            self.room.leave(self.cause(player), player, "left", self.now, unheard)

    def resign(self) -> None:
        self.room.resign(*self.sitting(), self.now, unheard)

    def gone(self) -> None:
        self.room.withdraw(self.random.randrange(len(self.room.seats)), "gone", self.now, unheard)

    def wait(self) -> None:
        self.now += self.random.choice([1_000, 10_000, 30_000])
        self.room.flag(self.now, unheard)

    def restart(self) -> None:
        self.room.revive(5_000, 0, self.now, unheard)
        self.room.go_on_as(f"e{self.count}", self.now, unheard)

    def rematch(self) -> None:
        if agreed_to_rematch(self.room):
            if self.random.random() < 0.5:
                self.room.rematched("next", self.now, unheard)
            else:
                self.room.call_off_rematch(self.now, unheard)


def viewers() -> list[Viewer]:
    """Who sees all there is from both seats, who sees one with its legal moves, and who only counts."""

    def viewer(name: str, seats: set[int], events: set[str], legal_moves: bool = False) -> Viewer:
        return Viewer(Session(name, Account(name, name, False, 0)), 0, seats, events, legal_moves)

    everything = {"nextPlayer", "chat", "members", "offers"}
    return [
        viewer("ann", {0, 1}, everything),
        viewer("bob", {1}, {"nextPlayer"}, True),
        viewer("cat", set(), set()),
    ]


def state_of(room: Room) -> Message:
    """Everything that a room is, but for how it is kept."""
    return {name: getattr(room, name) for name in Room.__slots__ if name not in ("log", "marks")}


def states_of(log: list[Entry]) -> list[Message]:
    """What a room was after each entry of its log, by a fold of all of it."""
    return [state_of(folded.copy()) for folded in Room.fold(log)]


@pytest.fixture(params=[1, 2, 7, 16])
def mark_every(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(folded_room, "MARK_EVERY", request.param)
    return int(request.param)


@pytest.mark.parametrize("table", TABLES)
def test_the_past_is_the_fold_of_the_log_up_to_there(table: str, mark_every: int) -> None:
    for seed in range(TABLES_EACH):
        room = Table(table, seed).run(RECORDS)
        states = states_of(room.log)
        assert len(room.log) // mark_every <= len(room.marks) <= len(room.log) // mark_every + 1
        for seq in random.Random(seed).sample(range(len(room.log)), len(room.log)):
            entry, past = next(replay(room, seq))
            assert (entry, state_of(past)) == (room.log[seq], states[seq])


@pytest.mark.parametrize("table", TABLES)
def test_a_room_goes_on_from_its_past_as_from_the_fold_of_the_log_up_to_there(
    table: str, mark_every: int
) -> None:
    for seed in range(4 if FULL else 1):
        room = Table(table, seed).run(RECORDS)
        states = states_of(room.log)
        marks = [[count for count, _ in each.marks] for each in Room.fold(room.log)]
        for seq in range(1, len(room.log)):
            past, log = before(room, seq), list(room.log)
            assert (past.log, state_of(past)) == (log[:seq], states[seq - 1])
            assert [count for count, _ in past.marks] == marks[seq - 1]
            past.apply(room.log[seq])
            assert state_of(past) == states[seq]
            assert room.log == log, "the room itself stays as it is"


@pytest.mark.parametrize("table", TABLES)
def test_what_was_missed_is_what_a_full_fold_shows(table: str, mark_every: int) -> None:
    for seed in range(mark_every, mark_every + (8 if FULL else 2)):
        room = Table(table, seed).run(RECORDS)
        for viewer in viewers():
            told = [Views(each).messages_for(each.log[-1], viewer, None) for each in Room.fold(room.log)]
            for seq in range(len(room.log)):
                asked = Resume(id="r", room=room.id, epoch=room.epoch, seq=seq)
                *missed, ok = Missed(RateLimits(LARGE), LARGE).since(Views(room), viewer, asked, 0)
                assert (missed, ok["seq"]) == (list(chain(*told[seq + 1 :])), room.head)


@pytest.mark.parametrize("table", TABLES)
def test_a_repeat_is_answered_as_a_full_fold_answers_it(table: str, mark_every: int) -> None:
    for seed in range(mark_every, mark_every + (8 if FULL else 2)):
        room = Table(table, seed).run(RECORDS)
        for viewer in viewers():
            for folded in Room.fold(room.log):
                if (cause := folded.log[-1].cause) is not None and cause.player == viewer.player:
                    first, re = folded.log[-1], cause.id
                    assert Views(room).answer(first, viewer, re) == Views(folded).answer(first, viewer, re)


def test_these_tables_see_everything_that_a_log_can_hold() -> None:
    kinds = {
        entry.kind for table in TABLES for seed in range(20) for entry in Table(table, seed).run(RECORDS).log
    }
    assert kinds == set(get_args(Kind))


def test_replaying_leaves_the_room_and_its_marks_alone(mark_every: int) -> None:
    room = Table("minesweeper, together", mark_every).run(RECORDS)
    marks = [mark for _, mark in room.marks]
    log, states = list(room.log), [state_of(each.copy()) for each in (room, *marks)]
    for seq in range(len(log)):
        list(replay(room, seq))
    assert room.log == log
    assert [state_of(each) for each in (room, *marks)] == states


# However long the log is


class Evening:
    """Ann and Bob at a table where one flags and unflags for hours."""

    def __init__(self, turns: int, **limits: Any) -> None:
        self.desk = Desk(**limits)
        options = {"width": 9, "height": 9, "mines": 10, "mode": "race"}
        self.ann, self.bob, self.id = self.desk.pair("minesweeper", seats=2, options=options)
        self.epoch = self.room.epoch
        assert self.room.position is not None
        self.cell = self.room.position.legal_moves(0)[0].split()[1]
        self.answers = [self.flags(ply) for ply in range(turns)]
        """What Ann heard first."""
        for peer in (self.ann, self.bob):
            peer.behind.add(self.id)
        for peer in (self.ann, self.bob):
            self.resume(peer, self.room.head)

    @property
    def room(self) -> Room:
        return self.desk.room(self.id)

    def turn(self, ply: int) -> Message:
        move = ("flag", "unflag")[ply % 2]
        return {"id": f"turn-{ply}", "room": self.id, "seat": 0, "ply": ply, "move": f"{move} {self.cell}"}

    def flags(self, ply: int) -> Message:
        """As by `ask`, but that the desk does not fold the whole log after each turn."""
        turn = CLIENT_MESSAGE.validate_python(
            {"type": "playTurn", **self.turn(ply)}, by_alias=True, by_name=False
        )
        effects = self.desk.hub.receive(self.ann.number, turn, self.desk.now)
        self.desk.journal[self.id] += effects.entries
        [answer] = [message for _, message in effects.messages if "re" in message]
        return answer

    def again(self, peer: Peer, ply: int) -> Message:
        return peer.ask("playTurn", **self.turn(ply))

    def stale(self, missed: int) -> Message:
        """What Ann hears who missed so many turns of her own and plays on."""
        assert self.room.play is not None
        ply = self.room.play.plies[0] - missed
        answer = self.ann.ask("playTurn", room=self.id, seat=0, ply=ply, move=self.turn(ply)["move"])
        assert answer["code"] == "stale"
        return answer

    def resume(self, peer: Peer, seq: int) -> Message:
        return peer.ask("resume", room=self.id, epoch=self.epoch, seq=seq)

    def close(self) -> None:
        for peer in (self.ann, self.bob):
            peer.ask("leave", room=self.id)


@pytest.fixture
def applied(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many entries have been applied to any room since this was last asked."""
    seqs: list[int] = []
    apply = Room.apply

    def counted(self: Room, entry: Entry, after: Play | None = None) -> None:
        seqs.append(entry.seq)
        apply(self, entry, after)

    def count() -> int:
        applied = len(seqs)
        seqs.clear()
        return applied

    monkeypatch.setattr(Room, "apply", counted)
    return count


LONG = 5_200 if FULL else 1_200


def test_no_command_applies_much_of_a_long_log(applied: Callable[[], int]) -> None:
    evening = Evening(LONG, replay_bytes=200_000)
    ann, bob, head = evening.ann, evening.bob, evening.room.head
    assert head > 4 * evening.desk.hub.limits.replay_events
    most = evening.desk.hub.limits.replay_events
    applied()
    for missed in (0, 1, most // 2, most):
        assert evening.resume(bob, head - missed)["type"] == "ok"
        assert len(bob.turns) == missed
        assert applied() < (missed + MARK_EVERY if missed > 1 else 1)
    assert evening.resume(bob, head - most - 1)["type"] == "snapshot"
    assert evening.resume(bob, 0)["type"] == "snapshot"
    assert applied() == 0
    for ply in (0, 1, MARK_EVERY - 5, MARK_EVERY, LONG // 2, LONG - 1):
        assert evening.again(ann, ply) == evening.answers[ply]
        assert applied() < MARK_EVERY
    for missed in (1, most // 2, most):
        stale = evening.stale(missed)
        assert [message["seq"] for message in stale["missed"]] == list(range(head - missed + 1, head + 1))
        assert applied() < (missed + MARK_EVERY if missed > 1 else 1)
    for missed in (most + 1, LONG):
        assert [message["type"] for message in evening.stale(missed)["missed"]] == ["snapshot"]
        assert applied() == 0


def test_what_could_not_be_saved_is_taken_back_from_the_nearest_mark(
    applied: Callable[[], int],
) -> None:
    evening = Evening(LONG)
    desk, head = evening.desk, evening.room.head
    fields = {"type": "say", "id": "lost", "room": evening.id, "text": "hm"}
    command = CLIENT_MESSAGE.validate_python(fields, by_alias=True, by_name=False)
    lost = desk.hub.receive(evening.ann.number, command, desk.now)
    applied()
    roll_back(desk.hub, [lost], desk.now)
    assert applied() < MARK_EVERY
    assert desk.room(evening.id).head == head


def test_a_repeat_gets_its_first_answer_from_wherever_in_a_long_log_it_is(applied: Callable[[], int]) -> None:
    evening = Evening(100)
    applied()
    for ply, answer in enumerate(evening.answers):
        assert evening.again(evening.ann, ply) == answer
        assert applied() < 32


@pytest.mark.parametrize("restarted", [False, True], ids=["at once", "after a restart"])
def test_nor_does_it_of_a_room_that_has_closed(restarted: bool, applied: Callable[[], int]) -> None:
    evening = Evening(LONG)
    evening.close()
    ann, desk = evening.ann, evening.desk
    if restarted:
        desk.restart()
        ann = desk.back(ann, same_session=False)
    applied()
    for ply in (0, MARK_EVERY, LONG - 1):
        assert evening.again(ann, ply)["seq"] == evening.answers[ply]["seq"]
        assert applied() < MARK_EVERY


def test_nor_of_one_that_is_back_after_a_restart_or_a_failed_commit(applied: Callable[[], int]) -> None:
    evening = Evening(LONG)
    desk = evening.desk
    desk.restart()
    ann, bob = (desk.back(peer) for peer in (evening.ann, evening.bob))
    for peer in (ann, bob):
        peer.join(evening.id)
    desk.failing = True
    assert ann.refused("say", room=evening.id, text="lost") == "retryLater"
    applied()
    head = evening.room.head
    assert len(evening.room.marks) == 1 + (head + 1) // MARK_EVERY
    assert evening.again(ann, LONG // 2) == evening.answers[LONG // 2]
    assert evening.resume(bob, head - 150)["type"] == "ok"
    assert len(bob.turns) == 150
    assert applied() < 150 + 2 * MARK_EVERY


class Read(list[Entry]):
    """A log that counts how many of its entries are read from its end on."""

    looked_at = 0

    def __reversed__(self) -> Iterator[Entry]:
        for entry in super().__reversed__():
            self.looked_at += 1
            yield entry


def test_a_turn_that_was_meant_for_long_ago_is_not_even_looked_for() -> None:
    evening = Evening(300)
    log = evening.room.log = Read(evening.room.log)
    evening.stale(missed=300)
    assert log.looked_at == 0
    evening.stale(missed=100)
    assert log.looked_at == 101


@pytest.mark.parametrize("missed", [20, 200])
def test_what_is_surely_too_large_is_not_replayed(missed: int, applied: Callable[[], int]) -> None:
    evening = Evening(250, replay_bytes=500)
    applied()
    assert evening.resume(evening.bob, evening.room.head - missed)["type"] == "snapshot"
    assert [message["type"] for message in evening.stale(missed)["missed"]] == ["snapshot"]
    assert applied() == 0


def test_whoever_only_counts_is_told_of_any_number_of_turns_without_a_replay(
    applied: Callable[[], int],
) -> None:
    evening = Evening(100)
    evening.bob.ask("unsubscribe", room=evening.id, event="nextPlayer")
    applied()
    assert evening.resume(evening.bob, evening.room.head - 100)["type"] == "ok"
    assert len(evening.bob.of("seq")) == 100
    assert applied() == 0


def test_a_stale_turn_of_a_race_without_turns_lays_no_field(applied: Callable[[], int]) -> None:
    evening = Evening(0)
    applied()
    answer = evening.ann.ask("playTurn", room=evening.id, seat=0, ply=99, move="dig a1")
    assert (answer["code"], [message["type"] for message in answer["missed"]]) == ("stale", ["snapshot"])
    assert applied() == 0


def test_nor_does_a_resume_from_before_the_start(applied: Callable[[], int]) -> None:
    evening = Evening(3)
    start = evening.room.start_seq
    applied()
    assert evening.resume(evening.bob, start - 1)["type"] == "ok"
    assert [turn["seq"] for turn in evening.bob.turns] == list(range(start, start + 4))
    assert applied() == 2, "the start is kept, and the newest turn is as it is now"


def test_in_a_race_only_the_turns_of_that_seat_make_one_stale() -> None:
    evening = Evening(9)
    [cell] = {entry.body["move"].split()[1] for entry in evening.room.log if entry.kind == "turn"}
    evening.bob.play(evening.id, f"flag {cell}", seat=1)
    evening.bob.play(evening.id, f"unflag {cell}", seat=1)
    evening.ann.play(evening.id, f"unflag {cell}", seat=0)
    stale = evening.bob.ask("playTurn", room=evening.id, seat=1, ply=1, move=f"flag {cell}")
    assert [message["seq"] for message in stale["missed"]] == [evening.room.head - 1, evening.room.head]


def replayed(most: int) -> Evening:
    """An evening in which so much of the past may be replayed for Ann, and no more."""
    evening = Evening(9, replays=Rate(1_000, most))
    for _ in range(most):
        assert evening.resume(evening.ann, evening.room.head - 5)["type"] == "ok"
    return evening


def test_whoever_had_much_replayed_gets_a_snapshot_instead() -> None:
    evening = replayed(3)
    assert evening.resume(evening.ann, evening.room.head - 5)["type"] == "snapshot"
    assert [message["type"] for message in evening.stale(5)["missed"]] == ["snapshot"]
    assert evening.resume(evening.bob, evening.room.head - 5)["type"] == "ok", "that was another session"
    assert evening.resume(evening.ann, evening.room.head - 1)["type"] == "ok", "which takes no replay"
    evening.desk.tick(1_000)
    assert evening.resume(evening.ann, evening.room.head - 5)["type"] == "ok"


def test_and_waits_for_the_answer_to_an_old_command() -> None:
    evening = replayed(3)
    assert evening.again(evening.ann, 8) == evening.answers[8], "the newest takes no replay"
    refused = evening.again(evening.ann, 4)
    assert refused["code"] == "rateLimited"
    evening.desk.tick(refused["retryAfterMs"])
    assert evening.again(evening.ann, 4) == evening.answers[4]


# What it costs


def test_a_mark_keeps_no_log() -> None:
    room = Evening(3 * MARK_EVERY).room
    assert [(mark.log, mark.marks) for _, mark in room.marks] == [([], [])] * 4


def test_a_short_game_keeps_no_mark_unless_it_hides_what_was_laid_out_at_its_start() -> None:
    _, _, room = (desk := Desk()).pair("connect-four")
    assert desk.room(room).marks == []
    hidden = Evening(MARK_EVERY - 5).room
    assert [count for count, _ in hidden.marks] == [hidden.start_seq + 1]


def test_marks_go_with_their_room() -> None:
    evening = Evening(3 * MARK_EVERY)
    ids = {id(each) for each in (evening.room, *(mark for _, mark in evening.room.marks))}
    evening.close()
    evening.desk.tick(evening.desk.hub.limits.session_memory_ms - 1)
    assert kept_of(ids) == 5, "its commands may still be repeated"
    evening.desk.tick(1)
    assert kept_of(ids) == 0


def kept_of(ids: set[int]) -> int:
    """How many of these rooms are still in memory."""
    gc.collect()
    return sum(isinstance(each, Room) and id(each) in ids for each in gc.get_objects())
