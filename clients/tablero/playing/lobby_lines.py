"""What is beyond the table, in lines: other tables, who is here and what bots play, and one's own games.

Law: as in sentences, text from the server is cleaned before it is shown.
"""

from __future__ import annotations

from tablero.catalogue.speech import sentence, translate, translate_plural
from tablero_protocol.messages import Held, LobbyList, OwnRooms, Presence, RoomLine, SeekLine
from tablero_protocol.text import clean

from .sentences import time_left, title_of
from .setup_lines import clock_of, options_of
from .who import named, rated, seated

_MOST_TABLES, _MOST_PLAYERS, _MOST_OFFERS = 30, 50, 30
STATES = {
    "waiting": sentence("waiting"),
    "preparing": sentence("preparing"),
    "playing": sentence("playing"),
    "finished": sentence("finished"),
}


def tables_of(lobby: LobbyList) -> list[RoomLine]:
    """Those with a free seat first."""
    return sorted(lobby.rooms, key=lambda line: None not in line.seats)


def lobby(lobby: LobbyList) -> list[str]:
    """As much as can be read at once: of many tables the first, with numbers by which one joins them."""
    tables_here = tables_of(lobby)
    tables = [f"{number}. {_table_line(line)}" for number, line in enumerate(tables_here[:_MOST_TABLES], 1)]
    tables = tables or [translate("No public table is open.")]
    if more := len(tables_here[_MOST_TABLES:]):
        tables.append(translate_plural("And {number} more table.", "And {number} more tables.", more))
    tables += map(seek_line, lobby.seeks[:_MOST_TABLES])
    names = ", ".join(map(named, lobby.players[:_MOST_PLAYERS])) or translate("nobody")
    if more := len(lobby.players[_MOST_PLAYERS:]):
        here = translate_plural(
            "Here: {names}, and {number} more.", "Here: {names}, and {number} more.", more, names=names
        )
    else:
        here = translate("Here: {names}.", names=names)
    offers = [line for player in lobby.players for line in _offer_lines(player)]
    return [*tables, here, *offers[:_MOST_OFFERS]]


def _offer_lines(player: Presence) -> list[str]:
    """What a bot plays, a line for each game."""
    brains = player.card.brains if player.card else []
    return [
        translate(
            "{who} plays {game}: {levels}.",
            who=named(player),
            game=clean(brain.game),
            levels=clean(", ".join(brain.levels)),
        )
        for brain in brains
    ]


def _table_line(line: RoomLine) -> str:
    seats = ", ".join(seated(line))
    options = options_of(line.options)
    watching = ""
    if line.watchers is None:
        watching = f", {translate('nobody may watch')}"
    elif line.watchers:
        watching = ", " + translate_plural("{number} watching", "{number} watching", line.watchers)
    parts = [clean(line.room), clean(line.game), translate(STATES[line.state])]
    parts += [f"[{seats}]{watching}", options, translate("rated") if line.rated else ""]
    return "  ".join(part for part in parts if part)


def seek_line(seek: SeekLine) -> str:
    options = options_of(seek.options or {})
    clock = "" if seek.clock is None else f"clock={clock_of(seek.clock)}"
    stakes = translate("rated") if seek.rated else ""
    parts = clean(seek.game) if seek.game else translate("any game"), options, clock, stakes
    what = " ".join(part for part in parts if part)
    return translate("{who} seeks somebody for {what}.", who=rated(seek.player, seek.rating), what=what)


def own_rooms(own: OwnRooms) -> list[str]:
    return list(map(_game_line, own.rooms)) or [translate("You are in no game. To begin: create GAME")]


def _game_line(held: Held) -> str:
    rivals = ", ".join(map(named, held.rivals)) or translate("nobody yet")
    line = f"{clean(held.room)}  "
    line += translate("{game} with {rivals}:", game=title_of(held.game), rivals=rivals) + " "
    ours = [seat for seat in held.to_move if seat in held.seats]
    if held.state != "playing":
        return line + translate(STATES[held.state])
    if not held.seats:
        line += translate("you watch")
    else:
        line += translate("your turn") if ours else translate("their turn")
    if held.clocks is not None and held.to_move:
        left = time_left(held.clocks[(ours or held.to_move)[0]])
        line += ", " + translate("{time} left", time=left)
    return line
