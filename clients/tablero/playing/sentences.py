"""The sentences for events at a table, one line each.

Law: text from the server is cleaned before it is shown; it can't move a cursor or hide a word.
"""

from __future__ import annotations

from functools import reduce
from operator import gt
from typing import Any, cast

from tablero.catalogue.refusals import in_words
from tablero.catalogue.speech import sentence, translate, translate_plural
from tablero.client.room import Room, clocks_at
from tablero.client.room_progress import Setup
from tablero.errors import Refused
from tablero_games import GAMES, Seat
from tablero_protocol.messages import (
    Answered,
    Away,
    Back,
    Began,
    BestTime,
    Clock,
    Course,
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
    Rated,
    Swapped,
    Turn,
    Unprepared,
)
from tablero_protocol.text import clean

from ..games import client_game
from .who import Who, holder, listed, named, value_of

_MOVES_A_LINE = 6
_WORTH_SAYING = 200
"""Minimum milliseconds returned for a slow connection that are worth a sentence; fast ones get some, too."""

_WHY = {
    "agreed": sentence("agreed"),
    "away": sentence("all players were away for too long"),
    "closed": sentence("the host closed the table"),
    "kicked": sentence("the host removed a player"),
    "left": sentence("a player left"),
    "noFirstMove": sentence("no first move in time"),
    "boxes": sentence("boxes"),
    "claimed": sentence("claimed"),
    "cleared": sentence("cleared"),
    "full": sentence("full"),
    "goal": sentence("goal"),
    "gone": sentence("gone"),
    "line": sentence("line"),
    "mine": sentence("mine"),
    "out": sentence("out"),
    "plies": sentence("plies"),
    "repetition": sentence("repetition"),
    "resign": sentence("resign"),
    "time": sentence("time"),
}
"""The sentence for each ending of a game."""
_PLAYED = (sentence("{ply}. {you} play {move}."), sentence("{ply}. {who} plays {move}."))
_BOTH = {"agreed": sentence("Both agree."), "claimed": sentence("One side was away for too long.")}
"""The sentence for each draw without a turn."""
_WITHDRAWALS = {
    "resign": (sentence("{you} resign."), sentence("{who} resigns.")),
    "time": (sentence("{you} are out of time."), sentence("{who} is out of time.")),
    "gone": (sentence("{you} left."), sentence("{who} left.")),
    "claimed": (sentence("{you} were away for too long."), sentence("{who} was away for too long.")),
}


def how_to_move(game: str) -> str:
    """The words "a move, for example e2 or e3h"; without examples for a game unknown to this client."""
    if game not in GAMES:
        return translate("a move")
    return translate("a move, for example {moves:or}", moves=list(GAMES[game].example_moves))


def title_of(game: str) -> str:
    """The title of a game, or its name if this client doesn't know it."""
    return translate(GAMES[game].title) if game in GAMES else clean(game)


def why_ended(reason: str) -> str:
    return translate(_WHY[reason]) if reason in _WHY else clean(reason)


def turn_line(room: Room, event: NextPlayer, server_now: int, *, beside: str = "") -> str:
    """The line of a turn: the move, or the event `beside` turns, then the next player and the clocks."""
    parts, turn = [], event.last
    if beside:
        parts.append(beside)
    elif turn is None:
        if event.outcome is None:
            parts.append(translate("The game begins."))
        elif (how := _BOTH.get(event.outcome.get("reason", ""))) is not None:
            parts.append(translate(how))
    elif is_hidden(room, turn):
        parts.append(unseen_line(room, event))
    elif turn.seat is not None:
        who = holder(room.table, turn.seat, room.seats)
        if turn.move is not None:
            parts.append(who.does(*_PLAYED, ply=event.ply, move=clean(turn.move)))
        else:
            parts.append(happened(room, turn) or who.does(sentence("{you} play."), sentence("{who} plays.")))
    parts.append(ending(room, event) if event.outcome is not None else to_move(room, event.seats))
    if (time := time_told(event, server_now)) is not None:
        parts.append(translate("Time: {time}.", time=time))
    if (clocks := clocks_line(room, event, server_now)) is not None:
        parts.append(clocks)
    if event.first_move is not None and event.seats:
        parts.append(_first_move(room, event, event.first_move, server_now))
    return " ".join(parts)


def is_hidden(room: Room, turn: Turn) -> bool:
    """Whether another player has played a move that this player may not see, as in a race."""
    return turn.seat not in (None, *room.seats) and turn.move is None and happened(room, turn) is None


def unseen_line(room: Room, event: NextPlayer) -> str:
    """The line about a hidden move: its player's progress."""
    seat = 0 if event.last is None or event.last.seat is None else event.last.seat
    who = holder(room.table, seat, room.seats).name
    told = client_game(room.game).unseen
    return translate("{who} plays.", who=who) if told is None else told(event.view, seat, who, why_ended)


def beside_turns(turn: NextPlayer, before: NextPlayer) -> str:
    """The news of a position in which no one has moved since `before`."""
    if turn.paused is not None and before.paused is None:
        return translate("The game is paused for at most 15 min. Type continue to resume.")
    if turn.paused is None and before.paused is not None:
        return translate("The game continues.")
    if turn.clocks and before.clocks and any(map(gt, turn.clocks, before.clocks)):
        return translate("A clock got more time.")
    return ""


def _first_move(room: Room, event: NextPlayer, milliseconds: int, server_now: int) -> str:
    """The sentence about the time limit for a first move, before which no clock runs."""
    left = milliseconds - (max(0, server_now - event.at) if event.at is not None else 0)
    if event.seats[0] in room.seats:
        return translate("You have {time} for the first move.", time=_wait(max(0, left)))
    who = holder(room.table, event.seats[0], [])
    return translate("{who} has {time} for the first move.", who=who.name, time=_wait(max(0, left)))


def history_lines(room: Room, turns: list[PastTurn]) -> list[str]:
    """The moves of a game, several in a line. Other events have a line each."""
    lines: list[str] = []
    moves: list[str] = []

    def end_line() -> None:
        if moves:
            lines.append("  ".join(moves))
            moves.clear()

    for turn in turns:
        if turn.move is not None and turn.seat is not None:
            who = _capital(holder(room.table, turn.seat, room.seats))
            moves.append(f"{turn.ply}. {who} {clean(turn.move)}")
        elif (what := happened(room, turn)) is not None:
            end_line()
            lines.append(what)
        if len(moves) == _MOVES_A_LINE:
            end_line()
    end_line()
    return lines or [translate("No move yet.")]


def happened(room: Room, turn: Turn) -> str | None:
    """The sentence for a player's action other than a move."""
    if turn.seat is None:
        return None
    return what_was_done(holder(room.table, turn.seat, room.seats), turn.withdrew, turn.took_back)


def what_was_done(who: Who, withdrew: str | None, took_back: int | None) -> str | None:
    if withdrew is not None:
        otherwise = (sentence("{you} gave up."), sentence("{who} gave up."))
        return who.does(*_WITHDRAWALS.get(withdrew, otherwise))
    if took_back is None:
        return None
    if who.is_us:
        return translate_plural(
            "{you} take a move back.", "{you} take {number} moves back.", took_back, you=who.subject
        )
    return translate_plural(
        "{who} takes a move back.", "{who} takes {number} moves back.", took_back, who=who.name
    )


def to_move(room: Room, seats: list[Seat]) -> str:
    own = [seat for seat in seats if seat in room.seats]
    if own:
        if len(room.seats) == 1:
            return translate("Your turn.")
        return translate("Your turn on seat {seat}.", seat=own[0])
    return translate(
        "{who} to move.", who=", ".join(holder(room.table, seat, room.seats).name for seat in seats)
    )


def time_told(event: NextPlayer, server_now: int) -> str | None:
    """The time of a game without turns: 1:38 while it runs, then 98.765 s. None if it isn't measured."""
    if event.began is None or event.paused is not None:
        return None
    if event.milliseconds is not None:
        return seconds_of(event.milliseconds)
    if event.outcome is not None:
        return None
    return time_left(max(0, server_now - event.began) // 1000 * 1000)


def seconds_of(milliseconds: int) -> str:
    """The time of a finished game, such as 98.765 s."""
    return f"{milliseconds / 1000:.3f} s"


def course_of(room: Room, turn: NextPlayer) -> Course | None:
    """The list of best times that a won game counts for, if there is one."""
    rules = GAMES.get(room.game)
    if rules is None or turn.outcome is None or turn.outcome["kind"] != "win":
        return None
    return cast("Course | None", rules.course(rules.read_options(room.options)))


def place_line(best: BestTime, turn: NextPlayer) -> str:
    """The sentence about a player's best time, which may be that of this game."""
    time = seconds_of(best.milliseconds)
    if best.milliseconds == turn.milliseconds:
        return translate("{time} is your best time: number {place} overall.", time=time, place=best.place)
    return translate("Your best time is {time}: number {place} overall.", time=time, place=best.place)


def ending(room: Room, event: NextPlayer) -> str:
    outcome = event.outcome or {}
    in_its_words = client_game(room.game).why
    why = in_its_words(event.view, outcome) if in_its_words is not None else None
    result, why = _result(room, outcome), why or why_ended(str(outcome.get("reason", "")))
    scores = [str(score) for score in outcome.get("scores") or ()]
    if len(scores) < 2 or outcome.get("kind") == "aborted":
        return translate("{result} ({reason}).", result=result, reason=why)
    told = reduce(lambda one, other: translate("{one} to {other}", one=one, other=other), scores)
    return translate("{result} ({reason}), {scores}.", result=result, reason=why, scores=told)


def _result(room: Room, outcome: dict[str, Any]) -> str:
    if outcome.get("kind") == "draw":
        return translate("The game is a draw")
    if outcome.get("kind") == "aborted":
        return translate("The game is aborted and doesn't count")
    winners = [holder(room.table, seat, room.seats) for seat in outcome.get("winners", ())]
    others = [who.name for who in winners if not who.is_us]
    if not winners:
        return translate("Nobody wins")
    if len(winners) == 1:
        return winners[0].does(sentence("{you} win"), sentence("{who} wins"))
    if len(others) == len(winners):
        return translate("{who} win", who=listed(others))
    return translate("You and {others} win", others=listed(others)) if others else translate("You win")


def refusal(room: Room | None, refused: Refused) -> str:
    """The server's sentence about a refusal, with the name of the player to move."""
    seat = refused.fields.get("seat")
    if refused.reason == "notYourTurn" and room is not None and isinstance(seat, int):
        return translate("It is not your turn. {to_move}", to_move=to_move(room, [seat]))
    return in_words(refused.reason, refused.fields, refused.sentence)


def refused_line(why: str, code: str, *, verbose: bool) -> str:
    """The line of a refusal. With `verbose`, its code follows for programs and for reference."""
    if verbose:
        return translate("No: {sentence} [{code}]", sentence=clean(why), code=clean(code))
    return translate("No: {sentence}", sentence=clean(why))


def clocks_line(room: Room, event: NextPlayer, server_now: int) -> str | None:
    """The time of each side; None in a game without clocks."""
    if (clocks := clocks_at(event, server_now)) is None:
        return None
    left = ", ".join(
        f"{_capital(holder(room.table, seat, room.seats))} {time_left(ms)}" for seat, ms in enumerate(clocks)
    )
    given_back = sentence("Clocks: {left} ({milliseconds} ms given back for a slow connection).")
    told = given_back if (event.lag or 0) >= _WORTH_SAYING else sentence("Clocks: {left}.")
    return translate(told, left=left, milliseconds=event.lag)


def arrival(room: Room) -> str:
    """The sentence for the table where we are now."""
    table, seats, game = room.table, room.seats, title_of(room.game)
    if seats:
        where = ", ".join(map(str, seats))
        line = translate(
            "{game}, table {table}: you are on seat {seats}.", game=game, table=clean(room.id), seats=where
        )
    else:
        line = translate("{game}, table {table}: you are watching.", game=game, table=clean(room.id))
    if table.rated and table.clock is not None:
        line += " " + translate("Rated, with clock {clock}.", clock=clock_of(table.clock))
    free = sum(player is None for player in table.seats)
    if table.state == "waiting" and free:
        line += " " + _how_others_come(clean(room.code or room.id), free, seated=bool(seats))
    elif table.starts is not None:
        line += " " + translate("The race starts in a moment.")
    elif table.state == "preparing":
        line += " " + translate("Preparing the board…")
    return line


def _how_others_come(key: str, free: int, *, seated: bool) -> str:
    if seated:
        return translate_plural(
            "Waiting for {number} player; others can join {key}, or you can invite someone.",
            "Waiting for {number} players; others can join {key}, or you can invite someone.",
            free,
            key=key,
        )
    return translate_plural(
        "Waiting for {number} player; type join {key} to sit down, or invite someone.",
        "Waiting for {number} players; type join {key} to sit down, or invite someone.",
        free,
        key=key,
    )


def member_line(event: Joined | Left) -> str:
    who = named(event.player)
    if isinstance(event, Joined):
        if event.seat is None:
            return translate("{who} watches.", who=who)
        return translate("{who} sits down on seat {seat}.", who=who, seat=event.seat)
    if event.reason == "left":
        return translate("{who} leaves.", who=who)
    return translate("{who} leaves ({reason}).", who=who, reason=why_ended(event.reason))


def muted_line(player: Player, what: Muting) -> str:
    return translate(
        {
            "chat": sentence("You no longer see messages from {who}. To undo: mute {who} none"),
            "all": sentence("You no longer get messages or invitations from {who}."),
            "none": sentence("You see messages from {who} again."),
        }[what],
        who=named(player),
    )


def ratings_line(room: Room, rated: Rated) -> str:
    new, same = sentence("{who} {after} (was {before})"), sentence("{who} {after} (unchanged)")
    ratings = [
        translate(
            same if moved.value == moved.was else new,
            who=named(player),
            before=moved.was,
            after=value_of(moved),
        )
        for player, moved in zip(room.table.seats, rated.ratings, strict=False)
        if player is not None
    ]
    return translate("New ratings: {ratings}.", ratings=", ".join(ratings))


def presence_line(room: Room, event: Away | Back, server_now: int) -> str:
    if isinstance(event, Back):
        return translate("{who} is back.", who=named(event.player))
    return _absence(room, event.player, event.until, server_now)


def absences(room: Room, server_now: int) -> list[str]:
    """The sentences about absent players for a newcomer at the table."""
    return [
        _absence(room, member.player, member.away, server_now)
        for member in room.away
        if member.away is not None
    ]


def _absence(room: Room, player: Player, until: int, server_now: int) -> str:
    who, left = named(player), until - server_now
    if left > 0:
        return translate("{who} lost the connection: {time} left to come back.", who=who, time=_wait(left))
    if not room.seats:
        return translate("{who} has been away too long: the others may claim the game.", who=who)
    if len(room.table.seats) > 2:
        return translate(
            "{who} has been away too long: type claim to play on without them, or wait.", who=who
        )
    return translate(
        "{who} has been away too long: type claim to win, claim draw for a draw, or wait.", who=who
    )


def time_left(milliseconds: int) -> str:
    """A remaining time, rounded up as on clocks: only a player without time left has 0:00."""
    minutes, seconds = divmod(-(-milliseconds // 1000), 60)
    if minutes < 60:
        return f"{minutes}:{seconds:02}"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours}:{minutes:02}:{seconds:02}"
    return translate("{days} d {hours} h", days=hours // 24, hours=hours % 24)


def _wait(milliseconds: int) -> str:
    """A waiting time: "43 s", from two minutes on "5 min", from two days on "3 days"."""
    seconds = -(-milliseconds // 1000)
    if seconds < 120:
        return f"{seconds} s"
    if seconds < 172_800:
        return f"{-(-seconds // 60)} min"
    return translate_plural("{number} day", "{number} days", -(-seconds // 86_400))


def _capital(who: Who) -> str:
    """The subject, with a capital letter if it is a list of names that begins with one."""
    return who.name[:1].upper() + who.name[1:] if who.is_us else who.name


def countdown_line(starts: int, server_now: int) -> str:
    """The line of a race's countdown: 3, 2, 1."""
    left = max(1, -(-(starts - server_now) // 1000))
    return translate_plural(
        "The race starts in {number} second.", "The race starts in {number} seconds.", left
    )


def setup_line(event: Setup, us: Player, own: list[Seat], server_now: int) -> str:
    """The sentence about a change before the game. `own` are our seats after it."""
    match event:
        case Preparing(starts=int(starts)):
            return countdown_line(starts, server_now)
        case Preparing():
            return translate("All seats are taken. The game starts when the board is ready.")
        case Unprepared():
            advice = translate("The table's owner can change it: options NAME=VALUE")
            return f"{translate(clean(event.message))} {advice}"
        case OptionsSet():
            return translate("The table has changed: {likeness}.", likeness=_likeness(event))
        case Freed(player=player, seat=seat):
            if player.id == us.id:
                return translate("You lost your seat and are watching. Seat {seat} is free.", seat=seat)
            return translate(
                "{who} lost the seat and is watching. Seat {seat} is free.", who=named(player), seat=seat
            )
        case Swapped():
            swapped = listed(list(map(str, event.seats)))
            told = translate("Seats {seats} have been swapped.", seats=swapped)
            return told + _now_on([seat for seat in own if seat in event.seats] if len(own) == 1 else [])
        case Began():
            told = translate_plural(
                "The table's owner starts the game with {number} player.",
                "The table's owner starts the game with {number} players.",
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
    parts += [] if event.watchers else [translate("no spectators")]
    return ", ".join(parts)


def clock_of(clock: Clock) -> str:
    """Format a clock as it is typed."""
    if clock.per_move is not None:
        return f"{clock.per_move}/move"
    if clock.days is not None:
        return f"{clock.days}days"
    return f"{clock.base}+{clock.increment}" if clock.increment else f"{clock.base}"


def options_of(options: dict[str, Any]) -> str:
    return " ".join(clean(f"{name}={value}") for name, value in options.items())


_OFFERS = {
    "draw": (sentence("{you} offer a draw."), sentence("{who} offers a draw.")),
    "rematch": (sentence("{you} ask for a rematch."), sentence("{who} wants a rematch.")),
    "takeback": (
        sentence("{you} ask to take back a move."),
        sentence("{who} asks to take back a move."),
    ),
    "pause": (sentence("{you} ask for a pause."), sentence("{who} asks for a pause.")),
    "continue": (sentence("{you} ask to continue."), sentence("{who} wants to continue.")),
}
_OFF_THE_TABLE = {
    "draw": (
        sentence("{you} offered a draw. The offer is no longer open."),
        sentence("{who} offered a draw. The offer is no longer open."),
    ),
    "takeback": (
        sentence("{you} asked to take back a move. The request is no longer open."),
        sentence("{who} asked to take back a move. The request is no longer open."),
    ),
    "pause": (
        sentence("{you} asked for a pause. The request is no longer open."),
        sentence("{who} asked for a pause. The request is no longer open."),
    ),
    "continue": (
        sentence("{you} asked to continue. The request is no longer open."),
        sentence("{who} asked to continue. The request is no longer open."),
    ),
}


def offer_line(room: Room, event: Offered | Answered) -> str:
    who = holder(room.table, event.seat, room.seats)
    if isinstance(event, Answered):
        if event.yes:
            return who.does(sentence("{you} accept."), sentence("{who} accepts."))
        return who.does(sentence("{you} decline."), sentence("{who} declines."))
    otherwise = (sentence("{you} offer: {what}."), sentence("{who} offers: {what}."))
    offer = who.does(*_OFFERS.get(event.what, otherwise), what=clean(event.what))
    asked = room.seats and event.seat not in room.seats
    return f"{offer} {translate('Type yes or no.')}" if asked else offer


def expired_line(room: Room, event: Offered) -> str:
    """The sentence for an offer that ended without an answer."""
    otherwise = (
        sentence("{you} offered: {what}. The offer is no longer open."),
        sentence("{who} offered: {what}. The offer is no longer open."),
    )
    told = _OFF_THE_TABLE.get(event.what, otherwise)
    return holder(room.table, event.seat, room.seats).does(*told, what=clean(event.what))
