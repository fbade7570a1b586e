"""A game in progress: its position, the last turn, and the part of both that each seat is shown.

Law: a play is a frozen value; equal starts and turns give equal plays. Only `shown_to` turns a position into
views for players and watchers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from .position import Adjudication, Counts, Game, Json, Position, Reason, Seat, View
from .refusals import IllegalMove

_new = tuple.__new__  # a named tuple's own constructor takes twice as long
_KEPT_EVERY = 16
"""The trail keeps every 16th position, so that a takeback replays few moves."""


class Trail(NamedTuple):
    """The moves so far as a linked list, last move first; plays share the earlier part."""

    before: Trail | None
    seat: Seat
    move: str
    position: Position | None
    """The position before the move, or None if it is not kept."""


class Play(NamedTuple):
    game: Game
    counts: Counts
    is_same_for_all: bool
    """Whether all viewers are shown the same."""
    position: Position
    to_move: list[Seat]
    """The seats whose turn it is, in order."""
    plies: tuple[int, ...]
    """The number of moves of each seat."""
    ply: int = 0
    """The number of turns and takebacks of all seats."""
    last: View | None = None
    """The turn that led to the position: `seat`, and `move`, `withdrew` or `tookBack`; None at the start."""
    begun: Position | None = None
    """The first position of the trail; None in games without takebacks."""
    trail: Trail | None = None

    @classmethod
    def begin(
        cls,
        game: Game,
        seats: int | None = None,
        seed: int = 0,
        prepared: Json = None,
        options: Mapping[str, Json] | None = None,
    ) -> Play:
        """Starts a game, as `Game.start` does. Raises BadOptions."""
        chosen = game.read_options(dict(options or {}))
        position = game.start(seats, seed, prepared, **(options or {}))
        counts, plies = game.counts(chosen), (0,) * game.count_seats(seats, chosen)
        same = not game.hidden and counts != "own"
        begun = position if counts == "all" and not game.hidden else None
        return cls(game, counts, same, position, sorted(position.to_move), plies, begun=begun)

    def turn(self, seat: Seat, move: str) -> Play:
        """Plays `move`, stored in its canonical spelling. Raises IllegalMove."""
        game, counts, same, before, _, plies, ply, _, begun, trail = self
        position, move = before.play(seat, move), before.canonical(move)
        plies = (*plies[:seat], plies[seat] + 1, *plies[seat + 1 :])
        last = {"seat": seat, "move": move}
        if begun is not None:
            trail = _new(Trail, (trail, seat, move, None if ply % _KEPT_EVERY else before))
        to_move = sorted(position.to_move)
        return _new(Play, (game, counts, same, position, to_move, plies, ply + 1, last, begun, trail))

    def withdraw(self, seat: Seat, reason: Reason) -> Play:
        """Takes `seat` out of the game. Later takebacks stop here. Raises IllegalMove."""
        after = self._at(self.position.withdraw(seat, reason), {"seat": seat, "withdrew": reason})
        return after if self.begun is None else after._replace(begun=after.position, trail=None)

    def adjudicate(self, kind: Adjudication, reason: str) -> Play:
        """Ends the game by a decision from outside its rules. Raises IllegalMove."""
        return self._at(self.position.adjudicate(kind, reason), None)

    def moves_to_take_back(self, seat: Seat) -> int:
        """The number of moves that a takeback by `seat` undoes: its last move and all after it; 0 if it has
        no move.
        """
        trail, count = self.trail, 1
        while trail is not None and trail.seat != seat:
            trail, count = trail.before, count + 1
        return 0 if trail is None or self.position.outcome is not None else count

    def take_back(self, seat: Seat) -> Play:
        """Goes back to the position before the last move of `seat`. Raises IllegalMove if it has no move.

        A takeback counts as a ply, so a ply never means two positions.
        """
        count, trail, moves = self.moves_to_take_back(seat), self.trail, []
        if not count or self.begun is None:
            raise IllegalMove("nothingToTakeBack")
        for _ in range(count):
            trail = trail and trail.before
        earlier, position = trail, self.begun
        while trail is not None:
            moves.append(trail)
            if trail.position is not None:
                position = trail.position
                break
            trail = trail.before
        for _, by, move, _ in reversed(moves):
            position = position.play(by, move)
        after = self._at(position, {"seat": seat, "tookBack": count})
        return after._replace(ply=self.ply + 1, trail=earlier)

    def expected_ply(self, seat: Seat) -> int | None:
        """The ply that a turn of `seat` must name to be accepted in this position; None if any ply is
        accepted.
        """
        if self.counts == "all":
            return self.ply
        return None if self.counts == "none" else self.plies[seat]

    def shown_to(self, seat: Seat | None) -> View:
        """The fields of `nextPlayer` for `seat`; for a watcher, `seat` is None."""
        _, counts, same, position, to_move, plies, ply, last, _, _ = self
        shown: View = {
            "ply": ply if seat is None or counts != "own" else plies[seat],
            "seats": to_move,
            "view": position.view(seat),
        }
        if last is not None:
            shown["last"] = last if same else self._told(last, seat)
        if position.outcome is not None:
            shown["outcome"] = position.outcome.to_json()
        return shown

    def told(self, by: Seat, move: str, to: Seat | None) -> str | None:
        """The part of a move by `by` that `to` may learn now; None if `to` may learn nothing."""
        return move if by == to or not self.game.hidden else self.game.told(self.position, by, move, to)

    def heard(self, by: Seat, move: str, seats: Collection[Seat]) -> str | None:
        """The part of a move by `by` that the player of `seats` may learn now; without seats, the part for a
        watcher.
        """
        told = [self.told(by, move, to) for to in (None, *seats)]
        return move if move in told else next(filter(None, told), None)

    def _told(self, last: View, to: Seat | None) -> View:
        if "move" not in last:
            return last
        move = self.told(last["seat"], last["move"], to)
        return {"seat": last["seat"]} if move is None else {"seat": last["seat"], "move": move}

    def _at(self, position: Position, last: View | None) -> Play:
        return self._replace(position=position, to_move=sorted(position.to_move), last=last)
