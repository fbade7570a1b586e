"""Messages leave only after their entries are durable, in order, and together where they can."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import pytest
from structlog.testing import capture_logs

from tablero_server.core.effects import Effects
from tablero_server.core.entry import Entry
from tablero_server.journal.committer import Committer, NotBegun, Outage
from tablero_server.journal.journal import Journal, NotWritten
from tablero_server.journal.sqlite import SqliteJournal
from tests.harness.journals import BrokenJournal, FailingJournal, FullDisk, WaitingJournal
from tests.harness.wire import PATIENCE


def effects(word: str, *seqs: int, room: str = "r1") -> Effects:
    """A message, and the entries before it."""
    entries = [Entry(room, seq, "said", 0, None, None, {"game": "hex"}) for seq in seqs]
    return Effects(entries, [(1, {"word": word})])


class Delivered:
    """What was delivered: the words of all messages, in order."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.batches: asyncio.Queue[int] = asyncio.Queue()
        self.observed: list[tuple[int, bool, int]] = []
        """Of each batch: how many effects, whether there was a commit, and how many commands failed."""

    def __call__(self, batch: list[Effects]) -> None:
        self.words += [message["word"] for effects in batch for _, message in effects.messages]
        self.batches.put_nowait(len(batch))

    def observe(self, batch: list[Effects], seconds: float | None, not_saved: int) -> None:
        self.observed.append((len(batch), seconds is not None, not_saved))


def take_back(lost: Sequence[Effects]) -> Effects:
    """Tells peer 1 the words of what was lost."""
    words = [message["word"] for effects in lost for _, message in effects.messages]
    return Effects(messages=[(1, {"word": f"not {word}"}) for word in words])


def a_committer(journal: Journal, delivered: Delivered) -> Committer:
    return Committer(journal, delivered, take_back, delivered.observe)


@asynccontextmanager
async def running(committer: Committer) -> AsyncIterator[None]:
    task = asyncio.create_task(committer.run())
    async with asyncio.timeout(PATIENCE):
        yield
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def test_nothing_leaves_before_its_record_is_durable() -> None:
    journal, delivered = WaitingJournal(), Delivered()
    committer = a_committer(journal, delivered)
    async with running(committer):
        committer.submit(effects("joined", 1))
        assert await journal.asked.get() == [1]
        assert delivered.words == []
        journal.go_on()
        await committer.settled()
        assert delivered.words == ["joined"]


async def test_what_was_gathered_during_an_append_goes_in_one_more_and_stays_in_order() -> None:
    journal, delivered = WaitingJournal(), Delivered()
    committer = a_committer(journal, delivered)
    async with running(committer):
        committer.submit(effects("a", 1))
        assert await journal.asked.get() == [1]
        for word, *seqs in (("b", 2), ("pong",), ("c", 3, 4)):
            committer.submit(effects(str(word), *map(int, seqs)))
        journal.go_on()
        assert await journal.asked.get() == [2, 3, 4]
        assert delivered.words == ["a"]
        journal.go_on()
        await committer.settled()
        assert delivered.words == ["a", "b", "pong", "c"]
        assert journal.asked.empty()


async def test_what_records_nothing_still_waits_behind_what_does() -> None:
    journal, delivered = WaitingJournal(), Delivered()
    committer = a_committer(journal, delivered)
    async with running(committer):
        committer.submit(effects("turn", 1))
        await journal.asked.get()
        committer.submit(effects("pong"))
        assert delivered.words == []
        journal.go_on()
        await committer.settled()
        assert delivered.words == ["turn", "pong"]


async def test_without_a_record_the_journal_is_left_alone() -> None:
    journal, delivered = WaitingJournal(), Delivered()
    committer = a_committer(journal, delivered)
    async with running(committer):
        committer.submit(effects("pong"))
        await committer.settled()
    assert delivered.words == ["pong"]
    assert delivered.observed == [(2, False, 0)], "a commit of nothing is none"
    assert journal.asked.empty()


async def test_a_journal_that_breaks_acknowledges_nothing_and_ends_the_loop() -> None:
    delivered = Delivered()
    committer = a_committer(BrokenJournal(), delivered)
    committer.submit(effects("turn", 1))
    committer.submit(effects("pong"))
    with pytest.raises(OSError, match="Input/output error"):
        async with asyncio.timeout(PATIENCE):
            await committer.run()
    assert delivered.words == []


async def test_it_is_settled_only_when_nothing_waits() -> None:
    journal, delivered = WaitingJournal(), Delivered()
    committer = a_committer(journal, delivered)
    async with running(committer):
        committer.submit(effects("a", 1))
        await journal.asked.get()
        committer.submit(effects("b", 2))
        settled = asyncio.create_task(committer.settled())
        journal.go_on()
        assert await journal.asked.get() == [2]
        assert not settled.done()
        journal.go_on()
        await settled
        assert delivered.words == ["a", "b"]


async def test_what_could_not_be_written_is_taken_back_and_the_rest_is_delivered() -> None:
    journal, delivered = FailingJournal(1), Delivered()
    committer = a_committer(journal, delivered)
    async with running(committer):
        for number, room in enumerate(("r1", "r2", "r3")):
            committer.submit(effects(f"turn in {room}", number, room=room))
        await journal.asked.get()
        journal.go_on()
        await committer.settled()
        assert delivered.words == ["turn in r1", "turn in r3", "not turn in r2"]
        assert (3, True, 1) in delivered.observed
        committer.submit(effects("again", 1, room="r2"))
        await journal.asked.get()
        journal.go_on()
        await committer.settled()
        assert delivered.words[-1] == "again"


async def test_what_came_meanwhile_and_builds_on_what_failed_is_never_written() -> None:
    journal, delivered = FailingJournal(0), Delivered()
    committer = a_committer(journal, delivered)
    async with running(committer):
        committer.submit(effects("lost", 1))
        await journal.asked.get()
        committer.submit(effects("next", 2))
        committer.submit(Effects(messages=[(2, {"word": "shown", "room": "r1"})]))
        committer.submit(effects("elsewhere", 7, room="r2"))
        journal.go_on()
        assert await journal.asked.get() == [7]
        journal.go_on()
        await committer.settled()
    assert delivered.words == ["not lost", "not next", "not shown", "elsewhere"]


async def test_an_outage_lasts_until_something_is_saved_or_a_check_says_so() -> None:
    journal, delivered = FullDisk(), Delivered()
    committer = a_committer(journal, delivered)
    async with running(committer):
        for end in (committer.check(), None):
            journal.full = True
            committer.submit(effects("lost", 1))
            await committer.settled()
            assert committer.outage.lasts
            await committer.check()
            assert committer.outage.lasts
            journal.full = False
            if end is not None:
                await end
            else:
                committer.submit(effects("saved", 0))
                await committer.settled()
            assert not committer.outage.lasts


async def test_a_journal_that_is_away_is_noticed_while_nobody_saves_anything() -> None:
    journal = FullDisk()
    committer = a_committer(journal, Delivered())
    journal.full = True
    await committer.check()
    assert committer.outage.lasts


async def test_a_command_that_the_database_refuses_is_no_outage() -> None:
    class Refusing(SqliteJournal):
        async def append(self, effects: Sequence[Effects]) -> None:
            raise NotWritten("UNIQUE constraint failed", frozenset({0}), refused=True)

    committer = a_committer(Refusing(), Delivered())
    async with running(committer):
        committer.submit(effects("again", 1))
        await committer.settled()
    assert not committer.outage.lasts


async def test_what_a_start_writes_down_is_durable_before_anything_else_or_it_is_no_start() -> None:
    journal, delivered = FullDisk(), Delivered()
    committer = a_committer(journal, delivered)
    await committer.begin(effects("nothing to write"))
    journal.full = True
    with pytest.raises(NotBegun, match="Free some space"):
        await committer.begin(effects("revived", 1))
    assert delivered.words == ["nothing to write"]


# However long and often a journal fails, its log lines are few, and none of what was lost goes uncounted

FULL = "database or disk is full"


class Minutes:
    now = 0.0

    def __call__(self) -> float:
        return self.now * 60


def test_an_outage_is_told_at_once_then_once_a_minute_with_a_count_and_when_it_is_over() -> None:
    minutes = Minutes()
    outage = Outage(minutes)
    with capture_logs() as lines:
        for tick in range(1250):  # two minutes and five seconds of a tick that saves something
            minutes.now = tick / 600
            outage.failed(FULL, 1)
        assert outage.lasts
        outage.ended()
        outage.ended()
        assert not outage.lasts
    assert [(line["event"], line["commands"]) for line in lines] == [
        ("could not save", 1),
        ("could not save", 600),
        ("could not save", 600),
        ("can save again", 49),
    ]
    assert lines[0]["why"] == FULL


def test_a_disk_that_is_full_now_and_then_is_told_of_as_rarely() -> None:
    minutes = Minutes()
    outage = Outage(minutes)
    with capture_logs() as lines:
        for tick in range(1201):
            minutes.now = tick / 600
            outage.failed(FULL, 1)
            outage.ended()
    assert [line["event"] for line in lines] == ["could not save", "can save again"] * 3
    assert sum(line["commands"] for line in lines) == 1201


def test_a_journal_that_never_failed_is_not_worth_a_line() -> None:
    with capture_logs() as lines:
        Outage().ended()
    assert lines == []
