"""Connections before they are a WebSocket: counted, read once, refused or passed on.

Law: a newcomer can always connect. Each address has a limited number of open connections. A connection that
has sent no request, or does not read its answer, is closed when another connection needs its place.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import structlog

from ..core.refusal import Refusal
from .addresses import Address, AddressLimits, Network, caller_of, is_in, read_address
from .descriptors import MOST_TURNED_AWAY
from .http import BROKEN, MOST_BODY_BYTES, NO_REQUEST, Rejection, Request, read
from .http_connection import HttpConnection
from .names import Names
from .security_log import SecurityLog

log = structlog.get_logger("tablero.arrivals")

TOO_MANY = Rejection(
    429, "Too many connections come from your address; try again soon.", {"Retry-After": "10"}
)
_OTHER_NAME = Rejection(
    421,
    "Unknown host name: use the server's address, or add the name to TABLERO_NAMES.",
)
_TOO_LONG = Rejection(
    413,
    json.dumps(Refusal("recordTooLong", most=MOST_BODY_BYTES).told()),
    {"Content-Type": "application/json; charset=utf-8"},
)
_TURNED_AWAY_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Visitor:
    """A request with its sender."""

    connection: HttpConnection
    request: Request
    address: Address
    caller: str | None
    """The address by which the visitor is limited, or None."""
    host: str
    """The server's name in the request, with the port: one of the accepted names."""
    secure: bool
    """Whether the visitor uses TLS to us or to a proxy."""
    base: str = "/"
    """The path below which visitors see the server."""

    def has_our_origin(self, others: frozenset[str]) -> bool:
        """Whether the request comes from our own page, from one of `others`, or from no browser: browsers
        send an Origin.
        """
        ours = {f"{scheme}://{self.host}" for scheme in ("http", "https")}
        return all(origin in others | ours for origin in self.request.headers.get_all("Origin"))


Handshake = Callable[[Visitor], Rejection | None]
"""A function that turns a visitor into a WebSocket. Returns a refusal, or None on success."""


def below(base: str, head: bytes) -> bytes:
    """The request with the path `base` removed, as if the proxy had removed it."""
    method, space, rest = head.partition(b" ")
    path = base.encode()
    return method + space + rest[len(path) - 1 :] if rest.startswith(path) else head


class Arrivals:
    def __init__(
        self,
        limits: AddressLimits,
        proxies: Sequence[Network],
        names: Names,
        security: SecurityLog,
        most: int,
        seconds: float,
        handshakes: Mapping[str, Handshake],
        page: Callable[[Visitor], asyncio.Protocol],
        base: str = "/",
    ) -> None:
        self._limits = limits
        self._proxies = proxies
        self._names = names
        self._security = security
        self._most = most
        self._seconds = seconds
        self._handshakes = handshakes
        """The handshakes by path; all other paths are pages."""
        self._page = page
        self._base = base
        self._visitors: dict[HttpConnection, str | None] = {}
        """The key under which each connection is counted; the oldest connection comes first."""
        self._turned_away: dict[HttpConnection, None] = {}
        self._warned = False
        """Whether the log has a warning about an unlisted proxy."""

    def connection(self) -> HttpConnection:
        """A new connection for a listening socket."""
        return HttpConnection(self, self._seconds)

    def stop(self) -> None:
        for connection in (*self._visitors, *self._turned_away):
            connection.abort()

    def arrived(self, connection: HttpConnection) -> None:
        if connection.peer is None:
            connection.abort()
            return
        address = read_address(connection.peer)
        # behind a proxy, the caller's address is in the head
        caller = None if is_in(address, self._proxies) else self._limits.limited(address)
        if not self._limits.arrive(caller):
            self._turn_away(connection, address)
            return
        self._visitors[connection] = caller
        if len(self._visitors) > self._most:
            oldest = next(iter(self._visitors))
            self.left(oldest)
            oldest.abort()

    def asked(self, connection: HttpConnection, head: bytes) -> None:
        if connection not in self._visitors:
            return
        assert connection.peer is not None
        head = below(self._base, head)
        address, request = read_address(connection.peer), read(head)
        if request is None:
            self._security.note("not a request", str(address), NO_REQUEST.status)
            connection.refuse(NO_REQUEST)
            return
        host, secure = request.header("Host"), connection.secure
        if is_in(address, self._proxies):
            host = request.header("X-Forwarded-Host") or host
            secure = request.header("X-Forwarded-Proto").rpartition(",")[2].strip() == "https"
            forwarded = request.headers.get_all("X-Forwarded-For")
            address = caller_of(connection.peer, forwarded, self._proxies)
            caller = self._limits.limited(address)
            if not self._limits.arrive(caller):
                self._security.note("connection refused", str(address), 429)
                connection.refuse(TOO_MANY)
                return
            self._visitors[connection] = caller
        elif "X-Forwarded-For" in request.headers:
            self._warn_of_proxy(address)
        if host and not self._names.answer_to(host):
            self._security.note("connection refused", str(address), 421, host=host[:200])
            connection.refuse(_OTHER_NAME)
            return
        # otherwise the page's relative links would lead one folder too high
        if f"{request.path}/" == self._base:
            connection.refuse(Rejection(308, f"It is at {self._base}.", {"Location": self._base}))
            return
        caller = self._visitors[connection]
        if request.body_bytes > MOST_BODY_BYTES:
            connection.refuse(_TOO_LONG)
            return
        visitor = Visitor(connection, request, address, caller, host, secure, self._base)
        try:
            self._pass_on(visitor, head)
        except Exception as error:  # a bug of ours costs only this request, and is logged
            log.error("a request broke something", path=request.path[:200], exc_info=error)
            connection.refuse(BROKEN)

    def handed_over(self, connection: HttpConnection) -> None:
        """Counts the connection under its key until its new owner reports its end."""
        del self._visitors[connection]

    def left(self, connection: HttpConnection) -> None:
        self._turned_away.pop(connection, None)
        if connection in self._visitors:
            self._limits.leave(self._visitors.pop(connection))

    def _pass_on(self, visitor: Visitor, head: bytes) -> None:
        handshake = self._handshakes.get(visitor.request.path)
        if handshake is None:
            visitor.connection.answer_by(self._page(visitor), head, visitor.request.body_bytes)
        elif (refusal := handshake(visitor)) is not None:
            visitor.connection.refuse(refusal, with_body=visitor.request.method != "HEAD")

    def _turn_away(self, connection: HttpConnection, address: Address) -> None:
        self._security.note("connection refused", str(address), 429)
        self._turned_away[connection] = None
        connection.refuse(TOO_MANY, seconds=_TURNED_AWAY_SECONDS)
        if len(self._turned_away) > MOST_TURNED_AWAY:
            oldest = next(iter(self._turned_away))
            del self._turned_away[oldest]
            oldest.abort()

    def _warn_of_proxy(self, address: Address) -> None:
        """Warns of an unlisted proxy, but only once, because strangers can pretend to be one."""
        if not self._warned:
            self._warned = True
            log.warning(
                "a proxy that is not listed forwards visitors: all of them count as this one address"
                + (", which has no limits" if self._limits.limited(address) is None else ""),
                address=str(address),
                see="TABLERO_TRUSTED_PROXIES",
            )
