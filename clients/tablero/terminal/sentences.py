"""What happens at a table, in one line of plain words each.

Law: text from the server is cleaned before it is shown; nothing in it can move a cursor or hide a word.
"""

from __future__ import annotations

from operator import gt
from typing import Any

from tablero.client.room import Room
from tablero.client.room_progress import Setup
from tablero.client.server_time import clocks_at
from tablero.errors import Refused
from tablero_games import GAMES, Seat
from tablero_games.drawing import ASCII, UNICODE
from tablero_games.position import Style
from tablero_protocol.messages import (
    Answered,
    Away,
    Back,
    Began,
    Clock,
    Freed,
    Joined,
    Left,
    Muting,
    NextPlayer,
    Offered,
    OptionsSet,
    PastTurn,
    Player,
    Preparing,
    Swapped,
    Table,
    Turn,
    Unprepared,
)
from tablero_protocol.text import clean

_MOVES_A_LINE = 6

_WHY = {
    "agreed": "agreed",
    "away": "everybody was away for too long",
    "kicked": "a player was shut out",
    "left": "it was left before it had really begun, or while the others were away",
    "noFirstMove": "the first move was not made in time",
}
"""How a game ended from outside its rules. Those of a game are words that speak for themselves."""
_BOTH = {"agreed": "Both agree.", "claimed": "The other side was away for too long."}
"""How a game came to a draw without a turn."""
_ASKS = {
    "draw": ("offers", "a draw"),
    "rematch": ("offers", "a rematch"),
    "takeback": ("asks", "to take the last move back"),
    "pause": ("asks", "for a pause"),
    "continue": ("asks", "to go on"),
}
_HOW_GONE = {
    "resign": "resigns",
    "time": "is out of time",
    "gone": "is gone",
    "claimed": "was away for too long",
}


def named(player: Player) -> str:
    """ "Ana", or "house (bot, hard)"."""
    level = f", {player.level.rpartition(':')[2]}" if player.level else ""
    return clean(f"{player.name} (bot{level})" if player.bot else player.name)


def holder(table: Table, seat: Seat, own: list[Seat]) -> str:
    """Who sits on `seat`, as "you" or by name."""
    if seat in own:
        return "you" if len(own) == 1 else f"you (seat {seat})"
    player = table.seats[seat] if seat < len(table.seats) else None
    if player is None:
        return f"seat {seat}"
    alike = sum(other == player for other in table.seats)
    return named(player) if alike == 1 else f"{named(player)} on seat {seat}"


def how_to_move(game: str) -> str:
    """ "a move, for example e2 or e3h"; without the examples where this client does not know the game."""
    moves = list(GAMES[game].example_moves) if game in GAMES else []
    listed = " or ".join([", ".join(moves[:-1]), moves[-1]] if len(moves) > 1 else moves)
    return f"a move, for example {listed}" if listed else "a move"


def turn_line(room: Room, event: NextPlayer, server_now: int, *, beside: str = "") -> str:
    """The turn just played, or what happened `beside` turns, what follows, and who has how much time."""
    table, own = room.table, room.seats
    parts = []
    if beside:
        parts.append(beside)
    elif event.last is None:
        if event.outcome is None:
            parts.append("The game begins.")
        elif (how := _BOTH.get(event.outcome.get("reason", ""))) is not None:
            parts.append(how)
    elif event.last.seat is not None:
        who = holder(table, event.last.seat, own)
        if event.last.move is not None:
            parts.append(f"{event.ply}. {_upper(who)} {_verb(who, 'plays')} {clean(event.last.move)}.")
        elif (what := happened(room, event.last)) is not None:
            parts.append(what)
        else:  # in a race nobody is told where the others dig
            parts.append(f"{_upper(who)} {_verb(who, 'plays')}.")
    parts.append(ending(room, event.outcome) if event.outcome is not None else to_move(room, event.seats))
    if (clocks := clocks_at(event, server_now)) is not None:
        left = ", ".join(
            f"{_upper(holder(table, seat, own))} {time_left(ms)}" for seat, ms in enumerate(clocks)
        )
        given_back = f" ({event.lag} ms given back for a slow line)" if event.lag else ""
        parts.append(f"Clocks: {left}{given_back}.")
    if event.first_move is not None and event.seats:
        parts.append(_first_move(room, event, event.first_move, server_now))
    return " ".join(parts)


def beside_turns(turn: NextPlayer, before: NextPlayer) -> str:
    """What is new in a position in which nobody has moved since `before`."""
    if turn.paused is not None and before.paused is None:
        return "The game is paused, for 15 min at most: type continue to ask to go on."
    if turn.paused is None and before.paused is not None:
        return "The game goes on."
    if turn.clocks and before.clocks and any(map(gt, turn.clocks, before.clocks)):
        return "More time is given."
    return ""


def _first_move(room: Room, event: NextPlayer, milliseconds: int, server_now: int) -> str:
    """No clock runs before it, but it is not waited for without end."""
    left = milliseconds - (max(0, server_now - event.at) if event.at is not None else 0)
    who = "You have" if event.seats[0] in room.seats else f"{holder(room.table, event.seats[0], [])} has"
    return f"{who} {_wait(max(0, left))} for the first move."


def history_lines(room: Room, turns: list[PastTurn]) -> list[str]:
    """The moves of a game, some in a line; what is no move stands in a line of its own."""
    lines: list[str] = []
    moves: list[str] = []

    def end_line() -> None:
        if moves:
            lines.append("  ".join(moves))
            moves.clear()

    for turn in turns:
        who = holder(room.table, turn.seat, room.seats) if turn.seat is not None else ""
        if turn.move is not None:
            moves.append(f"{turn.ply}. {_upper(who)} {clean(turn.move)}")
        elif (what := happened(room, turn)) is not None:
            end_line()
            lines.append(what)
        if len(moves) == _MOVES_A_LINE:
            end_line()
    end_line()
    return lines or ["Nothing was played yet."]


def happened(room: Room, turn: Turn) -> str | None:
    """What somebody did to a game, other than by a move."""
    if turn.seat is None:
        return None
    who = holder(room.table, turn.seat, room.seats)
    if turn.withdrew is not None:
        return f"{_upper(who)} {_verb(who, _HOW_GONE.get(turn.withdrew, 'withdraws'))}."
    if turn.took_back is not None:
        moves = "a move" if turn.took_back == 1 else f"{turn.took_back} moves"
        return f"{_upper(who)} {_verb(who, 'takes')} {moves} back."
    return None


def to_move(room: Room, seats: list[Seat]) -> str:
    own = [seat for seat in seats if seat in room.seats]
    if own:
        return "Your turn." if len(room.seats) == 1 else f"Your turn on seat {own[0]}."
    return f"{_upper(', '.join(holder(room.table, seat, room.seats) for seat in seats))} to move."


def ending(room: Room, outcome: dict[str, Any]) -> str:
    reason = clean(str(outcome.get("reason", "")))
    reason = _WHY.get(reason, reason)
    winners = [holder(room.table, seat, room.seats) for seat in outcome.get("winners", ())]
    if outcome.get("kind") == "draw":
        result = "The game is a draw"
    elif outcome.get("kind") == "aborted":
        result = "The game is aborted and counts for nobody"
    elif not winners:
        result = "Nobody wins"
    else:
        result = f"{_upper(' and '.join(winners))} {_verb(winners[0], 'wins')}"
    scores = outcome.get("scores") or ()
    told = f", {' to '.join(map(str, scores))}" if len(scores) > 1 else ""
    return f"{result} ({reason}){told}."


def refusal(room: Room | None, refused: Refused) -> str:
    """The server's sentence; who is to move has a name here."""
    seat = refused.fields.get("seat")
    if refused.reason == "notYourTurn" and room is not None and isinstance(seat, int):
        return f"It is not your turn. {to_move(room, [seat])}"
    return refused.sentence


def board(room: Room, event: NextPlayer, style: Style) -> str:
    """The drawing, and who has which mark."""
    drawn = GAMES[room.game].draw(event.view, style)
    if not GAMES[room.game].shows_marks:
        return drawn
    marks = ASCII if style == "ascii" else UNICODE
    who = [
        f"{marks[str(seat)]} {holder(room.table, seat, room.seats)}" for seat in range(len(room.table.seats))
    ]
    return f"{drawn}\n  {', '.join(who)}"


def arrival(room: Room) -> str:
    """Where we are now."""
    table = room.table
    title = GAMES[room.game].title if room.game in GAMES else clean(room.game)
    seats = room.seats
    place = f"on seat {', '.join(map(str, seats))}" if seats else "watching"
    free = sum(player is None for player in table.seats)
    line = f"{title}, table {clean(room.id)}: you are {place}."
    if table.state == "waiting" and free:
        key = clean(room.code or room.id)
        who = "others" if seats else "you or others"
        line += f" Waiting for {free} more; {who} can join {key}, or you can invite somebody."
    elif table.state == "preparing":
        line += " The game is being prepared."
    return line


def member_line(event: Joined | Left) -> str:
    if isinstance(event, Left):
        why = "" if event.reason == "left" else f" ({clean(event.reason)})"
        return f"{named(event.player)} leaves{why}."
    return f"{named(event.player)} " + (
        "watches." if event.seat is None else f"sits down on seat {event.seat}."
    )


def muted_line(player: Player, what: Muting) -> str:
    who = named(player)
    return {
        "chat": f"You do not hear what {who} says any more; mute {who} none, and you do again.",
        "all": f"You do not hear {who} any more, and get no invitation from there.",
        "none": f"You hear {who} again.",
    }[what]


def presence_line(room: Room, event: Away | Back, server_now: int) -> str:
    if isinstance(event, Back):
        return f"{named(event.player)} is back."
    return _absence(room, event.player, event.until, server_now)


def absences(room: Room, server_now: int) -> list[str]:
    """Who is away from a table to which one comes."""
    return [
        _absence(room, member.player, member.away, server_now)
        for member in room.away
        if member.away is not None
    ]


def _absence(room: Room, player: Player, until: int, server_now: int) -> str:
    who, left = named(player), until - server_now
    if left > 0:
        return f"{who} has lost the connection: {_wait(left)} left to come back."
    if not room.seats:
        return f"{who} has been away too long: the others may claim the game."
    if len(room.table.seats) > 2:
        return f"{who} has been away too long: type claim to play on without them, or wait."
    return f"{who} has been away too long: type claim to win, claim draw for a draw, or wait."


def setup_line(event: Setup, us: Player) -> str:
    match event:
        case Preparing():
            return "Every seat is taken. The game is being prepared, and starts by itself."
        case Unprepared():
            return f"{clean(event.message)} Who opened the table can change it: options NAME=VALUE"
        case OptionsSet():
            return f"The table is now: {_likeness(event)}."
        case Freed(player=player, seat=seat):
            if player.id == us.id:
                return f"You have no seat any more and watch: seat {seat} is free."
            return f"{named(player)} has no seat any more and watches: seat {seat} is free."
        case Swapped():
            return f"Seats {' and '.join(map(str, event.seats))} have been swapped."
        case Began():
            return f"The owner of the table begins with the {len(event.seats)} who sit here."


def _likeness(event: OptionsSet) -> str:
    parts = [options_of(event.options)] if event.options else []
    parts.append("no clock" if event.clock is None else f"clock {clock_of(event.clock)}")
    parts += [] if event.watchers else ["nobody may watch"]
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


def offer_line(room: Room, event: Offered | Answered) -> str:
    who = holder(room.table, event.seat, room.seats)
    if isinstance(event, Offered):
        asked = room.seats and event.seat not in room.seats
        verb, what = _ASKS.get(event.what, ("offers", f"a {clean(event.what)}"))
        return f"{_upper(who)} {_verb(who, verb)} {what}." + (" Type yes or no." if asked else "")
    return f"{_upper(who)} {_verb(who, 'says')} {'yes' if event.yes else 'no'}."


def expired_line(room: Room, event: Offered) -> str:
    """What was offered and got no answer."""
    who = holder(room.table, event.seat, room.seats)
    verb, what = _ASKS.get(event.what, ("offers", f"a {clean(event.what)}"))
    asked = {"offers": "offered", "asks": "asked"}[verb]
    return f"{_upper(who)} {asked} {what}: that is off the table."


def time_left(milliseconds: int) -> str:
    """Rounded up, as clocks are read: who has no time left has 0:00, and nobody else."""
    minutes, seconds = divmod(-(-milliseconds // 1000), 60)
    if minutes < 60:
        return f"{minutes}:{seconds:02}"
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours < 48 else f"{hours // 24} d {hours % 24} h"


def _wait(milliseconds: int) -> str:
    """ "43 s", from two minutes on "5 min", and from two days on "3 days"."""
    seconds = -(-milliseconds // 1000)
    if seconds < 120:
        return f"{seconds} s"
    return f"{-(-seconds // 60)} min" if seconds < 172_800 else f"{-(-seconds // 86_400)} days"


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:] if text.startswith("you") else text


def _verb(who: str, verb: str) -> str:
    """ "you play", "Ana plays"."""
    if not who.startswith("you"):
        return verb
    first, _, rest = verb.partition(" ")
    first = {"is": "are", "was": "were"}.get(first, first.removesuffix("s"))
    return f"{first} {rest}".strip()
