"""A game's record in sentences.

Law: a record comes from outside, so its words are cleaned before they are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tablero_games.position import Outcome
from tablero_games.record.file import RecordedTurn
from tablero_protocol.text import clean

from ..catalogue.speech import sentence, translate
from . import sentences
from .sentences import time_left
from .who import Who, listed

_HOW_ENDED = {
    True: sentence("All agree to a draw."),
    "claimed": sentence("A draw is claimed because a player was away for too long."),
    "away": sentence("The game is aborted because all players were away for too long."),
    "left": sentence("The game is aborted because a player left."),
    "noFirstMove": sentence("The game is aborted because there was no first move in time."),
    "closed": sentence("The game is aborted because the host closed the table."),
    "kicked": sentence("The game is aborted because the host removed a player."),
}
_WITHOUT_WINNERS = {
    "draw": sentence("The game is a draw"),
    "loss": sentence("Nobody wins"),
    "aborted": sentence("The game is aborted and doesn't count"),
}


def names_told(names: Sequence[str | None]) -> list[str]:
    return [clean(name) if name else translate("seat {seat}", seat=seat) for seat, name in enumerate(names)]


def turn_told(ply: int, turn: RecordedTurn, names: Sequence[str]) -> str:
    if turn.move is not None and turn.seat is not None:
        who, move = names[turn.seat], clean(turn.move)
        return translate("{ply}. {who} plays {move}.", ply=ply, who=who, move=move)
    return f"{ply}. {_deed(turn, names)}"


def _deed(turn: RecordedTurn, names: Sequence[str]) -> str:
    """The sentence for an event other than a move."""
    if turn.paused is not None:
        return translate("All agree to a pause, for {time} at most.", time=time_left(turn.paused))
    if turn.continued is not None:
        return translate("The game continues.")
    if turn.seat is None:
        return translate(_HOW_ENDED[turn.aborted or turn.drawn])
    who = Who(names[turn.seat])
    if turn.added_time is not None:
        time = time_left(turn.added_time)
        return translate("{who} gives the opponents {time} more.", who=who.name, time=time)
    return sentences.what_was_done(who, turn.withdrew, turn.took_back) or translate(
        "{who} plays.", who=who.name
    )


def ending_told(told: dict[str, Any] | None, names: Sequence[str]) -> str:
    """The sentence for the end of the game, from the outcome in its last view."""
    if told is None:
        return translate("The game is not over.")
    outcome = Outcome.from_json(told)
    winners = [names[seat] for seat in sorted(outcome.winners)]
    if not winners:
        result = translate(_WITHOUT_WINNERS[outcome.kind])
    else:
        wins = sentence("{who} wins") if len(winners) == 1 else sentence("{who} win")
        result = translate(wins, who=listed(winners))
    return translate("{result} ({reason}).", result=result, reason=sentences.why_ended(outcome.reason))
