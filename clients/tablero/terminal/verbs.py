"""What a person types: the verbs, and how their words are read. The rest are moves."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Literal

from tablero_games import GAMES
from tablero_protocol.phrases import PHRASES, Phrase


@dataclass(frozen=True)
class Verb:
    usage: str
    help: str

    @property
    def name(self) -> str:
        return self.usage.split()[0]


_VERBS = (
    Verb("list", "show the lobby: tables, who is here, and bots"),
    Verb(
        "create GAME [OPTION=VALUE ...]",
        "open a table, with you on seat 0",
    ),
    Verb("join CODE|ROOM [SEAT]", "sit down at a table, or watch it if it is full"),
    Verb("watch CODE|ROOM", "watch a table"),
    Verb("play", "play now: any game, anybody, else a bot"),
    Verb("seek GAME [OPTION=VALUE ...]", "wait for somebody who seeks the same"),
    Verb("cancel", "seek nobody any more"),
    Verb("tv [GAME|off]", "watch the best public game, and then the next"),
    Verb("invite LEVEL|PLAYER [SEAT]", "ask a bot or somebody here to a free seat"),
    Verb("options OPTION=VALUE ...", "change the options of your table until it begins"),
    Verb("free SEAT", "send somebody from a seat of your table"),
    Verb("swap SEAT SEAT", "swap two seats of your table"),
    Verb("begin", "begin with those who sit there"),
    Verb("yes", "accept the last invitation or offer"),
    Verb("no", "decline the last invitation or offer"),
    Verb("mute PLAYER [all|none]", "hear no chat of theirs; all: no invitation"),
    Verb("say TEXT", "speak to the table"),
    Verb("games", "list your games, those on your turn first"),
    Verb("board", "draw the board"),
    Verb("history", "list the moves of the game so far"),
    Verb("menu", "play Minesweeper by number"),
    Verb("draw", "offer a draw"),
    Verb("pause", "ask to stop the clocks for a while"),
    Verb("continue", "ask to go on after a pause"),
    Verb("addtime", "give the others 15 seconds more"),
    Verb("takeback", "ask to take your last move back"),
    Verb("resign", "give the game up"),
    Verb("claim [draw]", "win, or draw, when the other side stays away"),
    Verb("rematch", "offer another game, after the end of one"),
    Verb("leave", "leave the table; a running game is given up"),
    Verb("help", "show this"),
    Verb("quit", "leave the table, as above, and end"),
)
OPTIONS = "private, watchers=no, clock=300+5, seat=1, seat=none, seats=3, bot=LEVEL"
_CLOCK = re.compile(
    r"(?P<base>\d+)(\+(?P<increment>\d+))?|(?P<per_move>\d+)/move|(?P<days>\d+) ?d(ays?)?", re.ASCII
)
_WORDS = re.compile(r"[^a-z ]")
NO_OPTIONS = {"game", "private", "subscribe"}
"""What is said otherwise, or by the program."""
VERBS: dict[str, Verb] = {verb.name: verb for verb in _VERBS}

_CODE = re.compile(r"[0-9A-Za-z]{4}-?[0-9A-Za-z]{4}")


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
    verb = verb.lower()
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
    close = get_close_matches(first, VERBS, 1, cutoff=0.5)
    return VERBS[close[0]] if close else None


def where(word: str) -> dict[str, str]:
    """A table by its code, or else by its id."""
    return {"code": word} if _CODE.fullmatch(word) else {"room": word}


def is_same_table(word: str, room: str, code: str | None) -> bool:
    """Whether `word` names the table with this id and code."""
    return word == room or (code is not None and _bare(word) == _bare(code))


def _bare(code: str) -> str:
    return code.replace("-", "").upper()


def read_seat(word: str) -> int:
    if not word.isdigit():
        raise UsageError(f"A seat is a number, not {word!r:.40}.")
    return int(word)


def choose(word: str, known: list[str], what: str) -> str:
    """The one of `known` that `word` means: itself, its only beginning, or an error with a suggestion."""
    if word in known:
        return word
    begun = [name for name in known if name.startswith(word.lower())]
    if len(begun) == 1:
        return begun[0]
    close = get_close_matches(word.lower(), known, 1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}."
    raise UsageError(f"There is no {what} {word!r:.40}; {hint}")


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
        raise UsageError(f"Say which game: {', '.join(games)}.")
    table = NewTable(choose(words[0], games, "game"))
    for word in words[1:]:
        name, given, value = word.partition("=")
        if word == "private":
            table.fields["private"] = True
        elif name == "watchers" and value:
            table.fields["watchers"] = bool(read_value(value))
        elif not given or not value:
            raise UsageError(f"Write {word.rstrip('=')!r:.40} as OPTION=VALUE, for example columns=8.")
        elif name == "clock":
            table.fields["clock"] = read_clock(value)
        elif name == "seat":
            table.fields["seat"] = None if value == "none" else read_seat(value)
        elif name == "seats":
            table.fields["seats"] = read_seat(value)
        elif name == "bot":
            table.bot = value
        elif name in NO_OPTIONS:
            raise UsageError(f"There is no option {name!r}; write: {VERBS['create'].usage}")
        else:
            table.options[name] = read_value(value)
    return table


def read_seek(words: list[str], games: list[str]) -> tuple[NewTable, bool | None]:
    """What is sought, and whether a bot will do, if that is said."""
    table = read_create(words, games)
    bots = table.options.pop("bots", None)
    if table.bot is not None or table.fields.keys() - {"clock"}:
        raise UsageError("A seek has a clock, options of the game and bots=yes or no, as in clock=300+5.")
    return table, None if bots is None else bool(bots)


@dataclass
class Changes:
    """What `options` asks for; what is None stays."""

    options: dict[str, Any] = field(default_factory=dict)
    clock: dict[str, int] | Literal["none"] | None = None
    watchers: bool | None = None


def read_options(words: list[str]) -> Changes:
    if not words:
        raise UsageError(f"Say which: {VERBS['options'].usage}, for example columns=8.")
    changes = Changes()
    for word in words:
        name, _, value = word.partition("=")
        if not value:
            raise UsageError(f"Write {name!r:.40} as OPTION=VALUE, for example columns=8.")
        if name == "clock":
            changes.clock = "none" if value.lower() == "none" else read_clock(value)
        elif name == "watchers":
            changes.watchers = bool(read_value(value))
        else:
            changes.options[name] = read_value(value)
    return changes


def read_seats(command: Command, count: int) -> list[int]:
    if len(command.words) != count:
        raise UsageError(f"Write: {VERBS[command.verb].usage}")
    return [read_seat(word) for word in command.words]


def find_phrase(text: str) -> Phrase | None:
    """The phrase that is typed, by its name or in its words: "goodLuck", "good luck!"."""

    def plain(words: str) -> str:
        return _WORDS.sub("", words.lower())

    return next((name for name, words in PHRASES.items() if plain(text) in (plain(name), plain(words))), None)


def read_claim(words: list[str]) -> Literal["win", "draw"]:
    match [word.lower() for word in words]:
        case [] | ["win"]:
            return "win"
        case ["draw"]:
            return "draw"
    raise UsageError("Type claim to win, or claim draw for a draw.")


def read_mute(words: list[str]) -> tuple[str, Literal["chat", "all", "none"]]:
    """Whom, and how much of them."""
    match words:
        case [name]:
            return name, "chat"
        case [name, "chat" | "all" | "none" as what]:
            return name, what
    raise UsageError(f"Say whom: {VERBS['mute'].usage}")


def read_clock(text: str) -> dict[str, int]:
    """ "300+5": five minutes, and five seconds more a move; "30/move": half a minute each; "3days": each."""
    if (found := _CLOCK.fullmatch(text.lower())) is None:
        raise UsageError(
            "Write a clock in seconds, clock=300+5 or clock=30/move, or in days a move, clock=3days."
        )
    return {kind: int(value) for kind, value in found.groupdict().items() if value is not None}


def read_value(text: str) -> int | bool | str:
    if text.lower() in ("true", "false", "yes", "no"):
        return text.lower() in ("true", "yes")
    try:
        return int(text)
    except ValueError:
        return text
