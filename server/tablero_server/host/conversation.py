"""What a host says to a running server, by whatever way it comes, and what it is answered.

Law: one set of commands. Every argument is text; what is wrong with it is a refusal, and nothing has changed.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from inspect import signature

from ..core.refusal import Message, Refusal
from ..operations.configuration import in_force, listed
from ..service import Service
from ..settings import Settings
from ..wire.network import Network
from .audit import Audit
from .commands import COMMANDS
from .metrics import Figures, read

Command = Callable[..., Awaitable[str | Message]]

ONLY_LOOK = {"list", "load", "settings", "audit", "games"}
ASK_FIRST = {"strike"}
"""Those that only tell what they would do, unless they are said with "yes"."""
OF_THE_PROCESS = ("load", "settings", "audit")
"""Commands that ask for more than the service."""


class HostConversation:
    def __init__(self, service: Service, network: Network, settings: Settings, audit: Audit) -> None:
        self._service = service
        self._network = network
        self._settings = settings
        self._audit = audit
        self.commands: dict[str, Command] = {
            **{name: partial(command, service) for name, command in COMMANDS.items()},
            "load": self._load,
            "settings": self._show_settings,
            "audit": self._show_audit,
        }

    async def answer(self, name: object, asked: Mapping[str, object], by: str) -> Message:
        """`by` is the way on which it came."""
        try:
            command = self.commands[str(name)]
            signature(command).bind(**asked)
        except (LookupError, TypeError):
            return _refused(Refusal("unknownHostCommand", known=", ".join(self.commands)))
        arguments = {argument: text for argument, text in asked.items() if isinstance(text, str)}
        if len(arguments) < len(asked):
            return _refused(Refusal("unknownHostCommand", known=", ".join(self.commands)))
        try:
            said = await command(**arguments)
        except Refusal as refusal:
            self._audit.note(by, str(name), arguments, refusal.reason)
            return _refused(refusal)
        if name not in ONLY_LOOK and (name not in ASK_FIRST or arguments.get("yes") == "yes"):
            self._audit.note(by, str(name), arguments, "")
        return {"ok": True, "message": said} if isinstance(said, str) else {"ok": True, **said}

    async def _load(self) -> Message:
        figures = read(self._service, self._network)
        return {"message": _load_lines(figures, self._settings), "load": _load_of(figures, self._settings)}

    async def _show_settings(self) -> Message:
        shown = in_force(self._settings)
        return {"message": listed(shown), "settings": [each._asdict() for each in shown]}

    async def _show_audit(self) -> Message:
        lines = self._audit.newest()
        return {
            "message": "\n".join(lines) or "The host has said nothing yet.",
            "audit": [json.loads(line) for line in lines],
        }


def _refused(refusal: Refusal) -> Message:
    return {"ok": False, **refusal.told()}


def _load_of(figures: Figures, settings: Settings) -> Message:
    return {
        "connections": figures.connections,
        "mostConnections": settings.connections,
        "players": figures.players,
        "rooms": dict(figures.rooms),
        "mostRooms": settings.rooms,
        "entries": figures.entries,
        "mostEntries": settings.entries,
        "turns": figures.turns,
        "commitMs": round(1_000 * figures.commits.quantile(0.99), 1),
        "lagMs": round(1_000 * figures.lag.quantile(0.99), 1),
        "refusals": sum(figures.refusals.values()),
        "turnedAway": sum(figures.turned_away.values()),
        "canSave": figures.can_save,
        "draining": figures.draining,
    }


def _load_lines(figures: Figures, settings: Settings) -> str:
    rooms = ", ".join(f"{count} {state}" for state, count in figures.rooms.items() if count) or "none"
    late, slow = (in_words_of(each.quantile(0.99)) for each in (figures.lag, figures.commits))
    return "\n".join(
        [
            f"Connections  {figures.connections} of {settings.connections}, {_players(figures.players)}",
            f"Rooms        {rooms}; {figures.entries} of {settings.entries} entries",
            f"Moves        {figures.turns} since the start",
            f"Commits      99 of 100 within {slow}" if len(figures.commits) else "Commits      none yet",
            f"Event loop   99 of 100 times late by at most {late}",
            f"Refused      {sum(figures.refusals.values())} commands, "
            f"{sum(figures.turned_away.values())} connections",
            f"Saves        {'yes' if figures.can_save else 'NO: the log says why'}",
            f"Drains       {'yes: no new game begins' if figures.draining else 'no'}",
        ]
    )


def _players(number: int) -> str:
    return "1 player" if number == 1 else f"{number} players"


def in_words_of(seconds: float) -> str:
    """Milliseconds below a second."""
    return f"{round(1_000 * seconds, 1):g} ms" if seconds < 1 else f"{seconds:g} s"
