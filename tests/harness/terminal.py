"""The line mode on a rig, where the test plays the server, and on a real server."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from tablero import connect
from tablero.client.client import Client
from tablero.client.room import Room
from tablero.playing.current_table import CurrentTable
from tablero.playing.narrator import Display, Narrator
from tablero.terminal.line_mode import LineMode
from tests.harness.rig import ANA, BEN, Json, Rig, joined, message, turn

PATIENCE = 40.0


class Desk(Rig):
    """A line mode on a rig: a test calls `type`, and reads `printed` and `noted`."""

    def __init__(self, *, seated: bool = False, join: str | None = None, **display: Any) -> None:
        super().__init__()
        self.printed: list[str] = []
        self.noted: list[str] = []
        style = {"boards": False, "style": "ascii", "verbose": True, **display}
        self.table = CurrentTable(self.client)
        show = (self.printed.append, self.noted.append, Display(**style))
        self.mode = LineMode(self.client, self.table, Narrator(self.client, self.table, *show))
        self.mode.begin(join)
        self.shell.run()
        if seated:
            self.tell(joined(ANA, BEN, seq=2))
            self.tell(turn(3))
        if join is None:
            self.forget()

    def forget(self) -> None:
        self.sent()
        self.printed.clear()
        self.noted.clear()

    def type(self, *lines: str) -> None:
        for line in lines:
            self.mode.line(line)
            self.shell.run()

    def type_no_more(self) -> None:
        self.mode.input_over()
        self.shell.run()

    def answer(self, type: str, **fields: Any) -> None:
        """Answers the last command of the client."""
        self.tell(message(type=type, re=self.sent()[-1]["id"], **fields))

    def show_lobby(self, players: list[Json], rooms: Sequence[Json] = ()) -> None:
        """Answers a request for the lobby."""
        self.answer("lobby", rooms=list(rooms), players=players)
        self.answer("ok")

    def refuse(self, code: str = "forbidden", sentence: str = "No way.") -> None:
        self.answer("refused", code=code, message=sentence)


class Terminal:
    """A person who types, and reads every line once."""

    def __init__(self, client: Client, boards: bool) -> None:
        self.client = client
        self.unread: list[str] = []
        self.heard: list[str] = []
        self._told = asyncio.Event()
        self.table = CurrentTable(client)
        display = Display(boards=boards, style="ascii", verbose=True)
        narrator = Narrator(client, self.table, self._hear, self._hear, display)
        self.mode = LineMode(client, self.table, narrator)
        self.mode.begin()
        self.unread.clear()

    @property
    def room(self) -> Room:
        assert self.table.room is not None
        return self.table.room

    def types(self, line: str) -> None:
        self.mode.line(line)

    async def hears(self, pattern: str) -> list[str]:
        """Reads to the first line that contains `pattern`. Returns the lines read."""
        read: list[str] = []
        async with asyncio.timeout(PATIENCE):
            while True:
                while self.unread:
                    read.append(self.unread.pop(0))
                    if re.search(pattern, read[-1]):
                        return read
                self._told.clear()
                await self._told.wait()

    async def waits_for(self, come: Callable[[], bool]) -> None:
        """Reads until the condition is true."""
        async with asyncio.timeout(PATIENCE):
            while not come():
                self._told.clear()
                await self._told.wait()

    def _hear(self, line: str) -> None:
        self.unread.append(line)
        self.heard.append(line)
        self._told.set()


@asynccontextmanager
async def a_terminal(url: str, name: str, *, boards: bool = False) -> AsyncIterator[Terminal]:
    async with connect(url, name=name) as client:
        yield Terminal(client, boards)


class Rival:
    """The other player at the table, who uses the library and notes all events."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.gone: list[str] = []
        self.next: asyncio.Queue[Room] = asyncio.Queue()
        room.members.subscribe(
            lambda event: self.gone.append(event.player.name) if event.type == "left" else None
        )
        room.next_player.subscribe(lambda _: None)
        room.offers.subscribe(lambda _: None)
        room.chat.subscribe(lambda _: None)
        room.rematch.subscribe(self.next.put_nowait)


async def a_finished_game(ana: Terminal, ben: Client) -> Rival:
    """A private table at which Ana has just resigned. Returns the other player."""
    ana.types("create tic-tac-toe private")
    await ana.hears("Waiting for 1 player")
    rival = Rival(await ben.join(code=ana.room.code))
    await ana.hears("The game begins")
    ana.types("resign")
    await ana.hears("You resign.")
    return rival
