"""The server's clock as estimated by a client, and the time it leaves each seat."""

from __future__ import annotations

from tablero_protocol.messages import NextPlayer, Pong, Welcome


class EstimatedServerTime:
    """Known from the messages that say it; late by the time that the fastest of them travelled."""

    def __init__(self) -> None:
        self._ahead: float | None = None
        """By how many milliseconds the server's clock is ahead of ours."""

    def hear(self, message: Welcome | Pong, now: float) -> None:
        ahead = message.now - now * 1000
        if self._ahead is None or isinstance(message, Welcome):
            self._ahead = ahead  # the next welcome may come from another server, with another clock
        else:
            self._ahead = max(ahead, self._ahead)

    def at(self, now: float) -> int:
        """In milliseconds since 1970; 0 before the server has said anything."""
        return 0 if self._ahead is None else int(now * 1000 + self._ahead)


def clocks_at(turn: NextPlayer, server_now: int) -> list[int] | None:
    """The milliseconds that each seat has left now.

    They ran since the turn for those who are to move, unless that is a first move or the game is paused.
    """
    if turn.clocks is None:
        return None
    spent = (
        0
        if turn.at is None or turn.first_move is not None or turn.paused is not None
        else max(0, server_now - turn.at)
    )
    return [max(0, left - spent) if seat in turn.seats else left for seat, left in enumerate(turn.clocks)]


def time_of(turn: NextPlayer, server_now: int) -> int | None:
    """The milliseconds that a game without turns has taken so far, or took; None while none is measured."""
    if turn.began is None or turn.paused is not None:
        return None
    if turn.milliseconds is not None or turn.outcome is not None:
        return turn.milliseconds
    return max(0, server_now - turn.began)


def first_move_left(turn: NextPlayer, server_now: int) -> int | None:
    """The milliseconds that are left now of the time for a first move, if one is waited for."""
    if turn.first_move is None:
        return None
    spent = 0 if turn.at is None or turn.paused is not None else max(0, server_now - turn.at)
    return max(0, turn.first_move - spent)
