"""A position as lines of text: the board with its last move, the players, and the state of each side.

Law: every character has a role, and none has a colour.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Final, TypeAlias

from tablero.catalogue.speech import sentence, translate
from tablero.client.room import Room
from tablero_games import GAMES
from tablero_games.position import Style, View
from tablero_protocol.messages import NextPlayer
from tablero_protocol.text import without_controls

from ..games import client_game
from ..table_view.board import Board, Marks, board_of
from ..table_view.canvas import GLYPHS, GlyphSet, Stretch
from .who import holder

Line: TypeAlias = list[Stretch]
Size: TypeAlias = tuple[int, int]
"""The size of an output: columns and rows."""
Lay: TypeAlias = Callable[[Size], Sequence[Line]]
"""Function that lays out a board for a size."""
UNLIMITED: Final[Size] = (10_000, 10_000)
"""The size of a pipe, which has no limits."""
GLYPHS_OF: Final[dict[Style, GlyphSet]] = {"ascii": "ascii", "unicode": "safe", "emoji": "safe"}
_BESIDE_THE_BOARD: Final = 3
"""Rows for the last move, one more line, and the prompt."""
_LEAST_BESIDE: Final = 2
"""Minimum rows for one line and the prompt. With fewer the board scrolls out of sight."""
_LEAST_ROOM: Final = 12
"""Minimum columns beside a board for readable text."""
TOO_NARROW = sentence("The board needs {needed} columns. The terminal has {columns}.")


def board_lines(room: Room, event: NextPlayer, style: Style, size: Size = UNLIMITED) -> list[Line]:
    """The position as this player sees it, with the own side below."""
    own = event.seat if event.seat is not None else next(iter(room.seats), None)
    last = None if event.last is None else event.last.move
    who = [str(holder(room.table, seat, room.seats)) for seat in range(len(room.table.seats))]
    return position_lines(
        room.game, event.view, who, style, size, last=last, turned=own == 1, drawing=event.drawing
    )


def position_lines(
    game: str,
    view: View,
    names: Sequence[str],
    style: Style,
    size: Size = UNLIMITED,
    *,
    last: str | None = None,
    turned: bool = False,
    drawing: str | None = None,
) -> list[Line]:
    """The lines of a position, as large as fits. With too few columns, a line says so instead."""
    columns_of = client_game(game).emoji_columns
    if style == "emoji" and columns_of is not None and columns_of(view) <= size[0]:
        in_emoji = GAMES[game].draw(view, style, translate)
        return [[Stretch(without_controls(line), "plain", "")] for line in in_emoji.split("\n")]
    glyphs = GLYPHS_OF[style]
    below = _progress(game, view) + _who(game, view, names, glyphs, size[0])
    space = size[0], size[1] - len(below) - _BESIDE_THE_BOARD
    board = board_of(
        game, view, space, among_lines=True, glyphs=glyphs, turned=turned, say=translate, drawing=drawing
    )
    if board.width > size[0]:
        told = translate(TOO_NARROW, needed=board.width, columns=size[0])
        return [[Stretch(told, "plain", "")], *below]
    drawn = _drawn(board, last)
    room = size[0] - board.width - 1
    if board.height + len(below) + _LEAST_BESIDE <= size[1] or room < _LEAST_ROOM:
        return [*drawn, *below]
    side = _narrow(_progress(game, view) + _who(game, view, names, glyphs, 0), room)
    return _beside(drawn, board.width, side)


def _narrow(lines: list[Line], columns: int) -> list[Line]:
    """Fold the lines to this number of columns."""
    return [
        [Stretch(part, stretch.role, stretch.mark)]
        for line in lines
        for stretch in line
        for part in wrap(stretch.text, columns)
    ]


def _beside(drawn: list[Line], width: int, side: list[Line]) -> list[Line]:
    """Put the lines of `side` to the right of the drawn board."""
    lines = []
    for left, right in zip_longest(drawn, side, fillvalue=list[Stretch]()):
        gap = width + 1 - sum(len(stretch.text) for stretch in left)
        lines.append([*left, Stretch(" " * gap, "plain", ""), *right] if right else left)
    return lines


def text_of(lines: Sequence[Line]) -> str:
    """The lines as text without colours."""
    return "\n".join("".join(stretch.text for stretch in line).rstrip() for line in lines)


def _drawn(board: Board, last: str | None) -> list[Line]:
    canvas = board.draw(Marks(last=last))
    return [
        [Stretch(without_controls(run.text), run.role, run.mark) for run in canvas.runs(y)]
        for y in range(canvas.height)
    ]


def _progress(game: str, view: View) -> list[Line]:
    told = client_game(game).progress
    return [] if told is None else [[Stretch(told(view), "plain", "")]]


def _who(game: str, view: View, names: Sequence[str], glyphs: GlyphSet, columns: int) -> list[Line]:
    """The players' marks and scores: in one line if it fits, else one line each."""
    if game not in GAMES:
        return []
    marks = GLYPHS[glyphs].seats if GAMES[game].shows_marks else ""
    each: list[Line] = []
    for seat, name in enumerate(names):
        mark = f"{marks[seat]} " if marks else ""
        has = client_game(game).side(view, seat)
        if has is None:
            return []
        told = translate("{who}: {score}", who=name, score=has) if has else name
        each.append([Stretch(f"{mark}{without_controls(told)}", f"seat{seat}" if marks else "plain", "")])
    parted: Line = []
    for line in each:
        parted += [Stretch(", ", "plain", "")] * bool(parted) + line
    return [parted] if sum(len(stretch.text) for stretch in parted) <= columns else each
