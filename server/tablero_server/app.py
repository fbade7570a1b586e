"""The server as a process: its one port for sockets and pages, its start, its loops and its end."""

from __future__ import annotations

import asyncio
import errno
import gc
import secrets
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import structlog
from aiohttp import web

from . import logs
from .core.hub import Hub
from .host.commands import HostCommands
from .host.files import Audit, beside, place
from .host.site import HostSite, NoHostPages
from .http import own_wheel, reading_pages
from .http.askers import Askers
from .http.pages import Pages
from .http.record_pages import OwnGames, RecordPages
from .http.replay_pages import ReplayPages
from .http.result_pages import ResultPages
from .http.web_client import web_client
from .journal import BadDatabase, JournalBroken, open_journal
from .journal.journal import Journal
from .journal.opening import data_folder, database_file
from .journal.sqlite import SqliteJournal
from .operations.configuration import WrongSettings, read_settings
from .operations.service_manager import ServiceManager
from .processes.search_pool import SearchPool
from .reach.certificate import BadCertificate, Certificate, keep_fresh, of_our_own
from .reach.exposure import Exposed, check, listened_on, opened_by
from .reach.greeting import Where, lan_lines, lines, qr_code
from .reach.neighbours import Beacon, Neighbour, Neighbours
from .reach.own_addresses import Address, OwnAddress, behind_a_bridge, leading_to, own_addresses
from .service import Service
from .settings import Settings
from .supervisor import BotKey, NoKey, keep_bot_host, read_or_make
from .wire.addresses import read_networks
from .wire.arrivals import Arrivals
from .wire.descriptors import connections_that_fit, most_visitors
from .wire.names import Names
from .wire.network import Network
from .wire.ports import open_free
from .wire.security_log import SecurityLog
from .wire.tls_listener import TlsListener

log = structlog.get_logger("tablero.app")

_SEND_BUFFER_BYTES = 65_536
_RECEIVE_BUFFER_BYTES = 32_768


class Server:
    """Everything that serves one port. Tests start it in their own loop."""

    def __init__(
        self,
        settings: Settings,
        journal: Journal | None = None,
        bot_key: BotKey | None = None,
        admin: Path | None = None,
        certificate: Certificate | None = None,
        host_pages: tuple[str, int] | None = None,
    ) -> None:
        self.settings = settings
        self._bot_key = bot_key
        self.certificate = certificate
        self.port = settings.port
        self.journal = journal or SqliteJournal()
        key = "" if bot_key is None else bot_key.text
        hub = Hub(secrets.token_bytes, settings.limits, key, settings.entry_policy)
        now, addresses = steady_milliseconds(), settings.address_limits()
        security = SecurityLog(now)
        self.network = Network(settings, now, addresses, security)
        service = self.service = Service(hub, self.journal, SearchPool(), now, self.network)
        self._commands = HostCommands(service, self.network, settings, Audit(beside(admin, "audit")))
        token = beside(admin, "token")
        chosen = "admin_address" in settings.model_fields_set
        self.host_site = HostSite(service, self.network, self._commands, token, host_pages, chosen, admin)
        self.neighbours = Neighbours()
        askers = Askers(service, players_only=settings.public_pages == "off")
        records = RecordPages(service, self.journal, askers)
        self._replays = ReplayPages(service, records, askers, settings.allowed_origins)
        routes = [
            web.get("/healthz", _alive),
            web.get("/readyz", self._ready),
            web.get("/certificate", self._own_certificate),
            *reading_pages.routes(),
            *own_wheel.routes(),
            *records.routes(),
            *OwnGames(service, self.journal, records, askers).routes(),
            *self._replays.routes(),
            *ResultPages(service, self._others_nearby, askers).routes(),
            *web_client().routes(),
        ]
        self._pages = Pages(routes, security, web_client().wrong_link)
        self.arrivals = Arrivals(
            addresses,
            read_networks(settings.trusted_proxies),
            Names(settings.public_names, socket.gethostname()),
            security,
            most_visitors(settings.connections),
            settings.hello_seconds,
            {"/ws": self.network.websocket},
            self._pages.page,
            settings.base_path,
        )
        self._bots: asyncio.Task[None] | None = None
        self._bots_listener: asyncio.Server | None = None
        self._renewing: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self.service.start(await self.journal.load(self.settings.limits.session_memory_ms))
        self.network.start(self.service)
        await self._pages.start()
        loop = asyncio.get_running_loop()
        context = None if self.certificate is None else self.certificate.context()
        here = self.arrivals.connection, self.settings.listen_on

        async def listener(port: int) -> asyncio.Server | TlsListener:
            if context is None:
                return await loop.create_server(*here, port, backlog=1_024)
            return await TlsListener.opened(*here, port, context, self.settings.hello_seconds)

        chosen = "port" in self.settings.model_fields_set
        self._listener = await open_free(self.settings.port, chosen, listener)
        self.port = self._commands.port = self._listener.sockets[0].getsockname()[1]
        if self.certificate is not None and context is not None:
            self._renewing = asyncio.create_task(keep_fresh(self.certificate, context))
        for listening in self._listener.sockets:
            # Each connection inherits this buffer size. Messages that a client doesn't read wait in our
            # outbox, not in the kernel.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER_BYTES)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER_BYTES)
        await self.host_site.start()
        if self.settings.bots:
            key = None if self._bot_key is None else self._bot_key.file
            url = f"ws://{await self._place_for_bots()}/ws"
            pace, greetings = self.settings.bot_pace, self.settings.bot_greetings
            self._bots = asyncio.create_task(keep_bot_host(url, key, pace, greetings))

    async def _place_for_bots(self) -> str:
        """The address for our own bots: with TLS a port on localhost, because the bots don't trust the
        certificate.
        """
        if self.certificate is None:
            return f"{_reachable(self.settings.listen_on)}:{self.port}"
        loop = asyncio.get_running_loop()
        self._bots_listener = await loop.create_server(self.arrivals.connection, "127.0.0.1", 0)
        return f"127.0.0.1:{self._bots_listener.sockets[0].getsockname()[1]}"

    def known_addresses(self) -> list[Address]:
        """The addresses at which others reach the server now."""
        bound = [listening.getsockname()[0] for listening in self._listener.sockets]
        return leading_to(bound, own_addresses())

    def _others_nearby(self) -> list[Neighbour]:
        own = [each for each in self.known_addresses() if each.version == 4]
        return self.neighbours.others(self.port, own)

    async def broken(self) -> None:
        """Raises an error if a loop has ended that must never end while the server runs."""
        await self.service.broken(self.network.ticking)

    async def stop(self) -> None:
        """Stops arrivals, says goodbye to all, and stops the bots and the journal."""
        self._listener.close()
        if self._bots_listener is not None:
            self._bots_listener.close()
        if self._renewing is not None:
            self._renewing.cancel()
        await self.host_site.stop()
        self.network.stopping = True
        await self.service.say_goodbye()
        await self.network.stop()
        await self.service.stop()
        if self._bots is not None:
            self._bots.cancel()
            with suppress(asyncio.CancelledError):
                await self._bots
        self.arrivals.stop()
        await self._pages.stop()
        await self._replays.stop()
        await self.journal.close()

    async def _ready(self, request: web.Request) -> web.Response:
        if self.network.stopping:
            return web.json_response({"ready": False, "why": "it stops"}, status=503)
        if not self.service.can_save:
            return web.json_response({"ready": False, "why": "it cannot save"}, status=503)
        authority = self.service.hub.authority
        if authority.draining:
            drains = {"ready": False, "why": "it drains", "games": authority.running()}
            return web.json_response(drains, status=503)
        return web.json_response({"ready": True})

    async def _own_certificate(self, request: web.Request) -> web.Response:
        """The certificate that a visitor's browser may have warned about."""
        warned_of = self.certificate if self.settings.tls == "auto" else None
        return web.json_response({"sha256": None if warned_of is None else warned_of.fingerprint()})


async def _alive(request: web.Request) -> web.Response:
    return web.json_response({"alive": True})


def steady_milliseconds() -> Callable[[], int]:
    """A clock for records and for thinking time: wall-clock time that never jumps while the process runs."""
    offset = time.time() - time.monotonic()
    return lambda: int((time.monotonic() + offset) * 1000)


def serve(**options: Any) -> int:
    """Runs the server until it is told to stop. Returns the exit code."""
    try:
        settings = read_settings(**options)
    except WrongSettings as wrong:
        print(wrong, file=sys.stderr)
        return 2
    logs.set_up(settings.log, settings.log_level)
    fit = connections_that_fit(settings.connections)
    settings = settings.model_copy(update={"connections": fit})
    with asyncio.Runner(loop_factory=_fast_loop()) as runner:
        try:
            return runner.run(_serve(settings))
        except Exposed as exposed:
            print(exposed, file=sys.stderr)
            return 2
        except (BadDatabase, BadCertificate, NoKey, NoHostPages) as bad:
            print(bad, file=sys.stderr)
            return 1
        except OSError as error:
            print(_why_not_listening(settings, error), file=sys.stderr)
            return 1


def _why_not_listening(settings: Settings, error: OSError) -> str:
    which = f"{settings.listen_on}:{settings.port}"
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return (
            f"This machine has no address {settings.listen_on}. "
            "Choose another --host; 0.0.0.0 is all that it has."
        )
    if error.errno == errno.EACCES:
        return f"Cannot listen on {which}: {error.strerror}. Choose a --port above 1023."
    return f"Cannot listen on {which}: {error.strerror}. Choose another --port."


async def _started(settings: Settings) -> Server:
    own = own_addresses()
    reached = check(settings, listened_on(settings.listen_on), own)
    if reached:
        log.warning(
            "no TLS and no trusted proxy: anyone on the way can read tokens and moves",
            addresses=[str(address) for address in reached],
            see="--tls, TABLERO_TRUSTED_PROXIES",
        )
    certificate = _certificate(settings, own)
    journal = await open_journal(settings.database)
    server = Server(settings, journal, _bot_key(settings), place(settings), certificate, settings.host_pages)
    await server.start()
    return server


async def _serve(settings: Settings) -> int:
    told_to_stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, told_to_stop.set)
    told, starting = asyncio.create_task(told_to_stop.wait()), asyncio.create_task(_started(settings))
    await asyncio.wait({told, starting}, return_when=asyncio.FIRST_COMPLETED)
    if not starting.done():  # no one has connected yet, and stored data is safe
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
        log.info("stopped while starting")
        return 0
    server = starting.result()
    # Objects made during the start stay. Objects of games live long and are rarely in cycles. So the
    # collector looks at each of them once, while it is in the processor's cache, and again only after 100
    # million more.
    gc.freeze()
    gc.set_threshold(20_000, 5_000, 1000)
    beacon = _greet(server)
    manager = ServiceManager()
    manager.ready(f"{settings.listen_on}:{server.port}")
    broken = asyncio.create_task(server.broken())
    drained = asyncio.create_task(server.service.drained.wait())
    await asyncio.wait({told, broken, drained}, return_when=asyncio.FIRST_COMPLETED)
    if broken.done():
        # The server can't keep its promises any more. End with an error, so that the service manager restarts
        # it.
        if isinstance(why := broken.exception(), JournalBroken):
            log.critical("the server stops", why=str(why))
        else:
            log.critical("a server loop ended", exc_info=why)
        return 1
    broken.cancel()
    drained.cancel()
    log.info("stopping", why="told to stop" if told.done() else "the last game is over")
    manager.stopping()
    if beacon is not None:
        await beacon.stop()
    await server.stop()
    return 0


def _certificate(settings: Settings, own: list[OwnAddress]) -> Certificate | None:
    """The certificate, checked before the server opens a port or a file. Raises BadCertificate."""
    if settings.tls_cert:
        certificate = Certificate(Path(settings.tls_cert), Path(settings.tls_key))
        certificate.context()
        return certificate
    if settings.tls == "auto":
        file = database_file(settings.database) if settings.database != "memory" else None
        folder = data_folder() if file is None else file.parent
        return of_our_own(folder, [each.address for each in own])
    return None


def _greet(server: Server) -> Beacon | None:
    """Prints the start messages. With `lan`, also announces the server until the beacon stops."""
    settings = server.settings
    where = Where(
        here=f"{_reachable(settings.listen_on)}:{server.port}",
        others=server.known_addresses(),
        port=server.port,
        bridged=behind_a_bridge(),
        lan=settings.lan,
        secure=server.certificate is not None,
        path=settings.base_path,
        host_page=server.host_site.address,
    )
    told = lines(where, _program())
    if server.port != settings.port and "port" not in settings.model_fields_set:
        told.append(f"Port {settings.port} is taken, so it took the next free one; --port chooses another.")
    if server.certificate is not None:
        told.append(f"Its certificate has the SHA-256 fingerprint  {server.certificate.fingerprint()}")
    if settings.lan:
        told += lan_lines(where, opened_by(server.port))
        if where.links:
            told += qr_code(where.links[0], sys.stdout.encoding or "ascii", coloured=sys.stdout.isatty())
    print("\n".join([*told, "Stop with Ctrl-C."]), flush=True)
    if not settings.lan:
        return None
    beacon = Beacon(
        socket.gethostname(),
        server.port,
        lambda: [each for each in server.known_addresses() if each.version == 4],
        secure=where.secure,
        path=where.path,
        neighbours=server.neighbours,
    )
    beacon.start()
    return beacon


def _bot_key(settings: Settings) -> BotKey | None:
    """The key of the host's own bots; None if bots are off. Raises NoKey for an unusable file that the host
    chose.
    """
    if not (settings.bots or settings.bot_key):
        return None
    try:
        return read_or_make(settings.bot_key)
    except NoKey as why:
        if settings.bot_key:
            raise
        log.warning("this host's bots have the limits of guests' bots", why=str(why))
        return None


def _program() -> str:
    """The command that runs this `tablero`, also in a virtual environment."""
    if shutil.which("tablero"):
        return "tablero"
    return sys.argv[0] if sys.argv[0].endswith("tablero") else f"{sys.executable} -m tablero"


def _reachable(host: str) -> str:
    """The address of the server for programs on this machine."""
    return {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104 - read, not bound


def _fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
