"""A listening socket whose new connections start with a TLS handshake.

Law: each connection counts from its start, as without TLS, and its handshake has a time limit.
"""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from .http_connection import HttpConnection

_BACKLOG = 1_024
_REST_SECONDS = 0.1
"""The pause after a failed accept: the client has left, or the process has too many open files."""


class TlsListener:
    """A listener made by `opened`. After closing, running handshakes continue."""

    def __init__(
        self,
        sockets: list[socket.socket],
        newcomer: Callable[[], HttpConnection],
        context: ssl.SSLContext,
        seconds: float,
    ) -> None:
        self.sockets = sockets
        self._newcomer = newcomer
        self._context = context
        self._seconds = seconds
        self._accepting = [asyncio.create_task(self._accept(each)) for each in sockets]
        self._handshakes: set[asyncio.Task[None]] = set()

    @classmethod
    async def opened(
        cls,
        newcomer: Callable[[], HttpConnection],
        host: str,
        port: int,
        context: ssl.SSLContext,
        seconds: float,
    ) -> TlsListener:
        """Opens a listening socket. Raises OSError."""
        loop, sockets = asyncio.get_running_loop(), list[socket.socket]()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        try:
            for family, kind, protocol, _, address in dict.fromkeys(found):
                listening = socket.socket(family, kind, protocol)
                sockets.append(listening)
                if os.name == "posix" and sys.platform != "cygwin":
                    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                listening.setblocking(False)
                listening.bind(address)
                listening.listen(_BACKLOG)
        except OSError:
            for each in sockets:
                each.close()
            raise
        return cls(sockets, newcomer, context, seconds)

    def close(self) -> None:
        for task in self._accepting:
            task.cancel()
        for listening in self.sockets:
            listening.close()

    async def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                accepted, name = await asyncio.get_running_loop().sock_accept(listening)
            except OSError:
                await asyncio.sleep(_REST_SECONDS)
                continue
            connection = self._newcomer()
            handshake = asyncio.create_task(self._shake_hands(connection, accepted))
            self._handshakes.add(handshake)
            handshake.add_done_callback(self._handshakes.discard)
            connection.accepted(name[0], partial(_cut, accepted))

    async def _shake_hands(self, connection: HttpConnection, accepted: socket.socket) -> None:
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: connection,
                accepted,
                ssl=self._context,
                ssl_handshake_timeout=self._seconds,
            )
        except OSError:  # the client uses no TLS, has left, was cut off or took too long
            connection.never_came()


def _cut(accepted: socket.socket) -> None:
    """Makes the handshake fail at once."""
    with suppress(OSError):
        accepted.shutdown(socket.SHUT_RDWR)
