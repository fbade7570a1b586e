"""The host's side of a conversation with one engine.

Law: no process and no clock is used here. Whatever the engine prints, every question ends with an answer,
TooSlow, TooMuch, or the link's error for a lost engine.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from tablero import errors
from tablero_games import GAMES, IllegalMove, Seat
from tablero_protocol.codec import MAX_CLIENT_FRAME, ProtocolError
from tablero_protocol.messages import (
    PROTOCOL,
    Bye,
    ClientMessage,
    Hello,
    Joined,
    Limits,
    NextPlayer,
    Ok,
    Ping,
    Player,
    PlayTurn,
    Pong,
    Refused,
    Resign,
    Say,
    ServerMessage,
    Table,
    Welcome,
)
from tablero_protocol.reasons import REASONS, sentence_of
from tablero_protocol.text import clean

from .lines import JSON, line_of

log = logging.getLogger(__name__)

HELLO_SECONDS = 5.0
"""Seconds for an engine to start and introduce itself."""
MOST_LINES = 1_000
"""Maximum number of lines before an answer."""
_NORMAL_END = 1000
_KEPT = 20
"""Maximum number of mistakes kept."""
_SHOWN = 60
"""Maximum number of printed characters to quote."""


class TooSlow(Exception):
    """The engine did not answer in time. The text says what it did instead."""


class TooMuch(Exception):
    """The engine prints too much and does not answer."""


class Link(Protocol):
    """The part of a process that a conversation needs."""

    def now(self) -> float: ...

    def say(self, line: str) -> None: ...

    def hear(self, until: float) -> str | None:
        """The next line; None if no line came by `until`. Raises after the last line."""

    @property
    def unfinished(self) -> str:
        """The text printed since the last end of a line."""


class Introduction:
    """The engine's introduction of itself."""

    def __init__(self, hello: Hello) -> None:
        self.name = clean(hello.name or "")[:40]
        self.levels = {brain.game: brain.levels for brain in (hello.bot.brains if hello.bot else ())}
        """The levels of each game, including unknown games."""

    @property
    def known_games(self) -> list[str]:
        return [game for game in self.levels if game in GAMES]


class Conversation:
    """A conversation: questions and answers, one after the other."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._room = ""
        self._answers: str | None = None
        """The id of a turn that is still unanswered."""
        self._player = Player(id="engine", name="engine", bot=True)
        self.strange: list[str] = []
        """The first lines that were no messages, with the error of each."""
        self.untimely: list[str] = []
        """The first turns that answered no question, with the error of each."""

    def greet(self, seconds: float = HELLO_SECONDS) -> Introduction:
        """Hear the engine's introduction, and welcome it. Raises TooSlow."""
        for command in self._commands(self._link.now() + seconds):
            if not isinstance(command, Hello):
                self._refuse(command.id, "noHello")
            elif command.protocol != PROTOCOL:
                self._refuse(command.id, "otherProtocol", server=PROTOCOL, client=command.protocol)
            else:
                identity = Introduction(command)
                self._player = Player(id="engine", name=identity.name or "engine", bot=True)
                self._say(_welcome(command.id, self._player))
                return identity
        raise TooSlow(f"It did not say `hello` within {seconds:g} s{self._instead()}.")

    def begin(
        self, game: str, options: Mapping[str, Any], seats: int, seat: Seat, *, room: str, dice: int
    ) -> None:
        """Tell the engine of a new game, with all options spelled out."""
        self._room, self._answers = room, None
        table = _table(room, game, options, seats, seat, self._player)
        self._say(Joined(room=room, seq=1, player=self._player, seat=seat, table=table, dice=dice))

    def show(self, event: NextPlayer) -> None:
        """Show the engine the state of the game. After the engine's own turn, this is the answer."""
        self._say(event.model_copy(update={"re": self._answers}))
        self._answers = None

    def ask(self, event: NextPlayer, seconds: float) -> PlayTurn | Resign | None:
        """Return the engine's turn within `seconds`; None if it waits for others to move. Raises TooSlow."""
        self.show(event)
        until = self._link.now() + seconds
        others_move = len(event.seats) > 1
        if others_move and event.movetime is not None:
            until = min(until, self._link.now() + 1.5 * event.movetime / 1000)
        for command in self._commands(until):
            if isinstance(command, PlayTurn | Resign):
                if self._is_answer(command, event):
                    self._answers = command.id
                    return command
            else:
                self._reply(command)
        if others_move:
            return None
        what = f"It did not answer `nextPlayer` with `playTurn` within {seconds:.3g} s"
        raise TooSlow(f"{what}{self._instead()}.")

    def refuse(self, why: errors.Refused | IllegalMove) -> None:
        """Tell the engine that its turn was refused."""
        if self._answers is not None:
            told = Refused(
                re=self._answers, code=why.code, reason=why.reason, fields=why.fields, message=why.sentence
            )
            self._say(told)
            self._answers = None

    def end(self, why: str = "The game is over.") -> None:
        self._say(Bye(code=_NORMAL_END, message=why))

    def _commands(self, until: float) -> Iterator[ClientMessage]:
        """Yield the commands that the engine prints by `until`. Refuse lines that are no message of the
        protocol.
        """
        lines = 0
        while (line := self._link.hear(until)) is not None:
            lines += 1
            if lines > MOST_LINES:
                raise TooMuch(f"It printed more than {MOST_LINES} lines and no answer{self._instead()}.")
            try:
                yield JSON.decode_client(line)
            except ProtocolError as error:
                why = f"{clean(line)[:_SHOWN]!r}: {error.sentence}"
                self.strange = [*self.strange, why][:_KEPT]
                self._refuse(error.re, error.reason, **error.fields)

    def _is_answer(self, command: PlayTurn | Resign, event: NextPlayer) -> bool:
        """Whether the command is about this turn. If not, refuse it."""
        if command.room != self._room:
            refused = self._refuse(command.id, "otherRoom", room=self._room, named=command.room)
        elif command.seat != event.seat:
            refused = self._refuse(command.id, "otherSeat", seat=event.seat, named=command.seat)
        elif isinstance(command, PlayTurn) and command.ply != event.ply:
            refused = self._refuse(command.id, "otherPly", ply=command.ply, now=event.ply)
        else:
            return True
        self.untimely = [*self.untimely, refused.message][:_KEPT]
        return False

    def _reply(self, command: ClientMessage) -> None:
        match command:
            case Ping(id=id):
                self._say(Pong(re=id, now=0, heads={}))
            case Say(id=id, text=text, phrase=phrase):
                log.debug("%s: %s", self._player.name, clean(text or phrase or ""))
                self._say(Ok(re=id, room=self._room))
            case _:
                self._refuse(command.id, "notForEngines", type=command.type)

    def _refuse(self, re: str | None, reason: str, **fields: Any) -> Refused:
        sentence, code = sentence_of(reason, fields), REASONS[reason].code
        refused = Refused(re=re, code=code, reason=reason, fields=fields, message=sentence)
        self._say(refused)
        return refused

    def _instead(self) -> str:
        """Describe what the engine did instead of answering."""
        if self.strange:
            return f"; it printed {self.strange[0].removesuffix('.')}"
        if unfinished := clean(self._link.unfinished)[:_SHOWN]:
            return f"; it printed {unfinished!r} without the end of the line"
        return ""

    def _say(self, message: ServerMessage) -> None:
        self._link.say(line_of(message))


def _welcome(re: str, player: Player) -> Welcome:
    limits = Limits(frame_bytes=MAX_CLIENT_FRAME, chat_length=200, rooms=1, watchers=0, silence_seconds=0.0)
    return Welcome(re=re, player=player, session="local", limits=limits, now=0)


def _table(room: str, game: str, options: Mapping[str, Any], seats: int, seat: Seat, player: Player) -> Table:
    rules = GAMES[game]
    chosen = rules.read_options(dict(options)).model_dump(mode="json", by_alias=True, exclude_none=True)
    others = [Player(id=f"seat-{each}", name=f"seat-{each}") for each in range(seats)]
    return Table(
        room=room,
        epoch=room,
        game=game,
        version=rules.version,
        options=chosen,
        state="playing",
        private=True,
        seats=[player if each == seat else others[each] for each in range(seats)],
        members=[],
    )
