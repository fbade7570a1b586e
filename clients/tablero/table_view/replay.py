"""A finished game or a record, as a sequence of positions.

Law: a record is checked by playing it again; moves that the rules refuse are never drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tablero_games.position import View, Wording, in_english
from tablero_games.record.file import Invalid, Record, RecordedTurn, read
from tablero_games.record.verify import game_of, positions

from .board import Board, Marks, Target, board_of
from .canvas import GlyphSet


@dataclass(frozen=True)
class Scene:
    """A position as seen by the player whose turn led to it, and that turn."""

    view: View
    turn: RecordedTurn | None = None

    @property
    def is_new(self) -> bool:
        """Whether the position differs from the one before. After a pause it is the same."""
        return self.turn is None or not self.turn.leaves_position


def scenes_of(record: Record) -> Iterator[Scene]:
    """Every position of a record, including those after pauses. A sealed record has none. Raises Invalid at a
    wrong line.
    """
    for turn, position in positions(record):
        yield Scene(position.view(0 if turn is None or turn.seat is None else turn.seat), turn)


class ReplayView:
    """A view of one scene after the other, with all that a board widget shows."""

    cursor: Target | None = None

    def __init__(
        self, game: str, names: Sequence[str | None], scenes: Sequence[Scene], say: Wording = in_english
    ) -> None:
        self.game = game
        self.names = names
        """Names by seat; None for an unnamed player."""
        self.scenes = scenes
        self.at = 0
        self._say = say

    @classmethod
    def of_record(cls, text: str, say: Wording = in_english) -> ReplayView:
        """The view of a record. Raises Invalid for text that is no record, or for a hidden game that
        isn't over.
        """
        record = read(text)
        if record.sealed:
            raise Invalid(record.last_line, "sealedYet")
        game, _ = game_of(record.header)
        scenes = [scene for scene in scenes_of(record) if scene.is_new]
        return cls(game.name, record.header.names, scenes, say)

    @property
    def scene(self) -> Scene:
        return self.scenes[self.at]

    @property
    def view(self) -> View:
        return self.scene.view

    @property
    def last_move(self) -> str | None:
        return None if self.scene.turn is None else self.scene.turn.move

    @property
    def is_at_end(self) -> bool:
        return self.at == len(self.scenes) - 1

    def step(self, by: int) -> None:
        self.at = min(max(self.at + by, 0), len(self.scenes) - 1)

    def board(self, width: int, height: int, glyphs: GlyphSet) -> Board:
        return board_of(self.game, self.view, (width, height), glyphs=glyphs, say=self._say)

    def marks(self, board: Board, drop: int = 0) -> Marks:
        return Marks(last=self.last_move, drop=drop)

    def point_at(self, target: Target) -> None:
        """Do nothing: a replay has no choice of moves."""
