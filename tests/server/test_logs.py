"""Logs: JSON lines with a time and a level, and never a token or what was said."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Literal

import pytest
import structlog

from tablero_server import logs
from tests.harness.wire import Wire, a_server, a_table, a_wire

SECRET = "meet me at the harbour"


@pytest.fixture(autouse=True)
def _set_up_for_this_test_alone() -> Iterator[None]:
    yield
    structlog.reset_defaults()


def set_up_for_a_test(form: Literal["auto", "json", "pretty"], level: int) -> None:
    logs.set_up(form)
    structlog.configure(
        cache_logger_on_first_use=False, wrapper_class=structlog.make_filtering_bound_logger(level)
    )


async def play_a_little() -> list[str]:
    """A short visit with chat and mistakes; gives all that no log may hold."""
    secrets = [SECRET]
    async with a_server() as server, a_table(server) as (ana, ben, room):
        secrets += [str(wire.heard[0]["token"]) for wire in (ana, ben)]
        code = (await ana.ask("createRoom", game="connect-four", private=True))["code"]
        await ana.ask("say", room=room, text=SECRET)
        await ana.ask("say", room=room, text="x", secret=SECRET)
        await ana.ask("join", code="0000-0000")
        await ana.send(SECRET.encode())
        async with a_wire(server) as again:
            await again.hello(token=ana.heard[0]["token"], session=ana.heard[0]["session"])
            await again.ask("leave", room=room)
            assert await ana.closed() == 4101
        await refused_hello(ben)
    return [*secrets, str(code)]


async def refused_hello(wire: Wire) -> None:
    assert (await wire.ask("hello", protocol=1, client="test", token=SECRET))["type"] == "refused"


async def test_neither_a_token_nor_what_was_said_is_logged(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_for_a_test("json", logging.DEBUG)
    secrets = await play_a_little()
    text = capsys.readouterr().err
    assert text.count('"event": "connected"') == 3
    assert [secret for secret in secrets if secret in text] == []


def test_json_lines_have_a_time_a_level_and_their_facts(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_for_a_test("json", logging.INFO)
    structlog.get_logger().info("bot host started", pid=7)
    structlog.get_logger().debug("connected")
    line = json.loads(capsys.readouterr().err)
    assert datetime.fromisoformat(line.pop("timestamp")).tzinfo is not None
    assert line == {"event": "bot host started", "level": "info", "pid": 7}


def test_an_exception_is_one_line_with_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_for_a_test("json", logging.INFO)
    try:
        raise OSError("disk full")
    except OSError as error:
        structlog.get_logger().critical("a loop ended", exc_info=error)
    [line] = capsys.readouterr().err.splitlines()
    assert "OSError: disk full" in json.loads(line)["exception"]


def test_a_line_for_people_has_the_time_of_their_clock(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_for_a_test("pretty", logging.INFO)
    structlog.get_logger().info("bot host started", pid=7)
    plain = re.sub("\x1b\\[[0-9;]*m", "", capsys.readouterr().err)
    assert re.fullmatch(r"\d\d:\d\d:\d\d \[info\] bot host started pid=7\n", plain), plain


@pytest.mark.parametrize(("form", "is_json"), [("json", True), ("auto", True), ("pretty", False)])
def test_machines_get_json_and_people_get_lines(
    capsys: pytest.CaptureFixture[str], form: Literal["auto", "json", "pretty"], is_json: bool
) -> None:
    set_up_for_a_test(form, logging.INFO)
    structlog.get_logger().info("stopping")
    text = capsys.readouterr().err
    assert text.startswith("{") == is_json
    assert "stopping" in text
