"""A health check for containers without curl: asks the server on this machine; exit code 0 or 1."""

from __future__ import annotations

import os
import ssl
import sys
from http.client import HTTPConnection, HTTPException, HTTPSConnection

LOOPBACK = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - listened on, not connected to
"""The address to ask if a server listens on every address."""


def answers(host: str, port: int, seconds: float = 2.0, *, secure: bool = False) -> bool:
    """Whether /healthz of `host`:`port` reports success within `seconds`."""
    if secure:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        # this is our own server, whatever name its certificate has
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection: HTTPConnection = HTTPSConnection(host, port, timeout=seconds, context=context)
    else:
        connection = HTTPConnection(host, port, timeout=seconds)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def main() -> int:
    """Asks the address in TABLERO_HOST and TABLERO_PORT, by TLS if the server uses it. Returns the
    exit code.
    """
    host = os.environ.get("TABLERO_HOST", "")
    port = int(os.environ.get("TABLERO_PORT") or 8470)
    secure = os.environ.get("TABLERO_TLS") == "auto" or bool(os.environ.get("TABLERO_TLS_CERT"))
    return 0 if answers(LOOPBACK.get(host, host), port, secure=secure) else 1


if __name__ == "__main__":
    sys.exit(main())
