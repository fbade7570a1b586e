"""The saved options of a person: theme, glyphs, bell and keys, in a file that can be edited by hand.

Law: a wrong file is reported and never changed. Choices on the screen are saved in the file.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

from tablero_protocol.text import without_controls

from ..catalogue.speech import sentence, translate
from ..client.identity import home

Bell: TypeAlias = Literal["off", "turn", "on"]
BELLS: Final[tuple[Bell, ...]] = get_args(Bell)
THEME_NAMES: Final = ("dark", "light", "contrast", "colour-blind", "mono")
GLYPH_NAMES: Final = ("ascii", "safe", "rich", "emoji")
_MOST_SERVERS = 8
_LISTS: Final = ("servers", "lessons")
_PLAIN: Final = ("C", "POSIX")
"""Locales with only ASCII characters."""
_PUT_BY_PYTHON: Final = ("C.UTF-8", "C.utf8")


class BadOptionsFile(ValueError):
    """The options file is wrong. The text says how."""


@dataclass(frozen=True)
class ScreenOptions:
    theme: str = ""
    """The theme; empty for the one that suits the terminal."""
    glyphs: str = ""
    bell: Bell = "turn"
    premoves: bool = True
    smaller: int = 0
    """The number of steps by which boards are smaller than possible."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """The keys for each action by its name, separated by commas."""
    servers: tuple[str, ...] = ()
    """Servers used before, the last one first."""
    lessons: tuple[str, ...] = ()
    """The games whose lessons were shown."""

    def with_server(self, url: str) -> ScreenOptions:
        others = [server for server in self.servers if server != url]
        return replace(self, servers=(url, *others[: _MOST_SERVERS - 1]))


def place() -> Path:
    return home() / "screen.toml"


def load(file: Path) -> ScreenOptions:
    """The options in the file, or the defaults if there is no file. Raises BadOptionsFile."""
    try:
        found = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return ScreenOptions()
    except (OSError, ValueError) as wrong:
        raise _bad(file, str(wrong)) from None
    return _read(file, found)


def _read(file: Path, found: dict[str, Any]) -> ScreenOptions:
    allowed: dict[str, tuple[Any, ...]] = {
        "theme": ("", *THEME_NAMES),
        "glyphs": ("", *GLYPH_NAMES),
        "bell": BELLS,
        "premoves": (True, False),
        "smaller": tuple(range(10)),
    }
    for name, value in found.items():
        if name in allowed and (value not in allowed[name] or type(value) is not type(allowed[name][0])):
            values = ", ".join(str(each) for each in allowed[name] if each != "")
            raise _bad(file, translate("{name} must be one of {values}", name=name, values=values))
        if name not in (*allowed, "keys", *_LISTS):
            raise _bad(file, translate("there is no setting {name}", name=name))
    keys, lists = found.pop("keys", {}), {name: found.pop(name, []) for name in _LISTS}
    if not isinstance(keys, dict) or not all(isinstance(key, str) for key in keys.values()):
        raise _bad(file, translate("{name} must be a table of texts", name="keys"))
    for name, texts in lists.items():
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise _bad(file, translate("{name} must be a list of texts", name=name))
    servers, lessons = (tuple(lists[name]) for name in _LISTS)
    return ScreenOptions(**found, keys=keys, servers=servers[:_MOST_SERVERS], lessons=lessons)


def save(file: Path, options: ScreenOptions) -> None:
    """Write all options. If that fails, the old file stays."""
    lines = [
        f"{name} = {json.dumps(value)}"  # a tuple as a list
        for name, value in vars(options).items()
        if name != "keys"
    ]
    lines += ["", "[keys]", *(f"{name} = {json.dumps(keys)}" for name, keys in options.keys.items())]
    beside = file.with_suffix(".new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text("\n".join(lines) + "\n", "utf-8")
        beside.replace(file)
    except OSError:
        return


def _bad(file: Path, why: str) -> BadOptionsFile:
    return BadOptionsFile(translate("{file}: {why}.", file=file, why=why))


def theme_for(environment: Mapping[str, str]) -> str:
    """The theme that suits the terminal's colours, if it reports them."""
    if "NO_COLOR" in environment:
        return "mono"
    background = environment.get("COLORFGBG", "").rpartition(";")[2]
    return "light" if background in ("7", "15") else "dark"


def glyphs_for(environment: Mapping[str, str], encoding: str) -> str:
    """The glyphs for this output. Python sets UTF-8 in the environment itself if the locale is C."""
    for_all, for_letters = environment.get("LC_ALL"), environment.get("LC_CTYPE")
    if for_letters in _PUT_BY_PYTHON and environment.get("LANG") in _PLAIN:
        for_letters = None
    if (for_all or for_letters or environment.get("LANG")) in _PLAIN:
        return "ascii"
    is_utf8 = encoding.lower().replace("-", "") == "utf8"
    return "safe" if is_utf8 and environment.get("TERM") != "linux" else "ascii"


BELL_WORDS: Final[dict[Bell, str]] = {
    "off": sentence("The bell is off."),
    "turn": sentence("The bell rings on your turn."),
    "on": sentence("The bell rings on your turn, and on messages and offers."),
}


def call(why: str, environment: Mapping[str, str]) -> str:
    """The escape sequence for the bell, and for a notification with the text `why` if the terminal supports
    it.
    """
    note = f"\x1b]9;{without_controls(why)}\x07" if shows_notes(environment) else ""
    return f"{note}\x07"


def shows_notes(environment: Mapping[str, str]) -> bool:
    """Whether this terminal is known to support notifications by OSC 9. Others might print the text."""
    program, term = environment.get("TERM_PROGRAM", ""), environment.get("TERM", "")
    return program in ("iTerm.app", "WezTerm", "ghostty") or term in ("xterm-kitty", "xterm-ghostty", "foot")


class Preferences:
    """The options in use. Changes are saved at once."""

    def __init__(self, file: Path, options: ScreenOptions) -> None:
        self.options = options
        self._file = file

    def change(self, **changes: Any) -> None:
        self.options = replace(self.options, **changes)
        save(self._file, self.options)

    def played_at(self, url: str) -> None:
        self.options = self.options.with_server(url)
        save(self._file, self.options)

    def ring(self, bell: Callable[[], None], *, is_our_turn: bool) -> None:
        if self.options.bell == "on" or (self.options.bell == "turn" and is_our_turn):
            bell()

    def next_bell(self) -> str:
        """Change to the next kind of bell, and return its name."""
        bell = BELLS[(BELLS.index(self.options.bell) + 1) % len(BELLS)]
        self.change(bell=bell)
        return translate(BELL_WORDS[bell])
