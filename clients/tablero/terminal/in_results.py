"""What the verbs do that ask for ratings and results."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from tablero.client.client import Client

from . import result_lines, verbs
from .narrator import Narrator
from .verbs import Command


class InResults:
    """As in Commands, every method raises UsageError or Refused."""

    def __init__(self, client: Client, narrator: Narrator) -> None:
        self._client = client
        self._narrator = narrator

    async def do_top(self, command: Command) -> None:
        game, speed = verbs.read_top(command.words)
        self._say(result_lines.leaders(await self._client.show_ratings(game, speed)))

    async def do_best(self, command: Command) -> None:
        course, bots = verbs.read_best(command.words)
        self._say(result_lines.best_times(await self._client.show_times(course, bots=bots)))

    async def do_player(self, command: Command) -> None:
        """Somebody by name, or without one whoever asks."""
        called = command.text or self._client.player.id
        self._say(result_lines.player(await self._client.show_player(called), _here))

    async def do_tonight(self, _: Command) -> None:
        self._say(result_lines.tonight(await self._client.show_tonight(), _here))

    def _say(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._narrator.say(line)


def _here(milliseconds: int) -> datetime:
    """By the clock on this machine's wall."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).astimezone()
