"""Certificates: what serves and what does not, renewal under a running server, and matches over TLS."""

from __future__ import annotations

import asyncio
import json
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_address
from pathlib import Path

import pytest
from websockets.asyncio.client import connect as open_socket
from websockets.typing import Subprotocol

from tablero_server.app import Server
from tablero_server.operations.healthcheck import answers
from tablero_server.reach.certificate import BadCertificate, Certificate, keep_fresh, of_our_own
from tests.harness.certificates import a_secure_server, of_the_past, openssl, trusting
from tests.harness.loops import Loop, on_each_loop, run
from tests.harness.processes import tablero_serve
from tests.harness.wire import PATIENCE, Wire

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")


def test_what_we_make_serves_for_every_address_and_is_kept(tmp_path: Path) -> None:
    made = of_our_own(tmp_path / "new", [ip_address("192.168.1.5"), ip_address("fd00::2")])
    shown = subprocess.run(
        ["openssl", "x509", "-in", made.chain, "-noout", "-text", "-fingerprint", "-sha256"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for fact in (
        "IP Address:192.168.1.5",
        "IP Address:FD00:",
        "DNS:localhost",
        "CA:FALSE",
        made.fingerprint(),
    ):
        assert fact in shown
    assert made.key.stat().st_mode & 0o077 == 0
    assert of_our_own(tmp_path / "new", []).fingerprint() == made.fingerprint()


def test_one_of_ours_that_has_expired_is_made_anew(tmp_path: Path) -> None:
    old = of_the_past(tmp_path).fingerprint()
    assert of_our_own(tmp_path, []).fingerprint() != old


def test_what_does_not_serve_is_refused_with_what_to_do(tmp_path: Path) -> None:
    ours, other = of_our_own(tmp_path / "a", []), of_our_own(tmp_path / "b", [])
    empty = tmp_path / "empty"
    empty.write_text("-----BEGIN NOTHING-----\n")
    for bad, sentence in (
        (Certificate(tmp_path / "none.pem", ours.key), "Cannot read .*none.pem: No such file"),
        (Certificate(ours.chain, tmp_path / "none.pem"), "Cannot read .*none.pem: No such file"),
        (Certificate(empty, ours.key), "holds no certificate; it has to be in PEM"),
        (Certificate(ours.chain, empty), "cannot be used"),
        (Certificate(ours.chain, other.key), "do not belong together"),
        (of_the_past(tmp_path / "b"), "certificate has expired. Renew it"),
    ):
        with pytest.raises(BadCertificate, match=sentence):
            bad.context()


def test_a_key_with_a_passphrase_asks_nobody(tmp_path: Path) -> None:
    ours = of_our_own(tmp_path, [])
    openssl(tmp_path, "ec", "-aes256", "-passout", "pass:x", "-in", str(ours.key), "-out", "locked.pem")
    with pytest.raises(BadCertificate, match="the key may have no passphrase"):
        Certificate(ours.chain, tmp_path / "locked.pem").context()


def test_without_openssl_or_a_folder_to_write_to_the_host_is_told_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.joinpath("file").touch()
    with pytest.raises(BadCertificate, match=r"Cannot keep a certificate in .*file: "):
        of_our_own(tmp_path / "file", [])
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(BadCertificate, match="needs the program openssl"):
        of_our_own(tmp_path / "new", [])


# A server that speaks TLS


@asynccontextmanager
async def a_secure_wire(server: Server, context: ssl.SSLContext) -> AsyncIterator[Wire]:
    async with open_socket(
        f"wss://127.0.0.1:{server.port}/ws",
        subprotocols=[Subprotocol("tablero.v1.msgpack")],
        compression=None,
        ssl=context,
        proxy=None,
    ) as socket:
        yield Wire(socket, "tablero.v1.msgpack")


async def page(server: Server, context: ssl.SSLContext, path: str) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, ssl=context)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
    text = (await reader.read()).decode()
    writer.close()
    return text


@on_each_loop
def test_a_match_pages_refusals_and_a_goodbye_go_over_tls(tmp_path: Path, loop: Loop) -> None:
    async def test() -> None:
        ours = of_our_own(tmp_path, [])
        context = trusting(ours)
        async with a_secure_server(ours) as server:
            here = f"https://127.0.0.1:{server.port}"
            assert f"tablero play {here}\n" in await page(server, context, "/")
            assert (await page(server, context, "/ws")).startswith("HTTP/1.1 426 ")
            assert len((await page(server, context, "/protocol")).split("\r\n\r\n")[1]) > 100_000
            assert await asyncio.to_thread(answers, "127.0.0.1", server.port, secure=True)
            async with a_secure_wire(server, context) as ana, a_secure_wire(server, context) as ben:
                await ana.hello("ana")
                await ben.hello("ben")
                room = (await ana.ask("createRoom", game="tic-tac-toe", subscribe=["nextPlayer"]))["room"]
                await ben.ask("join", room=room, subscribe=["nextPlayer"])
                for ply, (player, move) in enumerate(
                    zip((ana, ben, ana, ben, ana), ("a1", "b1", "a2", "b2", "a3"), strict=True)
                ):
                    answer = await player.ask("playTurn", room=room, seat=ply % 2, ply=ply, move=move)
                assert answer["outcome"]["winners"] == [0], answer
                stopping = asyncio.create_task(server.stop())
                assert tuple(await asyncio.gather(ana.closed(), ben.closed())) == (4000, 4000)
                await stopping

    run(loop, test)


@pytest.mark.parametrize("tls", ["auto", "off"])
async def test_the_fingerprint_is_told_of_a_certificate_that_browsers_warn_of(
    tmp_path: Path, tls: str
) -> None:
    ours = of_our_own(tmp_path, [])
    async with a_secure_server(ours, tls=tls) as server:
        told = (await page(server, trusting(ours), "/certificate")).split("\r\n\r\n")[1]
    assert json.loads(told) == {"sha256": ours.fingerprint() if tls == "auto" else None}


@on_each_loop
def test_what_speaks_no_tls_is_cut_and_nothing_is_left_of_it(tmp_path: Path, loop: Loop) -> None:
    async def test() -> None:
        async with a_secure_server(of_our_own(tmp_path, []), hello_seconds=0.2) as server:
            for said in (b"GET / HTTP/1.1\r\nHost: h\r\n\r\n", b""):
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                writer.write(said)
                assert b"200" not in await reader.read()
                writer.close()
            assert not server.arrivals._visitors

    run(loop, test)


async def test_a_renewed_certificate_is_used_at_once_and_a_bad_one_never(tmp_path: Path) -> None:
    served, other = of_our_own(tmp_path / "served", []), of_our_own(tmp_path / "other", [])
    first, second = trusting(served), trusting(other)
    async with asyncio.timeout(PATIENCE), a_secure_server(served) as server:
        assert server._renewing is not None
        server._renewing.cancel()
        context = served.context()
        fresh = asyncio.create_task(keep_fresh(served, context, seconds=0.01))
        listener = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0, ssl=context)
        port = listener.sockets[0].getsockname()[1]

        async def is_trusted_by(visitor: ssl.SSLContext) -> bool:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=visitor)
            except ssl.SSLCertVerificationError:
                return False
            writer.close()
            return True

        assert await is_trusted_by(first)
        shutil.copy(other.chain, served.chain)  # its key does not come yet
        for _ in range(20):
            assert await is_trusted_by(first)
        shutil.copy(other.key, served.key)
        while not await is_trusted_by(second):
            pass
        assert not await is_trusted_by(first)
        fresh.cancel()
        listener.close()


# The whole process


async def test_serve_makes_a_certificate_prints_its_fingerprint_and_has_its_bots(tmp_path: Path) -> None:
    kept = {
        "TABLERO_DATABASE": f"sqlite:///{tmp_path}/games.db",
        "TABLERO_HOME": str(tmp_path),
        "TABLERO_BOT_KEY": str(tmp_path / "key"),
    }
    async with tablero_serve("--port", "0", "--tls", "auto", **kept) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        told = (await process.stdout.readuntil(b"Ctrl-C.\n")).decode()
        ours = Certificate(tmp_path / "tls-certificate.pem", tmp_path / "tls-key.pem")
        assert told.startswith("Tablero is at https://127.0.0.1:")
        assert ours.fingerprint() in told
        while b"house" not in (line := await process.stderr.readline()):
            assert line, "no bot host came"
        process.terminate()
        await process.communicate()
        assert process.returncode == 0


async def test_an_expired_certificate_ends_the_start_with_a_sentence(tmp_path: Path) -> None:
    old = of_the_past(tmp_path)
    async with tablero_serve("--tls-cert", str(old.chain), "--tls-key", str(old.key)) as process:
        out, errors = await process.communicate()
    sentence = f"{old.chain} is no good: certificate has expired. Renew it, or say --tls auto.\n"
    assert (process.returncode, out, errors.decode()) == (1, b"", sentence)


async def test_a_certificate_without_its_key_is_a_wrong_setting() -> None:
    async with tablero_serve("--tls-cert", "fullchain.pem") as process:
        _, errors = await process.communicate()
    assert process.returncode == 2
    assert errors.decode().startswith("TABLERO_TLS_KEY: a certificate and its key are two files")
