"""The address of a server, read from a person's text."""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import parse_qs, urlsplit, urlunsplit

from tablero.catalogue.speech import sentence, translate

DEFAULT = "ws://127.0.0.1:8470/ws"
PORT = 8470
_NAME = re.compile(r"(?=.*[A-Za-z])[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+\.?")
_CODE = re.compile(r"/([0-9a-hj-km-np-tv-z]{4}-[0-9a-hj-km-np-tv-z]{4})$", re.IGNORECASE)
"""A table code at the end of a link. Codes lack some letters, so few folders look like one."""
_GO = re.compile(r"go=([!-~]{1,20})")
_AT_HOME = (".localhost", ".local", ".lan", ".internal", ".home.arpa")


def websocket_url(text: str) -> str:
    """The address of the socket for ws(s)://, http(s)://, HOST:PORT or HOST. Raises ValueError.

    A public name without a scheme is a web site's name, so it means https.
    """
    if is_public_name(text.rstrip("/")):
        text = f"https://{text}"
    parts = urlsplit(text if "://" in text else f"//{text}", scheme="ws")
    scheme = {"http": "ws", "https": "wss"}.get(parts.scheme, parts.scheme)
    if scheme not in ("ws", "wss") or not parts.hostname:
        told = sentence("{text} is not an address. Use ws://HOST:PORT, http(s)://HOST or HOST:PORT.")
        raise ValueError(translate(told, text=f"{text!r:.80}"))
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    if parts.port is not None:
        host += f":{parts.port}"
    elif "://" not in text:
        host += f":{PORT}"
    path = _CODE.sub("", parts.path.rstrip("/"))
    return urlunsplit((scheme, host, path if path.endswith("/ws") else f"{path}/ws", "", ""))


def typed(url: str) -> str:
    """The shortest text that a person can type for the address of a socket."""
    parts = urlsplit(url)
    path = parts.path.removesuffix("/ws")
    if parts.scheme == "ws" and parts.port is not None and not path:
        return parts.netloc
    scheme = {"ws": "http", "wss": "https"}.get(parts.scheme, parts.scheme)
    return urlunsplit((scheme, parts.netloc, path, "", ""))


def page(url: str, rest: str = "") -> str:
    """The address of a server's page for browsers. `rest` follows its last slash."""
    parts = urlsplit(url)
    scheme = {"ws": "http", "wss": "https"}.get(parts.scheme, parts.scheme)
    return urlunsplit((scheme, parts.netloc, f"{parts.path.removesuffix('/ws')}/", "", "")) + rest


def join_code(text: str) -> str | None:
    """The code in the link of a table, "…/CODE" or "…?join=CODE"."""
    parts = urlsplit(text if "://" in text else f"//{text}")
    asked = next(iter(parse_qs(parts.query).get("join", [])), None)
    found = _CODE.search(parts.path.rstrip("/"))
    return asked or (found and found[1])


def hand_over_code(text: str) -> str | None:
    """The code in a link "…#go=CODE", with which a player continues on another device."""
    found = _GO.fullmatch(urlsplit(text).fragment)
    return found and found[1]


def looks_like_address(text: str) -> bool:
    """Whether this is a server's address rather than a room's code."""
    return any(mark in text for mark in ":./") or text == "localhost"


def is_this_machine(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def one_spelling(url: str) -> str:
    """The address with one spelling for this machine, which people type as `localhost`, `127.0.0.1`
    or `[::1]`.
    """
    parts = urlsplit(url)
    if not is_this_machine(url):
        return url
    return urlunsplit(parts._replace(netloc="127.0.0.1" + (f":{parts.port}" if parts.port else "")))


def is_public(url: str) -> bool:
    """Whether strangers could sit between us and this address."""
    host = urlsplit(url).hostname or ""
    try:
        address = ip_address(host)
    except ValueError:
        return is_public_name(host)
    return not (address.is_private or address.is_loopback or address.is_link_local)


def is_public_name(host: str) -> bool:
    """Whether `host` is a name that public DNS can know."""
    return _NAME.fullmatch(host) is not None and not host.lower().endswith(_AT_HOME)
