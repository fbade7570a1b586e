"""Talk to an engine as a strict host would, and report how well it keeps to the protocol."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from itertools import islice

from tablero.dice import dice
from tablero.engine.conversation import Conversation, Introduction, TooMuch, TooSlow
from tablero.processes import Ended
from tablero.processes.program import CannotStart, Program
from tablero_games import GAMES, IllegalMove, Play
from tablero_protocol.messages import NextPlayer, Resign

from .findings import Report, written_otherwise
from .tables import TriedSeat, at_random, tables

_UNKNOWN = '{"type":"xyzzy","weather":"fine"}\n{"type":"seq","room":"elsewhere","seq":3}\n'
_MOVES = 3
"""Number of turns at a table. Before the last one, the engine gets an unknown message."""


@dataclass(frozen=True)
class Patience:
    """Seconds that an engine gets for each answer."""

    hello: float = 5.0
    thinking: float = 0.1
    late: float = 1.0
    """Seconds by which an engine may exceed a `movetime`."""
    ending: float = 2.0


_ADVICE = {
    "hello": "Print `hello` as a line of JSON, and flush.",
    "unknown": "Pass over messages and fields that you do not know.",
    "crash": "Its last words on standard error say where.",
    "turn": "Answer each `nextPlayer` that has your `seat` in `seats`: keep to `movetime`, and flush.",
    "games": "Be ready for another `joined`, and do not end before `bye`.",
    "eof": "Start as often as you are asked to.",
}
"""The advice for an engine that falls silent or ends, by the step of the conversation."""


class _Enough(Exception):
    """Raised after a failure that makes all further steps useless."""


class Talk:
    """One strict conversation with one engine."""

    def __init__(self, command: str, report: Report, patience: Patience) -> None:
        self._command = command
        self._report = report
        self._patience = patience
        self._looking_at = "hello"
        self._rooms = 0

    def run(self, game: str | None = None) -> Introduction | None:
        """Try `game` or all of its games and return its introduction, or None if there was none."""
        try:
            process = Program(shlex.split(self._command) or [""])
        except (CannotStart, ValueError) as error:
            self._report.fail("found", f"{error} Is the command right, and its file executable?")
            return None
        self._report.ok("found", "The program starts.")
        conversation = Conversation(process)
        identity = None
        try:
            identity = self._greet(conversation, game)
            self._play(conversation, process, [game] if game else identity.known_games)
            self._bye(conversation, process)
            self._end_of_input()
        except TooSlow as slow:
            failed = "turn" if self._looking_at == "crash" else self._looking_at
            self._report.fail(failed, f"{slow} {_ADVICE[failed]}")
        except (Ended, TooMuch) as error:
            self._report.fail(self._looking_at, f"{error} {_ADVICE[self._looking_at]}")
        except _Enough:
            pass
        finally:
            process.end()
        self._look_back(conversation, identity)
        return identity

    def _greet(self, conversation: Conversation, game: str | None) -> Introduction:
        report = self._report
        identity = conversation.greet(self._patience.hello)
        unknown = sorted({*identity.levels} - {*GAMES})
        if game not in (None, *identity.known_games):
            report.fail("game", f"It does not play {game}: name it in `bot.brains` of its `hello`.")
            raise _Enough
        if not identity.known_games:
            some = ", ".join(GAMES)
            report.fail("game", f"It plays nothing here: name some of {some} in `bot.brains` of its `hello`.")
            raise _Enough
        if unknown:
            report.warn("game", f"There is no game {', '.join(unknown)}: there are {', '.join(GAMES)}.")
        report.ok("game", f"It plays {', '.join(identity.known_games)}.")
        if identity.name:
            report.ok("hello", f"It is {identity.name}.")
        else:
            report.warn("hello", "It has no name: say `name` in `hello`.")
        return identity

    def _play(self, conversation: Conversation, process: Program, games: list[str]) -> None:
        """Play a few moves at every table, all in the same process of the engine."""
        self._looking_at = "crash"
        is_first = True
        for number in range(2):
            for game in games:
                for table in islice(tables(game), number, 3, 2):
                    self._moves(conversation, process if is_first else None, table)
                    self._looking_at, is_first = "games", False
        self._report.ok("turn", "It answers `nextPlayer` in time, with a legal `playTurn`.")
        self._report.ok("games", "It plays several games in one process.")

    def _moves(self, conversation: Conversation, stranger: Program | None, table: TriedSeat) -> None:
        """Play some turns at one table. `stranger`, if any, gets messages that no engine knows."""
        random, play = dice(str(table)), table.start(1)
        self._rooms += 1
        room, options = f"check-{self._rooms}", table.options
        conversation.begin(table.game, options, table.seats, table.seat, room=room, dice=self._rooms)
        for number in range(_MOVES):
            while play.position.to_move and table.seat not in play.position.to_move:
                conversation.show(self._shown(play, table, room))
                play = at_random(play, random)
            if not play.position.to_move:
                break
            looked_at = self._looking_at
            if stranger is not None and number == _MOVES - 1:
                self._looking_at = "unknown"
                stranger.say(_UNKNOWN)
            answer = conversation.ask(self._shown(play, table, room), self._seconds)
            if self._looking_at == "unknown":
                self._report.ok("unknown", "It passes over what it does not know.")
                self._looking_at = looked_at
            if answer is None or isinstance(answer, Resign):
                return
            play = self._played(conversation, table, play, answer.move)
        if table.seat not in play.position.to_move:  # a seat to move would answer
            conversation.show(self._shown(play, table, room))

    @property
    def _seconds(self) -> float:
        return self._patience.thinking + self._patience.late

    def _shown(self, play: Play, table: TriedSeat, room: str) -> NextPlayer:
        shown = play.shown_to(table.seat)
        event = NextPlayer(room=room, seq=play.ply, seat=table.seat, **shown)
        if table.seat not in event.seats:
            return event
        legal = list(play.position.legal_moves(table.seat))
        movetime = int(self._patience.thinking * 1000)
        return event.model_copy(update={"legal_moves": legal, "movetime": movetime})

    def _played(self, conversation: Conversation, table: TriedSeat, play: Play, move: str) -> Play:
        try:
            after, written = play.turn(table.seat, move), play.position.canonical(move)
        except IllegalMove as illegal:
            conversation.refuse(illegal)
            why = f"{illegal.sentence} Answer with one of `legalMoves`, as it is written there."
            self._report.fail("turn", f"{table}: {move!r:.40} is illegal: {why}")
            raise _Enough from None
        if written != move:
            self._report.warn("notation", written_otherwise(table, move, written, "`legalMoves`"))
        return after

    def _bye(self, conversation: Conversation, process: Program) -> None:
        conversation.end()
        code = process.wait(self._patience.ending)
        if code is None:
            self._report.fail("bye", "It did not end at `bye`: end the program there.")
        elif code != 0:
            self._report.warn("bye", f"It ended at `bye` with exit code {code}: end with 0.")
        else:
            self._report.ok("bye", "It ends at `bye`.")

    def _end_of_input(self) -> None:
        self._looking_at = "eof"
        process = Program(shlex.split(self._command))
        try:
            Conversation(process).greet(self._patience.hello)
            process.end_input()
            if process.wait(self._patience.ending) is None:
                self._report.fail(
                    "eof", "It runs on when its input ends: end the program, or it stays for ever."
                )
            else:
                self._report.ok("eof", "It ends when its input ends.")
        finally:
            process.end()

    def _look_back(self, conversation: Conversation, identity: Introduction | None) -> None:
        """Check the lines that the engine printed besides its answers."""
        if conversation.strange:
            why = conversation.strange[0]
            self._report.warn("stdout", f"It printed {why} Print such things to standard error.")
        elif identity is not None:
            self._report.ok("stdout", "It printed nothing but messages.")
        if conversation.untimely:
            self._report.warn("untimely", f"It played unasked: {conversation.untimely[0]}")
        elif identity is not None:
            self._report.ok("untimely", "It played only when it was its turn.")
