"""A record shown as text: all of it, step by step, or automatically.

Law: a record comes from outside, so its text is cleaned before printing.
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
from tablero_games.position import Style
from tablero_games.record.file import Invalid, read
from tablero_games.record.verify import game_of, positions

from ..playing.board_lines import UNLIMITED, Line, Size, position_lines, text_of
from ..playing.record_sentences import ending_told, names_told, turn_told
from ..playing.records import complaint, text_of_file
from ..table_view.replay import Scene, scenes_of
from .colours import coloured, may_colour, rows_of

PACE = 0.8
"""Default seconds between moves when playing automatically."""
_ANSWER = 6
"""Columns for the answer behind a question."""
HOW = sentence("Move {at} of {all}. Enter: next, b: back, number: go to, p: autoplay, q: quit")


@dataclass(frozen=True)
class Sight:
    """A position, and the turn before it."""

    told: str
    board: list[Line]
    is_new: bool
    """Whether the position differs from the one before."""


@dataclass(frozen=True)
class Stage:
    """The input and output for showing a record."""

    write: Callable[[str], object]
    ask: Callable[[str], str | None]
    """Function that asks a question. It returns None at the end of input."""
    wait: Callable[[float], object] = time.sleep
    size: Size = UNLIMITED
    in_place: bool = False
    """Whether the cursor can be moved, so that each board replaces the one before."""
    colours: bool = False


def own_stage() -> Stage:
    """The stage of standard output and input."""
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
    """Show each position and its move, all at once or step by step. Return the exit code."""
    try:
        record = read(text_of_file(file))
        game, _ = game_of(record.header)
        names = names_told(record.header.names)
        stage.write(translate("{game}: {names}", game=translate(game.title), names=", ".join(names)) + "\n")
        if record.sealed:
            list(positions(record))  # raises Invalid for a wrong record
            for ply, sealed in enumerate(record.turns, start=1):
                stage.write(turn_told(ply, sealed, names) + "\n")
            told = translate("The game is not over: its hidden information is sealed, so no board is drawn.")
            stage.write(f"{told}\n")
            return 0
        sights: list[Sight] = []
        broken: Invalid | None = None
        ending = ""
        try:
            for ply, scene in enumerate(scenes_of(record)):
                sights.append(_sight(game.name, ply, scene, names, style, stage.size))
                ending = ending_told(scene.view.get("outcome"), names)
        except Invalid as invalid:
            broken = invalid
    except Invalid as invalid:
        broken, sights = invalid, []
    if sights:
        _Showing(sights, "" if broken else ending, stage).run(step=step, pace=pace)
    if broken is not None:
        print(complaint(broken), file=sys.stderr)
    return 1 if broken else 0


def _sight(game: str, ply: int, scene: Scene, names: Sequence[str], style: Style, size: Size) -> Sight:
    turn = scene.turn
    last = None if turn is None else turn.move
    board = position_lines(game, scene.view, names, style, size, last=last)
    return Sight("" if turn is None else turn_told(ply, turn, names), board, scene.is_new)


class _Showing:
    def __init__(self, sights: Sequence[Sight], ending: str, stage: Stage) -> None:
        self._sights = sights
        self._ending = ending
        self._stage = stage
        self._at = 0
        self._rows = 0
        """Number of rows above the cursor that the picture takes."""

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
        """Show one position after the other, until the end or Ctrl-C."""
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
        parts = [sight.told or translate("At the start"), self._drawn(sight)]
        if self._at == len(self._sights) - 1 and self._ending:
            parts.append(self._ending)
        lines = "\n".join(parts).split("\n")
        is_over = self._stage.in_place and 0 < self._rows < self._stage.size[1]
        up = f"\r\x1b[{self._rows}A\x1b[J" if is_over else ""
        self._stage.write(up + "\n".join(lines) + "\n")
        self._rows = rows_of(lines, self._stage.size[0])

    def _drawn(self, sight: Sight) -> str:
        return coloured(sight.board) if self._stage.colours else text_of(sight.board)
