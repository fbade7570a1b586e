"""Ratings and results, fetched from the server and printed in lines."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from tablero.catalogue.speech import sentence, translate, translate_plural
from tablero_protocol.messages import (
    PastGame,
    PastSeat,
    PlayerPage,
    RatedAt,
    Ratings,
    Times,
    Tonight,
)
from tablero_protocol.text import clean

from .sentences import seconds_of, title_of
from .who import level_of, named, value_of

Local = Callable[[int], datetime]
"""Function that converts server time to local time."""

_SPEEDS = {
    "none": sentence("no clock"),
    "blitz": sentence("blitz"),
    "rapid": sentence("rapid"),
    "slow": sentence("slow"),
    "correspondence": sentence("correspondence"),
}
_KINDS = {"draw": sentence("draw"), "loss": sentence("lost"), "aborted": sentence("aborted")}


def local_time(milliseconds: int) -> datetime:
    """The local time on this machine."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).astimezone()


def leaders(ratings: Ratings) -> list[str]:
    what = {"game": title_of(ratings.game), "speed": _speed(ratings.speed)}
    if not ratings.leaders:
        return [translate("No leaders at {game}, {speed}: play 10 rated games to appear here.", **what)]
    lines = [translate("The best at {game}, {speed}:", **what)]
    for leader in ratings.leaders:
        value = value_of(leader)
        games = translate_plural("{number} game", "{number} games", leader.games)
        lines.append(f"{leader.place:3}. {named(leader.player)}  {value}  {games}")
    return lines


def best_times(times: Times) -> list[str]:
    course = clean(times.course)
    if not times.times:
        return [translate("No times at {course} yet.", course=course)]
    lines = [translate("The fastest at {course}:", course=course)]
    lines += [
        f"{each.place:3}. {named(each.player)}  {seconds_of(each.milliseconds)}" for each in times.times
    ]
    return lines


def tonight(played: Tonight, local: Local = local_time) -> list[str]:
    lines = [_game_line(game, f"{local(game.at):%H:%M}") for game in played.games]
    return lines or [translate("No public games in the last 12 hours.")]


def player(page: PlayerPage, local: Local = local_time) -> list[str]:
    lines = [f"{named(page.player)}"]
    lines += [_rating_line(rating) for rating in page.ratings] or [translate("No rated games yet.")]
    if page.rival is not None:
        lines += [
            translate(
                "{game} against {rival}: {wins} won, {draws} drawn, {losses} lost.",
                game=title_of(balance.game),
                rival=named(page.rival),
                wins=balance.wins,
                draws=balance.draws,
                losses=balance.losses,
            )
            for balance in page.head_to_head
        ]
    return lines + [_game_line(game, f"{local(game.at):%Y-%m-%d %H:%M}") for game in page.games]


def _rating_line(rating: RatedAt) -> str:
    value = value_of(rating)
    games = translate_plural("{number} game", "{number} games", rating.games)
    level = "" if rating.level is None else f", {level_of(rating.level)}"
    return f"{title_of(rating.game)}, {_speed(rating.speed)}{level}:  {value}  {games}"


def _game_line(game: PastGame, when: str) -> str:
    """The line of a game: "21:40 GAME: 1. Ana 1612, 2. Ben 1338"."""
    seats = sorted(game.seats, key=lambda seat: seat.place or 0)
    kind = f" ({translate(_KINDS[game.kind])})" if game.kind in _KINDS else ""
    return f"{when}  {title_of(game.game)}: {', '.join(map(_seat, seats))}{kind}"


def _seat(seat: PastSeat) -> str:
    place = "" if seat.place is None else f"{seat.place}. "
    value = "" if seat.value is None else f" {seat.value}"
    time = "" if seat.milliseconds is None else f" {seconds_of(seat.milliseconds)}"
    return f"{place}{named(seat.player)}{value}{time}"


def _speed(speed: str) -> str:
    return translate(_SPEEDS[speed]) if speed in _SPEEDS else clean(speed)
