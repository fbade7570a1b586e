"""How many connections fit into the files that are allowed."""

from __future__ import annotations

import resource

import pytest
import structlog

from tablero_server.wire.descriptors import connections_that_fit, files_for, most_visitors


@pytest.fixture
def allowed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The limits of this process; the last is the newest."""
    limits = [(1_024, 4_096)]
    monkeypatch.setattr(resource, "getrlimit", lambda what: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda what, pair: limits.append(pair))
    return limits


def test_what_is_needed_is_asked_for_with_a_reserve(allowed: list[tuple[int, int]]) -> None:
    assert connections_that_fit(2_000) == 2_000
    assert allowed[-1] == (files_for(2_000), 4_096)
    assert files_for(2_000) > 2_000 + most_visitors(2_000)


def test_fewer_connections_are_taken_where_the_system_allows_fewer_files(
    allowed: list[tuple[int, int]],
) -> None:
    with structlog.testing.capture_logs() as logged:
        fit = connections_that_fit(5_000)
    assert files_for(fit) <= 4_096 < files_for(fit + 1)
    assert allowed[-1] == (4_096, 4_096)
    [line] = logged
    assert line["connections"] == fit


def test_enough_is_left_alone(allowed: list[tuple[int, int]]) -> None:
    assert connections_that_fit(10) == 10
    assert len(allowed) == 1
