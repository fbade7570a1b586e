"""Tells the service manager, usually systemd, that the server is ready, alive or stopping.

The protocol (sd_notify) is one datagram for each message: too simple to need a package.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Mapping
from contextlib import suppress


class ServiceManager:
    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        within = environment.get("WATCHDOG_USEC", "") if ours else ""
        self._seconds = int(within) / 2e6 if within.isdigit() and self._address else None
        """The interval of signs of life: half of the watchdog's time."""
        self._feeding: asyncio.Task[None] | None = None

    def ready(self, where: str) -> None:
        """Reports that players may connect. From now on the event loop sends signs of life."""
        self._tell(f"READY=1\nSTATUS=Serves at {where}")
        if self._seconds:
            self._feeding = asyncio.create_task(self._feed(self._seconds))

    def stopping(self) -> None:
        self._tell("STOPPING=1\nSTATUS=Says goodbye")
        if self._feeding is not None:
            self._feeding.cancel()

    async def _feed(self, seconds: float) -> None:
        while True:
            self._tell("WATCHDOG=1")
            await asyncio.sleep(seconds)

    def _tell(self, sentence: str) -> None:
        if not self._address:
            return
        is_abstract = self._address.startswith("@")
        address = f"\0{self._address[1:]}" if is_abstract else self._address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.setblocking(False)
            line.sendto(sentence.encode(), address)
