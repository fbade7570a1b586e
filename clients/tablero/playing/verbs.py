"""The verbs that a person can type. Each is an order; other lines are moves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, get_args

from tablero.brains import LEVEL_WORDS
from tablero.catalogue.speech import sentence, translate
from tablero.client.room import Room
from tablero_games import GAMES
from tablero_protocol.messages import Course, Muting, Speed
from tablero_protocol.text import clean

from ..games import client_game
from . import results, sentences
from .current_table import NO_TABLE, CurrentTable
from .lobby import NewSeek
from .orders import NewTable, Orders, TableChanges
from .words import NO_GAME, UsageError, choose, read_clock, read_seat, read_value


@dataclass(frozen=True)
class Verb:
    usage: str
    help: str
    order: Callable[[Orders, Typed], Awaitable[object]] | None = None
    """The function that gives the typed order. None if the screen itself handles the verb."""

    @property
    def name(self) -> str:
        return self.usage.split()[0]

    @property
    def shown(self) -> str:
        """The usage line in the chosen language. The verb itself stays English."""
        return translate(self.usage) if " " in self.usage else self.usage


@dataclass(frozen=True)
class Typed:
    """A line that begins with a verb."""

    verb: Verb
    words: list[str]
    text: str
    """The text after the verb."""

    async def carry_out(self, orders: Orders) -> None:
        if self.verb.order is None:
            raise UsageError(translate("Use a key for that. Press ? to list the keys."))
        await self.verb.order(orders, self)

    def needed(self, what: str) -> str:
        """The text after the verb. Without text, an error asks for it."""
        if not self.text:
            raise UsageError(translate(what, usage=self.verb.shown))
        return self.text

    def seats(self, count: int) -> list[int]:
        if len(self.words) != count:
            raise UsageError(translate("Usage: {usage}", usage=self.verb.shown))
        return [read_seat(word) for word in self.words]


# Reading the words after a verb

OPTIONS = sentence("private, rated, watchers=no, clock=300+5, seat=1, seat=none, seats=3, bot=LEVEL")
_RATED = ("rated", "--rated")
NO_OPTIONS = {"game", "private", "rated", "subscribe"}
"""Options of the protocol that have other verbs, or are used only by the program."""
_OTHER_WORDS = {"exit": "quit", "bye": "quit", "q": "quit", "?": "help", "ls": "list", "y": "yes", "n": "no"}
"""Words that people try, and the verb for each."""
_CLOSE = 0.7
"""Minimum similarity for suggesting a verb."""


def read_create(words: list[str]) -> NewTable:
    if not words:
        raise UsageError(translate("Choose a game: {games}.", games=", ".join(GAMES)))
    game = choose(words[0], list(GAMES), NO_GAME)
    fields: dict[str, Any] = {}
    options: dict[str, Any] = {}
    for word in words[1:]:
        name, given, value = word.partition("=")
        if word == "private":
            fields["private"] = True
        elif word in _RATED:
            fields["rated"] = True
        elif name == "watchers" and value:
            fields["watchers"] = bool(read_value(value))
        elif not given or not value:
            raise UsageError(_as_option(word.rstrip("=")))
        elif name == "clock":
            fields["clock"] = read_clock(value)
        elif name == "seat":
            fields["seat"] = None if value == "none" else read_seat(value)
        elif name == "seats":
            fields["seats"] = read_seat(value)
        elif name == "bot":
            fields["level"] = value
        elif name in NO_OPTIONS:
            raise UsageError(
                translate(
                    "There is no option {name}. Usage: {usage}",
                    name=repr(name),
                    usage=VERBS["create"].shown,
                )
            )
        else:
            options[name] = read_value(value)
    return NewTable(game=game, options=options, **fields)


def read_seek(words: list[str]) -> NewSeek:
    if len(words) == 1 and words[0] in _RATED:
        return NewSeek(rated=True)
    table = read_create(words)
    options = dict(table.options)
    bots = options.pop("bots", None)
    if table != NewTable(game=table.game, options=table.options, clock=table.clock, rated=table.rated):
        raise UsageError(
            translate("seek takes a clock, options of the game and bots=yes or no; e.g. clock=300+5")
        )
    return NewSeek(
        game=table.game,
        options=options,
        clock=table.clock,
        rated=table.rated,
        bots=None if bots is None else bool(bots),
    )


def _as_option(word: str) -> str:
    return translate("Write {word} as OPTION=VALUE, for example columns=8.", word=f"{word!r:.40}")


def read_top(words: list[str]) -> tuple[str, Speed]:
    """Read a game and a speed."""
    match words:
        case [game]:
            return choose(game, list(GAMES), NO_GAME), "rapid"
        case [game, speed]:
            known = get_args(Speed)
            name = choose(speed, list(known), sentence("There is no speed {word}"))
            chosen: Speed = known[known.index(name)]
            return choose(game, list(GAMES), NO_GAME), chosen
    raise UsageError(translate("Usage: {usage}", usage=VERBS["top"].shown))


def read_best(words: list[str]) -> tuple[Course, bool]:
    """Read a course, and whether bots count."""
    names = [word for word in words if word != "bots"]
    if len(names) > 1:
        raise UsageError(translate("Usage: {usage}", usage=VERBS["best"].shown))
    known = get_args(Course)
    name = choose(names[0], list(known), sentence("There is no course {word}")) if names else known[0]
    course: Course = known[known.index(name)]
    return course, "bots" in words


def read_options(words: list[str]) -> TableChanges:
    if not words:
        raise UsageError(
            translate("Choose an option: {usage}, for example columns=8.", usage=VERBS["options"].shown)
        )
    fields: dict[str, Any] = {}
    options: dict[str, Any] = {}
    for word in words:
        name, _, value = word.partition("=")
        if not value:
            raise UsageError(_as_option(name))
        if name == "clock":
            fields["clock"] = "none" if value.lower() == "none" else read_clock(value)
        elif name == "watchers":
            fields["watchers"] = bool(read_value(value))
        else:
            options[name] = read_value(value)
    return TableChanges(options=options, **fields)


def read_claim(words: list[str]) -> Literal["win", "draw"]:
    match [word.lower() for word in words]:
        case [] | ["win"]:
            return "win"
        case ["draw"]:
            return "draw"
    raise UsageError(translate("Type claim to win, or claim draw for a draw."))


def read_mute(words: list[str]) -> tuple[str, Muting]:
    """Read a player, and what to hide of them."""
    match words:
        case [name]:
            return name, "chat"
        case [name, "chat" | "all" | "none" as what]:
            return name, what
    raise UsageError(translate("Choose a player: {usage}", usage=VERBS["mute"].shown))


# The verbs


async def _join(orders: Orders, typed: Typed) -> None:
    typed.needed(sentence("Choose a table: {usage}"))
    table, *seats = typed.words
    await orders.join(table, read_seat(seats[0]) if seats else None)


async def _watch(orders: Orders, typed: Typed) -> None:
    typed.needed(sentence("Choose a table: {usage}"))
    await orders.watch(typed.words[0])


async def _tv(orders: Orders, typed: Typed) -> None:
    if [word.lower() for word in typed.words] == ["off"]:
        await orders.stop_watching_best()
    else:
        await orders.watch_best(choose(typed.words[0], list(GAMES), NO_GAME) if typed.words else None)


async def _invite(orders: Orders, typed: Typed) -> None:
    orders.table.here()
    typed.needed(sentence("Choose a player: {usage}"))
    called, *seats = typed.words
    await orders.lobby.invite(called, read_seat(seats[0]) if seats else None)


async def _mute(orders: Orders, typed: Typed) -> None:
    await orders.lobby.mute(*read_mute(typed.words))


async def _swap(orders: Orders, typed: Typed) -> None:
    one, other = typed.seats(2)
    await orders.table.here().swap_seats(one, other)


async def _top(orders: Orders, typed: Typed) -> None:
    game, speed = read_top(typed.words)
    orders.tell(results.leaders(await orders.client.show_ratings(game, speed)))


async def _best(orders: Orders, typed: Typed) -> None:
    course, bots = read_best(typed.words)
    orders.tell(results.best_times(await orders.client.show_times(course, bots=bots)))


async def _player(orders: Orders, typed: Typed) -> None:
    called = typed.text or orders.client.player.id
    orders.tell(results.player(await orders.client.show_player(called)))


async def _tonight(orders: Orders, _: Typed) -> None:
    orders.tell(results.tonight(await orders.client.show_tonight()))


_VERBS = (
    Verb(
        "list",
        sentence("show the lobby: tables, who is here, and bots"),
        lambda orders, _: orders.lobby.list_tables(),
    ),
    Verb(
        sentence("create GAME [OPTION=VALUE ...]"),
        sentence("create a table and take seat 0"),
        lambda orders, typed: orders.create(read_create(typed.words)),
    ),
    Verb(sentence("join TABLE [SEAT]"), sentence("sit down at a table, or watch it if it is full"), _join),
    Verb(sentence("watch TABLE"), sentence("watch a table"), _watch),
    Verb(
        "play",
        sentence("play now: any game, with a person or a bot"),
        lambda orders, _: orders.lobby.seek(NewSeek()),
    ),
    Verb(
        sentence("seek GAME [OPTION=VALUE ...]"),
        sentence("look for an opponent"),
        lambda orders, typed: orders.lobby.seek(read_seek(typed.words)),
    ),
    Verb("cancel", sentence("stop looking for an opponent"), lambda orders, _: orders.lobby.cancel_seek()),
    Verb(sentence("tv [GAME|off]"), sentence("watch the best public games, one by one"), _tv),
    Verb(
        sentence("invite LEVEL|PLAYER [SEAT]"), sentence("invite a bot or a player to a free seat"), _invite
    ),
    Verb(
        sentence("options OPTION=VALUE ..."),
        sentence("change your table until the game begins"),
        lambda orders, typed: orders.change(read_options(typed.words)),
    ),
    Verb(
        sentence("free SEAT"),
        sentence("free a seat of your table"),
        lambda orders, typed: orders.table.here().free_seat(*typed.seats(1)),
    ),
    Verb(sentence("swap SEAT SEAT"), sentence("swap two seats of your table"), _swap),
    Verb("begin", sentence("begin with the players seated"), lambda orders, _: orders.table.here().begin()),
    Verb("yes", sentence("accept the last invitation or offer"), lambda orders, _: orders.answer(True)),
    Verb("no", sentence("decline the last invitation or offer"), lambda orders, _: orders.answer(False)),
    Verb(sentence("mute PLAYER [all|none]"), sentence("hide a player's chat; all: invitations, too"), _mute),
    Verb(
        sentence("say TEXT"),
        sentence("send a message to the table"),
        lambda orders, typed: orders.say(typed.needed(sentence("Add a message: {usage}"))),
    ),
    Verb(
        "games",
        sentence("list your games, first those on your turn"),
        lambda orders, _: orders.lobby.list_games(),
    ),
    Verb(sentence("top GAME [SPEED]"), sentence("show a leaderboard"), _top),
    Verb(sentence("player [NAME]"), sentence("show ratings and results of a player or yourself"), _player),
    Verb("tonight", sentence("show the games of the last 12 hours"), _tonight),
    Verb(sentence("best [COURSE] [bots]"), sentence("show the best times"), _best),
    Verb("board", sentence("draw the board"), lambda orders, _: orders.show_board()),
    Verb("clock", sentence("show the clocks"), lambda orders, _: orders.show_clocks()),
    Verb(sentence("bell [WHEN]"), sentence("set when the bell rings")),
    Verb("history", sentence("list the moves of the game so far"), lambda orders, _: orders.show_history()),
    Verb("menu", sentence("play by number")),
    Verb("draw", sentence("offer a draw"), lambda orders, _: orders.offer("draw")),
    Verb("pause", sentence("ask for a pause"), lambda orders, _: orders.offer("pause")),
    Verb("continue", sentence("ask to continue after a pause"), lambda orders, _: orders.offer("continue")),
    Verb("addtime", sentence("give your opponents 15 more seconds"), lambda orders, _: orders.add_time()),
    Verb("takeback", sentence("ask to take back your last move"), lambda orders, _: orders.offer("takeback")),
    Verb("resign", sentence("resign"), lambda orders, _: orders.resign()),
    Verb(
        "claim [draw]",
        sentence("claim a win or a draw when the opponent is away"),
        lambda orders, typed: orders.claim(read_claim(typed.words)),
    ),
    Verb(
        "rematch",
        sentence("ask for a rematch"),
        lambda orders, _: orders.offer("rematch"),
    ),
    Verb("leave", sentence("leave the table and lose a running game"), lambda orders, _: orders.leave()),
    Verb(
        "handover",
        sentence("get a code to continue on another device"),
        lambda orders, _: orders.devices.hand_over(),
    ),
    Verb(
        "devices",
        sentence("list your devices"),
        lambda orders, _: orders.devices.show(),
    ),
    Verb(
        sentence("end DEVICE"),
        sentence("sign one of your devices out"),
        lambda orders, typed: orders.devices.sign_out(typed.needed(sentence("Choose a device: {usage}"))),
    ),
    Verb("help", sentence("show this help")),
    Verb("quit", sentence("leave the table and quit")),
)
VERBS: dict[str, Verb] = {verb.name: verb for verb in _VERBS}


# Reading a line


def read_line(line: str, game: str = "") -> Typed | None:
    """The verb in a line. None if the first word is no verb, or the line is a move of `game` in words."""
    if _is_word_move(line, game):
        return None
    name, _, text = line.strip().partition(" ")
    verb = VERBS.get(_OTHER_WORDS.get(name.lower(), name.lower()))
    return None if verb is None else Typed(verb, text.split(), text.strip())


def looks_like_move(line: str, game: str) -> bool:
    """Whether to send this line to the server as a move: it has a digit, as no verb has, or is a
    word of the game.
    """
    return has_digit(line) or _is_word_move(line, game)


def _is_word_move(line: str, game: str) -> bool:
    return game in GAMES and " ".join(line.lower().split()) in GAMES[game].word_moves


def has_digit(line: str) -> bool:
    return any(character.isdigit() for character in line)


def is_word_and_number(line: str) -> bool:
    """Whether this is a move in words, not just a number as the answer to a question."""
    return has_digit(line) and any(character.isalpha() for character in line)


def nearest_verb(line: str) -> Verb | None:
    first = line.split()[0].lower() if line.split() else ""
    close = get_close_matches(first, VERBS, 1, cutoff=_CLOSE)
    return VERBS[close[0]] if close else None


async def play_typed(orders: Orders, line: str) -> None:
    """Play a typed move, in any notation."""
    await orders.play(read_typed_move(orders.table, line))


def read_typed_move(table: CurrentTable, line: str) -> str:
    """The move as the rules write it. Raises UsageError for a line that can't be a move."""
    room, latest = table.room, table.latest
    if room is None:
        raise UsageError(_unknown(line, translate(NO_TABLE)))
    if not looks_like_move(line, room.game):
        moves = sentences.how_to_move(room.game)
        raise UsageError(_unknown(line, translate("Type help for the commands, or {a_move}.", a_move=moves)))
    return client_game(room.game).read_move(line, None if latest is None else latest.view)


def _unknown(line: str, otherwise: str) -> str:
    verb = nearest_verb(line)
    unknown = translate("Unknown: {line}.", line=f"{clean(line)!r:.60}")
    meant = translate("Did you mean: {usage}", usage=verb.shown) if verb else otherwise
    return f"{unknown} {meant}"


def help_lines() -> list[str]:
    """A line for each verb."""
    width = max(len(verb.shown) for verb in VERBS.values())
    return [f"{verb.shown:<{width}}  {translate(verb.help)}" for verb in VERBS.values()]


def more_help(room: Room | None) -> list[str]:
    """Further help for this table or the lobby."""
    levels = ", ".join(LEVEL_WORDS)
    lines = [translate("TABLE is a code, the start of an id, a number that list shows, or a name.")]
    lines += [translate("Bots of every game: {levels}; list shows the others.", levels=levels)]
    options = translate(OPTIONS)
    lines.append(translate("Options of create: {options}, and the options of the game.", options=options))
    if room is not None:
        lines.append(translate("Any other line is {a_move}.", a_move=sentences.how_to_move(room.game)))
    else:
        games = translate("The games are {games}.", games=", ".join(GAMES))
        begin = translate("To begin: {line}", line=f"create {next(iter(GAMES))} bot=easy")
        lines.append(f"{games} {begin}")
    return lines
