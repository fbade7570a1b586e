"""Whether the server on this machine answers: exit code 0 or 1, for a container that has no curl."""

from __future__ import annotations

import os
import ssl
import sys
from http.client import HTTPConnection, HTTPException, HTTPSConnection

LOOPBACK = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - listened on, not connected to
"""The address to ask if a server listens on every address."""


def answers(host: str, port: int, seconds: float = 2.0, *, secure: bool = False) -> bool:
    """Whether /healthz of `host`:`port` says that all is well, within `seconds`."""
    if secure:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # it is ours, whatever its name
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
    """Asks the address that TABLERO_HOST and TABLERO_PORT name, by TLS if the server was told to speak it."""
    host = os.environ.get("TABLERO_HOST", "")
    port = int(os.environ.get("TABLERO_PORT") or 8470)
    secure = os.environ.get("TABLERO_TLS") == "auto" or bool(os.environ.get("TABLERO_TLS_CERT"))
    return 0 if answers(LOOPBACK.get(host, host), port, secure=secure) else 1


if __name__ == "__main__":
    sys.exit(main())
