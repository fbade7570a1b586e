"""PostgreSQL: a connection that breaks, and servers that start at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import asyncpg
import pytest
from asyncpg.transaction import Transaction

from tablero_server.core.effects import Effects
from tablero_server.journal import BadDatabase, JournalBroken
from tablero_server.journal import postgres as journals
from tablero_server.journal.journal import Journal, NotWritten
from tablero_server.journal.postgres import PostgresJournal
from tests.harness.databases import FOR_EVER, NOT_OURS, Postgres, why_not
from tests.harness.journal_entries import begin, lengths, refused, said
from tests.harness.wire import PATIENCE, a_server


async def written(journal: Journal, *effects: Effects) -> bool:
    try:
        await journal.append(effects)
    except NotWritten:
        return False
    return True


def cut(connection: Any) -> None:
    """As a network does it: the package learns of it by its socket."""
    connection._transport.abort()


@asynccontextmanager
async def locked(postgres: Postgres, room: str) -> AsyncIterator[None]:
    """Another connection holds the room, so that a commit waits."""
    other = await asyncpg.connect(postgres.url)
    async with other.transaction():
        await other.execute("SELECT 1 FROM room WHERE id = $1 FOR UPDATE", room)
        yield
    await other.close()


async def test_a_connection_that_ended_is_made_again(postgres: Postgres) -> None:
    journal = await postgres.open()
    assert isinstance(journal, PostgresJournal)
    connection, ended = journal._writing.connection, asyncio.Event()
    assert connection is not None
    connection.add_termination_listener(lambda connection: ended.set())
    await postgres.ask(f"SELECT pg_terminate_backend({connection.get_server_pid()})")
    await ended.wait()
    await journal.append([Effects([begin("a")])])
    assert await lengths(journal) == {"a": 1}
    await journal.close()


async def test_a_connection_lost_while_writing_loses_the_append_alone(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(connection: asyncpg.Connection, *given: object) -> str:
        connection.terminate()
        raise asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation")

    journal = await postgres.open()
    await journal.append([Effects([begin("a")])])
    with monkeypatch.context() as broken:
        broken.setattr(asyncpg.Connection, "execute", lost)
        with pytest.raises(NotWritten, match="closed in the middle") as caught:
            await journal.append([Effects([said("a", 1)]), Effects([begin("b")])])
    assert caught.value.failed == {0, 1}
    await journal.append([Effects([said("a", 1)]), Effects([begin("b")])])
    assert await lengths(journal) == {"a": 2, "b": 1}
    await journal.close()


@pytest.mark.parametrize(
    "error",
    [
        asyncpg.InternalClientError("cannot switch to state 15; another operation (2) is in progress"),
        asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation"),
        ConnectionResetError("Connection reset by peer"),
    ],
)
async def test_a_connection_that_went_between_two_commits_loses_the_append_alone(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async def gone(connection: asyncpg.Connection, *given: object) -> None:
        raise error

    journal = await postgres.open()
    await journal.append([Effects([begin("a")])])
    with monkeypatch.context() as broken:
        broken.setattr(asyncpg.Connection, "fetchval", gone)
        assert await refused(journal, Effects([said("a", 1)])) == [0]
    await journal.append([Effects([said("a", 1)])])
    assert await lengths(journal) == {"a": 2}
    await journal.close()


async def test_a_log_is_read_over_a_new_connection_when_the_old_one_has_gone(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch, asked = asyncpg.Connection.fetch, list[str]()

    async def gone_once(connection: asyncpg.Connection, sql: str, *given: object) -> object:
        asked.append(sql)
        if len(asked) == 1:
            raise asyncpg.InternalClientError("cannot switch to state 15")
        return await fetch(connection, sql, *given)

    journal = await postgres.open()
    await journal.append([Effects([begin("a")])])
    monkeypatch.setattr(asyncpg.Connection, "fetch", gone_once)
    assert len(await journal.log("a")) == 1
    assert len(asked) == 2
    await journal.close()


@pytest.mark.parametrize("committed", [True, False])
async def test_a_connection_lost_during_the_commit_of_a_transaction_costs_nothing_that_is_durable(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, committed: bool
) -> None:
    commit = Transaction.commit

    async def lost(transaction: Transaction) -> None:
        if committed:
            await commit(transaction)
        raise asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation")

    journal = await postgres.open()
    with monkeypatch.context() as broken:
        broken.setattr(Transaction, "commit", lost)
        assert await written(journal, Effects([begin("a")])) == committed
    assert await lengths(journal) == ({"a": 1} if committed else {})
    assert await written(journal, Effects([begin("b")]))
    await journal.close()


@pytest.mark.parametrize("lost", ["the line", "the program of the database"])
async def test_a_commit_whose_answer_is_lost_is_believed_only_when_the_database_has_ended_it(
    postgres: Postgres, lost: str
) -> None:
    journal = await postgres.open()
    assert isinstance(journal, PostgresJournal)
    await journal.append([Effects([begin("a")])])
    connection = journal._writing.connection
    assert connection is not None
    number = connection.get_server_pid()
    async with locked(postgres, "a"):
        writing = asyncio.create_task(written(journal, Effects([said("a", 1)])))
        waits = f"SELECT 1 FROM pg_stat_activity WHERE pid = {number} AND wait_event_type = 'Lock'"
        while not await postgres.ask(waits):
            pass
        if lost == "the line":
            cut(connection)
        else:
            await postgres.ask(f"SELECT pg_terminate_backend({number})")
        asks = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR UPDATE'"
        while not await postgres.ask(asks):
            pass
        assert not writing.done(), "nobody knows yet"
    assert await writing == (lost == "the line")
    assert await lengths(journal) == ({"a": 2} if lost == "the line" else {"a": 1})
    await journal.close()


async def test_fifty_commits_cut_at_any_moment_are_told_as_they_are(postgres: Postgres) -> None:
    journal, random = await postgres.open(), Random(8470)
    assert isinstance(journal, PostgresJournal)
    await journal.append([Effects([begin("a")])])
    length = 1
    for _ in range(50):
        async with journal._writing.connected() as connection:
            pass
        writing = asyncio.create_task(written(journal, Effects([said("a", length)])))
        for _ in range(random.choice((0, 10, 30, 100, 300, 1_000, 10_000))):
            if writing.done():
                break
            await asyncio.sleep(0)
        cut(connection)
        length += await writing
        assert await postgres.ask("SELECT head FROM room") == [(length - 1,)]
    assert 1 < length < 51, "some were written, and some were not"
    await journal.close()


async def test_a_lost_commit_whose_room_is_somewhere_else_breaks_the_journal(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(connection: asyncpg.Connection, *given: object) -> None:
        await postgres.ask("UPDATE room SET head = 7")
        raise ConnectionResetError("Connection reset by peer")

    journal = await postgres.open()
    await journal.append([Effects([begin("a")])])
    monkeypatch.setattr(asyncpg.Connection, "fetchval", lost)
    with pytest.raises(JournalBroken, match="neither where they were"):
        await journal.append([Effects([said("a", 1)])])
    await journal.close()


@pytest.mark.parametrize(
    "error",
    [
        asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation"),
        asyncpg.AdminShutdownError("terminating connection due to administrator command"),
        ConnectionResetError("Connection reset by peer"),
    ],
)
async def test_a_connection_lost_while_a_start_reads_is_told_in_a_sentence(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async def lost(connection: asyncpg.Connection, *given: object, **more: object) -> None:
        connection.terminate()
        raise error

    journal = await postgres.open()
    monkeypatch.setattr(asyncpg.Connection, "fetch", lost)
    with pytest.raises(BadDatabase, match=rf"Cannot use the database .*: {error}\. Check"):
        await journal.load()
    await journal.close()


async def test_an_error_of_the_server_loses_the_append_alone(postgres: Postgres) -> None:
    journal = await postgres.open()
    await journal.append([Effects([begin("a")])])
    await postgres.ask("ALTER TABLE record RENAME TO away")
    with pytest.raises(NotWritten, match="record"):
        await journal.append([Effects([said("a", 1)])])
    await postgres.ask("ALTER TABLE away RENAME TO record")
    await journal.append([Effects([said("a", 1)])])
    assert await lengths(journal) == {"a": 2}
    await journal.close()


async def test_servers_that_start_at_once_make_the_tables_once(postgres: Postgres) -> None:
    journals = await asyncio.gather(*(postgres.open() for _ in range(4)))
    assert await postgres.ask("SELECT count(*) FROM meta") == [(1,)]
    for journal in journals:
        await journal.close()


async def restored(postgres: Postgres) -> bool:
    journal = await postgres.open()
    noticed = (await journal.load()).restored
    await journal.close()
    return noticed


async def test_a_dump_that_was_played_back_is_noticed_until_its_players_are_told(postgres: Postgres) -> None:
    assert not await restored(postgres)
    journal = await postgres.open()
    await journal.append([Effects([begin("a")])])
    await journal.close()
    assert not await restored(postgres)
    await postgres.script(
        "ALTER TABLE meta RENAME TO lost; CREATE TABLE meta (LIKE lost INCLUDING ALL);"
        "INSERT INTO meta SELECT * FROM lost; DROP TABLE lost;"
    )
    assert await restored(postgres)
    journal = await postgres.open()
    assert (await journal.load()).restored
    await journal.append([Effects([said("a", 1)])])
    await journal.close()
    assert not await restored(postgres)


async def test_another_timeline_is_another_place_and_a_user_who_may_not_ask_for_it_is_no_error(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = await postgres.open()
    await journal.append([Effects([begin("a")])])
    await journal.close()
    monkeypatch.setattr(journals, "_SYSTEM_STAMP", "SELECT '/8470/00000002'")
    assert await restored(postgres)
    monkeypatch.setattr(journals, "_SYSTEM_STAMP", "SELECT forbidden()")
    assert await restored(postgres)
    await postgres.ask("UPDATE meta SET restored = 0")
    assert not await restored(postgres)


async def test_a_server_whose_database_a_newer_one_took_over_finds_out_and_ends(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablero_server.journal.committer._CHECK_SECONDS", 0.01)
    async with a_server(await postgres.open()) as older:
        newer = await postgres.open()
        await newer.check()
        with pytest.raises(JournalBroken, match="another server has taken over the database postgres at"):
            async with asyncio.timeout(PATIENCE):
                await older.broken()
        await newer.close()


async def test_a_question_that_is_given_up_does_not_run_on_in_the_database(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journals, "_PATIENCE", 1.0)
    journal = await postgres.open()
    question = asyncio.create_task(journal.read(FOR_EVER))
    running = f"SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query = '{FOR_EVER.sql}'"
    async with asyncio.timeout(PATIENCE):
        while not await postgres.ask(running):
            pass
        question.cancel()
        while await postgres.ask(running):
            pass
    await journal.close()


async def test_a_newer_schema_is_left_alone(postgres: Postgres) -> None:
    await (await postgres.open()).close()
    await postgres.ask("UPDATE meta SET revision = 9999")
    told = r"by a newer Tablero \(schema 9999\)\. Update this program, or restore"
    with pytest.raises(BadDatabase, match=told):
        await postgres.open()


@pytest.mark.parametrize(
    "tables", [NOT_OURS, "CREATE TABLE room (number INTEGER)", "CREATE TABLE meta (key TEXT)"]
)
async def test_tables_that_are_not_ours_are_refused_until_they_are_put_aside(
    postgres: Postgres, tables: str
) -> None:
    await postgres.script(tables)
    sentence = await why_not(postgres.url)
    assert sentence.startswith(
        "The database postgres at 127.0.0.1 has tables of another program or an unreleased Tablero: "
    )
    await postgres.script(sentence.split("`")[1])
    journal = await postgres.open()
    assert await lengths(journal) == {}
    await journal.close()
    aside = "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema() || '_old'"
    [(kept,)] = await postgres.ask(aside)
    assert kept == tables.count("CREATE TABLE")
    await postgres.ask(f"DROP SCHEMA {postgres.schema}_old CASCADE")


async def test_tables_of_others_with_names_of_their_own_are_no_hindrance(postgres: Postgres) -> None:
    await postgres.script(
        "CREATE TABLE bookmarks (url TEXT); CREATE TABLE alembic_version (version_num TEXT)"
    )
    await (await postgres.open()).close()


async def test_a_wrong_user_is_named_without_the_password(postgres: Postgres) -> None:
    wrong = Postgres("postgresql://nobody-here:secret@127.0.0.1:5432/no_such_database", "public")
    with pytest.raises(BadDatabase, match="the database no_such_database at 127") as caught:
        await wrong.open()
    assert "secret" not in str(caught.value)
