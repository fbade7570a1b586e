"""A record shown as text: all of it, or a position at a time, forth and back, or by itself.

Law: what stands in a record was written by somebody else, so it is cleaned before it is printed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

from tablero.catalogue.speech import sentence, translate
from tablero_games.position import Position, Style
from tablero_games.record.file import Header, Invalid, RecordedTurn, read
from tablero_games.record.verify import game_of, positions
from tablero_protocol.text import clean

from ..playing import sentences
from ..playing.board_lines import UNLIMITED, Line, Size, position_lines, text_of
from ..playing.records import complaint, text_of_file
from ..playing.sentences import time_left
from ..playing.who import Who, listed
from .colours import coloured, may_colour, rows_of

PACE = 0.8
"""Seconds from one move to the next, where it plays by itself."""
_ANSWER = 6
"""Columns for what is typed behind a question."""
HOW = sentence("Move {at} of {all}. Enter: on, b: back, number: there, p: by itself, q: end")
_HOW_ENDED = {
    True: sentence("All agree to a draw."),
    "claimed": sentence("A draw is claimed, because a player was away for too long."),
    "away": sentence("The game is aborted, because everybody was away for too long."),
    "left": sentence("The game is aborted, because a player left."),
    "noFirstMove": sentence("The game is aborted, because a first move was not made in time."),
    "closed": sentence("The game is aborted, because the host closed the table."),
    "kicked": sentence("The game is aborted, because a player was sent away."),
}
_WITHOUT_WINNERS = {
    "draw": sentence("The game is a draw"),
    "loss": sentence("Nobody wins"),
    "aborted": sentence("The game is aborted and counts for nobody"),
}


@dataclass(frozen=True)
class Sight:
    """A position, and what led to it."""

    told: str
    board: list[Line]
    is_new: bool
    """Whether it differs from the one before."""


@dataclass(frozen=True)
class Stage:
    """Where a record is shown."""

    write: Callable[[str], object]
    ask: Callable[[str], str | None]
    """Shows a question; None: nothing more is typed."""
    wait: Callable[[float], object] = time.sleep
    size: Size = UNLIMITED
    in_place: bool = False
    """Whether the cursor can be moved, so that each board is drawn over the one before."""
    colours: bool = False


def own_stage() -> Stage:
    """Standard output, and what is typed."""
    is_terminal = sys.stdout.isatty()
    capable = is_terminal and os.environ.get("TERM", "dumb") != "dumb"
    size = os.get_terminal_size(sys.stdout.fileno()) if is_terminal else UNLIMITED
    return Stage(
        write=_write,
        ask=_ask,
        size=(size[0] or 80, size[1] or 24),
        in_place=capable,
        colours=capable and may_colour(os.environ),
    )


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _ask(question: str) -> str | None:
    _write(question)
    line = sys.stdin.readline()
    return line.strip() if line else None


def replay_file(
    file: Path, style: Style, stage: Stage, *, step: bool = False, pace: float | None = None
) -> int:
    """Shows each position and who played what: all at once, or one at a time; the exit code."""
    try:
        record = read(text_of_file(file))
        game, _ = game_of(record.header)
        names = _names(record.header)
        stage.write(translate("{game}: {names}", game=translate(game.title), names=", ".join(names)) + "\n")
        if record.sealed:
            list(positions(record))  # raises Invalid, if it is
            for ply, sealed in enumerate(record.turns, start=1):
                stage.write(_told(ply, sealed, record.header) + "\n")
            told = translate("The game is not over: what it hides is sealed, and nothing is drawn.")
            stage.write(f"{told}\n")
            return 0
        sights: list[Sight] = []
        broken: Invalid | None = None
        ending = ""
        try:
            for ply, (turn, position) in enumerate(positions(record)):
                sights.append(_sight(game.name, ply, turn, position, record.header, style, stage.size))
                ending = _ending(position, record.header)
        except Invalid as invalid:
            broken = invalid
    except Invalid as invalid:
        broken, sights = invalid, []
    if sights:
        _Showing(sights, "" if broken else ending, stage).run(step=step, pace=pace)
    if broken is not None:
        print(complaint(broken), file=sys.stderr)
    return 1 if broken else 0


def _sight(
    game: str,
    ply: int,
    turn: RecordedTurn | None,
    position: Position,
    header: Header,
    style: Style,
    size: Size,
) -> Sight:
    seat = 0 if turn is None or turn.seat is None else turn.seat
    last = None if turn is None else turn.move
    board = position_lines(game, position.view(seat), _names(header), style, size, last=last)
    told = "" if turn is None else _told(ply, turn, header)
    return Sight(told, board, turn is None or not turn.leaves_position)


class _Showing:
    def __init__(self, sights: Sequence[Sight], ending: str, stage: Stage) -> None:
        self._sights = sights
        self._ending = ending
        self._stage = stage
        self._at = 0
        self._rows = 0
        """How many rows above the cursor belong to what is shown."""

    def run(self, *, step: bool, pace: float | None) -> None:
        if step:
            self._by_hand()
        elif pace is not None:
            self._by_itself(pace)
        else:
            self._all()

    def _all(self) -> None:
        for sight in self._sights[self._at :]:
            parts = [sight.told] * bool(sight.told) + [f"{self._drawn(sight)}\n"] * sight.is_new
            self._stage.write("\n".join([*parts, ""]))
        if self._ending:
            self._stage.write(f"{self._ending}\n")

    def _by_hand(self) -> None:
        last = len(self._sights) - 1
        while True:
            self._show()
            asked = fill(f"{translate(HOW, at=self._at, all=last)} > ", self._stage.size[0] - _ANSWER)
            typed = self._stage.ask(f"{asked} ")
            self._rows += rows_of(f"{asked} {typed}".split("\n"), self._stage.size[0])
            match (typed or "").lower():
                case _ if typed is None:
                    self._stage.write("\n")
                    self._at += 1
                    self._all()
                    return
                case "":
                    if self._at == last:
                        return
                    self._at += 1
                case "b":
                    self._at = max(self._at - 1, 0)
                case "p":
                    self._by_itself(PACE)
                case "q":
                    return
                case number if number.isdecimal():
                    self._at = min(int(number[:9]), last)

    def _by_itself(self, pace: float) -> None:
        """To the end, or until Ctrl-C."""
        if self._at == len(self._sights) - 1:
            self._at = 0
        try:
            self._show()
            while self._at < len(self._sights) - 1:
                self._stage.wait(pace)
                self._at += 1
                self._show()
        except KeyboardInterrupt:
            self._stage.write("\n")
            self._rows += 1

    def _show(self) -> None:
        sight = self._sights[self._at]
        parts = [sight.told or translate("The beginning."), self._drawn(sight)]
        if self._at == len(self._sights) - 1 and self._ending:
            parts.append(self._ending)
        lines = "\n".join(parts).split("\n")
        is_over = self._stage.in_place and 0 < self._rows < self._stage.size[1]
        up = f"\r\x1b[{self._rows}A\x1b[J" if is_over else ""
        self._stage.write(up + "\n".join(lines) + "\n")
        self._rows = rows_of(lines, self._stage.size[0])

    def _drawn(self, sight: Sight) -> str:
        return coloured(sight.board) if self._stage.colours else text_of(sight.board)


def _names(header: Header) -> list[str]:
    return [
        clean(name) if name else translate("seat {seat}", seat=seat) for seat, name in enumerate(header.names)
    ]


def _told(ply: int, turn: RecordedTurn, header: Header) -> str:
    if turn.move is not None and turn.seat is not None:
        who, move = _names(header)[turn.seat], clean(turn.move)
        return translate("{ply}. {who} plays {move}.", ply=ply, who=who, move=move)
    return f"{ply}. {_deed(turn, header)}"


def _deed(turn: RecordedTurn, header: Header) -> str:
    """What was done other than to move."""
    if turn.paused is not None:
        return translate("All agree to a pause, for {time} at most.", time=time_left(turn.paused))
    if turn.continued is not None:
        return translate("The game goes on.")
    if turn.seat is None:
        return translate(_HOW_ENDED[turn.aborted or turn.drawn])
    who = Who(_names(header)[turn.seat])
    if turn.added_time is not None:
        time = time_left(turn.added_time)
        return translate("{who} gives the rivals {time} more.", who=who.name, time=time)
    return sentences.what_was_done(who, turn.withdrew, turn.took_back) or translate(
        "{who} plays.", who=who.name
    )


def _ending(position: Position, header: Header) -> str:
    outcome = position.outcome
    if outcome is None:
        return translate("The game is not over.")
    names = _names(header)
    winners = [names[seat] for seat in sorted(outcome.winners)]
    if not winners:
        result = translate(_WITHOUT_WINNERS[outcome.kind])
    else:
        told = sentence("{who} wins") if len(winners) == 1 else sentence("{who} win")
        result = translate(told, who=listed(winners))
    return translate("{result} ({reason}).", result=result, reason=sentences.why_ended(outcome.reason))
