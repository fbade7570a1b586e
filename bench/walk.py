"""Trace a command through the code: the functions of ours that it calls, their files, and the depth.

`python -m bench.walk [--json] [--names]`: a real server on SQLite and real sockets in one process. Each
command is traced from its first bytes until both players have its results. Only our functions count, each
once; comprehensions and lambdas belong to their function. No tick or ping runs during a command. Each command
is repeated, and functions that only some rounds call are left out, because these fill caches.

`rule` is the number of our frames on the stack when the rules are asked to play the move. Of a bot's turn, a
typed line and a key press, only the client's part is counted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any
from unittest.mock import patch

from textual import events
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot

from tablero.bot import Bot, Turn
from tablero.bots.pace import Pace
from tablero.bots.pool import Pool
from tablero.bots.room import HostedRoom
from tablero.client.connection import connect
from tablero.dice import dice
from tablero.full_screen.app import TableroApp, Visit
from tablero.playing.current_table import CurrentTable
from tablero.playing.narrator import Display, Narrator
from tablero.playing.options import Preferences, ScreenOptions
from tablero.terminal.line_mode import LineMode
from tablero_protocol.messages import BotCard
from tablero_server import logs
from tablero_server.journal import open_journal
from tablero_server.journal.journal import Journal, NotWritten
from tests.harness.wire import Wire, a_server, a_table, a_wire

ROOT = Path(__file__).parents[1]
OURS = tuple(str(ROOT / folder) + "/" for folder in ("games", "protocol", "server", "clients"))
OF_CLIENTS = tuple(each for each in OURS if not each.endswith("/server/"))
CLIENT = str(ROOT / "tests" / "harness" / "wire.py")
"""The scripted client. It also calls our codec, but these calls are not part of a command."""
ROUNDS = 2
BY_THE_CLOCK = (
    "tablero_server.wire.network._TICK_SECONDS",
    "tablero_server.journal.committer._CHECK_SECONDS",
    "tablero.client.heartbeat.PING_EVERY",
    "tablero.full_screen.table_screen._TICK",
)
"""The seconds between events that come without a command."""
TO_THE_BACKLOG = ("tablero_server.wire.network._SECONDS_NEW", "tablero_server.wire.connection._REST")
"""The time in which a new or recently read peer is read by the backlog: here none."""
LATER = 3600.0
_PATIENCE = 30.0
"""The seconds until the full screen is ready, even on a busy machine."""


@dataclass
class Walk:
    """The calls of one trace."""

    ours: tuple[str, ...] = OURS
    """The folders whose functions count."""
    functions: dict[CodeType, None] = field(default_factory=dict)
    """The called functions, in the order of their first calls."""
    rule: int | None = None

    @property
    def files(self) -> set[str]:
        return {code.co_filename for code in self.functions}

    def figures(self) -> dict[str, int]:
        """The figures of the walk; `rule` only if the rules were called."""
        found = {"functions": len(self.functions), "files": len(self.files)}
        return found if self.rule is None else {**found, "rule": self.rule}

    def names(self) -> list[str]:
        return [f"{Path(code.co_filename).stem}.{code.co_qualname}" for code in self.functions]

    def only_with(self, others: Iterable[Walk]) -> Walk:
        """This walk with only the calls that all others have, too."""
        walks = [self, *others]
        common = [code for code in self.functions if all(code in walk.functions for walk in walks)]
        rule = min((walk.rule for walk in walks if walk.rule is not None), default=None)
        return Walk(self.ours, dict.fromkeys(common), rule)

    def saw(self, frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(self.ours) or is_called_apart(frame, self.ours):
            return
        if not code.co_name.startswith("<"):
            self.functions.setdefault(code)
        if self.rule is None and code.co_name == "play" and "/tablero_games/" in code.co_filename:
            self.rule = depth(frame)


def is_ours(code: CodeType) -> bool:
    return code.co_filename.startswith(OURS)


def is_called_apart(frame: FrameType | None, ours: tuple[str, ...]) -> bool:
    """Whether the call comes from the scripted client or from a part that does not count."""
    while frame is not None:
        name = frame.f_code.co_filename
        if name == CLIENT or (name.startswith(OURS) and not name.startswith(ours)):
            return True
        frame = frame.f_back
    return False


def depth(frame: FrameType | None) -> int:
    """The number of our frames on the stack, including this one."""
    deep = 0
    while frame is not None:
        deep += is_ours(frame.f_code) and not frame.f_code.co_name.startswith("<")
        frame = frame.f_back
    return deep


class Tracer:
    """Traces this thread, and every thread that starts during a command, while the command runs."""

    def __init__(self) -> None:
        self.walk: Walk | None = None
        threading.setprofile(self._saw)

    def end(self) -> None:
        threading.setprofile(None)

    def _saw(self, frame: FrameType, event: str, argument: object) -> None:
        if self.walk is not None:
            self.walk.saw(frame, event, argument)

    async def of(self, command: Callable[[], Awaitable[None]], ours: tuple[str, ...] = OURS) -> Walk:
        walk = self.walk = Walk(ours)
        sys.setprofile(self._saw)
        try:
            await command()
        finally:
            sys.setprofile(None)
            self.walk = None
        return walk


class Unwilling:
    """A journal that can be told to refuse the next append, as on a full disk."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.refuses = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.journal, name)

    async def append(self, batch: Any) -> None:
        if self.refuses:
            self.refuses = False
            raise NotWritten("the disk is full", frozenset(range(len(batch))))
        await self.journal.append(batch)


Step = Callable[[Tracer, Any, Unwilling], Awaitable[Walk]]


async def hear_a_turn(*wires: Wire) -> None:
    for wire in wires:
        while (await wire.hear())["type"] != "nextPlayer":
            pass


async def play_turn(trace: Tracer, server: Any, journal: Unwilling) -> Walk:
    """Traces a move, from its bytes to the disk and to both sockets."""
    async with a_table(server) as (ana, ben, room):

        async def command() -> None:
            await ana.tell("playTurn", room=room, seat=0, ply=0, move="b2")
            await hear_a_turn(ana, ben)

        return await trace.of(command)


async def end_of_a_rated_game(trace: Tracer, server: Any, journal: Unwilling) -> Walk:
    """Traces a winning move, from its bytes until both players have the result and the new ratings."""
    async with a_table(server, rated=True, clock={"base": 600}) as (ana, ben, room):
        players = ana, ben
        for ply, move in enumerate(("a1", "a2", "b1", "b2")):
            await players[ply % 2].tell("playTurn", room=room, seat=ply % 2, ply=ply, move=move)
            await hear_a_turn(*players)

        async def command() -> None:
            await players[0].tell("playTurn", room=room, seat=0, ply=4, move="c1")
            await hear_a_turn(*players)

        return await trace.of(command)


async def create_room(trace: Tracer, server: Any, journal: Unwilling) -> Walk:
    """Traces a new table, from the command's bytes to the disk and back."""
    async with a_wire(server) as ana:
        await ana.hello("ana")

        async def command() -> None:
            await ana.ask("createRoom", game="tic-tac-toe", subscribe=["nextPlayer"])

        return await trace.of(command)


async def join_invited(trace: Tracer, server: Any, journal: Unwilling) -> Walk:
    """Traces an invited player who takes the last seat, so that the game begins."""
    async with a_wire(server) as ana, a_wire(server) as ben:
        await ana.hello("ana")
        player = (await ben.hello("ben"))["player"]["id"]
        room = (await ana.ask("createRoom", game="tic-tac-toe", subscribe=["nextPlayer"]))["room"]
        await ana.tell("invite", room=room, seat=1, player=player)
        while (invited := await ben.hear())["type"] != "invited":
            pass

        async def command() -> None:
            await ben.tell("join", room=room, seat=1, invite=invited["invite"], subscribe=["nextPlayer"])
            await hear_a_turn(ana, ben)

        return await trace.of(command)


async def resume(trace: Tracer, server: Any, journal: Unwilling) -> Walk:
    """Traces a player who asks for a missed move, until the answer."""
    async with a_table(server) as (ana, ben, room):
        await ana.tell("playTurn", room=room, seat=0, ply=0, move="b2")
        await hear_a_turn(ana, ben)
        epoch = next(each["table"]["epoch"] for each in ben.heard if each["type"] == "joined")
        missed = ben.heard[-1]["seq"]

        async def command() -> None:
            answer = await ben.ask("resume", room=room, epoch=epoch, seq=missed - 1)
            assert answer["type"] == "ok", answer

        return await trace.of(command)


async def failed_commit(trace: Tracer, server: Any, journal: Unwilling) -> Walk:
    """Traces a move that cannot be saved, until its author is told."""
    async with a_table(server) as (ana, _, room):
        journal.refuses = True

        async def command() -> None:
            answer = await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
            assert answer["code"] == "retryLater", answer

        return await trace.of(command)


async def bot_turn(trace: Tracer, server: Any, journal: Unwilling) -> Walk:
    """Traces a hosted bot's turn, from the bytes of its rival's move to its own move, without the server."""

    class First(Bot):
        game = "tic-tac-toe"

        def choose(self, turn: Turn) -> str:
            return turn.legal_moves[0]

    address = f"127.0.0.1:{server.port}"
    async with a_wire(server) as ana, connect(address, name="bob", bot=BotCard()) as client:
        await ana.hello("ana")
        room = (await ana.ask("createRoom", game="tic-tac-toe", subscribe=["nextPlayer"]))["room"]
        hosted = HostedRoom(client, await client.join(room=room), Pool(), Pace(dice(), {"": 0}), greets=False)
        hosted.seat(First(), 1)
        await hear_a_turn(ana)

        async def command() -> None:
            await ana.tell("playTurn", room=room, seat=0, ply=0, move="b2")
            await hear_a_turn(ana)
            await hear_a_turn(ana)

        return await trace.of(command, OF_CLIENTS)


async def typed_line(trace: Tracer, server: Any, journal: Unwilling) -> Walk:
    """Traces a move typed in the terminal, until its sentence is printed, without the server."""
    address = f"127.0.0.1:{server.port}"
    async with a_wire(server) as ana, connect(address, name="ben") as client:
        await ana.hello("ana")
        room = (await ana.ask("createRoom", game="tic-tac-toe", seat=1, subscribe=["nextPlayer"]))["room"]
        printed: asyncio.Queue[str] = asyncio.Queue()
        table = CurrentTable(client)
        narrator = Narrator(client, table, printed.put_nowait, printed.put_nowait, Display(boards=False))
        mode = LineMode(client, table, narrator)
        mode.begin(room)
        await printed_with(printed, "Your turn")
        for _ in range(10):  # until the join is complete
            await asyncio.sleep(0)

        async def command() -> None:
            mode.line("b2")
            await printed_with(printed, "You play b2")

        return await trace.of(command, OF_CLIENTS)


async def key_press(trace: Tracer, server: Any, journal: Unwilling) -> Walk:
    """Traces a key on the full screen that plays a move, until the screen is drawn, without the server."""
    drawn: asyncio.Queue[str] = asyncio.Queue()

    class Terminal(HeadlessDriver):
        @property
        def is_headless(self) -> bool:
            return False  # otherwise nothing would be drawn

        def write(self, data: str) -> None:
            drawn.put_nowait(re.sub(r"\x1b\[[^a-zA-Z]*[a-zA-Z]", "", data))

    with TemporaryDirectory() as home, patch.dict(os.environ, TABLERO_HOME=home):
        async with a_wire(server) as ben:
            await ben.hello("ben")
            room = (await ben.ask("createRoom", game="tic-tac-toe", seat=1, subscribe=["nextPlayer"]))["room"]
            visit = Visit(server=f"127.0.0.1:{server.port}", name="ana", join=room)
            options = Preferences(Path(home, "screen.toml"), ScreenOptions())
            app = TableroApp(visit, options, theme="dark", glyphs="safe")
            app.driver_class = Terminal
            shown = asyncio.create_task(app.run_async(size=(80, 24)))

            async def command() -> None:
                app.post_message(events.Key("enter", "\r"))
                await printed_with(drawn, "You play b2")

            try:
                await printed_with(drawn, "q Leave")
                assert app.queue is not None
                assert app.queue.table.room is not None
                await app.queue.table.room.history()  # behind the screen's own question for the moves so far
                await Pilot(app).pause()
                return await trace.of(command, OF_CLIENTS)
            finally:
                app.exit()
                await shown


async def printed_with(printed: asyncio.Queue[str], words: str) -> None:
    async with asyncio.timeout(_PATIENCE):
        while words not in await printed.get():
            pass


STEPS: dict[str, Step] = {
    "playTurn": play_turn,
    "the end of a rated game": end_of_a_rated_game,
    "createRoom": create_room,
    "join by an invitation": join_invited,
    "resume": resume,
    "failed commit": failed_commit,
    "a bot's turn": bot_turn,
    "a typed line": typed_line,
    "a key press": key_press,
}


async def walks(rounds: int = ROUNDS, steps: Iterable[str] = STEPS) -> dict[str, Walk]:
    """Each command's walk, with only the calls that all rounds have."""
    found: dict[str, Walk] = {}
    trace = Tracer()
    with TemporaryDirectory() as folder, ExitStack() as stack:
        stack.callback(trace.end)
        for name in BY_THE_CLOCK:
            stack.enter_context(patch(name, LATER))
        for name in TO_THE_BACKLOG:
            stack.enter_context(patch(name, 0))
        journal = Unwilling(await open_journal(f"sqlite:///{folder}/walk.db"))
        server: Any
        async with a_server(journal, seconds=rounds * _PATIENCE) as server:
            for name in steps:
                first, *others = [await STEPS[name](trace, server, journal) for _ in range(rounds)]
                found[name] = first.only_with(others)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--names", action="store_true", help="print each function, as first called")
    wanted = parser.parse_args()
    logs.set_up("pretty", "critical")
    found = asyncio.run(walks())
    if wanted.json:
        print(json.dumps({name: walk.figures() for name, walk in found.items()}))
        return
    for name, walk in found.items():
        figures = walk.figures()
        rule = f", the rule {figures['rule']} deep" if "rule" in figures else ""
        print(f"{name}: {figures['functions']} functions in {figures['files']} files{rule}")
        if wanted.names:
            print(*(f"  {each}" for each in walk.names()), sep="\n")


if __name__ == "__main__":
    main()
