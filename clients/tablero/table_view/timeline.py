"""The positions of a game one after the other: what was there at each ply, also for whoever came late.

Law: a position that was heard is never replaced by one that was worked out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tablero_games import GAMES, Seat
from tablero_games.play import Play
from tablero_games.position import View
from tablero_games.refusals import BadOptions, IllegalMove
from tablero_protocol.messages import NextPlayer, PastTurn


@dataclass(frozen=True)
class Moment:
    """A position, and the turn that led to it."""

    ply: int
    view: View
    seat: Seat | None = None
    move: str | None = None


class Timeline:
    def __init__(self) -> None:
        self._moments: dict[int, Moment] = {}
        self._heard: set[int] = set()

    @property
    def moments(self) -> Sequence[Moment]:
        """In the order of their plies."""
        return [self._moments[ply] for ply in sorted(self._moments)]

    def hear(self, turn: NextPlayer) -> None:
        last = turn.last
        seat, move = (None, None) if last is None else (last.seat, last.move)
        self._moments[turn.ply] = Moment(turn.ply, turn.view, seat, move)
        self._heard.add(turn.ply)

    def fill_in(
        self,
        game: str,
        options: Mapping[str, Any],
        seats: int,
        turns: Sequence[PastTurn],
        viewer: Seat | None,
    ) -> None:
        """What was played before we came, where the rules can tell: not where something is hidden."""
        rules = GAMES.get(game)
        if rules is None or rules.hidden:
            return
        try:
            play = Play.begin(rules, seats, options=dict(options))
        except (BadOptions, ValueError):  # a table of another version of the game
            return
        self._work_out(play, None, None, viewer)
        for turn in turns:
            try:
                if turn.took_back is not None and turn.seat is not None:
                    play = play.take_back(turn.seat)
                elif turn.move is not None and turn.seat is not None:
                    play = play.turn(turn.seat, turn.move)
                else:
                    continue
            except IllegalMove:  # so are its rules
                return
            self._work_out(play, turn.seat, turn.move, viewer)

    def _work_out(self, play: Play, seat: Seat | None, move: str | None, viewer: Seat | None) -> None:
        if play.ply not in self._heard:
            self._moments[play.ply] = Moment(play.ply, play.position.view(viewer), seat, move)
