"""A bot: a player that chooses moves for one seat. This is the only bot loop; every brain is a subclass.

Law: a bot uses neither sockets nor tasks. Its room sends its moves and runs its thoughts, so the same class
plays in a local arena and on a server.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from traceback import extract_tb, format_exception
from typing import Any, ClassVar, Literal, Protocol

from tablero_games import GAMES, Outcome, Position, Seat
from tablero_protocol import messages
from tablero_protocol.codes import Code
from tablero_protocol.messages import NextPlayer, Offered

from .dice import dice
from .errors import Refused
from .event import Event

log = logging.getLogger(__name__)

Choose = Callable[["Turn"], str | None]

GRACE_SECONDS = 3.0
"""Seconds to wait for a brain after its limit, because the machine may be busy."""


@dataclass(frozen=True)
class Failure:
    """The reason why a bot can't play on."""

    kind: Literal["crashed", "illegal", "timeout"]
    sentence: str
    """The sentence for the bot's author: what went wrong, and where."""
    said: str = "I cannot go on and resign."
    """The sentence for the players. It shows no details of the bot."""
    trace: str = ""

    @classmethod
    def crash(cls, error: BaseException) -> Failure:
        frames = extract_tb(error.__traceback__)
        place = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
        name = type(error).__name__
        return cls(
            "crashed",
            f"{name}: {error}{place}",
            f"I crashed ({name:.60}) and resign.",
            "".join(format_exception(error)),
        )

    @classmethod
    def death(cls, exit_code: int | None) -> Failure:
        """Failure of a bot whose process ended while the bot was thinking."""
        return cls("crashed", f"Its process ended with {exit_code}.", "I crashed and resign.")

    @classmethod
    def late(cls, limit: float) -> Failure:
        said = f"I thought for longer than {limit:g} s and resign."
        return cls("timeout", f"It thought for longer than {limit:g} s.", said)

    @classmethod
    def illegal(cls, sentence: str) -> Failure:
        return cls("illegal", sentence, "I played an illegal move and resign.")


@dataclass(frozen=True)
class Budget:
    """The limit for an engine's thought about a move. Other brains have their own limits."""

    movetime: int = 1_000
    """Milliseconds for a move in games without a clock."""
    nodes: int = 20_000
    """Maximum work for a move if equal seeds must give equal games; 0 means that only time is limited."""


class CannotGoOn(Exception):
    """Raised by `choose` when the bot can't play on. It says why more exactly than "crashed"."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.sentence)
        self.failure = failure


class Resign(Exception):
    """Raised by `choose` to resign the game."""


Thought = str | None | Resign | Failure
"""The result of a thought: a move, None to wait for the next turn, a resignation, or a failure."""


class Table(Protocol):
    """The part of a room that a bot needs, on a server or in this process."""

    @property
    def game(self) -> str: ...

    @property
    def options(self) -> Mapping[str, Any]: ...

    @property
    def next_player(self) -> Event[NextPlayer]: ...

    def think(self, bot: Bot, turn: Turn, done: Callable[[Thought], None]) -> None:
        """Call `bot.choose(turn)` where it holds nothing up. Then call `done` in the thread of the
        connection.
        """

    def drop_token(self, seat: Seat, ply: int, move: str, done: Callable[[Refused | None], None]) -> None:
        """Play `move`, then call `done` with the refusal of the move, or with None."""

    def give_up(self, seat: Seat, failure: Failure | None) -> None:
        """Resign for the bot. If the reason is a failure, tell it to the room."""


class Turn:
    """One seat's chance to move. Expensive attributes are computed when they are first used."""

    def __init__(
        self, event: NextPlayer, game: str, options: Mapping[str, Any], seconds: float = 10.0
    ) -> None:
        assert event.seat is not None
        self.event = event
        self.seat: Seat = event.seat
        self.ply: int = event.ply
        self.view: dict[str, Any] = event.view
        self.last: messages.Turn | None = event.last
        self.clocks: list[int] | None = event.clocks
        """Milliseconds left by seat at the start of the turn; None without a clock."""
        self.game = game
        self.options = options
        self.seconds = seconds
        """Seconds for this thought: the brain's limit, or less if a clock or a busy machine leaves less."""

    @cached_property
    def position(self) -> Position | None:
        """A position for trying moves; None if the position holds anything hidden from this seat."""
        rules = GAMES[self.game]
        return None if rules.hidden else rules.from_view(self.view)

    @cached_property
    def legal_moves(self) -> Sequence[str]:
        if self.event.legal_moves is not None:
            return self.event.legal_moves
        return GAMES[self.game].legal_moves(self.view, self.seat)


AT_HOME = frozenset(("trigger_event", "_room", "_busy", "_newer", "_has_ended"))
"""Attributes of a bot that stay in its host's process."""


class Bot:
    """A bot. Write a subclass with a `game` and a method `choose`."""

    game: ClassVar[str]
    level: ClassVar[str]
    """The bot's strength in one word; by default the class name."""
    limit_seconds: ClassVar[float] = 10.0
    """Maximum seconds for a thought; a bot that takes longer loses the game."""
    pace_seconds: ClassVar[float] = 0.7
    """The usual and shortest time of a move against people. Between bots there is no pace."""
    greeting: ClassVar[str | None] = "goodLuck"
    """The bot's greeting for people when a game begins: a phrase of the protocol, other words, or None."""
    farewell: ClassVar[str | None] = "goodGame"
    """The bot's words for people after the last move, or after the rival resigned; see `greeting`."""
    repeatable: bool = False
    """Whether equal seeds must give equal games. Then a brain limits its work instead of its time."""
    budget: Budget = Budget()
    random: Random = dice()
    """The bot's only dice, so that its games can be repeated from a seed."""

    _room: Table | None = None
    _busy: Turn | None = None
    """The turn that the bot thinks about or moves in: one at a time."""
    _newer: NextPlayer | None = None
    """The newest turn that came while the bot was busy."""
    _has_ended: bool = False

    def __getstate__(self) -> dict[str, Any]:
        """The state that travels to another process: all attributes except the table."""
        return {name: value for name, value in vars(self).items() if name not in AT_HOME}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "level" not in cls.__dict__:
            cls.level = cls.__name__.lower()

    def choose(self, turn: Turn) -> str | None:
        """The move to play, or None to wait for the next turn. May take its time, or raise Resign."""
        raise NotImplementedError

    # The parameters of the document's `init`: `player` is the seat, `difficulty_level` is the class's
    # `level`, `trigger_event` is the room's `next_player`, and `drop_token` is the method below. `get_groups`
    # is part of the brain.

    def init(self, room: Table, seat: Seat) -> None:
        """Take the seat: from now on each turn of the room goes to `play_turn`."""
        self._room = room
        self.player = seat
        self.difficulty_level = self.level
        self.trigger_event = room.next_player
        self.trigger_event.subscribe(self.play_turn)

    def disconnect(self) -> None:
        """Leave the seat. The result of a running thought is ignored."""
        if self._room is not None:
            self.trigger_event.unsubscribe(self.play_turn)
        self._room = self._busy = self._newer = None

    # The methods below are called where the connection is served, so a slow one delays other games. A bundled
    # bot thinks in another process; these methods see it as it was when it took its seat.

    def on_end(self, outcome: Outcome) -> None:
        """Called when the game is over."""

    def answer(self, offer: Offered) -> bool:
        """Whether the bot accepts an offer. By default it declines draws and offers that it doesn't know."""
        return offer.what in ("rematch", "takeback", "pause", "continue")

    def may_claim(self, turn: Turn) -> Literal["win", "draw"] | None:
        """The claim to make if a rival has been away for too long, or None to keep waiting.

        The bot is asked half a minute after the server would allow the claim, and then every half a minute.
        `turn` is the position as this seat sees it; any seat may be to move.
        """
        return "win"

    def play_turn(self, event: NextPlayer) -> None:
        if event.seat != self.player or self._room is None:
            return
        if event.outcome is not None and not self._has_ended:
            self._has_ended = True
            self.on_end(Outcome.from_json(event.outcome))
        if self.player not in event.seats:
            return
        if self._busy is not None:
            self._newer = event
            return
        turn = self._busy = Turn(event, self._room.game, self._room.options, self.limit_seconds)
        self._room.think(self, turn, lambda thought: self._thought(turn, thought))

    def drop_token(self, move: str) -> None:
        """Play `move` in the current turn."""
        if self._room is not None and (turn := self._busy) is not None:
            self._room.drop_token(turn.seat, turn.ply, move, lambda refused: self._dropped(turn, refused))

    def _thought(self, turn: Turn, thought: Thought) -> None:
        if turn is not self._busy:
            return  # the bot left its seat
        if isinstance(thought, Resign):
            self._give_up(None)
        elif isinstance(thought, Failure):
            self._give_up(thought)
        elif thought is None or (self._newer is not None and self._newer.ply != turn.ply):
            self._go_on()  # the bot waits, or the position has changed
        else:
            self.drop_token(thought)

    def _dropped(self, turn: Turn, refused: Refused | None) -> None:
        if turn is not self._busy:
            return
        if refused is None or self._newer is not None:
            self._go_on()
        elif refused.code in (Code.RATE_LIMITED, Code.RETRY_LATER):
            self._newer = turn.event  # think again: a rate limit never ends a game
            self._go_on()
        elif refused.code == Code.ROOM_FULL:
            log.info("A game of %s:%s has had all its turns: %s", self.game, self.level, refused.sentence)
            self._give_up(None)
        elif refused.code in (Code.ILLEGAL_MOVE, Code.BAD_MESSAGE):
            self._give_up(Failure.illegal(refused.sentence))
        else:
            log.info("A move of %s:%s came too late: %s", self.game, self.level, refused.sentence)
            self._go_on()

    def _go_on(self) -> None:
        """Get ready for the next turn, which may have come already."""
        self._busy, newer, self._newer = None, self._newer, None
        if newer is not None:
            self.play_turn(newer)

    def _give_up(self, failure: Failure | None) -> None:
        self._busy = self._newer = None
        if self._room is not None:
            self._room.give_up(self.player, failure)


def attempt(choose: Choose, turn: Turn) -> Thought:
    """Call `choose` for `turn` and return its move or failure. Even sys.exit() ends only this game."""
    try:
        move = choose(turn)
        if move is None or isinstance(move, str):
            return move
        raise TypeError(f"choose returned {move!r:.40}, which is not a move: moves are text")
    except Resign:
        return Resign()
    except CannotGoOn as why:
        return why.failure
    except (Exception, SystemExit) as error:
        return Failure.crash(error)
