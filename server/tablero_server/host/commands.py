"""The host's commands and their answers.

Law: the socket, the page and the tests use the same commands. Every argument is text. A wrong argument gives
a Refusal, and nothing changes.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from inspect import signature
from itertools import groupby

from ..core.authority import KICKED_FOR_MS
from ..core.effects import Effects
from ..core.entry import Lifted, Placing
from ..core.people.durations import in_words, read_duration
from ..core.people.sanctions import network_in, network_of, told
from ..core.people.session import Account
from ..core.refusal import Message, Refusal
from ..http.record_pages import in_slices
from ..journal.journal import NotRead
from ..journal.questions import games_between
from ..journal.rows import placings_from
from ..journal.schema import PLAYED
from ..operations import doctor
from ..operations.configuration import in_force, listed
from ..service import Service
from ..settings import Settings
from ..wire.network import Network
from .files import Audit
from .metrics import Figures, read
from .strike import strike_player

Command = Callable[..., Awaitable[str | Message]]

_DAY_MS = 24 * 3_600_000
_ROOM = list(PLAYED).index("room")


async def games_of_day(service: Service, day: str) -> str:
    """A line of JSON for each game that ended on `day` (such as 2026-11-19) by UTC."""
    try:
        begin = int(datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC).timestamp() * 1000)
    except ValueError:
        raise Refusal("noDay", day=day[:20]) from None
    try:
        rows = await service.results.read(games_between(begin, begin + _DAY_MS))
    except NotRead:
        raise Refusal("notRead", retry_after_ms=1_000) from None
    games = groupby(rows, lambda row: row[_ROOM])
    return "\n".join(await in_slices(_line(service, placings_from(seats)) for _, seats in games))


def _line(service: Service, seats: Sequence[Placing]) -> str:
    first = seats[0]
    game = {
        "room": first.room,
        "game": first.game,
        "speed": first.speed,
        "at": first.at,
        "kind": first.kind,
        "reason": first.reason,
        "private": first.private,
        "flagged": first.flagged,
        "seats": [
            {
                "player": seat.player,
                "name": service.results.name(seat.player),
                "level": seat.level or None,
                "place": seat.place,
                "score": seat.score,
                "value": seat.value,
                "deviation": seat.deviation,
                "milliseconds": seat.milliseconds,
            }
            for seat in seats
        ],
    }
    return json.dumps(game, ensure_ascii=False)


async def show(service: Service, addresses: str = "") -> Message:
    """The players, tables, bans and mutes; with `addresses` "yes" also each player's addresses."""
    return service.hub.host_view.shown(service.now(), addresses=addresses == "yes")


async def announce(service: Service, text: str) -> str:
    told = service.hub.authority.announce(text)
    await service.carry_out(told)
    return f"{_counted(len(told.messages), 'connection')} got the message."


async def kick(service: Service, player: str, why: str = "", address: str = "") -> str:
    authority, from_everywhere = service.hub.authority, address == "yes"
    account = authority.player(player)
    beside = _newcomers(service, account, from_everywhere)
    await service.carry_out(authority.kick(account, why, service.now(), from_everywhere=from_everywhere))
    how_long = in_words(KICKED_FOR_MS)
    return f"{account.name} ({account.id}) is removed and banned for {how_long}. {beside}"


async def ban(service: Service, player: str, time: str = "", why: str = "", address: str = "") -> str:
    """`player` may also be an address or a network; `address` "yes" bans a shared address, too."""
    authority, now = service.hub.authority, service.now()
    until = now + read_duration(time) if time else None
    for_how_long = _for_how_long(until, now)
    if (network := network_in(player)) is not None:
        effects = authority.keep_out_network(network, until, why, now)
        await service.carry_out(effects)
        gone = _counted(len(effects.closes), "connection")
        return f"Everyone from {told(str(network))} is banned {for_how_long}; {gone} closed."
    account = authority.player(player)
    beside = _newcomers(service, account, address == "yes")
    await service.carry_out(authority.keep_out(account, until, why, now, from_everywhere=address == "yes"))
    return f"{account.name} ({account.id}) is banned {for_how_long}. {beside}"


async def unban(service: Service, player: str) -> str:
    """`player` may also be an address, or the id of the ban or mute."""
    lifted = service.hub.authority.lift("out", player)
    await service.carry_out(lifted)
    return f"{_lifted(lifted, player)} can connect again."


async def mute(service: Service, player: str, time: str = "", why: str = "", address: str = "") -> str:
    authority, now, from_everywhere = service.hub.authority, service.now(), address == "yes"
    account = authority.player(player)
    until = now + read_duration(time) if time else None
    beside = _newcomers(service, account, from_everywhere, "can still chat")
    await service.carry_out(authority.mute(account, until, why, now, from_everywhere=from_everywhere))
    return f"{account.name} ({account.id}) is muted {_for_how_long(until, now)}. {beside}"


async def unmute(service: Service, player: str) -> str:
    """`player` may also be an address, or the id of the ban or mute."""
    lifted = service.hub.authority.lift("chat", player)
    await service.carry_out(lifted)
    return f"{_lifted(lifted, player)} can chat again."


async def close(service: Service, room: str, why: str = "") -> str:
    authority = service.hub.authority
    views = authority.room(room)
    closed, players = views.room, _counted(len(views.room.members), "player")
    await service.carry_out(authority.close(views, why, service.now()))
    return f"Table {closed.id} ({closed.game.name}) is closed; {players} had to leave."


async def drain(service: Service, stop: str = "") -> str:
    """Blocks new games; with `stop` "yes" the server ends after the last game."""
    authority = service.hub.authority
    await service.carry_out(authority.drain(then_stop=stop == "yes"))
    last = " The server stops after the last one." if stop == "yes" else ""
    return f"New games are blocked; {_counted(authority.running(), 'game')} running.{last}"


async def undrain(service: Service) -> str:
    await service.carry_out(service.hub.authority.undrain())
    return "New games can start again."


async def end_tokens(service: Service, player: str) -> str:
    authority = service.hub.authority
    account = authority.player(player)
    await service.carry_out(authority.end_tokens(account, service.now()))
    return f"{account.name} ({account.id}) is signed out everywhere, and all its tokens are invalid."


async def games(service: Service, day: str) -> str:
    return await games_of_day(service, day) or f"No games were played on {day}."


async def strike(service: Service, player: str, yes: str = "") -> Message:
    """Takes a player's games out of the ratings; unless `yes` is "yes", only says what that would change."""
    account = service.hub.authority.player(player)
    return await strike_player(service, account, really=yes == "yes")


COMMANDS: dict[str, Command] = {
    "list": show,
    "announce": announce,
    "kick": kick,
    "ban": ban,
    "unban": unban,
    "mute": mute,
    "unmute": unmute,
    "close": close,
    "drain": drain,
    "undrain": undrain,
    "end-tokens": end_tokens,
    "games": games,
    "strike": strike,
}
"""The commands by name. The fields of a request besides its name are the arguments."""


def _for_how_long(until: int | None, now: int) -> str:
    return "permanently" if until is None else f"for {in_words(until - now)}"


def _newcomers(
    service: Service, account: Account, from_everywhere: bool, what: str = "can still connect"
) -> str:
    """Says whether newcomers from the addresses of `account` are included, and if not, why."""
    authority = service.hub.authority
    sentences = []
    for source in authority.sources(account):
        network, others = told(network_of(source)), authority.others_from(account, source)
        if from_everywhere or not (source.shared or others):
            sentences.append(f"So are new players from {network}.")
        else:
            why = (
                f"{' and '.join(others)} also connected from there" if others else "it is in your own network"
            )
            sentences.append(
                f"New players from {network} {what}, because {why}. Include the address to stop them."
            )
    return " ".join(sentences) or "Their address is no longer known."


def _lifted(effects: Effects, called: str) -> str:
    """The subject of a lifted ban or mute: a player, or the newcomers from an address."""
    if (network := network_in(called)) is not None:
        return f"Everyone from {told(str(network))}"
    return next(each.name or told(each.network or "") for (each,) in effects.kept_of(Lifted))


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


ONLY_LOOK = {"list", "load", "doctor", "settings", "audit", "games"}
ASK_FIRST = {"strike"}
"""Commands that change nothing without the argument `yes`."""
OF_THE_PROCESS = ("load", "doctor", "settings", "audit")
"""Commands that need the process, not only the service."""


class HostCommands:
    def __init__(self, service: Service, network: Network, settings: Settings, audit: Audit) -> None:
        self._service = service
        self._network = network
        self._settings = settings
        self._audit = audit
        self.port = 0
        """The port of the game; 0 until the port is open."""
        self.by_name: dict[str, Command] = {
            **{name: partial(command, service) for name, command in COMMANDS.items()},
            "load": self._load,
            "doctor": self._examine,
            "settings": self._show_settings,
            "audit": self._show_audit,
        }

    async def answer(self, name: str, asked: Mapping[str, object], by: str) -> Message:
        """Answers a command; `by` names its source: socket or page."""
        try:
            command = self.by_name[name]
            signature(command).bind(**asked)
        except (LookupError, TypeError):
            return _refused(Refusal("unknownHostCommand", known=", ".join(self.by_name)))
        arguments = {argument: text for argument, text in asked.items() if isinstance(text, str)}
        if len(arguments) < len(asked):
            return _refused(Refusal("unknownHostCommand", known=", ".join(self.by_name)))
        try:
            said = await command(**arguments)
        except Refusal as refusal:
            self._audit.note(by, name, arguments, refusal.reason)
            return _refused(refusal)
        if name not in ONLY_LOOK and (name not in ASK_FIRST or arguments.get("yes") == "yes"):
            self._audit.note(by, name, arguments, "")
        return {"ok": True, "message": said} if isinstance(said, str) else {"ok": True, **said}

    async def _load(self) -> Message:
        figures = read(self._service, self._network)
        return {"message": _load_lines(figures, self._settings), "load": _load_of(figures, self._settings)}

    async def _examine(self) -> Message:
        """Checks this server as `tablero doctor` does, with its own settings and port."""
        settings = self._settings.model_copy(update={"port": self.port or self._settings.port})
        found = await asyncio.to_thread(doctor.found_with, settings)
        return {
            "message": "\n".join(each.line().rstrip() for each in found),
            "found": [each._asdict() for each in found],
        }

    async def _show_settings(self) -> Message:
        shown = in_force(self._settings)
        settings = [each._asdict() for each in shown]
        return {"message": listed(shown), "settings": settings, "port": self.port}

    async def _show_audit(self) -> Message:
        lines = self._audit.newest()
        return {
            "message": "\n".join(lines) or "The host has not used any command yet.",
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
            f"Drains       {'yes: new games are blocked' if figures.draining else 'no'}",
        ]
    )


def _players(number: int) -> str:
    return "1 player" if number == 1 else f"{number} players"


def in_words_of(seconds: float) -> str:
    """A duration in words, with milliseconds below one second."""
    return f"{round(1_000 * seconds, 1):g} ms" if seconds < 1 else f"{seconds:g} s"
