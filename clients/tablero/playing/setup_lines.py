"""What becomes of a table before its game, in lines: its options, its clock, and who sits where.

Law: as in sentences, text from the server is cleaned before it is shown.
"""

from __future__ import annotations

from typing import Any

from tablero.catalogue.speech import translate, translate_plural
from tablero.client.room_progress import Setup
from tablero_games import Seat
from tablero_protocol.messages import Began, Clock, Freed, OptionsSet, Player, Preparing, Swapped, Unprepared
from tablero_protocol.text import clean

from .who import listed, named


def setup_line(event: Setup, us: Player, own: list[Seat]) -> str:
    """`own` are the seats that we have after it."""
    match event:
        case Preparing():
            return translate("Every seat is taken. The game is being prepared, and starts by itself.")
        case Unprepared():
            advice = translate("Who opened the table can change it: options NAME=VALUE")
            return f"{translate(clean(event.message))} {advice}"
        case OptionsSet():
            return translate("The table is now: {likeness}.", likeness=_likeness(event))
        case Freed(player=player, seat=seat):
            if player.id == us.id:
                return translate("You have no seat any more and watch: seat {seat} is free.", seat=seat)
            return translate(
                "{who} has no seat any more and watches: seat {seat} is free.", who=named(player), seat=seat
            )
        case Swapped():
            swapped = listed(list(map(str, event.seats)))
            told = translate("Seats {seats} have been swapped.", seats=swapped)
            return told + _now_on([seat for seat in own if seat in event.seats] if len(own) == 1 else [])
        case Began():
            told = translate_plural(
                "The owner of the table begins with the {number} who sits here.",
                "The owner of the table begins with the {number} who sit here.",
                len(event.seats),
            )
            return told + _now_on(own if len(own) == 1 else [])


def _now_on(own: list[Seat]) -> str:
    return "".join(f" {translate('You are on seat {seat}.', seat=seat)}" for seat in own)


def _likeness(event: OptionsSet) -> str:
    parts = [options_of(event.options)] if event.options else []
    if event.clock is None:
        parts.append(translate("no clock"))
    else:
        parts.append(translate("clock {clock}", clock=clock_of(event.clock)))
    parts += [] if event.watchers else [translate("nobody may watch")]
    return ", ".join(parts)


def clock_of(clock: Clock) -> str:
    """As it is typed."""
    if clock.per_move is not None:
        return f"{clock.per_move}/move"
    if clock.days is not None:
        return f"{clock.days}days"
    return f"{clock.base}+{clock.increment}" if clock.increment else f"{clock.base}"


def options_of(options: dict[str, Any]) -> str:
    return " ".join(clean(f"{name}={value}") for name, value in options.items())
