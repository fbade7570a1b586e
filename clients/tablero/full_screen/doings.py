"""What is done for a person at the screen: lines, one after the other, by the commands of the line mode.

Law: the screen sends nothing itself. Whatever a key or the mouse means is a line, or an order given here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable

from ..catalogue.speech import translate
from ..client.client import Client
from ..errors import Disconnected, Refused
from ..event import Event
from ..playing import verbs
from ..playing.commands import Commands
from ..playing.current_table import CurrentTable
from ..playing.narrator import Display, Narrator
from ..playing.own_devices import play_here
from ..playing.verbs import UsageError
from ..table_view.notation import read_move
from ..terminal.line_mode import NoAnswer

_MOST_LINES = 500


class Doings:
    def __init__(self, client: Client) -> None:
        self.client = client
        self.table = CurrentTable(client)
        self.told: Event[str] = Event()
        """What happened, a line each."""
        self.noted: Event[str] = Event()
        """Why something cannot be done, and what else concerns this person alone."""
        self.lines: deque[str] = deque(maxlen=_MOST_LINES)
        """What was told and noted so far."""
        self.narrator = Narrator(client, self.table, self._tell, self._note, Display(boards=False))
        self._commands = Commands(client, self.table, self.narrator, self._ask)
        self._waiting: deque[Callable[[], Awaitable[object]]] = deque()
        self._is_busy = False

    def type(self, line: str) -> None:
        """A line as in the line mode: a command, or else a move, however it is written."""
        if not line.strip():
            return
        room = self.table.room
        if room is not None and verbs.read_line(line, room.game) is None:
            latest = self.table.latest
            line = read_move(room.game, line, None if latest is None else latest.view)
        self.order(lambda: self._commands.carry_out(line))

    def order(self, deed: Callable[[], Awaitable[object]]) -> None:
        """Done when all that was ordered before is done."""
        self._waiting.append(deed)
        if not self._is_busy:
            self._is_busy = True
            self.client.start(self._work())

    async def _work(self) -> None:
        try:
            while self._waiting:
                await self._one(self._waiting.popleft())
        finally:
            self._is_busy = False

    async def _one(self, deed: Callable[[], Awaitable[object]]) -> None:
        try:
            await play_here(self.table, deed)
        except (UsageError, ValueError) as wrong:
            self._note(str(wrong))
        except Refused as refused:
            self.narrator.refused(refused)
        except (NoAnswer, Disconnected):
            pass

    async def _ask(self, prompt: str, stands: Callable[[], bool]) -> str:
        raise UsageError(translate("On this screen moves are chosen on the board."))

    def _tell(self, line: str) -> None:
        self.lines.append(line)
        self.told.emit(line)

    def _note(self, line: str) -> None:
        self.lines.append(line)
        self.noted.emit(line)
