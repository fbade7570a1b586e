"""The certificate of a server with its own TLS: read, checked, reloaded, or self-signed.

Law: a certificate is tested before it is used, so a failed renewal changes nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import structlog

from .own_addresses import Address

log = structlog.get_logger("tablero.reach")

_LOOK_SECONDS = 10.0
_DAYS = 397
"""The longest validity that browsers accept, in days."""


class BadCertificate(Exception):
    """Raised for an unusable certificate; the message says what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """Two files, as certbot writes them: a chain that starts with our own certificate, and the key of our
    certificate.
    """

    chain: Path
    key: Path

    def context(self) -> ssl.SSLContext:
        """The TLS context for a listening socket. Raises BadCertificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.put_into(context)
        return context

    def put_into(self, context: ssl.SSLContext) -> None:
        """Loads the certificate into `context` for new handshakes. Raises BadCertificate and leaves `context`
        unchanged.
        """
        self._try_out()
        context.load_cert_chain(self.chain, self.key)

    def fingerprint(self) -> str:
        """The fingerprint as browsers show it."""
        digest = hashlib.sha256(self._own()).hexdigest().upper()
        return ":".join(digest[at : at + 2] for at in range(0, len(digest), 2))

    def age(self) -> tuple[int, int]:
        """A value that changes when one of the files changes."""
        return self.chain.stat().st_mtime_ns, self.key.stat().st_mtime_ns

    def _own(self) -> bytes:
        """The first certificate of the chain, which is ours. Raises BadCertificate."""
        try:
            text = self.chain.read_text("ascii")
            end = text.index(ssl.PEM_FOOTER) + len(ssl.PEM_FOOTER)
            return ssl.PEM_cert_to_DER_cert(text[text.index(ssl.PEM_HEADER) : end])
        except OSError as error:
            raise BadCertificate(f"Cannot read {self.chain}: {error.strerror}.") from None
        except ValueError:
            raise BadCertificate(f"{self.chain} holds no certificate; it has to be in PEM.") from None

    def _try_out(self) -> None:
        """Makes a handshake in memory with a client that trusts only this certificate."""
        own = self._own()
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            server.load_cert_chain(self.chain, self.key, password=lambda: "")
        except ssl.SSLError as error:
            why = "do not belong together" if "MISMATCH" in str(error.reason) else "cannot be used"
            raise BadCertificate(
                f"{self.chain} and {self.key} {why} ({error.reason}); the key may have no passphrase."
            ) from None
        except OSError as error:
            raise BadCertificate(f"Cannot read {self.key}: {error.strerror}.") from None
        visitor = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        visitor.check_hostname = False
        visitor.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
        visitor.load_verify_locations(cadata=own)
        try:
            _shake_hands(visitor, server)
        except ssl.SSLCertVerificationError as error:
            raise BadCertificate(
                f"{self.chain} is no good: {error.verify_message}. Renew it, or say --tls auto."
            ) from None


def _shake_hands(visitor: ssl.SSLContext, server: ssl.SSLContext) -> None:
    to_server, to_visitor = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = [
        visitor.wrap_bio(to_visitor, to_server),
        server.wrap_bio(to_server, to_visitor, server_side=True),
    ]
    for _ in range(4):  # TLS 1.3 needs two messages from each side
        for side in sides:
            with suppress(ssl.SSLWantReadError):
                side.do_handshake()


async def keep_fresh(
    certificate: Certificate, context: ssl.SSLContext, seconds: float = _LOOK_SECONDS
) -> None:
    """Reloads a renewed certificate for new connections; runs until cancelled."""
    age = certificate.age()
    while True:
        await asyncio.sleep(seconds)
        try:
            if age == (age := certificate.age()):
                continue
            certificate.put_into(context)
        except (BadCertificate, OSError) as why:
            log.warning("the new certificate is not used", why=str(why))
        else:
            log.info("the certificate was renewed", fingerprint=certificate.fingerprint())


def of_our_own(folder: Path, addresses: Iterable[Address]) -> Certificate:
    """A self-signed certificate: the stored one if it is still valid, otherwise a new one. Raises
    BadCertificate.
    """
    certificate = Certificate(folder / "tls-certificate.pem", folder / "tls-key.pem")
    try:
        certificate.context()
    except BadCertificate:
        _make(certificate, addresses)
        certificate.context()
    return certificate


def _make(certificate: Certificate, addresses: Iterable[Address]) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        raise BadCertificate(
            "--tls auto needs the program openssl: install it, or say --tls-cert and --tls-key."
        )
    machine = socket.gethostname().partition(".")[0]
    names = [f"DNS:{name}" for name in dict.fromkeys(("localhost", machine, f"{machine}.local"))]
    names += [f"IP:{address}" for address in dict.fromkeys(("127.0.0.1", "::1", *map(str, addresses)))]
    command = [
        *(openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
        *("-days", str(_DAYS), "-subj", f"/CN=Tablero on {machine}"),
        *("-addext", f"subjectAltName={','.join(names)}", "-addext", "basicConstraints=critical,CA:FALSE"),
        *("-addext", "extendedKeyUsage=serverAuth"),
        *("-keyout", str(certificate.key), "-out", str(certificate.chain)),
    ]
    try:
        certificate.key.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(certificate.key, os.O_WRONLY | os.O_CREAT, 0o600))
        certificate.key.chmod(0o600)
        subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - our own words, no shell
    except OSError as error:
        raise BadCertificate(
            f"Cannot keep a certificate in {certificate.key.parent}: {error.strerror}."
        ) from None
    except subprocess.CalledProcessError as error:
        raise BadCertificate(f"openssl makes no certificate: {error.stderr.strip()[-300:]}") from None
