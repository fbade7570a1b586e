"""Which page is asked, and what else is told."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any, cast

import pytest

from tablero_server.wire.arrivals import Visitor
from tablero_server.wire.http import Answer, read, sentence
from tablero_server.wire.pages import Pages


def page(visitor: Visitor, **named: str) -> Answer:
    return sentence(200, repr(named))


def refused_handshake(visitor: Visitor) -> Answer:
    return sentence(426, "Upgrade.")


PAGES = Pages({"/": page, "/rooms/{room}/record": page}, {"/ws": refused_handshake})


def ask(line: str) -> Answer:
    request = read(f"{line} HTTP/1.1\r\nHost: h\r\n\r\n".encode())
    assert request is not None
    answer = PAGES.ask(Visitor(cast(Any, None), request, ip_address("127.0.0.1"), None, "h", False))
    assert isinstance(answer, Answer)
    return answer


@pytest.mark.parametrize(
    ("line", "status", "body"),
    [
        ("GET /", 200, "{}"),
        ("HEAD /?x=y", 200, "{}"),
        ("GET /rooms/a%20b/record", 200, "{'room': 'a b'}"),
        ("GET /rooms/record", 404, "There is no such page."),
        ("GET /rooms/a/b/record", 404, "There is no such page."),
        ("GET /../etc/passwd", 404, "There is no such page."),
        ("POST /", 405, "Pages here can only be read."),
        ("POST /ws", 426, "Upgrade."),
    ],
)
def test_each_path_has_its_page_or_is_refused(line: str, status: int, body: str) -> None:
    assert (ask(line).status, ask(line).body.decode()) == (status, f"{body}\n")
