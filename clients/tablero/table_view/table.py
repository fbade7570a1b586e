"""The picture of one table: board, cursor, playable moves, planned move, clocks, and absent players.

Law: it only says which move a key means, and what to show. The screen sends the moves.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass

from tablero.client.room import Room, clocks_at
from tablero_games import GAMES, Seat
from tablero_games.play import Play
from tablero_games.position import View, Wording, in_english
from tablero_protocol.messages import NextPlayer, PastTurn, Player

from .board import Board, Deed, Marks, Target, board_of
from .canvas import GlyphSet


@dataclass(frozen=True)
class Moment:
    """A position, and the move that led to it."""

    ply: int
    view: View
    move: str | None = None


TENTHS_BELOW = 20_000
"""Milliseconds below which a clock shows tenths."""


@dataclass(frozen=True)
class SeatView:
    """The data about a seat that is shown beside the board."""

    seat: Seat
    player: Player | None
    is_ours: bool
    to_move: bool
    clock: str
    facts: str
    """Short facts: boxes, walls left, and so on."""
    away: int | None
    """Seconds that the others still wait for this player; None if the player is here."""


class TableView:
    def __init__(self, room: Room, say: Wording = in_english) -> None:
        self.room = room
        self.cursor: Target | None = None
        self.premove: str | None = None
        self.premoves_on = True
        self.moments: dict[int, Moment] = {}
        """The positions by ply, as far as they are known."""
        self.at: int | None = None
        """The ply shown; None for the current position."""
        self.view: View = {}
        self.last_move: str | None = None
        """The move before the shown position."""
        self.turn: NextPlayer | None = None
        self.own_seat: Seat | None = next(iter(room.seats), None)
        """Our seat to move, or any seat of ours."""
        self.is_our_turn = self.is_over = False
        self.is_elsewhere = False
        """Whether another device of ours plays our seat. Then this device sees what a watcher sees."""
        self._newest: Moment | None = None
        self.turned_by_hand = False
        self.size_wish = 0
        """The number of scales by which the board is smaller than possible."""
        self._say = say

    # Messages from the server

    def hear(self, turn: NextPlayer) -> str | None:
        """Take the newest position. Return the planned move if it is our turn and the move is legal."""
        if self.turn is not None and turn.seq < self.turn.seq:
            return None
        ours = turn.seat in turn.seats
        if self.turn is not None and turn.seq == self.turn.seq and not ours:
            return None  # each of our seats gets one: the turn of the seat to move is shown
        self.turn, self.is_our_turn, self.is_over = turn, ours, turn.outcome is not None
        self.own_seat = turn.seat if turn.seat is not None else next(iter(self.room.seats), None)
        self.is_elsewhere = turn.seat is None and bool(self.room.seats) and not self.is_over
        move = None if turn.last is None else turn.last.move
        self.moments[turn.ply] = self._newest = moment = Moment(turn.ply, turn.view, move)
        if self.at in (None, turn.ply):
            self.view, self.last_move = moment.view, moment.move
        if self.cursor is None and turn.view:
            self.cursor = self.first_target()
        if ours and self.board().cursor_on_legal and self.cursor not in self._all_legal():
            self.cursor = self.first_target()
        if self.is_over or self.is_elsewhere:
            self.premove = None
        if self.premove is None or not ours:
            return None
        move, self.premove = self.premove, None
        return move if move in self._all_legal() else None

    def fill_in(self, turns: Sequence[PastTurn]) -> None:
        """Fill in the moves played before we came, unless something is hidden from us."""
        rules, viewer = GAMES.get(self.game), self.own_seat
        if rules is None or rules.hidden:
            return
        worked_out: dict[int, Moment] = {}
        with suppress(ValueError):  # where the table is of another version of the game
            play = Play.begin(rules, len(self.room.table.seats), options=dict(self.room.options))
            worked_out[0] = Moment(0, play.position.view(viewer))
            for turn in turns:
                if turn.seat is not None and turn.took_back is not None:
                    play = play.take_back(turn.seat)
                elif turn.seat is not None and turn.move is not None:
                    play = play.turn(turn.seat, turn.move)
                else:
                    continue
                worked_out[play.ply] = Moment(play.ply, play.position.view(viewer), turn.move)
        self.moments = worked_out | self.moments  # what was heard stays

    # What is shown

    @property
    def game(self) -> str:
        return self.room.game

    @property
    def is_begun(self) -> bool:
        return self.turn is not None

    def legal(self) -> Collection[str]:
        """The legal moves now, if the board shows our turn."""
        return self._all_legal() if self.at is None and self.is_our_turn else ()

    def _all_legal(self) -> Collection[str]:
        turn, rules = self.turn, GAMES.get(self.room.game)
        if turn is None or turn.seat is None or rules is None:
            return ()
        return rules.legal_moves(turn.view, turn.seat)

    def board(self, width: int = 0, height: int = 0, glyphs: GlyphSet = "safe") -> Board:
        """The shown position at the largest scale that fits."""
        turned = (self.own_seat == 1) != self.turned_by_hand
        drawing = self.turn.drawing if self.turn is not None and self.at is None else None
        return board_of(
            self.room.game,
            self.view,
            (width, height),
            smaller=self.size_wish,
            glyphs=glyphs,
            turned=turned,
            say=self._say,
            drawing=drawing,
        )

    def marks(self, board: Board, drop: int = 0) -> Marks:
        if self.at is not None:
            return Marks(last=self.last_move)
        legal = board.legal_targets(self.legal()) if self.is_our_turn else ()
        cursor = self.cursor if self.room.seats and not self.is_over else None
        return Marks(cursor, legal, self.last_move, self.premove, drop)

    def seats(self, server_now: int, board: Board | None = None) -> list[SeatView]:
        """Every seat, with the board's facts about it."""
        clocks = None if self.turn is None else clocks_at(self.turn, server_now)
        away = {member.player.id: member.away for member in self.room.away}
        to_move = [] if self.turn is None else self.turn.seats
        seats = []
        for seat, player in enumerate(self.room.table.seats):
            until = None if player is None else away.get(player.id)
            left = None if until is None else max(0, -(-(until - server_now) // 1000))
            clock = "" if clocks is None or seat >= len(clocks) else clock_text(clocks[seat])
            facts = "" if board is None else board.facts(seat)
            seats.append(SeatView(seat, player, seat in self.room.seats, seat in to_move, clock, facts, left))
        return seats

    # Keys and mouse. They return the move to play, if any

    def first_target(self) -> Target | None:
        return None if not self.view else self.board().first_target(self._all_legal())

    def walk(self, right: int, up: int) -> None:
        if self.cursor is not None and self.at is None:
            self.cursor = self.board().walk(self.cursor, right, up)

    def point_at(self, target: Target) -> None:
        if self.at is None:
            self.cursor = target

    def switch(self) -> None:
        if self.cursor is not None:
            self.cursor = self.board().switched(self.cursor)

    def rotate(self) -> None:
        if self.cursor is not None:
            self.cursor = self.board().rotated(self.cursor)

    def go_to_unknown(self) -> None:
        if self.cursor is not None:
            self.cursor = self.board().next_unknown(self.cursor)

    def choose(self, deed: Deed = "play") -> str | None:
        """The move under the cursor. Before our turn it is planned; choosing it again drops the plan."""
        if self.cursor is None or self.is_over or not self.room.seats or not self.view:
            return None
        if self.at is not None:
            self._look_at(None)  # first back to the current position
            return None
        return self.play_or_wait(self.board().move(self.cursor, deed))

    def play_or_wait(self, move: str) -> str | None:
        """The move to play now; None if it was planned instead, before our turn in a game without secrets."""
        rules, own = GAMES.get(self.room.game), len(self.room.seats)
        waits = self.turn is not None and not (self.is_over or self.is_our_turn or self.is_elsewhere)
        two = own == 1 and len(self.room.table.seats) == 2
        if not (self.premoves_on and waits and two) or rules is None or rules.hidden:
            return move
        self.premove = None if self.premove == move else move
        return None

    def cancel(self) -> bool:
        """Drop the planned move, or return to the current position. Return whether there was
        anything to do.
        """
        had = self.premove is not None or self.at is not None
        self.premove = None
        self._look_at(None)
        return had

    def step(self, by: int) -> None:
        """Show an earlier or a later position. After the newest move comes the current position."""
        plies = sorted(self.moments)
        if not plies:
            return
        here = len(plies) - 1 if self.at not in plies else plies.index(self.at)
        there = max(here + by, 0)
        self._look_at(None if there >= len(plies) - 1 else self.moments[plies[there]])

    def _look_at(self, moment: Moment | None) -> None:
        """Show an earlier position; None for the current one."""
        self.at = None if moment is None else moment.ply
        if (shown := moment or self._newest) is not None:
            self.view, self.last_move = shown.view, shown.move


def clock_text(milliseconds: int) -> str:
    """A time such as "4:59", or "9.4" near the end. Rounded up, so that 0 means no time left."""
    if milliseconds < TENTHS_BELOW:
        tenths = -(-milliseconds // 100)
        return f"0:{tenths // 10:02}.{tenths % 10}"
    seconds = -(-milliseconds // 1000)
    hours, rest = divmod(seconds, 3600)
    if hours >= 48:
        return f"{hours // 24} d {hours % 24} h"
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
