"""The socket of a client: the only module here that uses asyncio and websockets."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import suppress
from random import SystemRandom
from time import monotonic
from types import TracebackType
from typing import Any, Literal, Protocol

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_connection
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.typing import Subprotocol

from tablero.catalogue.refusals import in_words
from tablero.catalogue.speech import sentence, translate
from tablero_protocol.codec import CODECS, MAX_SERVER_FRAME, Codec, Frame, ProtocolError, server_message
from tablero_protocol.codes import Code
from tablero_protocol.messages import BotCard, Seq, ServerMessage
from tablero_protocol.scan import FROM_SERVER

from ..bots.threads import Thinkers
from ..errors import Disconnected, InsecureServer, Refused
from .addresses import is_public, websocket_url
from .client import Client
from .greeting import Greeting
from .session import Session
from .shell import Promise
from .unreachable import why_unreachable

log = logging.getLogger(__name__)

CLIENT = "tablero-python"
HEARTBEAT = 0.25
"""Seconds between two looks at the clock."""
PATIENCE = 5.0
"""Maximum seconds for a socket to open or to take a message."""


class Socket(Protocol):
    """A socket that carries frames to a server and back. Raises ConnectionClosed after its end."""

    @property
    def close_code(self) -> int | None: ...

    async def send(self, frame: Frame) -> None: ...

    def __aiter__(self) -> AsyncIterator[Frame]: ...

    async def close(self) -> None: ...

    def abort(self) -> None:
        """Close the socket at once, without a closing handshake."""


OpenSocket = Callable[[str, Codec], Awaitable[Socket]]


class WebSocket(ClientConnection):
    def abort(self) -> None:
        self.transport.abort()


async def open_websocket(url: str, codec: Codec) -> Socket:
    socket = await open_connection(
        url,
        subprotocols=[Subprotocol(codec.subprotocol)],
        compression=None,
        max_size=MAX_SERVER_FRAME,
        ping_interval=None,  # the session pings; two heartbeats would race
        open_timeout=PATIENCE,
        close_timeout=1,
        proxy=True if is_public(url) else None,
        create_connection=WebSocket,
    )
    assert isinstance(socket, WebSocket)
    return socket


class Connection:
    """A connection that a client keeps open. Use it as `async with connect(url, name=...) as client`."""

    now: Callable[[], float]
    wake: Callable[[], None]
    promise: Callable[[], Promise]

    def __init__(
        self,
        url: str,
        session: Session,
        codec: Codec,
        *,
        patient: bool,
        open_socket: OpenSocket,
        clock: Callable[[], float] = monotonic,
        heartbeat: float = HEARTBEAT,
    ) -> None:
        self._url = url
        self._session = session
        self._codec = codec
        self._patient = patient
        self._open_socket = open_socket
        self.now = clock
        self._heartbeat = heartbeat
        self._wake = asyncio.Event()
        self.wake = self._wake.set
        self._greeted = asyncio.Event()
        self._entered = asyncio.Event()
        self._beside: set[asyncio.Task[Any]] = set()
        self._thinkers: Thinkers | None = None
        self._life: asyncio.Task[None] | None = None
        self._socket: Socket | None = None
        """The current socket; None between two sockets."""
        self._failure = translate("No server answers at {url}.", url=url)
        self.client = Client(session, self, url)

    async def __aenter__(self) -> Client:
        self._loop = loop = asyncio.get_running_loop()
        self.promise = loop.create_future
        self._life = life = asyncio.create_task(self._live(), name="tablero")
        greeted = asyncio.create_task(self._greeted.wait())
        try:
            await asyncio.wait([greeted, life], return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            await self._close()
            raise
        finally:
            greeted.cancel()
        if not self._greeted.is_set():
            failure = self._why_not()
            await self._close()
            raise failure
        self._entered.set()
        return self.client

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._close()

    # Methods for the client (see Shell)

    def start(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(coroutine)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)  # of one that fails asyncio logs why

    def post(self, call: Callable[[], None]) -> None:
        try:
            self._loop.call_soon_threadsafe(call)
        except RuntimeError:
            log.debug("The loop is closed; %s comes too late", call)

    def after(self, seconds: float, call: Callable[[], None]) -> None:
        async def call_later() -> None:
            await asyncio.sleep(seconds)
            call()

        self.start(call_later())

    def aside(self, task: Callable[[], None]) -> None:
        if self._thinkers is None:
            self._thinkers = Thinkers()
        self._thinkers.submit(task)

    def finish(self) -> None:
        if self._life is not None:
            self._life.cancel()

    async def ended(self) -> None:
        if self._life is not None:
            await asyncio.wait([self._life])

    # The life of the connection

    async def _live(self) -> None:
        """Connect, again and again."""
        try:
            while True:
                close_code = await self._one_socket()
                wait = self.client.lost(close_code)
                if wait is None or not (self._greeted.is_set() or self._patient):
                    return
                await asyncio.sleep(wait)
        except Exception:
            log.exception("The connection failed for good; this is a mistake in this library")
            self.client.close()  # answers can't come any more

    async def _one_socket(self) -> int | None:
        """Hold one connection from beginning to end. Return its close code, if any."""
        try:
            socket = await self._open_socket(self._url, self._codec)
        except (OSError, InvalidHandshake, InvalidURI, TimeoutError) as error:
            self._failure = why_unreachable(self._url, error)
            return None
        self._socket = socket
        self._session.connected(self.now())
        self._wake.set()
        writer = asyncio.create_task(self._write(socket))
        reader = asyncio.create_task(self._read(socket))
        try:
            await reader
        finally:
            self._socket = None
            writer.cancel()
            await asyncio.wait([writer])
            await socket.close()
        return socket.close_code

    async def _read(self, socket: Socket) -> None:
        """Handle what the server sends, until the connection ends."""
        with suppress(ConnectionClosed):
            async for frame in socket:
                raw = None
                try:
                    raw = self._codec.read(frame, FROM_SERVER)
                    if isinstance(raw, dict):
                        self.client.received.emit(raw)
                    message: ServerMessage | None = server_message(raw)
                except ProtocolError as error:
                    message = self._of_newer_server(raw, error)
                if message is not None:
                    self.client.receive(message)
                self._wake.set()
                if self._session.welcome is not None:
                    self._greeted.set()
                    await self._entered.wait()  # first the application subscribes

    def _of_newer_server(self, raw: Any, error: ProtocolError) -> ServerMessage | None:
        """Read a message that this client doesn't know: only its room and its number there."""
        if error.code is not Code.UNKNOWN_TYPE:
            log.warning("A message was not understood: %s", error.sentence)
            return None
        room, seq = raw.get("room"), raw.get("seq")
        return Seq(room=room, seq=seq) if isinstance(room, str) and isinstance(seq, int) else None

    async def _write(self, socket: Socket) -> None:
        try:
            while (messages := self._session.outgoing(self.now())) is not None:
                self._wake.clear()
                async with asyncio.timeout(PATIENCE):
                    for message in messages:
                        await socket.send(self._codec.pack(message))
                try:
                    async with asyncio.timeout(self._heartbeat):
                        await self._wake.wait()
                except TimeoutError:
                    pass
        except (ConnectionClosed, TimeoutError):
            pass
        socket.abort()

    async def _close(self) -> None:
        self.client.close()
        self.finish()
        for task in self._beside:
            task.cancel()
        await self.ended()
        await asyncio.gather(*self._beside, return_exceptions=True)

    def _why_not(self) -> Exception:
        ended = self.client.ended
        if ended is None:
            return Disconnected(self._failure)
        closed = ended.code.startswith("closed")
        if closed:
            return Disconnected(in_words(ended.reason, ended.fields, ended.sentence))
        return Refused(ended.code, ended.sentence, ended.reason, ended.fields)


def run_main(main: Coroutine[Any, Any, int]) -> int:
    """Run a program and return its exit code. Ctrl-C and SIGTERM are normal ways to end it."""

    async def until_told() -> int:
        task = asyncio.current_task()
        assert task is not None
        with suppress(NotImplementedError):  # this platform has no SIGTERM
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await main

    try:
        return asyncio.run(until_told())
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 0


def connect(
    url: str,
    *,
    name: str | None = None,
    token: str | None = None,
    bot: BotCard | None = None,
    host_key: str | None = None,
    device: str | None = None,
    hand_over: str | None = None,
    rename: bool = True,
    passphrase: str | None = None,
    codec: Literal["msgpack", "json"] = "msgpack",
    insecure: bool = False,
    patient: bool = False,
) -> Connection:
    """Connect to the server at `url`, until the end of the `async with` block.

    `token` makes you the same player as before. `hand_over` is a code from another device and makes you its
    player; `device` is the name of this device. Without `rename`, `name` is only for a newcomer, as is the
    `passphrase` of a server. `bot` says that you are a program, and `host_key` that the server's host runs
    the program. A `patient` client waits for a server that is not running yet. Raises InsecureServer for
    ws:// to a public address, unless `insecure`.
    """
    address = websocket_url(url)
    if address.startswith("ws://") and is_public(address) and not insecure:
        told = sentence("{url} is public and not encrypted. Use wss://, or the option insecure.")
        raise InsecureServer(translate(told, url=address))
    card = bot.model_dump(by_alias=True, exclude_none=True) if bot is not None else None
    greeting = Greeting(
        client=CLIENT,
        name=name,
        rename=rename,
        bot=card,
        host_key=host_key,
        device=device,
        hand_over=hand_over,
        passphrase=passphrase,
    )
    session = Session(SystemRandom(), greeting, None if hand_over else token)
    return Connection(
        address, session, CODECS[f"tablero.v1.{codec}"], patient=patient, open_socket=open_websocket
    )
