"""The servers of one network, by multicast DNS: announces this one, and finds others.

Law: announcements come from strangers. A valid announcement becomes a name in one line, and a link made from
a private address, a port, and a path of plain letters. All other announcements are left out. Everything is
limited in number and size.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv4Address
from typing import Any, NamedTuple

import structlog
from zeroconf import DNSQuestionType, IPVersion, ServiceInfo, ServiceStateChange
from zeroconf import Error as NoAnnouncement
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from tablero_protocol.text import clean

log = structlog.get_logger("tablero.reach")

_LOOK_SECONDS = 15.0
"""The interval of address checks, in seconds: a laptop may change its network while it hosts."""
_MOST_OF_A_MACHINE = 40
"""The most letters of a machine's name."""
SERVICE = "_tablero._tcp.local."
_MOST = 20
"""The most servers that are known."""
_MOST_OF_AN_ADDRESS = 3
"""The most servers at one address."""
_MOST_ASKED = 8
"""The most names that are queried at the same time."""
_MOST_WAITING = 64
"""The most names that wait for a query."""
_ANSWER_MS = 2_000
_MOST_OF_A_NAME = 60
_MOST_OF_A_PATH = 64
_OF_A_PATH = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/")


class Neighbour(NamedTuple):
    name: str
    link: str


class _Place(NamedTuple):
    address: IPv4Address
    port: int
    neighbour: Neighbour


def within_reach(address: IPv4Address) -> bool:
    """Whether the address can be another machine in the local network: not this machine, and not a group of
    machines.
    """
    return address.is_private and not (
        address.is_loopback or address.is_unspecified or address.is_multicast or address.is_reserved
    )


class Neighbours:
    def __init__(self, may_be: Callable[[IPv4Address], bool] = within_reach) -> None:
        self._may_be = may_be
        self._known: dict[str, _Place] = {}
        """The known servers by the name under which each is announced."""
        self._asking: dict[str, asyncio.Task[None]] = {}
        self._waiting: dict[str, None] = {}
        self._browser: AsyncServiceBrowser | None = None

    def watch(self, here: AsyncZeroconf) -> None:
        """Watches the network until `forget`."""

        def heard(service_type: str, name: str, state_change: ServiceStateChange, **_: Any) -> None:
            self._tell(here, name, gone=state_change is ServiceStateChange.Removed)

        # Asks for direct answers: otherwise the same query by `tablero find` would count as a duplicate and
        # get no answer.
        own = DNSQuestionType.QU
        self._browser = AsyncServiceBrowser(here.zeroconf, SERVICE, [heard], question_type=own)

    async def forget(self) -> None:
        """Stops watching and forgets all servers, for example when the network changes."""
        if self._browser is not None:
            await self._browser.async_cancel()
            self._browser = None
        for task in self._asking.values():
            task.cancel()
        await asyncio.gather(*self._asking.values(), return_exceptions=True)
        for each in (self._asking, self._known, self._waiting):
            each.clear()

    def others(self, port: int, own: list[IPv4Address]) -> list[Neighbour]:
        """All other servers; this one listens on `port` at its `own` addresses."""
        found = {
            place.neighbour.link: place.neighbour
            for place in self._known.values()
            if not (place.port == port and place.address in own)
        }
        return sorted(found.values())

    def _tell(self, here: AsyncZeroconf, name: str, *, gone: bool) -> None:
        if gone:
            self._known.pop(name, None)
            self._waiting.pop(name, None)
        elif len(self._waiting) < _MOST_WAITING:
            self._waiting[name] = None
            self._ask_more(here)

    def _ask_more(self, here: AsyncZeroconf) -> None:
        for name in [name for name in self._waiting if name not in self._asking]:
            if len(self._asking) >= _MOST_ASKED:
                return
            del self._waiting[name]
            self._asking[name] = asyncio.create_task(self._ask(here, name))

    async def _ask(self, here: AsyncZeroconf, name: str) -> None:
        try:
            asked = AsyncServiceInfo(SERVICE, name)
            if await asked.async_request(here.zeroconf, _ANSWER_MS):
                self._hear(name, asked)
        finally:
            self._asking.pop(name, None)
        self._ask_more(here)

    def _hear(self, name: str, told: AsyncServiceInfo) -> None:
        self._known.pop(name, None)
        address = next(filter(self._may_be, _addresses(told)), None)
        if address is None or not told.port or len(self._known) >= _MOST:
            return
        if Counter(place.address for place in self._known.values())[address] >= _MOST_OF_AN_ADDRESS:
            return
        facts = told.properties
        scheme = "https" if facts.get(b"tls") == b"1" else "http"
        link = f"{scheme}://{address}:{told.port}{_path(facts.get(b'path'))}"
        shown = clean(name.removesuffix(f".{SERVICE}"))[:_MOST_OF_A_NAME].strip()
        self._known[name] = _Place(address, told.port, Neighbour(shown or str(address), link))


def _addresses(told: AsyncServiceInfo) -> list[IPv4Address]:
    return [
        address
        for address in told.ip_addresses_by_version(IPVersion.V4Only)
        if isinstance(address, IPv4Address)
    ]


def _path(told: bytes | None) -> str:
    path = (told or b"/").decode("latin-1")
    plain = path.startswith("/") and len(path) <= _MOST_OF_A_PATH and _OF_A_PATH.issuperset(path)
    return path if plain and "//" not in path and ".." not in path else "/"


class Beacon:
    """Announces the server in the background, because checking that the name is free takes more than a
    second.
    """

    def __init__(
        self,
        machine: str,
        port: int,
        addresses: Callable[[], list[IPv4Address]],
        *,
        secure: bool = False,
        path: str = "/",
        look_seconds: float = _LOOK_SECONDS,
        neighbours: Neighbours | None = None,
    ) -> None:
        self._machine = machine.partition(".")[0][:_MOST_OF_A_MACHINE] or "tablero"
        self._port = port
        self._addresses = addresses
        self._facts = {"path": path, "tls": "1" if secure else "0"}
        self._look_seconds = look_seconds
        self._neighbours = neighbours or Neighbours()
        self._warned = False
        self.told = asyncio.Event()
        """Set after the first announcement."""

    def start(self) -> None:
        self._keeping = asyncio.create_task(self._keep())

    async def stop(self) -> None:
        """Withdraws the announcement, so that clients don't find a stopped server."""
        self._keeping.cancel()
        with suppress(asyncio.CancelledError):
            await self._keeping

    async def _keep(self) -> None:
        while True:
            addresses = self._addresses()
            try:
                await self._announce(addresses)
            except (OSError, NoAnnouncement) as error:
                if not self._warned:
                    self._warned = True
                    log.warning("could not announce this server on the network", why=repr(error))
                await asyncio.sleep(self._look_seconds)

    async def _announce(self, addresses: list[IPv4Address]) -> None:
        """Announces the server until its addresses change."""
        if addresses:
            here = AsyncZeroconf(interfaces=[str(each) for each in addresses], ip_version=IPVersion.V4Only)
            try:
                self._neighbours.watch(here)
                await here.async_register_service(self._service(addresses), allow_name_change=True)
                log.info("announced on the network", addresses=[str(each) for each in addresses])
                self.told.set()
                await self._while_they_stay(addresses)
            finally:
                await self._neighbours.forget()
                await here.async_close()  # withdraws what was announced
        else:
            await self._while_they_stay(addresses)

    async def _while_they_stay(self, addresses: list[IPv4Address]) -> None:
        while self._addresses() == addresses:  # noqa: ASYNC110 - no event tells of another network
            await asyncio.sleep(self._look_seconds)

    def _service(self, addresses: list[IPv4Address]) -> ServiceInfo:
        name = f"Tablero on {self._machine}"
        return ServiceInfo(
            SERVICE,
            f"{name}.{SERVICE}",
            port=self._port,
            server=f"{self._machine}-{self._port}.local.",
            addresses=[each.packed for each in addresses],
            properties=self._facts,
        )
