"""The reason why a connection failed, in sentences that say what to do."""

from __future__ import annotations

from socket import gaierror
from ssl import SSLCertVerificationError, SSLError
from urllib.parse import urlsplit

from websockets.exceptions import InvalidHandshake, InvalidStatus

from tablero.catalogue.speech import sentence, translate

from .addresses import is_this_machine

_SAYS_WHY = (421, 429, 503)
"""HTTP statuses with which a Tablero server refuses a connection, as a sentence."""


def why_unreachable(url: str, error: Exception) -> str:
    host = urlsplit(url).hostname
    match error:
        case SSLCertVerificationError():
            why = error.verify_message
            trouble = translate("The certificate of {host} is not trusted ({why}).", host=host, why=why)
            return f"{trouble} {translate('Check the address, or ask the host.')}"
        case SSLError():
            trouble = translate("{url} doesn't use TLS.", url=url)
            return f"{trouble} {translate('Without TLS, use ws:// or http://.')}"
        case gaierror():
            trouble = translate("Host {host} not found ({why}).", host=host, why=error.strerror)
            return f"{trouble} {translate('Check the address and your network.')}"
        case InvalidStatus() if error.response.status_code in _SAYS_WHY and error.response.body:
            return translate(error.response.body.decode("utf-8", "replace").strip())
        case InvalidHandshake():
            trouble = translate("{url} is not a Tablero server ({why}).", url=url, why=error)
            return f"{trouble} {translate('Check the address. For TLS, use wss:// or https://.')}"
        case OSError():
            trouble = translate("No server answers at {url} ({why}).", url=url, why=_reason(error))
            if is_this_machine(url):
                return f"{trouble} {translate('Start a server with: tablero serve')}"
            return f"{trouble} {translate('Check the address and that the server is running.')}"
    return translate("Can't reach a server at {url} ({why}).", url=url, why=_reason(error))


SENT_AWAY = (
    sentence("Too many connections come from your address; try again soon."),
    sentence("The server is full; try again soon."),
    sentence("Unknown host name: use the server's address, or add the name to TABLERO_NAMES."),
)
"""Sentences for a closed connection that came without a reason."""


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return translate("no answer in time")
    return f"{type(error).__name__}: {error}"
