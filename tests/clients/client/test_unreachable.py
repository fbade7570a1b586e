"""Why nobody is reached: each sentence says what is wrong there, and what to do about it."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from websockets.exceptions import InvalidURI

from tablero import Disconnected, connect
from tablero.catalogue.speech import speak
from tablero.client.unreachable import SENT_AWAY, why_unreachable


@asynccontextmanager
async def somebody_else(says: bytes, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """A port where anyone gets `says`, whatever they want."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(4096)
        writer.write(says)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=tls)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def told(url: str) -> str:
    with pytest.raises(Disconnected) as caught:
        await connect(url, name="Ana").__aenter__()
    return str(caught.value)


def http(status: str, body: str = "") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()


@pytest.mark.parametrize("says", [http("404 Not Found", "<html>"), http("200 OK"), b"SSH-2.0-hello\r\n", b""])
async def test_somebody_else_who_answers_is_not_taken_for_nobody(says: bytes) -> None:
    async with somebody_else(says) as port:
        sentence = await told(f"ws://127.0.0.1:{port}")
    assert sentence.startswith(f"ws://127.0.0.1:{port}/ws is not a Tablero server (")
    assert sentence.endswith("Check the address. For TLS, use wss:// or https://.")


async def test_a_full_server_says_so_itself() -> None:
    async with somebody_else(http("503 Service Unavailable", "The server is full; try again soon.")) as port:
        assert await told(f"ws://127.0.0.1:{port}") == "The server is full; try again soon."


async def test_a_server_that_does_not_answer_to_that_name_says_so_itself() -> None:
    async with somebody_else(http("421 Misdirected Request", "It does not answer to that name.\n")) as port:
        assert await told(f"ws://127.0.0.1:{port}") == "It does not answer to that name."


async def test_tls_where_there_is_none_is_said() -> None:
    async with somebody_else(http("400 Bad Request")) as port:
        sentence = await told(f"wss://127.0.0.1:{port}")
    assert sentence.endswith("/ws doesn't use TLS. Without TLS, use ws:// or http://.")


@pytest.fixture
def untrusted(tmp_path: Path) -> ssl.SSLContext:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    subprocess.run(
        [*make, "-subj", "/CN=localhost", "-keyout", key, "-out", certificate],
        check=True,
        capture_output=True,
    )
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    return tls


@pytest.mark.skipif(
    shutil.which("openssl") is None, reason="openssl must be installed: it makes a certificate"
)
async def test_a_certificate_that_is_not_trusted_is_said(untrusted: ssl.SSLContext) -> None:
    async with somebody_else(b"", untrusted) as port:
        sentence = await told(f"wss://localhost:{port}")
    assert sentence.startswith("The certificate of localhost is not trusted (self")
    assert "tablero serve" not in sentence


async def test_a_host_that_nobody_knows_is_said() -> None:
    sentence = await told("wss://nowhere.example")
    assert sentence.startswith("Host nowhere.example not found (")


@pytest.mark.parametrize(
    ("url", "advice"),
    [
        ("ws://127.0.0.1:8470/ws", "Start a server with: tablero serve"),
        ("ws://[::1]:8470/ws", "Start a server with: tablero serve"),
        ("ws://192.168.7.7:8470/ws", "Check the address and that the server is running."),
    ],
)
def test_only_on_this_machine_one_is_told_to_start_a_server(url: str, advice: str) -> None:
    refused = ConnectionRefusedError(111, "Connect call failed")
    reason = "(ConnectionRefusedError: [Errno 111] Connect call failed)"
    assert why_unreachable(url, refused) == f"No server answers at {url} {reason}. {advice}"
    assert "(no answer in time)" in why_unreachable(url, TimeoutError())


def test_whatever_else_goes_wrong_is_told_as_it_is() -> None:
    url = "ws://x/ws"
    assert "(InvalidURI: ws://x/ws isn't a valid URI: no)" in why_unreachable(url, InvalidURI(url, "no"))


async def test_it_is_said_in_the_language_of_the_user() -> None:
    speak("es")
    async with somebody_else(
        http("503 Service Unavailable", "The server is full; try again soon.\n")
    ) as port:
        assert await told(f"ws://127.0.0.1:{port}") == "El servidor está lleno; prueba dentro de poco."
    assert (await told("ws://127.0.0.1:1")).endswith("Para arrancar un servidor: tablero serve")


def test_what_a_server_sends_people_away_with_is_known_here() -> None:
    """A server has no language; a client knows its few sentences by heart."""
    said = "".join(path.read_text() for path in Path("server/tablero_server/wire").glob("*.py"))
    assert [sentence for sentence in SENT_AWAY if sentence not in said] == []
