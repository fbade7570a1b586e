"""Talks to an engine as a strict host would, and reports how well it keeps to the text protocol."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from itertools import islice

from tablero.dice import dice
from tablero.engine.conversation import Conversation, Identity, TooSlow, spelled_out
from tablero.engine.lines import BestMove, EngineLine, EngineWord, Go, HostWord, Seen
from tablero.engine.process import CannotStart, Ended, EngineProcess
from tablero_games import GAMES, IllegalMove, Play

from .findings import Report, written_otherwise
from .tables import Table, at_random, tables

_UNKNOWN = ("xyzzy 1 2 3", "", "debug on", "position startpos moves", "setoption name Nothing value 1")


@dataclass(frozen=True)
class Patience:
    """How many seconds an engine gets."""

    handshake: float = 5.0
    ready: float = 1.0
    at_once: float = 0.5
    """To answer while it thinks, or to stop."""
    thinking: float = 2.0
    """How long a thought may last that it is told to stop."""
    late: float = 1.0
    """By how much it may exceed a `movetime`."""
    ending: float = 2.0


_ADVICE = {
    "handshake": "Print `id` lines and `ubgiok`, with newlines, and flush.",
    "ready": "Answer `readyok`, with a newline, and flush.",
    "unknown": "Skip lines that you do not know.",
    "crash": "Its last words on standard error say where.",
    "games": "Be ready for another `newgame`, and do not end before `quit`.",
    "eof": "Start as often as you are asked to.",
}
"""What to do where an engine falls silent or ends."""


class _Enough(Exception):
    """A failure was reported after which there is nothing more to learn."""


class Talk:
    """One strict conversation with one engine."""

    def __init__(self, command: str, report: Report, patience: Patience) -> None:
        self._command = command
        self._report = report
        self._patience = patience
        self._looking_at = "handshake"

    def run(self, game: str | None = None) -> Identity | None:
        """Who it is, having tried `game` or all of its games; None if that could not be found out."""
        try:
            process = EngineProcess(shlex.split(self._command) or [""])
        except (CannotStart, ValueError) as error:
            self._report.fail("found", f"{error} Is the command right, and its file executable?")
            return None
        self._report.ok("found", "The program starts.")
        conversation = Conversation(process)
        identity = None
        try:
            identity = self._greet(conversation, game)
            self._be_ready(conversation, process)
            self._play(conversation, process, [game] if game else identity.known_games)
            self._quit(process)
            self._end_of_input()
        except (Ended, TooSlow) as error:
            self._report.fail(self._looking_at, f"{error} {_ADVICE[self._looking_at]}")
        except _Enough:
            pass
        finally:
            process.kill()
        if conversation.strange:
            self._report.warn(
                "stdout", f"It printed {conversation.strange[0]!r:.60}: print such things to standard error."
            )
        elif identity is not None:
            self._report.ok("stdout", "It printed nothing but the protocol.")
        return identity

    def _greet(self, conversation: Conversation, game: str | None) -> Identity:
        report = self._report
        identity = conversation.greet(self._patience.handshake)
        unknown = sorted({*identity.games} - {*GAMES})
        if game not in (None, *identity.known_games):
            report.fail("game", f"It does not play {game}: print it in `id games`.")
            raise _Enough
        if not identity.known_games:
            report.fail("game", f"It plays nothing here: print `id games` with some of {', '.join(GAMES)}.")
            raise _Enough
        if unknown:
            report.warn("game", f"There is no game {', '.join(unknown)}: there are {', '.join(GAMES)}.")
        report.ok("game", f"It plays {', '.join(identity.known_games)}.")
        if identity.name:
            report.ok("handshake", f"It is {identity.name}.")
        else:
            report.warn("handshake", "It has no name: print `id name ...` before `ubgiok`.")
        return identity

    def _be_ready(self, conversation: Conversation, process: EngineProcess) -> None:
        self._looking_at = "ready"
        conversation.get_ready(self._patience.ready)
        self._report.ok("ready", "It answers `isready`.")
        self._looking_at = "unknown"
        process.say(*_UNKNOWN)
        conversation.get_ready(self._patience.ready)
        self._report.ok("unknown", "It skips what it does not know.")

    def _play(self, conversation: Conversation, process: EngineProcess, games: list[str]) -> None:
        """A few moves at every table, all in this process; and once it is stopped."""
        report = self._report
        self._looking_at = "crash"
        for number in range(2):
            for game in games:
                for table in islice(tables(game), number, 3, 2):
                    self._moves(conversation, table)
                    self._looking_at = "games"
            if number == 0:
                self._interrupt(conversation, process, next(tables(games[0])))
        report.ok("bestmove", "It answers `go` in time, with a legal move.")
        report.ok("games", "It plays several games in one process.")

    def _moves(self, conversation: Conversation, table: Table) -> None:
        random, play = dice(str(table)), table.start(1)
        self._begin(conversation, table)
        for _ in range(3):
            while play.position.to_move and table.seat not in play.position.to_move:
                play = at_random(play, random)
            if not play.position.to_move:
                return
            move = self._ask(conversation, table, play)
            if move is None:
                return
            try:
                after, written = play.turn(table.seat, move), play.position.canonical(move)
            except IllegalMove as illegal:
                why = f"{illegal.sentence} Answer with a move of the line `legal`, as it is written there."
                self._report.fail("bestmove", f"{table}: {move!r:.40} is illegal: {why}")
                raise _Enough from None
            if written != move:
                self._report.warn("notation", written_otherwise(table, move, written, "the line `legal`"))
            play = after

    def _begin(self, conversation: Conversation, table: Table) -> None:
        conversation.begin(table.game, spelled_out(table.game, table.options), table.seats, table.seat)

    def _ask(self, conversation: Conversation, table: Table, play: Play) -> str | None:
        conversation.show(Seen.of(play, table.seat), tuple(play.position.legal_moves(table.seat)))
        go = Go(movetime=100)
        try:
            return conversation.ask(go, 0.1 + self._patience.late).move
        except TooSlow as slow:
            self._report.fail("bestmove", f"{table}: {slow} Keep to `movetime`, and flush.")
            raise _Enough from None

    def _interrupt(self, conversation: Conversation, process: EngineProcess, table: Table) -> None:
        """`isready`, then `stop`, while it has time to think."""
        report, patience = self._report, self._patience
        play = table.start(2)
        while table.seat not in play.position.to_move:
            play = at_random(play, dice(2))
        self._begin(conversation, table)
        conversation.show(Seen.of(play, table.seat), tuple(play.position.legal_moves(table.seat)))
        conversation.get_ready(patience.ready)
        process.say(Go(movetime=int(patience.thinking * 1000)), HostWord.IS_READY)
        answered: list[EngineLine] = []

        def ready(line: EngineLine) -> bool:
            answered.append(line)
            return line is EngineWord.READY_OK

        line = conversation.hear(ready, patience.at_once)
        if line is None:
            report.warn(
                "thinking", "It does not answer `isready` while it thinks: read in a thread of its own."
            )
        else:
            report.ok("thinking", "It answers `isready` while it thinks.")
        if not any(isinstance(each, BestMove) for each in answered):
            process.say(HostWord.STOP)
            if conversation.best_move(patience.at_once) is not None:
                report.ok("stop", "It answers `stop` with a move at once.")
            elif conversation.best_move(patience.thinking + patience.late) is not None:
                report.warn(
                    "stop", "It does not answer `stop` before its time is up: stop thinking, and answer."
                )
            else:
                report.fail("stop", "It answered `stop` with nothing: print the best move so far.")
                raise _Enough
        else:
            report.ok("stop", "It answers before anybody could stop it.")
        if line is None:
            conversation.hear(ready, patience.at_once)

    def _quit(self, process: EngineProcess) -> None:
        process.say(HostWord.QUIT)
        code = process.wait(self._patience.ending)
        if code is None:
            self._report.fail("quit", "It did not end at `quit`: end the program there.")
        elif code != 0:
            self._report.warn("quit", f"It ended at `quit` with exit code {code}: end with 0.")
        else:
            self._report.ok("quit", "It ends at `quit`.")

    def _end_of_input(self) -> None:
        self._looking_at = "eof"
        process = EngineProcess(shlex.split(self._command))
        try:
            Conversation(process).greet(self._patience.handshake)
            process.end_input()
            if process.wait(self._patience.ending) is None:
                self._report.fail(
                    "eof", "It runs on when its input ends: end the program, or it stays for ever."
                )
            else:
                self._report.ok("eof", "It ends when its input ends.")
        finally:
            process.kill()
