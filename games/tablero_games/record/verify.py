"""Verifies a record: plays the game again from its first line, by the rules, to its outcome.

Law: nothing in a record is trusted that the rules can check.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ..catalogue import GAMES
from ..play import Play
from ..position import Game, Json, NoFieldFound, Options, Position, never
from ..refusals import BadOptions, IllegalMove, as_shown
from .commitment import canonical, opens
from .file import Closing, Header, Invalid, Record, RecordedTurn, read


@dataclass(frozen=True)
class Verdict:
    """Whether a record is valid; if not, which line is wrong, and why."""

    valid: bool
    line: int | None = None
    reason: str | None = None
    sealed: bool = False
    """Whether the moves can be checked only after the game, when hidden information is published."""
    over: bool = False
    board: str = ""
    """A drawing of the position before a wrong turn."""
    invalid: Invalid | None = None
    """The mistake, for programs that report it in another language."""

    def to_json(self) -> dict[str, Json]:
        return {"valid": self.valid, "line": self.line, "reason": self.reason, "sealed": self.sealed}

    def __str__(self) -> str:
        if not self.valid:
            return f"invalid at line {self.line}: {self.reason}"
        return "valid" if self.over else "valid so far, sealed" if self.sealed else "valid so far"


def verify(text: str, give_up: Callable[[], bool] = never) -> Verdict:
    """Plays the game again. The prepared part is computed again from the seed, until `give_up()`."""
    try:
        record = read(text)
        if record.sealed:
            _check_sealed(record)
        else:
            for _ in _replay(record, _prepared_anew(record, give_up)):
                pass
    except Invalid as invalid:
        return Verdict(False, invalid.line, invalid.reason, board=invalid.board, invalid=invalid)
    return Verdict(True, sealed=record.sealed, over=record.closing.outcome is not None)


def positions(record: Record) -> Iterator[tuple[RecordedTurn | None, Position]]:
    """The first position, and the position after each turn; empty for a sealed record. Raises Invalid at a
    wrong line.

    The prepared part is trusted, to save time; `verify` checks it.
    """
    if record.sealed:
        _check_sealed(record)
    else:
        yield from ((turn, play.position) for turn, play in plays(record, record.closing))


def plays(record: Record, opened: Closing) -> Iterator[tuple[RecordedTurn | None, Play]]:
    """The plays of a record; `opened` has the hidden information, also for a sealed record."""
    yield from _replay(replace(record, closing=opened), opened.prepared)


def game_of(header: Header) -> tuple[Game, Options]:
    """The game and options of a record. Raises Invalid if this version does not have this game, or not with
    these options.
    """
    game = GAMES.get(header.game)
    if game is None:
        raise Invalid(1, "gameNotHere", game=as_shown(header.game))
    if header.version != game.version:
        raise Invalid(1, "otherRules", theirs=header.version, ours=game.version)
    try:
        options = game.read_options(header.options)
    except BadOptions as bad:
        raise Invalid(1, bad.reason, **bad.fields) from None
    if header.options != json.loads(canonical(options)):
        raise Invalid(1, "optionsByHalves")
    if header.seats not in game.seats(options) or header.seats != len(header.names):
        raise Invalid(1, "otherSeats")
    _check_clock(header.clock)
    told, form = (header.commitment, "[0-9a-f]{64}") if game.hidden else (header.seed, "0|[1-9a-f][0-9a-f]*")
    if told is None or not re.fullmatch(form, told) or None not in (header.seed, header.commitment):
        if game.hidden:
            raise Invalid(1, "needsCommitment")
        raise Invalid(1, "needsSeed")
    return game, options


def _check_clock(clock: dict[str, int] | None) -> None:
    kinds = ({"base", "increment"}, {"perMove"}, {"days"})
    if clock is not None and (set(clock) not in kinds or min(clock.values()) < 0):
        raise Invalid(1, "otherClock")


def _seed(record: Record, options: Options) -> int:
    """The number from which the whole game follows. Raises Invalid unless it fits the commitment."""
    header, closing, line = record.header, record.closing, record.last_line
    if header.seed is not None:
        if (closing.salt, closing.seed, closing.prepared) != (None, None, None):
            raise Invalid(line, "opensNothing")
        return int(header.seed, 16)
    promised = header.commitment or ""
    if closing.salt is None or closing.seed is None:
        raise Invalid(line, "staysSealed")
    if not opens(promised, closing.salt, closing.seed, options):
        raise Invalid(line, "otherPromise")
    return int(closing.salt + closing.seed, 16)


def _prepared_anew(record: Record, give_up: Callable[[], bool]) -> Json:
    game, options = game_of(record.header)
    try:
        prepared = game.prepare(_seed(record, options), options, give_up)
    except NoFieldFound:
        raise Invalid(record.last_line, "preparedTooLong") from None
    if record.closing.prepared not in (None, prepared):
        raise Invalid(record.last_line, "preparedOtherwise")
    return prepared


def _replay(record: Record, prepared: Json) -> Iterator[tuple[RecordedTurn | None, Play]]:
    game, options = game_of(record.header)
    seed = _seed(record, options)
    try:
        play = Play.begin(game, record.header.seats, seed, prepared, record.header.options)
    except (ValueError, TypeError, LookupError):
        raise Invalid(record.last_line, "preparedUnfit") from None
    yield None, play
    for line, turn in _turns(record):
        if turn.leaves_position and play.position.outcome is not None:
            raise Invalid(line, "gameOver")
        if turn.added_time is not None and turn.seat not in play.position.playing:
            raise Invalid(line, "seatOut")
        if turn.took_back is not None and turn.took_back != play.moves_to_take_back(turn.seat or 0):
            raise Invalid(line, "otherTakeback")
        try:
            play = _after(play, turn)
        except IllegalMove as illegal:
            board = game.draw(play.position.view(turn.seat), "ascii")
            raise Invalid(line, illegal.reason, board, **illegal.fields) from None
        yield turn, play
    ended = play.position.outcome
    outcome = None if ended is None else ended.to_json()
    if outcome != record.closing.outcome:
        raise Invalid(record.last_line, "otherOutcome")


def _turns(record: Record) -> Iterator[tuple[int, RecordedTurn]]:
    """Each turn with its line number. Raises Invalid for mistakes that don't depend on the rules."""
    seats, before, paused = range(record.header.seats), 0, False
    for line, turn in enumerate(record.turns, start=2):
        of_nobody = not {"drawn", "aborted", "paused", "continued"}.isdisjoint(turn.deeds)
        count = len(turn.deeds)
        if count > 1 or (count == 0 and not record.sealed):
            raise Invalid(line, "notOneDeed")
        paused = _check_pause(line, turn, record.header, paused)
        if (turn.seat is None) != of_nobody or turn.seat not in (None, *seats):
            raise Invalid(line, "noSeatOfGame", last=seats[-1])
        if turn.at < before:
            raise Invalid(line, "beforeTheLast")
        if turn.clocks is not None and len(turn.clocks) != len(seats):
            raise Invalid(line, "clocksMissing")
        before = turn.at
        yield line, turn


def _check_pause(line: int, turn: RecordedTurn, header: Header, paused: bool) -> bool:
    """Whether the game is paused after this turn; `paused` says whether it was paused before."""
    clock = header.clock
    if turn.leaves_position and clock is None:
        raise Invalid(line, "noClocks")
    if turn.added_time is not None and "days" in (clock or {}):
        raise Invalid(line, "noTimeAmongDays")
    if paused and turn.deeds in ([], ["move"], ["paused"]):
        raise Invalid(line, "stillPaused")
    if not paused and turn.continued is not None:
        raise Invalid(line, "neverPaused")
    return turn.paused is not None or (paused and turn.continued is None)


def _after(play: Play, turn: RecordedTurn) -> Play:
    if turn.leaves_position:
        return play
    if turn.seat is None:
        if turn.aborted is not None:
            return play.adjudicate("aborted", turn.aborted)
        return play.adjudicate("draw", "claimed" if turn.drawn == "claimed" else "agreed")
    if turn.withdrew is not None:
        return play.withdraw(turn.seat, turn.withdrew)
    if turn.took_back is not None:
        return play.take_back(turn.seat)
    return play.turn(turn.seat, turn.move or "")


def _check_sealed(record: Record) -> None:
    """Checks everything that can be known about a game before its hidden information is published."""
    game_of(record.header)
    if record.closing.salt or record.closing.seed or record.closing.prepared is not None:
        raise Invalid(record.last_line, "opensTooEarly")
    out: set[int | None] = set()
    for line, turn in _turns(record):
        ended = turn.seat is None and not turn.leaves_position
        if ended or turn.seat in out:
            raise Invalid(line, "gameOver" if ended else "seatOut")
        if turn.took_back is not None:
            raise Invalid(line, "takesBackHidden")
        if turn.withdrew is not None:
            out.add(turn.seat)
