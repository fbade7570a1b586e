"""What a PostgreSQL database holds."""

from __future__ import annotations

import pytest

from tablero_server.core.effects import Effects
from tablero_server.journal import migrations
from tablero_server.operations.postgres_state import state_of_postgres
from tests.harness.databases import NOT_ON_POSTGRES, POSTGRES, a_schema
from tests.harness.journal_entries import begin


@pytest.mark.skipif(POSTGRES is None, reason=NOT_ON_POSTGRES)
async def test_it_is_counted_and_a_newer_one_is_told() -> None:
    async with a_schema() as place:
        assert await state_of_postgres(place.url) is None
        journal = await place.open()
        await journal.append([Effects([begin("r1")]), Effects([begin("r2")])])
        state = await state_of_postgres(place.url)
        await journal.close()
        assert state is not None
        assert (state.numbers["room"], state.revision, state.wrong) == (2, migrations.newest(), "")
        assert state.newest > 0
        await place.ask("UPDATE meta SET revision = 9999")
        newer = await state_of_postgres(place.url)
        await place.ask("DROP TABLE meta")
        not_ours = await state_of_postgres(place.url)
    assert newer is not None
    assert "newer Tablero (schema 9999)" in newer.wrong
    assert not_ours is not None
    assert "has tables of another program" in not_ours.wrong


async def test_one_that_does_not_answer_is_told_without_its_password() -> None:
    state = await state_of_postgres("postgresql://ann:secret@127.0.0.1:1/games")
    assert state is not None
    assert "games at 127.0.0.1 cannot be used" in state.wrong
    assert "secret" not in state.wrong + state.do
