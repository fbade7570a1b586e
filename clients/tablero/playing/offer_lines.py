"""What one side offers the other at a table, and what came of it, in a line each."""

from __future__ import annotations

from tablero.catalogue.speech import sentence, translate
from tablero.client.room import Room
from tablero_protocol.messages import Answered, Offered
from tablero_protocol.text import clean

from .who import holder

_OFFERS = {
    "draw": (sentence("{you} offer a draw."), sentence("{who} offers a draw.")),
    "rematch": (sentence("{you} offer a rematch."), sentence("{who} offers a rematch.")),
    "takeback": (
        sentence("{you} ask to take the last move back."),
        sentence("{who} asks to take the last move back."),
    ),
    "pause": (sentence("{you} ask for a pause."), sentence("{who} asks for a pause.")),
    "continue": (sentence("{you} ask to go on."), sentence("{who} asks to go on.")),
}
_OFF_THE_TABLE = {
    "draw": (
        sentence("{you} offered a draw: that is off the table."),
        sentence("{who} offered a draw: that is off the table."),
    ),
    "takeback": (
        sentence("{you} asked to take the last move back: that is off the table."),
        sentence("{who} asked to take the last move back: that is off the table."),
    ),
    "pause": (
        sentence("{you} asked for a pause: that is off the table."),
        sentence("{who} asked for a pause: that is off the table."),
    ),
    "continue": (
        sentence("{you} asked to go on: that is off the table."),
        sentence("{who} asked to go on: that is off the table."),
    ),
}


def offer_line(room: Room, event: Offered | Answered) -> str:
    who = holder(room.table, event.seat, room.seats)
    if isinstance(event, Answered):
        if event.yes:
            return who.does(sentence("{you} say yes."), sentence("{who} says yes."))
        return who.does(sentence("{you} say no."), sentence("{who} says no."))
    otherwise = (sentence("{you} offer: {what}."), sentence("{who} offers: {what}."))
    offer = who.does(*_OFFERS.get(event.what, otherwise), what=clean(event.what))
    asked = room.seats and event.seat not in room.seats
    return f"{offer} {translate('Type yes or no.')}" if asked else offer


def expired_line(room: Room, event: Offered) -> str:
    """What was offered and got no answer."""
    otherwise = (
        sentence("{you} offered: {what}. That is off the table."),
        sentence("{who} offered: {what}. That is off the table."),
    )
    told = _OFF_THE_TABLE.get(event.what, otherwise)
    return holder(room.table, event.seat, room.seats).does(*told, what=clean(event.what))
