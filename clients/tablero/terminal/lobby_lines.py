"""What is beyond the table, in lines: other tables, who is here and what bots play, and one's own games.

Law: as in sentences, text from the server is cleaned before it is shown.
"""

from __future__ import annotations

from tablero_protocol.messages import Held, LobbyList, OwnRooms, Presence, RoomLine, SeekLine
from tablero_protocol.text import clean

from .sentences import clock_of, named, options_of, time_left

_MOST_TABLES, _MOST_PLAYERS, _MOST_OFFERS = 30, 50, 30


def lobby(lobby: LobbyList) -> list[str]:
    """As much as can be read at once: tables with a free seat first, and of many the first."""
    by_seats = sorted(lobby.rooms, key=lambda line: None not in line.seats)
    tables = list(map(_table_line, by_seats[:_MOST_TABLES])) or ["No public table is open."]
    if more := len(by_seats[_MOST_TABLES:]):
        tables.append(f"And {more} more tables.")
    tables += map(_seek_line, lobby.seeks[:_MOST_TABLES])
    names = ", ".join(map(named, lobby.players[:_MOST_PLAYERS])) or "nobody"
    here = f"Here: {names}" + (f", and {more} more." if (more := len(lobby.players[_MOST_PLAYERS:])) else ".")
    offers = [line for player in lobby.players for line in _offer_lines(player)]
    return [*tables, here, *offers[:_MOST_OFFERS]]


def _offer_lines(player: Presence) -> list[str]:
    """What a bot plays, a line for each game."""
    brains = player.card.brains if player.card else []
    return [clean(f"{named(player)} plays {brain.game}: {', '.join(brain.levels)}.") for brain in brains]


def _table_line(line: RoomLine) -> str:
    seats = ", ".join(named(player) if player else "free" for player in line.seats)
    options = options_of(line.options)
    watching = f", {line.watchers} watching" if line.watchers else ""
    if line.watchers is None:
        watching = ", nobody may watch"
    parts = [clean(line.room), clean(line.game), line.state, f"[{seats}]{watching}", options]
    return "  ".join(part for part in parts if part)


def _seek_line(seek: SeekLine) -> str:
    options = options_of(seek.options or {})
    clock = "" if seek.clock is None else f"clock={clock_of(seek.clock)}"
    what = " ".join(part for part in (clean(seek.game or "any game"), options, clock) if part)
    return f"{named(seek.player)} seeks somebody for {what}."


def own_rooms(own: OwnRooms) -> list[str]:
    return list(map(_game_line, own.rooms)) or ["You are in no game. To begin: create GAME"]


def _game_line(held: Held) -> str:
    rivals = ", ".join(map(named, held.rivals)) or "nobody yet"
    line = f"{clean(held.room)}  {clean(held.game)} with {rivals}: "
    ours = [seat for seat in held.to_move if seat in held.seats]
    if held.state != "playing":
        return line + held.state
    line += "your turn" if ours else "their turn" if held.seats else "you watch"
    if held.clocks is not None and held.to_move:
        line += f", {time_left(held.clocks[(ours or held.to_move)[0]])} left"
    return line
