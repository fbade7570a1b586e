"""What the verbs do that ask for ratings and results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from tablero.catalogue.speech import sentence, translate, translate_plural
from tablero.client.client import Client
from tablero_protocol.messages import PastGame, PastSeat, PlayerPage, RatedAt, Ratings, Times, Tonight
from tablero_protocol.text import clean

from . import verbs
from .narrator import Narrator
from .sentences import title_of
from .verbs import Command
from .who import level_of, named, value_of

Local = Callable[[int], datetime]
"""When something happened by server time, as it is read here."""

_SPEEDS = {
    "none": sentence("no clock"),
    "blitz": sentence("blitz"),
    "rapid": sentence("rapid"),
    "slow": sentence("slow"),
    "correspondence": sentence("correspondence"),
}
_KINDS = {"draw": sentence("draw"), "loss": sentence("lost"), "aborted": sentence("aborted")}


def leaders(ratings: Ratings) -> list[str]:
    what = {"game": title_of(ratings.game), "speed": _speed(ratings.speed)}
    if not ratings.leaders:
        return [translate("No leaders at {game}, {speed}: 10 rated games make one.", **what)]
    lines = [translate("The best at {game}, {speed}:", **what)]
    for leader in ratings.leaders:
        value = value_of(leader)
        games = translate_plural("{number} game", "{number} games", leader.games)
        lines.append(f"{leader.place:3}. {named(leader.player)}  {value}  {games}")
    return lines


def best_times(times: Times) -> list[str]:
    course = clean(times.course)
    if not times.times:
        return [translate("Nobody has a time at {course} yet.", course=course)]
    lines = [translate("The fastest at {course}:", course=course)]
    lines += [f"{each.place:3}. {named(each.player)}  {_seconds(each.milliseconds)}" for each in times.times]
    return lines


def tonight(played: Tonight, local: Local) -> list[str]:
    lines = [_game_line(game, f"{local(game.at):%H:%M}") for game in played.games]
    return lines or [translate("Nobody has played in the last twelve hours.")]


def player(page: PlayerPage, local: Local) -> list[str]:
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
    """As "21:40  Quoridor: 1. Ana 1612, 2. Ben 1338"."""
    seats = sorted(game.seats, key=lambda seat: seat.place or 0)
    kind = f" ({translate(_KINDS[game.kind])})" if game.kind in _KINDS else ""
    return f"{when}  {title_of(game.game)}: {', '.join(map(_seat, seats))}{kind}"


def _seat(seat: PastSeat) -> str:
    place = "" if seat.place is None else f"{seat.place}. "
    value = "" if seat.value is None else f" {seat.value}"
    time = "" if seat.milliseconds is None else f" {_seconds(seat.milliseconds)}"
    return f"{place}{named(seat.player)}{value}{time}"


def _seconds(milliseconds: int) -> str:
    """As times of Minesweeper are read: 98.765 s."""
    return f"{milliseconds / 1000:.3f} s"


def _speed(speed: str) -> str:
    return translate(_SPEEDS[speed]) if speed in _SPEEDS else clean(speed)


class InResults:
    """As in Commands, every method raises UsageError or Refused."""

    def __init__(self, client: Client, narrator: Narrator) -> None:
        self._client = client
        self._narrator = narrator

    async def do_top(self, command: Command) -> None:
        game, speed = verbs.read_top(command.words)
        self._say(leaders(await self._client.show_ratings(game, speed)))

    async def do_best(self, command: Command) -> None:
        course, bots = verbs.read_best(command.words)
        self._say(best_times(await self._client.show_times(course, bots=bots)))

    async def do_player(self, command: Command) -> None:
        """Somebody by name, or without one whoever asks."""
        called = command.text or self._client.player.id
        self._say(player(await self._client.show_player(called), _here))

    async def do_tonight(self, _: Command) -> None:
        self._say(tonight(await self._client.show_tonight(), _here))

    def _say(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._narrator.say(line)


def _here(milliseconds: int) -> datetime:
    """By the clock on this machine's wall."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).astimezone()
