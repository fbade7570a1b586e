"""The board of each game, and the scale at which it fits."""

from __future__ import annotations

from dataclasses import replace

from tablero_games.position import View, Wording, in_english

from ..games import client_game
from .board import Board, Scale, TextBoard
from .canvas import GLYPHS, GlyphSet


def board_of(
    game: str,
    view: View,
    *,
    glyphs: GlyphSet = "safe",
    scale: int = -1,
    turned: bool = False,
    say: Wording = in_english,
    drawing: str | None = None,
) -> Board:
    """The position of a view at one of its board's scales, by default the smallest.

    `drawing` is the server's, for a game whose rules are not installed here.
    """
    kind = client_game(game).board
    if kind is None:
        told = {**view, "game": game, "drawing": drawing or ""}
        return TextBoard(told, GLYPHS[glyphs], TextBoard.SCALES[0], say=say)
    return kind(view, GLYPHS[glyphs], kind.SCALES[scale], turned, say)


def among_lines(board: Board, width: int, height: int) -> Board:
    """The same position for a terminal in which lines go by, as large as there is room."""
    return largest_that_fits(board, width, height, scales=board.LINE_SCALES)


def largest_that_fits(
    board: Board, width: int, height: int, smaller: int = 0, scales: tuple[Scale, ...] = ()
) -> Board:
    """The position at the largest scale that fits, or smaller by so many scales, down to the smallest."""
    scales = scales or board.SCALES
    fitting = [
        at
        for at, scale in enumerate(scales)
        if (sized := replace(board, scale=scale)).width <= width and sized.height <= height
    ]
    first = fitting[0] if fitting else len(scales) - 1
    return replace(board, scale=scales[min(first + smaller, len(scales) - 1)])
