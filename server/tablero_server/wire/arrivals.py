"""Everybody who has connected and has no WebSocket: counted, heard once, answered.

Law: a newcomer always gets in. Each address may have so many connections open, whatever they are for, and
whoever has asked for nothing, or takes no answer, makes room for the next one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass

import structlog

from .addresses import Address, AddressLimits, Network, caller_of, is_in, read_address
from .descriptors import MOST_TURNED_AWAY
from .http import NO_REQUEST, Answer, Request, read, sentence
from .http_connection import HttpConnection
from .names import Names
from .security_log import SecurityLog

log = structlog.get_logger("tablero.arrivals")

TOO_MANY = sentence(
    429, "Too many connections come from your address; try again soon.", {"Retry-After": "10"}
)
_OTHER_NAME = sentence(
    421,
    "This server does not answer to that name: use its address, or ask its host to list it in TABLERO_NAMES.",
)
_TURNED_AWAY_SECONDS = 1.0
_BROKEN = sentence(500, "Something went wrong here; the server's log says what.")


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks, and for what."""

    connection: HttpConnection
    request: Request
    address: Address
    caller: str | None
    """The name by which the address is limited, if it is."""
    host: str
    """What the visitor calls this server, port and all; one of its names."""
    secure: bool
    """Whether a proxy does TLS for the visitor."""


Answering = Answer | Coroutine[None, None, Answer] | None
"""None: there is nothing to answer, the connection is a WebSocket now."""


class Arrivals:
    def __init__(
        self,
        limits: AddressLimits,
        proxies: Sequence[Network],
        names: Names,
        security: SecurityLog,
        most: int,
        seconds: float,
        ask: Callable[[Visitor], Answering],
    ) -> None:
        self._limits = limits
        self._proxies = proxies
        self._names = names
        self._security = security
        self._most = most
        self._seconds = seconds
        self._ask = ask
        self._visitors: dict[HttpConnection, str | None] = {}
        """By which name each is counted, the oldest first."""
        self._turned_away: dict[HttpConnection, None] = {}
        self._warned = False
        """Of a proxy that is not listed."""

    def connection(self) -> HttpConnection:
        """What a listening socket makes of each newcomer."""
        return HttpConnection(self, self._seconds)

    def stop(self) -> None:
        for connection in (*self._visitors, *self._turned_away):
            connection.abort()

    def arrived(self, connection: HttpConnection) -> None:
        if connection.peer is None:
            connection.abort()
            return
        address = read_address(connection.peer)
        # For whom a proxy calls it says in the head.
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
        address, request = read_address(connection.peer), read(head)
        if request is None:
            self._security.note("not a request", str(address), 400)
            connection.answer(NO_REQUEST)
            return
        host, secure = request.header("Host"), False
        if is_in(address, self._proxies):
            host = request.header("X-Forwarded-Host") or host
            secure = request.header("X-Forwarded-Proto").rpartition(",")[2].strip() == "https"
            forwarded = request.headers.get_all("X-Forwarded-For")
            address = caller_of(connection.peer, forwarded, self._proxies)
            caller = self._limits.limited(address)
            if not self._limits.arrive(caller):
                self._security.note("connection refused", str(address), 429)
                connection.answer(TOO_MANY)
                return
            self._visitors[connection] = caller
        elif "X-Forwarded-For" in request.headers:
            self._warn_of_proxy(address)
        if host and not self._names.answer_to(host):
            self._security.note("connection refused", str(address), 421, host=host[:200])
            connection.answer(_OTHER_NAME)
            return
        self._answer(Visitor(connection, request, address, self._visitors[connection], host, secure))

    def handed_over(self, connection: HttpConnection) -> None:
        """It is counted on, by the same name; whoever took it says when it ends."""
        del self._visitors[connection]

    def left(self, connection: HttpConnection) -> None:
        self._turned_away.pop(connection, None)
        if connection in self._visitors:
            self._limits.leave(self._visitors.pop(connection))

    def _turn_away(self, connection: HttpConnection, address: Address) -> None:
        self._security.note("connection refused", str(address), 429)
        self._turned_away[connection] = None
        connection.answer(TOO_MANY, seconds=_TURNED_AWAY_SECONDS)
        if len(self._turned_away) > MOST_TURNED_AWAY:
            oldest = next(iter(self._turned_away))
            del self._turned_away[oldest]
            oldest.abort()

    def _warn_of_proxy(self, address: Address) -> None:
        """Once: strangers can say that they are one."""
        if not self._warned:
            self._warned = True
            log.warning(
                "a proxy that is not listed passes its visitors on: all of them count as this one address"
                + (", which nothing limits" if self._limits.limited(address) is None else ""),
                address=str(address),
                see="TABLERO_TRUSTED_PROXIES",
            )

    def _answer(self, visitor: Visitor) -> None:
        try:
            answer = self._ask(visitor)
        except Exception as error:  # a mistake of ours costs the one request, and must not pass unseen
            self._broke(visitor, error)
            return
        if isinstance(answer, Coroutine):
            visitor.connection.work = asyncio.create_task(self._finish(visitor, answer))
        elif answer is not None:
            self._send(visitor, answer)

    async def _finish(self, visitor: Visitor, answer: Coroutine[None, None, Answer]) -> None:
        try:
            self._send(visitor, await answer)
        except Exception as error:
            self._broke(visitor, error)

    def _broke(self, visitor: Visitor, error: Exception) -> None:
        log.error("a request broke something", path=visitor.request.path[:200], exc_info=error)
        self._send(visitor, _BROKEN)

    def _send(self, visitor: Visitor, answer: Answer) -> None:
        visitor.connection.answer(answer, with_body=visitor.request.method != "HEAD")
