"""What a person types: the verbs, and how their words are read. The rest are moves."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Literal, get_args

from tablero.catalogue.speech import sentence, translate
from tablero_games import GAMES
from tablero_protocol.messages import Course, Speed
from tablero_protocol.phrases import PHRASES, Phrase


@dataclass(frozen=True)
class Verb:
    usage: str
    help: str

    @property
    def name(self) -> str:
        return self.usage.split()[0]

    @property
    def shown(self) -> str:
        """How it is typed; what stands for something else is in the reader's language."""
        return translate(self.usage) if " " in self.usage else self.usage


_VERBS = (
    Verb("list", sentence("show the lobby: tables, who is here, and bots")),
    Verb(sentence("create GAME [OPTION=VALUE ...]"), sentence("open a table, with you on seat 0")),
    Verb(sentence("join TABLE [SEAT]"), sentence("sit down at a table, or watch it if it is full")),
    Verb(sentence("watch TABLE"), sentence("watch a table")),
    Verb("play", sentence("play now: any game, anybody, else a bot")),
    Verb(sentence("seek GAME [OPTION=VALUE ...]"), sentence("wait for somebody who seeks the same")),
    Verb("cancel", sentence("seek nobody any more")),
    Verb(sentence("tv [GAME|off]"), sentence("watch the best public game, and then the next")),
    Verb(sentence("invite LEVEL|PLAYER [SEAT]"), sentence("ask a bot or somebody here to a free seat")),
    Verb(sentence("options OPTION=VALUE ..."), sentence("change the options of your table until it begins")),
    Verb(sentence("free SEAT"), sentence("send somebody from a seat of your table")),
    Verb(sentence("swap SEAT SEAT"), sentence("swap two seats of your table")),
    Verb("begin", sentence("begin with those who sit there")),
    Verb("yes", sentence("accept the last invitation or offer")),
    Verb("no", sentence("decline the last invitation or offer")),
    Verb(sentence("mute PLAYER [all|none]"), sentence("hear no chat of theirs; all: no invitation")),
    Verb(sentence("say TEXT"), sentence("speak to the table")),
    Verb("games", sentence("list your games, those on your turn first")),
    Verb(sentence("top GAME [SPEED]"), sentence("show who is best at a game")),
    Verb(sentence("player [NAME]"), sentence("show somebody's ratings and results, or your own")),
    Verb("tonight", sentence("show what was played in the last twelve hours")),
    Verb(sentence("best [COURSE] [bots]"), sentence("show the best times of Minesweeper")),
    Verb("board", sentence("draw the board")),
    Verb("clock", sentence("show how much time everybody has")),
    Verb(sentence("bell [WHEN]"), sentence("say when the bell rings")),
    Verb("history", sentence("list the moves of the game so far")),
    Verb("menu", sentence("play Minesweeper by number")),
    Verb("draw", sentence("offer a draw")),
    Verb("pause", sentence("ask to stop the clocks for a while")),
    Verb("continue", sentence("ask to go on after a pause")),
    Verb("addtime", sentence("give the others 15 seconds more")),
    Verb("takeback", sentence("ask to take your last move back")),
    Verb("resign", sentence("give the game up")),
    Verb("claim [draw]", sentence("win, or draw, when the other side stays away")),
    Verb("rematch", sentence("offer another game, after the end of one")),
    Verb("leave", sentence("leave the table; a running game is given up")),
    Verb("handover", sentence("get a code to go on from another device")),
    Verb("devices", sentence("list the devices from which you come in")),
    Verb(sentence("end DEVICE"), sentence("sign one of your devices out")),
    Verb("help", sentence("show this")),
    Verb("quit", sentence("leave the table, as above, and end")),
)
OPTIONS = sentence("private, rated, watchers=no, clock=300+5, seat=1, seat=none, seats=3, bot=LEVEL")
_CLOCK = re.compile(
    r"(?P<base>\d+)(\+(?P<increment>\d+))?|(?P<per_move>\d+)/move|(?P<days>\d+) ?d(ays?)?", re.ASCII
)
_RATED = ("rated", "--rated")
_WORDS = re.compile(r"[^\w ]")
NO_GAME = sentence("There is no game {word}")
NO_OPTIONS = {"game", "private", "rated", "subscribe"}
"""What is said otherwise, or by the program."""
VERBS: dict[str, Verb] = {verb.name: verb for verb in _VERBS}

_OTHER_WORDS = {"exit": "quit", "bye": "quit", "q": "quit", "?": "help", "ls": "list"}
"""What people type for a verb without knowing it."""
_CLOSE = 0.7
"""How alike a word and a verb have to be, so that one may be meant by the other."""
_CODE = re.compile(r"[0-9A-Za-z]{4}-?[0-9A-Za-z]{4}")
_ROOM = re.compile(r"[0-9a-z]{12}")


class UsageError(ValueError):
    """A typed line that makes no sense; the text says how to mend it."""


@dataclass(frozen=True)
class Command:
    verb: str
    words: list[str]
    text: str
    """All after the verb."""


def read_line(line: str, game: str = "") -> Command | None:
    """The command in a line; None if its first word is no verb, or the line is a move of `game` in words."""
    if _is_word_move(line, game):
        return None
    verb, _, text = line.strip().partition(" ")
    verb = _OTHER_WORDS.get(verb.lower(), verb.lower())
    return Command(verb, text.split(), text.strip()) if verb in VERBS else None


def looks_like_move(line: str, game: str) -> bool:
    """Whether to let the server judge this line: it has a digit, as no verb has, or is a word of the game."""
    return has_digit(line) or _is_word_move(line, game)


def _is_word_move(line: str, game: str) -> bool:
    return game in GAMES and " ".join(line.lower().split()) in GAMES[game].word_moves


def has_digit(line: str) -> bool:
    return any(character.isdigit() for character in line)


def is_word_and_number(line: str) -> bool:
    """Whether this is a move in words, and not a number that was asked for."""
    return has_digit(line) and any(character.isalpha() for character in line)


def nearest_verb(line: str) -> Verb | None:
    first = line.split()[0].lower() if line.split() else ""
    close = get_close_matches(first, VERBS, 1, cutoff=_CLOSE)
    return VERBS[close[0]] if close else None


def where(word: str) -> dict[str, str]:
    """A table by its code, or else by its id."""
    return {"code": word} if _CODE.fullmatch(word) else {"room": word}


def names_one_table(word: str) -> bool:
    """Whether this is a code or a whole id, so that nobody has to look for the table."""
    return _CODE.fullmatch(word) is not None or _ROOM.fullmatch(word) is not None


def is_same_table(word: str, room: str, code: str | None) -> bool:
    """Whether `word` names the table with this id and code."""
    return word == room or (code is not None and _bare(word) == _bare(code))


def _bare(code: str) -> str:
    return code.replace("-", "").upper()


def read_seat(word: str) -> int:
    if not word.isdigit():
        raise UsageError(translate("A seat is a number, not {word}.", word=f"{word!r:.40}"))
    return int(word)


def choose(word: str, known: list[str], there_is_none: str, **fields: str) -> str:
    """The one of `known` that `word` means: itself, its only beginning, or an error with a suggestion."""
    if word in known:
        return word
    begun = [name for name in known if name.startswith(word.lower())]
    if len(begun) == 1:
        return begun[0]
    close = get_close_matches(word.lower(), known, 1)
    if close:
        hint = translate("did you mean {word}?", word=close[0])
    else:
        hint = translate("there are {words}.", words=", ".join(known))
    none = translate(there_is_none, word=f"{word!r:.40}", **fields)
    raise UsageError(f"{none}; {hint}")


@dataclass
class NewTable:
    """What `create` asks for."""

    game: str
    fields: dict[str, Any] = field(default_factory=dict)
    """What `Client.create_room` takes by name."""
    options: dict[str, Any] = field(default_factory=dict)
    """Those of the game."""
    bot: str | None = None


def read_create(words: list[str], games: list[str]) -> NewTable:
    if not words:
        raise UsageError(translate("Say which game: {games}.", games=", ".join(games)))
    table = NewTable(choose(words[0], games, NO_GAME))
    for word in words[1:]:
        name, given, value = word.partition("=")
        if word == "private":
            table.fields["private"] = True
        elif word in _RATED:
            table.fields["rated"] = True
        elif name == "watchers" and value:
            table.fields["watchers"] = bool(read_value(value))
        elif not given or not value:
            raise UsageError(_as_option(word.rstrip("=")))
        elif name == "clock":
            table.fields["clock"] = read_clock(value)
        elif name == "seat":
            table.fields["seat"] = None if value == "none" else read_seat(value)
        elif name == "seats":
            table.fields["seats"] = read_seat(value)
        elif name == "bot":
            table.bot = value
        elif name in NO_OPTIONS:
            raise UsageError(
                translate(
                    "There is no option {name}; write: {usage}",
                    name=repr(name),
                    usage=VERBS["create"].shown,
                )
            )
        else:
            table.options[name] = read_value(value)
    return table


def read_seek(words: list[str], games: list[str]) -> tuple[NewTable, bool | None]:
    """What is sought, and whether a bot will do, if that is said."""
    table = read_create(words, games)
    bots = table.options.pop("bots", None)
    if table.bot is not None or table.fields.keys() - {"clock", "rated"}:
        raise UsageError(
            translate("A seek has a clock, options of the game and bots=yes or no, as in clock=300+5.")
        )
    return table, None if bots is None else bool(bots)


def read_top(words: list[str]) -> tuple[str, Speed]:
    """Which game, at which speed."""
    match words:
        case [game]:
            return choose(game, list(GAMES), NO_GAME), "rapid"
        case [game, speed]:
            known = get_args(Speed)
            name = choose(speed, list(known), sentence("There is no speed {word}"))
            chosen: Speed = known[known.index(name)]
            return choose(game, list(GAMES), NO_GAME), chosen
    raise UsageError(translate("Write: {usage}", usage=VERBS["top"].shown))


def read_best(words: list[str]) -> tuple[Course, bool]:
    """Which course, and whether of bots."""
    names = [word for word in words if word != "bots"]
    if len(names) > 1:
        raise UsageError(translate("Write: {usage}", usage=VERBS["best"].shown))
    known = get_args(Course)
    name = choose(names[0], list(known), sentence("There is no course {word}")) if names else known[0]
    course: Course = known[known.index(name)]
    return course, "bots" in words


def is_rated_alone(words: list[str]) -> bool:
    """Whether any game will do, as long as it is rated."""
    return len(words) == 1 and words[0] in _RATED


def _as_option(word: str) -> str:
    return translate("Write {word} as OPTION=VALUE, for example columns=8.", word=f"{word!r:.40}")


@dataclass
class Changes:
    """What `options` asks for; what is None stays."""

    options: dict[str, Any] = field(default_factory=dict)
    clock: dict[str, int] | Literal["none"] | None = None
    watchers: bool | None = None


def read_options(words: list[str]) -> Changes:
    if not words:
        raise UsageError(
            translate("Say which: {usage}, for example columns=8.", usage=VERBS["options"].shown)
        )
    changes = Changes()
    for word in words:
        name, _, value = word.partition("=")
        if not value:
            raise UsageError(_as_option(name))
        if name == "clock":
            changes.clock = "none" if value.lower() == "none" else read_clock(value)
        elif name == "watchers":
            changes.watchers = bool(read_value(value))
        else:
            changes.options[name] = read_value(value)
    return changes


def read_seats(command: Command, count: int) -> list[int]:
    if len(command.words) != count:
        raise UsageError(translate("Write: {usage}", usage=VERBS[command.verb].shown))
    return [read_seat(word) for word in command.words]


def find_phrase(text: str) -> Phrase | None:
    """The phrase that is typed, by its name or in its words: "goodLuck", "good luck!"."""

    def plain(words: str) -> str:
        return _WORDS.sub("", words.lower())

    for name, words in PHRASES.items():
        if plain(text) in (plain(name), plain(words), plain(translate(words))):
            return name
    return None


def read_claim(words: list[str]) -> Literal["win", "draw"]:
    match [word.lower() for word in words]:
        case [] | ["win"]:
            return "win"
        case ["draw"]:
            return "draw"
    raise UsageError(translate("Type claim to win, or claim draw for a draw."))


def read_mute(words: list[str]) -> tuple[str, Literal["chat", "all", "none"]]:
    """Whom, and how much of them."""
    match words:
        case [name]:
            return name, "chat"
        case [name, "chat" | "all" | "none" as what]:
            return name, what
    raise UsageError(translate("Say whom: {usage}", usage=VERBS["mute"].shown))


def read_clock(text: str) -> dict[str, int]:
    """ "300+5": five minutes, and five seconds more a move; "30/move": half a minute each; "3days": each."""
    if (found := _CLOCK.fullmatch(text.lower())) is None:
        raise UsageError(
            translate("Write a clock in seconds, clock=300+5 or clock=30/move; in days, clock=3days.")
        )
    return {kind: int(value) for kind, value in found.groupdict().items() if value is not None}


def read_value(text: str) -> int | bool | str:
    if text.lower() in ("true", "false", "yes", "no"):
        return text.lower() in ("true", "yes")
    try:
        return int(text)
    except ValueError:
        return text
