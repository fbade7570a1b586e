"""A game that is over, or a record of one: its positions one after the other.

Law: what a record says is checked by playing it again; it draws nothing that the rules refuse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablero_games import Seat
from tablero_games.position import View, Wording, in_english
from tablero_games.record.file import Header, Invalid, read
from tablero_games.record.verify import game_of, positions

from .board import Board, Marks, Target
from .boards import board_of, largest_that_fits
from .canvas import GlyphSet


@dataclass(frozen=True)
class Scene:
    """A position, and what led to it."""

    view: View
    seat: Seat | None = None
    move: str | None = None
    happened: str = ""
    """What was done other than to move: "resign", "time" and so on."""


class ReplayView:
    """Looks at one scene after the other. Has what a board widget asks of a table."""

    cursor: Target | None = None

    def __init__(
        self, game: str, names: Sequence[str], scenes: Sequence[Scene], say: Wording = in_english
    ) -> None:
        self.game = game
        self.names = names
        self.scenes = scenes
        self.at = 0
        self._say = say

    @classmethod
    def of_record(cls, text: str, say: Wording = in_english) -> ReplayView:
        """Raises Invalid for what is no record, or one whose game is not over and hides something."""
        record = read(text)
        if record.sealed:
            raise Invalid(record.last_line, "sealedYet")
        game, _ = game_of(record.header)
        scenes = []
        for turn, position in positions(record):
            if turn is None:
                scenes.append(Scene(position.view(0)))
            elif not turn.leaves_position:
                seat = turn.seat or 0
                deeds = [turn.withdrew, "takeback" if turn.took_back else None]
                happened = next((deed for deed in deeds if deed), "") if turn.move is None else ""
                scenes.append(Scene(position.view(seat), turn.seat, turn.move, happened))
        return cls(game.name, names_of(record.header), scenes, say)

    @property
    def scene(self) -> Scene:
        return self.scenes[self.at]

    @property
    def view(self) -> View:
        return self.scene.view

    @property
    def last_move(self) -> str | None:
        return self.scene.move

    @property
    def is_at_end(self) -> bool:
        return self.at == len(self.scenes) - 1

    def step(self, by: int) -> None:
        self.at = min(max(self.at + by, 0), len(self.scenes) - 1)

    def board(self, width: int, height: int, glyphs: GlyphSet) -> Board:
        return largest_that_fits(board_of(self.game, self.view, glyphs=glyphs, say=self._say), width, height)

    def marks(self, board: Board, drop: int = 0) -> Marks:
        return Marks(last=self.last_move, drop=drop)

    def point_at(self, target: Target) -> None:
        """Nothing is chosen here."""


def names_of(header: Header) -> list[str]:
    """By seat; empty where nobody is named."""
    return [name or "" for name in header.names]
