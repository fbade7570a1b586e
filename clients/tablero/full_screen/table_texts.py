"""The texts around a board: players, moves, questions, and the status.

Law: as in the line mode, text from the server is cleaned before it is shown.
"""

from __future__ import annotations

from typing import Any

from textual.content import Content

from tablero_games import GAMES
from tablero_protocol.messages import Invited, Offered
from tablero_protocol.text import clean

from ..catalogue.speech import translate
from ..client.client import Client
from ..playing import sentences
from ..playing.current_table import CurrentTable
from ..playing.sentences import clock_of, offer_line, options_of
from ..playing.who import named
from ..table_view.board import Board
from ..table_view.canvas import GLYPHS, GlyphSet
from ..table_view.table import TableView


def title(view: TableView) -> str:
    """The title: the game, its unusual options, and the table."""
    table = view.room.table
    parts = [sentences.title_of(table.game)]
    if options := options_of(unusual(table.game, table.options)):
        parts.append(options)
    if table.clock is not None:
        parts.append(translate("clock {clock}", clock=clock_of(table.clock)))
    if table.rated:
        parts.append(translate("rated"))
    if not view.room.seats:
        parts.append(translate("you watch"))
    return " - ".join([*parts, translate("table {table}", table=clean(view.room.code or view.room.id))])


def unusual(game: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options that differ from their defaults, and always the level."""
    rules = GAMES.get(game)
    if rules is None:
        return options
    usual = rules.read_options({}).model_dump(by_alias=True)
    return {name: value for name, value in options.items() if name == "level" or usual.get(name) != value}


def seat_lines(
    view: TableView, board: Board | None, server_now: int, glyphs: GlyphSet, width: int
) -> Content:
    """A line for each seat: turn, mark, name, facts and time."""
    game, lines = GAMES.get(view.room.game), []
    for seat in view.seats(server_now, board):
        mark = GLYPHS[glyphs].seats[seat.seat] if game is None or game.shows_marks else str(seat.seat)
        player = seat.player
        name = translate("free") if player is None else translate("you") if seat.is_ours else named(player)
        away = "" if seat.away is None else translate("away, {seconds} s", seconds=seat.away)
        right = "  ".join(part for part in (away, seat.facts, seat.clock) if part)
        room = max(width - len(right) - 6, 4)
        shown = name if len(name) <= room else name[: room - 1] + "."
        line = Content.assemble(
            ("> " if seat.to_move else "  ", "bold $accent"),
            (f"{mark} ", "bold"),
            (f"{shown:<{room}} ", "bold" if seat.to_move else "$foreground 75%"),
            (right, "bold" if seat.clock and seat.to_move else "$foreground 85%"),
        )
        lines.append(line)
    if board is not None and board.note:
        lines.append(Content(board.note))
    if (time := time_line(view, server_now)) is not None:
        lines.append(Content(time))
    return Content("\n").join(lines)


def time_line(view: TableView, server_now: int) -> str | None:
    """The time of a game without turns."""
    time = None if view.turn is None else sentences.time_told(view.turn, server_now)
    return None if time is None else translate("time: {time}", time=time)


def short_seats(view: TableView, board: Board | None, server_now: int, glyphs: GlyphSet) -> str:
    """All seats in one line, for screens without space beside the board."""
    signs = GLYPHS[glyphs]
    parts = []
    for seat in view.seats(server_now, board):
        name = translate("free") if seat.player is None else clean(seat.player.name)
        away = "" if seat.away is None else translate("away, {seconds} s", seconds=seat.away)
        turn = ">" if seat.to_move else ""
        said = (f"{turn}{signs.seats[seat.seat]}", name, away, seat.facts, seat.clock)
        parts.append(" ".join(part for part in said if part))
    if (time := time_line(view, server_now)) is not None:
        parts.append(time)
    return "  ".join(parts)


def moves_text(view: TableView, width: int, height: int) -> Content:
    """The newest moves, in pairs for games of two. The chosen move is marked."""
    seats = len(view.room.table.seats)
    moves = [moment for _, moment in sorted(view.moments.items()) if moment.move is not None]
    column = max((len(clean(moment.move or "")) for moment in moves), default=0) + 2
    parts: list[tuple[str, str]] = []
    lines: list[Content] = []
    per_line = seats if seats == 2 else 1
    for at, moment in enumerate(moves):
        if at % per_line == 0:
            if parts:
                lines.append(Content.assemble(*parts))
            parts = [(f"{at // per_line + 1:>3}. ", "$foreground 60%")]
        looked_at = view.at == moment.ply
        parts.append((f"{clean(moment.move or ''):<{column}}", "reverse" if looked_at else ""))
    if parts:
        lines.append(Content.assemble(*parts))
    first = len(lines) - height
    if view.at is not None:  # the line of the move that is looked at, in the middle
        plies = [moment.ply for moment in moves]
        at = plies.index(view.at) // per_line if view.at in plies else 0
        first = min(at - height // 2, first)
    first = max(first, 0)
    return Content("\n").join(lines[first : first + height])


def status(view: TableView | None, client: Client, note: str) -> str:
    """The status sentence: the last refusal or note, else the state of the game."""
    if not client.is_open:
        return translate("Connection lost. Reconnecting…")
    if note:
        return note
    if view is None:
        return ""
    if view.at is not None:
        return translate("The board after move {ply}. ]: forward, Esc: back to the game.", ply=view.at)
    turn = view.turn
    if turn is None and (starts := view.room.table.starts) is not None:
        return sentences.countdown_line(starts, client.server_now)
    if turn is None:
        return sentences.arrival(view.room)
    if turn.outcome is not None:
        what_next = translate("r: rematch, q: back to the lobby.") if view.room.seats else ""
        return f"{sentences.ending(view.room, turn)} {what_next}".strip()
    if view.is_elsewhere:
        return translate("You're playing on another device. Move here to take your seat back.")
    if view.premove is not None:
        return translate("Planned: {move}. Esc: cancel.", move=clean(view.premove))
    if turn.paused is not None:
        return translate("The game is paused.")
    return sentences.to_move(view.room, turn.seats)


def too_small(needed: tuple[int, int], has: tuple[int, int]) -> str:
    """The message that a board does not fit: the size it needs, and the actual size."""
    needs = translate("needs {width}x{height}", width=needed[0], height=needed[1])
    return f"{needs}, {translate('has {width}x{height}', width=has[0], height=has[1])}"


def invitation(invited: Invited) -> str:
    who, game = named(invited.by), sentences.title_of(invited.game)
    return translate("{who} invites you to play {game}, seat {seat}.", who=who, game=game, seat=invited.seat)


def prompt(table: CurrentTable) -> str:
    """The open question, and the keys that only answer it."""
    question, room = table.question, table.room
    if question is None:
        return ""
    if isinstance(question, Offered):
        asks = (
            ""
            if room is None
            else offer_line(room, question).removesuffix(translate("Type yes or no.")).strip()
        )
    elif isinstance(question, Invited):
        asks = invitation(question)
    else:
        asks = translate("Continue?")
    return f"{asks}  {translate('y: yes  x: no')}"
