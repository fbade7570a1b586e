"""Whoever asks what was played holds up nobody who plays, however long the answer takes or is waited for."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tablero_server.core.effects import Effects
from tablero_server.journal.journal import Journal, NotRead
from tablero_server.journal.questions import Question
from tests.harness.databases import FOR_EVER, Postgres, Sqlite
from tests.harness.journal_entries import begin, lengths
from tests.harness.wire import PATIENCE

ONE = Question("SELECT 1", ())


async def asked(journal: Journal, question: Question) -> asyncio.Task[list[tuple[object, ...]]]:
    """It is being answered."""
    task = asyncio.create_task(journal.read(question))
    await asyncio.sleep(0)
    return task


async def test_a_commit_waits_for_no_question(database: Sqlite | Postgres) -> None:
    journal = await database.open()
    await journal.read(ONE)
    question = await asked(journal, FOR_EVER)
    async with asyncio.timeout(PATIENCE):
        await journal.append([Effects([begin("a")])])
    assert not question.done()
    question.cancel()
    await asyncio.gather(question, return_exceptions=True)
    assert await lengths(journal) == {"a": 1}
    await journal.close()


async def test_who_asks_next_is_answered_when_nobody_waits_for_the_last_question(
    database: Sqlite | Postgres,
) -> None:
    journal = await database.open()
    question = await asked(journal, FOR_EVER)
    question.cancel()
    with pytest.raises(asyncio.CancelledError):
        await question
    async with asyncio.timeout(PATIENCE):
        assert await journal.read(ONE) == [(1,)]
    await journal.close()


async def test_a_question_sees_what_is_durable_and_writes_nothing(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    journal = await place.open()
    heads = Question("SELECT head FROM room", ())
    assert await journal.read(heads) == []
    await journal.append([Effects([begin("a")])])
    assert await journal.read(heads) == [(0,)]
    with pytest.raises(NotRead, match="readonly"):
        await journal.read(Question("DELETE FROM room", ()))
    await journal.close()
    assert await place.ask("SELECT state FROM meta") == [("stopped",)]
