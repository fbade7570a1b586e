"""The server tells its network where it is, by multicast DNS, so that `tablero find` and others list it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv4Address

import structlog
from zeroconf import Error as NoAnnouncement
from zeroconf import IPVersion, ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

from .neighbours import SERVICE, Neighbours

log = structlog.get_logger("tablero.reach")

_LOOK_SECONDS = 15.0
"""How often its addresses are looked at: a laptop changes its network while it hosts."""
_MOST_OF_A_NAME = 40


class Beacon:
    """Runs in the background: asking whether the name is free takes more than a second."""

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
        self._machine = machine.partition(".")[0][:_MOST_OF_A_NAME] or "tablero"
        self._port = port
        self._addresses = addresses
        self._facts = {"path": path, "tls": "1" if secure else "0"}
        self._look_seconds = look_seconds
        self._neighbours = neighbours or Neighbours()
        self._warned = False
        self.told = asyncio.Event()
        """Set as soon as it is announced for the first time."""

    def start(self) -> None:
        self._keeping = asyncio.create_task(self._keep())

    async def stop(self) -> None:
        """Takes it back, so that nobody is sent where nothing is."""
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
                    log.warning("others do not find this server by themselves", why=repr(error))
                await asyncio.sleep(self._look_seconds)

    async def _announce(self, addresses: list[IPv4Address]) -> None:
        """Until the addresses are other ones."""
        if addresses:
            here = AsyncZeroconf(interfaces=[str(each) for each in addresses], ip_version=IPVersion.V4Only)
            try:
                self._neighbours.watch(here)
                await here.async_register_service(self._service(addresses), allow_name_change=True)
                log.info("others find this server", addresses=[str(each) for each in addresses])
                self.told.set()
                await self._while_they_stay(addresses)
            finally:
                await self._neighbours.forget()
                await here.async_close()  # says goodbye for what is announced
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
