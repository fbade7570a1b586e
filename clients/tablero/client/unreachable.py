"""Why no connection came about, in sentences that say what to do."""

from __future__ import annotations

from socket import gaierror
from ssl import SSLCertVerificationError, SSLError
from urllib.parse import urlsplit

from websockets.exceptions import InvalidHandshake, InvalidStatus

from .addresses import is_this_machine

_SAYS_WHY = (421, 429, 503)
"""The statuses with which a Tablero server itself sends somebody away, in a sentence."""


def why_unreachable(url: str, error: Exception) -> str:
    host = urlsplit(url).hostname
    match error:
        case SSLCertVerificationError():
            advice = "Check the address, or ask whoever runs the server."
            return f"The certificate of {host} is not trusted ({error.verify_message}). {advice}"
        case SSLError():
            return f"{url} does not speak TLS. If the server has none, write ws:// or http://."
        case gaierror():
            return f"No host is called {host} ({error.strerror}). Check the address, and your network."
        case InvalidStatus() if error.response.status_code in _SAYS_WHY and error.response.body:
            return error.response.body.decode("utf-8", "replace").strip()
        case InvalidHandshake():
            advice = "Check the address; if it wants TLS, write wss:// or https://."
            return f"{url} answers, but not as a Tablero server ({error}). {advice}"
        case OSError():
            here = is_this_machine(url)
            advice = (
                "Start a server with: tablero serve" if here else "Check the address; does the server run?"
            )
            return f"No server answers at {url} ({_reason(error)}). {advice}"
    return f"No server can be reached at {url} ({_reason(error)})."


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "it did not answer in time"
    return f"{type(error).__name__}: {error}"
