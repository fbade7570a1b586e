"""Check a game after `kill -9` of a player's program or of the bot host.

A seat waits for its player. A player who returns in time continues; a player who does not loses by a claim.
The server restarts the bot host, which continues its games; its thinking processes end with it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic

from tablero import Refused, connect
from tablero.client.client import Client
from tablero.client.room import Room
from tablero.client.room_progress import MemberEvent
from tablero_games import GAMES
from tablero_protocol.messages import Away, NextPlayer
from tests.harness.serving import Serving

ABSENCE_SECONDS = 2.0
PATIENCE = 60.0
"""The seconds within which a process or two must start."""
BOT = "connect-four:random"


@dataclass
class Round:
    """Some games of one kind, and the broken promises."""

    what: str
    games: int = 0
    broken: list[str] = field(default_factory=list)

    @property
    def kept(self) -> bool:
        return not self.broken

    def expect(self, true: bool, promise: str) -> None:
        if not true:
            self.broken.append(promise)

    def __str__(self) -> str:
        return f"{self.what}: {self.games} games, {'; '.join(self.broken) or 'as promised'}"


class Table:
    """A game that Ana plays turn by turn."""

    def __init__(self, room: Room, seed: int) -> None:
        self.room = room
        self.turn: NextPlayer | None = None
        self._random = Random(seed)
        self._changed = asyncio.Event()
        self._may_claim = asyncio.Event()
        room.next_player.subscribe(self._hear)
        room.members.subscribe(self._hear_of)

    def _hear(self, turn: NextPlayer) -> None:
        self.turn = turn
        self._changed.set()

    def _hear_of(self, event: MemberEvent) -> None:
        if isinstance(event, Away) and event.claim:
            self._may_claim.set()

    async def until_it_can_be_claimed(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await self._may_claim.wait()

    async def until(self, wanted: Callable[[NextPlayer], bool], *, playing: bool = True) -> NextPlayer:
        """Waits for the first turn that is `wanted`; until then Ana plays, or lets the others wait."""
        async with asyncio.timeout(PATIENCE):
            while self.turn is None or not wanted(self.turn):
                if playing and self.turn is not None and 0 in self.turn.seats:
                    legal = GAMES[self.room.game].legal_moves(self.turn.view, 0)
                    await self.room.play(self._random.choice(legal), 0, self.turn.ply)
                else:
                    await self._changed.wait()
                    self._changed.clear()
            return self.turn


def _is_over(turn: NextPlayer) -> bool:
    return turn.outcome is not None


async def kill_clients(serving: Serving, rounds: int) -> Round:
    """Kills clients. Every second one is restarted; the others stay away, and their games are claimed."""
    result = Round("kill -9 of a client")
    serving.env["TABLERO_ABSENCE_SECONDS"] = str(ABSENCE_SECONDS)
    serving.env["TABLERO_BOT_PACE"] = "0"
    serving.start()
    async with connect(serving.url, name="ana", patient=True) as ana:
        for number in range(2 * rounds):
            room = await ana.create_room("connect-four")
            table = Table(room, number)
            bot = await _a_bot(serving, f"visitor{number}", "--room", room.id)
            await table.until(lambda turn: turn.ply >= 3 and 0 in turn.seats)
            bot.kill()
            await bot.wait()
            result.games += 1
            if number % 2:
                began = monotonic()
                await table.until_it_can_be_claimed()
                waited = monotonic() - began
                result.expect(waited > ABSENCE_SECONDS - 1, f"it could be claimed after {waited:.1f} s")
                await room.claim("win")
                end = await table.until(_is_over, playing=False)
                result.expect(end.last is not None and end.last.withdrew == "claimed", "it was not claimed")
            else:
                bot = await _a_bot(serving, f"visitor{number}")
                end = await table.until(_is_over)
                result.expect(end.last is not None and end.last.withdrew is None, "nobody came back")
                bot.kill()
                await bot.wait()
            await room.leave()
    return result


async def _a_bot(serving: Serving, name: str, *where: str) -> asyncio.subprocess.Process:
    command = [sys.executable, "-m", "tablero", "bot", BOT, "--server", serving.url, "--name", name, *where]
    return await asyncio.create_subprocess_exec(
        *command, env=serving.env, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )


async def kill_bot_host(serving: Serving, rounds: int) -> Round:
    result = Round("kill -9 of the bot host")
    serving.env["TABLERO_BOT_PACE"] = "0"
    serving.start()
    async with connect(serving.url, name="ana", patient=True) as ana:
        for number in range(rounds):
            room = await ana.create_room("connect-four")
            table = Table(room, number)
            await _invite_a_bot(ana, room)
            await table.until(lambda turn: turn.ply >= 3 and 0 in turn.seats)
            hosts = [pid for pid in children(serving.pid) if "bot-host" in command_of(pid)]
            result.expect(len(hosts) == 1, f"there were {len(hosts)} bot hosts")
            for host in hosts:
                thinking = children(host)
                os.kill(host, signal.SIGKILL)
                result.expect(await _are_gone(thinking), "processes outlived their bot host")
            end = await table.until(_is_over)
            result.expect(end.last is not None and end.last.withdrew is None, "the bot did not come back")
            result.games += 1
            await room.leave()
    return result


async def _invite_a_bot(ana: Client, room: Room) -> None:
    """Invites a bot as soon as there is one."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await ana.invite(room, 1, bot=BOT)
                return
            except Refused:
                await asyncio.sleep(0.2)


async def _are_gone(pids: list[int]) -> bool:
    until = monotonic() + 10
    while any(map(command_of, pids)):
        if monotonic() > until:
            return False
        await asyncio.sleep(0.05)
    return True


def children(parent: int) -> list[int]:
    tasks = Path(f"/proc/{parent}/task")
    return [int(pid) for task in tasks.iterdir() for pid in (task / "children").read_text().split()]


def command_of(pid: int) -> str:
    """The command line of a process; empty if it has ended but was not yet waited for."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""
