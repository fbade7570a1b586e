"""A host of bots at a server: one connection, many seats, one bot for each seat.

Law: a host chooses no moves. It sits down only when invited, and leaves a room when no people are left.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from threading import Thread
from typing import Any

from tablero_games import Seat
from tablero_protocol.messages import Announcement, BotCard, Brain, EventName, Invited, Welcome
from tablero_protocol.text import clean

from ..bot import Bot, Failure
from ..brains import NotInstalled, bundled, find_brain
from ..client.client import Client
from ..client.connection import connect, run_main
from ..client.identity import Identity
from ..client.room import Room
from ..dice import dice
from ..errors import Disconnected, InsecureServer, Refused
from .manners import noting
from .pace import Pace
from .pool import Pool
from .room import HostedRoom
from .workers import Workers

log = logging.getLogger(__name__)

LISTENS_TO: tuple[EventName, ...] = ("nextPlayer", "members", "offers")


def card(brains: Sequence[type[Bot]], capacity: int) -> BotCard:
    """The bot card: the games and levels that a host plays."""
    levels: dict[str, list[str]] = {}
    for brain in brains:
        levels.setdefault(brain.game, []).append(brain.level)
    return BotCard(brains=[Brain(game=game, levels=own) for game, own in levels.items()], capacity=capacity)


def chosen(only: Sequence[str]) -> list[type[Bot]]:
    """The bundled brains of these games or with these names; without any, all that can run here. Raises
    UnknownBrain.
    """
    games = bundled()
    brains = []
    for spec in [f"{game}:{level}" for game in only or games for level in games.get(game, ())]:
        try:
            brains.append(find_brain(spec))
        except NotInstalled as why:
            log.warning("%s", why)
    return brains + [find_brain(spec) for spec in only if spec not in games]


class BotHost:
    """A host that answers invitations for `brains` and plays at most `capacity` games at once.

    Brains known to `workers` think in processes, all others in threads of this process.
    """

    def __init__(
        self,
        client: Client,
        brains: Sequence[type[Bot]],
        capacity: int,
        random: Random,
        workers: Workers | None = None,
        *,
        pace: Mapping[str, float] | None = None,
        greets: bool = True,
    ) -> None:
        """Prepare the host. `pace` is a result of `read_pace`; without it each bot has its default pace."""
        self._client = client
        self._brains = {(brain.game, brain.level): brain for brain in brains}
        self._capacity = capacity
        self._random = random
        self._pool = Pool(workers)
        self._greets = greets
        self._pace = Pace(dice(random.getrandbits(64)), pace or {})
        self._rooms: dict[str, HostedRoom] = {}
        self._coming: dict[str, str] = {}
        """The room of each invitation that was accepted and not yet answered."""
        self._only_room = False
        self.exit_code = 0
        """The exit code: 2 if the host was sent to a room of a game that it doesn't play, 1 if it could not
        enter.
        """
        client.invited.subscribe(self.invited)
        client.room_opened.subscribe(self.sit_down)

    @property
    def games(self) -> int:
        """The number of games that the host plays or is about to play."""
        return len(self._playing_in())

    def _playing_in(self) -> set[str]:
        return {id for id, hosted in self._rooms.items() if not hosted.over} | set(self._coming.values())

    async def invited(self, invited: Invited) -> None:
        """Answer an invitation. Reserves a place before the first await."""
        rooms = self._playing_in()
        is_full = invited.room not in rooms and len(rooms) >= self._capacity
        if is_full or self._brain(invited.game, invited.level) is None:
            with noting():
                await self._client.decline(invited.invite)
            return
        self._coming[invited.invite] = invited.room
        try:
            await self._make_room()
            await self._join(room=invited.room, seat=invited.seat, invite=invited.invite)
        except Refused as refused:
            log.error("Could not sit down: %s", refused.sentence)
        finally:
            del self._coming[invited.invite]

    async def _make_room(self) -> None:
        """Leave finished tables if the host would be in more than `capacity` rooms."""
        if len(self._rooms.keys() | set(self._coming.values())) > self._capacity:
            for hosted in list(self._rooms.values()):
                if hosted.over:
                    await hosted.leave()

    async def play_in(self, room: str | None, code: str | None) -> None:
        """Play in this one room only: take a free seat if a brain plays its game, else leave and finish."""
        self._only_room = True
        try:
            with suppress(Disconnected):  # the room has closed, or the host stops
                seen = await self._client.join(room=room, code=code, watch=True, subscribe=LISTENS_TO)
                await self._sit_down_if_possible(seen)
        except Refused as refused:
            log.error("Could not sit down: %s", refused.sentence)
            self.exit_code = 1
            self._client.finish()

    async def _sit_down_if_possible(self, room: Room) -> None:
        if self._brain(room.game, None) is None:
            games = " and ".join(sorted({game for game, _ in self._brains}))
            await self._go_away(room, 2, f"Room {room.id} plays {room.game}; this bot plays {games}.")
            return
        if not room.seats:
            await self._join(room=room.id)
        if not room.seats:
            await self._go_away(room, 1, f"Room {room.id} has no free seat.")

    async def _go_away(self, room: Room, exit_code: int, why: str) -> None:
        log.error("%s", why)
        self.exit_code = exit_code
        await self._rooms[room.id].leave()

    async def _join(self, **where: Any) -> None:
        with suppress(Disconnected):  # the room has closed, or the host stops
            self.sit_down(await self._client.join(**where, subscribe=LISTENS_TO))

    def sit_down(self, room: Room) -> None:
        """Put a bot on each of our seats that has none."""
        hosted = self._rooms.get(room.id)
        if hosted is None:
            hosted = self._rooms[room.id] = HostedRoom(
                self._client, room, self._pool, self._pace, greets=self._greets
            )
            room.closed.subscribe(lambda _: self._closed(room.id))
            room.setup.subscribe(lambda _: self._seats_changed(room))
        for seat in room.seats:
            if seat not in hosted.bots and not hosted.leaving:
                holder = room.table.seats[seat]
                self._seat_bot(hosted, seat, holder.level if holder else None)

    def _seats_changed(self, room: Room) -> None:
        """Follow the owner's changes: freed or swapped seats, or a start without the empty seats."""
        hosted = self._rooms[room.id]
        had_seats = bool(hosted.bots)
        for seat, bot in list(hosted.bots.items()):
            holder = room.table.seats[seat] if seat in room.seats else None
            if holder is None or type(bot) is not self._brain(room.game, holder.level):
                hosted.get_up_from(seat)
        self.sit_down(room)
        if had_seats and not room.seats:
            self._client.start(hosted.leave())

    def _seat_bot(self, hosted: HostedRoom, seat: Seat, level: str | None) -> None:
        """Put a bot on a seat, or leave the room if no brain here plays at this level."""
        brain = self._brain(hosted.room.game, level)
        if brain is None:
            log.error("Nobody here plays %s for seat %s of room %s.", level, seat, hosted.room.id)
            self._client.start(hosted.leave())
            return
        try:
            bot = brain()
        except Exception as error:
            hosted.room.give_up(seat, Failure.crash(error))
            self._client.start(hosted.leave())
            return
        bot.random = dice(self._random.getrandbits(64))
        hosted.seat(bot, seat)

    def _closed(self, room: str) -> None:
        self._rooms.pop(room, None)
        if self._only_room and not self._rooms:
            self._client.finish()

    def _brain(self, game: str, level: str | None) -> type[Bot] | None:
        """The brain for this level. Without a level, the first brain for the game."""
        if level is not None:
            return self._brains.get((game, level.rpartition(":")[2]))
        return next((brain for (own, _), brain in self._brains.items() if own == game), None)


@dataclass(frozen=True, kw_only=True)
class HostOptions:
    """The server, names and games of a host of bots."""

    server: str
    name: str
    capacity: int = 1
    room: str | None = None
    code: str | None = None
    insecure: bool = False
    pace: Mapping[str, float] = field(default_factory=dict)
    """Factors for the speed against people (see pace.read_pace)."""
    greets: bool = True
    """Whether the bots greet people, and say good game."""
    host_key: str | None = None
    """The key that proves to the server that these are its host's own bots."""
    until_eof: bool = False
    """Whether to end when the standard input ends, so that no host outlives the program that started it."""


async def host(brains: Sequence[type[Bot]], options: HostOptions) -> int:
    """Play until interrupted. A host that was sent to one room stops after leaving it."""
    if options.until_eof:
        _end_with_the_input()
    with Workers(options.capacity) as workers, Identity(options.server, options.name, bot=True) as identity:
        workers.prepare(brains)
        connection = connect(
            options.server,
            name=options.name,
            token=identity.token,
            bot=card(brains, options.capacity),
            host_key=options.host_key,
            insecure=options.insecure,
            patient=True,
        )
        tell_outages(connection.client, options.server)
        async with connection as client:
            identity.keep(client.session.token)
            client.connected.subscribe(lambda _: identity.keep(client.session.token))
            client.announced.subscribe(_tell_announced)
            bots = BotHost(
                client, brains, options.capacity, dice(), workers, pace=options.pace, greets=options.greets
            )
            what = f"{brains[0].game}:{brains[0].level}" if len(brains) == 1 else f"{len(brains)} brains"
            log.info("%s is at %s with %s.", client.player.name, options.server, what)
            if options.room or options.code:
                await bots.play_in(options.room, options.code)
            await client.wait_ended()
            if client.ended is not None:
                log.error("%s", client.ended.sentence)
            return 1 if client.ended else bots.exit_code


def play_online(brains: Sequence[type[Bot]], options: HostOptions) -> int:
    """Run `host` as a whole program: log to stderr and return the exit code."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    logging.getLogger("websockets").setLevel(logging.WARNING)
    try:
        return run_main(host(brains, options))
    except InsecureServer as insecure:
        log.error("%s", insecure)
        return 2
    except (Refused, Disconnected) as no:
        log.error("%s", no)
        return 1


def tell_outages(client: Client, server: str) -> None:
    """Log each outage once, even at the start."""
    is_told = False

    def lost(wait: float | None) -> None:
        nonlocal is_told
        if wait is not None and not is_told:
            is_told = True
            log.info("Can't reach the server at %s. Retrying…", server)

    def back(_: Welcome) -> None:
        nonlocal is_told
        is_told = False

    client.disconnected.subscribe(lost)
    client.connected.subscribe(back)


def _tell_announced(announcement: Announcement) -> None:
    log.info("%s", clean(announcement.message))


def _end_with_the_input() -> None:
    """Cancel the program when its standard input ends, even during the search for the server."""
    loop, program = asyncio.get_running_loop(), asyncio.current_task()
    assert program is not None

    def watch() -> None:
        while os.read(0, 4096):
            pass
        loop.call_soon_threadsafe(program.cancel)

    Thread(target=watch, daemon=True).start()
