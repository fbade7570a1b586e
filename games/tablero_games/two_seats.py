"""The base of turn games for two seats: the seat to move, resigning, and ends from outside the rules.

Law: seats 0 and 1 play. If one seat gives up, the other wins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self, TypeAlias, get_args

from .position import ADJUDICATIONS, Adjudication, Outcome, Reason, Seat, View
from .refusals import IllegalMove

SEATS: tuple[Seat, Seat] = (0, 1)
ONLY: tuple[frozenset[Seat], frozenset[Seat]] = (frozenset({0}), frozenset({1}))
BOTH: frozenset[Seat] = frozenset(SEATS)
NOBODY: frozenset[Seat] = frozenset()
Scores: TypeAlias = tuple[int, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSeats:
    """A position of a turn game for two. Each game defines the next seat and the points."""

    outcome: Outcome | None = None

    @property
    def next_seat(self) -> Seat:
        """The seat to move; after the end, the seat whose turn it would be."""
        raise NotImplementedError

    @property
    def scores(self) -> Scores:
        """Points by seat; None in games without points."""
        return None

    @property
    def to_move(self) -> frozenset[Seat]:
        return ONLY[self.next_seat] if self.outcome is None else NOBODY

    @property
    def playing(self) -> frozenset[Seat]:
        return BOTH if self.outcome is None else NOBODY

    def withdraw(self, seat: Seat, reason: Reason) -> Self:
        self.refuse_when_over()
        if seat not in SEATS:
            raise IllegalMove("noSuchSeat", seat=seat, last=1)
        return replace(self, outcome=given_up(seat, reason, self.scores))

    def adjudicate(self, kind: Adjudication, reason: str) -> Self:
        self.refuse_when_over()
        return replace(self, outcome=adjudicated(kind, reason, self.scores))

    def refuse_when_over(self) -> None:
        if self.outcome is not None:
            raise IllegalMove("gameOver")

    def refuse_out_of_turn(self, seat: Seat) -> None:
        if self.outcome is None and seat == self.next_seat:
            return
        self.refuse_when_over()
        raise IllegalMove("notYourTurn", seat=self.next_seat)


def won(seat: Seat, reason: str, scores: Scores = None) -> Outcome:
    return Outcome("win", ONLY[seat], reason, scores)


def drawn(reason: str, scores: Scores = None) -> Outcome:
    return Outcome("draw", NOBODY, reason, scores)


def given_up(seat: Seat, reason: Reason, scores: Scores) -> Outcome:
    return won(1 - seat, reason, scores)


def adjudicated(kind: Adjudication, reason: str, scores: Scores) -> Outcome:
    return Outcome(kind, NOBODY, reason, scores)


def outcome_told(view: View, on_board: Outcome | None, scores: Scores = None) -> Outcome | None:
    """The outcome in a view: the outcome on its board, or an end from outside the rules.

    Raises ValueError if the view's outcome does not fit its board.
    """
    told = view.get("outcome")
    if on_board is None:
        if told is None:
            return None
        possible = [given_up(seat, reason, scores) for seat in SEATS for reason in get_args(Reason)]
        possible += [
            adjudicated(kind, reason, scores) for kind in ADJUDICATIONS for reason in ADJUDICATIONS[kind]
        ]
    else:
        possible = [on_board]
    for outcome in possible:
        if told == outcome.to_json():
            return outcome
    raise ValueError(f"The view's outcome {told!r:.80} does not fit its board.")
