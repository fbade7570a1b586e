"""Certificates that have expired, and servers and clients that use one."""

from __future__ import annotations

import asyncio
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tablero_server.app import Server
from tablero_server.reach.certificate import Certificate, of_our_own
from tablero_server.settings import Settings
from tests.harness.wire import PATIENCE


def openssl(folder: Path, *words: str) -> None:
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


def of_the_past(folder: Path) -> Certificate:
    """A certificate that expired years ago."""
    made = of_our_own(folder, [])
    settings = "[ca]\ndefault_ca=d\n[d]\ndatabase=index\nnew_certs_dir=.\ndefault_md=sha256\npolicy=p\n"
    folder.joinpath("settings").write_text(f"{settings}rand_serial=yes\n[p]\ncommonName=supplied\n")
    folder.joinpath("index").touch()
    openssl(folder, "req", "-new", "-key", str(made.key), "-subj", "/CN=old", "-out", "asked.pem")
    dates = ("-startdate", "200101000000Z", "-enddate", "210101000000Z")
    signing = ("ca", "-batch", "-notext", "-selfsign", "-config", "settings", "-keyfile", str(made.key))
    openssl(folder, *signing, *dates, "-in", "asked.pem", "-out", str(made.chain))
    return made


@asynccontextmanager
async def a_secure_server(certificate: Certificate, **settings: Any) -> AsyncIterator[Server]:
    server = Server(Settings(port=0, bots=False, **settings), certificate=certificate)
    await server.start()
    try:
        async with asyncio.timeout(PATIENCE):
            yield server
    finally:
        async with asyncio.timeout(PATIENCE):
            await server.stop()


def trusting(certificate: Certificate) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=str(certificate.chain))
    context.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
    return context
