"""All tests of the browser client run on one loop, where they share one Chromium."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == Path(__file__).parent and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="package"), append=False)


@pytest_asyncio.fixture(scope="package", loop_scope="package", autouse=True)
async def a_shared_chromium() -> AsyncIterator[None]:
    try:
        from tests.harness.browser import one_chromium
    except pytest.skip.Exception:  # here is none, which each test that needs it says
        yield
    else:
        async with one_chromium():
            yield
