"""A game being played: where it stands, which turn led there, and what each seat is shown of both.

Law: a play is a frozen value, and the same start and turns give an equal one. `shown_to` is the only way from
a position to those who play or watch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .position import Counts, Game, Json, Position, Reason, Seat, View


class Play(NamedTuple):
    game: Game
    counts: Counts
    is_same_for_all: bool
    """Whether everybody is shown the same."""
    position: Position
    to_move: list[Seat]
    """The seats whose turn it is, in order."""
    plies: tuple[int, ...]
    """How many moves each seat has played,"""
    ply: int = 0
    """and all together."""
    last: View | None = None
    """The turn that led here: `seat` and `move`, or `seat` and `withdrew`; None at the start or a draw."""

    @classmethod
    def begin(
        cls,
        game: Game,
        seats: int | None = None,
        seed: int = 0,
        prepared: Json = None,
        options: Mapping[str, Json] | None = None,
    ) -> Play:
        """A game at its start; see `Game.start`. Raises BadOptions."""
        chosen = game.read_options(dict(options or {}))
        position = game.start(seats, seed, prepared, **(options or {}))
        counts, plies = game.counts(chosen), (0,) * game.count_seats(seats, chosen)
        same = not game.hidden and counts != "own"
        return cls(game, counts, same, position, sorted(position.to_move), plies)

    def turn(self, seat: Seat, move: str) -> Play:
        """After `move`, which is kept as it is written, however it was typed. Raises IllegalMove."""
        game, counts, same, before, _, plies, ply, _ = self
        position = before.play(seat, move)
        plies = (*plies[:seat], plies[seat] + 1, *plies[seat + 1 :])
        last = {"seat": seat, "move": before.canonical(move)}
        return Play(game, counts, same, position, sorted(position.to_move), plies, ply + 1, last)

    def withdraw(self, seat: Seat, reason: Reason) -> Play:
        """`seat` plays no further. Raises IllegalMove."""
        return self._at(self.position.withdraw(seat, reason), {"seat": seat, "withdrew": reason})

    def agree_draw(self) -> Play:
        """Everybody agreed to a draw. Raises IllegalMove."""
        return self._at(self.position.agree_draw(), None)

    def expected_ply(self, seat: Seat) -> int | None:
        """The ply that a turn of `seat` has to name, so that it was meant for what is here; None: any."""
        if self.counts == "all":
            return self.ply
        return None if self.counts == "none" else self.plies[seat]

    def shown_to(self, seat: Seat | None) -> View:
        """What `seat`, or somebody who watches, gets to see, by the names that `nextPlayer` has for it."""
        position, last = self.position, self.last
        shown: View = {
            "ply": self.ply if seat is None or self.counts != "own" else self.plies[seat],
            "seats": self.to_move,
            "view": position.view(seat),
        }
        if last is not None:
            shown["last"] = last if self.is_same_for_all else self._told(last, seat)
        if position.outcome is not None:
            shown["outcome"] = position.outcome.to_json()
        return shown

    def told(self, by: Seat, move: str, to: Seat | None) -> str | None:
        """What `to` may hear, now, of a move that `by` has played."""
        return move if by == to or not self.game.hidden else self.game.told(self.position, by, move, to)

    def _told(self, last: View, to: Seat | None) -> View:
        if "withdrew" in last:
            return last
        move = self.told(last["seat"], last["move"], to)
        return {"seat": last["seat"]} if move is None else {"seat": last["seat"], "move": move}

    def _at(self, position: Position, last: View | None) -> Play:
        return self._replace(position=position, to_move=sorted(position.to_move), last=last)
