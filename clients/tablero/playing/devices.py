"""The player's own devices: add, list, and sign out."""

from __future__ import annotations

from datetime import UTC, datetime

from tablero.catalogue.speech import translate
from tablero.client.addresses import is_this_machine, typed
from tablero.client.client import Client
from tablero_protocol.messages import TokenLine
from tablero_protocol.text import clean

from .current_table import CurrentTable
from .narrator import Narrator
from .words import UsageError


class DeviceOrders:
    """Orders about devices. They raise UsageError or Refused, and then change nothing."""

    def __init__(self, client: Client, table: CurrentTable, narrator: Narrator) -> None:
        self._client = client
        self._table = table
        self._narrator = narrator

    async def hand_over(self) -> None:
        given = await self._client.hand_over()
        seconds = max(0, given.until - self._client.server_now) // 1000
        told = translate("Type this on the other device within {seconds} seconds:", seconds=seconds)
        self._narrator.say(told)
        command = ("tablero", "play", typed(self._client.address), "--hand-over", clean(given.code))
        self._narrator.say(" ".join(command))
        if is_this_machine(self._client.address):
            told = translate("The server answers only this computer. For other devices, start it with --lan.")
            self._narrator.note(told)

    async def show(self) -> None:
        for token in await self._client.list_tokens():
            self._narrator.say(_line(token))

    async def sign_out(self, called: str) -> None:
        """Sign a device out by its name or id. Asks first if it is this device."""
        token = _chosen(called, await self._client.list_tokens())

        async def end() -> None:
            await self._client.end_token(token.id)
            self._narrator.say(translate("{device} is signed out.", device=_called(token)))

        if token.here:
            self._table.question = end
            self._narrator.say(translate("This is the device you're using. Type yes to sign it out."))
        else:
            await end()


def _chosen(text: str, tokens: list[TokenLine]) -> TokenLine:
    """The device with this id, or the only one with this name."""
    wanted = text.casefold()
    found = [token for token in tokens if wanted in (token.id, token.device.casefold())]
    if not found:
        raise UsageError(
            translate("You have no device {name}. Type devices to list yours.", name=clean(text))
        )
    if len(found) > 1:
        ids = [token.id for token in found]
        told = translate("Several devices are called {name}. Use one of {ids}.", name=clean(text), ids=ids)
        raise UsageError(told)
    return found[0]


def _line(token: TokenLine) -> str:
    used = f"{datetime.fromtimestamp(token.used / 1000, UTC).astimezone():%Y-%m-%d %H:%M}"
    device = _called(token)
    if token.here:
        return translate("{device}: this device", device=device)
    return translate("{device}: last used {used}", device=device, used=used)


def _called(token: TokenLine) -> str:
    return f"{clean(token.device)} ({token.id})" if token.device else token.id
