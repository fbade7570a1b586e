"""The host's side of a conversation with one engine: who it is, what it is asked, what it answers.

Law: knows no process and no clock of its own. Whatever the engine does, a question ends: in an answer, in
TooSlow, or in what the link raises when the engine is gone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from tablero_games import GAMES, Seat
from tablero_protocol.text import clean

from .lines import (
    BestMove,
    EngineLine,
    EngineWord,
    Go,
    HostLine,
    HostWord,
    Id,
    Info,
    Legal,
    Moves,
    NewGame,
    Option,
    Seen,
    SetOption,
    Value,
    read_engine_line,
)

log = logging.getLogger(__name__)

HANDSHAKE_SECONDS = 5.0
"""How long an engine may take to start and say who it is; and to get ready."""
STOP_SECONDS = 0.5
"""How long it may take to answer after `stop`."""


class TooSlow(Exception):
    """It did not answer in time. The text says what."""


class Link(Protocol):
    """What a conversation needs of a process."""

    def now(self) -> float: ...

    def say(self, *lines: HostLine) -> None: ...

    def hear(self, until: float) -> str | None:
        """The next line; None if there is none by then. Raises when there will be no more."""


@dataclass
class Identity:
    """What an engine says of itself."""

    name: str = ""
    author: str = ""
    games: tuple[str, ...] = ()
    """As it spells them, also those that we do not know."""
    options: dict[str, Option] = field(default_factory=dict)

    @property
    def known_games(self) -> list[str]:
        return [game for game in self.games if game in GAMES]

    def learn(self, line: EngineLine) -> None:
        match line:
            case Id("name", text):
                self.name = clean(text)[:40]
            case Id("author", text):
                self.author = clean(text)[:80]
            case Id("games", text):
                self.games = tuple(text.split())
            case Option(name):
                self.options[name] = line


class Conversation:
    """Questions and answers, one after the other."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self.identity = Identity()
        self.strange: list[str] = []
        """What it printed that is no line of the protocol."""

    def greet(self, seconds: float = HANDSHAKE_SECONDS) -> Identity:
        """Hears who it is. Raises TooSlow."""
        self._link.say(HostWord.UBGI)
        if self.hear(lambda line: line is EngineWord.UBGI_OK, seconds) is None:
            raise TooSlow(f"It did not answer `ubgi` with `ubgiok` within {seconds:g} s.")
        return self.identity

    def set_seed(self, seed: int) -> None:
        if "seed" in self.identity.options:
            self._link.say(SetOption("seed", str(seed)))

    def get_ready(self, seconds: float = HANDSHAKE_SECONDS) -> None:
        """Waits until it has done what it was told so far. Raises TooSlow."""
        self._link.say(HostWord.IS_READY)
        if self.hear(lambda line: line is EngineWord.READY_OK, seconds) is None:
            raise TooSlow(f"It did not answer `isready` with `readyok` within {seconds:g} s.")

    def begin(self, game: str, options: dict[str, Any], players: int, seat: Seat) -> None:
        """Tells it of a new game, all options spelled out."""
        self._link.say(NewGame(game, spelled_out(game, options), players, seat))

    def show(self, seen: Seen, legal: tuple[str, ...], moves: tuple[str, ...] | None = None) -> None:
        """Tells it where the game stands, in every way that is known."""
        if moves is not None:
            self._link.say(Moves(moves))
        self._link.say(seen, Legal(legal))

    def ask(self, go: Go, seconds: float) -> BestMove:
        """Its move within so many seconds; shortly before, it is told to stop. Raises TooSlow."""
        self._link.say(go)
        start = self._link.now()
        answer = self.best_move(seconds - min(STOP_SECONDS, seconds / 2))
        if answer is None:
            self._link.say(HostWord.STOP)
            answer = self.best_move(start + seconds - self._link.now())
        if answer is None:
            raise TooSlow(f"It did not answer `{go}` with `bestmove` within {seconds:g} s.")
        return answer

    def best_move(self, seconds: float) -> BestMove | None:
        line = self.hear(lambda line: isinstance(line, BestMove), seconds)
        return line if isinstance(line, BestMove) else None

    def hear(self, wanted: Callable[[EngineLine], bool], seconds: float) -> EngineLine | None:
        """The next line that is wanted; None if none came in time. What comes before is taken note of."""
        until = self._link.now() + seconds
        while (text := self._link.hear(until)) is not None:
            line = read_engine_line(text)
            if line is None:
                if text:
                    self.strange.append(clean(text)[:200])
                    del self.strange[20:]
                continue
            self.identity.learn(line)
            if isinstance(line, Info):
                log.debug("%s: %s", self.identity.name, clean(line.text))
            if wanted(line):
                return line
        return None


def spelled_out(game: str, options: dict[str, Any]) -> dict[str, Value]:
    """Every option of the game, as it is written on a line."""
    chosen = GAMES[game].read_options(options)
    return chosen.model_dump(by_alias=True, exclude_none=True)
