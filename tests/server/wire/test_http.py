"""What is a request and what is none, and what every refusal says, as plain bytes."""

from __future__ import annotations

import pytest

from tablero_server.wire.http import Accepted, Rejection, looks_like_a_request, read
from tests.harness.raw import request

RECORD = b"POST /api/replay HTTP/1.1\r\nHost: h\r\n"
NONE = {
    "nothing": b"",
    "no path": b"GET / \r\n\r\n",
    "a body": b"GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n",
    "a body in chunks": b"GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n",
    "a body that waits to be asked for": b"GET / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n",
    "a method that nobody has": b"FLY / HTTP/1.1\r\nHost: h\r\n\r\n",
    "a tunnel": b"CONNECT / HTTP/1.1\r\nHost: h\r\n\r\n",
    "the first line of HTTP/2": b"PRI / HTTP/1.0\r\n\r\n",
    "two lengths": b"GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nContent-Length: 4\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "a folded header": b"GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n",
    "a space before the colon": b"GET / HTTP/1.1\r\nHost : h\r\n\r\n",
    "a proxy's target": b"GET http://h/ HTTP/1.1\r\nHost: h\r\n\r\n",
    "another version": b"GET / HTTP/2.0\r\nHost: h\r\n\r\n",
    "a long line": b"GET / HTTP/1.1\r\nHost: h\r\nX: " + b"x" * 9_000 + b"\r\n\r\n",
    "a record for another page": b"POST /api/record HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n",
    "a record that is no POST": b"PUT /api/replay HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n",
    "a record with a question": b"POST /api/replay?a HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n",
    "a record in chunks": RECORD + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    "a record that waits to be asked for": RECORD + b"Content-Length: 1\r\nExpect: 100-continue\r\n\r\n",
    "a record of two lengths": RECORD + b"Content-Length: 1\r\ncontent-length: 2\r\n\r\n",
    "a record of one length twice": RECORD + b"Content-Length: 1\r\nContent-Length: 1\r\n\r\n",
    "a record of a length and none": RECORD + b"Content-Length: 1\r\nContent-Length: 0\r\n\r\n",
    "a record of two lengths in a line": RECORD + b"Content-Length: 1, 1\r\n\r\n",
    "a record of a length with a sign": RECORD + b"Content-Length: +1\r\n\r\n",
    "a record of a length that is hidden": RECORD + b"Content-Length: 1\r\nContent-Length : 2\r\n\r\n",
    "a record of a folded length": RECORD + b"Content-Length:\r\n 1\r\n\r\n",
    "a record of a length beyond all": RECORD + b"Content-Length: 9999999999\r\n\r\n",
    "too many lines": b"GET / HTTP/1.1\r\nHost: h\r\n" + b"X: 1\r\n" * 200 + b"\r\n",
}


@pytest.mark.parametrize("head", NONE.values(), ids=NONE.keys())
def test_what_is_no_request_is_none(head: bytes) -> None:
    assert read(head) is None


def test_a_request_says_what_it_asks_for_and_how() -> None:
    found = read(b"HEAD /ws?a=b HTTP/1.1\r\nHOST: h\r\nX: one\r\nx: two\r\n\r\n")
    assert found is not None
    assert (found.method, found.path, found.header("host"), found.header("nothing")) == (
        "HEAD",
        "/ws",
        "h",
        "",
    )
    assert found.headers.get_all("X") == ["one", "two"]


@pytest.mark.parametrize("name", [b"Content-Length", b"content-length"])
def test_a_record_is_the_one_body_that_there_is(name: bytes) -> None:
    found = read(RECORD + name + b": 12 \r\nX: a\r\n\r\n")
    assert found is not None
    assert (found.method, found.path, found.body_bytes, found.header("X")) == ("POST", "/api/replay", 12, "a")
    assert (nothing := read(RECORD + b"\r\n")) is not None
    assert nothing.body_bytes == 0


def test_an_old_program_may_leave_out_the_host() -> None:
    assert read(b"GET /healthz HTTP/1.0\r\n\r\n") is not None


@pytest.mark.parametrize(
    ("start", "could"), [(b"G", True), (b"get /", True), (b"\x16\x03\x01", False), (b"\x81\x82", False)]
)
def test_bytes_that_can_become_no_request_are_known_at_once(start: bytes, could: bool) -> None:
    assert looks_like_a_request(start) is could


def test_every_refusal_says_how_it_is_to_be_read_and_that_it_is_the_last() -> None:
    head, _, body = Rejection(429, "Wait.", {"Retry-After": "3"}).serialize().decode().partition("\r\n\r\n")
    assert head.startswith("HTTP/1.1 429 Too Many Requests\r\n")
    for line in (
        "Server: tablero",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Length: 6",
        "X-Content-Type-Options: nosniff",
        "Connection: close",
        "Retry-After: 3",
    ):
        assert f"\r\n{line}" in head
    assert body == "Wait.\n"


def test_a_refusal_without_its_body_says_how_long_that_is() -> None:
    bare = Rejection(426, "Upgrade.").serialize(with_body=False)
    assert b"\r\nContent-Length: 9\r\n" in bare
    assert bare.endswith(b"\r\n\r\n")


def test_a_handshake_is_accepted_with_the_subprotocol_that_we_like_best() -> None:
    found = read(request(Sec_WebSocket_Protocol="tablero.v1.json, chat, tablero.v1.msgpack"))
    assert found is not None
    accepted = found.accept()
    assert isinstance(accepted, Accepted)
    assert accepted.subprotocol == "tablero.v1.msgpack"
    assert accepted.response.startswith(b"HTTP/1.1 101 ")
    assert b"\r\nX-Content-Type-Options: nosniff\r\n" in accepted.response


def test_what_is_no_handshake_is_told_what_one_needs() -> None:
    found = read(request(Upgrade=None))
    assert found is not None
    refused = found.accept()
    assert isinstance(refused, Rejection)
    assert (refused.status, refused.headers["Upgrade"]) == (426, "websocket")
